// SPDX-License-Identifier: MIT
// The regressor Y(q, qd, qdd): torques are tau = Y pi, linear in the mass parameters pi of the
// links, O(n depth).
//
// Atkeson, An & Hollerbach, "Estimation of inertial parameters of manipulator loads and links",
// 1986. Ten parameters of every link of the description, behind fixed joints too, about the origin
// and in the axes of its own frame there:
//   m, mx my mz = m c, and the inertia about the origin xx yy zz xy xz yz, elements of the tensor.
//
// In axes of the base, at the link's origin p that accelerates with a, e_k being the link's axes:
//   m           force a                     mx, my, mz   force U e_k, moment e_k x a
//   xx .. yz    moment of I wd + w x I w    from its coefficients in the link's axes
// and joint i, whose twist moves p with z x (p - p_i) or z, meets all ten at once: ten numbers side
// by side.
#include "kernels/derivatives/ground.h"

enum
{
  FIRST   = 4,  // m, mx, my, mz: force and moment
  SECOND  = 6,  // xx .. yz: moment
  COLUMNS = FIRST + SECOND
};

// What sustains a link for each of its parameters, components in the outer index.
typedef struct
{
  REAL force[3][FIRST];
  REAL moment[3][FIRST];
  REAL turning[3][SECOND];
} Unit;

INLINE void set_unit(REAL to[3][FIRST], int column, V3 a)
{
  to[0][column] = a.x;
  to[1][column] = a.y;
  to[2][column] = a.z;
}

// I wd + w x I w for unit elements of I, in the axes e of the link: w and wd are in them, moments
// in those of the base.
INLINE void unit_inertias(Frame e, V3 w, V3 wd, Unit* unit)
{
  REAL xy = r_mul(w.x, w.y), xz = r_mul(w.x, w.z), yz = r_mul(w.y, w.z);
  REAL xx = r_mul(w.x, w.x), yy = r_mul(w.y, w.y), zz = r_mul(w.z, w.z);
  const V3 moments[SECOND] = {v3(wd.x, xz, r_neg(xy)),
                              v3(r_neg(yz), wd.y, xy),
                              v3(yz, r_neg(xz), wd.z),
                              v3(r_sub(wd.y, xz), r_add(wd.x, yz), r_sub(xx, yy)),
                              v3(r_add(wd.z, xy), r_sub(zz, xx), r_sub(wd.x, yz)),
                              v3(r_sub(yy, zz), r_sub(wd.z, xy), r_add(wd.y, xz))};
  for (int k = 0; k < SECOND; ++k)
  {
    V3 moment           = rotate(e, moments[k]);
    unit->turning[0][k] = moment.x;
    unit->turning[1][k] = moment.y;
    unit->turning[2][k] = moment.z;
  }
}

INLINE void unit_wrenches(Frame e, const BodyMotion* body, V3 from_body, Unit* unit)
{
  M3 U = acceleration_matrix(body->w, body->wd);
  V3 a = m3_apply_add(U, from_body, body->a);
  set_unit(unit->force, 0, a);
  set_unit(unit->force, 1, m3_apply(U, e.x));
  set_unit(unit->force, 2, m3_apply(U, e.y));
  set_unit(unit->force, 3, m3_apply(U, e.z));
  set_unit(unit->moment, 0, v3_zero());
  set_unit(unit->moment, 1, cross(e.x, a));
  set_unit(unit->moment, 2, cross(e.y, a));
  set_unit(unit->moment, 3, cross(e.z, a));
  V3 w  = v3(dot(e.x, body->w), dot(e.y, body->w), dot(e.z, body->w));
  V3 wd = v3(dot(e.x, body->wd), dot(e.y, body->wd), dot(e.z, body->wd));
  unit_inertias(e, w, wd, unit);
}

// Ten entries of the row of a joint that moves the link's origin with v and turns it with w.
INLINE void meet_unit(const Unit* unit, V3 w, V3 v, REAL* restrict row)
{
  for (int k = 0; k < FIRST; ++k)
  {
    V3 f   = v3(unit->force[0][k], unit->force[1][k], unit->force[2][k]);
    V3 m   = v3(unit->moment[0][k], unit->moment[1][k], unit->moment[2][k]);
    row[k] = dot_add(w, m, dot(v, f));
  }
  for (int k = 0; k < SECOND; ++k)
    row[FIRST + k] = dot(w, v3(unit->turning[0][k], unit->turning[1][k], unit->turning[2][k]));
}

// A sliding joint does not feel inertia.
INLINE void meet_unit_sliding(const Unit* unit, V3 v, REAL* restrict row)
{
  for (int k = 0; k < FIRST; ++k)
    row[k] = dot(v, v3(unit->force[0][k], unit->force[1][k], unit->force[2][k]));
  for (int k = 0; k < SECOND; ++k) row[FIRST + k] = zero();
}

static void regressor(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n = (size_t)model->n, width = COLUMNS * (size_t)model->robot.count;
  Turn* turns      = take(&work, n * sizeof *turns);
  Frame* frames    = (Frame*)take(&work, (n + 1) * sizeof *frames) + 1;
  BodyMotion* body = (BodyMotion*)work + 1;
  REAL* Y          = out;

  joint_turns(model, state->q, turns);
  ground_frames(model, turns, state->q, frames);
  body[LW_BASE] = (BodyMotion){v3_zero(), v3_zero(), neg(gravity_of(model, state))};
  for (int i = 0; i < model->n; ++i)
    body[i] = move_body(model, i, frames, &body[model->parent[i]], state->qd, state->qdd);

  for (size_t k = 0; k < n * width; ++k) Y[k] = zero();
  for (int l = 0; l < model->robot.count; ++l)
  {
    const Member* member = &MEMBERS(model)[l];
    int carrier          = model->carrier[l];
    if (carrier == LW_BASE) continue;  // never moves
    Frame e      = known_frame(member->rotation, member->position);
    V3 from_body = rotate(frames[carrier], e.p);
    e            = (Frame){rotate(frames[carrier], e.x), rotate(frames[carrier], e.y),
                           rotate(frames[carrier], e.z), add(frames[carrier].p, from_body)};
    Unit unit;
    unit_wrenches(e, &body[carrier], from_body, &unit);
    for (int i = carrier; i != LW_BASE; i = model->parent[i])
    {
      REAL* row = Y + (size_t)i * width + COLUMNS * (size_t)l;
      V3 z      = frames[i].z;
      if (is_prismatic(model, i))
        meet_unit_sliding(&unit, z, row);
      else
        meet_unit(&unit, z, cross(z, sub(e.p, frames[i].p)), row);
    }
  }
}

const lwKernel FN(regressor) = {
    regressor, sizeof(Turn) + sizeof(Frame) + sizeof(BodyMotion), 0, {0}};
