// SPDX-License-Identifier: MIT
// A law with its first and second derivative in t,
// carried through the program together (Taylor arithmetic).
//
//   u v:    u v, u'v + u v', u''v + 2 u'v' + u v''        f(u): f, f' u', f'' u'^2 + f' u''
#include <math.h>

#include "drive/law.h"
#include "math/elementary.h"

// Value, first and second derivative.
typedef struct Jet
{
  double v, d, dd;
} Jet;

// --- functions and their derivatives

static void sin_slopes(double u, double f, double* first, double* second)
{
  *first  = lw_cos(u);
  *second = -f;
}

static void cos_slopes(double u, double f, double* first, double* second)
{
  *first  = -lw_sin(u);
  *second = -f;
}

static void tan_slopes(double u, double f, double* first, double* second)
{
  (void)u;
  *first  = 1 + f * f;
  *second = 2 * f * *first;
}

static void exp_slopes(double u, double f, double* first, double* second)
{
  (void)u;
  *first = *second = f;
}

static void sqrt_slopes(double u, double f, double* first, double* second)
{
  *first  = 0.5 / f;
  *second = -0.25 / (u * f);
}

static void abs_slopes(double u, double f, double* first, double* second)
{
  (void)f;
  *first  = (u > 0) - (u < 0);
  *second = 0 * u;
}

const lwLawFunction LW_LAW_FUNCTIONS[] = {{"sin", lw_sin, sin_slopes}, {"cos", lw_cos, cos_slopes},
                                          {"tan", lw_tan, tan_slopes}, {"exp", lw_exp, exp_slopes},
                                          {"sqrt", sqrt, sqrt_slopes}, {"abs", fabs, abs_slopes}};

const int LW_LAW_FUNCTION_COUNT = sizeof LW_LAW_FUNCTIONS / sizeof LW_LAW_FUNCTIONS[0];

// --- operations

static Jet jet_multiply(Jet a, Jet b)
{
  return (Jet){a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd};
}

// With q = a / b, so a = q b: q' = (a' - q b') / b, q'' = (a'' - 2 q' b' - q b'') / b.
static Jet jet_divide(Jet a, Jet b)
{
  double v = a.v / b.v;
  double d = (a.d - v * b.d) / b.v;
  return (Jet){v, d, (a.dd - 2 * d * b.d - v * b.dd) / b.v};
}

// f(u) by its value and derivatives there; a derivative that is not needed may be infinite.
static Jet chain(Jet u, double f, double first, double second)
{
  double d  = u.d != 0 ? first * u.d : 0;
  double dd = (u.d != 0 ? second * u.d * u.d : 0) + (u.dd != 0 ? first * u.dd : 0);
  return (Jet){f, d, dd};
}

// c u^(p - order), 0 if c is 0.
static double power_term(double c, double u, double exponent)
{
  return c != 0 ? c * lw_pow(u, exponent) : 0;
}

static Jet jet_power(Jet u, Jet p)
{
  if (p.d == 0 && p.dd == 0)
    return chain(u, lw_pow(u.v, p.v), power_term(p.v, u.v, p.v - 1),
                 power_term(p.v * (p.v - 1), u.v, p.v - 2));
  Jet log_u = chain(u, lw_log(u.v), 1 / u.v, -1 / (u.v * u.v));
  Jet g     = jet_multiply(p, log_u);
  double f  = lw_pow(u.v, p.v);
  return (Jet){f, f * g.d, f * (g.d * g.d + g.dd)};
}

static Jet* jet_step(const lwLawCode* code, const lwLawPoint* p, Jet* top)
{
  Jet* b = top - 1;  // the last operand, and the one before
  Jet* a = top - 2;
  double f, first, second;
  switch (code->operation)
  {
    case LW_LAW_NEGATE:
      *b = (Jet){-b->v, -b->d, -b->dd};
      return top;
    case LW_LAW_CALL:
      f = code->function->of(b->v);
      code->function->slopes(b->v, f, &first, &second);
      *b = chain(*b, f, first, second);
      return top;
    case LW_LAW_ADD:
      *a = (Jet){a->v + b->v, a->d + b->d, a->dd + b->dd};
      return b;
    case LW_LAW_SUBTRACT:
      *a = (Jet){a->v - b->v, a->d - b->d, a->dd - b->dd};
      return b;
    case LW_LAW_MULTIPLY:
      *a = jet_multiply(*a, *b);
      return b;
    case LW_LAW_DIVIDE:
      *a = jet_divide(*a, *b);
      return b;
    case LW_LAW_POWER:
      *a = jet_power(*a, *b);
      return b;
    default:  // a number or a name
      lw_law_step(code, p, &top->v);
      top->d  = code->operation == LW_LAW_T;
      top->dd = 0;
      return top + 1;
  }
}

static Jet jet_of(const lwLaw* law, const lwLawPoint* point, Jet* stack)
{
  Jet* top = stack;
  for (int i = 0; i < law->count; ++i) top = jet_step(&law->code[i], point, top);
  return stack[0];
}

void lw_law_jet(const lwLaw* law, const lwLawPoint* point, double jet[3])
{
  Jet usual[LW_LAW_USUAL] = {{0}};
  Jet result;
  if (law->depth <= LW_LAW_USUAL)
    result = jet_of(law, point, usual);
  else
  {
    Jet stack[LW_LAW_MAX_STACK] = {{0}};
    result                      = jet_of(law, point, stack);
  }
  jet[0] = result.v;
  jet[1] = result.d;
  jet[2] = result.dd;
}
