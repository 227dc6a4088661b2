// SPDX-License-Identifier: MIT
// Forward dynamics with closed loops: Gauss' principle from the tips to the base, with the rows.
//
// Vereshchagin 1974 and Popov, Vereshchagin & Zenkevich 1978, which were not at hand; the
// documentation of Orocos KDL describes the solver, and Sathya & Carpentier 2024 derive it. Beside
// the coefficients A, p of least constraint each body keeps, for every row that it is on the way of,
//   E_r    what the acceleration of the body adds to the row, and the wrench that f_r makes there
//   e_r = S.E_r, and a gear's own entry        k_r, L_rs   what is known of the row's acceleration
// When freedom i is eliminated, with qdd = (u + sum e_s f_s - U.a_parent)/D,
//   E_r := E_r - U e_r/D      k_r += E_r.Z + e_r u/D      L_rs += e_r e_s/D
// and at the base L f = -(k + E.a_base). Rows that do not pass a body cost nothing there.
#include "kernels/constrained/articulated.h"

// What is carried along: E (n, rows), e (n, rows), and whether a row passes a body.
typedef struct
{
  Wrench* E;
  REAL *e, *k, *L;
  bool* passes;
} Carried;

INLINE void begin_rows(const Held* held, Carried* carried)
{
  size_t m = (size_t)held->rows;
  for (int r = 0; r < held->rows; ++r)
  {
    carried->k[r] = held->constant_part[r];
    for (int side = 0; side < 2; ++side)
    {
      int at     = row_carrier(held, r, side);
      Wrench* E  = &carried->E[(size_t)(at < 0 ? 0 : at) * m + (size_t)r];
      REAL sign  = constant(side ? 1 : -1);
      bool gears = held->constraints->row[r].first >= 0;
      if (at == LW_BASE && !gears)
        carried->k[r] = mul_add(sign, power(held->base, held->W[r]), carried->k[r]);
      if (at == LW_BASE) continue;
      *E                                          = wrench_times_add(sign, held->W[r], *E);
      carried->passes[(size_t)at * m + (size_t)r] = true;
    }
    for (int i = 0; i < held->n; ++i)
      if (held->constraints->row[r].first == i || held->constraints->row[r].second == i)
        carried->passes[(size_t)i * m + (size_t)r] = true;
  }
}

INLINE void carry_row(const Held* held, const Recursion* to, Carried* carried, int i, int r)
{
  size_t m = (size_t)held->rows, at = (size_t)i * m + (size_t)r;
  int p    = held->model->parent[i];
  Wrench E = carried->E[at];
  REAL e = r_add(power(held->S[i], E), gear_entry(held, r, i)), share = r_mul(e, to->over_D[i]);
  carried->e[at] = e;
  carried->k[r]  = r_add(carried->k[r], mul_add(share, to->u[i], power(held->Z[i], E)));
  for (int s = 0; s <= r; ++s)
    if (carried->passes[(size_t)i * m + (size_t)s])
      carried->L[(size_t)r * m + (size_t)s] = mul_add(share, carried->e[(size_t)i * m + (size_t)s],
                                                      carried->L[(size_t)r * m + (size_t)s]);
  E = wrench_times_add(r_neg(share), to->U[i], E);
  if (p == LW_BASE)
  {
    carried->k[r] = r_add(carried->k[r], power(held->base, E));
    return;
  }
  Wrench* further                            = &carried->E[(size_t)p * m + (size_t)r];
  *further                                   = wrench_sum(*further, E);
  carried->passes[(size_t)p * m + (size_t)r] = true;
}

lwFormulation FN(popov_vereshchagin);

void FN(popov_vereshchagin)(const lwModel* model, const lwConstraints* rows, void* work,
                            const lwState* state, void* qdd, void* force)
{
  Held held = held_equations(model, rows, state, &work);
  size_t n = (size_t)held.n, m = (size_t)held.rows;
  Recursion to    = recursion_begin(&held, &work);
  Carried carried = {.E      = held_take(&work, n * m, sizeof(Wrench)),
                     .e      = held_take(&work, n * m, sizeof(REAL)),
                     .k      = force,
                     .L      = held_take(&work, m * m, sizeof(REAL)),
                     .passes = held_take(&work, n * m, sizeof(bool))};
  REAL* more      = held_take(&work, n, sizeof(REAL));
  for (size_t k = 0; k < n * m; ++k)
  {
    carried.E[k]      = (Wrench){v3_zero(), v3_zero()};
    carried.passes[k] = false;
  }
  for (size_t k = 0; k < m * m; ++k) carried.L[k] = zero();
  begin_rows(&held, &carried);
  for (int i = held.n - 1; i >= 0; --i)
  {
    eliminate_freedom(&held, &to, i);
    for (int r = 0; r < held.rows; ++r)
      if (carried.passes[(size_t)i * m + (size_t)r]) carry_row(&held, &to, &carried, i, r);
  }
  for (size_t r = 0; r < m; ++r) carried.k[r] = r_neg(carried.k[r]);
  dense_ldl_factor(m, carried.L);
  dense_ldl_solve(m, carried.L, force);
  for (size_t i = 0; i < n; ++i)
  {
    more[i] = zero();
    for (size_t r = 0; r < m; ++r)
      if (carried.passes[i * m + r])
        more[i] = mul_add(carried.e[i * m + r], ((const REAL*)force)[r], more[i]);
  }
  accelerate_freedoms(&held, &to, more, qdd);
}
