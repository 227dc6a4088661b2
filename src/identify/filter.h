// SPDX-License-Identifier: MIT
// Zero-phase filtering and derivatives of sampled signals.
#ifndef LW_IDENTIFY_FILTER_H
#define LW_IDENTIFY_FILTER_H

#include <stdbool.h>

// Filters x (count) in place, forwards and backwards by a fourth-order Butterworth filter with this
// cutoff (Hz) at this rate (Hz): no delay, half the amplitude at the cutoff. The ends are extended
// by point reflection. False: out of memory.
bool lw_filter_zero_phase(double* x, long count, double rate, double cutoff);

// First and second derivative of x (count) by differences of eighth order,
// of lower order near the ends.
void lw_filter_derivatives(const double* x, long count, double dt, double* first, double* second);

// Standard deviation of white noise in x (count): of its fourth differences, to which slow signals
// contribute little; their median, so that a few jumps do not count. capacity (count) is
// overwritten.
double lw_filter_noise(const double* x, long count, double* capacity);

#endif
