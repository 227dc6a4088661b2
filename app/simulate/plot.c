// SPDX-License-Identifier: MIT
// linkwork plot: columns of a recording as a picture.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/csv.h"
#include "io/picture.h"
#include "simulate.h"

enum
{
  LONGEST_LINE = 1 << 22,  // bytes
  BLOCK_ROWS   = 256
};

// A recording under way.
typedef struct RecordedFile
{
  lwLines lines;
  lwCsvHeader header;
  lwCsvBlock block;
  lwPlotTable table;
} RecordedFile;

// "q,tau" without the groups, "q", "tau" one by one: does one of them hold the column? References
// may be drawn with any.
static bool is_wanted(const char* column, const char* groups)
{
  if (lw_plot_column_is_in(column, "q_ref", 5) || lw_plot_column_is_in(column, "qd_ref", 6))
    return true;
  while (true)
  {
    size_t length = strcspn(groups, "+,");
    if (length > 0 && lw_plot_column_is_in(column, groups, length)) return true;
    if (!groups[length]) return false;
    groups += length + 1;
  }
}

static int wrong_recording(const RecordedFile* recording)
{
  return lines_report(&recording->lines);
}

static int read_names(RecordedFile* recording, char** names, int* count)
{
  lwLines* lines = &recording->lines;
  char* cursor   = lines->line;
  while (cursor)
  {
    char* at   = cursor;
    char* name = lw_field_take(&cursor);
    if (!name)
    {
      exit_of(lw_lines_fail(lines, at, "a quote that is not closed, expected \"name\""));
      return wrong_recording(recording);
    }
    names[(*count)++] = name;
  }
  return DONE;
}

// The columns that are drawn go into the table, others are skipped.
static int take_columns(RecordedFile* recording, char** names, int count, const char* path,
                        const char* x, const char* groups)
{
  lwCsvHeader* header = &recording->header;
  size_t used         = 0;
  lwColumnFinding finding;
  *header = (lwCsvHeader){.groups = 0, .increasing = -1};
  if (!lw_columns_begin(&header->columns, header->group, 0, (size_t)count, &header->arena))
    return no_memory();
  for (int c = 0; c < count; ++c)
  {
    bool wanted = !strcmp(names[c], x) || is_wanted(names[c], groups);
    if (!lw_columns_take(&header->columns, names[c], &finding)) return no_memory();
    if (finding.fault != LW_COLUMN_FINE)
    {
      exit_of(lw_lines_fail(&recording->lines, recording->lines.line, "%s", finding.text));
      return wrong_recording(recording);
    }
    if (wanted) header->columns.targets[c] = (lwColumnTarget){0, (int)used++};
  }
  header->group[0].width = (int)used;
  int status             = picture_begin(&recording->table, path, used);
  for (int c = 0; c < count && status == DONE; ++c)
  {
    lwColumnTarget target = header->columns.targets[c];
    if (target.group == 0 &&
        !lw_plot_table_name(&recording->table, (size_t)target.index, names[c], NULL))
      status = no_memory();
  }
  return status;
}

static int read_header(RecordedFile* recording, const char* path, const char* x, const char* groups,
                       bool check)
{
  size_t fields  = 1;
  int count      = 0;
  lwLines* lines = &recording->lines;
  if (exit_of(lw_lines_next(lines)) != DONE) return wrong_recording(recording);
  if (!lines->line || !*lw_skip_spaces(lines->line))
  {
    exit_of(lw_lines_fail(lines, lines->line, "nothing here, expected a header"));
    return wrong_recording(recording);
  }
  for (const char* s = lines->line; *s; ++s) fields += *s == ',';
  char** names = calloc(fields, sizeof *names);
  if (!names) return no_memory();
  int status = read_names(recording, names, &count);
  if (status == DONE && check) status = picture_check_groups(names, (size_t)count, groups);
  if (status == DONE) status = take_columns(recording, names, count, path, x, groups);
  free(names);
  return status;
}

static int read_all(RecordedFile* recording)
{
  lwCsvBlock* block = &recording->block;
  *block            = (lwCsvBlock){.capacity = BLOCK_ROWS, .first = 1};
  block->values[0]  = calloc(BLOCK_ROWS * (recording->table.columns + 1), sizeof(double));
  if (!block->values[0]) return no_memory();
  do
  {
    if (exit_of(lw_csv_rows(&recording->header, &recording->lines, block)) != DONE)
      return wrong_recording(recording);
    for (int i = 0; i < block->count; ++i)
      lw_plot_table_add(&recording->table, block->values[0] + (size_t)i * recording->table.columns);
  } while (block->count > 0);
  return DONE;
}

int cmd_plot(const Options* options)
{
  RecordedFile recording = {0};
  const char* path       = options->value[OPTION_OUT];
  const char* x          = options->value[OPTION_PLOT_X] ? options->value[OPTION_PLOT_X] : "t";
  const char* groups     = options->value[OPTION_PLOT_Y];
  const char* robot      = options->value[OPTION_ROBOT];
  lwModel* model         = NULL;
  if (!path || !strcmp(path, "-"))
    return fail(USAGE, "'plot' needs --out FILE, a name that ends with .svg, .png or .pdf");
  int status = lines_open(&recording.lines, options->operand, LONGEST_LINE);
  if (status != DONE) return status;
  const char* usual = SIMULATION_PANELS ",theta,kinetic";
  status            = read_header(&recording, path, x, groups ? groups : usual, groups != NULL);
  if (status == DONE) status = read_all(&recording);
  if (status == DONE && robot) status = robot_load(options, robot, &model);
  recording.table.model = plotted_model(model);
  recording.table.title = strcmp(options->operand, "-") ? options->operand : NULL;
  if (status == DONE)
    status = picture_draw(&recording.table, path, x, groups ? groups : usual, groups == NULL);
  lw_csv_block_destroy(&recording.block);
  lw_csv_header_destroy(&recording.header);
  lw_plot_table_destroy(&recording.table);
  lw_lines_close(&recording.lines);
  lw_model_destroy(model);
  return status;
}
