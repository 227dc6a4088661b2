// SPDX-License-Identifier: MIT
// The limits of a motion as rows, norms and caps at points of the path.
//
// With c = tau(q,0,0), inverse dynamics along the path is tau = a u + b x + c, where
//   a = tau(q,0,q') - c    b = tau(q,q',q'') - c
// so that three calls per point give all rows of torques. The drive supplies in addition
//   rotor J (q' u + q'' x)    viscous friction B q' w    Coulomb friction F sign(q')
// and the motor needs i = tau / (N K eff^+-1) and v = R i + K N q' w.
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "retime/retime_internal.h"

enum
{
  ACCELERATION,
  EFFORT,
  VOLTAGE,
  VOLTAGE_LOSSY,  // what the motor of a gear with losses needs to drive
  CURRENT,
  SLOTS
};

static const lwLimitKind kinds[SLOTS] = {LW_LIMIT_ACCELERATION, LW_LIMIT_EFFORT, LW_LIMIT_VOLTAGE,
                                         LW_LIMIT_VOLTAGE, LW_LIMIT_CURRENT};

static double given(const double* values, int i)
{
  return values ? values[i] : INFINITY;
}

static double velocity_limit(const lwRetime* r, int j)
{
  return fmin(lw_model_joint_def(r->model, j)->limits.velocity, given(r->def.velocity, j));
}

static double acceleration_limit(const lwRetime* r, int j)
{
  return fmin(lw_model_joint_def(r->model, j)->limits.acceleration, given(r->def.acceleration, j));
}

// --- what is limited

// Of the current of a motor, A; a very large one where only its heat matters.
static double current_limit(const lwMotor* motor)
{
  return fmin(motor->current, 1e9);
}

static bool joint_has(const lwRetime* r, int j, int slot)
{
  const lwJointDef* joint = lw_model_joint_def(r->model, j);
  const lwMotor* motor    = &joint->motor;
  bool driven             = lw_model_is_driven(r->model, j);
  switch (slot)
  {
    case ACCELERATION:
      return isfinite(acceleration_limit(r, j));
    case EFFORT:
      return driven && isfinite(joint->limits.effort);
    case VOLTAGE:
      return driven && motor->given && isfinite(motor->voltage);
    case VOLTAGE_LOSSY:
      return joint_has(r, j, VOLTAGE) && motor->efficiency < 1;
    default:
      return driven && motor->given && (isfinite(motor->current) || r->def.heat);
  }
}

static void choose_norms(lwRetime* r)
{
  if (isfinite(r->def.tool_acceleration))
    r->norm[r->norms++] = (lwLimitPlace){LW_LIMIT_TOOL_ACCELERATION, -1};
  for (int k = 0; k < 2 * r->def.reaction_count; ++k)
    r->norm[r->norms++] = (lwLimitPlace){LW_LIMIT_REACTION, r->def.reactions[k / 2].joint};
}

static void choose_caps(lwRetime* r)
{
  for (int j = 0; j < r->dof; ++j)
    if (isfinite(velocity_limit(r, j))) r->cap[r->caps++] = (lwLimitPlace){LW_LIMIT_VELOCITY, j};
  if (isfinite(r->def.tool_speed)) r->cap[r->caps++] = (lwLimitPlace){LW_LIMIT_TOOL_SPEED, -1};
  for (int k = 0; r->def.cylinders && k < lw_cylinders_count(r->def.cylinders); ++k)
    if (isfinite(lw_cylinders_get(r->def.cylinders, k)->flow))
      r->cap[r->caps++] = (lwLimitPlace){LW_LIMIT_FLOW, k};
}

bool lw_retime_choose_rows(lwRetime* r)
{
  int cylinders = r->def.cylinders ? lw_cylinders_count(r->def.cylinders) : 0;
  size_t room   = SLOTS * (size_t)r->dof + (size_t)cylinders + LW_RETIME_LANES;
  r->slot       = lw_arena_take(&r->arena, SLOTS * (size_t)r->dof + 1, sizeof *r->slot);
  r->row        = lw_arena_take(&r->arena, room, sizeof *r->row);
  r->norm       = lw_arena_take(&r->arena, 2 * (size_t)r->def.reaction_count + 1, sizeof *r->norm);
  r->cap        = lw_arena_take(&r->arena, (size_t)(r->dof + cylinders) + 1, sizeof *r->cap);
  if (!r->slot || !r->row || !r->norm || !r->cap) return false;
  for (int k = 0; k < SLOTS * r->dof; ++k)
  {
    int j      = k / SLOTS;
    r->slot[k] = joint_has(r, j, k % SLOTS) ? r->rows : -1;
    r->lossy   = r->lossy || (r->slot[k] >= 0 && k % SLOTS >= VOLTAGE &&
                            lw_model_joint_def(r->model, j)->motor.efficiency < 1);
    if (r->slot[k] >= 0) r->row[r->rows++] = (lwLimitPlace){kinds[k % SLOTS], j};
  }
  r->force = cylinders > 0 ? r->rows : -1;
  for (int k = 0; k < cylinders; ++k) r->row[r->rows++] = (lwLimitPlace){LW_LIMIT_FORCE, k};
  while (r->rows % LW_RETIME_LANES) ++r->rows;
  choose_norms(r);
  choose_caps(r);
  r->stride = 4 * (size_t)r->rows + 9 * (size_t)r->norms + 1;
  return true;
}

int lw_retime_current_row(const lwRetime* r, int j, double* unit)
{
  *unit = current_limit(&lw_model_joint_def(r->model, j)->motor);
  return r->slot[SLOTS * j + CURRENT];
}

// --- the path

bool lw_retime_path_at(lwRetime* r, double s, double* q, double* q1, double* q2)
{
  // at their very end trajectories stand still
  double end = lw_trajectory_duration(r->path) * (1 - 2 * DBL_EPSILON);
  lw_trajectory_at(r->path, fmin(s, end), q, q1, q2);
  if (!r->loops) return true;
  for (int i = 0; i < r->dof; ++i)
    if (!lw_model_is_driven(r->model, i) && s > 0) q[i] = r->closed[i];
  bool closed = lw_loops_close(r->loops, q, NULL) == LW_OK &&
                lw_loops_velocity(r->loops, q, q1) == LW_OK &&
                lw_loops_acceleration(r->loops, q, q1, q2) == LW_OK;
  if (closed) memcpy(r->closed, q, (size_t)r->dof * sizeof *q);
  return closed;
}

// --- rows of torques

// Where a point's rows go, and what is known of the path there.
typedef struct Place
{
  double* at;                    // (stride)
  double* base;                  // (2, rows + norms), or NULL: already known
  const double* sign;            // (dof) directions within the interval
  int interval;                  // that s is in
  const double *q, *q1, *q2;     // (dof)
  const double *tau0, *ta, *tb;  // torques of three states, tau(q,0,0) ..
  double s, tool_speed;
  bool lowers;  // limits are those of the other end of the interval, too: the lower ones count
} Place;

// The tool speed allowed in interval i.
static double speed_in(const lwRetime* r, int i)
{
  double speed = r->def.tool_speed, middle = 0.5 * (r->s[i] + r->s[i + 1]);
  for (int k = 0; k < r->task.speed_count; ++k)
    if (r->task.speeds[2 * k] <= middle) speed = fmin(r->def.tool_speed, r->task.speeds[2 * k + 1]);
  return speed;
}

static void set_row(const lwRetime* r, const Place* p, int row, const double value[4])
{
  for (int k = 0; k < 4; ++k) p->at[k * r->rows + row] = value[k];
}

static void set_sides(const lwRetime* r, const Place* p, int row, double upper, double lower)
{
  if (!p->base) return;
  double *up = p->base + row, *down = up + r->rows + r->norms;
  upper *= LW_RETIME_SHARE, lower *= LW_RETIME_SHARE;
  *up   = p->lowers && *up < upper ? *up : upper;
  *down = p->lowers && *down < lower ? *down : lower;
}

static void set_scaled(const lwRetime* r, const Place* p, int row, const double value[4],
                       double scale, double emf)
{
  double scaled[4] = {value[0] * scale, value[1] * scale, value[2] * scale + emf, value[3] * scale};
  set_row(r, p, row, scaled);
}

// Limits of both sides of a row in the direction of the motion, and against it.
static void set_directed(const lwRetime* r, const Place* p, int j, int row, const double side[2])
{
  bool back = p->sign[j] < 0;
  set_sides(r, p, row, side[back], side[!back]);
}

// Whether joint j stands at an end of interval i: where the motion rests or the joint turns back.
static bool joint_creeps(const lwRetime* r, int i, int j)
{
  const double* sign = r->sign + j;
  bool closed = r->task.closed, first = i == 0, last = i == r->count - 1;
  size_t n = (size_t)r->dof, at = (size_t)i * n;
  size_t before = first ? (closed ? (size_t)(r->count - 1) * n : at) : at - n;
  size_t after  = last ? (closed ? 0 : at) : at + n;
  return (first && !closed && r->task.start == 0) || (last && !closed && r->task.end == 0) ||
         sign[before] != sign[at] || sign[after] != sign[at];
}

// Gear with losses: fewer torque arrives where the motor drives, more is held where it is driven.
// A joint at rest has no loss in its gear (drive.h), so in intervals that touch rest nothing is gained.
static void set_motor(const lwRetime* r, const Place* p, int j, const double value[4])
{
  const lwMotor* motor = &lw_model_joint_def(r->model, j)->motor;
  const int* slot      = r->slot + SLOTS * j;
  double K = motor->torque_constant * fabs(motor->gear), eff = motor->efficiency;
  double V = motor->voltage, I = current_limit(motor), ohm = motor->resistance / (K * V);
  bool stands = p->sign[j] == 0, creeps = stands || joint_creeps(r, p->interval, j);
  double emf = K * p->q1[j] / V, keep = 1 - r->def.reserve, gain = creeps ? 1 : 1 / eff;
  if (slot[VOLTAGE] >= 0)
  {
    set_scaled(r, p, slot[VOLTAGE], value, ohm * eff / keep, emf);
    set_directed(r, p, j, slot[VOLTAGE], (double[]){stands ? eff : 1, creeps ? eff : 1});
  }
  if (slot[VOLTAGE_LOSSY] >= 0)
  {
    set_scaled(r, p, slot[VOLTAGE_LOSSY], value, ohm / eff / keep, emf);
    set_directed(r, p, j, slot[VOLTAGE_LOSSY],
                 (double[]){stands ? LW_RETIME_NONE : 1, LW_RETIME_NONE});
  }
  if (slot[CURRENT] < 0) return;
  set_scaled(r, p, slot[CURRENT], value, 1 / (K * I), 0);
  set_directed(r, p, j, slot[CURRENT], (double[]){(stands ? 1 : eff) * keep, gain * keep});
}

// Lowers the limit of a row in interval i on the side against the motion to `least`.
static void lower_against(lwRetime* r, int i, int j, int row, double least)
{
  int at = row + (r->sign[(size_t)i * (size_t)r->dof + (size_t)j] > 0 ? r->rows + r->norms : 0);
  double *base = lw_retime_limits(r, r->base, i) + at, *lim = lw_retime_limits(r, r->lim, i) + at;
  least *= LW_RETIME_SHARE;
  if (row < 0 || *base <= least) return;
  *lim *= least / *base;
  *base = least;
}

bool lw_retime_lower_creeping(lwRetime* r)
{
  for (int i = 0; i < r->count && r->lossy; ++i)
  {
    double w = sqrt(fmin(r->x[i], r->x[i + 1]));
    if (!lw_retime_path_at(r, r->s[i] + 0.5 * r->h[i], r->q, r->q1, r->q2)) return false;
    for (int j = 0; j < r->dof; ++j)
    {
      const int* slot = r->slot + SLOTS * j;
      double eff      = lw_model_joint_def(r->model, j)->motor.efficiency;
      double part     = fabs(r->q1[j]) * w / LW_CREEP;
      if (!(part < 1)) continue;
      lower_against(r, i, j, slot[VOLTAGE], lw_pow(eff, 1 - part));
      lower_against(r, i, j, slot[CURRENT], (1 - r->def.reserve) * lw_pow(eff, -part));
    }
  }
  return true;
}

static void note_missing(lwRetime* r, double s, double load, lwLimitPlace place)
{
  if (!(load > 1 + 1e-9) || (r->cannot_hold >= 0 && r->cannot_hold <= s)) return;
  r->cannot_hold = s;
  r->hold        = place;
}

static void set_joint(lwRetime* r, const Place* p, int j)
{
  const lwJointDef* joint = lw_model_joint_def(r->model, j);
  const int* slot         = r->slot + SLOTS * j;
  double rotor = lw_joint_rotor(joint), c = p->tau0[j];
  double coulomb = lw_model_is_driven(r->model, j) ? joint->friction.coulomb * p->sign[j] : 0;
  double value[] = {p->ta[j] - c + rotor * p->q1[j], p->tb[j] - c + rotor * p->q2[j],
                    joint->friction.viscous * p->q1[j], c + coulomb};
  if (slot[ACCELERATION] >= 0)
  {
    double scale = 1 / acceleration_limit(r, j);
    set_row(r, p, slot[ACCELERATION], (double[]){p->q1[j] * scale, p->q2[j] * scale, 0, 0});
    set_sides(r, p, slot[ACCELERATION], 1, 1);
  }
  if (slot[EFFORT] >= 0)
  {
    double limit = joint->limits.effort * (1 - r->def.reserve);
    set_scaled(r, p, slot[EFFORT], value, 1 / limit, 0);
    set_sides(r, p, slot[EFFORT], 1, 1);
    note_missing(r, p->s, fabs(c) / limit, r->row[slot[EFFORT]]);
  }
  if (!joint->motor.given) return;
  set_motor(r, p, j, value);
  double keep    = 1 - r->def.reserve;
  double current = fabs(c) / (joint->motor.torque_constant * fabs(joint->motor.gear)) / keep;
  if (slot[CURRENT] >= 0)
    note_missing(r, p->s, current / joint->motor.current, r->row[slot[CURRENT]]);
  if (slot[VOLTAGE] >= 0)
    note_missing(r, p->s, current * joint->motor.resistance / joint->motor.voltage,
                 r->row[slot[VOLTAGE]]);
}

// --- cylinders: forces are a linear function of the torques of the rigid bodies

static double pull_limit(const lwCylinderDef* def)
{
  return lw_cylinder_area(def, 1) * def->pressure - lw_cylinder_area(def, 0) * def->back_pressure;
}

static double push_limit(const lwCylinderDef* def, double stroke)
{
  double push =
      lw_cylinder_area(def, 0) * def->pressure - lw_cylinder_area(def, 1) * def->back_pressure;
  return fmin(push, lw_cylinder_buckling(def, fmax(stroke, 0)));
}

static void set_cylinders(lwRetime* r, const Place* p)
{
  int count = lw_cylinders_count(r->def.cylinders), n = r->dof;
  double *force = r->force_scratch, *tau = force + 3 * count;
  lw_cylinders_pose(r->def.cylinders, p->q, r->length, r->arms, NULL);
  for (int k = 0; k < 3; ++k)
  {
    for (int j = 0; j < n; ++j)
      tau[j] = k == 0 ? p->ta[j] - p->tau0[j] : k == 1 ? p->tb[j] - p->tau0[j] : p->tau0[j];
    lw_cylinders_forces(r->def.cylinders, r->arms, tau, force + k * count, NULL);
  }
  for (int k = 0; k < count; ++k)
  {
    const lwCylinderDef* def = lw_cylinders_get(r->def.cylinders, k);
    double keep = 1 - r->def.reserve, pull = pull_limit(def) * keep;
    double push  = push_limit(def, r->length[k] - def->closed_length) * keep;
    double scale = isfinite(pull) ? 1 / pull : 1 / push;  // buckling limits the push in any case
    set_row(
        r, p, r->force + k,
        (double[]){force[k] * scale, force[count + k] * scale, 0, force[2 * count + k] * scale});
    set_sides(r, p, r->force + k, push * scale, isfinite(pull) ? 1 : LW_RETIME_NONE);
    double held = force[2 * count + k];
    note_missing(r, p->s, held > 0 ? held / push : -held / pull, r->row[r->force + k]);
  }
}

// --- speeds, the tool, reactions

// The value of which 1 / w^2 is a limit: a speed per w, in units of its limit.
static double cap_rate(const lwRetime* r, const Place* p, lwLimitPlace cap, const double* tool)
{
  if (cap.kind == LW_LIMIT_VELOCITY) return fabs(p->q1[cap.index]) / velocity_limit(r, cap.index);
  if (cap.kind == LW_LIMIT_TOOL_SPEED)
    return sqrt(tool[0] * tool[0] + tool[1] * tool[1] + tool[2] * tool[2]) / p->tool_speed;
  const lwCylinderDef* def = lw_cylinders_get(r->def.cylinders, cap.index);
  double speed             = 0;
  for (int j = 0; j < r->dof; ++j) speed += r->arms[cap.index * r->dof + j] * p->q1[j];
  return lw_cylinder_flow(def, speed) / def->flow;
}

static void set_tool_acceleration(lwRetime* r, const Place* p, const double* tool)
{
  double scale = 1 / r->def.tool_acceleration;
  double* at   = p->at + 4 * r->rows;
  lw_jacobian(r->model, r->tool, p->q, r->jacobian);
  for (int k = 0; k < 3; ++k)
  {
    double bent = tool[6 + k];
    for (int j = 0; j < r->dof; ++j) bent += r->jacobian[k * r->dof + j] * p->q2[j];
    at[k]     = tool[k] * scale;
    at[3 + k] = bent * scale;
    at[6 + k] = 0;
  }
}

static void set_reactions(lwRetime* r, const Place* p)
{
  size_t width = 6 * (size_t)lw_model_joint_count(r->model);
  double *zero = r->reactions, *a = zero + width, *b = a + width;
  lw_reactions(r->model, r->ws, p->q, r->zeros, r->zeros, zero);
  lw_reactions(r->model, r->ws, p->q, r->zeros, p->q1, a);
  lw_reactions(r->model, r->ws, p->q, p->q1, p->q2, b);
  int first = isfinite(r->def.tool_acceleration);
  for (int k = 0; k < 2 * r->def.reaction_count; ++k)
  {
    const lwReactionLimit* limit = &r->def.reactions[k / 2];
    double scale                 = 1 / (k % 2 ? limit->moment : limit->force);
    double* at                   = p->at + 4 * r->rows + 9 * (first + k);
    for (int i = 0; i < 3; ++i)
    {
      int from  = 6 * limit->joint + 3 * (k % 2) + i;
      at[i]     = (a[from] - zero[from]) * scale;
      at[3 + i] = (b[from] - zero[from]) * scale;
      at[6 + i] = zero[from] * scale;
    }
  }
}

static void set_point(lwRetime* r, const Place* p)
{
  double tool[12] = {0}, cap = 1e60;
  for (int k = 0; p->base && !p->lowers && k < 2 * (r->rows + r->norms); ++k)
    p->base[k] = LW_RETIME_SHARE;
  for (int j = 0; j < r->dof; ++j) set_joint(r, p, j);
  if (r->force >= 0) set_cylinders(r, p);
  if (r->tool)
    lw_answer(r->model, r->tool, LW_QUESTION_JACOBIAN_RATE, &(lwStates){.q = p->q, .qd = p->q1},
              tool);
  if (isfinite(r->def.tool_acceleration)) set_tool_acceleration(r, p, tool);
  if (r->def.reaction_count > 0) set_reactions(r, p);
  for (int k = 0; k < r->caps; ++k)
  {
    double rate = cap_rate(r, p, r->cap[k], tool);
    if (!(rate * rate * cap > 1)) continue;
    cap        = 1 / (rate * rate);
    r->nearest = r->cap[k];
  }
  p->at[r->stride - 1] = cap * LW_RETIME_SHARE * LW_RETIME_SHARE;
}

// --- blocks of points

static bool loops_torques(lwRetime* r, int count)
{
  for (int k = 0; k < 3 * count; ++k)
  {
    size_t at      = (size_t)k * (size_t)r->dof;
    lwStates state = {.q = r->state[0] + at, .qd = r->state[1] + at, .qdd = r->state[2] + at};
    if (lw_loops_inverse(r->loops, &state, r->answers + at, NULL) != LW_OK) return false;
  }
  return true;
}

// Torques of three states at each point of the block.
static bool block_torques(lwRetime* r, int count)
{
  size_t n = (size_t)r->dof, row = n * sizeof(double);
  memset(r->state[1], 0, 3 * (size_t)count * row);
  memset(r->state[2], 0, 3 * (size_t)count * row);
  for (size_t k = 0; k < (size_t)count; ++k)
  {
    for (size_t i = 0; i < 3; ++i) memcpy(r->state[0] + (3 * k + i) * n, r->q + k * n, row);
    memcpy(r->state[1] + (3 * k + 2) * n, r->q1 + k * n, row);
    memcpy(r->state[2] + (3 * k + 1) * n, r->q1 + k * n, row);
    memcpy(r->state[2] + (3 * k + 2) * n, r->q2 + k * n, row);
  }
  if (r->loops) return loops_torques(r, count);
  lwStates states = {.q = r->state[0], .qd = r->state[1], .qdd = r->state[2]};
  lw_answer_many(r->model, r->ws, LW_QUESTION_INVERSE, 3 * count, &states, r->answers);
  return true;
}

// Any joint of interval i.
static bool interval_creeps(const lwRetime* r, int i)
{
  bool any = false;
  for (int j = 0; j < r->dof && !any; ++j) any = joint_creeps(r, i, j);
  return any;
}

// Rows of interval i at s, point k of the block.
// NOLINTNEXTLINE(readability-non-const-parameter): a Place is written to
static void set_block_point(lwRetime* r, int k, int i, double s, double* at, double* base,
                            bool lowers)
{
  size_t n = (size_t)r->dof, a = (size_t)k * n;
  const double* tau0 = r->answers + 3 * a;
  Place place        = {.tool_speed = speed_in(r, i),
                        .at         = at,
                        .base       = base,
                        .sign       = r->sign + (size_t)i * n,
                        .interval   = i,
                        .q          = r->q + a,
                        .q1         = r->q1 + a,
                        .q2         = r->q2 + a,
                        .tau0       = tau0,
                        .ta         = tau0 + n,
                        .tb         = tau0 + 2 * n,
                        .s          = s,
                        .lowers     = lowers};
  set_point(r, &place);
}

// Both intervals at a node have its rows; those behind it often are those before it.
static void set_node(lwRetime* r, int k, int node)
{
  size_t n = (size_t)r->dof;
  double s = r->s[node];
  int i    = node - 1;
  if (i >= 0)
    set_block_point(r, k, i, s, lw_retime_end(r, i, 1), lw_retime_limits(r, r->base, i), true);
  if (node == r->count) return;
  bool same = i >= 0 && !interval_creeps(r, i) && !interval_creeps(r, node) &&
              speed_in(r, i) == speed_in(r, node) && r->force < 0 &&
              memcmp(r->sign + (size_t)i * n, r->sign + (size_t)node * n, n * sizeof(double)) == 0;
  double *at = lw_retime_end(r, node, 0), *base = lw_retime_limits(r, r->base, node);
  if (!same) return set_block_point(r, k, node, s, at, base, false);
  memcpy(at, lw_retime_end(r, i, 1), r->stride * sizeof *at);
  memcpy(base, lw_retime_limits(r, r->base, i), 2 * (size_t)(r->rows + r->norms) * sizeof *base);
}

static double inner_place(const lwRetime* r, int point)
{
  static const double share[LW_RETIME_INNER] = {0.2, 0.4, 0.6, 0.8};
  int i                                      = point / LW_RETIME_INNER;
  return r->s[i] + share[point % LW_RETIME_INNER] * r->h[i];
}

// Points `first` to `first + count`: nodes, or those inside intervals.
static bool fill_block(lwRetime* r, bool nodes, int first, int count)
{
  size_t n = (size_t)r->dof;
  for (int k = 0; k < count; ++k)
  {
    double s = nodes ? r->s[first + k] : inner_place(r, first + k);
    size_t a = (size_t)k * n;
    if (!lw_retime_path_at(r, s, r->q + a, r->q1 + a, r->q2 + a)) return false;
  }
  if (!block_torques(r, count)) return false;
  for (int k = 0; k < count; ++k)
    if (nodes)
      set_node(r, k, first + k);
    else
      set_block_point(r, k, (first + k) / LW_RETIME_INNER, inner_place(r, first + k),
                      r->inner + (size_t)(first + k) * r->stride, NULL, false);
  return true;
}

static bool fill_points(lwRetime* r, bool nodes)
{
  int all = nodes ? r->count + 1 : r->count * LW_RETIME_INNER;
  for (int first = 0; first < all; first += LW_RETIME_BLOCK)
  {
    int count = all - first < LW_RETIME_BLOCK ? all - first : LW_RETIME_BLOCK;
    if (!fill_block(r, nodes, first, count)) return false;
  }
  return true;
}

bool lw_retime_fill_ends(lwRetime* r)
{
  return fill_points(r, true);
}

bool lw_retime_fill_inner(lwRetime* r)
{
  return fill_points(r, false);
}

bool lw_retime_fill_point(lwRetime* r, int i, double s)
{
  if (!lw_retime_path_at(r, s, r->q, r->q1, r->q2) || !block_torques(r, 1)) return false;
  set_block_point(r, 0, i, s, r->point, r->point_base, false);
  return true;
}

// --- loads

double lw_retime_load(const lwRetime* r, const double* at, const double* base, double x, double u,
                      lwLimitPlace* place)
{
  lwPointRows rows = lw_point_rows(r, at);
  double w = sqrt(x), worst = -1;
  lwLimitPlace which = {LW_LIMIT_NONE, -1};
  for (int k = 0; k < r->rows; ++k)
  {
    double f     = rows.al[k] * u + rows.be[k] * x + rows.de[k] * w + rows.ga[k];
    double limit = base[(f < 0 ? r->rows + r->norms : 0) + k], load = fabs(f) / limit;
    if (load <= worst) continue;
    worst = load;
    which = r->row[k];
  }
  for (int k = 0; k < r->norms; ++k)
  {
    const double* v = rows.norm + 9 * k;
    double sum      = 0;
    for (int i = 0; i < 3; ++i) sum += lw_pow(v[i] * u + v[3 + i] * x + v[6 + i], 2);
    double load = sqrt(sum) / base[r->rows + k];
    if (load <= worst) continue;
    worst = load;
    which = r->norm[k];
  }
  if (place) *place = which;
  return worst;
}
