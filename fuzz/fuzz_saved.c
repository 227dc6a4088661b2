// SPDX-License-Identifier: MIT
// Saved states of runs of arms, snakes and fleets with some bytes changed and the checksum made
// right again. A state that is refused changes nothing; from one that is taken the run goes on for
// a bounded number of evaluations, however wrong its numbers are.
#include "base/state.h"
#include "bytes.h"
#include "checks.h"
#include "linkwork/fleet.h"
#include "linkwork/read.h"
#include "linkwork/scenario.h"

enum
{
  ARMS             = 4,
  LINKS            = 4,
  FLEET            = 3,
  MOST_STATE       = 1 << 17,
  MOST_EVALUATIONS = 400
};

static const char* const texts[ARMS] = {
    "linkwork: 1\nrobot: rods.yaml\ninitial: {q: {shoulder: -90 deg, elbow: 0.5}}\nduration: 9\n"
    "limits: stop\ncontroller: {kind: pd-gravity, kp: 100, kd: [20, 5], reference: {q: [0.1*t, "
    "sin(3*t)]}}\nwrench: {force: [0, 0, -20], frame: base, from: 0.1, to: 0.2}\n"
    "integrator: {method: rk4, step: 1e-2}\n",
    "linkwork: 1\nrobot: slides.yaml\ninitial: {qd: [1.2, 0]}\nduration: 9\nlimits: hold\n"
    "drives: {a: {torque: 2.4}, b: {torque: -2.8}}\nintegrator: {method: bdf, rtol: 1e-4}\n",
    "linkwork: 1\nrobot: slides.yaml\ninitial: {q: [0.95, -0.96]}\nduration: 9\nlimits: hold\n"
    "friction: full\ndrives:\n  a: {torque: 3*sin(9*t) - 0.1*qd}\n  b: {voltage: 2*cos(t), dac: "
    "{period: 0.02, bits: 6, range: 5}}\nevents:\n  - {at: 0.05, drives: {b: {spring: {stiffness: "
    "50, damping: 1, rest: here, preload: here}}}}\n  - {joint: a, when: q - 0.9, drives: {a: "
    "{torque: -1}}}\n"
    "integrator: {method: dormand-prince, rtol: 1e-6}\n",
    "linkwork: 1\nrobot: rods.yaml\ninitial: {qd: [3, 2]}\nduration: 9\nlimits: hold\n"
    "integrator: {method: dop853, rtol: 1e-6}\n",
};

// A run, and its state when it had just begun.
typedef struct Kept
{
  void* run;
  const void* owner;  // of what the run refers to
  uint8_t state[MOST_STATE];
  size_t size;
} Kept;

static long evaluations;
static volatile sig_atomic_t enough;

static void count_evaluation(void)
{
  if (++evaluations > MOST_EVALUATIONS) enough = 1;
}

static void arm_evaluated(void* context, double t, const double* q, const double* qd, double* tau)
{
  (void)context, (void)t, (void)q, (void)qd, (void)tau;
  count_evaluation();
}

static void snake_evaluated(void* context, double t, const double* theta, const double u[2],
                            const double place[2], double* torque)
{
  (void)context, (void)u, (void)place;
  for (int k = 0; k < LINKS - 1; ++k) torque[k] = 0.3 * theta[k] - 0.1 * t;
  count_evaluation();
}

// --- arms

static void begin_arm(Kept* kept, int which)
{
  lwScenario* scenario = NULL;
  lwArmRun* run        = NULL;
  require(lw_scenario_read_text(FUZZ_FOLDER "/robots/saved.yaml", texts[which],
                                strlen(texts[which]), NULL, NULL, &scenario) == LW_OK);
  lwArmDef def = *lw_scenario_arm(scenario);
  def.torques  = arm_evaluated;
  require(lw_arm_run_create(&def, NULL, &run) == LW_OK);
  lw_arm_run_advance(run, 0.1, NULL);
  kept->run   = run;
  kept->owner = scenario;
  kept->size  = lw_arm_run_save(run, kept->state, sizeof kept->state);
}

static void go_on_arm(lwArmRun* run)
{
  char text[200];
  lwArmRun* copy = NULL;
  lw_arm_run_sample(run);
  if (lw_arm_run_clone(run, NULL, &copy) == LW_OK)
  {
    double t = lw_arm_run_time(copy);
    if (lw_arm_run_advance(copy, t + 0.05, &enough) == LW_OUTCOME_ARRIVED)
      require(lw_arm_run_time(copy) == t + 0.05);
    lw_arm_run_sample(copy);
    lw_arm_run_why(copy, text, sizeof text);
    require(lw_arm_run_audit(copy).note_count <= LW_MAX_NOTES);
  }
  lw_arm_run_destroy(copy);
}

// --- a snake

static void begin_snake(Kept* kept)
{
  lwSnakeLink links[LINKS];
  double theta[LINKS]  = {0.1, 0.2, -0.1, 0.3};
  lwSnake* snake       = NULL;
  lwSnakeRun* run      = NULL;
  lwSnakeDef def       = lw_snake_def();
  lwSnakeRunDef course = lw_snake_run_def();
  for (int k = 0; k < LINKS; ++k)
  {
    links[k]                = lw_snake_link();
    links[k].length         = 0.2;
    links[k].mass           = 1;
    links[k].inertia        = 0.01;
    links[k].friction_limit = 2;
    if (k == LINKS - 1) break;  // the joint ahead of it
    links[k].lower = -0.7;
    links[k].upper = 0.7;
  }
  def.count = LINKS;
  def.links = links;
  require(lw_snake_create(&def, NULL, NULL, &snake) == LW_OK);
  course.snake             = snake;
  course.integrator.method = "dormand-prince";
  course.drive             = snake_evaluated;
  course.slip = course.stops = true;
  require(lw_snake_run_create(&course, NULL, &run) == LW_OK);
  lwSnakeSample sample = {.theta = theta, .u = {0.4, 0.2}};
  lw_snake_run_start(run, &sample);
  lw_snake_run_to(run, 0.1, &sample, NULL);
  kept->run  = run;
  kept->size = lw_snake_run_save(run, kept->state, sizeof kept->state);
}

static void go_on_snake(lwSnakeRun* run)
{
  double theta[LINKS];
  lwSnakeSample sample = {.theta = theta};
  lw_snake_run_to(run, lw_snake_run_time(run) + 0.05, &sample, &enough);
  require(lw_snake_run_audit(run).note_count <= LW_MAX_NOTES);
}

// --- a fleet

static void begin_fleet(Kept* kept)
{
  lwModel* model = NULL;
  lwFleet* fleet = NULL;
  lwFleetDef def = lw_fleet_def();
  require(lw_robot_read_file(FUZZ_FOLDER "/robots/rods.yaml", NULL, NULL, &model) == LW_OK);
  def.count   = FLEET;
  def.model   = model;
  def.threads = 1;
  require(lw_fleet_create(&def, NULL, &fleet) == LW_OK);
  lw_fleet_advance(fleet, 0.01);
  kept->run  = fleet;
  kept->size = lw_fleet_save(fleet, kept->state, sizeof kept->state);
}

static void go_on_fleet(lwFleet* fleet)
{
  double q[FLEET * 2];
  double t = lw_fleet_time(fleet);
  require(lw_fleet_advance(fleet, t + 0.005) <= FLEET);
  lw_fleet_states(fleet, q, NULL);
  for (int i = 0; i < FLEET; ++i) lw_fleet_arm(fleet, i);
}

// --- any of them

static Kept* kept_run(int which)
{
  static Kept* all[ARMS + 2];
  if (all[which]) return all[which];
  Kept* kept = all[which] = calloc(1, sizeof *kept);
  require(kept != NULL);
  if (which < ARMS)
    begin_arm(kept, which);
  else if (which == ARMS)
    begin_snake(kept);
  else
    begin_fleet(kept);
  require(kept->size <= sizeof kept->state);
  return kept;
}

static lwStatus restore(int which, void* run, const uint8_t* state, size_t size)
{
  if (which < ARMS) return lw_arm_run_restore(run, state, size, NULL);
  if (which == ARMS) return lw_snake_run_restore(run, state, size, NULL);
  return lw_fleet_restore(run, state, size, NULL);
}

static size_t save(int which, void* run, uint8_t* state)
{
  if (which < ARMS) return lw_arm_run_save(run, state, MOST_STATE);
  if (which == ARMS) return lw_snake_run_save(run, state, MOST_STATE);
  return lw_fleet_save(run, state, MOST_STATE);
}

// Changes some places of the state, each by a word with its kind, and signs it anew.
static void change(Bytes* bytes, uint8_t* state, size_t size)
{
  lwStateHead head;
  memcpy(&head, state, sizeof head);
  while (bytes->left > 0)
  {
    size_t words   = (size - sizeof head) / 8;
    size_t place   = take_byte(bytes) * 256u + take_byte(bytes);
    uint8_t* word  = state + sizeof head + 8 * (place % words);
    double number  = take_number(bytes);
    int64_t whole  = take_int(bytes, 0, 255) - 100;
    uint8_t choice = take_byte(bytes) % 3;
    if (choice == 0) memcpy(word, &number, 8);
    if (choice == 1) memcpy(word, &whole, 8);
    if (choice == 2) word[take_byte(bytes) % 8] ^= take_byte(bytes);
  }
  head.sum = lw_state_hash(0xCBF29CE484222325u, state + sizeof head, size - sizeof head);
  memcpy(state, &head, sizeof head);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static uint8_t changed[MOST_STATE], again[MOST_STATE];
  Bytes bytes      = {data, size};
  int which        = take_int(&bytes, 0, ARMS + 1);
  const Kept* kept = kept_run(which);
  evaluations      = 0;
  enough           = 0;
  memcpy(changed, kept->state, kept->size);
  change(&bytes, changed, kept->size);
  if (restore(which, kept->run, changed, kept->size) != LW_OK)
  {
    require(save(which, kept->run, again) == kept->size);
    require(!memcmp(again, kept->state, kept->size));
    return 0;
  }
  if (which < ARMS)
    go_on_arm(kept->run);
  else if (which == ARMS)
    go_on_snake(kept->run);
  else
    go_on_fleet(kept->run);
  require(restore(which, kept->run, kept->state, kept->size) == LW_OK);
  require(save(which, kept->run, again) == kept->size);
  require(!memcmp(again, kept->state, kept->size));
  return 0;
}
