// SPDX-License-Identifier: MIT
// The loops of a robot from the inside: temporaries of one thread.
//
//   loop_workspace.c  making them, states that are closed or not
//   close.c           closing: positions, velocities, accelerations
//   speeds.c          generalized speeds: the null space of the rows, named by driven joints
//   dynamics.c        forward and inverse dynamics
//   questions.c       all other questions, in these speeds
//   cuts.c            forces in the cuts as wrenches on links: reactions
//   holds.c           joints that friction and end stops hold
//   follow.c          motions of all joints from those of the speeds
//   tangent.c         motions that keep the loops closed, for searches
#ifndef LW_LOOP_LOOP_WORKSPACE_H
#define LW_LOOP_LOOP_WORKSPACE_H

#include "answer/variants.h"
#include "base/arena.h"
#include "linkwork/loop.h"
#include "math/psd.h"
#include "model/loops.h"

struct lwLoops
{
  const lwModel* model;
  const lwLoopSet* set;
  lwWorkspace* ws;
  const lwIsa* isa;
  bool by_methods;    // forward: M and h by methods that were asked for
  bool by_speeds;     // forward: in the null space of the rows
  bool driven_named;  // the speeds that have names are those of the driven joints, all of them
  bool rotors;
  int rows, dof;
  lwLoopSystem system;     // forward
  lwLoopCloser closer;     // its motion serves all
  bool* none;              // (dof) false: no joint is held
  bool* is_speed;          // (dof) one of the speeds that have names
  double* J;               // (rows, dof)
  double* bias;            // (rows)
  double* force;           // (rows)
  double* M;               // (dof, dof)
  double* rest;            // (dof)
  double* other;           // (dof)
  double* R;               // (9 ball_count)
  double* table;           // (rows, dof + 1) for elimination
  lwSpeedRows left;        // rows as eliminated by the plan of the model
  double* kept;            // (dof, system.width) Y before it is eliminated
  lwSpeedSystem speeds;    // N and what is projected
  bool planned;            // N is by that plan
  double* B;               // (dof, dof) factors of N^T in the rows of the named speeds
  int* B_pivots;           // (dof)
  int* chosen;             // (dof) entries of qd that are v
  void* links;             // (n) of lw_loops_link_size() bytes
  double* slopes;          // of lw_loops_slopes_size()
  double* full;            // an answer of the tree
  double* more;            // another one
  lwWorkspace* reactions;  // pushed by the user and in the cuts; NULL: not asked for
  int places;              // where users push
  double* wrenches;        // (places + 2 count of loops, 6)
  int* pivot_of;           // (dof) row that an entry of qd is found from, or -1
  bool* taken;             // (rows) a pivot is in it
  double* V;               // (dof, dof)
  double* trial;           // (nq)
  double *step, *along;    // (dof)
  lwPsd cut;               // (rows) of the Schur complement, or J J^T
  lwPsd drive;             // (dof)
  lwArena arena;
};

// Pivots below this part of the largest are taken for zero: squares of singular values.
#define LW_LOOP_LEAST 1e-13

// Places the links at q and finds J.
void lw_loops_at(lwLoops* loops, const double* q);

// N and e of the rows at the links as placed, with loops->bias, in speeds v chosen inside: by the
// plan of the model or, where that has a small pivot, by a choice of its own.
void lw_loops_null_space(lwLoops* loops);

// The number of speeds in loops->speeds, and the width of its rows.
void lw_loops_set_count(lwLoops* loops, int count);

// As lw_loops_null_space(), but in the speeds that lw_model_speed() names. LW_ERROR_NUMERICAL, and
// why in diag (or NULL), where these do not determine the motion.
lwStatus lw_loops_named_speeds(lwLoops* loops, lwDiag* diag);

// Velocities, and accelerations (or NULL), of all joints at q from those of the entries that speeds
// have (lw_model_speed()), in place. LW_ERROR_NUMERICAL where these do not determine the motion.
lwStatus lw_loops_follow_speeds(lwLoops* loops, const double* q, double* qd, double* qdd);

// The position next to `from`, which closes the loops, to which the speeds go that lead from it to
// the entries that they have in q: by a step of the midpoint rule, and closed again. In place; for
// small steps. LW_ERROR_OPEN or LW_ERROR_NUMERICAL: it cannot be reached.
lwStatus lw_loops_follow_position(lwLoops* loops, const double* from, double* q);

// Which velocities (dof) and positions (nq) follow from those of driven joints and of speeds, so that
// tables may leave them out; without loops none.
void lw_model_followers(const lwModel* model, bool* velocities, bool* positions);

// A motion over time. What is not given follows; qd and qdd may be NULL, and qdd needs qd.
typedef struct lwLoopSeries
{
  long count;
  double *q, *qd, *qdd;                        // (count, nq), (count, dof)
  const bool *given_q, *given_qd, *given_qdd;  // (nq), (dof)
} lwLoopSeries;

// Fills in what follows; what rolls begins where the file does. LW_ERROR_OPEN or LW_ERROR_NUMERICAL:
// no motion of the other joints closes the loops in sample *at; LW_ERROR_MEMORY.
lwStatus lw_loops_follow_series(const lwModel* model, const lwLoopSeries* series, long* at);

// Factors B of lw_loops_null_space() in loops->B; false where it is singular.
bool lw_loops_factor_named(lwLoops* loops);

// Whether the plan of the model served: no pivot is small, and N fulfils the redundant rows of
// loops->left.
bool lw_loops_plan_serves(const lwLoops* loops);

// The questions that the tree is asked for the answers to those of a set.
unsigned lw_loops_needs(unsigned questions);

// Makes loops->reactions. def: of the tree.
lwStatus lw_loops_open_cuts(lwLoops* loops, const lwWorkspaceDef* def, lwDiag* diag);

// A motion of the joints, and a direction in which it changes; NULL: zeros.
typedef struct lwRowMotion
{
  const double *qd, *qdd;  // (dof)
  const double* step;      // (dof) change of positions, in the tangent space
  const double* qd_step;   // (dof) of velocities
} lwRowMotion;

// The changes of J qd and of J qdd + dJ/dt qd (rows each) along the direction, qdd staying as it
// is, at the links as placed. Bytes of one of loops->links.
void lw_loops_row_slopes(lwLoops* loops, const lwRowMotion* motion, double* velocity,
                         double* acceleration);
size_t lw_loops_link_size(void);

// Positions that derivatives are by: those of the named speeds or, if a row rolls, of all joints.
static inline size_t lw_loops_steps(const lwLoops* loops)
{
  return (size_t)(loops->set->shut < loops->rows ? loops->dof : loops->set->speeds.count);
}

// Derivatives of N^T F by positions (count, steps) and by the velocities of the named speeds (count,
// count), at constant accelerations of these: F (dof) torques of the tree, F_q (2, dof, dof) their
// derivatives, loops->M their derivative by qdd. bent (dof, steps, or NULL): those of qd by
// positions. After lw_loops_named_speeds().
void lw_loops_torque_slopes(lwLoops* loops, const double* qd, const double* qdd, const double* F,
                            const double* F_q, double* out, double* bent);
size_t lw_loops_slopes_size(const lwLoops* loops);

// What a linear model of a closed state needs, with rotors and viscous damping of all joints (dof
// each): forces tau (count) of the speeds, their matrix M (count, count), the derivatives of the
// forces, and bent as lw_loops_torque_slopes(), N (dof, count) or NULL. As lw_loops_answer().
lwStatus lw_loops_linearise(lwLoops* loops, const lwStates* state, const double* rotor,
                            const double* damping, double* tau, double* M, double* slopes,
                            double* bent, double* N);

// The Coriolis matrix (count, count) of the named speeds from that of the tree, and loops->M.
void lw_loops_coriolis_matrix(lwLoops* loops, const double* qd, const double* C, double* out);

// Reactions of all joints with the forces in the cuts.
lwStatus lw_loops_reactions(lwLoops* loops, const lwStates* state, double* out);

// Inertia of the rotors that entry k of qd moves, G^T diag(rotors) G; and all on the diagonal of
// loops->M.
double lw_loops_rotor(const lwLoops* loops, int k);
void lw_loops_add_rotors(lwLoops* loops);

// f (rows), the shortest with J^T f = rest (dof), J as in loops->J. rest is overwritten.
void lw_loops_cut_forces(lwLoops* loops, double* rest, double* f);

// Zeros in J at joints that are held (dof, or NULL: none is).
void lw_loops_hold_columns(lwLoops* loops, const bool* held);

// J J^T of the first `count` rows into loops->cut, and factored.
void lw_loops_fill_gram(lwLoops* loops, int count);
void lw_loops_gram(lwLoops* loops, int count);

// Eliminates [J | right] by rows with the largest pivots, first of joints that are not driven,
// then, if `all`, of those that are. Pivots become 1.
void lw_loops_eliminate(lwLoops* loops, const double* right, bool all);

// Places the links at q and factors J J^T of the joints that are not held (dof, or NULL: none is);
// here and in the next two, of rows that hold positions.
void lw_loops_tangent(lwLoops* loops, const double* q, const bool* held);

// x (dof) becomes its part that keeps the loops closed: x - J^+ J x, J of lw_loops_tangent().
void lw_loops_keep_tangent(lwLoops* loops, double* x);

// The shortest second derivative (dof) of a motion at q that goes along v (dof) and keeps the loops
// closed: -J^+ dJ/dt v. Includes lw_loops_tangent().
void lw_loops_bend(lwLoops* loops, const double* q, const double* v, double* bend);

// As lw_loops_project() by the joints that are not held (dof, or NULL: none is).
void lw_loops_project_free(lwLoops* loops, const bool* held, double* q, double* qd);

// Joints that are held at q: with M (dof, dof), rotors included; qd: for accelerations x at these
// velocities; NULL: for velocities x after an impulse.
void lw_loops_begin_holds(lwLoops* loops, const double* q, const double* qd, const double* M);

// x (dof) with M x = right + f + J^T l that the rows allow and that is 0 at held joints, f of these;
// f of others stays. Where rounding is all that is left of x, it is 0.
void lw_loops_solve_held(lwLoops* loops, const bool* held, const double* right, double* x,
                         double* f);

// Closes the loops from q by the joints that are not held (dof;
// NULL: none is held); false on failure.
bool lw_loops_close_near(lwLoops* loops, const bool* held, double* q);

#endif
