// SPDX-License-Identifier: MIT
// linkwork lint: everything wrong or doubtful about a file.
#include "app.h"
#include "command/option_words.h"
#include "io/files.h"
#include "io/sheet.h"
#include "linkwork/parts.h"
#include "linkwork/scenario.h"
#include "linkwork/snake.h"
#include "read/kind.h"

typedef struct LintFindings
{
  const lwDiag* diag;
  char (*words)[1024];  // (2) text and hint of the row, with flags
} LintFindings;

static Cell words_cell(const char* text, char* buffer, size_t size)
{
  return cell_text(text && option_words(text, buffer, size) < size ? buffer : text);
}

static void message_row(const void* context, int i, Cell* cells)
{
  const LintFindings* findings = context;
  const lwMessage* message     = lw_diag_message(findings->diag, i);
  bool placed                  = message->place.line > 0;
  cells[0] = cell_text(message->severity == LW_SEVERITY_ERROR ? "error" : "warning");
  cells[1] = cell_text(message->file);
  cells[2] = placed ? cell_number(message->place.line) : cell_text(NULL);
  cells[3] = placed ? cell_number(message->place.column) : cell_text(NULL);
  cells[4] = words_cell(message->text, findings->words[0], sizeof *findings->words);
  cells[5] = words_cell(message->hint, findings->words[1], sizeof *findings->words);
  cells[6] = cell_text(message->id);
}

// Messages in full, and how many there are.
static void write_lint_words(Out* out, const lwDiag* diag)
{
  int errors   = lw_diag_count(diag, LW_SEVERITY_ERROR);
  int warnings = lw_diag_count(diag, LW_SEVERITY_WARNING);
  int hidden   = errors + warnings - lw_diag_size(diag);
  for (int i = 0; i < lw_diag_size(diag); ++i)
    message_print(lw_diag_message(diag, i), print_to_out, out);
  if (hidden > 0) out_format(out, "and %d more\n", hidden);
  out_format(out, "%d error%s, %d warning%s\n", errors, errors == 1 ? "" : "s", warnings,
             warnings == 1 ? "" : "s");
}

static int print_findings(const lwDiag* diag, const Options* options, Format format)
{
  static const SheetColumn columns[] = {
      {"severity", NULL, NULL}, {"file", NULL, NULL}, {"line", NULL, NULL}, {"column", NULL, NULL},
      {"message", NULL, NULL},  {"hint", NULL, NULL}, {"id", NULL, NULL}};
  char words[2][1024];
  LintFindings findings = {diag, words};
  Sheet sheet           = {.columns = 7,
                           .column  = columns,
                           .rows    = lw_diag_size(diag),
                           .row     = message_row,
                           .context = &findings};
  Out out;
  int status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  if (format == FORMAT_TABLE)
    write_lint_words(&out, diag);
  else
    sheet_write(&out, format, &sheet);
  return out_close(&out, lw_diag_count(diag, LW_SEVERITY_ERROR) > 0 ? INPUT : DONE, true);
}

// Reads the file as what it is.
static lwStatus read_any(const Options* options, lwDiag* diag)
{
  lwModelOptions tolerate = robot_options(options);
  const char* path        = options->operand;
  lwModel* model          = NULL;
  lwSnake* snake          = NULL;
  lwParts* parts          = NULL;
  lwScenario* scenario    = NULL;
  lwStatus status         = LW_OK;
  tolerate.lint.pedantic  = true;
  switch (lw_file_kind(path, LW_FILE_KIND_ROBOT).kind)
  {
    case LW_FILE_KIND_SNAKE:
      status = lw_snake_read_file(path, &tolerate.lint, diag, &snake);
      break;
    case LW_FILE_KIND_PARTS:
      status = lw_parts_read_file(path, &tolerate.lint, diag, &parts);
      break;
    case LW_FILE_KIND_MATERIALS:
      status = lw_materials_read_file(path, &tolerate.lint, diag);
      break;
    case LW_FILE_KIND_SCENARIO:
      status = lw_scenario_read_file(path, &tolerate, diag, &scenario);
      break;
    default:
      status = robot_read(path, &tolerate, diag, &model);
  }
  lw_model_destroy(model);
  lw_snake_destroy(snake);
  lw_parts_destroy(parts);
  lw_scenario_destroy(scenario);
  return status;
}

int cmd_lint(const Command* command, const Options* options)
{
  (void)command;
  Format format;
  int status = format_choose(options, &format);
  if (status != DONE) return status;
  if (!options->value[OPTION_FORMAT]) format = FORMAT_TABLE;

  lwDiag* diag = lw_diag_create();
  if (!diag) return no_memory();
  lwStatus read = read_any(options, diag);
  if (read == LW_OK || read == LW_ERROR_INPUT)
    status = print_findings(diag, options, format);
  else if (lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    status = fail(INPUT, "%s: %s", options->operand, lw_status_text(read));
  else
    status = robot_refused(diag, options->operand, read);
  inputs_add(diag);
  lw_diag_destroy(diag);
  return status;
}
