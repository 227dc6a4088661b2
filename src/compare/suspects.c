// SPDX-License-Identifier: MIT
#include "compare/suspects.h"

#include <math.h>

#include "compare/names.h"

static const double PI = 3.14159265358979323846;

static size_t entries(const lwTrial* trial)
{
  return (size_t)trial->file.count * (size_t)lw_model_dof(trial->original);
}

static const lwJointDef* moving(const lwTrial* trial, int i)
{
  return &trial->joints[lw_model_joint(trial->original, i)];
}

// --- the file

static bool to_radians(lwTrial* trial, lwLogColumns group)
{
  int n        = lw_model_dof(trial->original);
  size_t width = (size_t)(group == LW_LOG_Q ? lw_model_nq(trial->original) : n);
  bool changed = false;
  for (size_t k = 0; k < entries(trial); ++k)
  {
    int joint = (int)(k % (size_t)n);
    if (moving(trial, joint)->type != LW_JOINT_REVOLUTE) continue;
    int at        = group == LW_LOG_Q ? lw_model_velocity(trial->original, joint).other : joint;
    double* value = trial->file.values[group] + k / (size_t)n * width + at;
    changed       = changed || *value != 0;
    *value *= PI / 180;
  }
  return changed;
}

static bool degrees_positions(lwTrial* trial)
{
  return to_radians(trial, LW_LOG_Q);
}

static bool degrees_all(lwTrial* trial)
{
  to_radians(trial, LW_LOG_Q);
  bool moves = to_radians(trial, LW_LOG_QD);
  return to_radians(trial, LW_LOG_QDD) || moves;
}

static bool reverse_order(lwTrial* trial)
{
  int n = lw_model_dof(trial->original);
  if (lw_model_nq(trial->original) != n) return false;
  for (int g = 0; g < LW_LOG_WRENCH; ++g)
    for (int row = 0; row < trial->file.count; ++row)
    {
      double* value = trial->file.values[g] + (size_t)row * n;
      for (int i = 0; i < n / 2; ++i)
      {
        double kept      = value[i];
        value[i]         = value[n - 1 - i];
        value[n - 1 - i] = kept;
      }
    }
  return n > 1;
}

static bool scale_wrench(lwTrial* trial, double factor)
{
  double* wrench = trial->file.values[LW_LOG_WRENCH];
  bool changed   = false;
  for (int k = 0; wrench && k < 6 * trial->file.count; ++k)
  {
    changed = changed || wrench[k] != 0;
    wrench[k] *= factor;
  }
  return changed;
}

static bool flip_wrench(lwTrial* trial)
{
  return scale_wrench(trial, -1);
}

static bool drop_wrench(lwTrial* trial)
{
  return scale_wrench(trial, 0);
}

// The wrench of the file is in base axes: turns it into those of the link.
static bool base_wrench(lwTrial* trial)
{
  if (!scale_wrench(trial, 1)) return false;
  lwWorkspace* ws = NULL;
  if (!lw_trial_succeeds(trial, lw_workspace_create(trial->original, NULL, NULL, &ws)))
    return false;
  for (int row = 0; row < trial->file.count; ++row)
  {
    const double* q = trial->file.values[LW_LOG_Q] + (size_t)row * lw_model_nq(trial->original);
    double* wrench  = trial->file.values[LW_LOG_WRENCH] + 6 * (size_t)row;
    double p[3], R[9], turned[6] = {0};
    lw_pose(trial->original, ws, q, p, R);
    for (int k = 0; k < 6; ++k)
      for (int j = 0; j < 3; ++j) turned[k] += R[3 * j + k % 3] * wrench[k / 3 * 3 + j];
    for (int k = 0; k < 6; ++k) wrench[k] = turned[k];
  }
  lw_workspace_destroy(ws);
  return true;
}

// --- the robot

static bool scale_gravity(lwTrial* trial, double factor)
{
  bool changed = false;
  for (int k = 0; k < 3; ++k)
  {
    changed = changed || trial->robot.gravity[k] != 0;
    trial->robot.gravity[k] *= factor;
  }
  return changed;
}

static bool flip_gravity(lwTrial* trial)
{
  return scale_gravity(trial, -1);
}

static bool drop_gravity(lwTrial* trial)
{
  return scale_gravity(trial, 0);
}

// Adds factor m (c^2 1 - c c^T), the difference of the inertias about the
// origin and about the centre of mass.
static bool shift_inertia(lwTrial* trial, double factor)
{
  bool changed = false;
  for (int i = 0; i < trial->robot.count; ++i)
  {
    lwLinkDef* link = &trial->joints[i].link;
    double x = link->com[0], y = link->com[1], z = link->com[2], m = factor * link->mass;
    const double shift[6] = {y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z};
    for (int k = 0; k < 6; ++k) link->inertia[k] += m * shift[k];
    changed = changed || (m != 0 && (x != 0 || y != 0 || z != 0));
  }
  return changed;
}

static bool inertia_at_origin(lwTrial* trial)
{
  return shift_inertia(trial, -1);
}

static bool inertia_shifted_twice(lwTrial* trial)
{
  return shift_inertia(trial, 1);
}

// Flips the products in the set: 1 xy, 2 xz, 4 yz.
static bool flip_products(lwTrial* trial, unsigned set)
{
  bool changed = false;
  for (int i = 0; i < trial->robot.count; ++i)
    for (int k = 0; k < 3; ++k)
    {
      if (!(set >> k & 1)) continue;
      double* product = &trial->joints[i].link.inertia[3 + k];
      changed         = changed || *product != 0;
      *product        = -*product;
    }
  return changed;
}

static bool flip_all_products(lwTrial* trial)
{
  return flip_products(trial, 7);
}

static bool flip_xy(lwTrial* trial)
{
  return flip_products(trial, 1);
}

static bool flip_xz(lwTrial* trial)
{
  return flip_products(trial, 2);
}

static bool flip_yz(lwTrial* trial)
{
  return flip_products(trial, 4);
}

static bool swap_products(lwTrial* trial)
{
  bool changed = false;
  for (int i = 0; i < trial->robot.count; ++i)
  {
    double *xz = &trial->joints[i].link.inertia[4], *yz = xz + 1, kept = *xz;
    changed = changed || *xz != *yz;
    *xz     = *yz;
    *yz     = kept;
  }
  return changed;
}

static bool other_dh(lwTrial* trial)
{
  bool changed = false;
  for (int i = 0; i < trial->robot.count; ++i)
  {
    lwPlacement* placement = &trial->joints[i].placement;
    if (*placement == LW_PLACEMENT_ORIGIN_AXIS) continue;
    *placement = *placement == LW_PLACEMENT_DH_MODIFIED ? LW_PLACEMENT_DH_STANDARD
                                                        : LW_PLACEMENT_DH_MODIFIED;
    changed    = true;
  }
  return changed;
}

static bool scale_mass(lwTrial* trial, double factor)
{
  for (int i = 0; i < trial->robot.count; ++i)
  {
    lwLinkDef* link = &trial->joints[i].link;
    link->mass *= factor;
    for (int k = 0; k < 6; ++k) link->inertia[k] *= factor;
  }
  return true;
}

static bool thousand_times(lwTrial* trial)
{
  return scale_mass(trial, 1000);
}

static bool thousandth(lwTrial* trial)
{
  return scale_mass(trial, 0.001);
}

// --- what the drive must supply besides

static double viscous(const lwJointDef* joint, double qd, double qdd)
{
  (void)qdd;
  return joint->friction.viscous * qd;
}

static double coulomb(const lwJointDef* joint, double qd, double qdd)
{
  (void)qdd;
  return joint->friction.coulomb * ((qd > 0) - (qd < 0));
}

static double rotor(const lwJointDef* joint, double qd, double qdd)
{
  (void)qd;
  return lw_motor_rotor(&joint->motor) * qdd;
}

static bool add_torque(lwTrial* trial, double (*torque)(const lwJointDef*, double, double))
{
  size_t n         = (size_t)lw_model_dof(trial->original);
  const double* qd = trial->file.values[LW_LOG_QD];
  double* qdd      = trial->file.values[LW_LOG_QDD];
  bool changed     = false;
  for (size_t k = 0; k < entries(trial); ++k)
  {
    double added = torque(moving(trial, (int)(k % n)), qd[k], qdd[k]);
    trial->extra[k] += added;
    changed = changed || added != 0;
  }
  return changed;
}

static bool add_viscous(lwTrial* trial)
{
  return add_torque(trial, viscous);
}

static bool add_coulomb(lwTrial* trial)
{
  return add_torque(trial, coulomb);
}

static bool add_friction(lwTrial* trial)
{
  return add_torque(trial, viscous) && add_torque(trial, coulomb);
}

static bool add_rotor(lwTrial* trial)
{
  int n = lw_model_dof(trial->original);
  for (int i = 0; i < n; ++i)
    if (lw_motor_rotor(&moving(trial, i)->motor) > 0)
      lw_trial_note(trial, "%s%s: %.4g", trial->detail[0] ? "; " : "gear^2 rotor inertia of ",
                    lw_joint_name(trial->original, i), lw_motor_rotor(&moving(trial, i)->motor));
  return add_torque(trial, rotor);
}

const lwSuspect LW_SUSPECTS[] = {
    {"degrees in q", "has joint angles in degrees", degrees_positions, NULL, 0, false},
    {"degrees in q, qd, qdd", "has angles, velocities and accelerations in degrees", degrees_all,
     NULL, 0, false},
    {"joint order", "counts the joints from the tip to the base", reverse_order, NULL, 0, false},
    {"wrench sign", "has the wrench that the robot exerts on the environment", flip_wrench, NULL, 0,
     false},
    {"wrench missing", "has torques without the wrench", drop_wrench, NULL, 0, false},
    {"wrench in base axes", "has the wrench in the axes of the base", base_wrench, NULL, 0, false},
    {"gravity sign", "was made with gravity pointing the other way", flip_gravity, NULL, 0, false},
    {"gravity missing", "was made without gravity", drop_gravity, NULL, 0, false},
    {"inertia about the link origin",
     "was made with the inertias of ROBOT taken to be about the origins of the link frames",
     inertia_at_origin, NULL, 0, false},
    {"inertia shifted twice",
     "was made with inertias larger by m c^2 than those of ROBOT: moved away from the centre of "
     "mass twice, or by ROBOT once too little",
     inertia_shifted_twice, NULL, 0, false},
    {"products of inertia", "was made with the other sign of xy, xz and yz", flip_all_products,
     NULL, 0, false},
    {"product of inertia xy", "was made with the other sign of xy", flip_xy, NULL, 0, false},
    {"product of inertia xz", "was made with the other sign of xz", flip_xz, NULL, 0, false},
    {"product of inertia yz", "was made with the other sign of yz", flip_yz, NULL, 0, false},
    {"order of products", "was made with xz and yz exchanged: xx yy zz xy yz xz", swap_products,
     NULL, 0, false},
    {"DH convention", "was made with the table of ROBOT read in the other DH convention", other_dh,
     NULL, 0, false},
    {"mass 1000 times", "has masses and inertias, or torques, 1000 times ours: g, N mm",
     thousand_times, NULL, 0, false},
    {"mass 1/1000", "has masses and inertias, or torques, a thousandth of ours: g, N mm",
     thousandth, NULL, 0, false},
    {"viscous friction", "includes the viscous friction of ROBOT", add_viscous, NULL, 0, false},
    {"Coulomb friction", "includes the Coulomb friction of ROBOT", add_coulomb, NULL, 0, false},
    {"friction", "includes the viscous and Coulomb friction of ROBOT", add_friction, NULL, 0,
     false},
    {"rotor inertia", "includes the rotors of ROBOT, gear^2 rotor_inertia qdd", add_rotor, NULL, 0,
     false},
    {"joint signs", "has joints that count the other way", NULL, lw_fit_joint_signs, 1, false},
    {"torque signs", "has torques of the other sign, but not their joints", NULL,
     lw_fit_torque_signs, 1, false},
    {"another gravity", "was made with another gravity, found by least squares", NULL,
     lw_fit_gravity, 3, false},
    {"friction and rotors, fitted",
     "includes terms in qd, sign(qd) and qdd, found by least squares", NULL, lw_fit_joint_terms, 6,
     false},
    {"two joints exchanged", "has two joints in the place of each other", NULL, lw_fit_exchange, 1,
     false},
    {"link mass", "was made with another mass of one link, found by least squares", NULL,
     lw_fit_link_mass, 2, false},
    {"rotor inertia missing",
     "includes gear^2 rotor_inertia qdd of rotors that ROBOT does not have, found by least squares",
     NULL, lw_fit_rotors, 4, false},
    {"friction, fitted", "includes terms in qd and sign(qd), found by least squares", NULL,
     lw_fit_friction, 5, false},
    {"payload", "was made with another payload on the last link, found by least squares", NULL,
     lw_fit_payload, 10, false},
    {"another link", "was made with other mass parameters of one link, found by least squares",
     NULL, lw_fit_link, 12, false},
    {"rounding", "has rounded torques", NULL, lw_fit_rounding, 0, true},
};

const int LW_SUSPECT_COUNT = sizeof LW_SUSPECTS / sizeof LW_SUSPECTS[0];
