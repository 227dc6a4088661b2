// SPDX-License-Identifier: MIT
// Quintic pieces: position, velocity and acceleration are given at both ends of each, six numbers for six coefficients.
// On the way, velocity and acceleration are those of the clamped cubic through the same points, so that both are
// continuous; between rest and rest this is q0 + (q1 - q0) (10 s^3 - 15 s^4 + 6 s^5), s = t / T.
#include "trajectory/spline.h"

// Acceleration of the cubic that begins at point k with these velocities.
static double cubic_acceleration(const lwWay* way, int joint, int k, const double* v)
{
  double h = way->t[k + 1] - way->t[k];
  double d = (lw_way_point(way, k + 1, joint) - lw_way_point(way, k, joint)) / h;
  return 2 * (3 * d - 2 * v[k] - v[k + 1]) / h;
}

// Position, velocity and acceleration at point k.
static void state_at(const lwWay* way, int joint, int k, const double* v, double state[3])
{
  const lwWayDef* def = way->def;
  double a;
  if (k == 0)
    a = lw_given(def->start_acceleration, joint);
  else if (k == way->legs)
    a = lw_given(def->end_acceleration, joint);
  else
    a = cubic_acceleration(way, joint, k, v);
  state[0] = lw_way_point(way, k, joint);
  state[1] = v[k];
  state[2] = a;
}

static bool fill(lwWay* way)
{
  double* v = way->scratch;
  for (int i = 0; i < way->dof; ++i)
  {
    lwPieces* pieces = &way->motion->joints[i];
    if (!pieces->piece && !lw_pieces_take(pieces, &way->motion->arena, way->legs)) return false;
    lw_spline_velocities(way, i, LW_JOIN_CLAMPED, v, v + way->def->count);
    for (int k = 0; k < way->legs; ++k)
    {
      double from[3], to[3];
      state_at(way, i, k, v, from);
      state_at(way, i, k + 1, v, to);
      pieces->piece[k] = lw_piece_quintic(from, to, way->t[k], way->t[k + 1] - way->t[k]);
    }
    pieces->count = way->legs;
  }
  return true;
}

lwStatus lw_motion_create_quintic(const lwModel* model, const lwWayDef* way, lwDiag* diag,
                                  lwMotion** motion)
{
  return lw_way_make(model, way, diag, fill, motion);
}
