// SPDX-License-Identifier: MIT
// The unknowns of identification and the matrix that torques are linear in: tau = Y(q, qd, qdd) pi.
#ifndef LW_IDENTIFY_REGRESSOR_H
#define LW_IDENTIFY_REGRESSOR_H

#include "linkwork/dynamics.h"
#include "linkwork/identify.h"
#include "linkwork/loop.h"

enum
{
  LW_LINK_PARAMETERS = 10,  // m, mx my mz, xx yy zz xy xz yz about the link's origin
  LW_UNKNOWN_NAME    = 200
};

typedef enum lwUnknownKind
{
  LW_UNKNOWN_INERTIAL,
  LW_UNKNOWN_ROTOR,
  LW_UNKNOWN_VISCOUS,
  LW_UNKNOWN_COULOMB,
  LW_UNKNOWN_OFFSET,
  LW_UNKNOWN_GAIN  // relative change of a torque constant
} lwUnknownKind;

typedef struct lwUnknown
{
  lwUnknownKind kind;
  int joint;     // inertial: index in the description; otherwise the degree of freedom
  int entry;     // inertial: 0 to 9
  double value;  // by the description
} lwUnknown;

typedef struct lwUnknowns
{
  const lwModel* model;
  int count;
  int inertial;   // of these, the first
  lwUnknown* of;  // (count)
} lwUnknowns;

// All of the model and the kinds that def asks for, of joints that moved. LW_ERROR_MEMORY or LW_OK;
// to be freed in any case.
lwStatus lw_unknowns_create(lwUnknowns* unknowns, const lwModel* model, const lwIdentifyDef* def,
                            const bool* moved);
void lw_unknowns_free(lwUnknowns* unknowns);

// "forearm.xx", "elbow.viscous"
void lw_unknown_name(const lwUnknowns* unknowns, int c, char name[LW_UNKNOWN_NAME]);
const char* lw_unknown_unit(const lwUnknowns* unknowns, int c);

// The name of the link that a joint carries: its own, or that of the joint.
static inline const char* lw_link_name(const lwJointDef* joint)
{
  return joint->link.name ? joint->link.name : joint->name;
}

// Parameters of a link (10) and back. A link without mass has its inertia and no centre of mass.
void lw_link_parameters(const lwLinkDef* link, double pi[LW_LINK_PARAMETERS]);
void lw_link_from_parameters(const double pi[LW_LINK_PARAMETERS], lwLinkDef* link);

// The pseudo-inertia of a link, P = [S h; h^T m] with S = tr(I)/2 1 - I about the origin of the
// frame and h = m c, and back. A body can have parameters if and only if P is positive semidefinite
// (Wensing, Kim & Slotine 2018).
void lw_pseudo_inertia(const double pi[LW_LINK_PARAMETERS], double P[4][4]);
void lw_pseudo_parameters(const double P[4][4], double pi[LW_LINK_PARAMETERS]);

// The column entry of an unknown that belongs to no link, in the row of its joint; 0 for a gain.
double lw_unknown_column(const lwUnknown* unknown, const lwStates* state);

typedef struct lwRegressor lwRegressor;

// For one model and one thread.
lwStatus lw_regressor_create(const lwModel* model, lwRegressor** regressor);
void lw_regressor_destroy(lwRegressor* regressor);

// The loops of its robot; NULL: it has none.
lwLoops* lw_regressor_loops(const lwRegressor* regressor);

// The rows of all joints in one state, Y (dof, unknowns->count), row by row; with closed loops those
// of the speeds of lw_model_speed(), (mobility, count). Columns of gains are 0. False: a singular
// position, in which these speeds do not determine the motion.
bool lw_regressor_rows(lwRegressor* regressor, const lwUnknowns* unknowns, const lwStates* state,
                       double* Y);

#endif
