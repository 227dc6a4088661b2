// SPDX-License-Identifier: MIT
// hashes [--all]: hashes of answers and of runs, which must be the same on every machine and by
// every compiler (tests/hashes/hashes.txt; tests/hashes/run.sh compares). Robots, states, snakes and
// runs are random, from seeds, by the project's own functions alone. Needs nothing but the library,
// so that it can be a WebAssembly module, too.
//
//   answers QUESTION METHOD PRECISION COUNT HASH  of each question by each method: about one state
//                                                 at a time and about all in lanes
//   arm METHOD SEED EVENTS HASH                   an arm with friction and stops, 1 s
//   snake METHOD SEED EVENTS HASH                 a snake whose wheels slip, with stops, 1 s
//
// Without --all, of a few robots and runs.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/arm.h"
#include "linkwork/methods.h"
#include "math/elementary.h"

enum
{
  STATES      = 24,
  MOST_JOINTS = 12,
  MOST_LINKS  = 7,
  RECORDS     = 10
};

static int robots = 8, arms = 6, snakes = 4;

static void require(bool done, const char* what)
{
  if (done) return;
  fprintf(stderr, "hashes: %s\n", what);
  exit(1);
}

// FNV-1a of the bytes, the lowest first. Bits of NaN are left open by IEEE 754.
static uint64_t hash_number(uint64_t hash, double x)
{
  uint64_t bits = 0;
  if (!isnan(x)) memcpy(&bits, &x, sizeof bits);
  for (int i = 0; i < 64; i += 8) hash = (hash ^ (bits >> i & 0xff)) * UINT64_C(0x100000001b3);
  return hash;
}

static uint64_t hash_numbers(uint64_t hash, const double* x, size_t count)
{
  for (size_t i = 0; i < count; ++i) hash = hash_number(hash, x[i]);
  return hash;
}

static const uint64_t EMPTY = UINT64_C(0xcbf29ce484222325);

static bool one_of(lwRandom* random, int count)
{
  return lw_random_bits(random) % (uint64_t)count == 0;
}

// --- robots

static void choose_body(lwRandom* random, lwLinkDef* link)
{
  double edge[3], size = lw_exp(lw_random_between(random, -3, -1));
  double mass = lw_random_between(random, 0.1, 5);
  link->mass  = mass;
  for (int i = 0; i < 3; ++i)
  {
    link->com[i] = lw_random_between(random, -0.2, 0.2);
    edge[i]      = size * lw_random_between(random, 0.2, 1);
  }
  for (int i = 0; i < 3; ++i)
  {
    double a = edge[(i + 1) % 3], b = edge[(i + 2) % 3];
    link->inertia[i]     = mass * (a * a + b * b) / 12;
    link->inertia[3 + i] = 0;
  }
}

static void choose_joint(lwRandom* random, lwJointDef* joint, int i)
{
  *joint        = lw_joint_def();
  joint->type   = one_of(random, 4) ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE;
  joint->parent = i > 0 && one_of(random, 5) ? (int)(lw_random_bits(random) % (uint64_t)i) : i - 1;
  joint->placement = LW_PLACEMENT_ORIGIN_AXIS;
  for (int k = 0; k < 3; ++k)
  {
    joint->xyz[k]  = lw_random_between(random, -0.5, 0.5);
    joint->rpy[k]  = one_of(random, 3) ? 0 : lw_random_between(random, -3, 3);
    joint->axis[k] = lw_random_between(random, -1, 1);
  }
  joint->limits.lower     = lw_random_between(random, -2, -0.3);
  joint->limits.upper     = lw_random_between(random, 0.3, 2);
  joint->friction.coulomb = one_of(random, 2) ? lw_random_between(random, 0, 3) : 0;
  joint->friction.viscous = one_of(random, 2) ? lw_random_between(random, 0, 1) : 0;
  choose_body(random, &joint->link);
}

static lwModel* random_model(uint64_t seed, int n)
{
  static char names[MOST_JOINTS][8];
  lwJointDef joints[MOST_JOINTS];
  lwRandom random = {seed};
  lwRobotDef def  = lw_robot_def();
  lwModel* model  = NULL;
  for (int i = 0; i < n; ++i)
  {
    snprintf(names[i], sizeof names[i], "j%d", i + 1);
    choose_joint(&random, &joints[i], i);
    joints[i].name = names[i];
  }
  def.joints = joints;
  def.count  = n;
  require(lw_model_create(&def, NULL, NULL, &model) == LW_OK, "a robot is refused");
  return model;
}

// --- answers

typedef struct
{
  lwQuestion question;
  int method;  // of the registry, or -1: the default
  lwPrecision precision;
  long count;
  uint64_t hash;
} Asked;

static double input[5][STATES * MOST_JOINTS + 6 * STATES], *output;
static size_t output_size;

static lwStates random_inputs(lwRandom* random, int n)
{
  for (int k = 0; k < 5; ++k)
    for (int i = 0; i < STATES * (k == 4 ? 6 : n); ++i)
    {
      input[k][i] = lw_random_between(random, -3, 3);
      if (one_of(random, 50)) input[k][i] *= 1e4;
    }
  return (lwStates){
      .q = input[0], .qd = input[1], .qdd = input[2], .tau = input[3], .wrench = input[4]};
}

static double* room_for(size_t count)
{
  if (count > output_size)
  {
    free(output);
    output      = malloc(count * sizeof *output);
    output_size = output ? count : 0;
    require(output, "out of memory");
  }
  return output;
}

static void ask(const lwModel* model, lwStates states, Asked* asked)
{
  lwWorkspaceDef def = lw_workspace_def();
  lwWorkspace* ws    = NULL;
  size_t size        = lw_question_outputs(model, asked->question);
  size_t n           = (size_t)lw_model_dof(model);
  def.precision      = asked->precision;
  def.questions      = LW_ASKS(asked->question);
  if (asked->method >= 0 && !strcmp(lw_method(asked->method)->order, "n^4") && n > 8) return;
  if (asked->method >= 0)
    lw_workspace_def_set_method(&def, asked->question, lw_method(asked->method)->name);
  if (lw_workspace_create(model, &def, NULL, &ws) != LW_OK) return;
  double* out = room_for(size * STATES);
  lw_answer_many(model, ws, asked->question, STATES, &states, out);
  asked->hash = hash_numbers(asked->hash, out, size * STATES);
  for (int k = 0; k < STATES; ++k)
  {
    lw_answer(model, ws, asked->question, &states, out);
    asked->hash = hash_numbers(asked->hash, out, size);
    states.q += n;
    states.qd += n;
    states.qdd += n;
    states.tau += n;
    states.wrench += 6;
  }
  asked->count += 2 * STATES;
  lw_workspace_destroy(ws);
}

static void answers_of(lwQuestion question, int method, lwPrecision precision)
{
  Asked asked = {question, method, precision, 0, EMPTY};
  for (int k = 0; k < robots; ++k)
  {
    lwRandom random = {(uint64_t)k + 1000};
    int n           = 1 + k * 7 % MOST_JOINTS;
    lwModel* model  = random_model((uint64_t)k + 1, n);
    ask(model, random_inputs(&random, n), &asked);
    lw_model_destroy(model);
  }
  if (asked.count == 0) return;
  printf("answers %s %s %s %ld %016llx\n", lw_question_info(question)->name,
         method < 0 ? "default" : lw_method(method)->name,
         precision == LW_PRECISION_DOUBLE ? "double" : "single", asked.count,
         (unsigned long long)asked.hash);
}

static void hash_answers(void)
{
  for (int question = 0; question < LW_QUESTION_COUNT; ++question)
    for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
    {
      answers_of((lwQuestion)question, -1, (lwPrecision)precision);
      for (int method = 0; method < lw_method_count(); ++method)
        if (lw_method(method)->question == (lwQuestion)question)
          answers_of((lwQuestion)question, method, (lwPrecision)precision);
    }
}

// --- runs

static lwIntegratorDef integrator_of(int k, const char** name)
{
  const lwIntegratorMethod* method = lw_integrator_method(k % lw_integrator_method_count());
  lwIntegratorDef def              = lw_integrator_def();
  def.method = *name = method->name;
  def.step           = 1e-3;
  def.relative       = 1e-6;
  def.absolute       = 1e-6;
  return def;
}

static void hash_arm(int seed)
{
  lwRandom random        = {(uint64_t)seed + 50000};
  int n                  = 1 + seed % 4;
  lwModel* model         = random_model((uint64_t)seed + 2000, n);
  lwJointDrive drives[4] = {{0}};
  lwLaw* laws[4]         = {NULL};
  double q[4], qd[4];
  const char* name;
  lwArmRun* run = NULL;
  for (int k = 0; k < n; ++k)
  {
    q[k]  = lw_random_between(&random, -0.3, 0.3);
    qd[k] = lw_random_between(&random, -3, 3);
    require(lw_law_create("torque", "20*sin(7*t+k)*exp(-t)", NULL, &laws[k]) == LW_OK,
            "a law is refused");
    drives[k] = (lwJointDrive){.signal = LW_SIGNAL_LAW, .law = laws[k]};
  }
  lwArmDef def   = lw_arm_def();
  def.model      = model;
  def.integrator = integrator_of(seed, &name);
  def.limits     = LW_LIMIT_MODE_HOLD;
  def.q          = q;
  def.qd         = qd;
  def.drives     = drives;
  require(lw_arm_run_create(&def, NULL, &run) == LW_OK, "a run is refused");
  uint64_t hash = EMPTY;
  for (int k = 1; k <= RECORDS; ++k)
  {
    hash           = hash_number(hash, lw_arm_run_advance(run, (double)k / RECORDS, NULL));
    lwArmSample at = lw_arm_run_sample(run);
    hash           = hash_numbers(hash, at.q, (size_t)n);
    hash           = hash_numbers(hash, at.qd, (size_t)n);
    hash           = hash_number(hash, at.S);
  }
  printf("arm %s %d %ld %016llx\n", name, seed, lw_arm_run_audit(run).events,
         (unsigned long long)hash);
  lw_arm_run_destroy(run);
  for (int k = 0; k < n; ++k) lw_law_destroy(laws[k]);
  lw_model_destroy(model);
}

static lwSnake* random_chain(lwRandom* random, int n)
{
  lwSnakeLink links[MOST_LINKS];
  for (int i = 0; i < n; ++i)
  {
    links[i]                = lw_snake_link();
    links[i].length         = lw_random_between(random, 0.1, 0.4);
    links[i].mass           = lw_random_between(random, 0.2, 3);
    links[i].inertia        = lw_random_between(random, 0.002, 0.02);
    links[i].friction_limit = lw_random_between(random, 1, 30);
    if (i == n - 1) continue;
    links[i].lower = lw_random_between(random, -1.2, -0.6);
    links[i].upper = lw_random_between(random, 0.6, 1.2);
  }
  lwSnakeDef def = lw_snake_def();
  def.count      = n;
  def.links      = links;
  lwSnake* snake = NULL;
  require(lw_snake_create(&def, NULL, NULL, &snake) == LW_OK, "a snake is refused");
  return snake;
}

static void hash_snake(int seed)
{
  lwRandom random = {(uint64_t)seed + 90000};
  int n           = 3 + seed % (MOST_LINKS - 2);
  lwSnake* snake  = random_chain(&random, n);
  double theta[MOST_LINKS];
  const char* name;
  lwSnakeRun* run = NULL;
  lwLaw* law      = NULL;
  require(lw_law_create("torque", "2*sin(5*t+k)", NULL, &law) == LW_OK, "a law is refused");
  lwSnakeRunDef def = lw_snake_run_def();
  def.snake         = snake;
  def.law           = law;
  def.integrator    = integrator_of(seed, &name);
  def.slip = def.stops = true;
  require(lw_snake_run_create(&def, NULL, &run) == LW_OK, "a run is refused");
  for (int k = 0; k < n; ++k) theta[k] = lw_random_between(&random, -0.25, 0.25);
  lwSnakeSample at = {.theta = theta};
  for (int k = 0; k < 2; ++k) at.u[k] = lw_random_between(&random, -1, 1);
  lw_snake_run_start(run, &at);
  uint64_t hash = EMPTY;
  for (int k = 1; k <= RECORDS; ++k)
  {
    hash = hash_number(hash, lw_snake_run_to(run, (double)k / RECORDS, &at, NULL));
    hash = hash_numbers(hash, theta, (size_t)n);
    hash = hash_numbers(hash, at.u, 2);
    hash = hash_number(hash_number(hash, at.x), at.S);
  }
  printf("snake %s %d %ld %016llx\n", name, seed, lw_snake_run_audit(run).events,
         (unsigned long long)hash);
  lw_snake_run_destroy(run);
  lw_law_destroy(law);
  lw_snake_destroy(snake);
}

// Whether this machine has the instruction set that LINKWORK_ISA names.
static bool can_compute(void)
{
  lwWorkspace* ws = NULL;
  lwModel* model  = random_model(1, 1);
  lwStatus status = lw_workspace_create(model, NULL, NULL, &ws);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  return status != LW_ERROR_ISA;
}

int main(int count, char** arguments)
{
  if (!can_compute()) return 2;
  if (count > 1 && !strcmp(arguments[1], "--all"))
  {
    robots = 240;
    arms   = 140;
    snakes = 60;
  }
  hash_answers();
  for (int k = 0; k < arms; ++k) hash_arm(k);
  for (int k = 0; k < snakes; ++k) hash_snake(k);
  free(output);
  return 0;
}
