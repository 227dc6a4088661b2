// SPDX-License-Identifier: MIT
// Runs the kernels on a robot whose numbers are known and whose state
// is not; what they compute is a graph.
//
//   model --constants, inputs--> links, ends, state of the symbol scalar --kernels--> program
//
// With mimic joints the state is that of the independent joints, as in answer/reduction.c: q = G y
// + o, tau_y = G^T tau, M_y = G^T M G, J_y = J G. Ball and floating joints have quaternions and
// velocities in axes of their link (expand_symbols.h); their kernels' angles are separate inputs
// until lw_record() writes their sines in terms of the quaternion.
#define LW_SCALAR_symbol
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "generate/record.h"

#include <stdlib.h>

#include "answer/workspace.h"
#include "generate/expand_symbols.h"
#include "generate/letters.h"
#include "generate/rewrite.h"
#include "kernels/registry.h"
#include "math/dense_ldl.h"
#include "model/derived.h"

extern const lwVariant lw_variant_symbol_baseline;

const lwVariant* lw_symbol_variant(void)
{
  return &lw_variant_symbol_baseline;
}

// The robot and its state in the symbol scalar, and room for answers.
typedef struct Recorder
{
  const lwRecording* what;
  bool rooted;  // the robot stands on its ball joint, and is recorded unturned
  lwGraph* graph;
  lwModel arm;      // the model with links and ends of expressions
  Link* links;      // (n)
  Link* grouped;    // (n) the same with grouped parameters
  Member* members;  // (joints of the description)
  Ends ends;
  View frame;
  lwView view;
  REAL* state[LW_ARGUMENT_COUNT];  // NULL: not given
  void* work;
  REAL* out;             // the kernel's answer
  REAL* M;               // (dof, dof) for forward dynamics of coupled joints
  REAL* x;               // (n) a column of their equations
  REAL* qdd;             // (n) their accelerations
  const REAL* velocity;  // (dof) as people give it
  REAL* resting;         // (n) accelerations of kernels where those of people are zero
  REAL* rotations;       // (ball_count, 9)
  const REAL* R;         // the same, or NULL where it is recorded unturned
  lwArena arena;
} Recorder;

// --- the robot

// Structs of the same fields, one of doubles and one of REAL, are arrays of as many numbers.
static void known_numbers(const double* from, size_t count, REAL* to)
{
  for (size_t k = 0; k < count; ++k) to[k] = constant(from[k]);
}

#define KNOWN_FIELDS(from, to)                                                                     \
  do                                                                                               \
  {                                                                                                \
    _Static_assert(sizeof *(to) / sizeof(REAL) == sizeof *(from) / sizeof(double), "same fields"); \
    known_numbers((const double*)(from), sizeof *(from) / sizeof(double), (REAL*)(to));            \
  } while (0)

// Rows of a matrix times a vector; the other way round: columns
INLINE V3 turned_back(const REAL R[9], V3 a)
{
  M3 A = known_matrix(R);
  return add(scale(a.x, A.x), add(scale(a.y, A.y), scale(a.z, A.z)));
}

static V3 vector_of(const REAL a[3])
{
  return v3(a[0], a[1], a[2]);
}

// Gravity as felt by the robot on its ball joint: R0 R^T R0^T g, in the base frame.
static V3 felt_gravity(const Recorder* recorder, V3 g)
{
  double frame[9];
  REAL R0[9];
  rooted_frame(&recorder->arm, frame);
  known_numbers(frame, 9, R0);
  V3 seen = turned_back(recorder->rotations, turned_back(R0, g));
  return m3_apply(known_matrix(R0), seen);
}

static void record_gravity(Recorder* recorder)
{
  const REAL* given_gravity = recorder->state[LW_ARGUMENT_GRAVITY];
  bool turned               = recorder->arm.ball_count > 0 && !recorder->R;
  if (!given_gravity && !turned) return;
  REAL own[3];
  known_numbers(recorder->arm.robot.gravity, 3, own);
  V3 wanted = vector_of(given_gravity ? given_gravity : own);
  if (turned) wanted = felt_gravity(recorder, wanted);
  V3 g                      = turned_back(recorder->ends.base_rotation, wanted);
  recorder->ends.gravity[0] = g.x, recorder->ends.gravity[1] = g.y, recorder->ends.gravity[2] = g.z;
}

// Mass properties about the origin of a link's frame: m, m c and I + m (c^2 1 - c c^T), from those
// about the centre of mass c.
static void set_body(Link* link, REAL mass, V3 c, const REAL inertia[6])
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  REAL centre[] = {c.x, c.y, c.z}, square = dot(c, c);
  link->mass = mass;
  for (int k = 0; k < 3; ++k) link->first_moment[k] = r_mul(mass, centre[k]);
  for (int k = 0; k < 6; ++k)
  {
    REAL product     = r_mul(centre[row[k]], centre[column[k]]);
    REAL steiner     = k < 3 ? r_sub(square, product) : r_neg(product);
    link->inertia[k] = mul_add(mass, steiner, inertia[k]);
  }
}

// A body (mass, centre of mass, inertia about it) in the frame of the last link, as a Link that has
// nothing else.
static Link payload_body(const Recorder* recorder, const REAL* body)
{
  const Ends* ends = &recorder->ends;
  M3 R             = known_matrix(ends->tool_rotation);
  V3 c             = m3_apply_add(R, vector_of(body + 1), known_vector(ends->tool_position));
  S3 I             = {body[4], body[5], body[6], body[7], body[8], body[9]};
  V3 x = s3_apply(I, R.x), y = s3_apply(I, R.y), z = s3_apply(I, R.z);
  REAL turned[] = {dot(R.x, x), dot(R.y, y), dot(R.z, z), dot(R.x, y), dot(R.x, z), dot(R.y, z)};
  Link out      = {.mass = body[0]};
  set_body(&out, body[0], c, turned);
  derive_pseudo(&out);
  return out;
}

// It becomes a part of that link, and of the body that carries the link.
static void record_payload(Recorder* recorder)
{
  const REAL* body = recorder->state[LW_ARGUMENT_PAYLOAD];
  int tool         = recorder->arm.tool;
  if (!body || tool == LW_BASE) return;
  Link payload   = payload_body(recorder, body);
  Link* link     = &recorder->links[tool];
  Member* member = &recorder->members[recorder->arm.robot.count - 1];
  link->mass     = r_add(link->mass, payload.mass);
  member->mass   = r_add(member->mass, payload.mass);
  for (int k = 0; k < 3; ++k)
  {
    link->first_moment[k]   = r_add(link->first_moment[k], payload.first_moment[k]);
    member->first_moment[k] = r_add(member->first_moment[k], payload.first_moment[k]);
  }
  for (int k = 0; k < 6; ++k)
  {
    link->inertia[k]  = r_add(link->inertia[k], payload.inertia[k]);
    member->pseudo[k] = r_add(member->pseudo[k], payload.pseudo[k]);
  }
}

// Grouped parameters in the place of the links' own. I = tr(J) 1 - J
static void record_grouped(Recorder* recorder)
{
  for (int i = 0; i < recorder->arm.n; ++i)
  {
    Link* link    = &recorder->grouped[i];
    *link         = recorder->links[i];
    const REAL* J = link->grouped_pseudo;
    link->mass    = link->grouped_mass;
    for (int k = 0; k < 3; ++k)
    {
      link->first_moment[k] = link->grouped_first_moment[k];
      link->inertia[k]      = r_add(J[(k + 1) % 3], J[(k + 2) % 3]);
      link->inertia[3 + k]  = r_neg(J[3 + k]);
    }
    for (int k = 0; k < 6; ++k) link->pseudo[k] = J[k];
  }
  derive_outboard_masses(&recorder->arm, recorder->grouped);
}

// Entry k of an argument.
static REAL input_symbol(lwGraph* graph, lwArgument argument, int k)
{
  return in_graph(graph, lw_graph_input(graph, lw_input_number(argument, k)));
}

static REAL letter(const Recorder* recorder, int number)
{
  if (number < 0) return zero();
  REAL unsigned_letter = input_symbol(recorder->graph, LW_ARGUMENT_LETTER, number);
  bool negative        = recorder->what->letters->letter[number].sign < 0;
  return negative ? r_neg(unsigned_letter) : unsigned_letter;
}

static void record_link_letters(const Recorder* recorder, const int* of_link, Link* link)
{
  REAL inertia[6], centre[3];
  for (int k = 0; k < 6; ++k) inertia[k] = letter(recorder, of_link[LW_LETTER_INERTIA + k]);
  for (int k = 0; k < 3; ++k)
  {
    centre[k]     = letter(recorder, of_link[LW_LETTER_CENTRE + k]);
    link->span[k] = letter(recorder, of_link[LW_LETTER_SPAN + k]);
  }
  set_body(link, letter(recorder, of_link[LW_LETTER_MASS]), vector_of(centre), inertia);
  link->d     = letter(recorder, of_link[LW_LETTER_D]);
  link->rotor = letter(recorder, of_link[LW_LETTER_ROTOR]);
}

static void record_letters(Recorder* recorder)
{
  const lwLetters* letters = recorder->what->letters;
  Ends* ends               = &recorder->ends;
  for (int i = 0; i < recorder->arm.n; ++i)
    record_link_letters(recorder, letters->of_link[i], &recorder->links[i]);
  for (int k = 0; k < 3; ++k)
  {
    ends->gravity[k]       = letter(recorder, letters->of_ends[LW_LETTER_GRAVITY + k]);
    ends->tool_position[k] = letter(recorder, letters->of_ends[LW_LETTER_TOOL + k]);
  }
  ends->potential = zero();  // a constant, of what does not move
  derive_links(&recorder->arm, recorder->links);
}

// Of what never moves, and of the base frame's displacement, as in model/canonical.c.
static void record_potential(Recorder* recorder)
{
  const lwModel* model      = &recorder->arm;
  const REAL* given_gravity = recorder->state[LW_ARGUMENT_GRAVITY];
  REAL own[3], moving = zero();
  known_numbers(model->robot.gravity, 3, own);
  V3 moment = v3(zero(), zero(), zero());
  for (int i = 0; i < model->robot.count; ++i)
    if (model->carrier[i] == LW_BASE)
      moment = add(moment, vector_of(recorder->members[i].first_moment));
  for (int i = 0; i < model->n; ++i) moving = r_add(moving, recorder->links[i].mass);
  moment                   = add(moment, scale(moving, known_vector(recorder->ends.base_position)));
  recorder->ends.potential = r_neg(dot(vector_of(given_gravity ? given_gravity : own), moment));
}

static void record_robot(Recorder* recorder)
{
  const lwModel* model = recorder->what->model;
  for (int i = 0; i < model->n; ++i) KNOWN_FIELDS(&model->link64[i], &recorder->links[i]);
  for (int i = 0; i < model->robot.count; ++i)
    KNOWN_FIELDS(&model->member64[i], &recorder->members[i]);
  KNOWN_FIELDS(&model->ends64, &recorder->ends);
  if (recorder->what->letters) record_letters(recorder);
  record_gravity(recorder);
  if (recorder->state[LW_ARGUMENT_PAYLOAD])
  {
    record_payload(recorder);
    derive_links(&recorder->arm, recorder->links);
  }
  if (recorder->state[LW_ARGUMENT_PAYLOAD] || recorder->state[LW_ARGUMENT_GRAVITY])
    record_potential(recorder);
  record_grouped(recorder);
  recorder->arm.scalar_ends    = &recorder->ends;
  recorder->arm.scalar_members = recorder->members;
  recorder->view               = lw_last_view(model);
  KNOWN_FIELDS(&recorder->view.view64, &recorder->frame);
  if (recorder->what->letters)  // what is looked at is the end of the last link
    for (int k = 0; k < 3; ++k) recorder->frame.position[k] = recorder->ends.tool_position[k];
  recorder->view.own = &recorder->frame;
}

// --- the state

static int argument_size(const lwModel* model, int argument)
{
  static const int fixed[LW_ARGUMENT_COUNT] = {
      [LW_ARGUMENT_WRENCH] = 6, [LW_ARGUMENT_GRAVITY] = 3, [LW_ARGUMENT_PAYLOAD] = 10};
  if (argument == LW_ARGUMENT_Q) return model->nq;
  return fixed[argument] ? fixed[argument] : model->dof;
}

static REAL* record_inputs(Recorder* recorder, int argument)
{
  int size     = argument_size(&recorder->arm, argument);
  REAL* inputs = lw_arena_take(&recorder->arena, (size_t)size, sizeof *inputs);
  for (int k = 0; inputs && k < size; ++k)
    inputs[k] = input_symbol(recorder->graph, (lwArgument)argument, k);
  return inputs;
}

// Of the independent joints to all: G y
static REAL* of_all_joints(Recorder* recorder, const REAL* y)
{
  const lwModel* model = &recorder->arm;
  REAL* all            = lw_arena_take(&recorder->arena, (size_t)model->n, sizeof *all);
  for (int i = 0; all && i < model->n; ++i)
    all[i] = model->leader[i] < 0 ? zero() : r_mul(constant(model->gain[i]), y[model->leader[i]]);
  return all;
}

// G y + o. The angles of ball joints are zero where the robot stands on one, else inputs.
static REAL* positions_of_all(Recorder* recorder, const REAL* q)
{
  const lwModel* model = &recorder->arm;
  REAL* all            = lw_arena_take(&recorder->arena, (size_t)model->n, sizeof *all);
  for (int i = 0; all && i < model->n; ++i)
  {
    int v      = model->leader[i];
    bool moves = v >= 0 && model->position[v] >= 0;
    REAL moved = moves ? r_mul(constant(model->gain[i]), q[model->position[v]]) : zero();
    all[i]     = r_add(moved, constant(model->shift[i]));
  }
  for (int k = 0; all && recorder->R && k < 3 * model->ball_count; ++k)
    all[model->balls[k / 3].body + k % 3] =
        input_symbol(recorder->graph, LW_ARGUMENT_BALL_ANGLE, k);
  return all;
}

// Accelerations of kernels for those of users, or at rest (NULL).
static REAL* accelerations_of_all(Recorder* recorder, const REAL* qdd)
{
  symbol_accelerations(&recorder->arm, recorder->R, recorder->velocity, qdd, recorder->x);
  return of_all_joints(recorder, recorder->x);
}

// Velocities, or torques, which are those of users where joints are coupled.
static REAL* rates_of_all(Recorder* recorder, int argument, REAL* given)
{
  const lwModel* model = &recorder->arm;
  size_t dof           = (size_t)model->dof;
  REAL* y              = lw_arena_take(&recorder->arena, dof, sizeof *y);
  if (!y) return NULL;
  for (size_t i = 0; i < dof; ++i) y[i] = given[i];
  turn_floating(model, recorder->R, false, 1, y);
  return argument == LW_ARGUMENT_TAU && model->coupled ? y : of_all_joints(recorder, y);
}

static REAL* kernel_argument(Recorder* recorder, int argument, REAL* given)
{
  if (argument > LW_ARGUMENT_TAU) return given;
  if (argument == LW_ARGUMENT_Q) return positions_of_all(recorder, given);
  if (argument == LW_ARGUMENT_QDD) return accelerations_of_all(recorder, given);
  if (argument == LW_ARGUMENT_QD) recorder->velocity = given;
  return rates_of_all(recorder, argument, given);
}

static void record_rotations(Recorder* recorder, const REAL* q)
{
  const lwModel* model = &recorder->arm;
  recorder->R          = recorder->rooted ? NULL : recorder->rotations;
  for (int k = 0; k < model->ball_count; ++k)
    quaternion_rotation(q + model->balls[k].q, recorder->rotations + (size_t)(9 * k));
}

static bool record_state(Recorder* recorder)
{
  const lwModel* model = &recorder->arm;
  bool enough          = true;
  for (int k = 0; k < LW_ARGUMENT_COUNT && enough; ++k)
  {
    bool chosen = k < LW_ARGUMENT_WRENCH || recorder->what->arguments & (1u << k);
    REAL* given = chosen ? record_inputs(recorder, k) : NULL;
    enough      = !chosen || given;
    if (enough && k == LW_ARGUMENT_Q) record_rotations(recorder, given);
    if (enough && chosen && model->dof < model->n)
    {
      given  = kernel_argument(recorder, k, given);
      enough = given != NULL;
    }
    recorder->state[k] = given;
  }
  if (!enough || model->ball_count == 0) return enough;
  recorder->resting = accelerations_of_all(recorder, NULL);
  return recorder->resting != NULL;
}

// --- answers

static void run_kernel(Recorder* recorder, int kernel, const lwState* state, REAL* out)
{
  lw_symbol_variant()->kernels[kernel]->run(&recorder->arm, recorder->work, state, out);
}

// G^T A of (n, columns)
static void reduce_columns(const lwModel* model, size_t columns, const REAL* full, REAL* out)
{
  for (size_t k = 0; k < (size_t)model->dof * columns; ++k) out[k] = zero();
  for (int i = 0; i < model->n; ++i)
    for (size_t c = 0; c < columns && model->leader[i] >= 0; ++c)
    {
      REAL* to = &out[(size_t)model->leader[i] * columns + c];
      *to      = mul_add(constant(model->gain[i]), full[(size_t)i * columns + c], *to);
    }
}

// G^T M G
static void reduce_matrix(const lwModel* model, const REAL* M, REAL* out)
{
  size_t n = (size_t)model->n, dof = (size_t)model->dof;
  for (size_t k = 0; k < dof * dof; ++k) out[k] = zero();
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
    {
      if (model->leader[i] < 0 || model->leader[j] < 0) continue;
      REAL* to  = &out[(size_t)model->leader[i] * dof + (size_t)model->leader[j]];
      REAL gain = constant(model->gain[i] * model->gain[j]);
      *to       = mul_add(gain, M[i * n + j], *to);
    }
}

static lwState asked_state(const Recorder* recorder, lwQuestion question)
{
  unsigned needed       = lw_question_info(question)->inputs;
  REAL* const* argument = recorder->state;
  bool turns            = lw_question_is_moved(question);
  return (lwState){.q          = argument[LW_ARGUMENT_Q],
                   .qd         = needed & LW_INPUT_QD ? argument[LW_ARGUMENT_QD] : NULL,
                   .qdd        = needed & LW_INPUT_QDD ? argument[LW_ARGUMENT_QDD]
                                 : turns               ? recorder->resting
                                                       : NULL,
                   .tau        = needed & LW_INPUT_TAU ? argument[LW_ARGUMENT_TAU] : NULL,
                   .wrench     = needed & LW_INPUT_WRENCH ? argument[LW_ARGUMENT_WRENCH] : NULL,
                   .weightless = lw_question_row(question)->weightless,
                   .view       = &recorder->view};
}

// M_y ydd = tau_y - G^T b; the method is that of an inertia matrix.
static void record_coupled_forward(Recorder* recorder, int kernel, REAL* out)
{
  const lwModel* model = &recorder->arm;
  lwState state        = asked_state(recorder, LW_QUESTION_FORWARD);
  const REAL* tau      = state.tau;
  state.tau            = NULL;
  run_kernel(recorder, LW_KERNEL_newton_euler_grouped, &state, recorder->out);
  reduce_columns(model, 1, recorder->out, out);
  for (int k = 0; k < model->dof; ++k) out[k] = r_sub(given(tau, k), out[k]);
  run_kernel(recorder, kernel, &state, recorder->out);
  reduce_matrix(model, recorder->out, recorder->M);
  dense_ldl_factor((size_t)model->dof, recorder->M);
  dense_ldl_solve((size_t)model->dof, recorder->M, out);
}

static void reduce_quantity(const Recorder* recorder, const lwQuantity* part, const REAL* full,
                            REAL* out)
{
  const lwModel* model = &recorder->arm;
  size_t n = (size_t)model->n, dof = (size_t)model->dof;
  size_t rows    = part->shape == LW_QUANTITY_SHAPE_VECTOR ? 1 : (size_t)part->count;
  size_t columns = lw_quantity_size(model, 1, part);
  switch (part->shape)
  {
    case LW_QUANTITY_SHAPE_SQUARE:
      reduce_matrix(model, full, out);
      turn_floating_rows(model, recorder->R, dof, out);
      turn_floating(model, recorder->R, true, dof, out);
      break;
    case LW_QUANTITY_SHAPE_VECTOR:
    case LW_QUANTITY_SHAPE_ROWS:
      for (size_t row = 0; row < rows; ++row)
        reduce_columns(model, 1, full + row * n, out + row * dof);
      turn_floating_rows(model, recorder->R, rows, out);
      break;
    case LW_QUANTITY_SHAPE_PARAMETERS:
      reduce_columns(model, columns, full, out);
      turn_floating(model, recorder->R, true, columns, out);
      break;
    case LW_QUANTITY_SHAPE_NUMBERS:
    case LW_QUANTITY_SHAPE_JOINTS:
    case LW_QUANTITY_SHAPE_LINKS:
      for (size_t k = 0; k < columns; ++k) out[k] = full[k];
  }
}

static void reduce(const Recorder* recorder, lwQuestion question, const REAL* full, REAL* out)
{
  const lwModel* model = &recorder->arm;
  for (const lwQuantity* part = NULL; (part = lw_quantity_next(question, part));)
  {
    reduce_quantity(recorder, part, full, out);
    full += lw_quantity_size(model, model->n, part);
    out += lw_quantity_size(model, model->dof, part);
  }
}

// M_y^-1, or -M_y^-1 A in the place of A. The graph knows the factors again for every column.
static void record_coupled_inverse(Recorder* recorder, bool alone, REAL* A)
{
  const lwModel* model = &recorder->arm;
  size_t dof           = (size_t)model->dof;
  lwState state        = {.q = recorder->state[LW_ARGUMENT_Q]};
  REAL* x              = recorder->x;
  run_kernel(recorder, LW_KERNEL_composite_body, &state, recorder->out);
  for (size_t j = 0; j < dof; ++j)
  {
    reduce_matrix(model, recorder->out, recorder->M);
    for (size_t i = 0; i < dof; ++i) x[i] = alone ? constant(i == j) : r_neg(A[i * dof + j]);
    dense_ldl_factor(dof, recorder->M);
    dense_ldl_solve(dof, recorder->M, x);
    for (size_t i = 0; i < dof; ++i) A[i * dof + j] = x[i];
  }
}

// Derivatives of ydd from those of torques at that ydd.
static void record_coupled_slopes(Recorder* recorder, const char* method, REAL* out)
{
  const lwModel* model = &recorder->arm;
  size_t square        = (size_t)model->dof * (size_t)model->dof;
  lwState state        = asked_state(recorder, LW_QUESTION_FORWARD_DERIVATIVES);
  record_coupled_forward(recorder, LW_KERNEL_composite_body, out);
  for (int i = 0; i < model->n; ++i)
    recorder->qdd[i] =
        model->leader[i] < 0 ? zero() : r_mul(constant(model->gain[i]), out[model->leader[i]]);
  state.qdd = recorder->qdd;
  run_kernel(recorder, lw_method_find(LW_QUESTION_INVERSE_DERIVATIVES, method), &state,
             recorder->out);
  reduce(recorder, LW_QUESTION_INVERSE_DERIVATIVES, recorder->out, out);
  for (size_t k = 0; k < 2; ++k) record_coupled_inverse(recorder, false, out + k * square);
  record_coupled_inverse(recorder, true, out + 2 * square);
}

// Accelerations of users: of independent joints, with those of quaternions in axes of the link.
static void record_reduced_forward(Recorder* recorder, int kernel, REAL* out)
{
  const lwModel* model = &recorder->arm;
  lwState state        = asked_state(recorder, LW_QUESTION_FORWARD);
  if (model->coupled)
    record_coupled_forward(recorder, lw_method_find(LW_QUESTION_INERTIA, lw_method(kernel)->name),
                           out);
  else
  {
    run_kernel(recorder, kernel, &state, recorder->out);
    for (int i = 0; i < model->dof; ++i) out[i] = recorder->out[model->independent[i]];
  }
  symbol_accelerations_back(model, recorder->R, recorder->velocity, out);
}

static void record_answer(Recorder* recorder, lwQuestion question, int kernel, REAL* out)
{
  const lwModel* model = &recorder->arm;
  lwState state        = asked_state(recorder, question);
  if (model->dof == model->n)
  {
    run_kernel(recorder, kernel, &state, out);
    return;
  }
  if (question == LW_QUESTION_FORWARD) return record_reduced_forward(recorder, kernel, out);
  if (model->coupled && question == LW_QUESTION_INERTIA_INVERSE)
    return record_coupled_inverse(recorder, true, out);
  if (model->coupled && question == LW_QUESTION_FORWARD_DERIVATIVES)
    return record_coupled_slopes(recorder, lw_method(kernel)->name, out);
  run_kernel(recorder, kernel, &state, recorder->out);
  reduce(recorder, question, recorder->out, out);
}

// --- memory

static size_t most_bytes(size_t a, size_t b)
{
  return a > b ? a : b;
}

static bool take_recorder(Recorder* recorder)
{
  const lwVariant* variant = lw_symbol_variant();
  const lwModel* model     = recorder->what->model;
  size_t n = (size_t)model->n, joints = (size_t)model->robot.count;
  size_t work    = lw_kernel_bytes(variant->kernels[LW_KERNEL_newton_euler_grouped], model->n);
  size_t largest = 0;
  for (int k = 0; k < recorder->what->count; ++k)
  {
    work = most_bytes(work, lw_kernel_bytes(variant->kernels[recorder->what->kernel[k]], model->n));
    largest =
        most_bytes(largest, lw_kernel_outputs(model, model->n, recorder->what->result[k].question));
  }
  recorder->links   = lw_arena_take(&recorder->arena, n, sizeof(Link));
  recorder->grouped = lw_arena_take(&recorder->arena, n, sizeof(Link));
  recorder->work    = lw_arena_take(&recorder->arena, work, 1);
  recorder->members = lw_arena_take(&recorder->arena, joints, sizeof(Member));
  recorder->out     = lw_arena_take(&recorder->arena, largest + 2 * n * n, sizeof(REAL));
  recorder->x       = lw_arena_take(&recorder->arena, n, sizeof(REAL));
  recorder->qdd     = lw_arena_take(&recorder->arena, n, sizeof(REAL));
  recorder->M       = lw_arena_take(&recorder->arena, n * n, sizeof(REAL));
  recorder->rotations =
      lw_arena_take(&recorder->arena, 9 * (size_t)model->ball_count, sizeof(REAL));
  return recorder->rotations && recorder->links && recorder->grouped && recorder->members &&
         recorder->work && recorder->out && recorder->M && recorder->x && recorder->qdd;
}

static bool record_all(Recorder* recorder, lwProgram* program)
{
  const lwRecording* what = recorder->what;
  if (!take_recorder(recorder) || !record_state(recorder)) return false;
  record_robot(recorder);
  REAL* answers = lw_arena_take(&recorder->arena, (size_t)program->output_count + 1, sizeof(REAL));
  REAL* out     = answers;
  for (int k = 0; answers && k < what->count; ++k)
  {
    recorder->arm.scalar_links = what->grouped[k] ? recorder->grouped : recorder->links;
    record_answer(recorder, what->result[k].question, what->kernel[k], out);
    out += lw_result_size(&what->result[k]);
  }
  for (int k = 0; answers && k < program->output_count; ++k)
    program->outputs[k] = expr_of(&program->graph, answers[k]);
  return answers && !program->graph.failed;
}

// --- angles of ball joints

// Turns of ball joints: cosine and sine of input k of LW_ARGUMENT_BALL_ANGLE.
typedef struct BallTurns
{
  lwGraph* graph;
  lwExpr* sine;    // (3 ball_count)
  lwExpr* cosine;  // (3 ball_count)
} BallTurns;

static void take_turns_of_balls(const lwRecording* recording, const BallTurns* turns)
{
  const lwModel* model = recording->model;
  for (int k = 0; k < model->ball_count; ++k)
  {
    REAL q[4];
    Turn turn[3];
    for (int i = 0; i < 4; ++i)
      q[i] = input_symbol(turns->graph, LW_ARGUMENT_Q, model->balls[k].q + i);
    quaternion_turns(q, turn);
    for (int i = 0; i < 3; ++i)
    {
      turns->sine[3 * k + i]   = expr_of(turns->graph, turn[i].s);
      turns->cosine[3 * k + i] = expr_of(turns->graph, turn[i].c);
    }
  }
}

static bool has_ball_angle(const lwGraph* graph, lwExpr a)
{
  const lwGraphNode* node = lw_expr_node(graph, a);
  if (node->kind == LW_GRAPH_NODE_ADD)
    return has_ball_angle(graph, node->a) || has_ball_angle(graph, node->b);
  return node->kind == LW_GRAPH_NODE_INPUT && lw_input_argument(node) == LW_ARGUMENT_BALL_ANGLE;
}

// Cosine and sine of an angle that is a sum of such inputs, others and numbers.
static Turn ball_turn(const BallTurns* turns, lwExpr angle)
{
  lwGraph* graph   = turns->graph;
  lwGraphNode node = *lw_expr_node(graph, angle);
  Turn turn;
  if (node.kind == LW_GRAPH_NODE_ADD)
    turn = turn_compose(ball_turn(turns, node.a), ball_turn(turns, node.b));
  else if (has_ball_angle(graph, angle))
  {
    int k = lw_input_index(&node);
    turn  = (Turn){in_graph(graph, turns->cosine[k]), in_graph(graph, turns->sine[k])};
  }
  else
    r_sincos(in_graph(graph, angle & ~1), &turn.s, &turn.c);
  if (lw_expr_negative(angle)) turn.s = r_neg(turn.s);
  return turn;
}

// Writes sines of ball joints' angles with their quaternions.
static bool replace_ball_turns(const BallTurns* turns, lwProgram* program)
{
  lwRewriter rewriter;
  int32_t count  = program->graph.count;
  lwExpr* become = malloc((size_t)count * sizeof *become);
  for (int32_t i = 0; become && i < count; ++i)
  {
    lwGraphNode node = program->graph.nodes[i];
    bool sine        = node.kind == LW_GRAPH_NODE_SIN;
    become[i]        = 2 * i;
    if ((!sine && node.kind != LW_GRAPH_NODE_COS) || !has_ball_angle(&program->graph, node.a))
      continue;
    Turn turn = ball_turn(turns, node.a);
    become[i] = expr_of(&program->graph, sine ? turn.s : turn.c);
  }
  bool enough = become && !program->graph.failed && lw_rewrite_open(&rewriter, program);
  for (int32_t i = 0; enough && i < count; ++i) rewriter.replaced[i] = become[i];
  free(become);
  return enough && lw_rewrite_close(&rewriter);
}

static bool record_ball_turns(const lwRecording* recording, lwProgram* program)
{
  size_t count    = 3 * (size_t)recording->model->ball_count;
  lwExpr* memory  = malloc(2 * count * sizeof *memory);
  BallTurns turns = {&program->graph, memory, memory + count};
  if (memory) take_turns_of_balls(recording, &turns);
  bool enough = memory && replace_ball_turns(&turns, program);
  free(memory);
  return enough;
}

// Forces and accelerations in axes of the links are those of the robot unturned; poses are not.
static bool recorded_unturned(const lwRecording* recording)
{
  for (int k = 0; k < recording->count; ++k)
    if (!lw_question_is_of_joints(recording->result[k].question)) return false;
  return is_rooted(recording->model);
}

static bool record_arm(const lwRecording* recording, lwProgram* program)
{
  Recorder recorder = {.what   = recording,
                       .rooted = recorded_unturned(recording),
                       .graph  = &program->graph,
                       .arm    = *recording->model};
  bool enough       = record_all(&recorder, program);
  lw_arena_free(&recorder.arena);
  if (!enough || recording->model->ball_count == 0 || recorder.rooted) return enough;
  return record_ball_turns(recording, program);
}

lwStatus lw_record(const lwRecording* recording, lwProgram* program)
{
  int outputs = 0;
  for (int k = 0; k < recording->count; ++k) outputs += lw_result_size(&recording->result[k]);
  if (!lw_program_open(program, outputs)) return LW_ERROR_MEMORY;
  program->graph.split = recording->split;
  bool enough =
      recording->snake ? lw_record_snake(recording, program) : record_arm(recording, program);
  if (enough && !program->graph.failed) return LW_OK;
  lw_program_close(program);
  return LW_ERROR_MEMORY;
}
