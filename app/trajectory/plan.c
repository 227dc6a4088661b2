// SPDX-License-Identifier: MIT
// linkwork plan: a trajectory, sampled.
//
//   options, file --waypoints or line--> lwTrajectory --every dt--> rows
#include "io/files.h"
#include "plan_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/list.h"
#include "io/program_text.h"
#include "io/rows.h"
#include "io/sheet.h"
#include "simulate/follow.h"
#include "states/states.h"

static const double MOST_SAMPLES = 1e8;

typedef lwStatus MakeMotion(const lwModel* model, const lwWaypointsDef* waypoints, lwDiag* diag,
                            lwTrajectory** trajectory);

typedef struct Profile
{
  const char* name;
  MakeMotion* make;   // NULL: a line
  OptionSet refused;  // options that it does not use
} Profile;

#define END_VELOCITIES    (option_bit(FROM_QD) | option_bit(TO_QD))
#define END_ACCELERATIONS (option_bit(FROM_QDD) | option_bit(TO_QDD))
#define PLACES            (option_bit(POSE) | option_bit(POSITION) | option_bit(LINK) | option_bit(TOOL))
#define ENDS              (END_VELOCITIES | END_ACCELERATIONS)

static const Profile PROFILES[] = {
    {"quintic", lw_trajectory_create_quintic, option_bit(JOIN) | PLACES},
    {"cubic", lw_trajectory_create_cubic, END_ACCELERATIONS | PLACES},
    {"trapezoid", lw_trajectory_create_trapezoid,
     ENDS | option_bit(JOIN) | option_bit(JERK) | PLACES},
    {"s-curve", lw_trajectory_create_s_curve, ENDS | option_bit(JOIN) | PLACES},
    {"line", NULL, ENDS | option_bit(JOIN) | option_bit(VIA) | option_bit(IN)},
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
  Format format;
  double dt;  // s
  lwModel* model;
  lwWorkspace* ws;  // of a line
  lwTrajectory* trajectory;
  lwLoops* loops;  // or NULL
  double* closed;  // (nq) the last position with closed loops
  int n, nq;
  double* values;  // (1 + nq + 2 n) a row: t, q, qd, qdd
  Span* spans;     // (nq) of an entry of q
  Out out;
  Rows rows;
} Plan;

int plan_failed(lwStatus status, const lwDiag* diag)
{
  if (status != LW_ERROR_INPUT) return fail(INPUT, "%s", lw_status_text(status));
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    const lwMessage* message = lw_diag_message(diag, i);
    fail(NO, "plan: %s%s%s", message->text, message->hint ? "; " : "",
         message->hint ? message->hint : "");
  }
  return NO;
}

// --- what is asked

static int choose_profile(Plan* plan)
{
  const char* name = plan->options->value[OPTION_PROFILE];
  Nearest nearest  = nearest_to(name ? name : "", name ? strlen(name) : 0);
  plan->profile    = name ? NULL : &PROFILES[0];
  for (int i = 0; i < PROFILE_COUNT && name; ++i)
  {
    if (!strcmp(PROFILES[i].name, name)) plan->profile = &PROFILES[i];
    nearest_offer(&nearest, PROFILES[i].name);
  }
  if (plan->profile) return DONE;
  bool found = nearest_found(&nearest);
  return fail(USAGE,
              "--profile: unknown profile '%s'%s%s%s; expected cubic, quintic, trapezoid, s-curve "
              "or line",
              name, found ? " (did you mean '" : "", nearest.best, found ? "'?)" : "");
}

// The limits without which a profile has no end.
static int check_plan_limits(const Plan* plan)
{
  const char* name         = plan->profile->name;
  const char* const* given = plan->options->value;
  if (!strcmp(name, "trapezoid") && !given[OPTION_ACCELERATION])
    return fail(USAGE,
                "plan: the profile trapezoid needs a limit of acceleration, --acceleration LIST");
  if (!strcmp(name, "s-curve") && !given[OPTION_JERK])
    return fail(USAGE, "plan: the profile s-curve needs a limit of jerk, --jerk LIST");
  return DONE;
}

static int check_plan_options(Plan* plan)
{
  int status = choose_profile(plan);
  for (int i = 0; i < OPTION_COUNT && status == DONE; ++i)
    if (plan->options->value[i] && (plan->profile->refused >> i & 1))
      status =
          fail(USAGE, "plan: the profile %s does not use %s", plan->profile->name, OPTIONS[i].name);
  if (status == DONE) status = check_plan_limits(plan);
  static const Option of_run[] = {OPTION_CONTROL, OPTION_KP,    OPTION_KD,     OPTION_INTEGRATOR,
                                  OPTION_PLOT,    OPTION_AUDIT, OPTION_COLUMNS};
  for (int i = 0; i < 7 && status == DONE && !plan->options->value[OPTION_SIMULATE]; ++i)
    if (plan->options->value[of_run[i]])
      status = fail(USAGE, "plan: %s is for --simulate", OPTIONS[of_run[i]].name);
  if (status == DONE) status = format_choose(plan->options, &plan->format);
  if (status == DONE) status = list_positive(plan->options, OPTION_DT, "s", &plan->dt);
  return status;
}

// --- the motion

static int plan_way(Plan* plan, lwDiag* diag)
{
  WaypointOptions waypoints;
  int status = way_read(&waypoints, plan->options, plan->model);
  if (status == DONE)
  {
    lwStatus made = plan->profile->make(plan->model, &waypoints.def, diag, &plan->trajectory);
    if (made != LW_OK) status = plan_failed(made, diag);
  }
  way_free(&waypoints);
  return status;
}

static int plan_line(Plan* plan, lwDiag* diag)
{
  lwLineDef line;
  lwFrame frame;
  int status = frame_choose(plan->options, plan->model, &frame);
  if (status != DONE) return status;
  lwStatus made = lw_workspace_create(plan->model, NULL, NULL, &plan->ws);
  if (made == LW_OK) made = lw_workspace_set_frame(plan->ws, plan->model, &frame, NULL);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  status = line_read(&line, plan->values, plan->options, plan->model, plan->ws);
  if (status != DONE) return status;
  made = lw_trajectory_create_line(plan->model, plan->ws, &line, diag, &plan->trajectory);
  return made == LW_OK ? DONE : plan_failed(made, diag);
}

// What keeps loops closed.
static int plan_loops(Plan* plan)
{
  if (lw_model_loop_count(plan->model) == 0) return DONE;
  plan->closed  = calloc((size_t)lw_model_nq(plan->model), sizeof *plan->closed);
  lwStatus made = lw_loops_create(plan->model, NULL, NULL, &plan->loops);
  return made == LW_OK && plan->closed ? DONE : no_memory();
}

static int make_trajectory(Plan* plan)
{
  int status = robot_load(plan->options, plan->options->operand, &plan->model);
  if (status == DONE) status = plan_loops(plan);
  if (status != DONE) return status;
  plan->n      = lw_model_dof(plan->model);
  plan->nq     = lw_model_nq(plan->model);
  plan->values = calloc(3 * (size_t)plan->nq + 1, sizeof *plan->values);
  plan->spans  = calloc((size_t)plan->nq + 1, sizeof *plan->spans);
  lwDiag* diag = lw_diag_create();
  if (plan->n == 0)
    status = fail(INPUT, "%s has no moving joints", lw_model_name(plan->model));
  else if (!plan->values || !plan->spans || !diag)
    status = no_memory();
  else
    status = plan->profile->make ? plan_way(plan, diag) : plan_line(plan, diag);
  inputs_add(diag);
  lw_diag_destroy(diag);
  if (status != DONE) return status;
  double samples = lw_trajectory_duration(plan->trajectory) / plan->dt;
  if (samples <= MOST_SAMPLES) return DONE;
  return fail(USAGE, "--dt: %g samples are too many, expected at most %g", samples, MOST_SAMPLES);
}

// --- samples

static void plan_column_name(const void* context, size_t k, char name[ROW_NAME])
{
  static const char* const groups[] = {"q", "qd", "qdd"};
  const Plan* plan                  = context;
  size_t n = (size_t)plan->n, nq = (size_t)plan->nq;
  bool names = plan->options->value[OPTION_NAMES] != NULL;
  if (k == 0)
    snprintf(name, ROW_NAME, "t");
  else if (k <= nq)
    joint_column(plan->model, groups[0], (int)(k - 1), names, name);
  else
    joint_column(plan->model, groups[1 + (k - nq - 1) / n], (int)((k - nq - 1) % n), names, name);
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
static int follow_driven(Plan* plan, double t, double* q)
{
  double *qd = q + plan->nq, *qdd = qd + plan->n, gap[2];
  if (!plan->loops || !plan->profile->make) return DONE;
  for (int i = 0; i < plan->nq && t > 0; ++i)
    if (!entry_is_driven(plan->model, GROUP_Q, i)) q[i] = plan->closed[i];
  if (lw_loops_close(plan->loops, q, gap) != LW_OK)
    return fail(NO, "plan: the loops cannot be closed at t = %.9g s: a gap of %.3g m and %.3g rad",
                t, gap[0], gap[1]);
  memcpy(plan->closed, q, (size_t)plan->nq * sizeof *q);
  lwStatus moves = lw_loops_velocity(plan->loops, q, qd);
  if (moves == LW_OK) moves = lw_loops_acceleration(plan->loops, q, qd, qdd);
  return moves == LW_OK ? DONE
                        : fail(NO, "plan: no velocities keep the loops closed at t = %.9g s", t);
}

// Joints that follow have limits, too, which the plan of the driven ones does not know.
static int check_followers(const Plan* plan, double t, const double* q)
{
  for (int v = 0; plan->loops && v < plan->n; ++v)
  {
    lwCoordinate entry      = lw_model_velocity(plan->model, v);
    const lwJointDef* joint = &lw_model_robot(plan->model)->joints[entry.joint];
    double speed = fabs(q[plan->nq + v]), room = 1e-9 * (1 + speed);
    if (speed > joint->limits.velocity + room)
      return fail(NO, "plan: joint '%s' needs a velocity of %.6g at t = %.9g s, its limit is %.6g",
                  joint->name, speed, t, joint->limits.velocity);
    if (entry.other < 0) continue;
    double at = q[entry.other];
    room      = 1e-9 * (1 + fabs(at));
    if (at < joint->limits.lower - room || at > joint->limits.upper + room)
      return fail(NO, "plan: joint '%s' is at %.6g at t = %.9g s, expected from %.6g to %.6g",
                  joint->name, at, t, joint->limits.lower, joint->limits.upper);
  }
  return DONE;
}

static int sample(Plan* plan, double t)
{
  double* q       = plan->values + 1;
  plan->values[0] = t;
  lw_trajectory_at(plan->trajectory, t, q, q + plan->nq, q + plan->nq + plan->n);
  int status = follow_driven(plan, t, q);
  if (status == DONE) status = check_followers(plan, t, q);
  if (status != DONE) return status;
  for (int k = 0; k < plan->nq + 2 * plan->n; ++k)
    if (!isfinite(q[k])) return fail(NUMERICAL, "plan: the motion is not finite at t = %.9g s", t);
  note_span(plan, plan->rows.count == 0 && t == 0);
  if (plan->format != FORMAT_TABLE) rows_add(&plan->rows, plan->values);
  return DONE;
}

static int sample_all(Plan* plan)
{
  double end   = lw_trajectory_duration(plan->trajectory);
  double count = ceil(end / plan->dt - 1e-9);
  int status   = DONE;
  for (double i = 0; i <= count && status == DONE && !out_stopped(&plan->out); ++i)
    status = sample(plan, i < count ? i * plan->dt : end);
  return status;
}

// --- the table for people

static void span_row(const void* context, int i, Cell* cells)
{
  const Plan* plan        = context;
  const Span* span        = &plan->spans[i];
  lwCoordinate entry      = lw_model_position(plan->model, i);
  const lwJointDef* joint = &lw_model_robot(plan->model)->joints[entry.joint];
  const double values[]   = {span->first,   span->last,  span->lowest,
                             span->highest, span->speed, span->acceleration};
  bool own                = velocity_of(plan, i) >= 0;
  cells[0]                = cell_text(entry.name);
  for (int k = 0; k < 6; ++k)
    cells[1 + k + (k == 5)] = k < 4 || own ? cell_number(values[k]) : cell_text(NULL);
  cells[6] = own ? cell_limit(joint->limits.velocity) : cell_text(NULL);
}

static void out_summary(Plan* plan)
{
  static const SheetColumn columns[] = {{"joint", NULL, NULL},     {"from", NULL, NULL},
                                        {"to", NULL, NULL},        {"lowest", NULL, NULL},
                                        {"highest", NULL, NULL},   {"speed", NULL, NULL},
                                        {"its limit", NULL, NULL}, {"acceleration", NULL, NULL}};
  const char* place                  = joints_unit(plan->model, OPTION_Q);
  const char* speed                  = joints_unit(plan->model, OPTION_QD);
  const char* units[]                = {"",    place, place, place,
                                        place, speed, speed, joints_unit(plan->model, OPTION_QDD)};
  Out* out                           = &plan->out;
  Sheet sheet                        = {.columns = 8,
                                        .column  = columns,
                                        .unit    = units,
                                        .rows    = plan->nq,
                                        .row     = span_row,
                                        .context = plan};
  out_format(out, "%s: %s, %.9g s\n", lw_model_name(plan->model), plan->profile->name,
             lw_trajectory_duration(plan->trajectory));
  sheet_write(out, FORMAT_TABLE, &sheet);
  out_format(out, "largest values of samples every %g s; --format csv gives the samples\n",
             plan->dt);
}

static int write_plan(Plan* plan)
{
  plan->rows = (Rows){.out     = &plan->out,
                      .format  = plan->format,
                      .columns = (size_t)plan->nq + 2 * (size_t)plan->n + 1,
                      .name    = plan_column_name,
                      .context = plan};
  int status = out_open(&plan->out, plan->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  if (plan->format != FORMAT_TABLE) rows_begin(&plan->rows);
  status = sample_all(plan);
  if (plan->format != FORMAT_TABLE) rows_end(&plan->rows);
  if (plan->format == FORMAT_TABLE && status == DONE) out_summary(plan);
  return out_close(&plan->out, status, false);
}

int cmd_plan(const Command* command, const Options* options)
{
  (void)command;
  Plan plan  = {.options = options, .dt = 0.001};
  int status = check_plan_options(&plan);
  if (status == DONE) status = make_trajectory(&plan);
  if (status == DONE && options->value[OPTION_SIMULATE])
    status = follow_trajectory(options, plan.model, plan.trajectory, plan.dt);
  else if (status == DONE)
    status = write_plan(&plan);
  lw_trajectory_destroy(plan.trajectory);
  lw_loops_destroy(plan.loops);
  free(plan.closed);
  free(plan.values);
  free(plan.spans);
  lw_workspace_destroy(plan.ws);
  lw_model_destroy(plan.model);
  return status;
}
