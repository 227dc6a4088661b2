// SPDX-License-Identifier: MIT
// Fleets: every arm moves as it does alone and as with the plain kernel, to the last bit, and as in
// a run of one arm up to rounding. An arm that diverges stops without affecting the others.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/fleet.h"
#include "linkwork/read.h"
#include "model/model_internal.h"
#include "support/arms.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  MOST = 21  // arms; whole vectors of every width and a remainder
};

static const double STEP = 1e-3, END = 0.02;  // s

// --- arms of one structure

// The robot of this seed with other dimensions, masses, friction and motors; k = 0: unchanged.
static Robot* relative_of(uint64_t seed, int k)
{
  Robot* robot    = any_robot(seed);
  lwRandom random = {seed + 77 * (uint64_t)k};
  for (int i = 0; i < robot->def.count; ++i)
  {
    lwJointDef* joint = &robot->joints[i];
    double factor     = lw_random_between(&random, 0.8, 1.5);
    if (k > 0) joint->link.mass *= factor;
    for (int j = 0; j < 6 && k > 0; ++j) joint->link.inertia[j] *= factor;
    for (int j = 0; j < 3 && k > 0; ++j) joint->xyz[j] *= factor;
    if (k % 3 == 1) joint->a *= factor;
    if (k % 3 == 1) joint->d *= factor;
    if (k % 3 == 2) joint->alpha += 0.1;
    if (joint->type == LW_JOINT_FIXED) continue;
    joint->friction.viscous      = lw_random_between(&random, 0, 0.5);
    joint->motor                 = lw_joint_def().motor;
    joint->motor.given           = true;
    joint->motor.resistance      = 1;
    joint->motor.torque_constant = 0.1;
    joint->motor.gear            = 50;
    joint->motor.rotor_inertia   = lw_random_between(&random, 0, 1e-5);
  }
  robot_rebuild(robot);
  return robot;
}

typedef struct Arms
{
  int count, n;
  Robot* robots[MOST];
  const lwModel* models[MOST];
  States states;
} Arms;

static Arms arms_of(uint64_t seed, int count)
{
  Arms arms = {.count = count};
  for (int k = 0; k < count; ++k)
  {
    arms.robots[k] = relative_of(seed, k);
    arms.models[k] = arms.robots[k]->model;
  }
  arms.n      = lw_model_dof(arms.models[0]);
  arms.states = random_states(seed, arms.models[0], count);
  return arms;
}

static void arms_free(Arms* arms)
{
  states_free(&arms->states);
  for (int k = 0; k < arms->count; ++k) robot_free(arms->robots[k]);
}

// --- fleets

static lwFleet* fleet_of(const lwFleetDef* def)
{
  lwFleet* fleet;
  assert_int_equal(lw_fleet_create(def, NULL, &fleet), LW_OK);
  return fleet;
}

static lwFleetDef def_of(const Arms* arms, const char* method)
{
  lwFleetDef def = lw_fleet_def();
  def.count      = arms->count;
  def.models     = arms->models;
  def.method     = method;
  def.step       = STEP;
  return def;
}

// q, then qd (count x n each) of the arms from `first` on after a run.
static double* moved(const lwFleetDef* def, const Arms* arms, int first)
{
  size_t n = (size_t)arms->n, size = (size_t)def->count * n, from = (size_t)first * n;
  double* y      = numbers(2 * size);
  lwFleet* fleet = fleet_of(def);
  assert_int_equal(lw_fleet_set_torques(fleet, arms->states.tau + from), LW_OK);
  assert_int_equal(lw_fleet_start(fleet, 0, arms->states.q + from, arms->states.qd + from), LW_OK);
  assert_int_equal(lw_fleet_advance(fleet, END), def->count);
  assert_same(lw_fleet_time(fleet), END);
  lw_fleet_states(fleet, y, y + size);
  lw_fleet_destroy(fleet);
  return y;
}

// Row k of q or qd is the same in both.
static void same_bits(const char* what, const Arms* arms, const double* rows, int k,
                      const double* row)
{
  Trial trial = {arms->robots[0]->seed, NULL, arms->n, LW_QUESTION_FORWARD, NULL, what, NULL};
  size_t n = (size_t)arms->n, all = (size_t)arms->count * n;
  check_equal(&trial, rows + (size_t)k * n, row, n);
  check_equal(&trial, rows + all + (size_t)k * n, row + n, n);
}

// One arm alone, with its model in every lane or in one lane only.
static double* alone(const lwFleetDef* together, const Arms* arms, int k, bool mixed)
{
  lwFleetDef def = *together;
  def.count      = 1;
  def.models     = mixed ? arms->models + k : NULL;
  def.model      = mixed ? NULL : arms->models[k];
  return moved(&def, arms, k);
}

static void alone_and_together(void** unused)
{
  (void)unused;
  for (uint64_t seed = 300; seed < 312; ++seed)
  {
    Arms arms      = arms_of(seed, 1 + (int)(seed * 7 % MOST));
    lwFleetDef def = def_of(&arms, seed % 2 ? "rk4" : "kutta3");
    def.viscous    = seed % 3 == 0;
    def.rotors     = seed % 3 == 1;
    def.threads    = 1 + (int)(seed % 3);
    double* all    = moved(&def, &arms, 0);
    for (int k = 0; k < arms.count; ++k)
    {
      double *mixed = alone(&def, &arms, k, true), *same = alone(&def, &arms, k, false);
      same_bits("alone, as one of a mixed fleet", &arms, all, k, mixed);
      same_bits("alone, as one of equal arms", &arms, all, k, same);
      free(mixed);
      free(same);
    }
    free(all);
    arms_free(&arms);
  }
}

// Equal arms, in any number and on any number of threads.
static void counts_and_threads(void** unused)
{
  (void)unused;
  Arms arms      = arms_of(320, MOST);
  lwFleetDef def = def_of(&arms, "rk4");
  def.model      = arms.models[0];
  def.threads    = 1;
  double* all    = moved(&def, &arms, 0);
  for (int threads = 0; threads < 5; ++threads)
    for (int count = 1; count <= MOST; count += 4)
    {
      def.threads = threads;
      def.count   = count;
      Arms some   = arms;
      some.count  = count;
      double* y   = moved(&def, &some, 0);
      for (int k = 0; k < count; ++k)
      {
        double row[2 * MAX_DOF];
        size_t n = (size_t)arms.n, bytes = n * sizeof *row;
        memcpy(row, all + (size_t)k * n, bytes);
        memcpy(row + n, all + (size_t)(MOST + k) * n, bytes);
        same_bits("another number of arms or threads", &some, y, k, row);
      }
      free(y);
    }
  free(all);
  arms_free(&arms);
}

// --- against other code

typedef struct Single
{
  const lwModel* model;
  lwWorkspace* ws;
  const double* tau;
} Single;

static void single_rates(void* context, double t, const double* y, double* rates)
{
  (void)t;
  Single* single = context;
  int n          = lw_model_dof(single->model);
  memcpy(rates, y + n, (size_t)n * sizeof *rates);
  lw_forward_dynamics(single->model, single->ws, y, y + n, single->tau, rates + n);
}

// One arm by the library's integrator and the plain kernel.
static void plain_kernel(const lwModel* model, const lwStates* state, bool rotors, double* y)
{
  Single single       = {.model = model, .tau = state->tau};
  lwWorkspaceDef how  = lw_workspace_def();
  lwIntegratorDef def = lw_integrator_def();
  int n               = lw_model_dof(model);
  lwIntegrator* integrator;
  how.forward = "articulated-body";
  how.rotors  = rotors;
  def.step    = STEP;
  assert_int_equal(lw_workspace_create(model, &how, NULL, &single.ws), LW_OK);
  assert_int_equal(lw_integrator_create(&def, 2 * n, single_rates, &single, NULL, &integrator),
                   LW_OK);
  memcpy(y, state->q, (size_t)n * sizeof *y);
  memcpy(y + n, state->qd, (size_t)n * sizeof *y);
  lw_integrator_start(integrator, 0, y);
  assert_int_equal(lw_integrator_advance(integrator, END, y, NULL), LW_PROGRESS_ARRIVED);
  lw_integrator_destroy(integrator);
  lw_workspace_destroy(single.ws);
}

static void equals_the_plain_kernel(void** unused)
{
  (void)unused;
  for (uint64_t seed = 330; seed < 342; ++seed)
  {
    Arms arms      = arms_of(seed, 5);
    lwFleetDef def = def_of(&arms, "rk4");
    def.rotors     = seed % 2;
    double* all    = moved(&def, &arms, 0);
    for (int k = 0; k < arms.count; ++k)
    {
      double y[2 * MAX_DOF];
      lwStates row = state_row(&arms.states, arms.models[k], k);
      plain_kernel(arms.models[k], &row, def.rotors, y);
      same_bits("plain kernel", &arms, all, k, y);
    }
    free(all);
    arms_free(&arms);
  }
}

// A run of a single arm adds the same torques in a different order, so the two differ by rounding:
// 1e-9 of the motion here.
static void agrees_with_a_run(void** unused)
{
  (void)unused;
  for (uint64_t seed = 350; seed < 354; ++seed)
  {
    Arms arms      = arms_of(seed, 3);
    lwLaw* law     = law_of("3*sin(9*t) + k/n - 2*q - 0.3*qd");
    lwFleetDef def = def_of(&arms, "kutta3");
    def.viscous = def.rotors = true;
    def.law                  = law;
    lwFleet* fleet           = fleet_of(&def);
    double q[3 * MAX_DOF], qd[3 * MAX_DOF];
    lw_fleet_start(fleet, 0, arms.states.q, arms.states.qd);
    assert_int_equal(lw_fleet_advance(fleet, END), 3);
    lw_fleet_states(fleet, q, qd);
    for (int k = 0; k < 3; ++k)
    {
      lwJointDrive drives[MAX_DOF] = {0};
      lwArmDef one                 = arm_with(arms.models[k], "kutta3", STEP);
      for (int i = 0; i < arms.n; ++i)
        drives[i] = (lwJointDrive){.signal = LW_SIGNAL_LAW, .law = law};
      one.friction       = LW_FRICTION_MODEL_VISCOUS;
      one.drives         = drives;
      one.q              = arms.states.q + k * arms.n;
      one.qd             = arms.states.qd + k * arms.n;
      lwArmRun* run      = run_of(&one);
      lwArmSample sample = go_to(run, END);
      for (int i = 0; i < arms.n; ++i)
      {
        near_to("position", q[k * arms.n + i], sample.q[i], 1e-9 * (1 + fabs(sample.q[i])));
        near_to("velocity", qd[k * arms.n + i], sample.qd[i], 1e-9 * (1 + fabs(sample.qd[i])));
      }
      lw_arm_run_destroy(run);
    }
    lw_fleet_destroy(fleet);
    lw_law_destroy(law);
    arms_free(&arms);
  }
}

// --- energy

// What became of the last of five PUMAs after 2 s, asked for so many times on the way.
static lwFleetArm end_of_pumas(const lwModel* model, const lwLaw* law, double step, bool mixed,
                               int asked)
{
  const lwModel* models[5] = {model, model, model, model, model};
  lwFleetDef def           = lw_fleet_def();
  def.count                = 5;
  def.model                = mixed ? NULL : model;
  def.models               = mixed ? models : NULL;
  def.step                 = step;
  def.end                  = 2;
  def.threads              = 2;
  def.viscous = def.rotors = true;
  def.law                  = law;
  lwFleet* fleet           = fleet_of(&def);
  for (int k = 1; k <= asked; ++k) assert_int_equal(lw_fleet_advance(fleet, 2.0 * k / asked), 5);
  lwFleetArm arm = lw_fleet_arm(fleet, 4);
  lw_fleet_destroy(fleet);
  return arm;
}

static lwAudit audit_of_puma(const lwModel* model, const lwLaw* law, double step)
{
  lwJointDrive drives[6] = {0};
  lwArmDef one           = arm_with(model, "rk4", step);
  for (int i = 0; i < 6; ++i) drives[i] = (lwJointDrive){.signal = LW_SIGNAL_LAW, .law = law};
  one.friction       = LW_FRICTION_MODEL_VISCOUS;
  one.drives         = drives;
  one.integrator.end = 2;
  lwArmRun* run      = run_of(&one);
  go_to(run, 2);
  lwAudit audit = lw_arm_run_audit(run);
  lw_arm_run_destroy(run);
  return audit;
}

// The verdict is that of a run of one arm. A fleet sees the energy at every fourth step, so its
// largest S may be a little smaller, and so may the bound.
static void energy_is_judged(void** unused)
{
  (void)unused;
  static const double steps[] = {0.001, 0.02, 0.12};
  lwModel* model              = NULL;
  lwLaw* law                  = law_of("60*sin(9*t)");
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/puma560.yaml", NULL, NULL, &model), LW_OK);
  for (int i = 0; i < 6; ++i)
  {
    bool mixed     = i >= 3;
    double step    = steps[i % 3];
    lwAudit one    = audit_of_puma(model, law, step);
    lwFleetArm arm = end_of_pumas(model, law, step, mixed, 1);
    assert_int_equal(one.trusted, step < 0.1);
    assert_int_equal(arm.trusted, one.trusted);
    assert_at_most(arm.worst_S, one.worst_S * 1.001 + 1e-9);  // J, rounding of 200 J turned over
    assert_at_least(arm.worst_S, 0.5 * one.worst_S - 1e-9);
    assert_at_most(arm.bound, 1.001 * one.bound);
    assert_at_least(arm.bound, 0.8 * one.bound);
    assert_same(end_of_pumas(model, law, step, mixed, 37).worst_S, arm.worst_S);
  }
  lw_law_destroy(law);
  lw_model_destroy(model);
}

// A motion that is finite, with an energy that is not: neither run is trusted.
static void energy_overflows(void** unused)
{
  (void)unused;
  static const char text[] =
      "linkwork: 1\nname: one\ngravity: [0, 0, 0]\njoints:\n  - {name: a, type: prismatic, "
      "link: {mass: 1, com: [0, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}\n";
  static const double q[2] = {0}, qd[2] = {1e160, 1e160};
  lwModel* model = NULL;
  lwFleetDef def = lw_fleet_def();
  assert_int_equal(lw_robot_read_text("one", text, strlen(text), NULL, NULL, &model), LW_OK);
  lwArmDef one  = arm_with(model, "rk4", 0.1);
  one.q         = q;
  one.qd        = qd;
  lwArmRun* run = run_of(&one);
  assert_true(go_to(run, 1).qd[0] == qd[0]);
  assert_false(lw_arm_run_audit(run).trusted);
  lw_arm_run_destroy(run);

  def.count      = 2;
  def.model      = model;
  def.step       = 0.1;
  def.end        = 1;
  lwFleet* fleet = fleet_of(&def);
  assert_int_equal(lw_fleet_start(fleet, 0, q, qd), LW_OK);
  lw_fleet_advance(fleet, 1);
  assert_false(lw_fleet_arm(fleet, 1).trusted);
  lw_fleet_destroy(fleet);
  lw_model_destroy(model);
}

// --- torques

// The same torques as the law below, for every arm.
static void the_same(void* context, const lwFleetBlock* block)
{
  assert_at_most(block->count, block->stride);
  for (int i = 0; i < block->joints; ++i)
    for (int k = 0; k < block->count; ++k)
    {
      int at          = i * block->stride + k;
      lwLawPoint here = {block->t, i + 1, block->joints, block->q[at], block->qd[at]};
      block->tau[at] += lw_law_at(context, &here);
    }
}

static void three_ways_of_torques(void** unused)
{
  (void)unused;
  Arms arms          = arms_of(360, 11);
  lwLaw* law         = law_of("sin(5*t)*k - q + 0.1*qd*n");
  lwFleetDef by_law  = def_of(&arms, "rk4");
  lwFleetDef by_call = by_law;
  by_law.law         = law;
  by_call.torques    = the_same;
  by_call.context    = law;
  double *a = moved(&by_law, &arms, 0), *b = moved(&by_call, &arms, 0);
  Trial trial = {360, NULL, arms.n, LW_QUESTION_FORWARD, NULL, "law and callback", NULL};
  check_equal(&trial, a, b, 2 * 11 * (size_t)arms.n);
  lw_law_destroy(law);
  free(a);
  free(b);
  arms_free(&arms);
}

// --- divergence

typedef struct Kick
{
  int arm;        // the arm that is pushed
  double t;       // s, start of the push
  double torque;  // N m per rad/s
} Kick;

static void kick(void* context, const lwFleetBlock* block)
{
  const Kick* one = context;
  for (int k = 0; k < block->count; ++k)
    for (int i = 0; i < block->joints && block->arm[k] == one->arm && block->t >= one->t; ++i)
    {
      int at         = i * block->stride + k;
      block->tau[at] = one->torque * (block->qd[at] + 1);
    }
}

static void check_kick(const Arms* arms, Kick one, double fastest)
{
  lwFleetDef def    = def_of(arms, "rk4");
  double* untouched = moved(&def, arms, 0);
  size_t n = (size_t)arms->n, size = (size_t)arms->count * n;
  double* y      = numbers(2 * size);
  def.torques    = kick;
  def.context    = &one;
  def.fastest    = fastest;
  def.threads    = 2;
  lwFleet* fleet = fleet_of(&def);
  lw_fleet_set_torques(fleet, arms->states.tau);
  lw_fleet_start(fleet, 0, arms->states.q, arms->states.qd);
  assert_int_equal(lw_fleet_advance(fleet, END), arms->count - 1);
  lw_fleet_states(fleet, y, y + size);
  for (int k = 0; k < arms->count; ++k)
  {
    lwFleetArm arm = lw_fleet_arm(fleet, k);
    bool kicked    = k == one.arm;
    Trial trial    = {arms->robots[0]->seed, NULL, arms->n, LW_QUESTION_FORWARD, NULL,
                      "beside a kick",       NULL};
    assert_int_equal(arm.progress, kicked ? LW_PROGRESS_NOT_FINITE : LW_PROGRESS_ARRIVED);
    if (kicked)
    {
      assert_at_least(arm.t, one.t - STEP);
      assert_less(arm.t, END);
    }
    else
      assert_same(arm.t, END);
    for (size_t i = 0; i < n && kicked; ++i)
    {
      assert_finite(y[(size_t)k * n + i]);
      assert_at_most(fabs(y[size + (size_t)k * n + i]), fastest);
    }
    if (kicked) continue;
    check_equal(&trial, y + (size_t)k * n, untouched + (size_t)k * n, n);
    check_equal(&trial, y + size + (size_t)k * n, untouched + size + (size_t)k * n, n);
  }
  double before = y[(size_t)one.arm * n];
  assert_int_equal(lw_fleet_advance(fleet, 1.5 * END),
                   arms->count - 1);  // the diverged arm stays where it is
  lw_fleet_states(fleet, y, NULL);
  assert_same(y[(size_t)one.arm * n], before);
  assert_int_equal(lw_fleet_start(fleet, 0, NULL, NULL),
                   LW_OK);  // and restarts with all others
  assert_int_equal(lw_fleet_arm(fleet, one.arm).progress, LW_PROGRESS_ARRIVED);
  lw_fleet_destroy(fleet);
  free(y);
  free(untouched);
}

static void divergence_stays_in_its_lane(void** unused)
{
  (void)unused;
  Arms arms = arms_of(370, 13);
  for (int arm = 0; arm < arms.count; arm += 3)
  {
    check_kick(&arms, (Kick){arm, 0.0052, 1e300}, 1e9);        // not finite at once
    check_kick(&arms, (Kick){arm, 0.0052, (double)NAN}, 1e9);  // not finite at once
    check_kick(&arms, (Kick){arm, 0.0052, 1e7}, 1e4);          // gets too fast
    check_kick(&arms, (Kick){arm, 0, 1e9}, (double)INFINITY);  // not finite after some steps
  }
  arms_free(&arms);
}

// The last good state is the end state of a run up to that time.
static void the_last_good_state(void** unused)
{
  (void)unused;
  Arms arms      = arms_of(371, 2);
  Kick one       = {1, 0.0105, (double)NAN};
  lwFleetDef def = def_of(&arms, "rk4");
  double kicked[2 * MAX_DOF], before[2 * MAX_DOF];
  lwFleet* plain = fleet_of(&def);
  def.torques    = kick;
  def.context    = &one;
  lwFleet* fleet = fleet_of(&def);
  lw_fleet_start(fleet, 0, arms.states.q, arms.states.qd);
  lw_fleet_start(plain, 0, arms.states.q, arms.states.qd);
  assert_int_equal(lw_fleet_advance(fleet, END), 1);
  near_to("when it stopped", lw_fleet_arm(fleet, 1).t, 0.010, 1e-12);
  lw_fleet_advance(plain, 0.010);
  lw_fleet_states(fleet, kicked, NULL);
  lw_fleet_states(plain, before, NULL);
  for (int i = 0; i < arms.n; ++i)  // steps to 0.010 s differ from those to END by rounding of t
    near_to("its position", kicked[arms.n + i], before[arms.n + i], 1e-12);
  lw_fleet_destroy(fleet);
  lw_fleet_destroy(plain);
  arms_free(&arms);
}

// --- arms of several kinds of joints

// Parallel and nearly parallel axes take different branches in the kernel: an arm's bits must not
// depend on the other arms.
static void special_dimensions_do_not_mix(void** unused)
{
  (void)unused;
  static const double twists[] = {0, 1e-7, 0.3};
  Arms arms                    = {.count = 15, .n = 3};  // five of each: no whole vectors
  bool differs                 = false;
  for (int k = 0; k < arms.count; ++k)
  {
    Robot* robot    = robot_start();
    lwRandom random = {(uint64_t)k + 5};
    for (int i = 0; i < 3; ++i)
    {
      lwJointDef* joint = robot_add(robot, LW_JOINT_REVOLUTE, i - 1);
      joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
      joint->rpy[0]     = twists[(k + i) % 3];
      joint->xyz[0]     = 0.3;
      joint->xyz[1] = joint->xyz[2] = 0.1;
      random_link(&random, &joint->link);
    }
    robot_build(robot);
    arms.robots[k] = robot;
    arms.models[k] = robot->model;
    differs        = differs || memcmp(arms.models[k]->kind, arms.models[0]->kind, 3) != 0;
  }
  assert_true(differs);
  arms.states    = random_states(1, arms.models[0], arms.count);
  lwFleetDef def = def_of(&arms, "rk4");
  double* all    = moved(&def, &arms, 0);
  for (int k = 0; k < arms.count; ++k)
  {
    double* one = alone(&def, &arms, k, false);
    same_bits("among other kinds", &arms, all, k, one);
    free(one);
  }
  free(all);
  arms_free(&arms);
}

// --- what is refused

static void refused(const lwFleetDef* def, lwStatus status, const char* fragment)
{
  lwDiag* diag = lw_diag_create();
  lwFleet* fleet;
  assert_int_equal(lw_fleet_create(def, diag, &fleet), status);
  assert_null(fleet);
  assert_greater(lw_diag_size(diag), 0);
  if (!strstr(lw_diag_message(diag, 0)->text, fragment))
    fail_msg("'%s', expected '%s'", lw_diag_message(diag, 0)->text, fragment);
  lw_diag_destroy(diag);
}

static Robot* three_joints(lwJointType last, int parent, bool mimics)
{
  Robot* robot    = robot_start();
  lwRandom random = {3};
  for (int i = 0; i < 3; ++i)
  {
    lwJointDef* joint =
        robot_add(robot, i == 2 ? last : LW_JOINT_REVOLUTE, i == 2 ? parent : i - 1);
    joint->a = 0.2;
    if (i == 2 && mimics) joint->mimic = (lwMimic){true, 0, 1, 0};
    random_link(&random, &joint->link);
  }
  robot_build(robot);
  return robot;
}

static void what_is_refused(void** unused)
{
  (void)unused;
  Robot* robots[] = {
      three_joints(LW_JOINT_REVOLUTE, 1, false), three_joints(LW_JOINT_PRISMATIC, 1, false),
      three_joints(LW_JOINT_REVOLUTE, 0, false), three_joints(LW_JOINT_REVOLUTE, 1, true),
      three_joints(LW_JOINT_FIXED, 1, false)};
  static const char* const why[] = {"", "joint 3 is prismatic, expected revolute",
                                    "joint 3 rides on joint 1, expected 2", "mimic others",
                                    "arm 2 has 2 moving joints, expected 3"};
  for (int k = 1; k < 5; ++k)
  {
    const lwModel* models[] = {robots[0]->model, robots[k]->model};
    lwFleetDef def          = lw_fleet_def();
    def.models              = models;
    def.count               = 2;
    refused(&def, LW_ERROR_INPUT, why[k]);
  }
  lwFleetDef def = lw_fleet_def();
  refused(&def, LW_ERROR_INPUT, "no arms");
  def.model  = robots[0]->model;
  def.count  = 2;
  def.method = "dop853";
  refused(&def, LW_ERROR_METHOD, "'dop853' is no method of fixed steps");
  def.method = "nobody";
  refused(&def, LW_ERROR_METHOD, "expected kutta3 or rk4");
  def.method = "rk4";
  def.step   = 0;
  refused(&def, LW_ERROR_INPUT, "the step is 0 s");
  def.step    = 1e-3;
  def.fastest = 0;
  refused(&def, LW_ERROR_INPUT, "fastest is 0");
  def.fastest = 1;
  def.threads = -1;
  refused(&def, LW_ERROR_INPUT, "-1 threads");
  for (int k = 0; k < 5; ++k) robot_free(robots[k]);
}

static void states_that_are_not_finite(void** unused)
{
  (void)unused;
  Robot* robot   = three_joints(LW_JOINT_REVOLUTE, 1, false);
  lwFleetDef def = lw_fleet_def();
  def.model      = robot->model;
  def.count      = 2;
  lwFleet* fleet = fleet_of(&def);
  double bad[6]  = {0, 0, 0, 0, 0, (double)NAN}, q[6];
  assert_int_equal(lw_fleet_start(fleet, 0, bad, NULL), LW_ERROR_INPUT);
  assert_int_equal(lw_fleet_start(fleet, 0, NULL, bad), LW_ERROR_INPUT);
  assert_int_equal(lw_fleet_start(fleet, (double)INFINITY, NULL, NULL), LW_ERROR_INPUT);
  assert_int_equal(lw_fleet_set_torques(fleet, bad), LW_ERROR_INPUT);
  assert_int_equal(lw_fleet_advance(fleet, (double)NAN), 2);
  assert_int_equal(lw_fleet_advance(fleet, -1), 2);
  assert_same(lw_fleet_time(fleet), 0);
  lw_fleet_states(fleet, q, NULL);
  for (int i = 0; i < 6; ++i) assert_same(q[i], 0);
  assert_int_equal(lw_fleet_start(fleet, 1e18, NULL, NULL),
                   LW_OK);  // t is too large for the step to change it
  lw_fleet_advance(fleet, 1e18 + 128);
  assert_int_equal(lw_fleet_arm(fleet, 1).progress, LW_PROGRESS_STEP_VANISHED);
  lw_fleet_destroy(fleet);
  lw_fleet_destroy(NULL);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alone_and_together),      cmocka_unit_test(counts_and_threads),
      cmocka_unit_test(equals_the_plain_kernel), cmocka_unit_test(agrees_with_a_run),
      cmocka_unit_test(three_ways_of_torques),   cmocka_unit_test(divergence_stays_in_its_lane),
      cmocka_unit_test(the_last_good_state),     cmocka_unit_test(special_dimensions_do_not_mix),
      cmocka_unit_test(what_is_refused),         cmocka_unit_test(states_that_are_not_finite),
      cmocka_unit_test(energy_is_judged),        cmocka_unit_test(energy_overflows),
  };
  return cmocka_run_group_tests_name("fleets", tests, NULL, NULL);
}
