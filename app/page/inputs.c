// SPDX-License-Identifier: MIT
// Which file of the command line is what, and reading it.
#include <stdlib.h>
#include <string.h>

#include "io/program_text.h"
#include "page.h"
#include "read/kind.h"
#include "simulate/simulate.h"
#include "snake/snake_command.h"

typedef enum InputKind
{
  INPUT_ROBOT,
  INPUT_SNAKE,
  INPUT_SCENARIO,
  INPUT_RECORDING
} InputKind;

// Files are told apart by their keys; errors of a file are reported by its own reader.
static int kind_of(const char* path, InputKind* found)
{
  *found = INPUT_RECORDING;
  if (text_ends_with(path, ".csv") || !strcmp(path, "-")) return DONE;
  lwFileKind kind = lw_file_kind(path, LW_FILE_KIND_UNKNOWN).kind;
  switch (kind)
  {
    case LW_FILE_KIND_UNKNOWN:
    case LW_FILE_KIND_ROBOT:
    case LW_FILE_KIND_URDF:
    case LW_FILE_KIND_XACRO:
      *found = INPUT_ROBOT;
      return DONE;
    case LW_FILE_KIND_CSV:
      return DONE;
    case LW_FILE_KIND_SNAKE:
      *found = INPUT_SNAKE;
      return DONE;
    case LW_FILE_KIND_SCENARIO:
      *found = INPUT_SCENARIO;
      return DONE;
    default:
      return fail(USAGE, "%s is %s; a page shows a robot, a snake or a scenario", path,
                  lw_file_kind_text(kind));
  }
}

static int read_model(PageInputs* page, const char* path, InputKind kind)
{
  if (page->file)
    return fail(USAGE, "%s and %s: a page shows one robot, expected recordings after it",
                page->file, path);
  page->file = path;
  if (kind == INPUT_SNAKE) return snake_load_file(page->options, path, &page->snake);
  if (kind == INPUT_ROBOT) return robot_load(page->options, path, &page->model);
  page->scenario_file = path;
  return scenario_load(page->options, path, &page->scenario);
}

static RunTable* next_run(PageInputs* page)
{
  if (page->run_count < MAX_RUNS) return &page->runs[page->run_count++];
  fail(USAGE, "more than %d recordings", MAX_RUNS);
  return NULL;
}

static int read_inputs(PageInputs* page)
{
  const Options* options = page->options;
  int status             = DONE;
  for (int i = 0; i < options->operand_count && status == DONE; ++i)
  {
    const char* path = options->operands[i];
    InputKind kind;
    status = kind_of(path, &kind);
    if (status != DONE) return status;
    RunTable* run = kind == INPUT_RECORDING ? next_run(page) : NULL;
    if (kind == INPUT_RECORDING && !run) return USAGE;
    status = run ? run_read(run, path) : read_model(page, path, kind);
  }
  if (status == DONE && !page->file)
    return fail(USAGE, "%s is a recording, expected its robot, snake or scenario beside it",
                options->operand);
  return status;
}

int page_read(PageInputs* page, const Options* options)
{
  *page      = (PageInputs){.options = options};
  int status = read_inputs(page);
  for (int i = 0; i < page->run_count && status == DONE; ++i)
    status = run_fits(&page->runs[i], page);
  return status;
}

int page_simulate(PageInputs* page)
{
  if (!page->scenario) return DONE;
  RunTable* run = next_run(page);
  return run ? run_simulate(run, page) : USAGE;
}

void page_free(PageInputs* page)
{
  for (int i = 0; i < page->run_count; ++i) run_free(&page->runs[i]);
  lw_model_destroy(page->model);
  lw_snake_destroy(page->snake);
  lw_scenario_destroy(page->scenario);
}
