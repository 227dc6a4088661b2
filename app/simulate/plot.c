// SPDX-License-Identifier: MIT
// linkwork plot: columns of a recording as a picture.
#include <string.h>

#include "io/picture.h"
#include "recorded.h"
#include "simulate.h"

typedef struct Wanted
{
  const char *x, *groups;
} Wanted;

// References may be drawn with any group.
static bool is_wanted(const void* context, const char* column)
{
  const Wanted* wanted = context;
  return !strcmp(column, wanted->x) || column_is_in(column, "q_ref,qd_ref") ||
         column_is_in(column, wanted->groups);
}

int cmd_plot(const Options* options)
{
  const char* path   = options->value[OPTION_OUT];
  const char* groups = options->value[OPTION_PLOT_Y];
  const char* robot  = options->value[OPTION_ROBOT];
  Wanted wanted      = {options->value[OPTION_PLOT_X] ? options->value[OPTION_PLOT_X] : "t",
                   groups ? groups : SIMULATION_PANELS ",theta,kinetic"};
  if (!path || !strcmp(path, "-"))
    stop(USAGE, "'plot' needs --out FILE, a name that ends with .svg, .png or .pdf");
  Recorded recorded = recorded_open(options->operand);
  if (groups) need(picture_check_groups(recorded.names, recorded.fields, groups));
  recorded_select(&recorded, is_wanted, &wanted);
  lwPlotTable* table    = plot_begin(path, recorded.width);
  const lwCsvFile* file = recorded.csv;
  for (size_t c = 0; c < recorded.fields; ++c)
  {
    lwColumnTarget target = file->header.columns.targets[c];
    if (target.group == 0) plot_name(table, (size_t)target.index, recorded.names[c], NULL);
  }
  while (csv_more(recorded.csv))
    for (int i = 0; i < file->block.count; ++i)
      lw_plot_table_add(table, file->block.values[0] + (size_t)i * recorded.width);
  if (robot) table->model = plotted_model(robot_read(options, robot));
  table->title = strcmp(options->operand, "-") ? options->operand : NULL;
  return picture_draw(table, path, wanted.x, wanted.groups, groups == NULL);
}
