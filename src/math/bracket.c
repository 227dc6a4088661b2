// SPDX-License-Identifier: MIT
// Chandrupatla 1997, "A new hybrid quadratic/bisection algorithm for finding the zero of a
// nonlinear function without using derivatives": inverse quadratic interpolation where three points
// promise that it works, bisection elsewhere. Never more than about twice the steps of bisection,
// and few for smooth functions.
#include "math/bracket.h"

#include <math.h>
#include <stdbool.h>

enum
{
  MAX_STEPS = 200  // bisection of all doubles takes less
};

typedef struct BracketPoint
{
  double x, f;
} BracketPoint;

// The part of the way from a to b where to look next; c is the point that was replaced last.
static double next_part(BracketPoint a, BracketPoint b, BracketPoint c)
{
  double xi  = (a.x - b.x) / (c.x - b.x);
  double phi = (a.f - b.f) / (c.f - b.f);
  if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)) return 0.5;
  return a.f / (b.f - a.f) * (c.f / (b.f - c.f)) +
         (c.x - a.x) / (b.x - a.x) * (a.f / (c.f - a.f)) * (b.f / (c.f - b.f));
}

double lw_bracket_close(const lwBracket* bracket, lwBracketFunction* function, void* context)
{
  BracketPoint a = {bracket->low, bracket->at_low}, b = {bracket->high, bracket->at_high};
  double part = (bracket->guess - a.x) / (b.x - a.x);
  for (int i = 0; i < MAX_STEPS; ++i)
  {
    double least = bracket->resolution / fabs(b.x - a.x);
    if (least >= 0.5) break;
    if (!(part >= least)) part = least;
    if (part > 1 - least) part = 1 - least;
    BracketPoint now = {a.x + part * (b.x - a.x), 0};
    if (now.x == a.x || now.x == b.x) break;
    now.f = function(context, now.x);
    if (now.f == 0) return now.x;
    bool same      = (now.f > 0) == (a.f > 0);
    BracketPoint c = same ? a : b;
    b              = same ? b : a;
    a              = now;
    part           = next_part(a, b, c);
  }
  return fmax(a.x, b.x);
}
