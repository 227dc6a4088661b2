// SPDX-License-Identifier: MIT
// Chapter 2 of the memo: rotation by angular velocity and by the derivative of a matrix.
#include "identities.h"

// e_i x e_j . e_k
static double permutation(int i, int j, int k)
{
  return (double)((i - j) * (j - k) * (k - i)) / 2;
}

static double delta(int i, int j)
{
  return i == j;
}

static JetMatrix transposed_product(const JetMatrix* A, const JetMatrix* B)
{
  JetMatrix Bt = jet_transpose(B);
  return jet_multiply(A, &Bt);
}

static double trace(const JetMatrix* A)
{
  return A->at[0][0].f + A->at[1][1].f + A->at[2][2].f;
}

// W W^T = delta
static void check_2_2(const Views* views, int link, Residual* residual)
{
  const JetMatrix* W = &views->time.W[link];
  JetMatrix product  = transposed_product(W, W);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) residual_add(residual, product.at[i][j].f, delta(i, j));
}

// P_ijk P_ijl = 2 delta_kl
static void check_2_3(const Views* views, int link, Residual* residual)
{
  (void)views, (void)link;
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l)
    {
      double sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += permutation(i, j, k) * permutation(i, j, l);
      residual_add(residual, sum, 2 * delta(k, l));
    }
}

// P_ijk P_ilm = delta_jl delta_km - delta_jm delta_kl
static void check_2_4(const Views* views, int link, Residual* residual)
{
  (void)views, (void)link;
  for (int index = 0; index < 81; ++index)
  {
    int j = index % 3, k = index / 3 % 3, l = index / 9 % 3, m = index / 27;
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += permutation(i, j, k) * permutation(i, l, m);
    residual_add(residual, sum, delta(j, l) * delta(k, m) - delta(j, m) * delta(k, l));
  }
}

// Wd_ij = P_ikl w_k W_lj: the derivative by time, and w of (3.14)
static void check_2_5(const Views* views, int link, Residual* residual)
{
  const Chain* time = &views->time;
  JetMatrix Wd      = matrix_part(&time->W[link], PART_A);
  for (int j = 0; j < 3; ++j)
    residual_vector(residual, jet_column(&Wd, j),
                    jet_cross(time->w[link], jet_column(&time->W[link], j)));
}

// w_i = P_ijk W_jl Wd_kl / 2
static void check_2_6(const Views* views, int link, Residual* residual)
{
  const JetMatrix* W = &views->time.W[link];
  for (int i = 0; i < 3; ++i)
  {
    double sum = 0;
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) sum += permutation(i, j, k) * W->at[j][l].f * W->at[k][l].a;
    residual_add(residual, views->time.w[link].at[i].f, sum / 2);
  }
}

// --- a body of points

// A point of a link, from the centre of mass, in the axes of the link.
static JetVector arm_of(const Arm* arm, int link, int p)
{
  return jet_vector_sub(jet_vector(arm->point[link][p].at), jet_vector(arm->joint[link].link.com));
}

// Sum of m r_j r_k, J of (2.7), in axes of the link (W NULL), or in fixed ones.
static JetMatrix pseudo_inertia(const Arm* arm, int link, const JetMatrix* W)
{
  JetMatrix J = {{{jet(0)}}};
  for (int p = 0; p < ARM_POINTS; ++p)
  {
    JetVector r = arm_of(arm, link, p);
    if (W) r = jet_transform(W, r);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) J.at[j][k].f += arm->point[link][p].mass * r.at[j].f * r.at[k].f;
  }
  return J;
}

// Sum of m (r^2 delta_jk - r_j r_k), I of (2.9), in fixed axes.
static JetMatrix inertia(const Arm* arm, int link, const JetMatrix* W)
{
  JetMatrix I = {{{jet(0)}}};
  for (int p = 0; p < ARM_POINTS; ++p)
  {
    JetVector r   = jet_transform(W, arm_of(arm, link, p));
    double square = jet_dot(r, r).f;
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        I.at[j][k].f += arm->point[link][p].mass * (square * delta(j, k) - r.at[j].f * r.at[k].f);
  }
  return I;
}

// Rotational energy: that of points which move with the time derivative of their position.
static double energy_of_points(const Views* views, int link)
{
  const Arm* arm = views->time.arm;
  double twice   = 0;
  for (int p = 0; p < ARM_POINTS; ++p)
  {
    JetVector r = jet_transform(&views->time.W[link], arm_of(arm, link, p));
    JetVector v = vector_part(r, PART_A);
    twice += arm->point[link][p].mass * jet_dot(v, v).f;
  }
  return twice / 2;
}

// K = tr(Wd J' Wd^T) / 2
static void check_2_8(const Views* views, int link, Residual* residual)
{
  JetMatrix J  = pseudo_inertia(views->time.arm, link, NULL);
  JetMatrix Wd = matrix_part(&views->time.W[link], PART_A);
  JetMatrix WJ = jet_multiply(&Wd, &J), product = transposed_product(&WJ, &Wd);
  residual_add(residual, energy_of_points(views, link), trace(&product) / 2);
}

// K = w . I . w / 2
static void check_2_10(const Views* views, int link, Residual* residual)
{
  JetVector w = views->time.w[link];
  JetMatrix I = inertia(views->time.arm, link, &views->time.W[link]);
  residual_add(residual, energy_of_points(views, link), jet_dot(w, jet_transform(&I, w)).f / 2);
}

// I = tr(J) delta - J
static void check_2_11_inertia(const Views* views, int link, Residual* residual)
{
  const JetMatrix* W = &views->time.W[link];
  JetMatrix I = inertia(views->time.arm, link, W), J = pseudo_inertia(views->time.arm, link, W);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      residual_add(residual, I.at[i][j].f, trace(&J) * delta(i, j) - J.at[i][j].f);
}

// J = tr(I) delta / 2 - I
static void check_2_11_pseudo(const Views* views, int link, Residual* residual)
{
  const JetMatrix* W = &views->time.W[link];
  JetMatrix I = inertia(views->time.arm, link, W), J = pseudo_inertia(views->time.arm, link, W);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      residual_add(residual, J.at[i][j].f, trace(&I) / 2 * delta(i, j) - I.at[i][j].f);
}

// Euler's equation, N = d/dt (I w) = I wd + w x (I w)
static void check_1_3(const Views* views, int link, Residual* residual)
{
  const Chain* time  = &views->time;
  const JetMatrix* I = &time->I[link];
  JetVector w = time->w[link], L = jet_transform(I, w);
  JetVector N = jet_vector_add(jet_transform(I, vector_part(w, PART_A)), jet_cross(w, L));
  residual_vector(residual, vector_part(L, PART_A), N);
}

// The table of 2.4: [I wd + w x (I w)] . dw/dqd = tr(dW/dq J' Wdd^T)
static void check_table(const Views* views, int link, Residual* residual)
{
  const Chain* time = &views->time;
  JetMatrix J       = pseudo_inertia(time->arm, link, NULL);
  JetMatrix dW      = matrix_part(&views->place.W[link], PART_B);
  JetMatrix Wdd     = matrix_part(&time->W[link], PART_AB);
  JetMatrix WJ = jet_multiply(&dW, &J), product = transposed_product(&WJ, &Wdd);
  JetMatrix I = inertia(time->arm, link, &time->W[link]);
  JetVector w = time->w[link], wd = vector_part(w, PART_A);
  JetVector N = jet_vector_add(jet_transform(&I, wd), jet_cross(w, jet_transform(&I, w)));
  residual_add(residual, jet_dot(N, vector_part(views->rate.w[link], PART_B)).f, trace(&product));
}

const SilverIdentity ROTATION_IDENTITIES[] = {
    {"rotation/1-3", check_1_3},
    {"rotation/2-2", check_2_2},
    {"rotation/2-3", check_2_3},
    {"rotation/2-4", check_2_4},
    {"rotation/2-5", check_2_5},
    {"rotation/2-6", check_2_6},
    {"rotation/2-8", check_2_8},
    {"rotation/2-10", check_2_10},
    {"rotation/2-11-inertia", check_2_11_inertia},
    {"rotation/2-11-pseudo-inertia", check_2_11_pseudo},
    {"rotation/table-force", check_table},
};
const int ROTATION_IDENTITY_COUNT = sizeof ROTATION_IDENTITIES / sizeof *ROTATION_IDENTITIES;
