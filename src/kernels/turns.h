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

#else

#include "math/wide.h"

#if LW_LANE_BYTES

INLINE void revolute_turns(const lwModel* model, const REAL* q, Turn* turns)
{
  for (int i = 0; i < model->n; ++i)
    SIN_COS(r_add(given(q, i), K(LINKS(model)[i].offset)), &turns[i].s, &turns[i].c);
}

#else

INLINE void revolute_turns(const lwModel* model, const REAL* q, Turn* turns)
{
  for (int first = 0; first < model->n; first += WIDE)
  {
    int count  = model->n - first < WIDE ? model->n - first : WIDE;
    Wide angle = {0}, sine, cosine;
    for (int k = 0; k < count; ++k)
      angle[k] = r_add(given(q, first + k), K(LINKS(model)[first + k].offset));
    SIN_COS(angle, &sine, &cosine);
    for (int k = 0; k < count; ++k) turns[first + k] = (Turn){cosine[k], sine[k]};
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
