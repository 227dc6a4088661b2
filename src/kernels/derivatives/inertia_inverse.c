// SPDX-License-Identifier: MIT
// The inverse of the inertia matrix, M^-1 = K D^-1 K^T, from composite bodies and the factors M =
// L^T D L, O(n^3).
//
// Featherstone 2008, tables 6.2 and 6.3; math/tree_inverse.h. With rotors, the reflected
// inertia of each motor's rotor is part of M. The row and column of a joint that is held
// are those of the identity.
#include "kernels/forward/held.h"
#include "math/tree_inverse.h"

extern const lwKernel FN(composite_body);

static void inertia_inverse(const lwModel* model, void* work, const lwState* state, void* out)
{
  FN(composite_body).run(model, work, state, out);
  tree_ldl_invert(model->n, factor_inertia(model, state, out));
}

const lwKernel FN(inertia_inverse) = {
    inertia_inverse, 0, 0, {&FN(composite_body)}, LW_KERNEL_NARROW | LW_KERNEL_WIDE};
