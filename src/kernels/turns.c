// SPDX-License-Identifier: MIT
// Turns that are rare or take long, compiled once per variant: copies in every kernel were an
// eighth of the program. See turns.h.
#include "kernels/joints.h"

#if defined(LW_FLOATING)

// From NEAR_RANGE on the rounding of q + offset costs a digit or more, and is corrected: sin(angle
// + e) = sin(angle) + e cos(angle), where angle + e = q + offset exactly (Knuth's two-sum). Angles
// that are not far keep the bits of NEAR_SIN_COS.
INLINE void far_sin_cos(Wide q, Wide offset, Wide* sine, Wide* cosine)
{
  Wide angle = q + offset, s, c;
  SIN_COS(angle, &s, &c);
  Wide part    = angle - q;
  Wide error   = (q - (angle - part)) + (offset - part);
  WideMask far = BEYOND(angle, (SCALAR)NEAR_RANGE);
  *sine        = (Wide)(((WideMask)(s + c * error) & far) | ((WideMask)s & ~far));
  *cosine      = (Wide)(((WideMask)(c - s * error) & far) | ((WideMask)c & ~far));
}

#if LW_LANE_BYTES

void FN(far_turns)(const lwModel* model, lwFreedomRange at, const Input* q, Turn* turns)
{
  for (int i = at.first; i < at.end; ++i)
    far_sin_cos(given(q, i + at.shift), K(LINKS(model)[i].offset), &turns[i].s, &turns[i].c);
}

#else

void FN(far_turns)(const lwModel* model, lwFreedomRange at, const Input* q, Turn* turns)
{
  for (int first = at.first; first < at.end; first += WIDE)
  {
    int count = at.end - first;
    Wide sine, cosine, angle = {0};
    if (q) angle = wide_some(q + first + at.shift, count);
    far_sin_cos(angle, wide_some(model->offsets + first, count), &sine, &cosine);
    wide_turns(turns + first, cosine, sine, count);
  }
}

#endif
#endif

void FN(native_turns)(const lwModel* model, const Input* q, Turn* turns)
{
  for (int k = 0; k < model->wide_count; ++k) set_wide_turns(model, &model->wides[k], q, turns);
  for (int k = 0; k < model->range_count; ++k) range_turns(model, model->ranges[k], q, turns);
}
