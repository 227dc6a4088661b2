// SPDX-License-Identifier: MIT
// linkwork close: positions of passive joints that close the loops of a robot, from those of the
// driven ones.
//
//   options or lines --> q, qd, qdd --lwLoops--> rows
#include <stdio.h>
#include <string.h>

#include "states.h"

enum
{
  BLOCK     = 256,  // states read at a time
  FIRST_ALL = 64    // solutions of --all that there is room for at first
};

typedef struct Closing
{
  const Options* options;
  lwModel* model;
  lwLoops* loops;
  size_t nq, dof;
  bool velocities, accelerations;  // that are found, too
  double *q, *qd, *qdd;            // the row, one behind the other; the gaps follow what is found
  size_t motion;                   // numbers of these that are found
  long missed;
  lwRows* rows;
} Closing;

// Closes the state in q, qd, qdd and writes its row.
static void close_given(Closing* closing, const char* line)
{
  double gap[2];
  lwStatus closed = lw_loops_close(closing->loops, closing->q, gap);
  if (closed == LW_OK && closing->velocities)
    closed = lw_loops_velocity(closing->loops, closing->q, closing->qd);
  if (closed == LW_OK && closing->accelerations)
    closed = lw_loops_acceleration(closing->loops, closing->q, closing->qd, closing->qdd);
  const double last[] = {gap[0], gap[1], closed == LW_OK};
  memcpy(closing->q + closing->motion, last, sizeof last);
  closing->missed += closed != LW_OK;
  lw_rows_add_kept(closing->rows, line, closing->q);
}

// All solutions (*count, nq), however many.
static const double* find_solutions(const Closing* closing, int* count)
{
  double* all  = NULL;
  int capacity = FIRST_ALL / 4;
  do
  {
    capacity *= 4;
    all    = reallocate(all, (size_t)capacity * closing->nq, sizeof *all);
    *count = lw_loops_close_all(closing->loops, closing->q, capacity, all);
  } while (*count == capacity);
  return all;
}

// The one state of the options.
static void take_driven(Closing* closing)
{
  const Option lists[] = {OPTION_Q, OPTION_QD, OPTION_QDD};
  double* const to[]   = {closing->q, closing->qd, closing->qdd};
  lw_model_start(closing->model, closing->q);
  for (int k = 0; k < 3; ++k)
  {
    const char* text = closing->options->value[lists[k]];
    if (text) driven_values(closing->model, lists[k], text, to[k]);
  }
}

static void close_one(Closing* closing)
{
  int count         = 1;
  const double* all = NULL;
  if (closing->options->value[OPTION_ALL]) all = find_solutions(closing, &count);
  for (int k = 0; k < count; ++k)
  {
    if (all) memcpy(closing->q, all + (size_t)k * closing->nq, closing->nq * sizeof *closing->q);
    close_given(closing, NULL);
  }
  if (count == 0) stop(NO, "close: no position closes the loops there");
}

// The states before a wrong line are closed.
static void close_many(Closing* closing, lwCsvFile* csv)
{
  const lwCsvBlock* block = &csv->block;
  do
  {
    int read = states_read(csv);
    for (int row = 0; row < block->count && !lw_out_stopped(closing->rows->out); ++row)
    {
      lwStates state = block_state(block, closing->model, row);
      memcpy(closing->q, state.q, closing->nq * sizeof *closing->q);
      memset(closing->qd, 0, closing->dof * sizeof *closing->qd);
      if (state.qd) memcpy(closing->qd, state.qd, closing->dof * sizeof *closing->qd);
      if (state.qdd) memcpy(closing->qdd, state.qdd, closing->dof * sizeof *closing->qdd);
      close_given(closing, block->keep ? block->text[row] : NULL);
    }
    if (read != DONE) leave(lines_report(&csv->lines));
  } while (block->count > 0 && !lw_out_stopped(closing->rows->out));
}

static void close_column(const void* context, size_t k, char name[LW_ROW_NAME])
{
  static const char* const last[] = {"gap", "angle_gap", "closed"};
  const Closing* closing          = context;
  if (k < closing->motion)
    motion_column(closing->model, k, closing->options->value[OPTION_NAMES], name);
  else
    snprintf(name, LW_ROW_NAME, "%s", last[k - closing->motion]);
}

int cmd_close(const Options* options)
{
  static const StateNeeds needs = {.inputs = LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD};
  const char* in                = options->value[OPTION_IN];
  const char* single            = first_given(options, "--q --qd --qdd --all");
  Closing* closing              = allocate(1, sizeof *closing);
  lwCsvFile* csv                = NULL;
  if (in && single) stop(USAGE, "%s and --in exclude each other", single);
  if (options->value[OPTION_KEEP] && !in) stop(USAGE, "--keep is for --in");
  lwRows rows      = {.format = format_of(options), .name = close_column, .context = closing};
  closing->options = options;
  closing->model   = robot_of(options);
  if (lw_model_loop_count(closing->model) == 0)
    stop(USAGE, "%s: the robot has no loops to close", options->operand);
  need_ok(lw_loops_create(closing->model, NULL, NULL, &closing->loops));
  hold_loops(closing->loops);
  closing->nq  = (size_t)lw_model_nq(closing->model);
  closing->dof = (size_t)lw_model_dof(closing->model);
  closing->q   = allocate(closing->nq + 2 * closing->dof + 3, sizeof *closing->q);
  closing->qd  = closing->q + closing->nq;
  closing->qdd = closing->qd + closing->dof;
  if (in) csv = states_file(options, closing->model, needs, BLOCK);
  if (in && csv->user) ((Follower*)csv->user)->begins_only = true;
  if (in) rows_keep(&rows, csv, options->value[OPTION_KEEP]);
  if (!in) take_driven(closing);
  closing->accelerations = in ? csv->header.present >> GROUP_QDD & 1 : !!options->value[OPTION_QDD];
  closing->velocities    = closing->accelerations ||
                        (in ? csv->header.present >> GROUP_QD & 1 : !!options->value[OPTION_QD]);
  rows.out = output_of(options);
  closing->motion =
      closing->nq + closing->dof * (size_t)(closing->velocities + closing->accelerations);
  rows.columns  = closing->motion + 3;
  closing->rows = rows_begin(rows);
  if (in)
    close_many(closing, csv);
  else
    close_one(closing);
  int status = DONE;
  if (closing->missed > 0)
    status = fail(NO, "close: %ld of %ld states cannot be closed; the output is the nearest found",
                  closing->missed, closing->rows->count);
  rows_end(closing->rows);
  return output_end(rows.out, status);
}
