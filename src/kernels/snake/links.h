// SPDX-License-Identifier: MIT
// What every kernel about snakes shares: constants of the links, sines and cosines, and the
// velocities of all links.
//
//   nia2005        here       meaning                                                   unit
//   V_k            V          speed of link k along its direction                       m/s
//   omega_k        w          angular velocity of link k                                rad/s
//   phi_k          turn[k]    theta_k+1 - theta_k, as cosine and sine                   -
//   h_k            front,     half the length; with a wheel off the middle by d the     m
//                  rear       distances from the axle to the joints: h - d and h + d
//   m_k, I_k       mass,      mass; moment of inertia about the axle, I + m d^2         kg, kg m^2
//                  axle_inertia
//   T_k            torque[k]  +T_k on link k+1, -T_k on link k                          N m
//
// Indices are one less than the paper's. With the velocity of the joint written from both sides,
//   V_k e_k + front_k w_k n_k = V_k+1 e_k+1 - rear_k+1 w_k+1 n_k+1,
// (6) and (7) become
//   V_k+1 = V_k C_k + w_k front_k S_k,   w_k+1 = (V_k S_k - w_k front_k C_k) / rear_k+1.
#ifndef LW_KERNELS_SNAKE_LINKS_H
#define LW_KERNELS_SNAKE_LINKS_H

#include "kernels/snake/snake_kernel.h"
#include "math/vec.h"

// KNOWN is the type of the snake's numbers, K() the one way by which a kernel reads one of them.
#if defined(LW_OWN_CONSTANTS)
typedef REAL KNOWN;
typedef struct
{
  LW_SNAKE_PART_FIELDS(REAL)
} Part;
typedef struct
{
  LW_SNAKE_SUM_FIELDS(REAL)
} WholeSnake;
#define PARTS(snake)       ((const Part*)(snake)->scalar_parts)
#define SUM_MASS(snake)    (((const WholeSnake*)(snake)->scalar_sums)->mass)
#define SUM_ROLLING(snake) (((const WholeSnake*)(snake)->scalar_sums)->rolling)
#define K(x)               (x)
#else
typedef CONST KNOWN;
#define K(x) constant(x)
#if defined(LW_SCALAR_f32)
typedef lwSnakePart32 Part;
#define PARTS(snake)       ((snake)->part32)
#define SUM_MASS(snake)    ((snake)->sums32.mass)
#define SUM_ROLLING(snake) ((snake)->sums32.rolling)
#else
typedef lwSnakePart64 Part;
#define PARTS(snake)       ((snake)->part64)
#define SUM_MASS(snake)    ((snake)->sums.mass)
#define SUM_ROLLING(snake) ((snake)->sums.rolling)
#endif
#endif

// a[i] of an input that may be absent.
INLINE REAL given(const REAL* a, int i)
{
  return a ? a[i] : zero();
}

// T_k-1 - T_k, what the joints exert on link k.
INLINE REAL net_torque(const REAL* torque, int k, int n)
{
  REAL behind = k > 0 ? given(torque, k - 1) : zero();
  REAL ahead  = k < n - 1 ? given(torque, k) : zero();
  return r_sub(behind, ahead);
}

// An array of count REAL, cut from the work memory.
INLINE REAL* take_reals(void** work, size_t count)
{
  char* piece = *work;
  *work       = piece + lw_lines(count, sizeof(REAL));
  return (REAL*)(void*)piece;
}

// take_reals() with capacity for turns_of().
enum
{
  TURNS_ROOM = LANES > 1 ? 0 : 64 / sizeof(SCALAR) - 1
};

INLINE REAL* take_angles(void** work, size_t count)
{
  return take_reals(work, count + TURNS_ROOM);
}

INLINE Turn* take_turns(void** work, size_t count)
{
  char* piece = *work;
  *work       = piece + lw_lines(count + TURNS_ROOM, sizeof(Turn));
  return (Turn*)(void*)piece;
}

// The answer to go to: REAL, or NULL if not asked for.
#define OUT(out, NAME) ((REAL*)(out)->to[LW_SNAKE_OUT_##NAME])

#include "kernels/snake/angles.h"

// Turns of the joint angles phi_k, from those of the absolute angles:
// e^i phi = e^i theta_k+1 e^-i theta_k.
INLINE Turn turn_between(Turn from, Turn to)
{
  return (Turn){mul_add(to.c, from.c, r_mul(to.s, from.s)),
                mul_sub(to.s, from.c, r_mul(to.c, from.s))};
}

// A vector (e, n) of link k along e_k+1 or n_k+1, turn being that of phi_k.
INLINE REAL along_next(Turn turn, REAL e, REAL n)
{
  return mul_add(turn.c, e, r_mul(turn.s, n));
}

INLINE REAL across_next(Turn turn, REAL e, REAL n)
{
  return mul_sub(turn.c, n, r_mul(turn.s, e));
}

// (6) and (7): V and w of link part[1], from those of link part[0]
INLINE void next_velocity(const Part* part, Turn turn, REAL* V, REAL* w)
{
  REAL lateral = r_mul(*w, K(part[0].front));
  REAL along   = along_next(turn, *V, lateral);
  *w           = r_mul(r_neg(across_next(turn, *V, lateral)), K(part[1].over_rear));
  *V           = along;
}

// Speeds of all links from those of the first.
INLINE void velocities(const lwSnake* snake, const Turn* turn, const REAL* u, REAL* V, REAL* w)
{
  V[0] = given(u, 0);
  w[0] = given(u, 1);
  for (int k = 0; k + 1 < snake->n; ++k)
  {
    V[k + 1] = V[k];
    w[k + 1] = w[k];
    next_velocity(&PARTS(snake)[k], turn[k], &V[k + 1], &w[k + 1]);
  }
}

#endif
