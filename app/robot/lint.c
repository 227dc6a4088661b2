// SPDX-License-Identifier: MIT
// linkwork lint: everything wrong or doubtful about a file.
#include "app.h"
#include "command/option_words.h"
#include "io/files.h"
#include "io/output.h"
#include "linkwork/parts.h"
#include "linkwork/scenario.h"
#include "linkwork/snake.h"
#include "linkwork/study.h"
#include "read/kind.h"
#include "report/page/link_shapes.h"
#include "simulate/simulate.h"
#include "text/table_writer.h"

typedef struct LintFindings
{
  const lwDiag* diag;
  char (*words)[1024];  // (2) text and hint of the row, with flags
} LintFindings;

static lwCell words_cell(const char* text, char* buffer, size_t size)
{
  return lw_cell_text(text && option_words(text, buffer, size) < size ? buffer : text);
}

static void message_row(const void* context, int i, lwCell* cells)
{
  const LintFindings* findings = context;
  const lwMessage* message     = lw_diag_message(findings->diag, i);
  bool placed                  = message->place.line > 0;
  cells[0] = lw_cell_text(message->severity == LW_SEVERITY_ERROR ? "error" : "warning");
  cells[1] = lw_cell_text(message->file);
  cells[2] = placed ? lw_cell_number(message->place.line) : lw_cell_text(NULL);
  cells[3] = placed ? lw_cell_number(message->place.column) : lw_cell_text(NULL);
  cells[4] = words_cell(message->text, findings->words[0], sizeof *findings->words);
  cells[5] = words_cell(message->hint, findings->words[1], sizeof *findings->words);
  cells[6] = lw_cell_text(message->id);
}

// Messages in full, and how many there are.
static void write_lint_words(lwOut* out, const lwDiag* diag)
{
  int errors   = lw_diag_count(diag, LW_SEVERITY_ERROR);
  int warnings = lw_diag_count(diag, LW_SEVERITY_WARNING);
  int hidden   = errors + warnings - lw_diag_size(diag);
  for (int i = 0; i < lw_diag_size(diag); ++i)
    message_print(lw_diag_message(diag, i), print_to_out, out);
  if (hidden > 0) lw_out_format(out, "and %d more\n", hidden);
  lw_out_format(out, "%d error%s, %d warning%s\n", errors, errors == 1 ? "" : "s", warnings,
                warnings == 1 ? "" : "s");
}

static int print_findings(const lwDiag* diag, const Options* options, Format format)
{
  static const char columns[] = "severity,file,line,column,message,hint,id";
  char words[2][1024];
  LintFindings findings = {diag, words};
  lwSheet sheet         = {
              .columns = columns, .rows = lw_diag_size(diag), .row = message_row, .context = &findings};
  lwOut out;
  int status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  if (format == FORMAT_TABLE)
    write_lint_words(&out, diag);
  else
    lw_sheet_write(&out, format, &sheet);
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
  lwStudy* study          = NULL;
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
      if (status == LW_OK) scenario_ranges(scenario, path);
      break;
    case LW_FILE_KIND_STUDY:
      status = lw_study_read_file(path, diag, &study);
      break;
    default:
      status = robot_read(path, &tolerate, diag, &model);
      if (status == LW_OK) lw_link_shapes_lint(lw_model_robot(model), tolerate.read.packages, diag);
  }
  lw_model_destroy(model);
  lw_snake_destroy(snake);
  lw_parts_destroy(parts);
  lw_scenario_destroy(scenario);
  lw_study_destroy(study);
  return status;
}

// A study reads its robots as it says itself: options of the reader have no effect on it.
static int check_lint_options(const Options* options)
{
  if (lw_file_kind(options->operand, LW_FILE_KIND_ROBOT).kind != LW_FILE_KIND_STUDY) return DONE;
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (options->value[i] && i != OPTION_FORMAT && i != OPTION_OUT && i != OPTION_QUIET)
      return fail(USAGE, "lint: %s is for robots, and has no effect on the robots of a study",
                  OPTIONS[i].name);
  return DONE;
}

int cmd_lint(const Options* options)
{
  Format format;
  int status = format_choose(options, &format);
  if (status == DONE) status = check_lint_options(options);
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
