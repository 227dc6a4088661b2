// SPDX-License-Identifier: MIT
// Numbers of several joints side by side.
//
// A plain scalar has one state at a time, so loops over independent joints become vector
// instructions: JOINT_LANES joints form a block, in which each number of a joint stands beside
// those of the others, at a distance that the compiler knows. The places behind the last joint are
// filled with zeros, which are computed with and never read. Other scalars, which may be vectors of
// states themselves, have blocks of one joint.
//
// A joint is given by the address of its first number; its number c is at [c JOINT_LANES].
#ifndef LW_KERNELS_BLOCKS_H
#define LW_KERNELS_BLOCKS_H

#include <string.h>

#include "kernels/joints.h"
#include "math/unroll.h"

enum
{
#if defined(LW_FLOATING) && !LW_LANE_BYTES
  JOINT_LANES = WIDE
#else
  JOINT_LANES = 1
#endif
};

#define EACH_JOINT_LANE(k) WHOLE_LOOP for (int k = 0; k < JOINT_LANES; ++k)

// The first joint of the block of joint i, and the first one of the block after it.
INLINE int block_start(int i)
{
  return i & ~(JOINT_LANES - 1);  // JOINT_LANES is a power of two
}

INLINE int block_end(int count)
{
  return block_start(count + JOINT_LANES - 1);
}

// Joint i among joints of `size` numbers each.
INLINE REAL* in_block(REAL* joints, int size, int i)
{
  return joints + (size_t)block_start(i) * (size_t)size + (i & (JOINT_LANES - 1));
}

INLINE const REAL* in_known_block(const REAL* joints, int size, int i)
{
  return joints + (size_t)block_start(i) * (size_t)size + (i & (JOINT_LANES - 1));
}

INLINE V3 get3(const REAL* joint, int c)
{
  return v3(joint[c * JOINT_LANES], joint[(c + 1) * JOINT_LANES], joint[(c + 2) * JOINT_LANES]);
}

INLINE void put3(REAL* joint, int c, V3 a)
{
  joint[c * JOINT_LANES]       = a.x;
  joint[(c + 1) * JOINT_LANES] = a.y;
  joint[(c + 2) * JOINT_LANES] = a.z;
}

// Zeros in all of the last block, unless it is full: number c and those behind it, `count` of them,
// before the joints have theirs. All scalars but plain ones have full blocks.
INLINE void clear_last_block(REAL* joints, int size, int n, int c, int count)
{
#if defined(LW_FLOATING) && !LW_LANE_BYTES
  const Wide zeros = {0};
  REAL* block      = in_block(joints, size, block_start(n)) + c * JOINT_LANES;
  if (n % JOINT_LANES == 0) return;
  // stores one by one: a call that clears them would take longer to begin
  SHORT_LOOP
  for (int k = 0; k < count; ++k) memcpy(block + k * JOINT_LANES, &zeros, sizeof zeros);
#else
  (void)joints, (void)size, (void)n, (void)c, (void)count;
#endif
}

#endif
