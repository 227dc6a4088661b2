// SPDX-License-Identifier: MIT
// The commands that answer a question about states: inverse forward inertia bias gravity coriolis
// energy pose jacobian.
//
//   options or lines --Block--> lw_batch_answer() --Answers--> Out
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "base/number.h"
#include "identify/drive_terms.h"
#include "linkwork/fleet.h"
#include "linkwork/identify.h"
#include "states.h"
#include "wrench_options.h"

enum
{
  BLOCK_BYTES  = 1 << 22,  // aimed at for the inputs and outputs of a block
  BLOCK_STATES = 4096,     // at most
  MAX_THREADS  = 1024
};

typedef struct StateJob
{
  const Options* options;
  lwQuestion question;
  unsigned inputs;
  lwWorkspaceDef def;
  lwModel* model;
  int threads;  // 0: all that there are
  lwBatch* batch;
  char frame[FRAME_TEXT];  // that pose and Jacobian are about
  Format format;
  lwCsvBlock block;
  Wrenches wrenches;
  lwLoops* loops;    // of a robot that has them; else NULL
  int cuts;          // rows of loops that forward and inverse dynamics give forces of; else 0
  double* still;     // (dof) zeros
  size_t outputs;    // numbers of an answer
  double* values;    // (block.capacity, outputs)
  unsigned terms;    // of drives in the regressor
  double* extended;  // (dof, columns) a regressor with them
  bool in_quad;      // 113 bits, state by state
  lwQuadWorkspace* quad;
  lwQuad* exact;  // (outputs)
  lwOut out;
  Answers answers;
  lwLines lines;
  lwCsvHeader header;
} StateJob;

static int choose_refinement(const Options* options, int* steps)
{
  const char* text = options->value[OPTION_REFINE];
  if (!text) return DONE;
  *steps = text[0] - '0';
  if (text[0] >= '0' && text[0] <= '9' && text[1] == 0) return DONE;
  return fail(USAGE, "--refine: '%s' is wrong, expected 0 to 9 steps", text);
}

int axes_choose(const Options* options, lwAxes* axes)
{
  const char* name = options->value[OPTION_AXES];
  *axes            = name && !strcmp(name, "base") ? LW_AXES_BASE : LW_AXES_LINK;
  if (!name || !strcmp(name, "base") || !strcmp(name, "link")) return DONE;
  return fail(USAGE, "--axes: unknown axes '%s'; expected link or base", name);
}

static int choose_method(StateJob* job)
{
  const char* name;
  int status = method_choose(job->options, job->question, &name);
  if (status != DONE || !name) return status;
  lw_workspace_def_set_method(&job->def, job->question, name);
  return DONE;
}

// One state takes one thread, a stream all that there are unless --threads says otherwise.
static int choose_threads(StateJob* job)
{
  const char* text = job->options->value[OPTION_THREADS];
  const char* end  = text;
  double threads   = 0;
  job->threads     = job->options->value[OPTION_IN] && !job->in_quad ? 0 : 1;
  if (!text) return DONE;
  if (!lw_number_read(&end, &threads) || *end || !(threads >= 1) || threads > MAX_THREADS ||
      threads != (int)threads)
    return fail(USAGE, "--threads: '%s' is wrong, expected an integer from 1 to %d", text,
                MAX_THREADS);
  if (!job->options->value[OPTION_IN]) return fail(USAGE, "--threads is for --in");
  if (job->in_quad) return fail(USAGE, "--threads is for double and single precision");
  job->threads = (int)threads;
  return DONE;
}

// What can be wrong about the command line before any file is read.
static int check_state_options(StateJob* job)
{
  const Options* options = job->options;
  const char* in         = options->value[OPTION_IN];
  for (int g = 0; g < GROUP_WRENCH && in; ++g)
    if (options->value[GROUPS[g].option])
      return fail(USAGE, "%s and --in exclude each other", OPTIONS[GROUPS[g].option].name);
  if (options->value[OPTION_KEEP] && !in) return fail(USAGE, "--keep is for --in");
  int status = format_choose(options, &job->format);
  if (job->question == LW_QUESTION_REGRESSOR)
  {
    if (status == DONE) status = terms_choose(options, &job->terms);
  }
  else
    job->def.rotors = options->value[OPTION_ROTORS] != NULL;
  if (status == DONE) status = precision_or_quad(options, &job->def.precision, &job->in_quad);
  if (status == DONE && job->in_quad && job->terms)
    status = fail(USAGE, "--rotors and --friction are for double and single precision");
  if (status == DONE) status = choose_refinement(options, &job->def.refine);
  if (status == DONE) status = axes_choose(options, &job->def.axes);
  if (status == DONE) status = choose_method(job);
  if (status == DONE) status = choose_threads(job);
  return status;
}

static int states_load(StateJob* job)
{
  int status = robot_load(job->options, job->options->operand, &job->model);
  if (status == DONE && lw_question_check(job->model, job->question, true, NULL) != LW_OK)
    status = needs_plain_joints(job->model, job->options->operand,
                                lw_question_info(job->question)->name);
  if (status == DONE && question_solves(job->question))
    status = forward_check(job->model, job->options->operand, &job->def);
  if (status != DONE) return status;
  lwFrame frame;
  status = frame_choose(job->options, job->model, &frame);
  if (status != DONE) return status;
  frame_text(job->model, &frame, job->frame);
  job->def.questions = LW_ASKS(job->question);
  job->def.open_tree = true;  // the loops of robots that have them are kept closed
  lwStatus made      = lw_batch_create(job->model, &job->def, job->threads, NULL, &job->batch);
  for (int i = 0; made == LW_OK && i < lw_batch_threads(job->batch); ++i)
    made = lw_workspace_set_frame(lw_batch_workspace(job->batch, i), job->model, &frame, NULL);
  if (made == LW_OK && job->in_quad)
    made = lw_quad_workspace_create(job->model, &job->def, NULL, &job->quad);
  if (made == LW_OK && job->in_quad) made = lw_quad_workspace_set_frame(job->quad, &frame, NULL);
  return made == LW_OK ? DONE : fail(exit_of(made), "%s", lw_status_text(made));
}

// A robot with loops: its states have to keep them closed. Forward dynamics is by an inertia
// matrix, one state after the other.
static int loops_load(StateJob* job)
{
  const char* method = job->options->value[OPTION_METHOD];
  bool forward       = job->question == LW_QUESTION_FORWARD;
  bool dynamics      = forward || job->question == LW_QUESTION_INVERSE;
  job->outputs       = lw_question_outputs(job->model, job->question);
  if (lw_model_loop_count(job->model) == 0) return DONE;
  if (dynamics && job->in_quad) return fail(USAGE, "--precision quad cannot keep loops closed");
  if (forward && method && lw_method_find(LW_QUESTION_INERTIA, method) < 0)
    return fail(USAGE, "--method: %s forms no inertia matrix, which robots with loops need",
                method);
  if (forward && method) job->def.inertia = method;
  job->def.forward = "auto";
  lwStatus made    = lw_loops_create(job->model, &job->def, NULL, &job->loops);
  job->cuts        = dynamics ? lw_model_loop_rows(job->model) : 0;
  job->outputs += (size_t)job->cuts;
  job->still = calloc((size_t)lw_model_dof(job->model), sizeof *job->still);
  if (!job->still) return no_memory();
  return made == LW_OK ? DONE : fail(exit_of(made), "%s", lw_status_text(made));
}

// As many states as fit in BLOCK_BYTES, so that memory is bounded for large robots too.
static int block_capacity(const StateJob* job)
{
  size_t outputs = job->outputs;
  size_t bytes   = (4 * (size_t)lw_model_nq(job->model) + 6 + outputs) * sizeof(double);
  size_t states  = BLOCK_BYTES / bytes;
  return states < 1 ? 1 : states > BLOCK_STATES ? BLOCK_STATES : (int)states;
}

// Columns of the input are passed on: all of them, or at least the time.
static bool is_passed_through(const StateJob* job)
{
  return job->options->value[OPTION_KEEP] || lw_csv_header_has(&job->header, "t");
}

static int open_lines(StateJob* job)
{
  StateNeeds needs = {.inputs = job->inputs, .links = job->inputs & LW_INPUT_WRENCH};
  int status =
      states_open(&job->header, &job->lines, job->options->value[OPTION_IN], job->model, needs);
  if (status != DONE) return status;
  status = block_create(&job->block, job->model, job->header.present, block_capacity(job));
  if (status == DONE && is_passed_through(job)) status = block_keep_text(&job->block);
  return status;
}

// Where the wrenches act, for every thread.
static int open_wrenches(StateJob* job)
{
  const lwCsvHeader* header = job->options->value[OPTION_IN] ? &job->header : NULL;
  int status = wrenches_open(&job->wrenches, job->options, job->model, header, &job->block);
  if (status != DONE) return status;
  if (job->in_quad && !wrenches_usual(&job->wrenches, job->model))
    return fail(USAGE, "wrenches on other links than the last are for double and single precision");
  lwStatus made = LW_OK;
  for (int i = 0; made == LW_OK && i < lw_batch_threads(job->batch); ++i)
    made = wrenches_place(&job->wrenches, job->model, lw_batch_workspace(job->batch, i));
  if (made == LW_OK && job->loops)
    made = wrenches_place(&job->wrenches, job->model, lw_loops_workspace(job->loops));
  return made == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(made));
}

static int open_states(StateJob* job)
{
  bool many  = job->options->value[OPTION_IN] != NULL;
  int status = many ? open_lines(job)
                    : state_from_options(job->options, job->model,
                                         job->inputs & ~(unsigned)LW_INPUT_WRENCH, &job->block);
  if (status == DONE) status = open_wrenches(job);
  if (status != DONE) return status;
  size_t outputs = job->outputs;
  job->values    = malloc(((size_t)job->block.capacity * outputs + 1) * sizeof(double));
  job->exact     = malloc((outputs + 1) * sizeof *job->exact);
  size_t width   = lw_regressor_columns(job->model, job->terms);
  job->extended  = malloc(((size_t)lw_model_dof(job->model) * width + 1) * sizeof(double));
  return job->values && job->exact && job->extended ? DONE : no_memory();
}

static int state_not_finite(const StateJob* job, int row)
{
  const char* name = lw_question_info(job->question)->name;
  if (!job->answers.many)
    return fail(NUMERICAL,
                "%s: the answer is not finite; the robot is singular or the values are too large",
                name);
  long state = job->block.first + row;
  return fail(
      NUMERICAL,
      "%s: the answer to state %ld (%s:%ld) is not finite; the robot is singular or the values are "
      "too large",
      name, state, job->lines.name, state + 1);
}

// values: the nearest doubles, for tables.
static void answer_in_quad(StateJob* job, lwStates state, double* values)
{
  lw_quad_answer(job->quad, job->question, &state, job->exact);
  for (size_t i = 0; i < lw_question_outputs(job->model, job->question); ++i)
    values[i] = job->exact[i].part[0];
}

// A file's quaternions; those of the options were checked with them.
static int check_block(const StateJob* job)
{
  size_t nq       = (size_t)lw_model_nq(job->model);
  const double* q = job->block.values[GROUP_Q];
  if (nq == (size_t)lw_model_dof(job->model) || !q || !job->answers.many) return DONE;
  for (int row = 0; row < job->block.count; ++row)
  {
    char where[LW_ROW_NAME];
    snprintf(where, sizeof where, "%s:%ld", job->lines.name, job->block.first + row + 1);
    if (positions_check(job->model, where, INPUT, q + (size_t)row * nq) != DONE) return INPUT;
  }
  return DONE;
}

static lwStates quad_state(const StateJob* job, const lwStates* all, int row)
{
  lwStates state = block_state(&job->block, job->model, row);
  state.wrench   = all->wrench ? all->wrench + 6 * (size_t)row : NULL;
  return state;
}

// Where a state comes from, for messages.
static const char* state_place(const StateJob* job, int row, char where[LW_ROW_NAME])
{
  if (!job->answers.many) return job->options->operand;
  snprintf(where, LW_ROW_NAME, "%s:%ld", job->lines.name, job->block.first + row + 1);
  return where;
}

static int loops_refused(const StateJob* job, int row, lwStatus status, const lwDiag* diag)
{
  char where[LW_ROW_NAME];
  if (status == LW_OK) return DONE;
  return fail(job->answers.many ? INPUT : USAGE, "%s: %s%s", state_place(job, row, where),
              first_error(diag, status),
              lw_diag_size(diag) > 0 ? "; 'linkwork close' finds the passive joints" : "");
}

// Whether the loops are closed in a state, and stay so.
static int check_closed(StateJob* job, int row)
{
  lwStates state      = block_state(&job->block, job->model, row);
  const double* still = job->still;
  lwDiag* diag        = lw_diag_create();
  if (!diag) return no_memory();
  bool moves  = job->question == LW_QUESTION_INVERSE;
  lwStatus ok = lw_loops_check(job->loops, state.q, state.qd ? state.qd : still,
                               !moves      ? NULL
                               : state.qdd ? state.qdd
                                           : still,
                               diag);
  int status  = loops_refused(job, row, ok, diag);
  lw_diag_destroy(diag);
  return status;
}

// All states of the block, with closed loops; those of pose and energy are only checked.
static int answer_closed(StateJob* job, const lwStates* all)
{
  size_t dof    = (size_t)lw_model_dof(job->model);
  size_t wrench = 6 * (size_t)(job->wrenches.count > 0 ? job->wrenches.count : 1);
  int status    = DONE;
  for (int row = 0; row < job->block.count && status == DONE; ++row)
  {
    double* out    = job->values + (size_t)row * job->outputs;
    lwStates state = block_state(&job->block, job->model, row);
    state.wrench   = all->wrench ? all->wrench + wrench * (size_t)row : NULL;
    lwStatus ok    = LW_OK;
    if (job->answers.many) status = check_closed(job, row);
    if (status == DONE && job->question == LW_QUESTION_FORWARD)
      lw_loops_forward(job->loops, &state, out, out + dof);
    else if (status == DONE && job->cuts)
      ok = lw_loops_inverse(job->loops, &state, out, out + dof);
    if (status == DONE) status = loops_refused(job, row, ok, NULL);
  }
  return status;
}

static int answer_block(StateJob* job)
{
  if (check_block(job) != DONE) return INPUT;
  size_t outputs  = job->outputs;
  lwStates states = block_states(&job->block);
  states.wrench   = wrenches_of(&job->wrenches, &job->block);
  int closed      = job->loops ? answer_closed(job, &states) : DONE;
  if (closed != DONE) return closed;
  if (!job->in_quad && !job->cuts)
    lw_batch_answer(job->batch, job->question, job->block.count, &states, job->values);
  for (int row = 0; row < job->block.count; ++row)
  {
    double* values = job->values + (size_t)row * outputs;
    if (job->in_quad) answer_in_quad(job, quad_state(job, &states, row), values);
    if (!all_finite(values, outputs)) return state_not_finite(job, row);
    if (job->terms)
    {
      lwStates state = block_state(&job->block, job->model, row);
      lw_regressor_extend(job->model, job->terms, &state, values, job->extended);
      values = job->extended;
    }
    answers_row(&job->answers, job->block.keep ? job->block.text[row] : NULL, values,
                job->in_quad ? job->exact : NULL);
  }
  return DONE;
}

// Reads and answers block after block; the states before a wrong line are answered.
static int answer_lines(StateJob* job)
{
  while (!lw_out_stopped(&job->out))
  {
    int read   = states_rows(&job->header, &job->lines, &job->block);
    int status = job->block.count > 0 ? answer_block(job) : DONE;
    if (status != DONE) return status;
    if (read != DONE) lines_report(&job->lines);
    if (read != DONE) return read;
    if (job->block.count == 0) return DONE;
  }
  return DONE;
}

// Loops are closed through the inertia matrix.
static const char* answering_method(const StateJob* job)
{
  bool through = job->cuts > 0 && job->question == LW_QUESTION_FORWARD;
  return method_text(lw_batch_workspace(job->batch, 0),
                     through ? LW_QUESTION_INERTIA : job->question);
}

static int answer_all(StateJob* job)
{
  job->answers = (Answers){.out       = &job->out,
                           .format    = job->format,
                           .model     = job->model,
                           .method    = answering_method(job),
                           .question  = job->question,
                           .single    = job->def.precision == LW_PRECISION_SINGLE,
                           .quad      = job->in_quad,
                           .rotors    = job->def.rotors,
                           .terms     = job->terms,
                           .many      = job->options->value[OPTION_IN] != NULL,
                           .names     = job->options->value[OPTION_NAMES] != NULL,
                           .kept      = job->block.keep ? &job->header : NULL,
                           .kept_time = job->options->value[OPTION_KEEP] == NULL,
                           .frame     = job->frame,
                           .base_axes = job->def.axes == LW_AXES_BASE,
                           .cuts      = job->cuts};
  int status   = job->loops && !job->answers.many ? check_closed(job, 0) : DONE;
  if (status == DONE) status = out_open(&job->out, job->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  status = answers_begin(&job->answers);
  if (status == DONE) status = job->answers.many ? answer_lines(job) : answer_block(job);
  answers_end(&job->answers);
  return out_close(&job->out, status, false);
}

static void states_end(StateJob* job)
{
  free(job->values);
  free(job->exact);
  free(job->still);
  free(job->extended);
  lw_quad_workspace_destroy(job->quad);
  wrenches_close(&job->wrenches);
  lw_csv_block_destroy(&job->block);
  lw_csv_header_destroy(&job->header);
  lw_lines_close(&job->lines);
  lw_loops_destroy(job->loops);
  lw_batch_destroy(job->batch);
  lw_model_destroy(job->model);
}

int cmd_state(const Options* options)
{
  lwQuestion question = (lwQuestion)options->command->question;
  StateJob job        = {.options = options, .question = question, .def = lw_workspace_def()};
  job.inputs          = lw_question_info(question)->inputs;
  int status          = check_state_options(&job);
  if (status == DONE) status = states_load(&job);
  if (status == DONE) status = loops_load(&job);
  if (status == DONE) status = open_states(&job);
  if (status == DONE) status = answer_all(&job);
  states_end(&job);
  return status;
}
