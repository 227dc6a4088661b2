// SPDX-License-Identifier: MIT
// Random arms, splines, cycles and limits of all kinds: limits are kept on a grid ten times as fine, judged
// by the equations of `linkwork drives`; the gap to the bound and the error of the grid are small.
//
// LINKWORK_RETIME_PATHS=10000 build/release/tests/test_retime_random_paths runs more paths than the
// default and prints the figures.
#include <time.h>

#include "random_tasks.h"

enum
{
  FINE = 10
};

static int path_count(void)
{
  const char* given = getenv("LINKWORK_RETIME_PATHS");
  return given ? atoi(given) : CASES(12, 4);
}

// The largest load of a joint over its limit at an instant, as `drives` judges it.
static double joint_excess(const lwJointDef* joint, const lwJointSample* sample)
{
  static const lwLoad judged[] = {LW_LOAD_TORQUE, LW_LOAD_SPEED, LW_LOAD_CURRENT, LW_LOAD_VOLTAGE};
  double loads[LW_LOAD_COUNT], worst = fabs(sample->qdd) / joint->limits.acceleration - 1;
  lw_joint_loads(joint, sample, 0, loads);
  for (int k = 0; k < 4; ++k)
    worst = fmax(worst, fabs(loads[judged[k]]) / lw_joint_limit(joint, judged[k]) - 1);
  return worst;
}

typedef struct Judge
{
  const Task* task;
  lwWorkspace *ws, *tool;
  double q[MOST_JOINTS], qd[MOST_JOINTS], qdd[MOST_JOINTS], tau[MOST_JOINTS];
} Judge;

static double length3(const double* v)
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double norm_excess(Judge* judge)
{
  const lwRetimeDef* def = &judge->task->def;
  const lwModel* model   = judge->task->model;
  double J[6 * MOST_JOINTS], rate[12], v[3], a[3], reactions[6 * MOST_JOINTS];
  int n = lw_model_dof(model);
  lw_jacobian(model, judge->tool, judge->q, J);
  lw_answer(model, judge->tool, LW_QUESTION_JACOBIAN_RATE,
            &(lwStates){.q = judge->q, .qd = judge->qd}, rate);
  for (int k = 0; k < 3; ++k)
  {
    v[k] = 0, a[k] = rate[6 + k];
    for (int j = 0; j < n; ++j) v[k] += J[k * n + j] * judge->qd[j];
    for (int j = 0; j < n; ++j) a[k] += J[k * n + j] * judge->qdd[j];
  }
  double worst = fmax(length3(v) / def->tool_speed, length3(a) / def->tool_acceleration);
  if (def->reaction_count > 0)
  {
    lw_reactions(model, judge->ws, judge->q, judge->qd, judge->qdd, reactions);
    const double* at = reactions + 6 * def->reactions[0].joint;
    worst            = fmax(worst, length3(at) / def->reactions[0].force);
    worst            = fmax(worst, length3(at + 3) / def->reactions[0].moment);
  }
  return worst - 1;
}

// Of the judge's q, qd and qdd.
static double state_excess(Judge* judge, double t)
{
  const lwModel* model = judge->task->model;
  double rigid[MOST_JOINTS], worst = -1;
  lw_inverse_dynamics(model, judge->ws, judge->q, judge->qd, judge->qdd, rigid);
  for (int j = 0; j < lw_model_dof(model); ++j)
  {
    const lwJointDef* joint = lw_model_joint_def(model, j);
    lwJointSample sample    = {t, judge->q[j], judge->qd[j], judge->qdd[j], rigid[j]};
    worst                   = fmax(worst, joint_excess(joint, &sample));
  }
  return fmax(worst, norm_excess(judge));
}

static double excess_at(Judge* judge, lwRetime* retime, double t)
{
  lwRetimePoint p = {.q = judge->q, .qd = judge->qd, .qdd = judge->qdd, .tau = judge->tau};
  lw_retime_at(retime, t, &p);
  return state_excess(judge, t);
}

static Judge judge_of(const Task* task)
{
  Judge judge = {.task = task};
  assert_int_equal(lw_workspace_create(task->model, NULL, NULL, &judge.ws), LW_OK);
  assert_int_equal(lw_workspace_create(task->model, NULL, NULL, &judge.tool), LW_OK);
  assert_int_equal(lw_workspace_set_frame(judge.tool, task->model, &task->tool, NULL), LW_OK);
  return judge;
}

static void judge_free(Judge* judge)
{
  lw_workspace_destroy(judge->ws);
  lw_workspace_destroy(judge->tool);
}

// Largest excess inside the intervals: at nodes friction jumps where a joint turns back.
static double motion_excess(const Task* task, lwRetime* retime)
{
  Judge judge  = judge_of(task);
  double worst = -1;
  for (int i = 0; i + 1 < lw_retime_points(retime); ++i)
    for (int k = 0; k < FINE; ++k)
    {
      double from = lw_retime_time(retime, i), to = lw_retime_time(retime, i + 1);
      worst = fmax(worst, excess_at(&judge, retime, from + (to - from) * (k + 0.5) / FINE));
    }
  judge_free(&judge);
  return worst;
}

typedef struct Figures
{
  int count, impossible, exceeded, wide_gap, coarse;
  double worst, gap, error, seconds, slowest;
} Figures;

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void take_task(Figures* figures, const Task* task, unsigned long long seed)
{
  lwRetime* retime;
  lwRetimeResult result;
  lwRetimeDef def   = task->def;
  lwRetimeEnds ends = task->ends;
  assert_int_equal(lw_retime_create(task->model, &def, NULL, &retime), LW_OK);
  double begin = seconds_now();
  ++figures->count;
  if (lw_retime(retime, task->path, &ends, &result) != LW_OK)
  {
    ++figures->impossible;
    lw_retime_destroy(retime);
    return;
  }
  double took = seconds_now() - begin, excess = motion_excess(task, retime);
  def.grid *= 4;
  double fine  = retimed(task->model, &def, task->path, ends).time;
  double error = fabs(result.time - fine) / result.time, gap = result.time / result.bound - 1;
  figures->seconds += took;
  figures->slowest = fmax(figures->slowest, took);
  figures->exceeded += excess > 1e-6;
  figures->wide_gap += gap > 1e-3;
  figures->coarse += error > 5e-4;
  figures->worst = fmax(figures->worst, excess);
  figures->gap   = fmax(figures->gap, gap);
  figures->error = fmax(figures->error, error);
  if (excess > 1e-6 || gap > 1e-3 || error > 5e-4)
    print_message(
        "seed %llu: %d joints, T %.6g, excess %.3g (said %.3g, %d rounds), gap %.3g, T(4N) %+.3g\n",
        seed, lw_model_dof(task->model), result.time, excess, result.excess, result.rounds, gap,
        fine / result.time - 1);
  lw_retime_destroy(retime);
}

static void limits_are_kept(void** state)
{
  Figures figures = {.worst = -1};
  int count = path_count(), cycles = 0, rings = 0;
  (void)state;
  for (int k = 0; k < count; ++k)
  {
    lwRandom random = {(unsigned long long)k + 1};
    Task task;
    task_make(&random, &task, k % 3 == 2 ? TASK_CYCLE : TASK_SPLINE);
    cycles += task.cycle != NULL;
    rings += task.ends.closed;
    take_task(&figures, &task, (unsigned long long)k + 1);
    task_free(&task);
  }
  int solved = figures.count - figures.impossible;
  print_message(
      "%d paths (%d cycles, %d closed), %d without a motion; %d exceed a limit by more than 1e-6 "
      "(worst %.3g); gap above "
      "0.1 %% in %d (worst %.3g); |T(N) - T(4N)| above 0.05 %% in %d (worst %.3g); %.3g ms "
      "each, %.3g at most\n",
      figures.count, cycles, rings, figures.impossible, figures.exceeded, figures.worst,
      figures.wide_gap, figures.gap, figures.coarse, figures.error, 1e3 * figures.seconds / solved,
      1e3 * figures.slowest);
  assert_int_equal(figures.exceeded, 0);
  assert_at_most(figures.wide_gap, 0.01 * solved + 1);
  assert_at_most(figures.coarse, 0.05 * solved + 1);
  assert_at_most(figures.impossible, 0.02 * count + 1);
}

// --- comparisons with other motions

// The least duration of a quintic from rest to rest over the path that keeps all limits.
static double quintic_duration(const Task* task)
{
  enum
  {
    SAMPLES = 300
  };
  Judge judge  = judge_of(task);
  double whole = lw_trajectory_duration(task->path), low = 0, high = 1000;
  double q1[MOST_JOINTS], q2[MOST_JOINTS];
  for (int k = 0; k < 40; ++k)
  {
    double T = k == 0 ? high : 0.5 * (low + high), worst = -1;
    for (int i = 1; i < SAMPLES; ++i)
    {
      double z = (double)i / SAMPLES, s = whole * z * z * z * (10 - 15 * z + 6 * z * z);
      double w = whole * 30 * z * z * (1 - z) * (1 - z) / T;
      double u = whole * 60 * z * (1 - z) * (1 - 2 * z) / (T * T);
      lw_trajectory_at(task->path, s, judge.q, q1, q2);
      for (int j = 0; j < lw_model_dof(task->model); ++j)
      {
        judge.qd[j]  = q1[j] * w;
        judge.qdd[j] = q1[j] * u + q2[j] * w * w;
      }
      worst = fmax(worst, state_excess(&judge, T * z));
    }
    *(worst > 0 ? &low : &high) = T;
  }
  judge_free(&judge);
  return high;
}

// The same robot with all limits of its joints times a factor.
static lwModel* with_limits(const lwModel* model, double factor)
{
  const lwRobotDef* robot = lw_model_robot(model);
  lwJointDef joints[MOST_JOINTS];
  for (int j = 0; j < robot->count; ++j)
  {
    joints[j] = robot->joints[j];
    joints[j].limits.velocity *= factor;
    joints[j].limits.acceleration *= factor;
    joints[j].limits.effort *= factor;
    joints[j].motor.voltage *= factor;
    joints[j].motor.current *= factor;
  }
  return robot_of_joints(joints, robot->count);
}

static void nothing_is_faster(void** state)
{
  (void)state;
  for (unsigned long long seed = 1; seed <= 8; ++seed)
  {
    lwRandom random = {seed};
    Task task;
    task_make(&random, &task, TASK_SPLINE);
    lwModel* strong       = with_limits(task.model, 2);
    lwRetimeEnds ends     = {0};
    lwRetimeResult result = retimed(task.model, &task.def, task.path, ends);
    assert_finite(result.time);
    assert_at_most(retimed(strong, &task.def, task.path, ends).time, result.time * (1 + 1e-6));
    assert_at_least(quintic_duration(&task), result.time);
    lw_model_destroy(strong);
    task_free(&task);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(limits_are_kept),
                                     cmocka_unit_test(nothing_is_faster)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
