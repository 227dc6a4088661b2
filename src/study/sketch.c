// SPDX-License-Identifier: MIT
// How often values occurred, in bins of less than one per cent: the leading bits
// of the double. Counts add up in any order, so threads, ranks, restarts and
// merged databases give the same result.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/contents.h"

// Bits of a double that are dropped: its sign, exponent and 7 bits of its mantissa stay.
static const int DROPPED = 45;

int32_t lw_sketch_key(double deviation)
{
  uint64_t bits;
  double size = fabs(deviation);
  memcpy(&bits, &size, sizeof bits);
  int32_t key = (int32_t)(bits >> DROPPED);
  return deviation < 0 ? -key : key;
}

// The middle of the bin.
double lw_sketch_value(int32_t key)
{
  uint64_t bits = (uint64_t)(key < 0 ? -key : key) << DROPPED | UINT64_C(1) << (DROPPED - 1);
  double size;
  if (key == 0) return 0;
  memcpy(&size, &bits, sizeof size);
  return key < 0 ? -size : size;
}

static bool grow_sketch(lwSketch* sketch)
{
  int capacity = sketch->capacity ? 2 * sketch->capacity : 16;
  int32_t* key = realloc(sketch->key, (size_t)capacity * sizeof *key);
  if (key) sketch->key = key;
  uint64_t* times = realloc(sketch->times, (size_t)capacity * sizeof *times);
  if (times) sketch->times = times;
  if (key && times) sketch->capacity = capacity;
  return key && times;
}

bool lw_sketch_add(lwSketch* sketch, int32_t key, uint64_t times)
{
  int low = 0, high = sketch->count;
  while (low < high)
  {
    int middle = (low + high) / 2;
    if (sketch->key[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < sketch->count && sketch->key[low] == key)
  {
    sketch->times[low] += times;
    return true;
  }
  if (sketch->count == sketch->capacity && !grow_sketch(sketch)) return false;
  size_t behind = (size_t)(sketch->count - low);
  memmove(sketch->key + low + 1, sketch->key + low, behind * sizeof *sketch->key);
  memmove(sketch->times + low + 1, sketch->times + low, behind * sizeof *sketch->times);
  sketch->key[low]   = key;
  sketch->times[low] = times;
  ++sketch->count;
  return true;
}

double lw_sketch_quantile(const lwSketch* sketch, double p)
{
  uint64_t all = 0, sum = 0;
  for (int i = 0; i < sketch->count; ++i) all += sketch->times[i];
  for (int i = 0; i < sketch->count; ++i)
  {
    sum += sketch->times[i];
    if ((double)sum >= p * (double)all) return lw_sketch_value(sketch->key[i]);
  }
  return NAN;
}

double lw_band_quantile(const lwBandCell* cell, int q)
{
  static const double quantiles[LW_STUDY_QUANTILES] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
  double value = cell->nominal + lw_sketch_quantile(&cell->sketch, quantiles[q]);
  return fmin(fmax(value, cell->low), cell->high);
}

void lw_sketch_free(lwSketch* sketch)
{
  free(sketch->key);
  free(sketch->times);
  *sketch = (lwSketch){0};
}
