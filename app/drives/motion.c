// SPDX-License-Identifier: MIT

#include "drives.h"

#include <math.h>
#include <stdlib.h>

enum
{
  BLOCK_ROWS   = 256,     // samples read at once, fewer of large robots
  BLOCK_VALUES = 1 << 18  // numbers of their answers
};

static void release_motion(void* object)
{
  MotionFile* motion = object;
  for (int b = 0; b < motion->kept_count; ++b) lw_csv_block_destroy(&motion->kept[b]);
  free(motion->kept);
}

static void open_question(MotionFile* motion, const lwWorkspaceDef* def)
{
  bool closed   = lw_model_loop_count(motion->model) > 0;
  lwStatus made = closed ? lw_loops_create(motion->model, def, NULL, &motion->loops)
                         : lw_workspace_create(motion->model, def, NULL, &motion->ws);
  hold_workspace(motion->ws);
  hold_loops(motion->loops);
  need_ok(made);
}

MotionFile* motion_open(const Options* options, const lwModel* model, const lwWorkspaceDef* def,
                        lwQuestion question)
{
  size_t outputs     = lw_question_outputs(model, question);
  unsigned must      = LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD | INPUT_TIME;
  StateNeeds needs   = {.inputs = must | LW_INPUT_WRENCH, .required = must, .links = true};
  int rows           = (int)(BLOCK_VALUES / (outputs + 1)) + 1;
  MotionFile* motion = hold(allocate(1, sizeof *motion), release_motion);
  if (rows > BLOCK_ROWS) rows = BLOCK_ROWS;
  motion->model    = model;
  motion->question = question;
  motion->outputs  = outputs;
  open_question(motion, def);
  motion->csv      = states_file(options, model, needs, rows);
  motion->answers  = allocate((size_t)rows * outputs + 1, sizeof *motion->answers);
  motion->load     = allocate(2 * (size_t)lw_model_dof(model) + 1, sizeof *motion->load);
  lwCsvFile* csv   = motion->csv;
  motion->wrenches = wrenches_of(options, model, &csv->header, &csv->block);
  if (!motion->loops)
    wrenches_place(&motion->wrenches, model, motion->ws);
  else if (motion->wrenches.count > 0)
    need_ok(lw_loops_set_wrench_places(motion->loops, motion->wrenches.count,
                                       motion->wrenches.places, NULL));
  return motion;
}

// Keeps the block and makes an empty one in its place, which continues it.
static void keep_block(MotionFile* motion)
{
  lwCsvBlock* block = &motion->csv->block;
  lwCsvBlock full   = *block;
  size_t links      = 6 * (size_t)motion->csv->header.link_count * (size_t)full.capacity;
  lwCsvBlock* kept  = realloc(motion->kept, ((size_t)motion->kept_count + 1) * sizeof *kept);
  if (!kept) leave(no_memory());
  motion->kept                       = kept;
  motion->kept[motion->kept_count++] = full;
  *block                             = (lwCsvBlock){0};
  block_create(block, motion->model, motion->csv->header.present, full.capacity);
  block->first = full.first;
  block->count = full.count;
  block->last  = full.last;
  if (links > 0) block->values[GROUP_LINKS] = malloc(links * sizeof(double));
  if (links > 0 && !block->values[GROUP_LINKS]) leave(no_memory());
  if (full.keep) csv_keep_text(motion->csv);
}

static double largest_value(const MotionFile* motion, Group group)
{
  double most  = 0;
  size_t width = (size_t)group_width(motion->model, group);
  for (int b = 0; b < motion->kept_count; ++b)
    for (size_t k = 0; k < width * (size_t)motion->kept[b].count; ++k)
      most = fmax(most, fabs(motion->kept[b].values[group][k]));
  return most;
}

static double mean_step(const MotionFile* motion)
{
  if (motion->kept_count == 0) return 0;
  const lwCsvBlock* last = &motion->kept[motion->kept_count - 1];
  long steps             = last->first + last->count - 2;
  double span = last->values[GROUP_T][last->count - 1] - motion->kept[0].values[GROUP_T][0];
  return steps > 0 ? span / (double)steps : 0;
}

void motion_settle(MotionFile* motion)
{
  while (states_more(motion->csv)) keep_block(motion);
  double rest  = lw_rest_speed(largest_value(motion, GROUP_QD), largest_value(motion, GROUP_Q),
                               mean_step(motion));
  size_t width = (size_t)group_width(motion->model, GROUP_QD);
  for (int b = 0; b < motion->kept_count; ++b)
    for (size_t k = 0; k < width * (size_t)motion->kept[b].count; ++k)
    {
      double* qd = &motion->kept[b].values[GROUP_QD][k];
      if (fabs(*qd) <= rest) *qd = 0;
    }
}

static void answer_closed_row(MotionFile* motion, const lwCsvBlock* block, const double* wrenches,
                              int row)
{
  double* out     = motion->answers + (size_t)row * motion->outputs;
  size_t width    = 6 * (size_t)motion->wrenches.count;
  lwStates state  = block_state(block, motion->model, row);
  lwDiag* diag    = hold_messages();
  state.wrench    = wrenches ? wrenches + width * (size_t)row : NULL;
  lwStatus status = lw_loops_check(motion->loops, state.q, state.qd, state.qdd, diag);
  if (status == LW_OK && motion->question == LW_QUESTION_INVERSE)
    status = lw_loops_drive_torques(motion->loops, &state, motion->load, out);
  else if (status == LW_OK)
    status = lw_loops_answer(motion->loops, motion->question, &state, out, diag);
  if (status != LW_OK)
    stop(status == LW_ERROR_NUMERICAL ? NUMERICAL : INPUT, "%s:%ld: %s", motion->csv->lines.name,
         block->first + row + 1, first_error(diag, status));
  unhold(diag);
  lw_diag_destroy(diag);
}

static void answer_block(MotionFile* motion, const lwCsvBlock* block, MotionTake* take,
                         void* context)
{
  lwStates states = block_states(block);
  states.wrench   = wrenches_fill(&motion->wrenches, block);
  motion->block   = block;
  if (motion->ws)
    lw_answer_many(motion->model, motion->ws, motion->question, block->count, &states,
                   motion->answers);
  for (int row = 0; row < block->count && motion->loops; ++row)
    answer_closed_row(motion, block, states.wrench, row);
  for (int row = 0; row < block->count; ++row) take(context, row);
}

void motion_answer(MotionFile* motion, MotionTake* take, void* context)
{
  const lwCsvBlock* block = &motion->csv->block;
  for (int b = 0; b < motion->kept_count; ++b)
    answer_block(motion, &motion->kept[b], take, context);
  while (states_more(motion->csv)) answer_block(motion, block, take, context);
  if (block->first == 1)
    stop(INPUT, "%s: no samples, expected at least one line below the header",
         motion->csv->lines.name);
}
