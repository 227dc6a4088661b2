// SPDX-License-Identifier: MIT
// linkwork lint: everything wrong or doubtful about a file.
#include "app.h"
#include "io/files.h"
#include "read/kind.h"
#include "report/page/link_shapes.h"
#include "simulate/simulate.h"

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

// Reads the file as what it is.
static lwStatus read_any(const Options* options, lwFileKind kind, lwDiag* diag)
{
  lwModelOptions tolerate = robot_options(options);
  const char* path        = options->operand;
  lwModel* model          = NULL;
  lwSnake* snake          = NULL;
  lwParts* parts          = NULL;
  lwScenario* scenario    = NULL;
  lwStudy* study          = NULL;
  lwCycle* cycle          = NULL;
  lwStatus status         = LW_OK;
  tolerate.lint.pedantic  = true;
  if (kind == LW_FILE_KIND_SNAKE)
    status = lw_snake_read_file(path, &tolerate.lint, diag, &snake);
  else if (kind == LW_FILE_KIND_PARTS)
    status = lw_parts_read_file(path, &tolerate.lint, diag, &parts);
  else if (kind == LW_FILE_KIND_MATERIALS)
    status = lw_materials_read_file(path, &tolerate.lint, diag);
  else if (kind == LW_FILE_KIND_SCENARIO)
    status = lw_scenario_read_file(path, &tolerate, diag, &scenario);
  else if (kind == LW_FILE_KIND_STUDY)
    status = lw_study_read_file(path, diag, &study);
  else if (kind == LW_FILE_KIND_CYCLE)
    status = lw_cycle_read_file(path, NULL, diag, &cycle);
  else
    status = robot_parse(path, &tolerate, diag, &model);
  if (scenario) scenario_ranges(scenario, path);
  if (model) lw_link_shapes_lint(lw_model_robot(model), tolerate.read.packages, diag);
  hold_model(model);
  hold_snake(snake);
  hold_parts(parts);
  hold_scenario(scenario);
  hold_study(study);
  lw_cycle_destroy(cycle);
  return status;
}

int cmd_lint(const Options* options)
{
  static const char columns[] = "severity,file,line,column,message,hint,id";
  lwFileKind kind             = lw_file_kind(options->operand, LW_FILE_KIND_ROBOT).kind;
  lwFormat format   = options->value[OPTION_FORMAT] ? format_of(options) : LW_FORMAT_TABLE;
  const char* given = first_given(options, "@file");
  // These read their robots as they say themselves: options of the reader have no effect on them.
  if ((kind == LW_FILE_KIND_STUDY || kind == LW_FILE_KIND_CYCLE) && given)
    stop(USAGE, "lint: %s is for robots, and has no effect on the robots of %s", given,
         lw_file_kind_text(kind));
  lwDiag* diag    = hold_messages();
  lwStatus status = read_any(options, kind, diag);
  inputs_add(diag);
  int errors = lw_diag_count(diag, LW_SEVERITY_ERROR);
  if (status != LW_OK && status != LW_ERROR_INPUT && errors == 0)
    stop(INPUT, "%s: %s", options->operand, lw_status_text(status));
  if (status != LW_OK && status != LW_ERROR_INPUT)
    return robot_refused(diag, options->operand, status);
  char words[2][1024];
  LintFindings findings = {diag, words};
  lwSheet sheet         = {
              .columns = columns, .rows = lw_diag_size(diag), .row = message_row, .context = &findings};
  lwOut* out = output_of(options);
  if (format == LW_FORMAT_TABLE)
    write_lint_words(out, diag);
  else
    lw_sheet_write(out, format, &sheet);
  return output_end(out, errors > 0 ? INPUT : DONE);
}
