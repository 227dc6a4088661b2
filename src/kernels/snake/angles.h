// SPDX-License-Identifier: MIT
// Sines and cosines of many angles. Included by links.h only. As in kernels/turns.h: a plain
// scalar evaluates as many angles of one state at once as a vector has lanes, a lane vector one
// angle of as many states, with the same bits. Both arrays have room for TURNS_ROOM entries
// more, which are written too.
#if defined(LW_SCALAR_count)

INLINE void turns_of(REAL* angle, int count, Turn* turn)
{
  for (int i = 0; i < count; ++i)
  {
    double x = angle[i].value;
    turn[i]  = (Turn){{lw_cos(x), angle[i].off_line}, {lw_sin(x), angle[i].off_line}};
  }
}

INLINE REAL wrapped(REAL angle)
{
  return angle;
}

#elif !defined(LW_FLOATING)

INLINE void turns_of(REAL* angle, int count, Turn* turn)
{
  for (int i = 0; i < count; ++i) r_sincos(angle[i], &turn[i].s, &turn[i].c);
}

INLINE REAL wrapped(REAL angle)
{
  return angle;
}

#else

#include "math/elementary.h"
#include "math/wide.h"

#if LW_LANE_BYTES

INLINE void turns_of(REAL* angle, int count, Turn* turn)
{
  for (int i = 0; i < count; ++i) SIN_COS(angle[i], &turn[i].s, &turn[i].c);
}

#else

INLINE void turns_of(REAL* angle, int count, Turn* turn)
{
  for (int first = 0; first < count; first += WIDE)
  {
    Wide wide, sine, cosine;
    for (int i = count - first; i < WIDE; ++i) angle[first + i] = 0;
    for (int i = 0; i < WIDE; ++i) wide[i] = angle[first + i];
    SIN_COS(wide, &sine, &cosine);
    for (int i = 0; i < WIDE; ++i) turn[first + i] = (Turn){cosine[i], sine[i]};
  }
}

#endif

// The angle without whole turns, so that sums of thousands of angles stay small and keep their
// digits. 2 pi is subtracted in three parts, of which the first times the number of turns is exact.
// A part of trigonometry: not counted.
INLINE REAL wrapped(REAL angle)
{
#if defined(LW_SCALAR_f32)
  const CONST rounder = 0x1.8p23f, over = 0x1.45f306p-3f;
  const CONST first = 0x1.92p+2f, second = 0x1.fb4p-10f, third = 0x1.4442d2p-22f;
#else
  const CONST rounder = 0x1.8p52, over = 0x1.45f306dc9c883p-3;
  const CONST first = 0x1.921fb544p+2, second = 0x1.0b4611a6p-32, third = 0x1.3198a2e037073p-67;
#endif
  REAL turns = r_sub(mul_add(angle, K(over), K(rounder)), K(rounder));
  REAL rest  = r_sub(angle, r_mul(turns, K(first)));
  return r_sub(r_sub(rest, r_mul(turns, K(second))), r_mul(turns, K(third)));
}

#endif

// Turns of the joint angles phi_k = theta_k+1 - theta_k, (n-1).
INLINE void joint_turns(const REAL* theta, int n, REAL* phi, Turn* turn)
{
  for (int k = 0; k + 1 < n; ++k) phi[k] = angle_sub(given(theta, k + 1), given(theta, k));
  turns_of(phi, n - 1, turn);
}
