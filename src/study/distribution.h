// SPDX-License-Identifier: MIT
// Distributions of a parameter, each by its quantile function: a number in (0, 1) to a value.
#ifndef LW_STUDY_DISTRIBUTION_H
#define LW_STUDY_DISTRIBUTION_H

typedef enum lwDistributionKind
{
  LW_DISTRIBUTION_UNIFORM,     // from a to b
  LW_DISTRIBUTION_NORMAL,      // mean a, standard deviation b
  LW_DISTRIBUTION_LOGNORMAL,   // median a, standard deviation b of the logarithm
  LW_DISTRIBUTION_TRIANGULAR,  // from a over the mode b to c
  LW_DISTRIBUTION_DISCRETE,    // one of the values
  LW_DISTRIBUTION_KINDS
} lwDistributionKind;

typedef struct lwDistribution
{
  lwDistributionKind kind;
  double a, b, c;
  double low, high;       // it is cut there; infinite: it is not
  int count;              // of values
  const double* values;   // (count)
  const double* weights;  // (count) their sum is 1; NULL: all alike
} lwDistribution;

// The standard normal distribution function and its inverse (Wichura 1988, AS 241), to about 1e-16.
double lw_normal_cdf(double z);
double lw_normal_quantile(double u);

// The value below which a part u of the distribution lies, 0 < u < 1.
double lw_distribution_quantile(const lwDistribution* s, double u);

// The ends of the distribution, infinite where it has none.
void lw_distribution_ends(const lwDistribution* s, double* low, double* high);

#endif
