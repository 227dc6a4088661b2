// SPDX-License-Identifier: MIT
// linkwork parts: mass properties of links, and the contribution of every section.
#include <string.h>

#include "app.h"
#include "linkwork/parts.h"
#include "report/robot/parts_table.h"

static lwPartsShown chosen_parts(const Options* options, const lwParts* parts)
{
  const char* name = options->value[OPTION_LINK];
  if (!name) return (lwPartsShown){parts, 0, lw_parts_count(parts)};
  lwPartsShown shown = {parts, lw_parts_find(parts, name), 1};
  if (shown.first >= 0) return shown;
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; i < lw_parts_count(parts); ++i)
    nearest_offer(&nearest, lw_parts_link(parts, i)->body.name);
  bool near = nearest_found(&nearest);
  stop(USAGE, "--link: the file has no link '%s'; %s '%s'%s", name,
       near ? "did you mean" : "the first is",
       near ? nearest.best : lw_parts_link(parts, 0)->body.name, near ? "?" : "");
}

int cmd_parts(const Options* options)
{
  lwParts* parts  = NULL;
  lwFormat format = format_of(options);
  lwDiag* diag    = hold_messages();
  lwLint lint     = robot_options(options).lint;
  lwStatus status = lw_parts_read_file(options->operand, &lint, diag, &parts);
  hold_parts(parts);
  need_read(status, options->operand, diag, true);  // this is the command that looks at such a file
  lwPartsShown shown = chosen_parts(options, parts);
  lwOut* out         = output_of(options);
  lw_parts_write(out, format, &shown);
  return output_end(out, DONE);
}
