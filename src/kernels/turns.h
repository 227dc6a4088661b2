// SPDX-License-Identifier: MIT
// Sines and cosines of all joints, range by range of freedoms. Included by joints.h only.
//
// A plain scalar evaluates as many joints at once as a vector has lanes; a lane vector evaluates
// one joint of as many states. Both use math/sincos.h, so both give the same bits.
#if defined(LW_SCALAR_count)

INLINE void range_turns(const lwModel* model, lwFreedomRange at, const Input* q, Turn* turns)
{
  for (int i = at.first; i < at.end; ++i)
  {
    REAL angle = r_add(given(q, i + at.shift), K(LINKS(model)[i].offset));
    turns[i] = (Turn){{lw_cos(angle.value), angle.off_line}, {lw_sin(angle.value), angle.off_line}};
  }
}

#elif defined(LW_SCALAR_symbol)

INLINE void range_turns(const lwModel* model, lwFreedomRange at, const Input* q, Turn* turns)
{
  for (int i = at.first; i < at.end; ++i)
    r_sincos(r_add(given(q, i + at.shift), K(LINKS(model)[i].offset)), &turns[i].s, &turns[i].c);
}

#elif !defined(LW_FLOATING)

// theta is q turned on by the offset, which is given by its cosine and sine.
INLINE void range_turns(const lwModel* model, lwFreedomRange at, const Input* q, Turn* turns)
{
  for (int i = at.first; i < at.end; ++i)
  {
    Turn offset = {K(LINKS(model)[i].cos_theta), K(LINKS(model)[i].sin_theta)}, turn;
    r_sincos(given(q, i + at.shift), &turn.s, &turn.c);
    turns[i] = turn_compose(turn, offset);
  }
}

#else

#include <string.h>

#include "math/elementary.h"
#include "math/unroll.h"
#include "math/wide.h"

// From NEAR_RANGE on the rounding of q + offset costs a digit or more, and is corrected: sin(angle
// + e) = sin(angle) + e cos(angle), where angle + e = q + offset exactly (Knuth's two-sum). Angles
// that are not far keep the bits of NEAR_SIN_COS.
static __attribute__((noinline, unused)) void far_sin_cos(Wide q, Wide offset, Wide* sine,
                                                          Wide* cosine)
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

// Far angles are rare, so all joints are tested for them at once.
INLINE void range_turns(const lwModel* model, lwFreedomRange at, const Input* q, Turn* turns)
{
  WideMask far      = {0};
  const REAL none   = zero();
  MaybeInput angles = maybe_input(q ? q + at.first + at.shift : q, &none);
  for (int i = at.first; i < at.end; ++i)
  {
    REAL angle = r_add(next_input(&angles), K(LINKS(model)[i].offset));
    far |= NEAR_SIN_COS(angle, &turns[i].s, &turns[i].c);
  }
  for (int i = at.first; i < at.end && ANY(far); ++i)
    far_sin_cos(given(q, i + at.shift), K(LINKS(model)[i].offset), &turns[i].s, &turns[i].c);
}

#else

INLINE HalfWide half_wide(const double* at)
{
  HalfDoubles half;
  memcpy(&half, at, sizeof half);
  return __builtin_convertvector(half, HalfWide);
}

// Half a vector that needs no other half: four joints in single precision. Two in double would gain
// by it as well, but GCC 12 makes gibbs_appell.c slower then.
INLINE bool is_half(int count)
{
  return WIDE > 4 && count == WIDE / 2;
}

// As many numbers as a vector has. If there are fewer, its halves are the first and the last ones,
// which may overlap. Half a vector is followed by zeros. Less is, too, and goes into a register one
// by one: a vector that is stored piece by piece cannot be loaded before all of it has arrived in
// the cache.
INLINE Wide wide_some(const double* at, int count)
{
  Wide some           = {0};
  const HalfWide none = {0};
  if (is_half(count)) return JOIN_HALVES(half_wide(at), none);
  if (count >= WIDE / 2)
    return JOIN_HALVES(half_wide(at), half_wide(at + (count < WIDE ? count : WIDE) - WIDE / 2));
  SHORT_LOOP
  for (int k = 0; k < WIDE / 2 - 1; ++k)
    if (k < count) some[k] = (REAL)at[k];
  return some;
}

// The turns of as many angles, to where they belong.
INLINE void wide_turns(Turn* turns, Wide cosine, Wide sine, int count)
{
  Wide low = ZIP_LOW(cosine, sine), high = ZIP_HIGH(cosine, sine);
  if (count >= WIDE / 2)
  {
    memcpy(turns, &low, sizeof low);
    if (is_half(count)) return;
    memcpy(turns + (count < WIDE ? count : WIDE) - WIDE / 2, &high, sizeof high);
    return;
  }
  SHORT_LOOP
  for (int k = 0; k < WIDE / 2 - 1; ++k)
    if (k < count) turns[k] = (Turn){cosine[k], sine[k]};
}

// Up to WIDE joints at once. Returned: all ones for those whose angle is far.
INLINE WideMask some_turns(const double* offset, const double* q, int count, Turn* turns)
{
  Wide sine, cosine, angle = wide_some(offset, count);
  if (q) angle += wide_some(q, count);
  WideMask far = NEAR_SIN_COS(angle, &sine, &cosine);
  wide_turns(turns, cosine, sine, count);
  return far;
}

static __attribute__((noinline, unused)) void far_turns(const lwModel* model, lwFreedomRange at,
                                                        const Input* q, Turn* turns)
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

// The last vector overlaps the one before. Far angles are rare, so all joints are tested for them
// at once.
INLINE void range_turns(const lwModel* model, lwFreedomRange range, const Input* q, Turn* turns)
{
  int begin = range.first, n = range.end - range.first;
  const double* offset = model->offsets + begin;
  const Input* angle   = q ? q + begin + range.shift : NULL;
  Turn* to             = turns + begin;
  WideMask far         = {0};
  if (n < WIDE)
    far = some_turns(offset, angle, n, to);
  else
    for (int first = 0; first < n; first += WIDE)
    {
      int at = first + WIDE <= n ? first : n - WIDE;
      far |= some_turns(offset + at, angle ? angle + at : NULL, WIDE, to + at);
    }
  if (ANY(far)) far_turns(model, range, q, turns);
}

#endif
#endif

// Turns of a model with wide joints, whose frames are set too.
static __attribute__((noinline, unused)) void native_turns(const lwModel* model, const Input* q,
                                                           Turn* turns)
{
  for (int k = 0; k < model->wide_count; ++k) set_wide_turns(model, &model->wides[k], q, turns);
  for (int k = 0; k < model->range_count; ++k) range_turns(model, model->ranges[k], q, turns);
}

// theta of a prismatic joint does not move.
INLINE void still_turns(const lwModel* model, int first, int end, Turn* turns)
{
  for (int i = first; i < end && model->slides; ++i)
    if (is_prismatic(model, i))
      turns[i] = (Turn){K(LINKS(model)[i].cos_theta), K(LINKS(model)[i].sin_theta)};
}

// theta of the joints of a range.
INLINE void joint_turns_in(const lwModel* model, lwFreedomRange at, const Input* q, Turn* turns)
{
  range_turns(model, at, q, turns);
  still_turns(model, at.first, at.end, turns);
}

// theta of every joint.
INLINE void joint_turns(const lwModel* model, const Input* q, Turn* turns)
{
  if (model->wide_count > 0)
    native_turns(model, q, turns);
  else
    range_turns(model, (lwFreedomRange){0, model->n, 0}, q, turns);
  still_turns(model, 0, model->n, turns);
}

// joint_turns() in memory cut from the workspace.
INLINE Turn* take_turns(const lwModel* model, const Input* q, void** work)
{
  Turn* turns = take(work, (size_t)model->n * sizeof *turns);
  joint_turns(model, q, turns);
  return turns;
}
