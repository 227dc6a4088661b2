// SPDX-License-Identifier: MIT
// Which file of the command line is what, and reading it.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/run_loop.h"
#include "page_command.h"
#include "read/kind.h"
#include "simulate/simulate.h"
#include "snake/snake_command.h"
#include "study/rerun.h"
#include "study/study_command.h"

typedef enum InputKind
{
  INPUT_ROBOT,
  INPUT_SNAKE,
  INPUT_SCENARIO,
  INPUT_STUDY,
  INPUT_RECORDING
} InputKind;

// Files are told apart by their keys; errors of a file are reported by its own reader.
static InputKind kind_of(const char* path)
{
  if (text_ends_with(path, ".csv") || !strcmp(path, "-")) return INPUT_RECORDING;
  lwFileKind kind = lw_file_kind(path, LW_FILE_KIND_UNKNOWN).kind;
  switch (kind)
  {
    case LW_FILE_KIND_UNKNOWN:
    case LW_FILE_KIND_ROBOT:
    case LW_FILE_KIND_URDF:
    case LW_FILE_KIND_MJCF:
    case LW_FILE_KIND_XACRO:
      return INPUT_ROBOT;
    case LW_FILE_KIND_CSV:
      return INPUT_RECORDING;
    case LW_FILE_KIND_SNAKE:
      return INPUT_SNAKE;
    case LW_FILE_KIND_SCENARIO:
      return INPUT_SCENARIO;
    case LW_FILE_KIND_STUDY:
      return INPUT_STUDY;
    default:
      stop(USAGE, "%s is %s; a page shows a robot, a snake, a scenario or a sample of a study",
           path, lw_file_kind_text(kind));
  }
}

static RunTable* next_run(PageInputs* page)
{
  if (page->run_count == MAX_RUNS) stop(USAGE, "more than %d recordings", MAX_RUNS);
  return &page->runs[page->run_count++];
}

static void free_rerun(void* rerun)
{
  lw_rerun_free(rerun);
}

// A sample of a study, computed again: its robot or snake, and its run.
static void sample_input(PageInputs* page, const char* path)
{
  const Options* options = page->options;
  lwRerun* rerun         = hold(allocate(1, sizeof *rerun), free_rerun);
  lwDiag* diag           = hold_messages();
  double sample = number_in(options, OPTION_SAMPLE, 0, INT_MAX, "a whole number of at least 0", 0);
  if (sample != floor(sample))
    stop(USAGE, "--sample: '%s' is wrong, expected a whole number of at least 0",
         options->value[OPTION_SAMPLE]);
  if (path != options->operands[0]) stop(USAGE, "%s is a study, expected as the first file", path);
  const char* unused = first_given(options, "--joints --at --allow-inert --fix --mimic "
                                            "--estimate-inertia --density --gravity --base-rpy "
                                            "--base --payload --open-tree");
  if (unused) stop(USAGE, "%s: the robots of a study are those of its file", unused);
  run_loop_catch_signals();
  lwStudy* study  = study_of(options, NULL);
  lwStatus status = lw_rerun_make(study, (long)sample, &run_loop_stop, diag, rerun);
  if (run_loop_stop) leave(128 + run_loop_stop);
  if (status == LW_ERROR_MEMORY) leave(no_memory());
  if (status != LW_OK)
    stop(USAGE, "%s cannot be shown by a page: %s", path, first_error(diag, status));
  page->model = rerun->model;
  page->snake = rerun->snake;
  char* name  = allocate(32, 1);
  snprintf(name, 32, "sample %ld", (long)sample);
  *next_run(page) = (RunTable){.name     = name,
                               .names    = (char**)rerun->names,
                               .width    = rerun->width,
                               .rows     = rerun->rows,
                               .capacity = rerun->rows,
                               .values   = rerun->values};
}

static void read_model(PageInputs* page, const char* path, InputKind kind)
{
  if (page->file)
    stop(USAGE, "%s and %s: a page shows one robot, expected recordings after it", page->file,
         path);
  page->file = path;
  if (kind == INPUT_SNAKE) page->snake = snake_read(page->options, path);
  if (kind == INPUT_ROBOT) page->model = robot_read(page->options, path);
  if (kind == INPUT_SCENARIO) page->scenario_file = path;
  if (kind == INPUT_SCENARIO) page->scenario = scenario_read(page->options, path);
  if (kind == INPUT_STUDY) sample_input(page, path);
}

void page_read(PageInputs* page, const Options* options)
{
  bool study    = false;
  page->options = options;
  for (int i = 0; i < options->operand_count; ++i)
  {
    InputKind kind = kind_of(options->operands[i]);
    study          = study || kind == INPUT_STUDY;
    if (kind == INPUT_RECORDING)
      *next_run(page) = run_read(options->operands[i]);
    else
      read_model(page, options->operands[i], kind);
  }
  if (!page->file)
    stop(USAGE, "%s is a recording, expected its robot, snake or scenario beside it",
         options->operand);
  const char* sampled = first_given(options, "--sample --samples");
  if (sampled && !study) stop(USAGE, "%s: %s is no study", sampled, page->file);
  for (int i = 0; i < page->run_count; ++i) run_fits(&page->runs[i], page);
}

void page_simulate(PageInputs* page)
{
  if (page->scenario) run_simulate(next_run(page), page);
}
