// SPDX-License-Identifier: MIT
// linkwork close: positions of passive joints that close the loops of a robot, from those of the
// driven ones.
//
//   options or lines --> q, qd, qdd --lwLoops--> rows
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/list.h"
#include "linkwork/loop.h"
#include "states.h"

enum
{
  BLOCK     = 256,  // states read at a time
  FIRST_ALL = 64    // solutions of --all that there is room for at first
};

typedef struct Closing
{
  const Options* options;
  Format format;
  lwModel* model;
  lwLoops* loops;
  int nq, dof;
  bool velocities, accelerations;  // that are found, too
  bool names;
  double *q, *qd, *qdd;
  double* all;     // (found, nq)
  double* values;  // a row
  long missed;
  lwLines lines;
  lwCsvHeader header;
  lwCsvBlock block;
  lwOut out;
  lwRows rows;
} Closing;

static int check_close_options(Closing* closing)
{
  static const Option single[] = {OPTION_Q, OPTION_QD, OPTION_QDD, OPTION_ALL};
  const Options* options       = closing->options;
  const char* in               = options->value[OPTION_IN];
  for (int i = 0; i < 4 && in; ++i)
    if (options->value[single[i]])
      return fail(USAGE, "%s and --in exclude each other", OPTIONS[single[i]].name);
  if (options->value[OPTION_KEEP] && !in) return fail(USAGE, "--keep is for --in");
  closing->names         = options->value[OPTION_NAMES] != NULL;
  closing->accelerations = options->value[OPTION_QDD] != NULL;
  closing->velocities    = closing->accelerations || options->value[OPTION_QD];
  return format_choose(options, &closing->format);
}

static int close_load(Closing* closing)
{
  int status = robot_load(closing->options, closing->options->operand, &closing->model);
  if (status != DONE) return status;
  if (lw_model_loop_count(closing->model) == 0)
    return fail(USAGE, "%s: the robot has no loops to close", closing->options->operand);
  lwStatus made = lw_loops_create(closing->model, NULL, NULL, &closing->loops);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  closing->nq     = lw_model_nq(closing->model);
  closing->dof    = lw_model_dof(closing->model);
  size_t nq       = (size_t)closing->nq;
  closing->q      = calloc(nq, sizeof *closing->q);
  closing->qd     = calloc(nq, sizeof *closing->qd);
  closing->qdd    = calloc(nq, sizeof *closing->qdd);
  closing->values = calloc(3 * nq + 3, sizeof *closing->values);
  bool enough     = closing->q && closing->qd && closing->qdd && closing->values;
  return enough ? DONE : no_memory();
}

// --- one state

static int take_driven(Closing* closing, Option option, double* values)
{
  const char* text = closing->options->value[option];
  return text ? driven_values(closing->model, option, text, values) : DONE;
}

// Closes the state in q, qd, qdd and writes its row.
static void close_state(Closing* closing, const char* line)
{
  size_t nq = (size_t)closing->nq, dof = (size_t)closing->dof;
  double gap[2];
  double* next    = closing->values;
  lwStatus closed = lw_loops_close(closing->loops, closing->q, gap);
  if (closed == LW_OK && closing->velocities)
    closed = lw_loops_velocity(closing->loops, closing->q, closing->qd);
  if (closed == LW_OK && closing->accelerations)
    closed = lw_loops_acceleration(closing->loops, closing->q, closing->qd, closing->qdd);
  memcpy(next, closing->q, nq * sizeof *next);
  next += nq;
  if (closing->velocities) memcpy(next, closing->qd, dof * sizeof *next);
  if (closing->velocities) next += dof;
  if (closing->accelerations) memcpy(next, closing->qdd, dof * sizeof *next);
  if (closing->accelerations) next += dof;
  *next++ = gap[0];
  *next++ = gap[1];
  *next   = closed == LW_OK;
  closing->missed += closed != LW_OK;
  lw_rows_add_kept(&closing->rows, line, closing->values);
}

// All solutions, however many, into closing->all; *count: how many.
static int find_solutions(Closing* closing, int* count)
{
  int capacity = FIRST_ALL / 4;
  do
  {
    capacity *= 4;
    free(closing->all);
    closing->all = calloc((size_t)capacity * (size_t)closing->nq + 1, sizeof *closing->all);
    if (!closing->all) return no_memory();
    *count = lw_loops_close_all(closing->loops, closing->q, capacity, closing->all);
  } while (*count == capacity);
  return DONE;
}

static int close_one(Closing* closing)
{
  int status = DONE, count = 1;
  lw_model_start(closing->model, closing->q);
  status = take_driven(closing, OPTION_Q, closing->q);
  if (status == DONE) status = take_driven(closing, OPTION_QD, closing->qd);
  if (status == DONE) status = take_driven(closing, OPTION_QDD, closing->qdd);
  bool all = closing->options->value[OPTION_ALL];
  if (status == DONE && all) status = find_solutions(closing, &count);
  if (status != DONE) return status;
  lw_rows_begin(&closing->rows);
  for (int k = 0; k < count; ++k)
  {
    if (all)
      memcpy(closing->q, closing->all + (size_t)k * (size_t)closing->nq,
             (size_t)closing->nq * sizeof *closing->q);
    close_state(closing, NULL);
  }
  return count > 0 ? DONE : fail(NO, "close: no position closes the loops there");
}

// --- many

static int open_close_lines(Closing* closing)
{
  StateNeeds needs = {.inputs = LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD};
  int status = states_open(&closing->header, &closing->lines, closing->options->value[OPTION_IN],
                           closing->model, needs);
  if (status != DONE) return status;
  closing->accelerations = closing->header.present >> GROUP_QDD & 1;
  closing->velocities    = closing->accelerations || closing->header.present >> GROUP_QD & 1;
  status     = block_create(&closing->block, closing->model, closing->header.present, BLOCK);
  bool keeps = closing->options->value[OPTION_KEEP] || lw_csv_header_has(&closing->header, "t");
  if (status == DONE && keeps) status = block_keep_text(&closing->block);
  return status;
}

static void close_block(Closing* closing)
{
  size_t nq = (size_t)closing->nq, dof = (size_t)closing->dof;
  for (int row = 0; row < closing->block.count && !lw_out_stopped(&closing->out); ++row)
  {
    lwStates state = block_state(&closing->block, closing->model, row);
    memcpy(closing->q, state.q, nq * sizeof *closing->q);
    memset(closing->qd, 0, dof * sizeof *closing->qd);
    if (state.qd) memcpy(closing->qd, state.qd, dof * sizeof *closing->qd);
    if (state.qdd) memcpy(closing->qdd, state.qdd, dof * sizeof *closing->qdd);
    close_state(closing, closing->block.keep ? closing->block.text[row] : NULL);
  }
}

static int close_many(Closing* closing)
{
  while (!lw_out_stopped(&closing->out))
  {
    int read = states_rows(&closing->header, &closing->lines, &closing->block);
    close_block(closing);
    if (read != DONE) lines_report(&closing->lines);
    if (read != DONE) return read;
    if (closing->block.count == 0) return DONE;
  }
  return DONE;
}

// --- rows

static void close_column(const void* context, size_t k, char name[LW_ROW_NAME])
{
  static const char* const last[] = {"gap", "angle_gap", "closed"};
  const Closing* closing          = context;
  size_t nq = (size_t)closing->nq, dof = (size_t)closing->dof;
  if (k < nq) return joint_column(closing->model, "q", (int)k, closing->names, name);
  k -= nq;
  if (closing->velocities && k < dof)
    return joint_column(closing->model, "qd", (int)k, closing->names, name);
  if (closing->velocities) k -= dof;
  if (closing->accelerations && k < dof)
    return joint_column(closing->model, "qdd", (int)k, closing->names, name);
  if (closing->accelerations) k -= dof;
  snprintf(name, LW_ROW_NAME, "%s", last[k]);
}

static int write_closed(Closing* closing)
{
  bool many  = closing->options->value[OPTION_IN] != NULL;
  int status = many ? open_close_lines(closing) : DONE;
  if (status == DONE) status = out_open(&closing->out, closing->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  size_t rates  = (size_t)(closing->velocities + closing->accelerations) * (size_t)closing->dof;
  closing->rows = (lwRows){.out       = &closing->out,
                           .format    = closing->format,
                           .columns   = (size_t)closing->nq + rates + 3,
                           .name      = close_column,
                           .context   = closing,
                           .kept      = closing->block.keep ? &closing->header : NULL,
                           .kept_time = !closing->options->value[OPTION_KEEP]};
  if (many) lw_rows_begin(&closing->rows);
  status = many ? close_many(closing) : close_one(closing);
  if (status == DONE && closing->missed > 0)
    status = fail(NO, "close: %ld of %ld states cannot be closed; the output is the nearest found",
                  closing->missed, closing->rows.count);
  lw_rows_end(&closing->rows);
  return out_close(&closing->out, status, status == NO && closing->rows.count > 0);
}

int cmd_close(const Options* options)
{
  Closing closing = {.options = options};
  int status      = check_close_options(&closing);
  if (status == DONE) status = close_load(&closing);
  if (status == DONE) status = write_closed(&closing);
  lw_csv_block_destroy(&closing.block);
  lw_csv_header_destroy(&closing.header);
  lw_lines_close(&closing.lines);
  lw_loops_destroy(closing.loops);
  lw_model_destroy(closing.model);
  free(closing.q);
  free(closing.qd);
  free(closing.qdd);
  free(closing.all);
  free(closing.values);
  return status;
}
