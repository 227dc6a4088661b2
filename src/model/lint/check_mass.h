// SPDX-License-Identifier: MIT
// Mass properties: what the parts of their validation share.
#ifndef LW_MODEL_LINT_CHECK_MASS_H
#define LW_MODEL_LINT_CHECK_MASS_H

#include "base/text.h"
#include "model/lint/lint.h"

// True if principal moments in rising order are those of a body:
// not negative, and within the triangle rule.
bool lw_moments_are_possible(const double moments[3]);

// True if the inertia would be possible with the opposite sign of all products, or
// of one product, which is equivalent.
bool lw_products_are_flipped(const double I[6]);

// Volume of the solid ellipsoid with this mass and these moments, m^3; 0 of a rod, a plate or none.
double lw_ellipsoid_volume(double mass, const double I[3]);

// Reports placeholder inertias: identity, six equal numbers, a cube of 1 m. True if it is one.
bool lw_check_placeholder(lwCheck* check, int joint);

// The units that were meant instead, if they give a usual body; size: of the link or of the robot,
// m, 0: not known. NULL: none.
const char* lw_slip_hint(double mass, const double moments[3], double size,
                         char buffer[LW_HINT_SIZE]);

// Compares mass, centre of mass and inertia with the shapes of the link, where these are known.
// moments: principal, or NULL if the inertia is zero or impossible. True if something was reported
// that explains an implausible density.
bool lw_check_bulk(lwCheck* check, int joint, const double* moments);

#endif
