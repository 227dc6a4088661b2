// SPDX-License-Identifier: MIT
// Derivatives of forward dynamics from those of inverse dynamics:
// with qdd = forward(q, qd, tau),
//   d qdd / dq = -M^-1 d tau / dq      d qdd / dqd = -M^-1 d tau / dqd      d qdd / d tau = M^-1
// with the derivatives of tau taken at that qdd, and the rotors in M if asked for. Jain & Rodriguez
// 1993; Carpentier & Mansard 2018. One kernel for each way of differentiating inverse dynamics.
// Both derivatives are solved for side by side, a panel of columns at a time:
//   n < LW_PANELS_FROM     M is factored once, M = L^T D L, O(n^3)
//   from there on          the accelerations that columns cause as torques, by articulated bodies,
//                          O(n^2)
#include "kernels/derivatives/articulated_panels.h"
#include "kernels/forward/held.h"
#include "kernels/method_list.h"
#include "math/tree_inverse.h"

extern const lwKernel FN(composite_body);
extern const lwKernel FN(newton_euler_grouped);
extern const lwKernel FN(pushed_torques);

// tau - b, where wrenches at places are torques of their own
INLINE void torque_left(const lwModel* model, void* work, const lwState* state, Result* left)
{
  lwState at_rest = *state, pushed = *state;
  bool places     = state->pushes && state->wrench;
  at_rest.qdd     = NULL;
  pushed.subtract = false;
  if (places) at_rest.wrench = NULL;
  FN(newton_euler_grouped).run(model, work, &at_rest, left);
  for (int i = 0; i < model->n; ++i) left[i] = r_sub(given(state->tau, i), left[i]);
  pushed.tau = left;
  if (places) FN(pushed_torques).run(model, work, &pushed, left);
}

// The sum over k of factor[k] row[k]: factors and rows at constant distances.
typedef struct
{
  const REAL* factor;
  ptrdiff_t next_factor;
  const REAL* row;
  ptrdiff_t next_row;
  int count;
} BlockSum;

enum
{
  MOST_BLOCKS = 8
};

// to -= sum, in `blocks` blocks, which stay in registers meanwhile.
INLINE void subtract_blocks(REAL* to, BlockSum sum, int blocks)
{
  Block left[MOST_BLOCKS];
  SHORT_LOOP
  for (int b = 0; b < blocks; ++b) left[b] = block_load(to + b * JOINT_LANES);
  for (int k = 0; k < sum.count; ++k)
  {
    Block factor = block_all(*sum.factor);
    SHORT_LOOP
    for (int b = 0; b < blocks; ++b)
      left[b] = block_sub_mul(left[b], factor, block_load(sum.row + b * JOINT_LANES));
    sum.factor += sum.next_factor;
    sum.row += sum.next_row;
  }
  SHORT_LOOP
  for (int b = 0; b < blocks; ++b) block_store(to + b * JOINT_LANES, left[b]);
}

// to -= sum for a whole row: the count of its last blocks is known to the compiler.
INLINE void subtract_sum(REAL* to, BlockSum sum, int width)
{
  int left = width / JOINT_LANES;
  for (; left >= MOST_BLOCKS; left -= MOST_BLOCKS)
  {
    subtract_blocks(to, sum, MOST_BLOCKS);
    to += MOST_BLOCKS * JOINT_LANES;
    sum.row += MOST_BLOCKS * JOINT_LANES;
  }
  if (left == 7) subtract_blocks(to, sum, 7);
  if (left == 6) subtract_blocks(to, sum, 6);
  if (left == 5) subtract_blocks(to, sum, 5);
  if (left == 4) subtract_blocks(to, sum, 4);
  if (left == 3) subtract_blocks(to, sum, 3);
  if (left == 2) subtract_blocks(to, sum, 2);
  if (left == 1) subtract_blocks(to, sum, 1);
}

// Rows of a matrix, `next` apart and `width` long in whole blocks.
typedef struct
{
  REAL* at;
  size_t next;
  int width;
} BlockRows;

INLINE REAL* row_at(BlockRows X, int i)
{
  return X.at + (size_t)i * X.next;
}

// Inward, X becomes L^-T X. A row of a chain collects what all rows outward of it do to it.
INLINE void reduce_rows(const lwModel* model, const REAL* L, BlockRows X)
{
  int n = model->n;
  for (int i = n - 1; i >= 0; --i)
    if (model->chain)
      subtract_sum(row_at(X, i),
                   (BlockSum){L + (size_t)(n - 1) * (size_t)n + (size_t)i, -n, row_at(X, n - 1),
                              -(ptrdiff_t)X.next, n - 1 - i},
                   X.width);
    else
      for (int j = model->parent[i]; j != LW_BASE; j = model->parent[j])
        subtract_sum(row_at(X, j),
                     (BlockSum){L + (size_t)i * (size_t)n + (size_t)j, 0, row_at(X, i), 0, 1},
                     X.width);
}

// Outward, X becomes -L^-1 D^-1 X.
INLINE void resolve_rows(const lwModel* model, const REAL* L, BlockRows X)
{
  for (int i = 0; i < model->n; ++i)
  {
    const REAL* factor = L + (size_t)i * (size_t)model->n;
    REAL* row          = row_at(X, i);
    Block over_D       = block_all(factor[i]);
    for (int c = 0; c < X.width; c += JOINT_LANES)  // never -0
      block_store(row + c, block_sub_mul(block_all(zero()), block_load(row + c), over_D));
    if (model->chain)
      subtract_sum(row, (BlockSum){factor + i - 1, -1, row - X.next, -(ptrdiff_t)X.next, i},
                   X.width);
    for (int j = model->parent[i]; j != LW_BASE && !model->chain; j = model->parent[j])
      subtract_sum(row, (BlockSum){factor + j, 0, row_at(X, j), 0, 1}, X.width);
  }
}

INLINE void solve_in(const lwModel* model, const REAL* L, BlockRows X)
{
  reduce_rows(model, L, X);
  resolve_rows(model, L, X);
}

// Columns that are solved for at a time where rows are blocks: half of them of each matrix.
enum
{
  HALF  = 2 * JOINT_LANES,
  PANEL = 2 * HALF
};

// Columns from c on, at most HALF, of both matrices to a panel, or back.
INLINE void move_panel(int n, int c, REAL* X, REAL* two, bool back)
{
  size_t width = (size_t)n, square = width * width;
  int count = n - c < HALF ? n - c : HALF;
  two += c;
  for (int i = 0; i < n; ++i, two += width, X += PANEL)
    for (int k = 0; k < count; ++k)
      if (back)
      {
        two[k]                  = X[k];
        two[square + (size_t)k] = X[HALF + k];
      }
      else
      {
        X[k]        = two[k];
        X[HALF + k] = two[square + (size_t)k];
      }
}

// Two matrices (n, n), one after the other, become -M^-1 times them. X: memory of a panel.
INLINE void solve_both(const lwModel* model, const REAL* L, REAL* X, REAL* two)
{
  int n = model->n;
  if (JOINT_LANES == 1)
  {
    for (int m = 0; m < 2; ++m, two += (size_t)n * (size_t)n)
      solve_in(model, L, (BlockRows){two, (size_t)n, n});
    return;
  }
  for (int i = 0; i < n * PANEL; ++i) X[i] = zero();
  for (int c = 0; c < n; c += HALF)
  {
    move_panel(n, c, X, two, false);
    solve_in(model, L, (BlockRows){X, PANEL, PANEL});
    move_panel(n, c, X, two, true);
  }
}

// Columns from c on of -B, (n, n), to half of a panel. The last ones may be those of the row
// behind, and behind the last row there is another matrix: they are computed with and not put back.
INLINE void get_columns(const Panels* of, int first_block, int c, const REAL* B)
{
  const int blocks = PAIR_BLOCKS / 2;
  int n            = of->model->n;
  REAL* X          = of->X + first_block * JOINT_LANES;
  for (int i = 0; i < n; ++i) EACH_PANEL_BLOCK(b)
    {
      Block x = block_load(B + (size_t)i * (size_t)n + (size_t)(c + b * JOINT_LANES));
      block_store(X + i * PANEL_WIDTH + b * JOINT_LANES, block_sub(block_all(zero()), x));
    }
}

// One behind the last freedom that one of the columns c..c + width - 1 carries or is.
INLINE int end_of_columns(const lwModel* model, int c, int width)
{
  int end = model->depth_first ? 0 : model->n;
  for (int k = c; k < c + width && k < model->n && model->depth_first; ++k)
    if (model->end[k] > end) end = model->end[k];
  return end;
}

APART void pair_passes(const Panels* of, int first, int end)
{
  panel_inward(of, first, end - 1, PAIR_BLOCKS);
  panel_outward(of, of->model->n - 1, PAIR_BLOCKS);
}

// Two matrices (n, n) become -M^-1 times them: the accelerations that their columns cause as
// torques. Column c, a derivative by freedom c, has torques of the freedoms that carry c and of
// those that c carries.
INLINE void accelerate_columns(const Panels* of, REAL* two)
{
  const int half = PAIR_BLOCKS / 2, width = half * JOINT_LANES;
  int n       = of->model->n;
  REAL* other = two + (size_t)n * (size_t)n;
  for (int c = 0; c < n; c += width)
  {
    get_columns(of, 0, c, two);
    get_columns(of, half, c, other);
    pair_passes(of, c, end_of_columns(of->model, c, width));
    put_panel(of, 0, half, c, n - 1, two);
    put_panel(of, half, half, c, n - 1, other);
  }
}

// The accelerations that torques b cause, as the first column of a panel: a product with M^-1 would
// lose digits where they cancel.
APART void accelerate_one(const Panels* of, const REAL* b, REAL* x)
{
  int n = of->model->n;
  for (int i = 0; i < n; ++i) block_store(of->X + i * PANEL_WIDTH, block_all(b[i]));
  panel_inward(of, 0, n - 1, 1);
  panel_outward(of, n - 1, 1);
  for (int i = 0; i < n; ++i) x[i] = of->X[i * PANEL_WIDTH];
}

// One call of the kernel.
typedef struct
{
  const lwModel* model;
  const lwState* state;
  const lwKernel* derivatives;
  REAL* X;              // (n, PANEL)
  Result* qdd;          // (n)
  REAL *by_q, *by_tau;  // (2, n, n), (n, n)
} ForwardSlopes;

// d tau / dq and d tau / dqd at qdd = X.
INLINE void torque_slopes(const ForwardSlopes* task, void* work)
{
  lwState moves = *task->state;
  moves.qdd     = task->qdd;
  for (int i = 0; i < task->model->n; ++i) task->qdd[i] = task->X[i];
  task->derivatives->run(task->model, work, &moves, task->by_q);
}

INLINE void by_factors(const ForwardSlopes* task, void* work)
{
  const lwModel* model = task->model;
  FN(composite_body).run(model, work, task->state, task->by_tau);
  factor_inertia(model, task->state, task->by_tau);
  for (int i = 0; i < model->n; ++i) task->X[i] = task->qdd[i];
  hold_entries(model, task->X);
  tree_ldl_solve(model->n, model->parent, task->by_tau, task->X);
  torque_slopes(task, work);
  solve_both(model, task->by_tau, task->X, task->by_q);
  tree_ldl_invert(model->n, task->by_tau);
}

INLINE void by_articulated_bodies(const ForwardSlopes* task, void* work)
{
  size_t n  = (size_t)task->model->n;
  Panels of = articulated_panels(task->model, &work, task->state);
  invert_by_panels(&of, task->by_tau);
  for (size_t i = 0; i < n; ++i) task->X[i] = task->qdd[i];
  hold_entries(task->model, task->X);
  accelerate_one(&of, task->X, task->X);
  torque_slopes(task, work);
  accelerate_columns(&of, task->by_q);
}

// Compiled once for all of them.
static __attribute__((noinline)) void through_inverse(const lwModel* model, void* work,
                                                      const lwState* state, REAL* by_q,
                                                      const lwKernel* derivatives)
{
  size_t n           = (size_t)model->n;
  ForwardSlopes task = {.model = model, .state = state, .derivatives = derivatives, .by_q = by_q};
  task.by_tau        = by_q + 2 * n * n;
  task.qdd           = take(&work, lw_lines(n, sizeof *task.qdd));
  task.X             = take(&work, lw_lines(n * PANEL, sizeof *task.X));
  torque_left(model, work, state, task.qdd);
  if (model->n < LW_PANELS_FROM)
    by_factors(&task, work);
  else
    by_articulated_bodies(&task, work);
}

#define THROUGH(id, ...)                                                                           \
  extern const lwKernel FN(id);                                                                    \
  static void forward_##id(const lwModel* model, void* work, const lwState* state, void* out)      \
  {                                                                                                \
    through_inverse(model, work, state, out, &FN(id));                                             \
  }                                                                                                \
  const lwKernel FN(forward_##id) = {                                                              \
      forward_##id,                                                                                \
      2 * 64 + PANEL * sizeof(REAL) + sizeof(Result) + PANEL_BYTES,                                \
      0,                                                                                           \
      {&FN(id), &FN(composite_body), &FN(newton_euler_grouped), &FN(pushed_torques)},              \
      LW_KERNEL_NARROW | LW_KERNEL_TAKES_PUSHES | LW_KERNEL_WIDE};

LW_DERIVATIVE_METHODS(THROUGH)
