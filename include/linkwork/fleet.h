// SPDX-License-Identifier: MIT
/// @file fleet.h  Many states at once, and many arms over time, in SIMD lanes and
/// threads. Not part of the core library.
#ifndef LINKWORK_FLEET_H
#define LINKWORK_FLEET_H

#include "linkwork/drive.h"
#include "linkwork/dynamics.h"
#include "linkwork/ode.h"

/// The workspaces of several threads for one model, which must live as long.
typedef struct lwBatch lwBatch;

/// Makes workspaces for this many threads; 0: as many as the machine has for this process. If
/// the system gives fewer threads, it works with those: lw_batch_threads() says how many
/// there are. def as for lw_workspace_create(); its layout is that of the arrays.
/// LW_ERROR_INPUT for a negative number.
LW_API lwStatus lw_batch_create(const lwModel* model, const lwWorkspaceDef* def, int threads,
                                lwDiag* diag, lwBatch** batch);

/// Frees the workspaces and ends their threads. NULL is allowed.
LW_API void lw_batch_destroy(lwBatch* batch);

/// Number of threads, the caller's included.
LW_API int lw_batch_threads(const lwBatch* batch);

/// Workspace of thread i, to ask it for its methods or to set it up like the others.
LW_API lwWorkspace* lw_batch_workspace(lwBatch* batch, int i);

/// Answers one question about count states. Every answer is equal to the last bit to
/// that of lw_answer(), whatever the number of threads, the place in the arrays and
/// the count. Allocates nothing.
LW_API void lw_batch_answer(lwBatch* batch, lwQuestion question, int count, const lwStates* states,
                            double* out);

/// lw_batch_answer() that looks at the answers while they are still in the cache: returns the first
/// state whose answer has a number that is not finite, or -1. This finds states that are not
/// finite, and robots with a joint without inertia, at almost no cost.
LW_API int lw_batch_answer_checked(lwBatch* batch, lwQuestion question, int count,
                                   const lwStates* states, double* out);

// --- many arms over time

/// Arms of one structure side by side: other states, torques or parameters, the same joints.
/// Each moves by itself,
///   M(q) qdd + C qd + g = tau - viscous qd
/// with fixed steps, in a lane of the machine's vectors. The motion of an arm is the same to the
/// last bit alone or among others, at any place and with any number of threads.
typedef struct lwFleet lwFleet;

/// Arms that are computed together at one time.
/// Entry i of the arm in lane k is at [i * stride + k].
typedef struct lwFleetBlock
{
  /// Time, s.
  double t;
  /// Number of arms.
  int count;
  /// (count) Their numbers in the fleet, from 0.
  const int* arm;
  /// Entries of q, qd and tau of an arm.
  int joints;
  /// Number of lanes, >= count.
  int stride;
  /// (joints, stride) Positions, rad or m.
  const double* q;
  /// (joints, stride) Velocities, rad/s or m/s.
  const double* qd;
  /// (joints, stride) Torques or forces, N m or N. Holds those of lw_fleet_set_torques() and
  /// the law; add to them or replace them.
  double* tau;
} lwFleetBlock;

/// Torques at one time in some states. Several threads call it at once, for different arms; an
/// arm's torques must depend on nothing but its number, its state and the time, otherwise the
/// results depend on how threads are scheduled.
typedef void lwFleetTorques(void* context, const lwFleetBlock* block);

/// A fleet. Start from lw_fleet_def(). Models, laws and context must live as long as the fleet.
typedef struct lwFleetDef
{
  /// Number of arms.
  int count;
  /// The model of all arms. NULL: each has its own in models.
  const lwModel* model;
  /// (count) The model of each arm, copied: the same number, order and types of joints.
  const lwModel* const* models;
  /// kutta3 or rk4.
  const char* method;
  /// Step, s. Steps end at start + k step, where start is the time of the last lw_fleet_start(),
  /// lw_fleet_set_torques() or lw_fleet_set_wrenches().
  double step;
  /// When the run ends, s: a step ends there; see lwIntegratorDef. 0: not known.
  double end;
  /// Number of threads. 0: as many as the machine has for this process.
  int threads;
  /// Includes viscous friction of the joints.
  bool viscous;
  /// Includes the inertia of the motors' rotors.
  bool rotors;
  /// Joint speed beyond which an arm counts as diverged, rad/s or m/s.
  double fastest;
  /// Torque of every joint as a law in t, k, n, q, qd, N m or N. NULL: none.
  const lwLaw* law;
  /// Computes further torques, or NULL.
  lwFleetTorques* torques;
  /// Handed to torques.
  void* context;
  /// Set by lw_fleet_def(); leave it as it is.
  unsigned cookie;
} lwFleetDef;

/// No arms; rk4 with 1e-3 s, all threads, no friction, no rotors, fastest 1e9.
LW_API lwFleetDef lw_fleet_def(void);

/// Makes a fleet at t = 0, all joints at rest at 0, without torques. LW_ERROR_METHOD for a method
/// that does not have fixed steps. LW_ERROR_INPUT, and why in diag (or NULL): no arms, models of
/// different structure, with mimic joints or a joint without inertia, a step that is not positive.
/// All memory is taken here.
LW_API lwStatus lw_fleet_create(const lwFleetDef* def, lwDiag* diag, lwFleet** fleet);

/// Frees a fleet and ends its threads. NULL is allowed.
LW_API void lw_fleet_destroy(lwFleet* fleet);

/// Number of arms in one vector.
LW_API int lw_fleet_lanes(const lwFleet* fleet);

/// Number of threads that share the work.
LW_API int lw_fleet_threads(const lwFleet* fleet);

/// Time of all arms that run, s.
LW_API double lw_fleet_time(const lwFleet* fleet);

/// Begins anew at time t with all arms, in the states q and qd (count x dof, arm by arm; NULL:
/// zeros). LW_ERROR_INPUT, and nothing changes, if a number is not finite.
LW_API lwStatus lw_fleet_start(lwFleet* fleet, double t, const double* q, const double* qd);

/// Torques from now on (count x dof, arm by arm; NULL: none), to which law and callback are added.
/// LW_ERROR_INPUT, and nothing changes, if a number is not finite.
LW_API lwStatus lw_fleet_set_torques(lwFleet* fleet, const double* tau);

/// Wrenches from now on, at these places (copied), the same on all arms: wrenches (count arms x
/// places x 6, arm by arm) in N and N m, as in lwStates.wrench. 0 places: none. Takes memory.
/// LW_ERROR_FRAME as lw_workspace_set_wrench_places(); LW_ERROR_INPUT if a number is not finite;
/// LW_ERROR_MEMORY. On an error nothing changes.
LW_API lwStatus lw_fleet_set_wrenches(lwFleet* fleet, int places, const lwWrenchPlace* place,
                                      const double* wrenches, lwDiag* diag);

/// Advances to time t, and returns how many arms run there. States between the ends of steps are
/// interpolated, so the motion does not depend on the times asked for. An arm whose state or rates
/// are not finite after a step, or which is faster than lwFleetDef.fastest within it, stays in its
/// last good state, before that step; the others are not affected. Nothing is done if t is not
/// finite or not ahead. Allocates nothing.
LW_API int lw_fleet_advance(lwFleet* fleet, double t);

/// The states of all arms, q and qd (count x dof, arm by arm), either of which may be NULL.
LW_API void lw_fleet_states(const lwFleet* fleet, double* q, double* qd);

/// What became of an arm.
typedef struct lwFleetArm
{
  /// LW_PROGRESS_ARRIVED: it runs; LW_PROGRESS_NOT_FINITE: it diverged; LW_PROGRESS_STEP_VANISHED:
  /// steps are below the rounding of t.
  lwProgress progress;
  /// Time of its state, s.
  double t;
  /// Energy not accounted for, kinetic + potential less the work of torques and friction since the
  /// start: its largest magnitude at the ends of every fourth step, J.
  double worst_S;
  /// worst_S beyond this is not trusted, J; see lwAudit.
  double bound;
  /// worst_S is within the bound. If not, steps are too long.
  bool trusted;
} lwFleetArm;

/// What became of arm i, 0 <= i < count.
LW_API lwFleetArm lw_fleet_arm(const lwFleet* fleet, int i);

/// Writes the state of a fleet into `state`, as lw_arm_run_save().
LW_API size_t lw_fleet_save(const lwFleet* fleet, void* state, size_t capacity);

/// Puts a fleet into a saved state, also that of another one of the same definition, on which
/// wrenches act at the same places; threads may differ. From there it goes on to the last bit.
/// LW_ERROR_INPUT, with the fleet unchanged, if these are not the bytes of a state of such a fleet.
LW_API lwStatus lw_fleet_restore(lwFleet* fleet, const void* state, size_t size, lwDiag* diag);

#endif
