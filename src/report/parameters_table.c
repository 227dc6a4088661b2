// SPDX-License-Identifier: MIT
#include "report/parameters_table.h"

#include <math.h>

#include "text/table_writer.h"

static const char COLUMNS[] = "parameter,unit,value,column";

static int base_count(const lwParameters* parameters)
{
  lwParameterCount count = lw_parameters_count(parameters);
  return count.by_rules >= 0 ? count.by_rules : count.by_rank;
}

bool lw_parameters_agree(const lwParameters* parameters)
{
  lwParameterCount count = lw_parameters_count(parameters);
  return count.by_rules < 0 || count.by_rules == count.by_rank;
}

static void parameter_row(const void* context, int i, lwCell* cells)
{
  const lwParameters* parameters = context;
  lwBaseParameter one            = lw_parameters_base(parameters, i);
  cells[0]                       = lw_cell_text(one.name);
  cells[1]                       = lw_cell_text(one.unit);
  cells[2]                       = lw_cell_number(one.value);
  cells[3]                       = lw_cell_text(lw_parameters_name(parameters, one.column));
}

static void write_rows(lwOut* out, lwFormat format, const lwParameters* parameters)
{
  lwSheet sheet = {.columns = COLUMNS,
                   .most    = format == LW_FORMAT_TABLE ? 3 : 4,
                   .rows    = base_count(parameters),
                   .row     = parameter_row,
                   .context = parameters};
  lw_sheet_write(out, format, &sheet);
}

static void write_table(lwOut* out, const lwModel* model, const lwParameters* parameters)
{
  lwParameterCount count = lw_parameters_count(parameters);
  lw_out_format(out, "%s: %d parameters of %d links\n", lw_model_name(model), count.all,
                count.all / 10);
  if (count.by_rules >= 0)
    lw_out_format(out, "base parameters by the rules: %d\n", count.by_rules);
  else
    lw_out_text(
        out,
        "base parameters by the rules: none, joints follow others, are screws or close loops\n");
  lw_out_format(out, "base parameters by rank:      %d\n", count.by_rank);
  lw_out_format(out,
                "the rank is that of the regressor at %d random states: the least part of a column "
                "that counts is %.2g,\nthe largest that does not %.2g\n",
                count.states, count.least_kept, count.most_dropped);
  if (count.by_rules >= 0 && lw_parameters_agree(parameters))
    lw_out_format(out, "both find the same, with factors %.2g apart\n", count.difference);
  lw_out_text(out, "\n");
  write_rows(out, LW_FORMAT_TABLE, parameters);
  int all = lw_parameters_count(parameters).all, told = 0;
  for (int c = 0; c < all; ++c)
    if (lw_parameters_idle(parameters, c))
      lw_out_format(out, "%s%s", told++ > 0 ? ", " : "\nno torque depends on ",
                    lw_parameters_name(parameters, c));
  if (told > 0) lw_out_text(out, "\n");
}

static void write_json(lwOut* out, const lwModel* model, const lwParameters* parameters)
{
  lwParameterCount count = lw_parameters_count(parameters);
  lw_json(out,
          "{'robot': $s,\n'parameters': $d,\n'by_rules': $n,\n'by_rank': $d,\n'states': $d,\n"
          "'least_kept': $n,\n'most_dropped': $n,\n'base': [",
          lw_model_name(model), count.all, count.by_rules >= 0 ? count.by_rules : INFINITY,
          count.by_rank, count.states, count.least_kept, count.most_dropped);
  for (int i = 0; i < base_count(parameters); ++i)
  {
    lwBaseParameter one = lw_parameters_base(parameters, i);
    lw_out_text(out, i > 0 ? ",\n  " : "\n  ");
    lw_json(out, "{'parameter': $s, 'unit': $s, 'value': $n, 'column': $s, 'terms': {", one.name,
            one.unit, one.value, lw_parameters_name(parameters, one.column));
    int all = lw_parameters_count(parameters).all, told = 0;
    for (int c = 0; c < all; ++c)
    {
      if (one.factors[c] == 0) continue;
      lw_json(out, told++ > 0 ? ", $s: $n" : "$s: $n", lw_parameters_name(parameters, c),
              one.factors[c]);
    }
    lw_out_text(out, "}}");
  }
  lw_out_text(out, "],\n\"idle\": [");
  for (int c = 0, told = 0; c < count.all; ++c)
  {
    if (!lw_parameters_idle(parameters, c)) continue;
    lw_json(out, told++ > 0 ? ", $s" : "$s", lw_parameters_name(parameters, c));
  }
  lw_out_text(out, "]}\n");
}

void lw_parameters_write(lwOut* out, lwFormat format, const lwModel* model,
                         const lwParameters* parameters)
{
  if (format == LW_FORMAT_TABLE) write_table(out, model, parameters);
  if (format == LW_FORMAT_CSV) write_rows(out, format, parameters);
  if (format == LW_FORMAT_JSON) write_json(out, model, parameters);
}
