// SPDX-License-Identifier: MIT
// The fastest motion along a path: its grid, the rows of its limits, and its profile.
//
//   symbol  here          meaning
//   s       s             parameter of the path
//   w       sqrt(x)       s', speed along the path
//   x       x             w^2
//   u       u             s'', constant or linear in s within an interval: x is linear or quadratic
//   k       k             du/ds within an interval
//
// A row is a limit |al u + be x + de w + ga| <= lim, in units of the limit. A norm is a limit
// |a u + b x + g| <= lim of vectors of three. A cap is a limit x <= cap: speeds. Rows are kept at
// both ends of every interval, since Coulomb friction jumps where a joint turns back.
#ifndef LW_RETIME_RETIME_INTERNAL_H
#define LW_RETIME_RETIME_INTERNAL_H

#include "base/arena.h"
#include "linkwork/retime.h"

enum
{
  LW_RETIME_INNER  = 4,   // points inside an interval where limits are checked
  LW_RETIME_BLOCK  = 32,  // points whose dynamics is computed at once
  LW_RETIME_LANES  = 8,   // rows come in multiples of this
  LW_SMOOTH_POINTS = LW_RETIME_INNER + 2
};

// Of every limit only this share is used: what is left between grid points stays below the limit.
static const double LW_RETIME_SHARE = 1 - 6e-7;

static const double LW_RETIME_NONE = 1e30;  // limit of a side that is not limited

// A motion with limits of jerk; smooth.c.
typedef struct lwSmooth
{
  int intervals, variables;  // between those at rest
  bool from_rest, to_rest;
  double mu, wide;          // of the barrier; how much wider limits are for now
  double* ease;             // (intervals) factor that tightens limits of jerk
  double *d, *z;            // (intervals + 2) coefficients, variables
  int* variable;            // (intervals + 2) of a coefficient, -1: none
  double *factor, *offset;  // (intervals + 2) d = factor z + offset
  double *g, *A;            // gradient; (variables, 3) upper band of the matrix
  double *step, *trial;     // (variables)
  double* path;             // (intervals, POINTS, 3, dof) q', q'', q'''
  double* limit;            // (dof) of jerk
} lwSmooth;

// The rows of a point, one after the other in memory.
typedef struct lwPointRows
{
  const double *al, *be, *de, *ga;  // (rows)
  const double* norm;               // (norms, 9) a, b, g
  double cap;
} lwPointRows;

struct lwRetime
{
  const lwModel* model;
  lwRetimeDef def;
  lwWorkspace *ws, *tool;  // dynamics; the tool's frame
  lwLoops* loops;          // or NULL
  lwArena arena;
  int dof, grid;

  // what is limited
  int rows, norms, caps;  // rows with padding
  size_t stride;          // numbers of a point: 4 rows, 9 norms, cap
  lwLimitPlace *row, *norm, *cap;
  int* slot;   // (dof, 5) row of acceleration, effort, voltage, voltage of a lossy gear, current
  int force;   // first row of cylinders; -1: none
  bool lossy;  // some motor has a gear with losses and a limit

  // grid
  int most, count;        // intervals
  double *s, *h;          // (most + 1), (most)
  double* sign;           // (most, dof) direction in which a joint moves: -1, 0, 1
  double* ends;           // (most, 2, stride)
  double* inner;          // (most, INNER, stride)
  double *base, *lim;     // (most, 2, rows + norms) limits of both sides, as given and tightened
  double *cap_x, *tight;  // (most + 1) x of the cap at a node, and the factor that tightens it

  // profile
  double *K, *R, *x, *t;  // (most + 1) controllable, reachable, the motion; its times
  double *u, *k;          // (most) u at the beginning of an interval, du/ds; NaN: s = j t^3 / 6
  bool* linear;           // (most) u may be linear in s there
  double bound;
  double firm;  // by how many times the excess limits are lowered
  bool rests;   // it ends at rest
  int lanes;    // see lwStep

  lwSmooth* smooth;  // or NULL: no limits of jerk

  // path and temporaries
  const lwTrajectory* path;
  lwRetimeEnds task;
  double *q, *q1, *q2;         // (BLOCK, dof)
  double *state[3], *answers;  // (3 BLOCK, dof) q, qd, qdd; (3 BLOCK, outputs)
  double *jacobian, *arms, *length, *force_scratch, *closed;
  double *reactions, *zeros;  // (3, joints, 6), (dof)
  double* extra;              // (most - grid) nodes to be inserted
  lwLimitPlace nearest;       // the cap that is the lowest at the last point
  double* point;              // (stride) rows of one point
  double *samples, *peaks;    // (INNER + 2, rows), (2, rows) loads within an interval
  double* point_base;         // (2, rows + norms) its limits
  double cannot_hold;
  lwLimitPlace hold;
};

static inline lwPointRows lw_point_rows(const lwRetime* r, const double* at)
{
  int n = r->rows;
  return (lwPointRows){at, at + n, at + 2 * n, at + 3 * n, at + 4 * n, at[r->stride - 1]};
}

static inline double* lw_retime_end(const lwRetime* r, int i, int side)
{
  return r->ends + (2 * (size_t)i + (size_t)side) * r->stride;
}

static inline double* lw_retime_limits(const lwRetime* r, double* limits, int i)
{
  return limits + (size_t)i * 2 * (size_t)(r->rows + r->norms);
}

// q, q', q'' at s, with loops closed; false: they cannot be.
bool lw_retime_path_at(lwRetime* r, double s, double* q, double* q1, double* q2);

// Chooses what is limited; rows.c.
bool lw_retime_choose_rows(lwRetime* r);

// Nodes: graded at ends at rest, at knots of the path and where joints with friction turn back.
lwStatus lw_retime_lay_grid(lwRetime* r, const lwRetimeEnds* ends);

// Rows at both ends of all intervals, or inside them; false: a loop cannot be closed there.
bool lw_retime_fill_ends(lwRetime* r);
bool lw_retime_fill_inner(lwRetime* r);

// The row of joint j's current without losses of its gear, -1: none; *unit: A, what 1 stands for.
int lw_retime_current_row(const lwRetime* r, int j, double* unit);

// Gears with losses hold less where a joint is slower than LW_CREEP: lowers limits of such intervals of
// the profile. False: a loop cannot be closed there.
bool lw_retime_lower_creeping(lwRetime* r);

// Rows of one place of interval i, into r->point and r->point_base.
bool lw_retime_fill_point(lwRetime* r, int i, double s);

// One step: the values at one end (unknown, of rows U) that go with y = x at the other (rows V).
// g = 1/2h if U is on the left, -1/2h if it is on the right; u = g (y - x), or the mean of both ends.
typedef struct lwStep
{
  lwPointRows U, V;
  const double* lim;  // (2, rows + norms)
  int rows, norms;
  int lanes;    // numbers in a register of the processor: 2, 4 or 8
  bool linear;  // u is linear in s: a value of its own at each end
  double g;
} lwStep;

typedef struct lwSpan
{
  double rising;   // least of the upper bounds that rise with y; negative: there is no x
  double falling;  // least of the others
  double low;      // greatest lower bound
} lwSpan;

lwSpan lw_retime_sweep(const lwStep* step, double y, double cap);

// The u that limits leave at a place with x: from *low to *high; false: none.
bool lw_retime_range(const lwPointRows* at, const double* lim, int rows, int norms, double x,
                     double* low, double* high);

// Greatest x that some y within [0, upper] goes with; negative: none.
double lw_retime_greatest(const lwStep* step, double upper, double cap);

// The largest load of a point, 1 being its limit, for given x and u, and which it is.
double lw_retime_load(const lwRetime* r, const double* at, const double* base, double x, double u,
                      lwLimitPlace* place);

// The largest of samples at equal distances and of the parabolas through three of them.
double lw_retime_peak(const double f[LW_SMOOTH_POINTS]);

// Memory for limits of jerk, if there are any; false: out of memory.
bool lw_smooth_create(lwRetime* r);

// Prepares what lw_smooth() needs, after the motion without limits of jerk was found.
// LW_ERROR_INPUT: this path has no such motion.
lwStatus lw_smooth_begin(lwRetime* r);

// A locally optimal motion within all limits. LW_ERROR_INPUT: none was found.
lwStatus lw_smooth(lwRetime* r, double* time);

// Lowers limits of jerk in intervals where one is exceeded by more than `kept` of it; returns the
// largest excess.
double lw_smooth_tighten(lwRetime* r, double kept);

#endif
