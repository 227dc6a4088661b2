// SPDX-License-Identifier: MIT
// The commands that answer a question about states: inverse forward inertia bias gravity coriolis
// energy pose jacobian.
//
//   options or lines --lwCsvFile--> lw_batch_answer() --lwAnswers--> lwOut
#include <stdio.h>
#include <string.h>

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
  lwWorkspaceDef def;
  lwModel* model;
  int threads;  // 0: all that there are
  lwBatch* batch;
  char frame[FRAME_TEXT];  // that pose and Jacobian are about
  lwCsvFile* csv;          // the states, or the one of the options
  Wrenches wrenches;
  lwLoops* loops;   // of a robot that has them; else NULL
  bool closed;      // answered with closed loops, not by the batch
  int cuts;         // rows of loops that forward and inverse dynamics give forces of; else 0
  int contacts;     // points that stand, the last rows of these
  double friction;  // at them, -1: not judged
  bool slips;       // a force was outside its cone
  int* speeds;      // (joints) entries of qd that the answer is about
  int joints;
  double* full;      // (dof) torques or accelerations of all joints
  double* steady;    // (dof) accelerations while those of driven joints are 0
  size_t outputs;    // numbers of an answer
  double* values;    // (block.capacity, outputs)
  NameList names;    // of links that are asked for; count 0: all
  int* links;        // their joints
  double* chosen;    // the numbers about them
  lwQuad* precise;   // the same in 113 bits
  unsigned terms;    // of drives in the regressor
  double* extended;  // (dof, columns) a regressor with them
  double* tree;      // (dof, columns) that of the tree
  bool in_quad;      // 113 bits, state by state
  lwQuadWorkspace* quad;
  lwQuad* exact;  // (outputs)
  lwAnswers answers;
} StateJob;

lwAxes axes_of(const Options* options)
{
  static const char* const names[] = {[LW_AXES_LINK] = "link", [LW_AXES_BASE] = "base", NULL};
  return (lwAxes)choice_of(options, OPTION_AXES, names, LW_AXES_LINK);
}

// What can be wrong about the command line before any file is read.
static void take_state_options(StateJob* job)
{
  const Options* options = job->options;
  lwAnswers* answers     = &job->answers;
  const char* in         = options->value[OPTION_IN];
  const char* single     = first_given(options, "--q --qd --qdd --tau");
  if (in && single) stop(USAGE, "%s and --in exclude each other", single);
  if (options->value[OPTION_KEEP] && !in) stop(USAGE, "--keep is for --in");
  answers->format = format_of(options);
  job->friction   = -1;
  if (job->question == LW_QUESTION_INVERSE) job->friction = contact_friction(options);
  if (job->question == LW_QUESTION_REGRESSOR)
    job->terms = terms_of(options);
  else
    job->def.rotors = options->value[OPTION_ROTORS] != NULL;
  job->def.precision = precision_or_quad(options, &job->in_quad);
  if (job->in_quad && job->terms)
    stop(USAGE, "--rotors and --friction are for double and single precision");
  job->def.refine = (int)number_in(options, OPTION_REFINE, 0, 9, "0 to 9 steps", job->def.refine);
  job->def.axes   = axes_of(options);
  const char* method = method_of(options, job->question);
  if (method) lw_workspace_def_set_method(&job->def, job->question, method);
  // One state takes one thread, a stream all that there are unless --threads says otherwise.
  job->threads = (int)integer_of(options, OPTION_THREADS, 1, MAX_THREADS, !in || job->in_quad);
  if (options->value[OPTION_THREADS] && !in) stop(USAGE, "--threads is for --in");
  if (options->value[OPTION_THREADS] && job->in_quad)
    stop(USAGE, "--threads is for double and single precision");
}

static void load_robot(StateJob* job)
{
  const Options* options = job->options;
  job->model             = robot_of(options);
  if (question_solves(job->question)) forward_check(job->model, options->operand, &job->def);
  lwFrame frame = frame_of(options, job->model);
  frame_text(job->model, &frame, job->frame);
  job->def.questions = LW_ASKS(job->question);
  job->def.open_tree = true;  // the loops of robots that have them are kept closed
  lwStatus made      = lw_batch_create(job->model, &job->def, job->threads, NULL, &job->batch);
  hold_batch(job->batch);
  for (int i = 0; made == LW_OK && i < lw_batch_threads(job->batch); ++i)
    made = lw_workspace_set_frame(lw_batch_workspace(job->batch, i), job->model, &frame, NULL);
  if (made == LW_OK && job->in_quad)
    made = lw_quad_workspace_create(job->model, &job->def, NULL, &job->quad);
  hold_quad_workspace(job->quad);
  if (made == LW_OK && job->in_quad) made = lw_quad_workspace_set_frame(job->quad, &frame, NULL);
  if (made != LW_OK) stop(exit_of(made), "%s", lw_status_text(made));
}

// Which entries of qd an answer with closed loops is about: accelerations of all joints, torques of
// the driven ones, everything else of the speeds that describe the motion.
static void choose_entries(StateJob* job)
{
  int dof = lw_model_dof(job->model), speeds = lw_model_mobility(job->model);
  job->speeds = allocate((size_t)dof + 1, sizeof *job->speeds);
  for (int i = 0; i < dof; ++i)
    if (job->question == LW_QUESTION_FORWARD ||
        (job->question == LW_QUESTION_INVERSE && lw_model_is_driven(job->model, i)))
      job->speeds[job->joints++] = i;
  for (int k = 0; k < speeds && !job->cuts; ++k)
    job->speeds[job->joints++] = lw_model_speed(job->model, k);
}

// A robot with loops: its states have to keep them closed, one state after the other.
static void load_loops(StateJob* job)
{
  const char* method = job->options->value[OPTION_METHOD];
  bool forward       = job->question == LW_QUESTION_FORWARD;
  bool dynamics      = forward || job->question == LW_QUESTION_INVERSE;
  unsigned takes     = lw_question_info(job->question)->takes;
  job->outputs       = lw_question_outputs(job->model, job->question);
  if (lw_model_loop_count(job->model) == 0) return;
  job->closed = !(takes & LW_TAKES_LOOPS);
  if (job->closed && job->in_quad) stop(USAGE, "--precision quad cannot keep loops closed");
  if (forward && method && lw_method_find(LW_QUESTION_INERTIA, method) < 0)
    stop(USAGE, "--method: %s forms no inertia matrix, which robots with loops need", method);
  if (forward && method) job->def.inertia = method;
  job->def.forward = "auto";
  lwStatus made    = lw_loops_create(job->model, &job->def, NULL, &job->loops);
  if (made != LW_OK) stop(exit_of(made), "%s", lw_status_text(made));
  hold_loops(job->loops);
  lwFrame frame = frame_of(job->options, job->model);
  need_ok(lw_workspace_set_frame(lw_loops_workspace(job->loops), job->model, &frame, NULL));
  size_t dof  = (size_t)lw_model_dof(job->model);
  job->cuts   = dynamics ? lw_model_loop_rows(job->model) : 0;
  job->full   = allocate(dof + 1, sizeof *job->full);
  job->steady = allocate(dof + 1, sizeof *job->steady);
  choose_entries(job);
  if (!job->closed) return;
  job->outputs =
      dynamics ? (size_t)(job->joints + job->cuts) : lw_loops_outputs(job->model, job->question);
  job->contacts = job->options->value[OPTION_CONTACT] ? job->options->via_count : 0;
  if (job->contacts > 0) job->outputs += 3 + (size_t)(job->friction >= 0 ? job->contacts : 0);
}

// --links: the links of an answer that has numbers for each link.
static void choose_links(StateJob* job)
{
  const char* text = job->options->value[OPTION_LINKS];
  if (!command_takes(job->options->command, OPTION_LINKS)) return;
  if (!text) stop(USAGE, "--links is missing: the links whose frames are asked for");
  job->names = names_of("--links", text, false);
  job->links = allocate((size_t)job->names.count, sizeof *job->links);
  for (int k = 0; k < job->names.count; ++k)
  {
    job->links[k] = frame_link(job->model, OPTION_LINKS, job->names.names[k]);
    if (job->links[k] == LW_BASE)
      stop(USAGE, "--links: '%s' is the base, whose frame is the base frame", job->names.names[k]);
  }
  size_t some  = job->outputs / (size_t)lw_model_joint_count(job->model) * (size_t)job->names.count;
  job->chosen  = allocate(some, sizeof *job->chosen);
  job->precise = allocate(some, sizeof *job->precise);
  job->answers.links      = job->links;
  job->answers.link_count = job->names.count;
}

// The numbers about the chosen links, in the order of their names.
static void choose_numbers(StateJob* job, const double* values)
{
  size_t each = job->outputs / (size_t)lw_model_joint_count(job->model);
  for (size_t k = 0; k < each * (size_t)job->names.count; ++k)
  {
    size_t from     = (size_t)job->links[k / each] * each + k % each;
    job->chosen[k]  = values[from];
    job->precise[k] = job->exact[from];
  }
}

// As many states as fit in BLOCK_BYTES, so that memory is bounded for large robots too.
static int block_capacity(const StateJob* job)
{
  size_t bytes  = (4 * (size_t)lw_model_nq(job->model) + 6 + job->outputs) * sizeof(double);
  size_t states = BLOCK_BYTES / bytes;
  return states < 1 ? 1 : states > BLOCK_STATES ? BLOCK_STATES : (int)states;
}

static void open_states(StateJob* job)
{
  const Options* options = job->options;
  unsigned inputs        = lw_question_info(job->question)->inputs;
  StateNeeds needs       = {.inputs = inputs, .links = inputs & LW_INPUT_WRENCH};
  bool many              = options->value[OPTION_IN];
  lwRows kept            = {0};
  job->csv               = many ? states_file(options, job->model, needs, block_capacity(job))
                                : state_of(options, job->model, inputs & ~(unsigned)LW_INPUT_WRENCH);
  if (many) rows_keep(&kept, job->csv, options->value[OPTION_KEEP]);
  job->answers.kept      = kept.kept;
  job->answers.kept_time = kept.kept_time;
  job->wrenches =
      wrenches_of(options, job->model, many ? &job->csv->header : NULL, &job->csv->block);
  if (job->in_quad && !wrenches_usual(&job->wrenches, job->model))
    stop(USAGE, "wrenches on other links than the last are for double and single precision");
  for (int i = 0; i < lw_batch_threads(job->batch); ++i)
    wrenches_place(&job->wrenches, job->model, lw_batch_workspace(job->batch, i));
  if (job->loops && job->wrenches.count > 0)
    need_ok(
        lw_loops_set_wrench_places(job->loops, job->wrenches.count, job->wrenches.places, NULL));
  size_t width = lw_regressor_columns(job->model, job->terms);
  job->values  = allocate((size_t)job->csv->block.capacity * job->outputs, sizeof(double));
  job->exact   = allocate(job->outputs, sizeof *job->exact);
  if (!job->terms) return;
  job->extended = allocate((size_t)lw_model_dof(job->model) * width, sizeof(double));
  job->tree     = allocate((size_t)lw_model_dof(job->model) * width, sizeof(double));
}

// Where a state comes from, for messages.
static const char* state_place(const StateJob* job, int row, char where[LW_ROW_NAME])
{
  if (!job->answers.many) return job->options->operand;
  snprintf(where, LW_ROW_NAME, "%s:%ld", job->csv->lines.name, job->csv->block.first + row + 1);
  return where;
}

static _Noreturn void state_not_finite(const StateJob* job, int row)
{
  const char* name = lw_question_info(job->question)->name;
  char where[LW_ROW_NAME];
  if (!job->answers.many)
    stop(NUMERICAL,
         "%s: the answer is not finite; the robot is singular or the values are too large", name);
  stop(NUMERICAL,
       "%s: the answer to state %ld (%s) is not finite; the robot is singular or the values are "
       "too large",
       name, job->csv->block.first + row, state_place(job, row, where));
}

static void need_closed(const StateJob* job, int row, lwStatus status, const lwDiag* diag)
{
  char where[LW_ROW_NAME];
  if (status == LW_OK) return;
  stop(job->answers.many ? INPUT : USAGE, "%s: %s%s", state_place(job, row, where),
       first_error(diag, status),
       lw_diag_size(diag) > 0 ? "; 'linkwork close' finds the passive joints" : "");
}

// Whether the loops are closed in a state, and stay so. Where accelerations are not given, those of
// driven joints are 0.
static void check_row_closed(const StateJob* job, int row, lwStates* state)
{
  unsigned inputs = lw_question_info(job->question)->inputs;
  bool moves      = inputs & LW_INPUT_QDD && state->qd;
  lwDiag* diag    = hold_messages();
  if (moves && !state->qdd)
  {
    memset(job->steady, 0, (size_t)lw_model_dof(job->model) * sizeof *job->steady);
    if (lw_loops_acceleration(job->loops, state->q, state->qd, job->steady) == LW_OK)
      state->qdd = job->steady;
  }
  const double* qdd = inputs & LW_INPUT_QDD ? state->qdd : NULL;
  need_closed(job, row, lw_loops_check(job->loops, state->q, state->qd, qdd, diag), diag);
  unhold(diag);
  lw_diag_destroy(diag);
}

// A state of the block, with its wrenches.
static lwStates state_with_wrenches(const StateJob* job, const double* wrenches, int row)
{
  size_t width   = 6 * (size_t)(job->wrenches.count > 0 ? job->wrenches.count : 1);
  lwStates state = block_state(&job->csv->block, job->model, row);
  state.wrench   = wrenches ? wrenches + width * (size_t)row : NULL;
  return state;
}

// One state with closed loops; those of pose and energy are only checked.
static void answer_closed(StateJob* job, const lwStates* state, int row, double* out)
{
  lwStatus given = LW_OK;
  lwDiag* diag   = hold_messages();
  if (job->question == LW_QUESTION_FORWARD)
    lw_loops_forward(job->loops, state, job->full, out + job->joints);
  else if (job->question == LW_QUESTION_INVERSE)
    given = lw_loops_inverse(job->loops, state, job->full, out + job->joints);
  else if (job->closed)
    given = lw_loops_answer(job->loops, job->question, state, out, diag);
  for (int k = 0; k < job->joints && job->cuts; ++k) out[k] = job->full[job->speeds[k]];
  double* verdicts = out + job->joints + job->cuts;
  if (job->contacts > 0 &&
      !contacts_judge(job->contacts, job->friction, verdicts - 3 * (size_t)job->contacts, verdicts))
    job->slips = true;
  if (given == LW_ERROR_NUMERICAL)
  {
    char where[LW_ROW_NAME];
    stop(NUMERICAL, "%s: %s", state_place(job, row, where), first_error(diag, given));
  }
  need_closed(job, row, given, diag);
  unhold(diag);
  lw_diag_destroy(diag);
}

// Y with the terms of drives in job->extended; with closed loops, that of the tree is extended.
static void extend_regressor(StateJob* job, const lwStates* state, double* Y)
{
  size_t width = lw_regressor_columns(job->model, job->terms);
  if (job->loops)
    lw_answer(job->model, lw_loops_workspace(job->loops), LW_QUESTION_REGRESSOR, state, job->tree);
  lw_regressor_extend(job->model, job->terms, state, job->loops ? job->tree : Y, job->extended);
  if (!job->loops) return;
  size_t size = (size_t)lw_model_dof(job->model) * width;
  memcpy(job->tree, job->extended, size * sizeof *job->tree);
  need_ok(lw_loops_to_speeds(job->loops, state->q, width, job->tree, job->extended, NULL));
}

static void answer_block(StateJob* job)
{
  const lwCsvBlock* block = &job->csv->block;
  size_t outputs          = job->outputs;
  lwStates states         = block_states(block);
  states.wrench           = wrenches_fill(&job->wrenches, block);
  for (int row = 0; row < block->count && job->loops; ++row)
  {
    lwStates state = state_with_wrenches(job, states.wrench, row);
    check_row_closed(job, row, &state);
    answer_closed(job, &state, row, job->values + (size_t)row * outputs);
  }
  if (!job->in_quad && !job->closed)
    lw_batch_answer(job->batch, job->question, block->count, &states, job->values);
  for (int row = 0; row < block->count; ++row)
  {
    double* values = job->values + (size_t)row * outputs;
    lwStates state =
        job->in_quad || job->terms ? state_with_wrenches(job, states.wrench, row) : states;
    if (job->in_quad) lw_quad_answer(job->quad, job->question, &state, job->exact);
    for (size_t i = 0; job->in_quad && i < outputs; ++i)
      values[i] = job->exact[i].part[0];  // the nearest doubles, for tables
    if (!all_finite(values, outputs)) state_not_finite(job, row);
    if (job->terms) extend_regressor(job, &state, values);
    if (job->links) choose_numbers(job, values);
    const lwQuad* exact = job->links ? job->precise : job->exact;
    lw_answers_row(&job->answers, block->keep ? block->text[row] : NULL,
                   job->links   ? job->chosen
                   : job->terms ? job->extended
                                : values,
                   job->in_quad ? exact : NULL);
  }
}

int cmd_frames(const Options* options)
{
  return cmd_state(options);
}

int cmd_state(const Options* options)
{
  StateJob* job = allocate(1, sizeof *job);
  job->options  = options;
  job->question = (lwQuestion)options->command->question;
  job->def      = lw_workspace_def();
  take_state_options(job);
  load_robot(job);
  load_loops(job);
  choose_links(job);
  open_states(job);
  bool through       = job->cuts > 0 && job->question == LW_QUESTION_FORWARD;  // the inertia matrix
  lwAnswers* answers = &job->answers;
  answers->model     = job->model;
  answers->method =
      method_text(lw_batch_workspace(job->batch, 0), through ? LW_QUESTION_INERTIA : job->question);
  answers->question  = job->question;
  answers->single    = job->def.precision == LW_PRECISION_SINGLE;
  answers->quad      = job->in_quad;
  answers->rotors    = job->def.rotors;
  answers->terms     = job->terms;
  answers->many      = options->value[OPTION_IN] != NULL;
  answers->names     = options->value[OPTION_NAMES] != NULL;
  answers->frame     = job->frame;
  answers->base_axes = job->def.axes == LW_AXES_BASE;
  answers->cuts      = job->cuts;
  answers->contacts  = job->contacts;
  answers->judged    = job->friction >= 0;
  if (job->closed) answers->speeds = job->speeds;
  if (job->closed) answers->joints = job->joints;
  if (job->closed) answers->names = true;
  if (job->loops && !answers->many)  // before anything is written
  {
    lwStates state = state_with_wrenches(job, wrenches_fill(&job->wrenches, &job->csv->block), 0);
    check_row_closed(job, 0, &state);
    answer_closed(job, &state, 0, job->values);
  }
  answers->out = output_of(options);
  hold_answers(answers);
  if (!lw_answers_begin(answers)) leave(no_memory());
  if (!answers->many) answer_block(job);
  // The states before a wrong line are answered.
  for (int read = DONE; answers->many && read == DONE && !lw_out_stopped(answers->out);)
  {
    read = states_read(job->csv);
    if (job->csv->block.count > 0) answer_block(job);
    if (read != DONE) leave(lines_report(&job->csv->lines));
    if (job->csv->block.count == 0) break;
  }
  unhold(answers);
  lw_answers_end(answers);
  return output_end(answers->out, job->slips ? NO : DONE);
}
