// SPDX-License-Identifier: MIT
#include "identify/regressor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- links

void lw_link_parameters(const lwLinkDef* link, double pi[LW_LINK_PARAMETERS])
{
  double m = link->mass, x = link->com[0], y = link->com[1], z = link->com[2];
  const double shift[6] = {y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z};
  pi[0]                 = m;
  for (int k = 0; k < 3; ++k) pi[1 + k] = m * link->com[k];
  for (int k = 0; k < 6; ++k) pi[4 + k] = link->inertia[k] + m * shift[k];
}

void lw_link_from_parameters(const double pi[LW_LINK_PARAMETERS], lwLinkDef* link)
{
  lwLinkDef point = {.mass = pi[0]};
  double shift[LW_LINK_PARAMETERS];
  for (int k = 0; k < 3; ++k) point.com[k] = pi[0] != 0 ? pi[1 + k] / pi[0] : 0;
  lw_link_parameters(&point, shift);
  link->mass = pi[0];
  for (int k = 0; k < 3; ++k) link->com[k] = point.com[k];
  for (int k = 0; k < 6; ++k) link->inertia[k] = pi[4 + k] - shift[4 + k];
}

// --- unknowns

static bool is_asked(const lwIdentifyDef* def, lwUnknownKind kind)
{
  const bool asked[] = {true, def->rotors, def->viscous, def->coulomb, def->offset, false};
  return asked[kind];
}

static double value_in_file(const lwModel* model, lwUnknownKind kind, int i)
{
  const lwJointDef* joint = lw_model_joint_def(model, i);
  const double value[]    = {
         0, lw_motor_rotor(&joint->motor), joint->friction.viscous, joint->friction.coulomb, 0, 0};
  return value[kind];
}

static void add_unknown(lwUnknowns* unknowns, lwUnknown unknown)
{
  unknowns->of[unknowns->count++] = unknown;
}

// The ratios of torque constants to those of the description have a mean of 1: the last one follows
// from the others.
static void add_gains(lwUnknowns* unknowns, const bool* moved)
{
  int first = unknowns->count;
  for (int i = 0; i < lw_model_dof(unknowns->model); ++i)
    if (moved[i]) add_unknown(unknowns, (lwUnknown){.kind = LW_UNKNOWN_GAIN, .joint = i});
  if (unknowns->count > first) --unknowns->count;
}

lwStatus lw_unknowns_create(lwUnknowns* unknowns, const lwModel* model, const lwIdentifyDef* def,
                            const bool* moved)
{
  const lwRobotDef* robot = lw_model_robot(model);
  int n                   = lw_model_dof(model);
  size_t most             = (size_t)robot->count * LW_LINK_PARAMETERS + 5 * (size_t)n + 1;
  *unknowns               = (lwUnknowns){.model = model, .of = calloc(most, sizeof *unknowns->of)};
  if (!unknowns->of) return LW_ERROR_MEMORY;
  for (int i = 0; i < robot->count; ++i)
  {
    double pi[LW_LINK_PARAMETERS];
    lw_link_parameters(&robot->joints[i].link, pi);
    for (int k = 0; k < LW_LINK_PARAMETERS; ++k)
      add_unknown(unknowns, (lwUnknown){LW_UNKNOWN_INERTIAL, i, k, pi[k]});
  }
  unknowns->inertial = unknowns->count;
  for (int kind = LW_UNKNOWN_ROTOR; kind <= LW_UNKNOWN_OFFSET; ++kind)
    for (int i = 0; i < n && is_asked(def, (lwUnknownKind)kind); ++i)
      if (moved[i])
        add_unknown(unknowns, (lwUnknown){(lwUnknownKind)kind, i, 0,
                                          value_in_file(model, (lwUnknownKind)kind, i)});
  if (def->current) add_gains(unknowns, moved);
  return LW_OK;
}

void lw_unknowns_free(lwUnknowns* unknowns)
{
  free(unknowns->of);
}

void lw_unknown_name(const lwUnknowns* unknowns, int c, char name[LW_UNKNOWN_NAME])
{
  static const char* const entries[] = {"m", "mx", "my", "mz", "xx", "yy", "zz", "xy", "xz", "yz"};
  static const char* const kinds[]   = {"", "rotor", "viscous", "coulomb", "offset", "gain"};
  const lwUnknown* unknown           = &unknowns->of[c];
  if (unknown->kind != LW_UNKNOWN_INERTIAL)
  {
    snprintf(name, LW_UNKNOWN_NAME, "%s.%s", lw_model_joint_name(unknowns->model, unknown->joint),
             kinds[unknown->kind]);
    return;
  }
  const lwJointDef* joint = &lw_model_robot(unknowns->model)->joints[unknown->joint];
  snprintf(name, LW_UNKNOWN_NAME, "%s.%s", joint->link.name ? joint->link.name : joint->name,
           entries[unknown->entry]);
}

const char* lw_unknown_unit(const lwUnknowns* unknowns, int c)
{
  static const char* const turning[] = {"", "kg m^2", "N m s/rad", "N m", "N m", ""};
  static const char* const sliding[] = {"", "kg", "N s/m", "N", "N", ""};
  const lwUnknown* unknown           = &unknowns->of[c];
  if (unknown->kind == LW_UNKNOWN_INERTIAL)
    return unknown->entry == 0 ? "kg" : unknown->entry < 4 ? "kg m" : "kg m^2";
  bool slides = lw_model_velocity(unknowns->model, unknown->joint).slides;
  return (slides ? sliding : turning)[unknown->kind];
}

// --- the matrix

// Torques are linear in the parameters of a link: those of a robot with one of them alone are a
// column.
struct lwRegressor
{
  int n, columns;
  lwModel** models;  // (columns) of robots with one parameter each
  lwWorkspace** ws;  // (columns)
  double* tau;       // (n)
  double* Y;         // (n, columns)
};

// A moment m c alone cannot be described: with it come a mass of 1, which is taken away again, and
// no inertia about the origin.
static void set_parameter(lwLinkDef* link, int entry)
{
  double pi[LW_LINK_PARAMETERS] = {entry < 4 ? 1 : 0};
  pi[entry]                     = 1;
  lw_link_from_parameters(pi, link);
}

static lwStatus make_column(lwRegressor* regressor, const lwModel* model, lwRobotDef* robot,
                            lwJointDef* joints, int c)
{
  lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  lwLinkDef none          = {0};
  lwWorkspaceDef def      = lw_workspace_def();
  def.questions           = LW_ASKS(LW_QUESTION_INVERSE);
  *robot                  = *lw_model_robot(model);
  memcpy(joints, robot->joints, (size_t)robot->count * sizeof *joints);
  for (int i = 0; i < robot->count; ++i)
  {
    none.name      = joints[i].link.name;
    joints[i].link = none;
  }
  set_parameter(&joints[c / LW_LINK_PARAMETERS].link, c % LW_LINK_PARAMETERS);
  robot->joints   = joints;
  lwStatus status = lw_model_create(robot, &tolerate, NULL, &regressor->models[c]);
  if (status != LW_OK) return status;
  return lw_workspace_create(regressor->models[c], &def, NULL, &regressor->ws[c]);
}

lwStatus lw_regressor_create(const lwModel* model, lwRegressor** regressor)
{
  lwRobotDef robot;
  lwRegressor* made  = calloc(1, sizeof *made);
  size_t count       = (size_t)lw_model_joint_count(model) * LW_LINK_PARAMETERS;
  lwJointDef* joints = calloc((size_t)lw_model_joint_count(model) + 1, sizeof *joints);
  lwStatus status    = made && joints ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    made->n       = lw_model_dof(model);
    made->columns = (int)count;
    made->models  = calloc(count + 1, sizeof(lwModel*));
    made->ws      = calloc(count + 1, sizeof(lwWorkspace*));
    made->tau     = calloc((size_t)made->n + 1, sizeof(double));
    made->Y       = calloc((size_t)made->n * count + 1, sizeof(double));
    if (!made->models || !made->ws || !made->tau || !made->Y) status = LW_ERROR_MEMORY;
  }
  for (int c = 0; status == LW_OK && c < made->columns; ++c)
    status = make_column(made, model, &robot, joints, c);
  free(joints);
  *regressor = status == LW_OK ? made : NULL;
  if (status != LW_OK) lw_regressor_destroy(made);
  return status;
}

void lw_regressor_destroy(lwRegressor* regressor)
{
  if (!regressor) return;
  for (int c = 0; c < regressor->columns && regressor->models && regressor->ws; ++c)
  {
    lw_workspace_destroy(regressor->ws[c]);
    lw_model_destroy(regressor->models[c]);
  }
  free(regressor->models);
  free(regressor->ws);
  free(regressor->tau);
  free(regressor->Y);
  free(regressor);
}

static void inertial_columns(lwRegressor* regressor, const lwStates* state)
{
  size_t columns          = (size_t)regressor->columns;
  lwStates free_of_wrench = *state;
  free_of_wrench.wrench   = NULL;
  for (size_t c = 0; c < columns; ++c)
  {
    size_t entry = c % LW_LINK_PARAMETERS;
    lw_answer(regressor->models[c], regressor->ws[c], LW_QUESTION_INVERSE, &free_of_wrench,
              regressor->tau);
    for (size_t i = 0; i < (size_t)regressor->n; ++i)
    {
      double* row = regressor->Y + i * columns;
      row[c]      = regressor->tau[i] - (entry >= 1 && entry < 4 ? row[c - entry] : 0);
    }
  }
}

double lw_unknown_column(const lwUnknown* unknown, const lwStates* state)
{
  int i             = unknown->joint;
  double qd         = state->qd ? state->qd[i] : 0;
  const double at[] = {0, state->qdd ? state->qdd[i] : 0, qd, (qd > 0) - (qd < 0), 1, 0};
  return at[unknown->kind];
}

void lw_regressor_rows(lwRegressor* regressor, const lwUnknowns* unknowns, const lwStates* state,
                       double* Y)
{
  int n = regressor->n, p = unknowns->count;
  inertial_columns(regressor, state);
  memset(Y, 0, (size_t)n * (size_t)p * sizeof *Y);
  for (int i = 0; i < n; ++i)
    memcpy(Y + (size_t)i * (size_t)p, regressor->Y + (size_t)i * (size_t)regressor->columns,
           (size_t)unknowns->inertial * sizeof *Y);
  for (int c = unknowns->inertial; c < p; ++c)
  {
    size_t i                     = (size_t)unknowns->of[c].joint;
    Y[i * (size_t)p + (size_t)c] = lw_unknown_column(&unknowns->of[c], state);
  }
}
