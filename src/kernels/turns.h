// SPDX-License-Identifier: MIT
// Sines and cosines of all joints. Included by joints.h only.
//
// A plain scalar evaluates as many joints at once as a vector has lanes; a lane vector one joint of as many states.
// Both go through math/sincos.h, so both give the same bits.
#if defined(LW_SCALAR_count)

INLINE void revolute_turns(const lwModel* model, const REAL* q, Turn* turns)
{
  for (int i = 0; i < model->n; ++i)
  {
    REAL angle = r_add(given(q, i), K(LINKS(model)[i].offset));
    turns[i]   = (Turn){{cos(angle.value), angle.off_line}, {sin(angle.value), angle.off_line}};
  }
}

#elif !defined(LW_FLOATING)

// theta is q turned on by the offset, which is given by its cosine and sine.
INLINE void revolute_turns(const lwModel* model, const REAL* q, Turn* turns)
{
  for (int i = 0; i < model->n; ++i)
  {
    Turn offset = {K(LINKS(model)[i].cos_theta), K(LINKS(model)[i].sin_theta)}, turn;
    r_sincos(given(q, i), &turn.s, &turn.c);
    turns[i] = turn_compose(turn, offset);
  }
}

#else

#include "math/wide.h"

#if LW_LANE_BYTES

INLINE REAL angle_of(const lwModel* model, const REAL* q, int i)
{
  return r_add(given(q, i), K(LINKS(model)[i].offset));
}

// Whether an angle is too large for the quick way, which hardly ever happens, is asked once for all joints.
INLINE void revolute_turns(const lwModel* model, const REAL* q, Turn* turns)
{
  WideMask far = {0};
  for (int i = 0; i < model->n; ++i)
    far |= NEAR_SIN_COS(angle_of(model, q, i), &turns[i].s, &turns[i].c);
  for (int i = 0; i < model->n && ANY(far); ++i)
    SIN_COS(angle_of(model, q, i), &turns[i].s, &turns[i].c);
}

#else

// As many angles as a vector has; those beyond count are 0. The trip is constant, so that the vector is made in a register:
// one that is stored piece by piece cannot be loaded before all of it has arrived in the cache.
INLINE Wide some_angles(const Link* link, const REAL* q, int count)
{
  Wide angle = {0};
  for (int k = 0; k < WIDE; ++k)
    if (k < count) angle[k] = r_add(given(q, k), K(link[k].offset));
  return angle;
}

INLINE void revolute_turns(const lwModel* model, const REAL* q, Turn* turns)
{
  for (int first = 0; first < model->n; first += WIDE)
  {
    int count = model->n - first;
    Wide sine, cosine;
    SIN_COS(some_angles(LINKS(model) + first, q ? q + first : NULL, count), &sine, &cosine);
    for (int k = 0; k < WIDE; ++k)
      if (k < count) turns[first + k] = (Turn){cosine[k], sine[k]};
  }
}

#endif
#endif

// theta of every joint; a prismatic joint's does not move.
INLINE void joint_turns(const lwModel* model, const REAL* q, Turn* turns)
{
  revolute_turns(model, q, turns);
  for (int i = 0; i < model->n; ++i)
    if (is_prismatic(model, i))
      turns[i] = (Turn){K(LINKS(model)[i].cos_theta), K(LINKS(model)[i].sin_theta)};
}
