// SPDX-License-Identifier: MIT
// State equations around a motion: derivatives of the torques, then the inverse of M + R.
//
//   x = (q, qd, i)   dq/dt = qd, for ball and floating joints in their tangent space
//                    (M + R) qdd = u - (dtau/dq + K) q - (dtau/dqd + D) qd
//                    L di/dt = v - resistance i - k qd
//
// A robot that rolls has more positions than speeds u, and q are those of all joints:
//   dq/dt = N(q) u
//
// K and D: springs, dampers, and the oil of cylinders behind closed valves.
//
// k = gear torque_constant; without inductance i = (v - k qd) / resistance at once,
// and k^2 / resistance is damping.
#include "linkwork/linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/diag.h"
#include "linkwork/cylinder.h"
#include "loop/loop_workspace.h"
#include "math/elementary.h"
#include "math/lu.h"

enum
{
  NAME_SIZE = 80
};

struct lwLinear
{
  const lwModel* model;
  lwLinearDef def;
  int n, dof, states;                   // n: speeds, with loops fewer than dof
  int places;                           // positions: n, or dof of a robot that rolls
  lwWorkspace* ws;                      // NULL: the robot has loops
  lwLoops* loops;                       // of a robot that has them
  double* slopes;                       // (n, places) and (n, n) of the torques by q and by qd
  double *bent, *N;                     // (places, places) of dq/dt by q, (places, n); if it rolls
  double* tau;                          // (n) of the point
  double* oil;                          // (dof, dof) stiffness of closed cylinders
  double *length, *arms, *force;        // (cylinders), (cylinders, dof), (cylinders)
  double *M, *factors;                  // (n, n)
  double* column;                       // (dof)
  int* pivots;                          // (n)
  double *stiffness, *damping, *rotor;  // (dof) constants of the joints
  double* speed;                        // (n) of the point
  double* steady;                       // (dof) accelerations of constant speeds
  int* current;                         // (n) state of the motor's current; -1: none
  char (*names)[NAME_SIZE];             // (states)
  lwArena arena;
};

lwLinearDef lw_linear_def(void)
{
  return (lwLinearDef){.cookie = LW_COOKIE};
}

static const lwMotor* driven_motor(const lwLinear* linear, int i)
{
  const lwMotor* motor =
      &lw_model_joint_def(linear->model, lw_model_speed(linear->model, i))->motor;
  return linear->def.motors && motor->given ? motor : NULL;
}

bool lw_linear_is_voltage(const lwLinear* linear, int k)
{
  return driven_motor(linear, k) != NULL;
}

// What a linear model cannot have beside closed loops.
static lwStatus check_closed_joints(const lwModel* model, const lwLinearDef* def, lwDiag* diag)
{
  for (int k = 0; k < lw_model_mobility(model); ++k)
    if (lw_model_velocity(model, lw_model_speed(model, k)).other < 0)
      return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                       "a linear model with closed loops needs speeds of joints with one freedom");
  int rolling = lw_model_rolling_rows(model);
  if (def->cylinders && rolling > 0)
    return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                     "a linear model of a robot that rolls cannot have cylinders");
  if (rolling > 0 && rolling < lw_model_loop_rows(model))
    return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                     "the positions of a robot that rolls and has closed loops are no states of a "
                     "linear model, as the loops bind them");
  for (int i = 0; def->springs && i < lw_model_dof(model); ++i)
    if (def->springs[i].stiffness != 0 && !lw_model_is_driven(model, i))
      return lw_refuse(diag, LW_ERROR_METHOD, "only stiffness counts, not the force of a spring",
                       "joint '%s' is passive: a linear model with closed loops takes springs of "
                       "driven joints only",
                       lw_model_joint_name(model, i));
  return LW_OK;
}

static lwStatus check_joints(const lwModel* model, const lwLinearDef* def, lwDiag* diag)
{
  int inert   = def->rotors ? lw_model_inert_driven(model) : lw_model_inert(model);
  bool closed = model->loops;
  if (closed && check_closed_joints(model, def, diag) != LW_OK) return LW_ERROR_METHOD;
  if (inert >= 0 && !closed)
    return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                     "nothing resists joint '%s', so its acceleration is not determined",
                     lw_model_robot(model)->joints[inert].name);
  for (int i = 0; def->springs && i < lw_model_dof(model); ++i)
    if (!isfinite(def->springs[i].stiffness) || !isfinite(def->springs[i].damping))
      return lw_refuse(diag, LW_ERROR_INPUT, NULL, "the spring of joint '%s' is not finite",
                       lw_model_joint_name(model, i));
  for (int i = 0; def->springs && i < lw_model_dof(model); ++i)
    if (def->springs[i].stiffness != 0 && lw_model_velocity(model, i).other < 0)
      return lw_refuse(
          diag, LW_ERROR_METHOD, NULL,
          "'%s' has a spring, and ball and floating joints have no angle that it could "
          "act on",
          lw_model_joint_name(model, i));
  return LW_OK;
}

// q1 or, with loops, q.crank
static void name_entry(const lwLinear* linear, const char* symbol, int i, char name[NAME_SIZE])
{
  if (linear->model->loops)
    snprintf(name, NAME_SIZE, "%s.%.60s", symbol, lw_model_velocity(linear->model, i).name);
  else
    snprintf(name, NAME_SIZE, "%s%d", symbol, i + 1);
}

// The entry of qd whose position is state i.
static int place_entry(const lwLinear* linear, int i)
{
  return linear->places > linear->n ? i : lw_model_speed(linear->model, i);
}

// Which states there are, with their names.
static bool name_states(lwLinear* linear)
{
  int n     = linear->n;
  int count = linear->places + n;
  for (int i = 0; i < n; ++i)
  {
    const lwMotor* motor = driven_motor(linear, i);
    linear->current[i]   = motor && motor->inductance > 0 ? count++ : -1;
  }
  linear->states = count;
  linear->names  = lw_arena_take(&linear->arena, (size_t)count + 1, sizeof *linear->names);
  if (!linear->names) return false;
  for (int i = 0; i < linear->places; ++i)
    name_entry(linear, "q", place_entry(linear, i), linear->names[i]);
  for (int i = 0; i < n; ++i)
  {
    int entry = lw_model_speed(linear->model, i);
    name_entry(linear, "qd", entry, linear->names[linear->places + i]);
    if (linear->current[i] >= 0) name_entry(linear, "i", entry, linear->names[linear->current[i]]);
  }
  return true;
}

static bool linear_memory(lwLinear* linear)
{
  size_t n = (size_t)linear->n, square = n * n, dof = (size_t)linear->dof;
  size_t places = (size_t)linear->places, rolls = places > n ? places : 0;
  size_t cylinders = linear->def.cylinders ? (size_t)lw_cylinders_count(linear->def.cylinders) : 0;
  const lwArray arrays[] = {{&linear->oil, dof * dof},
                            {&linear->length, cylinders},
                            {&linear->force, cylinders},
                            {&linear->arms, cylinders * dof},
                            {&linear->slopes, n * (places + n)},
                            {&linear->bent, rolls * places},
                            {&linear->N, rolls * n},
                            {&linear->M, square},
                            {&linear->factors, square},
                            {&linear->tau, n},
                            {&linear->column, dof},
                            {&linear->stiffness, dof},
                            {&linear->damping, dof},
                            {&linear->rotor, dof},
                            {&linear->speed, n},
                            {&linear->steady, dof},
                            {0}};
  linear->pivots         = lw_arena_take(&linear->arena, n + 1, sizeof(int));
  linear->current        = lw_arena_take(&linear->arena, n + 1, sizeof(int));
  if (!linear->pivots || !linear->current || !lw_arrays_take(&linear->arena, arrays)) return false;
  for (size_t i = 0; i < dof; ++i)
  {
    const lwJointDef* joint = lw_model_joint_def(linear->model, (int)i);
    const lwSpring* spring  = linear->def.springs ? &linear->def.springs[i] : NULL;
    linear->stiffness[i]    = spring ? spring->stiffness : 0;
    linear->damping[i]      = spring ? spring->damping : 0;
    if (linear->def.friction) linear->damping[i] += joint->friction.viscous;
    linear->rotor[i] = linear->def.rotors ? lw_joint_rotor(joint) : 0;
  }
  return name_states(linear);
}

lwStatus lw_linear_create(const lwModel* model, const lwLinearDef* def, lwDiag* diag,
                          lwLinear** linear)
{
  lwLinearDef usual     = lw_linear_def();
  lwWorkspaceDef answer = lw_workspace_def();
  *linear               = NULL;
  if (!def) def = &usual;
  lwStatus status = lw_def_check(def->cookie, "lw_linear_def()", diag);
  if (status == LW_OK) status = check_joints(model, def, diag);
  if (status != LW_OK) return status;
  lwLinear* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  made->model      = model;
  made->def        = *def;
  made->n          = lw_model_mobility(model);
  made->dof        = lw_model_dof(model);
  made->places     = lw_model_rolling_rows(model) > 0 ? made->dof : made->n;
  answer.questions = LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_INERTIA) |
                     LW_ASKS(LW_QUESTION_INVERSE_DERIVATIVES);
  status = linear_memory(made) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK)
    status = model->loops ? lw_loops_create(model, &answer, diag, &made->loops)
                          : lw_workspace_create(model, &answer, diag, &made->ws);
  made->def.springs = NULL;  // of the caller
  if (status == LW_OK)
    *linear = made;
  else
    lw_linear_destroy(made);
  return status;
}

void lw_linear_destroy(lwLinear* linear)
{
  if (!linear) return;
  lw_workspace_destroy(linear->ws);
  lw_loops_destroy(linear->loops);
  lw_arena_free(&linear->arena);
  free(linear);
}

int lw_linear_states(const lwLinear* linear)
{
  return linear->states;
}

const char* lw_linear_state_name(const lwLinear* linear, int i)
{
  return linear->names[i];
}

// --- around a point

// Column j of the rows of qd in A or B becomes (M + R)^-1 linear->column.
static void put_column(const lwLinear* linear, double* matrix, int width, int j)
{
  int n = linear->n;
  lw_lu_solve(linear->factors, n, linear->pivots, linear->column);
  for (int i = 0; i < n; ++i)  // never -0
    matrix[(size_t)(linear->places + i) * (size_t)width + (size_t)j] = linear->column[i] + 0.0;
}

// Torque of the joint per ampere, N m/A, with the gear loss at this point,
// which depends on the direction of power.
static double torque_per_ampere(const lwMotor* motor, double qd, double tau)
{
  double ideal       = motor->gear * motor->torque_constant;
  lwMotorPoint point = lw_motor_need(motor, qd, tau, 0);
  return tau != 0 && point.current != 0 ? tau / point.current : ideal;
}

// Columns of q: slopes of the torques, and of dq/dt where a robot rolls.
static void put_position_columns(lwLinear* linear, double* A)
{
  int n = linear->n, places = linear->places;
  for (int j = 0; j < places; ++j)
  {
    int entry = place_entry(linear, j);
    for (int i = 0; i < n; ++i)
    {
      linear->column[i] = -linear->slopes[i * places + j];
      if (lw_model_speed(linear->model, i) == entry) linear->column[i] -= linear->stiffness[entry];
    }
    put_column(linear, A, linear->states, j);
    for (int i = 0; i < places && places > n; ++i)
      A[i * linear->states + j] = linear->bent[i * places + j];
  }
}

// Columns of qd, with what drives the joints besides torques.
static void put_speed_columns(lwLinear* linear, double* A)
{
  int n = linear->n, places = linear->places;
  for (int j = 0; j < n; ++j)
  {
    const lwMotor* motor = driven_motor(linear, j);
    double emf = motor ? motor->gear * motor->torque_constant : 0;  // V s/rad at the joint
    for (int i = 0; i < n; ++i) linear->column[i] = -linear->slopes[n * (places + i) + j];
    if (!linear->loops) linear->column[j] -= linear->damping[lw_model_speed(linear->model, j)];
    if (motor && linear->current[j] < 0)
      linear->column[j] -=
          torque_per_ampere(motor, linear->speed[j], linear->tau[j]) * emf / motor->resistance;
    put_column(linear, A, linear->states, places + j);
    for (int i = 0; i < places; ++i)
      A[i * linear->states + places + j] = places > n ? linear->N[i * n + j] : i == j;
    if (motor && linear->current[j] >= 0)
      A[linear->current[j] * linear->states + places + j] = -emf / motor->inductance;
  }
}

static void put_inputs(lwLinear* linear, double* A, double* B)
{
  int n = linear->n;
  for (int j = 0; j < n; ++j)
  {
    const lwMotor* motor = driven_motor(linear, j);
    int state            = linear->current[j];
    double gain          = motor ? torque_per_ampere(motor, linear->speed[j], linear->tau[j]) : 1;
    memset(linear->column, 0, (size_t)n * sizeof(double));
    linear->column[j] = motor && state < 0 ? gain / motor->resistance : gain;
    put_column(linear, state < 0 ? B : A, state < 0 ? n : linear->states, state < 0 ? j : state);
    if (state < 0) continue;
    A[state * linear->states + state] = -motor->resistance / motor->inductance;
    B[state * n + j]                  = 1 / motor->inductance;
  }
}

// A[row..][column..] -= [a x]
static void subtract_cross(const lwLinear* linear, double* A, int row, int column, const double* a)
{
  for (int i = 0; i < 3; ++i)
  {
    int next = (i + 1) % 3, after = (i + 2) % 3;
    A[(row + i) * linear->states + column + after] -= a[next];
    A[(row + i) * linear->states + column + next] += a[after];
  }
}

// The tangent space of ball and floating joints moves along with the motion. With position p + R e
// and quaternion * exp(d),
//   de/dt = dv - v x d - w x e    dd/dt = dw - w x d
static void put_turning(const lwLinear* linear, const double* qd, double* A)
{
  for (int k = 0; k < linear->model->ball_count && qd; ++k)
  {
    int v = linear->model->balls[k].v;
    subtract_cross(linear, A, v, v, qd + v);
    if (!linear->model->balls[k].floats) continue;
    subtract_cross(linear, A, v - 3, v - 3, qd + v);
    subtract_cross(linear, A, v - 3, v, qd + v - 3);
  }
}

// The forces that the torques of a point ask of the cylinders and the stiffness of their oil. With
// closed loops moment arms and stiffness are those about the speeds, at their entries.
static lwStatus find_oil(lwLinear* linear, const lwStates* point)
{
  lwCylinders* cylinders = linear->def.cylinders;
  size_t dof = (size_t)linear->dof, count = (size_t)lw_cylinders_count(cylinders);
  double *tau = linear->column, *arms = linear->arms;
  lwStatus status = LW_OK;
  memset(tau, 0, dof * sizeof *tau);
  for (int i = 0; i < linear->n; ++i) tau[lw_model_speed(linear->model, i)] = linear->tau[i];
  lw_cylinders_pose(cylinders, point->q, linear->length, arms, NULL);
  for (size_t c = 0; c < count && linear->loops && status == LW_OK; ++c)
    status = lw_loops_on_speeds(linear->loops, point->q, arms + c * dof, arms + c * dof, NULL);
  if (status != LW_OK) return status;
  lw_cylinders_forces(cylinders, arms, tau, linear->force, NULL);
  lw_cylinders_stiffness(cylinders, point->q, linear->force, linear->oil);
  if (!linear->loops) return LW_OK;
  lw_cylinders_pose(cylinders, point->q, linear->length, arms, NULL);
  memset(tau, 0, dof * sizeof *tau);
  for (size_t k = 0; k < count * dof; ++k) tau[k % dof] += linear->force[k / dof] * arms[k];
  status = lw_loops_stiffness(linear->loops, point->q, tau, linear->oil, linear->oil, NULL);
  for (size_t c = 0; c < count && status == LW_OK; ++c)
    status = lw_loops_on_speeds(linear->loops, point->q, arms + c * dof, arms + c * dof, NULL);
  return status;
}

// Behind closed valves the oil holds what the torques at this point ask of the cylinders: adds its
// stiffness, and the damping of the pistons, c dL/dq_i dL/dq_j.
static lwStatus add_oil(lwLinear* linear, const lwStates* point)
{
  lwCylinders* cylinders = linear->def.cylinders;
  size_t n = (size_t)linear->n, dof = (size_t)linear->dof;
  size_t count    = (size_t)lw_cylinders_count(cylinders);
  lwStatus status = find_oil(linear, point);
  for (size_t k = 0; k < n * n && status == LW_OK; ++k)
  {
    size_t i = (size_t)lw_model_speed(linear->model, (int)(k / n));
    size_t j = (size_t)lw_model_speed(linear->model, (int)(k % n));
    linear->slopes[k] += linear->oil[i * dof + j];
    for (size_t c = 0; c < count; ++c)
      linear->slopes[n * n + k] += lw_cylinders_get(cylinders, (int)c)->damping *
                                   linear->arms[c * dof + i] * linear->arms[c * dof + j];
  }
  return status;
}

// Torques, their derivatives and M with rotors of a tree.
static void tree_point(lwLinear* linear, const lwStates* point)
{
  size_t n = (size_t)linear->n;
  lw_answer(linear->model, linear->ws, LW_QUESTION_INVERSE, point, linear->tau);
  lw_answer(linear->model, linear->ws, LW_QUESTION_INVERSE_DERIVATIVES, point, linear->slopes);
  lw_answer(linear->model, linear->ws, LW_QUESTION_INERTIA, point, linear->M);
  for (size_t i = 0; i < n; ++i)
  {
    double qd = point->qd ? point->qd[i] : 0, qdd = point->qdd ? point->qdd[i] : 0;
    linear->M[i * n + i] += linear->rotor[i];
    linear->tau[i] += linear->rotor[i] * qdd + linear->damping[i] * qd;
  }
}

// With closed loops, in their speeds, damping included. Accelerations that are not given
// are those of constant speeds.
static lwStatus closed_point(lwLinear* linear, const lwStates* point)
{
  lwStates moves  = *point;
  lwStatus status = lw_loops_check(linear->loops, point->q, point->qd, point->qdd, NULL);
  if (status == LW_OK && moves.qd && !moves.qdd)
  {
    memset(linear->steady, 0, (size_t)linear->dof * sizeof *linear->steady);
    moves.qdd = linear->steady;
    status    = lw_loops_acceleration(linear->loops, moves.q, moves.qd, linear->steady);
  }
  if (status != LW_OK) return status;
  bool rolls = linear->places > linear->n;
  return lw_loops_linearise(linear->loops, &moves, linear->rotor, linear->damping, linear->tau,
                            linear->M, linear->slopes, rolls ? linear->bent : NULL,
                            rolls ? linear->N : NULL);
}

lwStatus lw_linear_at(lwLinear* linear, const lwStates* point, double* A, double* B)
{
  size_t n = (size_t)linear->n, states = (size_t)linear->states;
  lwStatus status = LW_OK;
  memset(A, 0, states * states * sizeof(double));
  memset(B, 0, states * n * sizeof(double));
  if (linear->loops)
    status = closed_point(linear, point);
  else
    tree_point(linear, point);
  if (status == LW_OK && linear->def.cylinders) status = add_oil(linear, point);
  if (status != LW_OK) return status;
  for (size_t i = 0; i < n; ++i)
    linear->speed[i] = point->qd ? point->qd[lw_model_speed(linear->model, (int)i)] : 0;
  memcpy(linear->factors, linear->M, n * n * sizeof(double));
  if (!lw_lu_factor(linear->factors, linear->n, linear->pivots)) return LW_ERROR_INPUT;
  put_position_columns(linear, A);
  put_speed_columns(linear, A);
  if (linear->places == linear->dof) put_turning(linear, point->qd, A);
  put_inputs(linear, A, B);
  for (size_t k = 0; k < states * states; ++k)
    if (!isfinite(A[k])) return LW_ERROR_INPUT;
  return LW_OK;
}

// --- mode shapes

typedef struct Share
{
  int joint;
  double size;   // of its motion, as a part of the largest
  double phase;  // cosine of the angle to the largest
} Share;

static int compare_shares(const void* a, const void* b)
{
  const Share *x = a, *y = b;
  if (x->size != y->size) return x->size < y->size ? 1 : -1;
  return x->joint - y->joint;
}

// The joints' positions in the shape, of a robot that rolls the velocities of the speeds.
static int take_shares(const lwLinear* linear, const double* shape, Share* shares)
{
  int n = linear->n, largest = 0;
  if (linear->places > n) shape += 2 * (size_t)linear->places;
  for (int i = 0; i < n; ++i)
  {
    double size = lw_hypot(shape[2 * i], shape[2 * i + 1]) * sqrt(fabs(linear->M[i * n + i]));
    shares[i]   = (Share){.joint = i, .size = size};
    if (size > shares[largest].size) largest = i;
  }
  const double* lead = shape + 2 * (size_t)largest;
  double most        = n > 0 ? shares[largest].size : 0;
  for (int i = 0; i < n; ++i)
  {
    const double* own = shape + 2 * (size_t)i;
    double both       = lw_hypot(own[0], own[1]) * lw_hypot(lead[0], lead[1]);
    shares[i].phase   = both > 0 ? (own[0] * lead[0] + own[1] * lead[1]) / both : 0;
    shares[i].size    = most > 0 ? shares[i].size / most : 0;
  }
  qsort(shares, (size_t)n, sizeof *shares, compare_shares);
  return most > 0 ? n : 0;
}

void lw_linear_mode_text(const lwLinear* linear, const double* shape, char* text, size_t size)
{
  size_t used   = 0;
  Share* shares = calloc((size_t)linear->n + 1, sizeof *shares);
  int count     = shares ? take_shares(linear, shape, shares) : 0;
  if (size > 0) text[0] = 0;
  if (count == 0 && size > 0) snprintf(text, size, "no joint moves");
  for (int i = 0; i < count && shares[i].size >= 0.05; ++i)
  {
    int entry         = lw_model_speed(linear->model, shares[i].joint);
    const char* name  = lw_model_joint_name(linear->model, entry);
    const char* phase = shares[i].phase > 0.7    ? "in phase"
                        : shares[i].phase < -0.7 ? "opposed"
                                                 : "a quarter turn off";
    int added         = i == 0 ? snprintf(text + used, size - used, "%s", name)
                               : snprintf(text + used, size - used, "%s %s %s (%.2f)",
                                  i == 1 ? ", with" : ",", name, phase, shares[i].size);
    if (added < 0 || (size_t)added >= size - used) break;
    used += (size_t)added;
  }
  free(shares);
}
