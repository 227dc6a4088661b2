// SPDX-License-Identifier: MIT
// linkwork parts: mass properties of links, and the contribution of every section.
#include <string.h>

#include "app.h"
#include "io/files.h"
#include "io/output.h"
#include "io/program_text.h"
#include "linkwork/parts.h"
#include "report/robot/parts_table.h"

static int choose_parts(const Options* options, const lwParts* parts, lwPartsShown* shown)
{
  const char* name = options->value[OPTION_LINK];
  *shown           = (lwPartsShown){parts, 0, lw_parts_count(parts)};
  if (!name) return DONE;
  shown->first = lw_parts_find(parts, name);
  shown->count = 1;
  if (shown->first >= 0) return DONE;
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; i < lw_parts_count(parts); ++i)
    nearest_offer(&nearest, lw_parts_link(parts, i)->body.name);
  if (nearest_found(&nearest))
    return fail(USAGE, "--link: the file has no link '%s'; did you mean '%s'?", name, nearest.best);
  return fail(USAGE, "--link: the file has no link '%s'; the first is '%s'", name,
              lw_parts_link(parts, 0)->body.name);
}

static int print_parts(const Options* options, Format format, const lwPartsShown* shown)
{
  lwOut out;
  int status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  lw_parts_write(&out, format, shown);
  return out_close(&out, DONE, true);
}

// Findings in full, warnings too: this is the command that looks at such a file.
static int read_parts(const Options* options, lwParts** parts)
{
  lwDiag* diag = lw_diag_create();
  if (!diag) return no_memory();
  lwLint lint     = robot_options(options).lint;
  lwStatus status = lw_parts_read_file(options->operand, &lint, diag, parts);
  messages_print(diag);
  if (status != LW_OK && lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(INPUT, "%s: %s", options->operand, lw_status_text(status));
  inputs_add(diag);
  lw_diag_destroy(diag);
  return status == LW_OK ? DONE : INPUT;
}

int cmd_parts(const Options* options)
{
  Format format;
  lwPartsShown shown;
  lwParts* parts = NULL;
  int status     = format_choose(options, &format);
  if (status == DONE) status = read_parts(options, &parts);
  if (status == DONE) status = choose_parts(options, parts, &shown);
  if (status == DONE) status = print_parts(options, format, &shown);
  lw_parts_destroy(parts);
  return status;
}
