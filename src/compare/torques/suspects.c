// SPDX-License-Identifier: MIT
#include "compare/torques/suspects.h"

#include <math.h>

#include "base/units.h"
#include "identify/regressor.h"
#include "linear/vectors.h"
#include "math/rotation.h"

static const lwJointDef* moving(const lwTrial* trial, int i)
{
  return &trial->joints[lw_model_joint(trial->original, i)];
}

// Multiplies numbers by a factor; whether that changes any.
static bool scale_numbers(double* numbers, int count, double factor)
{
  bool changed = false;
  for (int k = 0; k < count; ++k)
  {
    changed = changed || numbers[k] != 0;
    numbers[k] *= factor;
  }
  return changed;
}

// --- the file

static bool to_radians(lwTrial* trial, lwLogColumns group)
{
  size_t n = (size_t)trial->n, width = group == LW_LOG_Q ? (size_t)trial->nq : n;
  bool changed = false;
  for (size_t k = 0; k < lw_trial_entries(trial); ++k)
  {
    int joint = (int)(k % n);
    if (moving(trial, joint)->type != LW_JOINT_REVOLUTE) continue;
    int at = group == LW_LOG_Q ? lw_model_velocity(trial->original, joint).other : joint;
    changed =
        scale_numbers(trial->file.values[group] + k / n * width + at, 1, LW_PI / 180) || changed;
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
  int n = trial->n;
  (void)by;
  if (trial->nq != n) return false;
  for (int g = 0; g < LW_LOG_WRENCH; ++g)
    for (int i = 0; i < n / 2; ++i)
      lw_swap_columns(trial->file.values[g], n, trial->file.count, i, n - 1 - i);
  return n > 1;
}

static bool scale_wrench(lwTrial* trial, double factor)
{
  double* wrench = trial->file.values[LW_LOG_WRENCH];
  return wrench && scale_numbers(wrench, 6 * trial->file.count, factor);
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
    const double* q = trial->file.values[LW_LOG_Q] + (size_t)row * trial->nq;
    double* wrench  = trial->file.values[LW_LOG_WRENCH] + 6 * (size_t)row;
    double p[3], R[9];
    lw_pose(trial->original, ws, q, p, R);
    lw_rotate_back(R, wrench, wrench);
    lw_rotate_back(R, wrench + 3, wrench + 3);
  }
  lw_workspace_destroy(ws);
  return true;
}

// --- the robot

static bool scale_gravity(lwTrial* trial, double factor)
{
  return scale_numbers(trial->robot.gravity, 3, factor);
}

// Adds factor m (c^2 1 - c c^T), the difference of the inertias about the
// origin and about the centre of mass.
static bool shift_inertia(lwTrial* trial, double factor)
{
  bool changed = false;
  for (int i = 0; i < trial->robot.count; ++i)
  {
    lwLinkDef* link = &trial->joints[i].link;
    const double* c = link->com;
    lwLinkDef point = {.mass = factor * link->mass, .com = {c[0], c[1], c[2]}};
    double pi[LW_LINK_PARAMETERS];
    lw_link_parameters(&point, pi);
    for (int k = 0; k < 6; ++k) link->inertia[k] += pi[4 + k];
    changed = changed || (point.mass != 0 && lw_length(c) > 0);
  }
  return changed;
}

static bool scale_inertia(lwTrial* trial, double factor)
{
  bool changed = false;
  for (int i = 0; i < trial->robot.count; ++i)
    changed = scale_numbers(trial->joints[i].link.inertia, 6, factor) || changed;
  return changed;
}

// Flips the products in the set: 1 xy, 2 xz, 4 yz.
static bool flip_products(lwTrial* trial, double set)
{
  bool changed = false;
  for (int i = 0; i < trial->robot.count; ++i)
    for (int k = 0; k < 3; ++k)
      if ((unsigned)set >> k & 1)
        changed = scale_numbers(&trial->joints[i].link.inertia[3 + k], 1, -1) || changed;
  return changed;
}

static bool swap_products(lwTrial* trial, double by)
{
  bool changed = false;
  (void)by;
  for (int i = 0; i < trial->robot.count; ++i)
  {
    double* inertia = trial->joints[i].link.inertia;
    changed         = changed || inertia[4] != inertia[5];
    lw_swap_columns(inertia, 6, 1, 4, 5);
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
  int entries     = (int)lw_trial_entries(trial);
  bool moves      = lw_largest_entry(entries, trial->file.values[LW_LOG_QD]) > 0;
  trial->velocity = (lwVelocityTerms)terms;
  return moves && (trial->velocity == LW_VELOCITY_NONE || trial->n > 1);
}

// --- what the drive must supply besides

// What the torques of the file may include, as bits.
enum
{
  VISCOUS = 1,
  COULOMB = 2,
  ROTOR   = 4
};

// Adds a part; whether it is there.
static bool add_part(lwTrial* trial, unsigned part)
{
  const double *qd = trial->file.values[LW_LOG_QD], *qdd = trial->file.values[LW_LOG_QDD];
  bool changed = false;
  for (size_t k = 0; k < lw_trial_entries(trial); ++k)
  {
    const lwJointDef* joint = moving(trial, (int)(k % (size_t)trial->n));
    double added            = part == VISCOUS ? joint->friction.viscous * qd[k]
                              : part == COULOMB ? joint->friction.coulomb * ((qd[k] > 0) - (qd[k] < 0))
                                                : lw_joint_rotor(joint) * qdd[k];
    trial->extra[k] += added;
    changed = changed || added != 0;
  }
  return changed;
}

// Every part must be there. A joint that stands may be held by any torque up to the break-away
// torque.
static bool add_torques(lwTrial* trial, double parts)
{
  unsigned set = (unsigned)parts;
  bool changed = true;
  for (int i = 0; i < trial->n; ++i)
  {
    double rotor = lw_joint_rotor(moving(trial, i));
    if (set & ROTOR && rotor > 0)
      lw_trial_note(trial, "%s%s: %.4g", trial->detail[0] ? "; " : "gear^2 rotor inertia of ",
                    lw_model_joint_name(trial->original, i), rotor);
    if (set & COULOMB) trial->breakaway[i] = moving(trial, i)->friction.coulomb;
  }
  for (unsigned part = VISCOUS; part <= ROTOR; part *= 2)
    if (set & part) changed = changed && add_part(trial, part);
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
