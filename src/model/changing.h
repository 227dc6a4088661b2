// SPDX-License-Identifier: MIT
// Vectors with their change along a direction: derivatives by the rule of products.
#ifndef LW_MODEL_CHANGING_H
#define LW_MODEL_CHANGING_H

#include <math.h>

#include "math/rotation.h"

// A vector and its change.
typedef struct lwChanging
{
  double is[3], by[3];
} lwChanging;

// A number and its change.
typedef struct lwChangingNumber
{
  double is, by;
} lwChangingNumber;

// a + k b
static inline lwChanging changing_sum(double k, lwChanging a, lwChanging b)
{
  for (int i = 0; i < 3; ++i)
  {
    a.is[i] += k * b.is[i];
    a.by[i] += k * b.by[i];
  }
  return a;
}

// a x b
static inline lwChanging changing_cross(lwChanging a, lwChanging b)
{
  lwChanging out;
  double part[3];
  lw_cross(a.is, b.is, out.is);
  lw_cross(a.by, b.is, out.by);
  lw_cross(a.is, b.by, part);
  for (int i = 0; i < 3; ++i) out.by[i] += part[i];
  return out;
}

// a . b
static inline lwChangingNumber changing_dot(lwChanging a, lwChanging b)
{
  return (lwChangingNumber){lw_dot(a.is, b.is), lw_dot(a.by, b.is) + lw_dot(a.is, b.by)};
}

// k a
static inline lwChanging changing_scale(lwChangingNumber k, lwChanging a)
{
  for (int i = 0; i < 3; ++i)
  {
    a.by[i] = k.is * a.by[i] + k.by * a.is[i];
    a.is[i] *= k.is;
  }
  return a;
}

// 1 / sqrt(a . a)
static inline lwChangingNumber changing_inverse_length(lwChanging a)
{
  lwChangingNumber square = changing_dot(a, a);
  double over             = 1 / sqrt(square.is);
  return (lwChangingNumber){over, -0.5 * over * square.by / square.is};
}

#endif
