// SPDX-License-Identifier: MIT
#include "motion.h"

#include <stdlib.h>

enum
{
  BLOCK_ROWS   = 256,     // samples read at once, fewer of large robots
  BLOCK_VALUES = 1 << 18  // numbers of their answers
};

int motion_open(MotionFile* motion)
{
  unsigned must    = LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD | INPUT_TIME;
  StateNeeds needs = {.inputs = must | LW_INPUT_WRENCH, .required = must, .links = true};
  int rows         = (int)(BLOCK_VALUES / (motion->outputs + 1)) + 1;
  int status       = states_open(&motion->header, &motion->lines, motion->options->value[OPTION_IN],
                                 motion->model, needs);
  if (status != DONE) return status;
  if (rows > BLOCK_ROWS) rows = BLOCK_ROWS;
  status          = block_create(&motion->block, motion->model, motion->header.present, rows);
  motion->answers = calloc((size_t)rows * motion->outputs + 1, sizeof *motion->answers);
  if (status == DONE && !motion->answers) status = no_memory();
  if (status == DONE)
    status = wrenches_open(&motion->wrenches, motion->options, motion->model, &motion->header,
                           &motion->block);
  if (status != DONE) return status;
  lwStatus placed = wrenches_place(&motion->wrenches, motion->model, motion->ws);
  return placed == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(placed));
}

void motion_close(MotionFile* motion)
{
  free(motion->answers);
  wrenches_close(&motion->wrenches);
  block_destroy(&motion->block);
  header_destroy(&motion->header);
  lines_close(&motion->lines);
}

int motion_answer(MotionFile* motion, lwQuestion question, MotionTake* take, void* context)
{
  const CsvBlock* block = &motion->block;
  int status            = DONE;
  do
  {
    status = states_next(&motion->header, &motion->lines, &motion->block);
    if (status != DONE) return status;
    lwStates states = block_states(block);
    states.wrench   = wrenches_of(&motion->wrenches, block);
    lw_answer_many(motion->model, motion->ws, question, block->count, &states, motion->answers);
    for (int row = 0; row < block->count && status == DONE; ++row) status = take(context, row);
  } while (status == DONE && block->count > 0);
  if (status == DONE && block->first == 1)
    return fail(INPUT, "%s: no samples, expected at least one line below the header",
                motion->lines.name);
  return status;
}
