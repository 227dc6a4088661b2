// SPDX-License-Identifier: MIT
// Logs of a robot, read from CSV files.
#include <stdlib.h>

#include "identify/closed_motion.h"
#include "loop/loop_workspace.h"
#include "read/csv_series.h"

struct lwLog
{
  lwLogDef data;
  lwArena arena;
};

enum
{
  GROUP_COUNT = 6
};

// What the file leaves out follows.
static lwStatus follow_log(const lwModel* model, long rows, const lwCsvGroup* groups, lwDiag* diag)
{
  long at;
  lwLoopSeries series = {
      rows, groups[1].values, groups[2].values, NULL, groups[1].given, groups[2].given, NULL};
  lwStatus status = lw_loops_follow_series(model, &series, &at);
  return status == LW_OK || status == LW_ERROR_MEMORY ? status
                                                      : lw_log_refuse_open(model, at, diag);
}

lwStatus lw_log_read_file(const char* path, const lwModel* model, lwDiag* diag, lwLog** log)
{
  lwDocument document;
  *log                                          = NULL;
  lwStatus status                               = lw_document_open_table(&document, path, diag);
  static const char* const symbols[GROUP_COUNT] = {"t", "q", "qd", "qdd", "tau", "i"};
  lwCsvGroup groups[GROUP_COUNT]                = {{.increasing = true}};
  lwLog* made                                   = calloc(1, sizeof *made);
  int n = lw_model_dof(model), nq = lw_model_nq(model);
  size_t all         = (size_t)(n + nq) + 1;
  const char** names = made ? lw_arena_take(&made->arena, all, sizeof *names) : NULL;
  bool* follows      = made ? lw_arena_take(&made->arena, all, sizeof *follows) : NULL;
  bool enough        = names && follows;
  for (int i = 0; i < n && enough; ++i) names[i] = lw_model_velocity(model, i).name;
  for (int i = 0; i < nq && enough; ++i) names[n + i] = lw_model_position(model, i).name;
  if (enough) lw_model_followers(model, follows, follows + n);
  if (status == LW_OK && !enough) status = LW_ERROR_MEMORY;
  for (int g = 0; g < GROUP_COUNT && enough; ++g)
    groups[g].columns = (lwColumnGroup){.symbol   = symbols[g],
                                        .width    = g == 0   ? 1
                                                    : g == 1 ? nq
                                                             : n,
                                        .single   = g == 0,
                                        .names    = g == 0   ? NULL
                                                    : g == 1 ? names + n
                                                             : names,
                                        .optional = g == 0   ? NULL
                                                    : g == 1 ? follows + n
                                                             : follows,
                                        .need = g < 2 ? LW_COLUMNS_ALL : LW_COLUMNS_ALL_OR_NONE};
  long rows = 0;
  if (status == LW_OK) status = lw_csv_read(&document, groups, GROUP_COUNT, &made->arena, &rows);
  lw_document_free(&document);
  if (status == LW_OK) status = follow_log(model, rows, groups, diag);
  if (status == LW_OK)
    made->data = (lwLogDef){.count   = rows,
                            .t       = groups[0].values,
                            .q       = groups[1].values,
                            .qd      = groups[2].values,
                            .qdd     = groups[3].values,
                            .tau     = groups[4].values,
                            .current = groups[5].values};
  if (status == LW_OK)
    *log = made;
  else
    lw_log_destroy(made);
  return status;
}

void lw_log_destroy(lwLog* log)
{
  if (!log) return;
  lw_arena_free(&log->arena);
  free(log);
}

const lwLogDef* lw_log_data(const lwLog* log)
{
  return &log->data;
}
