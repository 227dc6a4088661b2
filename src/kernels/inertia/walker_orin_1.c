// SPDX-License-Identifier: MIT
// Inertia matrix column by column through inverse dynamics, O(n^2).
//
// Walker & Orin, "Efficient dynamic computer simulation of robotic mechanisms", 1982, method 1;
// swartz1982, "Calculating the H matrix", first paragraph.
//
//   paper     here    meaning                                                     unit
//   H         M       inertia matrix                                              kg m^2, kg m, kg
//   theta..   unit    joint accelerations: 1 at joint j, 0 at the others          rad/s^2, m/s^2
//   tau       column  their torques: column j of H                               N m, N
//
// Where it differs from the paper:
// - The paper prints "theta = 0" for what is at rest: it is the joint velocity, the wrench and the
//   acceleration of the base that vanish, theta stays (erratum 3-10). Gravity is switched off by
//   the state, not by the model.
// - H is symmetric, so of column j only the rows up to j are kept, and written to both triangles.
//   The inverse dynamics gives the others too, equal to rounding.
#include "kernels/joints.h"

extern const lwKernel FN(newton_euler);

static void walker_orin_1(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n       = (size_t)model->n;
  Input* unit    = take(&work, lw_lines(2 * n, sizeof *unit));
  Result* column = unit + n;
  Result* M      = out;

  const lwState moved = {.q = state->q, .qdd = unit, .weightless = true};
  for (size_t j = 0; j < n; ++j) unit[j] = zero();

  // H theta.. = tau with theta.. = e_j
  for (size_t j = 0; j < n; ++j)
  {
    unit[j] = constant(1);
    FN(newton_euler).run(model, work, &moved, column);
    unit[j] = zero();
    for (size_t k = 0; k <= j; ++k) M[j * n + k] = M[k * n + j] = column[k];
  }
}

const lwKernel FN(walker_orin_1) = {walker_orin_1, 2 * sizeof(Input), 0, {&FN(newton_euler)}, 0};
