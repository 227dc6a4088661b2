// SPDX-License-Identifier: MIT
#include "compare/torques/suspects.h"

#include <math.h>

#include "base/units.h"
#include "compare/names.h"

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
    *value *= LW_PI / 180;
  }
  return changed;
}

// Angles of the groups up to `last` are in degrees.
static bool degrees(lwTrial* trial, double last)
{
  bool changed = false;
  for (int g = LW_LOG_Q; g <= (int)last; ++g)  // with rates, they decide
    changed = to_radians(trial, (lwLogColumns)g) || (changed && g == LW_LOG_QDD);
  return changed;
}

static bool reverse_order(lwTrial* trial, double by)
{
  int n = lw_model_dof(trial->original);
  (void)by;
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

// The wrench of the file is in base axes: turns it into those of the link.
static bool base_wrench(lwTrial* trial, double by)
{
  if (!scale_wrench(trial, by)) return false;
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

static bool scale_inertia(lwTrial* trial, double factor)
{
  bool changed = false;
  for (int i = 0; i < trial->robot.count; ++i)
    for (int k = 0; k < 6; ++k)
    {
      changed = changed || trial->joints[i].link.inertia[k] != 0;
      trial->joints[i].link.inertia[k] *= factor;
    }
  return changed;
}

// Flips the products in the set: 1 xy, 2 xz, 4 yz.
static bool flip_products(lwTrial* trial, double set)
{
  bool changed = false;
  for (int i = 0; i < trial->robot.count; ++i)
    for (int k = 0; k < 3; ++k)
    {
      if (!((unsigned)set >> k & 1)) continue;
      double* product = &trial->joints[i].link.inertia[3 + k];
      changed         = changed || *product != 0;
      *product        = -*product;
    }
  return changed;
}

static bool swap_products(lwTrial* trial, double by)
{
  bool changed = false;
  (void)by;
  for (int i = 0; i < trial->robot.count; ++i)
  {
    double *xz = &trial->joints[i].link.inertia[4], *yz = xz + 1, kept = *xz;
    changed = changed || *xz != *yz;
    *xz     = *yz;
    *yz     = kept;
  }
  return changed;
}

static bool other_dh(lwTrial* trial, double by)
{
  bool changed = false;
  (void)by;
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
  scale_inertia(trial, factor);
  for (int i = 0; i < trial->robot.count; ++i) trial->joints[i].link.mass *= factor;
  return true;
}

// --- the equations

static bool keep_velocity_terms(lwTrial* trial, double terms)
{
  bool moves = false;
  for (size_t k = 0; k < entries(trial); ++k)
    moves = moves || trial->file.values[LW_LOG_QD][k] != 0;
  trial->velocity = (lwVelocityTerms)terms;
  return moves && (trial->velocity == LW_VELOCITY_NONE || lw_model_dof(trial->original) > 1);
}

// --- what the drive must supply besides

// What the torques of the file may include, as bits.
enum
{
  VISCOUS = 1,
  COULOMB = 2,
  ROTOR   = 4
};

static double drive_torque(const lwJointDef* joint, unsigned parts, double qd, double qdd)
{
  double torque = 0;
  if (parts & VISCOUS) torque += joint->friction.viscous * qd;
  if (parts & COULOMB) torque += joint->friction.coulomb * ((qd > 0) - (qd < 0));
  if (parts & ROTOR) torque += lw_motor_rotor(&joint->motor) * qdd;
  return torque;
}

// Adds a part; whether it is there.
static bool add_part(lwTrial* trial, unsigned part)
{
  size_t n         = (size_t)lw_model_dof(trial->original);
  const double *qd = trial->file.values[LW_LOG_QD], *qdd = trial->file.values[LW_LOG_QDD];
  bool changed = false;
  for (size_t k = 0; k < entries(trial); ++k)
  {
    double added = drive_torque(moving(trial, (int)(k % n)), part, qd[k], qdd[k]);
    trial->extra[k] += added;
    changed = changed || added != 0;
  }
  return changed;
}

static void note_rotors(lwTrial* trial)
{
  for (int i = 0; i < lw_model_dof(trial->original); ++i)
    if (lw_motor_rotor(&moving(trial, i)->motor) > 0)
      lw_trial_note(trial, "%s%s: %.4g", trial->detail[0] ? "; " : "gear^2 rotor inertia of ",
                    lw_joint_name(trial->original, i), lw_motor_rotor(&moving(trial, i)->motor));
}

// Every part must be there. A joint that stands may be held by any torque up to the break-away
// torque.
static bool add_torques(lwTrial* trial, double parts)
{
  unsigned set = (unsigned)parts;
  bool changed = true;
  if (set & ROTOR) note_rotors(trial);
  for (unsigned part = VISCOUS; part <= ROTOR; part *= 2)
    if (set & part) changed = changed && add_part(trial, part);
  for (int i = 0; i < lw_model_dof(trial->original) && set & COULOMB; ++i)
    trial->breakaway[i] = moving(trial, i)->friction.coulomb;
  return changed;
}

const lwSuspect LW_SUSPECTS[] = {
    {"degrees in q", "has joint angles in degrees", .apply = degrees, .by = LW_LOG_Q},
    {"degrees in q, qd, qdd", "has angles, velocities and accelerations in degrees",
     .apply = degrees, .by = LW_LOG_QDD},
    {"joint order", "counts the joints from the tip to the base", .apply = reverse_order},
    {"wrench sign", "has the wrench that the robot exerts on the environment",
     .apply = scale_wrench, .by = -1},
    {"wrench missing", "has torques without the wrench", .apply = scale_wrench, .by = 0},
    {"wrench in base axes", "has the wrench in the axes of the base", .apply = base_wrench,
     .by = 1},
    {"gravity sign", "was made with gravity pointing the other way", .apply = scale_gravity,
     .by = -1},
    {"gravity missing", "was made without gravity", .apply = scale_gravity, .by = 0},
    {"Coriolis and centrifugal terms missing",
     "was made without the terms in products of velocities", .apply = keep_velocity_terms,
     .by = LW_VELOCITY_NONE},
    {"Coriolis terms missing",
     "was made without the terms in products of the velocities of two joints",
     .apply = keep_velocity_terms, .by = LW_VELOCITY_SQUARES},
    {"inertia about the link origin",
     "was made with the inertias of ROBOT taken to be about the origins of the link frames",
     .apply = shift_inertia, .by = -1},
    {"inertia shifted twice",
     "was made with inertias larger by m c^2 than those of ROBOT: moved away from the centre of "
     "mass twice, or by ROBOT once too little",
     .apply = shift_inertia, .by = 1},
    {"inertia missing", "was made without the inertias of ROBOT: every link a point mass",
     .apply = scale_inertia, .by = 0},
    {"products of inertia", "was made with the other sign of xy, xz and yz", .apply = flip_products,
     .by = 7},
    {"product of inertia xy", "was made with the other sign of xy", .apply = flip_products,
     .by = 1},
    {"product of inertia xz", "was made with the other sign of xz", .apply = flip_products,
     .by = 2},
    {"product of inertia yz", "was made with the other sign of yz", .apply = flip_products,
     .by = 4},
    {"order of products", "was made with xz and yz exchanged: xx yy zz xy yz xz",
     .apply = swap_products},
    {"DH convention", "was made with the table of ROBOT read in the other DH convention",
     .apply = other_dh},
    {"mass 1000 times", "has masses and inertias, or torques, 1000 times ours: g, N mm",
     .apply = scale_mass, .by = 1000},
    {"mass 1/1000", "has masses and inertias, or torques, a thousandth of ours: g, N mm",
     .apply = scale_mass, .by = 0.001},
    {"viscous friction", "includes the viscous friction of ROBOT", .apply = add_torques,
     .by = VISCOUS},
    {"Coulomb friction", "includes the Coulomb friction of ROBOT", .apply = add_torques,
     .by = COULOMB},
    {"friction", "includes the viscous and Coulomb friction of ROBOT", .apply = add_torques,
     .by = VISCOUS | COULOMB},
    {"rotor inertia", "includes the rotors of ROBOT, gear^2 rotor_inertia qdd",
     .apply = add_torques, .by = ROTOR},
    {"joint signs", "has joints that count the other way", .search = lw_search_joint_signs,
     .freedom = 1},
    {"torque signs", "has torques of the other sign, but not their joints",
     .search = lw_search_torque_signs, .freedom = 1},
    {"two joints exchanged", "has two joints in the place of each other",
     .search = lw_search_exchange, .freedom = 1},
    {"joint zero", "counts a joint from another zero, found by least squares",
     .cause = LW_CAUSE_ZERO, .freedom = 2},
    {"another gravity", "was made with another gravity, found by least squares",
     .cause = LW_CAUSE_GRAVITY, .freedom = 3},
    {"friction and rotors, fitted",
     "includes terms in qd, sign(qd) and qdd, found by least squares",
     .cause = LW_CAUSE_JOINT_TERMS, .freedom = 6},
    {"link mass", "was made with another mass of one link, found by least squares",
     .cause = LW_CAUSE_MASS, .freedom = 2},
    {"rotor inertia missing",
     "includes gear^2 rotor_inertia qdd of rotors that ROBOT does not have, found by least squares",
     .cause = LW_CAUSE_ROTORS, .freedom = 4},
    {"friction, fitted", "includes terms in qd and sign(qd), found by least squares",
     .cause = LW_CAUSE_FRICTION, .freedom = 5},
    {"joint zeros", "counts joints from other zeros, found by least squares",
     .cause = LW_CAUSE_ZEROS, .freedom = 7},
    {"payload", "was made with another payload on the last link, found by least squares",
     .cause = LW_CAUSE_PAYLOAD, .freedom = 10},
    {"another link", "was made with other mass parameters of one link, found by least squares",
     .cause = LW_CAUSE_LINK, .freedom = 12},
    {"rounding", "has rounded torques", .left = LW_LEFT_ROUNDING},
    {"noise", "has torques with noise, which nothing here explains", .left = LW_LEFT_NOISE},
};

const int LW_SUSPECT_COUNT = sizeof LW_SUSPECTS / sizeof LW_SUSPECTS[0];
