// SPDX-License-Identifier: MIT
// linkwork plan: a trajectory, sampled.
//
//   options, file --waypoints or line--> lwTrajectory --every dt--> rows
#include "io/files.h"
#include "plan_command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/simulate.h"
#include "states/states.h"

static const double MOST_SAMPLES = 1e8;

typedef lwStatus MakeMotion(const lwModel* model, const lwWaypointsDef* waypoints, lwDiag* diag,
                            lwTrajectory** trajectory);

typedef struct Profile
{
  const char* name;
  MakeMotion* make;     // NULL: a line
  const char* refused;  // options that it does not use
} Profile;

#define END_ACCELERATIONS "--from-qdd --to-qdd "
#define PLACES            "--pose --position --link --tool "
#define ENDS              "--from-qd --to-qd " END_ACCELERATIONS

static const Profile PROFILES[] = {
    {"quintic", lw_trajectory_create_quintic, PLACES "--join"},
    {"cubic", lw_trajectory_create_cubic, END_ACCELERATIONS PLACES},
    {"trapezoid", lw_trajectory_create_trapezoid, ENDS PLACES "--join --jerk"},
    {"s-curve", lw_trajectory_create_s_curve, ENDS PLACES "--join"},
    {"line", NULL, ENDS "--join --via --in"},
};

enum
{
  PROFILE_COUNT = sizeof PROFILES / sizeof PROFILES[0]
};

// What a joint did in the samples.
typedef struct Span
{
  double first, last, lowest, highest, speed, acceleration;
} Span;

typedef struct Plan
{
  const Options* options;
  const Profile* profile;
  lwFormat format;
  double dt;  // s
  lwModel* model;
  lwTrajectory* trajectory;
  lwLoops* loops;    // or NULL
  double* closed;    // (nq) the last position with closed loops
  Rolling* rolling;  // NULL: nothing rolls
  bool rolls;
  bool speeds;  // --in has speeds of what rolls
  int n, nq;
  double* values;  // (1 + nq + 2 n) a row: t, q, qd, qdd
  Span* spans;     // (nq) of an entry of q
  lwOut* out;
  lwRows* rows;  // NULL: a table for people
} Plan;

// --- what is asked

static const Profile* chosen_profile(const Options* options)
{
  const char* name = options->value[OPTION_PROFILE];
  Nearest nearest  = nearest_to(name ? name : "", name ? strlen(name) : 0);
  for (int i = 0; i < PROFILE_COUNT; ++i)
  {
    if (!name || !strcmp(PROFILES[i].name, name)) return &PROFILES[i];
    nearest_offer(&nearest, PROFILES[i].name);
  }
  bool found = nearest_found(&nearest);
  stop(USAGE,
       "--profile: unknown profile '%s'%s%s%s; expected cubic, quintic, trapezoid, s-curve or line",
       name, found ? " (did you mean '" : "", nearest.best, found ? "'?)" : "");
}

static void check_plan_options(const Options* options, const Profile* profile)
{
  const char* const* given = options->value;
  const char* refused      = first_given(options, profile->refused);
  if (refused) stop(USAGE, "plan: the profile %s does not use %s", profile->name, refused);
  // The limits without which a profile has no end.
  if (!strcmp(profile->name, "trapezoid") && !given[OPTION_ACCELERATION])
    stop(USAGE, "plan: the profile trapezoid needs a limit of acceleration, --acceleration LIST");
  if (!strcmp(profile->name, "s-curve") && !given[OPTION_JERK])
    stop(USAGE, "plan: the profile s-curve needs a limit of jerk, --jerk LIST");
  const char* of_run =
      first_given(options, "--control --kp --kd --integrator --plot --audit --columns");
  if (of_run && !given[OPTION_SIMULATE]) stop(USAGE, "plan: %s is for --simulate", of_run);
}

// --- the motion

void need_plan(lwStatus status, const lwDiag* diag)
{
  if (status != LW_ERROR_INPUT) need_made(status, "plan", diag);
  if (status != LW_ERROR_INPUT) return;
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    const lwMessage* message = lw_diag_message(diag, i);
    fail(NO, "plan: %s%s%s", message->text, message->hint ? "; " : "",
         message->hint ? message->hint : "");
  }
  leave(NO);
}

static void make_trajectory(Plan* plan)
{
  lwDiag* diag = hold_messages();
  lwStatus made;
  if (plan->speeds)
    made = rolling_speeds(plan->options, plan->model, diag, &plan->trajectory);
  else if (plan->profile->make)
  {
    lwWaypointsDef waypoints = waypoints_of(plan->options, plan->model);
    made = plan->profile->make(plan->model, &waypoints, diag, &plan->trajectory);
  }
  else
  {
    lwFrame frame   = frame_of(plan->options, plan->model);
    lwWorkspace* ws = tree_of(plan->model);
    need_ok(lw_workspace_set_frame(ws, plan->model, &frame, NULL));
    lwLineDef line = line_of(plan->options, plan->model, ws);
    made           = lw_trajectory_create_line(plan->model, ws, &line, diag, &plan->trajectory);
  }
  hold_trajectory(plan->trajectory);
  inputs_add(diag);
  need_plan(made, diag);
  if (plan->rolls)
    plan->rolling = rolling_open(plan->model, plan->loops, plan->trajectory, plan->speeds);
  double samples = lw_trajectory_duration(plan->trajectory) / plan->dt;
  if (samples > MOST_SAMPLES)
    stop(USAGE, "--dt: %g samples are too many, expected at most %g", samples, MOST_SAMPLES);
}

static void load_robot(Plan* plan)
{
  plan->model  = robot_of(plan->options);
  plan->n      = lw_model_dof(plan->model);
  plan->nq     = lw_model_nq(plan->model);
  plan->rolls  = lw_model_rolling_rows(plan->model) > 0;
  plan->speeds = plan->rolls && plan->options->value[OPTION_IN];
  if (plan->rolls && !plan->profile->make)
    stop(USAGE,
         "plan: where a robot that rolls gets depends on the way, so it cannot follow a line; "
         "plan its driven joints, or speeds");
  if (lw_model_loop_count(plan->model) > 0)
  {
    plan->closed = allocate((size_t)plan->nq, sizeof *plan->closed);
    if (lw_loops_create(plan->model, NULL, NULL, &plan->loops) != LW_OK) leave(no_memory());
    hold_loops(plan->loops);
  }
  plan->values = allocate(3 * (size_t)plan->nq + 1, sizeof *plan->values);
  plan->spans  = allocate((size_t)plan->nq + 1, sizeof *plan->spans);
  if (plan->n == 0) stop(USAGE, "%s has no moving joints", lw_model_name(plan->model));
}

// --- samples

static void plan_column_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  const Plan* plan = context;
  if (k == 0)
    snprintf(name, LW_ROW_NAME, "t");
  else
    motion_column(plan->model, k - 1, plan->options->value[OPTION_NAMES], name);
}

// The velocity that moves entry i of q alone; -1: it is of a quaternion or of a floating position.
static int velocity_of(const Plan* plan, int i)
{
  for (int v = 0; v < plan->n; ++v)
    if (lw_model_velocity(plan->model, v).other == i) return v;
  return -1;
}

static void note_span(Plan* plan, bool first)
{
  const double *q = plan->values + 1, *qd = q + plan->nq, *qdd = qd + plan->n;
  for (int i = 0; i < plan->nq; ++i)
  {
    Span* span = &plan->spans[i];
    int v      = velocity_of(plan, i);
    if (first) *span = (Span){q[i], q[i], q[i], q[i], 0, 0};
    span->last    = q[i];
    span->lowest  = fmin(span->lowest, q[i]);
    span->highest = fmax(span->highest, q[i]);
    if (v < 0) continue;
    span->speed        = fmax(span->speed, fabs(qd[v]));
    span->acceleration = fmax(span->acceleration, fabs(qdd[v]));
  }
}

// The plan is that of the driven joints; the others follow, from where they were.
static void follow_driven(Plan* plan, double t, double* q)
{
  double *qd = q + plan->nq, *qdd = qd + plan->n, gap[2];
  if (!plan->loops || !plan->profile->make || plan->rolling) return;
  for (int i = 0; i < plan->nq && t > 0; ++i)
    if (!entry_is_driven(plan->model, GROUP_Q, i)) q[i] = plan->closed[i];
  if (lw_loops_close(plan->loops, q, gap) != LW_OK)
    stop(NO, "plan: the loops cannot be closed at t = %.9g s: a gap of %.3g m and %.3g rad", t,
         gap[0], gap[1]);
  memcpy(plan->closed, q, (size_t)plan->nq * sizeof *q);
  lwStatus moves = lw_loops_velocity(plan->loops, q, qd);
  if (moves == LW_OK) moves = lw_loops_acceleration(plan->loops, q, qd, qdd);
  if (moves != LW_OK) stop(NO, "plan: no velocities keep the loops closed at t = %.9g s", t);
}

// Joints that follow have limits, too, which the plan of the driven ones does not know.
static void check_followers(const Plan* plan, double t, const double* q)
{
  for (int v = 0; plan->loops && v < plan->n; ++v)
  {
    lwCoordinate entry      = lw_model_velocity(plan->model, v);
    const lwJointDef* joint = &lw_model_robot(plan->model)->joints[entry.joint];
    double speed = fabs(q[plan->nq + v]), slack = 1e-9 * (1 + speed);
    if (speed > joint->limits.velocity + slack)
      stop(NO, "plan: joint '%s' needs a velocity of %.6g at t = %.9g s, its limit is %.6g",
           joint->name, speed, t, joint->limits.velocity);
    if (entry.other < 0) continue;
    double at = q[entry.other];
    slack     = 1e-9 * (1 + fabs(at));
    if (at < joint->limits.lower - slack || at > joint->limits.upper + slack)
      stop(NO, "plan: joint '%s' is at %.6g at t = %.9g s, expected from %.6g to %.6g", joint->name,
           at, t, joint->limits.lower, joint->limits.upper);
  }
}

static void sample(Plan* plan, double t)
{
  double* q       = plan->values + 1;
  plan->values[0] = t;
  if (plan->rolling)
    rolling_at(plan->rolling, t, q);
  else
    lw_trajectory_at(plan->trajectory, t, q, q + plan->nq, q + plan->nq + plan->n);
  follow_driven(plan, t, q);
  check_followers(plan, t, q);
  if (!all_finite(q, (size_t)plan->nq + 2 * (size_t)plan->n))
    stop(NUMERICAL, "plan: the motion is not finite at t = %.9g s", t);
  note_span(plan, t == 0);
  if (plan->rows) lw_rows_add(plan->rows, plan->values);
}

// --- the table for people

static void span_row(const void* context, int i, lwCell* cells)
{
  const Plan* plan        = context;
  const Span* span        = &plan->spans[i];
  lwCoordinate entry      = lw_model_position(plan->model, i);
  const lwJointDef* joint = &lw_model_robot(plan->model)->joints[entry.joint];
  const double values[]   = {span->first,   span->last,  span->lowest,
                             span->highest, span->speed, span->acceleration};
  bool own                = velocity_of(plan, i) >= 0;
  cells[0]                = lw_cell_text(entry.name);
  for (int k = 0; k < 6; ++k)
    cells[1 + k + (k == 5)] = k < 4 || own ? lw_cell_number(values[k]) : lw_cell_text(NULL);
  cells[6] = own ? lw_cell_limit(joint->limits.velocity) : lw_cell_text(NULL);
}

static void out_summary(Plan* plan)
{
  static const char columns[] = "joint,from,to,lowest,highest,speed,its limit,acceleration";
  const char* place           = joints_unit(plan->model, OPTION_Q);
  const char* speed           = joints_unit(plan->model, OPTION_QD);
  const char* units[]         = {"",    place, place, place,
                                 place, speed, speed, joints_unit(plan->model, OPTION_QDD)};
  lwOut* out                  = plan->out;
  lwSheet sheet               = {
                    .columns = columns, .unit = units, .rows = plan->nq, .row = span_row, .context = plan};
  lw_out_format(out, "%s: %s, %.9g s\n", lw_model_name(plan->model), plan->profile->name,
                lw_trajectory_duration(plan->trajectory));
  lw_sheet_write(out, LW_FORMAT_TABLE, &sheet);
  lw_out_format(out, "largest values of samples every %g s; --format csv gives the samples\n",
                plan->dt);
}

static int write_plan(Plan* plan)
{
  plan->out = output_of(plan->options);
  if (plan->format != LW_FORMAT_TABLE)
    plan->rows = rows_begin((lwRows){.out     = plan->out,
                                     .format  = plan->format,
                                     .columns = (size_t)plan->nq + 2 * (size_t)plan->n + 1,
                                     .name    = plan_column_name,
                                     .context = plan});
  double end   = lw_trajectory_duration(plan->trajectory);
  double count = ceil(end / plan->dt - 1e-9);
  for (double i = 0; i <= count && !lw_out_stopped(plan->out); ++i)
    sample(plan, i < count ? i * plan->dt : end);
  if (plan->rows)
    rows_end(plan->rows);
  else
    out_summary(plan);
  return output_end(plan->out, DONE);
}

static void refuse_without_fastest(const Options* options)
{
  for (int i = OPTION_GRID; i <= OPTION_COMPARE; ++i)
    if (options->value[i]) stop(USAGE, "plan: %s is for --fastest", OPTIONS[i].name);
}

int cmd_plan(const Options* options)
{
  if (options->value[OPTION_FASTEST] || options->value[OPTION_CYCLE])
    return plan_fastest(options, robot_of(options));
  refuse_without_fastest(options);
  Plan* plan    = allocate(1, sizeof *plan);
  plan->options = options;
  plan->profile = chosen_profile(options);
  check_plan_options(options, plan->profile);
  plan->format = format_of(options);
  plan->dt     = positive_of(options, OPTION_DT, "s", 0.001);
  load_robot(plan);
  make_trajectory(plan);
  return options->value[OPTION_SIMULATE]
             ? follow_trajectory(options, plan->model, plan->trajectory, plan->dt)
             : write_plan(plan);
}
