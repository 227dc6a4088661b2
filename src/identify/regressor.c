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

void lw_pseudo_inertia(const double pi[LW_LINK_PARAMETERS], double P[4][4])
{
  double half            = (pi[4] + pi[5] + pi[6]) / 2;
  static const int at[6] = {0, 5, 10, 1, 2, 6};  // xx yy zz xy xz yz in a matrix of 4 x 4
  for (int k = 0; k < 6; ++k)
    P[at[k] / 4][at[k] % 4] = P[at[k] % 4][at[k] / 4] = (k < 3 ? half : 0) - pi[4 + k];
  for (int k = 0; k < 3; ++k) P[k][3] = P[3][k] = pi[1 + k];
  P[3][3] = pi[0];
}

void lw_pseudo_parameters(const double P[4][4], double pi[LW_LINK_PARAMETERS])
{
  double trace = P[0][0] + P[1][1] + P[2][2];
  pi[0]        = P[3][3];
  for (int k = 0; k < 3; ++k) pi[1 + k] = P[k][3];
  for (int k = 0; k < 3; ++k) pi[4 + k] = trace - P[k][k];
  pi[7] = -P[0][1];
  pi[8] = -P[0][2];
  pi[9] = -P[1][2];
}

// --- unknowns

static const char* const KIND_NAME[] = {"", "rotor", "viscous", "coulomb", "offset", "gain"};

static double value_in_file(const lwModel* model, lwUnknownKind kind, int i)
{
  const lwJointDef* joint = lw_model_joint_def(model, i);
  const double value[]    = {
         0, lw_joint_rotor(joint), joint->friction.viscous, joint->friction.coulomb, 0, 0};
  return value[kind];
}

static void add_unknown(lwUnknowns* unknowns, lwUnknown unknown)
{
  unknowns->of[unknowns->count++] = unknown;
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
  const bool asked[] = {true, def->rotors, def->viscous, def->coulomb, def->offset, def->current};
  for (int k = LW_UNKNOWN_ROTOR; k <= LW_UNKNOWN_GAIN; ++k)
    for (int i = 0; i < n && asked[k]; ++i)
      if (moved[i] && lw_model_velocity(model, i).other >= 0 &&  // drives have an axis
          (k < LW_UNKNOWN_OFFSET || lw_model_is_driven(model, i)))
        add_unknown(unknowns,
                    (lwUnknown){(lwUnknownKind)k, i, 0, value_in_file(model, (lwUnknownKind)k, i)});
  // the ratios of torque constants to the description's have a mean of 1, so the last follows
  if (unknowns->count > 0 && unknowns->of[unknowns->count - 1].kind == LW_UNKNOWN_GAIN)
    --unknowns->count;
  return LW_OK;
}

void lw_unknowns_free(lwUnknowns* unknowns)
{
  free(unknowns->of);
}

void lw_unknown_name(const lwUnknowns* unknowns, int c, char name[LW_UNKNOWN_NAME])
{
  static const char* const entries[] = {"m", "mx", "my", "mz", "xx", "yy", "zz", "xy", "xz", "yz"};
  const lwUnknown* unknown           = &unknowns->of[c];
  if (unknown->kind != LW_UNKNOWN_INERTIAL)
  {
    snprintf(name, LW_UNKNOWN_NAME, "%s.%s", lw_model_joint_name(unknowns->model, unknown->joint),
             KIND_NAME[unknown->kind]);
    return;
  }
  const lwJointDef* joint = &lw_model_robot(unknowns->model)->joints[unknown->joint];
  snprintf(name, LW_UNKNOWN_NAME, "%s.%s", lw_link_name(joint), entries[unknown->entry]);
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

struct lwRegressor
{
  const lwModel* model;
  lwLoops* loops;    // NULL: a tree
  lwWorkspace* ws;   // of the tree
  double *Y, *full;  // (n, 10 links), (n, 10 links + 5 n)
};

lwStatus lw_regressor_create(const lwModel* model, lwRegressor** regressor)
{
  size_t n           = (size_t)lw_model_dof(model),
         answer      = lw_question_outputs(model, LW_QUESTION_REGRESSOR);
  lwWorkspaceDef def = lw_workspace_def();
  lwRegressor* made  = calloc(1, sizeof *made);
  *regressor         = NULL;
  if (!made) return LW_ERROR_MEMORY;
  def.questions   = LW_ASKS(LW_QUESTION_REGRESSOR);
  made->model     = model;
  made->Y         = calloc(2 * answer + 5 * n * n + 1, sizeof(double));
  made->full      = made->Y ? made->Y + answer : NULL;
  lwStatus status = LW_ERROR_MEMORY;
  if (made->Y && lw_model_loop_count(model) > 0)
    status = lw_loops_create(model, &def, NULL, &made->loops);
  else if (made->Y)
    status = lw_workspace_create(model, &def, NULL, &made->ws);
  if (made->loops) made->ws = lw_loops_workspace(made->loops);
  if (status == LW_OK)
    *regressor = made;
  else
    lw_regressor_destroy(made);
  return status;
}

void lw_regressor_destroy(lwRegressor* regressor)
{
  if (!regressor) return;
  if (!regressor->loops) lw_workspace_destroy(regressor->ws);
  lw_loops_destroy(regressor->loops);
  free(regressor->Y);
  free(regressor);
}

lwLoops* lw_regressor_loops(const lwRegressor* regressor)
{
  return regressor->loops;
}

double lw_unknown_column(const lwUnknown* unknown, const lwStates* state)
{
  int i             = unknown->joint;
  double qd         = state->qd ? state->qd[i] : 0;
  const double at[] = {0, state->qdd ? state->qdd[i] : 0, qd, (qd > 0) - (qd < 0), 1, 0};
  return at[unknown->kind];
}

static void tree_rows(lwRegressor* regressor, const lwUnknowns* unknowns, const lwStates* state,
                      double* Y)
{
  size_t n = (size_t)lw_model_dof(regressor->model), p = (size_t)unknowns->count;
  size_t links            = (size_t)unknowns->inertial;
  lwStates free_of_wrench = *state;
  free_of_wrench.wrench   = NULL;
  lw_answer(regressor->model, regressor->ws, LW_QUESTION_REGRESSOR, &free_of_wrench, regressor->Y);
  memset(Y, 0, n * p * sizeof *Y);
  for (size_t i = 0; i < n; ++i) memcpy(Y + i * p, regressor->Y + i * links, links * sizeof *Y);
  for (size_t c = links; c < p; ++c)
    Y[(size_t)unknowns->of[c].joint * p + c] = lw_unknown_column(&unknowns->of[c], state);
}

bool lw_regressor_rows(lwRegressor* regressor, const lwUnknowns* unknowns, const lwStates* state,
                       double* Y)
{
  tree_rows(regressor, unknowns, state, regressor->loops ? regressor->full : Y);
  return !regressor->loops ||
         lw_loops_to_speeds(regressor->loops, state->q, (size_t)unknowns->count, regressor->full, Y,
                            NULL) == LW_OK;
}

// --- terms of drives

static const lwUnknownKind TERM_KIND[LW_TERM_COUNT] = {LW_UNKNOWN_ROTOR, LW_UNKNOWN_VISCOUS,
                                                       LW_UNKNOWN_COULOMB, LW_UNKNOWN_OFFSET};

const char* lw_term_name(lwTerm term)
{
  return KIND_NAME[TERM_KIND[term]];
}

size_t lw_regressor_columns(const lwModel* model, unsigned terms)
{
  size_t columns = LW_LINK_PARAMETERS * (size_t)lw_model_joint_count(model);
  for (int term = 0; term < LW_TERM_COUNT; ++term)
    if (terms & LW_HAS_TERM(term)) columns += (size_t)lw_model_dof(model);
  return columns;
}

void lw_regressor_extend(const lwModel* model, unsigned terms, const lwStates* state,
                         const double* Y, double* extended)
{
  size_t n = (size_t)lw_model_dof(model), p = lw_regressor_columns(model, terms);
  size_t links = lw_regressor_columns(model, 0), at = links;
  memset(extended, 0, n * p * sizeof *extended);
  for (size_t i = 0; i < n; ++i) memcpy(extended + i * p, Y + i * links, links * sizeof *extended);
  for (int term = 0; term < LW_TERM_COUNT; ++term)
    for (size_t i = 0; i < n && terms & LW_HAS_TERM(term); ++i)
    {
      lwUnknown unknown      = {.kind = TERM_KIND[term], .joint = (int)i};
      extended[i * p + at++] = lw_unknown_column(&unknown, state);
    }
}

void lw_regressor_parameters(const lwModel* model, unsigned terms, double* pi)
{
  const lwRobotDef* robot = lw_model_robot(model);
  for (int i = 0; i < robot->count; ++i, pi += LW_LINK_PARAMETERS)
    lw_link_parameters(&robot->joints[i].link, pi);
  for (int term = 0; term < LW_TERM_COUNT; ++term)
    for (int i = 0; i < lw_model_dof(model) && terms & LW_HAS_TERM(term); ++i)
      *pi++ = value_in_file(model, TERM_KIND[term], i);
}
