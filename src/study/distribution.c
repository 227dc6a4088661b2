// SPDX-License-Identifier: MIT
#include "study/distribution.h"

#include "math/elementary.h"

#include <math.h>
#include <stdbool.h>

double lw_normal_cdf(double z)
{
  return 0.5 * lw_erfc(-z * 0.70710678118654752440);
}

static double ratio(double r, const double* p, const double* q, int terms)
{
  double above = p[terms - 1], below = q[terms - 1];
  for (int i = terms - 2; i >= 0; --i)
  {
    above = above * r + p[i];
    below = below * r + q[i];
  }
  return above / below;
}

// M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Appl.
// Statist. 37 (1988), 477-484: PPND16.
double lw_normal_quantile(double u)
{
  static const double a[] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                             1.9715909503065514427e3, 1.3731693765509461125e4,
                             4.5921953931549871457e4, 6.7265770927008700853e4,
                             3.3430575583588128105e4, 2.5090809287301226727e3};
  static const double b[] = {1,
                             4.2313330701600911252e1,
                             6.8718700749205790830e2,
                             5.3941960214247511077e3,
                             2.1213794301586595867e4,
                             3.9307895800092710610e4,
                             2.8729085735721942674e4,
                             5.2264952788528545610e3};
  static const double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                             5.76949722146069140550e0,  3.64784832476320460504e0,
                             1.27045825245236838258e0,  2.41780725177450611770e-1,
                             2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[] = {1,
                             2.05319162663775882187e0,
                             1.67638483018380384940e0,
                             6.89767334985100004550e-1,
                             1.48103976427480074590e-1,
                             1.51986665636164571966e-2,
                             5.47593808499534494600e-4,
                             1.05075007164441684324e-9};
  static const double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                             1.78482653991729133580e0,  2.96560571828504891230e-1,
                             2.65321895265761230930e-2, 1.24266094738807843860e-3,
                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[] = {1,
                             5.99832206555887937690e-1,
                             1.36929880922735805310e-1,
                             1.48753612908506148525e-2,
                             7.86869131145613259100e-4,
                             1.84631831751005468180e-5,
                             1.42151175831644588870e-7,
                             2.04426310338993978564e-15};
  double q                = u - 0.5;
  if (fabs(q) <= 0.425) return q * ratio(0.180625 - q * q, a, b, 8);
  double r = sqrt(-lw_log(q < 0 ? u : 1 - u));
  double z = r <= 5 ? ratio(r - 1.6, c, d, 8) : ratio(r - 5, e, f, 8);
  return q < 0 ? -z : z;
}

static double distribution_cdf(const lwDistribution* s, double x)
{
  if (s->kind == LW_DISTRIBUTION_LOGNORMAL)
    return x <= 0 ? 0 : lw_normal_cdf(lw_log(x / s->a) / s->b);
  return lw_normal_cdf((x - s->a) / s->b);
}

static double triangular_quantile(const lwDistribution* s, double u)
{
  double whole = s->c - s->a, left = s->b - s->a, right = s->c - s->b;
  if (u * whole <= left) return s->a + sqrt(u * whole * left);
  return s->c - sqrt((1 - u) * whole * right);
}

static double discrete_value(const lwDistribution* s, double u)
{
  double sum = 0;
  for (int i = 0; i < s->count - 1; ++i)
  {
    sum += s->weights ? s->weights[i] : 1.0 / s->count;
    if (u < sum) return s->values[i];
  }
  return s->values[s->count - 1];
}

double lw_distribution_quantile(const lwDistribution* s, double u)
{
  if (s->kind == LW_DISTRIBUTION_UNIFORM) return s->a + u * (s->b - s->a);
  if (s->kind == LW_DISTRIBUTION_TRIANGULAR) return triangular_quantile(s, u);
  if (s->kind == LW_DISTRIBUTION_DISCRETE) return discrete_value(s, u);
  bool cut = isfinite(s->low) || isfinite(s->high);
  if (cut)
  {
    double from = distribution_cdf(s, s->low), to = distribution_cdf(s, s->high);
    u = from + u * (to - from);
  }
  double z = lw_normal_quantile(u);
  double x = s->kind == LW_DISTRIBUTION_LOGNORMAL ? s->a * lw_exp(s->b * z) : s->a + s->b * z;
  return fmin(fmax(x, s->low), s->high);
}

void lw_distribution_ends(const lwDistribution* s, double* low, double* high)
{
  *low  = s->low;
  *high = s->high;
  if (s->kind == LW_DISTRIBUTION_UNIFORM || s->kind == LW_DISTRIBUTION_TRIANGULAR)
  {
    *low  = s->a;
    *high = s->kind == LW_DISTRIBUTION_UNIFORM ? s->b : s->c;
  }
  if (s->kind != LW_DISTRIBUTION_DISCRETE) return;
  *low = *high = s->values[0];
  for (int i = 1; i < s->count; ++i)
  {
    *low  = fmin(*low, s->values[i]);
    *high = fmax(*high, s->values[i]);
  }
}
