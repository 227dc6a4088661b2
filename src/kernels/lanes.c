// SPDX-License-Identifier: MIT
// Rows of states to lanes and back, compiled for each variant, so that loops over lanes have
// constant trips and whole vectors move wherever states lie side by side.
#include "kernels/lanes.h"

#include "math/real.h"

#if defined(LW_FLOATING)  // which is never asked about arrays

lwPack FN(pack);
lwUnpack FN(unpack);

// One number of as many states as there are lanes.
INLINE REAL gather(const double* at, size_t by_state)
{
#if LW_LANE_BYTES
  REAL x = {0};
  for (size_t lane = 0; lane < LANES; ++lane) x[lane] = (SCALAR)at[lane * by_state];
  return x;
#else
  (void)by_state;
  return (SCALAR)*at;
#endif
}

INLINE void pack_all(const lwGrid* from, size_t by_state, size_t by_entry, size_t size, REAL* to)
{
  for (size_t i = 0; i < size; ++i) to[i] = gather(from->at + i * by_entry, by_state);
}

INLINE void pack_some(const lwGrid* from, size_t size, size_t count, SCALAR* to)
{
  for (size_t i = 0; i < size; ++i)
    for (size_t lane = 0; lane < LANES; ++lane)
    {
      size_t state         = lane < count ? lane : count - 1;
      to[i * LANES + lane] = (SCALAR)from->at[state * from->by_state + i * from->by_entry];
    }
}

// Lane by lane from memory: a load and a store each, where a vector in a register would have to be
// taken apart.
INLINE void unpack_some(const SCALAR* from, size_t size, size_t count, const lwGrid* to)
{
  for (size_t i = 0; i < size; ++i)
    for (size_t lane = 0; lane < count; ++lane)
      to->at[lane * to->by_state + i * to->by_entry] = (double)from[i * LANES + lane];
}

// The strides that callers have are told to the compiler as constants.
void FN(pack)(const lwGrid* from, size_t size, int count, void* to)
{
  if (count < LANES)
    pack_some(from, size, (size_t)count, to);
  else if (from->by_state == 1)
    pack_all(from, 1, from->by_entry, size, to);
  else
    pack_all(from, from->by_state, from->by_entry, size, to);
}

void FN(unpack)(const void* from, size_t size, int count, const lwGrid* to)
{
  if (count < LANES)
    unpack_some(from, size, (size_t)count, to);
  else if (to->by_state == 1)
    unpack_some(from, size, LANES, &(lwGrid){to->at, 1, to->by_entry});
  else
    unpack_some(from, size, LANES, to);
}

#endif
