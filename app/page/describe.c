// SPDX-License-Identifier: MIT
// The definition of a page from the command line.
#include <stdio.h>
#include <string.h>

#include "io/files.h"
#include "io/note.h"
#include "page_command.h"

// The robot of the scenario's file, without what the scenario adds to it:
// the page adds that itself.
static const lwModel* robot_of_scenario(const PageInputs* page)
{
  const lwRobotDef* robot = lw_model_robot(lw_scenario_model(page->scenario));
  lwModelOptions read     = robot_options(page->options);
  lwModel* model          = NULL;
  lwStatus status         = lw_robot_read_file(robot->file, &read, NULL, &model);
  if (status != LW_OK) stop(INPUT, "%s: %s", page->file, lw_status_text(status));
  return hold_model(model);
}

// A page goes to others: it names files without their folders, with --anonymous none at all.
static const char* disclosed_name(const PageInputs* page, const char* path)
{
  const char* slash = strrchr(path, '/');
  if (page->options->value[OPTION_ANONYMOUS]) return "";
  return slash ? slash + 1 : path;
}

static lwPageRun* describe_runs(const PageInputs* page)
{
  lwPageRun* runs = allocate((size_t)page->run_count + 1, sizeof *runs);
  for (int i = 0; i < page->run_count; ++i)
  {
    const RunTable* run = &page->runs[i];
    char anonymous[16];
    snprintf(anonymous, sizeof anonymous, "run %d", i + 1);
    bool named = !page->options->value[OPTION_ANONYMOUS];
    runs[i]    = (lwPageRun){named ? disclosed_name(page, run->name) : text_copy(anonymous),
                          (const char* const*)run->names,
                          run->width,
                          run->rows,
                          run->values,
                          run->notes};
  }
  return runs;
}

// The words of the command that makes the page.
static void describe_command(const PageInputs* page, lwPageDef* def)
{
  const Options* options = page->options;
  size_t most            = 2 + (size_t)options->operand_count + 2 * (size_t)OPTION_COUNT;
  const char** words     = allocate(most, sizeof *words);
  int count              = 0;
  words[count++]         = "linkwork";
  words[count++]         = options->arguments[0];
  for (int i = 0; i < options->operand_count; ++i)
    words[count++] = disclosed_name(page, options->operands[i]);
  for (int i = 0; i < OPTION_COUNT; ++i)
  {
    const char* value = options->value[i];
    if (!value || i == OPTION_PACKAGE_PATH) continue;  // which is folders
    bool file      = OPTIONS[i].argument && !strcmp(OPTIONS[i].argument, "FILE");
    words[count++] = OPTIONS[i].name;
    if (OPTIONS[i].argument) words[count++] = file ? disclosed_name(page, value) : value;
  }
  def->command       = words;
  def->command_count = options->value[OPTION_ANONYMOUS] ? 0 : count;
}

const lwText* page_describe(const PageInputs* page)
{
  lwPageDef def = lw_page_def();
  lwText* html  = NULL;
  lwDiag* diag  = hold_messages();
  describe_command(page, &def);
  def.title       = page->scenario ? lw_scenario_name(page->scenario) : NULL;
  def.file        = disclosed_name(page, page->file);
  def.model       = page->scenario ? robot_of_scenario(page) : page->model;
  def.snake       = page->snake;
  def.packages    = page->options->value[OPTION_PACKAGE_PATH];
  def.scenario    = page->scenario_file;
  def.runs        = describe_runs(page);
  def.run_count   = page->run_count;
  lwStatus status = lw_page_write(&def, diag, &html);
  inputs_add(diag);
  if (status == LW_ERROR_MEMORY) leave(no_memory());
  if (status != LW_OK)
    stop(status == LW_ERROR_FILE ? INPUT : USAGE, "%s cannot be shown by a page: %s", page->file,
         first_error(diag, status));
  if (lw_diag_size(diag) > 0) note("%s: %s", page->file, lw_diag_message(diag, 0)->text);
  return hold_text(html);
}
