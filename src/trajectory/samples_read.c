// SPDX-License-Identifier: MIT
// Trajectories from CSV files.
#include "loop/loop_workspace.h"
#include "read/csv_series.h"
#include "trajectory/samples.h"

enum
{
  T,
  Q,
  QD,
  QDD,
  GROUPS
};

// The columns of positions, or of velocities and accelerations; false: out of memory.
static bool motion_columns(const lwModel* model, int g, lwArena* arena, lwColumnGroup* columns)
{
  columns->width     = g == Q ? lw_model_nq(model) : lw_model_dof(model);
  const char** names = lw_arena_take(arena, (size_t)columns->width + 1, sizeof *names);
  for (int i = 0; names && i < columns->width; ++i)
    names[i] = (g == Q ? lw_model_position(model, i) : lw_model_velocity(model, i)).name;
  bool* follows = lw_arena_take(arena, 2 * (size_t)lw_model_nq(model) + 2, sizeof *follows);
  bool* other   = follows ? follows + lw_model_nq(model) + 1 : NULL;
  if (follows) lw_model_followers(model, g == Q ? other : follows, g == Q ? follows : other);
  columns->names    = names;
  columns->optional = follows;
  return names && follows;
}

// What the table leaves out follows.
static lwStatus follow_table(const lwModel* model, lwDocument* document, const lwCsvGroup* groups,
                             long rows)
{
  long at;
  lwLoopSeries series = {rows,
                         groups[Q].values,
                         groups[QD].values,
                         groups[QDD].values,
                         groups[Q].given,
                         groups[QD].given,
                         groups[QDD].given};
  for (int i = 0; series.qdd && !series.qd && i < lw_model_dof(model); ++i)
    if (!series.given_qdd[i])
      return lw_document_refuse(document, ((lwPlace){1, 1}), NULL,
                                "accelerations of driven joints alone need their velocities, too");
  lwStatus status = lw_loops_follow_series(model, &series, &at);
  if (status == LW_OK || status == LW_ERROR_MEMORY) return status;
  return lw_document_refuse(document, ((lwPlace){(int)at + 2, 1}), NULL,
                            "no motion of the passive joints closes the loops with these values of "
                            "the driven ones");
}

// Whether a robot can stand there: quaternions of length 1, and closed loops. loops: NULL if there
// are none.
static lwStatus check_row(const lwModel* model, lwLoops* loops, const double* q, lwDiag* diag)
{
  lwStatus status = lw_model_check_positions(model, q, diag);
  if (status == LW_OK && loops) status = lw_loops_check(loops, q, NULL, NULL, diag);
  return status;
}

// The first row where the robot cannot stand is reported.
static lwStatus check_rows(const lwModel* model, lwDocument* document, const double* q, long rows)
{
  lwDiag* diag    = lw_diag_create();
  lwLoops* loops  = NULL;
  lwStatus status = diag ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK && lw_model_loop_count(model) > 0)
    status = lw_loops_create(model, NULL, NULL, &loops);
  for (long k = 0; k < rows && status == LW_OK; ++k, q += lw_model_nq(model))
  {
    status = check_row(model, loops, q, diag);
    if (status != LW_OK)
      lw_document_error(document, ((lwPlace){(int)k + 2, 1}), NULL, "%s",
                        lw_diag_size(diag) ? lw_diag_message(diag, 0)->text : "wrong positions");
  }
  lw_loops_destroy(loops);
  lw_diag_destroy(diag);
  return status;
}

static lwStatus read_table(lwDocument* document, const lwModel* model, lwArena* arena,
                           lwSamples* samples)
{
  lwCsvGroup groups[GROUPS] = {
      [T]   = {.columns = {.symbol = "t", .single = true, .width = 1}, .increasing = true},
      [Q]   = {.columns = {.symbol = "q", .need = LW_COLUMNS_ALL}},
      [QD]  = {.columns = {.symbol = "qd", .need = LW_COLUMNS_ALL_OR_NONE}},
      [QDD] = {.columns = {.symbol = "qdd", .need = LW_COLUMNS_ALL_OR_NONE}}};
  for (int g = Q; g <= QDD; ++g)
    if (!motion_columns(model, g, arena, &groups[g].columns)) return LW_ERROR_MEMORY;
  lwStatus status = lw_csv_read(document, groups, GROUPS, arena, &samples->rows);
  if (status != LW_OK) return status;
  samples->t   = groups[T].values;
  samples->q   = groups[Q].values;
  samples->qd  = groups[QD].values;
  samples->qdd = groups[QDD].values;
  if (samples->rows > 0) status = follow_table(model, document, groups, samples->rows);
  if (status != LW_OK) return status;
  if (samples->rows > 0) return check_rows(model, document, samples->q, samples->rows);
  return lw_document_refuse(document, ((lwPlace){1, 1}), NULL, "no motion below the header");
}

lwStatus lw_samples_read(const char* path, const lwModel* model, lwArena* arena, lwDiag* diag,
                         lwSamples* samples)
{
  lwDocument document;
  lwTurns* turns = lw_arena_take(arena, 1, sizeof *turns);
  *samples       = (lwSamples){.n = lw_model_dof(model), .turns = turns};
  if (!turns || !lw_turns_take(turns, arena, model, samples->n)) return LW_ERROR_MEMORY;
  lwStatus status = lw_document_open_table(&document, path, diag);
  if (status == LW_OK) status = read_table(&document, model, arena, samples);
  lw_document_free(&document);
  return status;
}
