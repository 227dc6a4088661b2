// SPDX-License-Identifier: MIT
// Runs the kernels on a robot whose numbers are known and whose state
// is not; what they compute is a graph.
//
//   model --constants, inputs--> links, ends, state of the symbol scalar --kernels--> program
//
// With mimic joints the state is that of the independent joints (answer/scalar_answer.h). Ball and
// floating joints are wide: only kernels that take them are recorded.
#define LW_SCALAR_symbol
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "generate/record.h"

#include "answer/scalar_closed.h"
#include "generate/letters.h"
#include "model/derived.h"

extern const lwVariant lw_variant_symbol_baseline;
extern lwNullMotion FN(null_motion);

const lwVariant* lw_symbol_variant(void)
{
  return &lw_variant_symbol_baseline;
}

// The robot and its state in the symbol scalar, and memory for answers.
typedef struct Recorder
{
  const lwRecording* what;
  lwGraph* graph;
  ScalarAnswer scalar;   // of the model with links and ends of expressions
  ScalarClosed closed;   // of a robot with loops
  lwWorkspace settings;  // kernels of the questions
  Link* links;           // (n)
  Link* grouped;         // (n) links with grouped parameters
  Member* members;       // (joints of the description)
  Ends ends;
  REAL* state[LW_ARGUMENT_COUNT];  // as people give it; NULL: not given
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

static void record_gravity(Recorder* recorder)
{
  const REAL* given_gravity = recorder->state[LW_ARGUMENT_GRAVITY];
  if (!given_gravity) return;
  V3 g                      = turned_back(recorder->ends.base_rotation, vector_of(given_gravity));
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
  int tool         = recorder->scalar.model.tool;
  if (!body || tool == LW_BASE) return;
  Link payload   = payload_body(recorder, body);
  Link* link     = &recorder->links[tool];
  Member* member = &recorder->members[recorder->scalar.model.robot.count - 1];
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
  for (int i = 0; i < recorder->scalar.model.n; ++i)
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
  derive_outboard_masses(&recorder->scalar.model, recorder->grouped);
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
  for (int i = 0; i < recorder->scalar.model.n; ++i)
    record_link_letters(recorder, letters->of_link[i], &recorder->links[i]);
  for (int k = 0; k < 3; ++k)
  {
    ends->gravity[k]       = letter(recorder, letters->of_ends[LW_LETTER_GRAVITY + k]);
    ends->tool_position[k] = letter(recorder, letters->of_ends[LW_LETTER_TOOL + k]);
  }
  ends->potential = zero();  // a constant, of what does not move
  derive_links(&recorder->scalar.model, recorder->links);
}

// Of what never moves, and of the base frame's displacement, as in model/canonical.c.
static void record_potential(Recorder* recorder)
{
  const lwModel* model      = &recorder->scalar.model;
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
  const lwModel* model = lw_model_native(recorder->what->model);
  for (int i = 0; i < model->n; ++i) KNOWN_FIELDS(&model->link64[i], &recorder->links[i]);
  for (int i = 0; i < model->robot.count; ++i)
    KNOWN_FIELDS(&model->member64[i], &recorder->members[i]);
  KNOWN_FIELDS(&model->ends64, &recorder->ends);
  if (recorder->what->letters) record_letters(recorder);
  record_gravity(recorder);
  if (recorder->state[LW_ARGUMENT_PAYLOAD])
  {
    record_payload(recorder);
    derive_links(&recorder->scalar.model, recorder->links);
  }
  if (recorder->state[LW_ARGUMENT_PAYLOAD] || recorder->state[LW_ARGUMENT_GRAVITY])
    record_potential(recorder);
  record_grouped(recorder);
  recorder->scalar.model.scalar_ends    = &recorder->ends;
  recorder->scalar.model.scalar_members = recorder->members;
  ScalarAnswer* scalar                  = &recorder->scalar;
  scalar->view                          = lw_last_view(model);
  KNOWN_FIELDS(&scalar->view.view64, &scalar->place);
  if (recorder->what->letters)  // what is looked at is the end of the last link
    for (int k = 0; k < 3; ++k) scalar->place.position[k] = recorder->ends.tool_position[k];
  scalar->view.own = &scalar->place;
}

// --- the state

static REAL* record_inputs(Recorder* recorder, int argument)
{
  static const int fixed[LW_ARGUMENT_COUNT] = {
      [LW_ARGUMENT_WRENCH] = 6, [LW_ARGUMENT_GRAVITY] = 3, [LW_ARGUMENT_PAYLOAD] = 10};
  const lwModel* model = &recorder->scalar.model;
  int size = argument == LW_ARGUMENT_Q ? model->nq : fixed[argument] ? fixed[argument] : model->dof;
  REAL* inputs = lw_arena_take(&recorder->scalar.arena, (size_t)size, sizeof *inputs);
  for (int k = 0; inputs && k < size; ++k)
    inputs[k] = input_symbol(recorder->graph, (lwArgument)argument, k);
  return inputs;
}

static bool record_state(Recorder* recorder)
{
  bool enough = true;
  for (int k = 0; k < LW_ARGUMENT_COUNT && enough; ++k)
  {
    bool chosen = k < LW_ARGUMENT_WRENCH || recorder->what->arguments & (1u << k);
    if (chosen) recorder->state[k] = record_inputs(recorder, k);
    enough = !chosen || recorder->state[k];
  }
  return enough;
}

// --- answers

static void record_answer(const Recorder* recorder, lwQuestion question, REAL* out)
{
  unsigned needed               = lw_question_info(question)->inputs;
  const REAL* in[SCALAR_INPUTS] = {recorder->state[LW_ARGUMENT_Q]};
  for (int k = 1; k < SCALAR_INPUTS; ++k) in[k] = needed & (1u << k) ? recorder->state[k] : NULL;
  if (recorder->closed.count > 0)
    scalar_closed_answer(&recorder->closed, question, in, out);
  else
    scalar_answer(&recorder->scalar, question, in, out);
}

// --- memory

// The kernels of the questions. What coupled joints solve goes through the inertia matrix of
// the method of forward dynamics, or else through that of composite bodies.
static void choose_kernels(Recorder* recorder)
{
  const lwRecording* what          = recorder->what;
  lwWorkspace* settings            = &recorder->settings;
  settings->reduced.inertia.kernel = LW_KERNEL_composite_body;
  settings->reduced.bias.kernel    = LW_KERNEL_newton_euler_grouped;
  for (int k = 0; k < LW_QUESTION_COUNT && what->model->loops; ++k)
  {
    if (!(SCALAR_CLOSED_NEEDS & LW_ASKS(k))) continue;
    settings->questions |= LW_ASKS(k);
    settings->kernel[k] = k == LW_QUESTION_INVERSE ? (int)LW_KERNEL_newton_euler
                          : k == LW_QUESTION_INERTIA
                              ? (int)LW_KERNEL_composite_body
                              : lw_kernel_index(what->model, (lwQuestion)k, NULL);
  }
  for (int k = 0; k < what->count; ++k)
  {
    lwQuestion question = what->result[k].question;
    settings->questions |= LW_ASKS(question);
    settings->kernel[question] = what->kernel[k];
    if (what->model->coupled && question == LW_QUESTION_FORWARD)
      settings->reduced.inertia.kernel =
          lw_method_find(LW_QUESTION_INERTIA, lw_method(what->kernel[k])->name);
    if (what->model->coupled && question == LW_QUESTION_FORWARD_DERIVATIVES)
      settings->reduced.slopes.kernel =
          lw_method_find(LW_QUESTION_INVERSE_DERIVATIVES, lw_method(what->kernel[k])->name);
  }
}

static bool take_recorder(Recorder* recorder)
{
  ScalarAnswer* scalar = &recorder->scalar;
  const lwModel* model = lw_model_native(recorder->what->model);
  size_t n             = (size_t)model->n;
  *scalar              = (ScalarAnswer){.model    = *model,
                                        .variant  = lw_symbol_variant(),
                                        .settings = &recorder->settings,
                                        .dof      = model->dof,
                                        .leader   = model->leader,
                                        .gain     = model->gain,
                                        .follows  = model->coupled};
  choose_kernels(recorder);
  recorder->links   = lw_arena_take(&scalar->arena, n, sizeof(Link));
  recorder->grouped = lw_arena_take(&scalar->arena, n, sizeof(Link));
  recorder->members = lw_arena_take(&scalar->arena, (size_t)model->robot.count, sizeof(Member));
  scalar->shift     = lw_arena_take(&scalar->arena, n, sizeof(REAL));
  for (size_t i = 0; scalar->shift && i < n; ++i) scalar->shift[i] = constant(model->shift[i]);
  return recorder->links && recorder->grouped && recorder->members && scalar->shift &&
         scalar_memory(scalar);
}

static bool record_all(Recorder* recorder, lwProgram* program)
{
  const lwRecording* what = recorder->what;
  if (!take_recorder(recorder) || !record_state(recorder)) return false;
  recorder->closed.motion = FN(null_motion);
  if (what->model->loops && scalar_closed_open(&recorder->closed, &recorder->scalar, what->model,
                                               &recorder->scalar.arena, NULL) != LW_OK)
    return false;
  record_robot(recorder);
  REAL* answers =
      lw_arena_take(&recorder->scalar.arena, (size_t)program->output_count + 1, sizeof(REAL));
  REAL* out = answers;
  for (int k = 0; answers && k < what->count; ++k)
  {
    recorder->scalar.model.scalar_links = what->grouped[k] ? recorder->grouped : recorder->links;
    record_answer(recorder, what->result[k].question, out);
    out += lw_result_size(&what->result[k]);
  }
  for (int k = 0; answers && k < program->output_count; ++k)
    program->outputs[k] = expr_of(&program->graph, answers[k]);
  return answers && !program->graph.failed;
}

static bool record_arm(const lwRecording* recording, lwProgram* program)
{
  Recorder recorder = {.what = recording, .graph = &program->graph};
  bool enough       = record_all(&recorder, program);
  lw_arena_free(&recorder.scalar.arena);
  return enough;
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
