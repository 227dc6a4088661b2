// SPDX-License-Identifier: MIT
// The inverse of the inertia matrix by articulated bodies, O(n^2).
//
// Featherstone 2008, table 7.1; kernels/derivatives/articulated_panels.h. Columns of M^-1 are the
// accelerations that unit torques cause, down to the diagonal only: M^-1 is symmetric. With rotors,
// the reflected inertia of each motor's rotor is part of M. The row and column of a joint that is
// held are those of the identity.
#include "kernels/derivatives/articulated_panels.h"

static void articulated_inverse(const lwModel* model, void* work, const lwState* state, void* out)
{
  Panels of = articulated_panels(model, &work, state);
  invert_by_panels(&of, out);
}

const lwKernel FN(articulated_inverse) = {
    articulated_inverse, PANEL_BYTES, 0, {NULL}, LW_KERNEL_NARROW | LW_KERNEL_WIDE};
