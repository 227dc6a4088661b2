// SPDX-License-Identifier: MIT
// All cylinders of a robot: lengths, moment arms, forces for torques,
// stiffness at the joints, closed valves.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/diag.h"
#include "base/number.h"
#include "drive/closed_oil.h"
#include "math/bounded.h"
#include "math/rotation.h"

// A cylinder with its links found.
typedef struct Cylinder
{
  lwCylinderDef def;
  lwFrame pin[2];
  lwClosedOil oil;
} Cylinder;

struct lwCylinders
{
  const lwModel* model;
  lwWorkspace* ws;
  int count, dof, nq;
  Cylinder* cylinders;  // (count)
  double* J;            // (2, 6, dof) Jacobians of the two pins
  double *W, *c;        // (count, count), (count) of least squares
  double *length, *arms, *force;
  double *moved, *step, *other;  // (nq), (dof), (count, dof)
  lwBounded problem;
  lwArena arena;
};

// --- making them

static lwStatus find_pin(lwCylinders* made, int k, int end, const lwPin* pin, lwDiag* diag)
{
  Cylinder* cylinder = &made->cylinders[k];
  lwFrame* frame     = &cylinder->pin[end];
  frame->joint       = LW_BASE;
  if (pin->link && lw_model_find_link(made->model, pin->link, &frame->joint) != LW_OK)
    return lw_refuse(diag, LW_ERROR_FRAME, NULL, "cylinder '%s': there is no link '%s'",
                     cylinder->def.name, pin->link);
  memcpy(frame->xyz, pin->at, sizeof frame->xyz);
  return lw_all_finite(pin->at, 3)
             ? LW_OK
             : lw_refuse(diag, LW_ERROR_INPUT, NULL, "cylinder '%s': a pin is not finite",
                         cylinder->def.name);
}

static lwStatus take_cylinder(lwCylinders* made, int k, const lwCylinderDef* def, lwDiag* diag)
{
  Cylinder* cylinder = &made->cylinders[k];
  lwStatus status    = lw_cylinder_check(def, diag);
  if (status != LW_OK) return status;
  const char* name   = def->name ? def->name : "cylinder";
  cylinder->def      = *def;
  cylinder->def.name = lw_arena_text(&made->arena, name, strlen(name));
  lwPin* pins[2]     = {&cylinder->def.from, &cylinder->def.to};
  for (int i = 0; i < 2; ++i)
    if (pins[i]->link)
      pins[i]->link = lw_arena_text(&made->arena, pins[i]->link, strlen(pins[i]->link));
  if (lw_arena_failed(&made->arena)) return LW_ERROR_MEMORY;
  for (int i = 0; i < k; ++i)
    if (!strcmp(made->cylinders[i].def.name, name))
      return lw_refuse(diag, LW_ERROR_INPUT, NULL, "two cylinders are called '%s'", name);
  status = find_pin(made, k, 0, &def->from, diag);
  if (status == LW_OK) status = find_pin(made, k, 1, &def->to, diag);
  if (status == LW_OK && cylinder->pin[0].joint == cylinder->pin[1].joint)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "cylinder '%s': both pins are on the same link",
                     name);
  return status;
}

static bool take_memory(lwCylinders* made)
{
  lwArena* arena = &made->arena;
  size_t count = (size_t)made->count, dof = (size_t)made->dof, nq = (size_t)made->nq;
  made->cylinders        = lw_arena_take(arena, count + 1, sizeof *made->cylinders);
  made->problem.side     = lw_arena_take(arena, count + 1, sizeof *made->problem.side);
  const lwArray arrays[] = {{&made->J, 12 * dof},
                            {&made->W, count * count},
                            {&made->c, count},
                            {&made->length, count},
                            {&made->force, count},
                            {&made->problem.x, count},
                            {&made->arms, count * dof},
                            {&made->other, count * dof},
                            {&made->moved, nq},
                            {&made->step, dof},
                            {&made->problem.memory, lw_bounded_memory(made->count)},
                            {0}};
  return lw_arrays_take(arena, arrays) && !lw_arena_failed(arena);
}

lwStatus lw_cylinders_create(const lwModel* model, int count, const lwCylinderDef* defs,
                             lwDiag* diag, lwCylinders** cylinders)
{
  lwCylinders* made = calloc(1, sizeof *made);
  *cylinders        = NULL;
  if (!made) return LW_ERROR_MEMORY;
  *made = (lwCylinders){
      .model = model, .count = count, .dof = lw_model_dof(model), .nq = lw_model_nq(model)};
  lwStatus status = take_memory(made) ? LW_OK : LW_ERROR_MEMORY;
  for (int k = 0; k < count && status == LW_OK; ++k)
    status = take_cylinder(made, k, &defs[k], diag);
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(LW_QUESTION_POSE) | LW_ASKS(LW_QUESTION_JACOBIAN);
  def.open_tree      = true;  // moment arms about every joint, also with closed loops
  if (status == LW_OK) status = lw_workspace_create(model, &def, diag, &made->ws);
  if (status == LW_OK)
    *cylinders = made;
  else
    lw_cylinders_destroy(made);
  return status;
}

void lw_cylinders_destroy(lwCylinders* cylinders)
{
  if (!cylinders) return;
  lw_workspace_destroy(cylinders->ws);
  lw_arena_free(&cylinders->arena);
  free(cylinders);
}

int lw_cylinders_count(const lwCylinders* cylinders)
{
  return cylinders->count;
}

const lwCylinderDef* lw_cylinders_get(const lwCylinders* cylinders, int k)
{
  return &cylinders->cylinders[k].def;
}

// --- geometry

// Place and Jacobian of a pin; the frames were checked when the cylinders were made.
static void pin_pose(lwCylinders* set, const lwFrame* pin, const double* q, double p[3], double* J)
{
  double R[9];
  lw_workspace_set_frame(set->ws, set->model, pin, NULL);
  lw_pose(set->model, set->ws, q, p, R);
  lw_jacobian(set->model, set->ws, q, J);
}

void lw_cylinders_pose(lwCylinders* set, const double* q, double* length, double* arms,
                       double* ends)
{
  size_t dof = (size_t)set->dof;
  double *J0 = set->J, *J1 = set->J + 6 * dof;
  for (int k = 0; k < set->count; ++k)
  {
    const Cylinder* cylinder = &set->cylinders[k];
    double p[6], e[3];
    pin_pose(set, &cylinder->pin[0], q, p, J0);
    pin_pose(set, &cylinder->pin[1], q, p + 3, J1);
    for (int i = 0; i < 3; ++i) e[i] = p[i + 3] - p[i];
    length[k] = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    for (size_t j = 0; j < dof; ++j)
    {
      double sum = 0;
      for (size_t i = 0; i < 3; ++i) sum += e[i] * (J1[i * dof + j] - J0[i * dof + j]);
      arms[(size_t)k * dof + j] = sum / length[k];
    }
    if (ends) memcpy(ends + 6 * (size_t)k, p, sizeof p);
  }
}

// tau (dof) of forces (count) with these arms: tau = arms^T force.
static void torque_of(const lwCylinders* set, const double* arms, const double* force, double* tau)
{
  size_t dof = (size_t)set->dof;
  memset(tau, 0, dof * sizeof *tau);
  for (int k = 0; k < set->count; ++k)
    for (size_t j = 0; j < dof; ++j) tau[j] += force[k] * arms[(size_t)k * dof + j];
}

// --- forces for torques

int lw_cylinders_forces(lwCylinders* set, const double* arms, const double* tau, double* force,
                        double* rest)
{
  int count = set->count, dof = set->dof, idle = 0;
  for (int k = 0; k < count; ++k)
  {
    const double* arm = arms + (size_t)k * (size_t)dof;
    for (int i = 0; i < count; ++i)
      set->W[k * count + i] = lw_dot_product(dof, arm, arms + (size_t)i * (size_t)dof);
    set->c[k]            = -lw_dot_product(dof, arm, tau);
    set->problem.side[k] = LW_BOUND_NONE;
  }
  set->problem.n = count;
  set->problem.W = set->W;
  set->problem.c = set->c;
  lw_bounded_equal(&set->problem);
  memcpy(force, set->problem.x, (size_t)count * sizeof *force);
  for (int k = 0; k < count; ++k) idle += force[k] == 0 && set->c[k] != 0;
  if (!rest) return idle;
  torque_of(set, arms, force, rest);
  for (int j = 0; j < dof; ++j) rest[j] = tau[j] - rest[j];
  return idle;
}

// --- stiffness at the joints

// K -= F d(arms) / dq_j, by central differences.
static void subtract_bending(lwCylinders* set, const double* q, const double* force, double* K)
{
  const double h = 1e-5;  // rad or m: errors of h^2 and of rounding / h are both about 1e-10
  size_t dof     = (size_t)set->dof;
  for (size_t j = 0; j < dof; ++j)
    for (int sign = -1; sign <= 1; sign += 2)
    {
      memset(set->step, 0, dof * sizeof *set->step);
      set->step[j] = sign * h;
      lw_model_integrate(set->model, q, set->step, set->moved);
      lw_cylinders_pose(set, set->moved, set->length, set->other, NULL);
      for (int k = 0; k < set->count; ++k)
        for (size_t i = 0; i < dof; ++i)
          K[i * dof + j] -= force[k] * sign * set->other[(size_t)k * dof + i] / (2 * h);
    }
}

void lw_cylinders_stiffness(lwCylinders* set, const double* q, const double* force, double* K)
{
  size_t dof = (size_t)set->dof;
  memset(K, 0, dof * dof * sizeof *K);
  if (force) subtract_bending(set, q, force, K);
  lw_cylinders_pose(set, q, set->length, set->arms, NULL);
  for (int k = 0; k < set->count; ++k)
  {
    const lwCylinderDef* def = &set->cylinders[k].def;
    const double* arm        = set->arms + (size_t)k * dof;
    double stiffness         = lw_cylinder_stiffness(def, set->length[k] - def->closed_length);
    for (size_t i = 0; i < dof; ++i)
      for (size_t j = 0; j < dof; ++j) K[i * dof + j] += stiffness * arm[i] * arm[j];
  }
}

// --- closed valves

lwStatus lw_cylinders_close(lwCylinders* set, const double* q, const double* tau, double* rest,
                            lwDiag* diag)
{
  lw_cylinders_pose(set, q, set->length, set->arms, NULL);
  lw_cylinders_forces(set, set->arms, tau, set->force, rest);
  for (int k = 0; k < set->count; ++k)
  {
    Cylinder* cylinder = &set->cylinders[k];
    double s           = set->length[k] - cylinder->def.closed_length;
    if (!(s >= 0 && s <= cylinder->def.stroke))
      return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                       "cylinder '%s': its stroke would be %.6g m, expected 0 to %g m",
                       cylinder->def.name, s, cylinder->def.stroke);
    cylinder->oil.stroke = s;
    lw_cylinder_pressures(&cylinder->def, set->force[k], cylinder->oil.pressure);
  }
  return LW_OK;
}

void lw_cylinders_closed_torque(lwCylinders* set, const double* q, const double* qd, double* tau,
                                double* force)
{
  double* forces = force ? force : set->force;
  lw_cylinders_pose(set, q, set->length, set->arms, NULL);
  for (int k = 0; k < set->count; ++k)
  {
    const Cylinder* cylinder = &set->cylinders[k];
    double speed = lw_dot_product(set->dof, set->arms + (size_t)k * (size_t)set->dof, qd);
    double s     = set->length[k] - cylinder->def.closed_length;
    forces[k] =
        lw_closed_oil_force(&cylinder->def, &cylinder->oil, s) - cylinder->def.damping * speed;
  }
  torque_of(set, set->arms, forces, tau);
}

double lw_cylinders_closed_energy(lwCylinders* set, const double* q)
{
  double sum = 0;
  lw_cylinders_pose(set, q, set->length, set->arms, NULL);
  for (int k = 0; k < set->count; ++k)
  {
    const Cylinder* cylinder = &set->cylinders[k];
    sum += lw_closed_oil_energy(&cylinder->def, &cylinder->oil,
                                set->length[k] - cylinder->def.closed_length);
  }
  return sum;
}

void lw_cylinders_state(lwCylinders* set, lwStateBytes* state)
{
  for (int k = 0; k < set->count; ++k)
  {
    lw_state_numbers(state, &set->cylinders[k].oil.stroke, 1);
    lw_state_numbers(state, set->cylinders[k].oil.pressure, 2);
  }
}
