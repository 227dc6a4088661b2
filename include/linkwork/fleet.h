// SPDX-License-Identifier: MIT
/// @file fleet.h  Many states at once, and many arms over time: lanes times threads. Not part of
/// the core library.
#ifndef LINKWORK_FLEET_H
#define LINKWORK_FLEET_H

#include "linkwork/drive.h"
#include "linkwork/dynamics.h"
#include "linkwork/ode.h"

/// The workspaces of several threads for one model, which must live as long.
typedef struct lwBatch lwBatch;

/// Makes workspaces for so many threads; 0: as many as the machine has for this process. Threads that the system does not
/// give are done without: lw_batch_threads() says how many there are.
/// def as for lw_workspace_create(); its layout is that of the arrays. LW_ERROR_INPUT for a negative number.
LW_API lwStatus lw_batch_create(const lwModel* model, const lwWorkspaceDef* def, int threads,
                                lwDiag* diag, lwBatch** batch);
LW_API void lw_batch_destroy(lwBatch* batch);

LW_API int lw_batch_threads(const lwBatch* batch);

/// Workspace of thread i, to ask it for its methods or to set it up like the others.
LW_API lwWorkspace* lw_batch_workspace(lwBatch* batch, int i);

/// Answers one question about count states. Every answer is equal to the last bit to that of lw_answer(), whatever the
/// number of threads, the place in the arrays and the count. Allocates nothing.
LW_API void lw_batch_answer(lwBatch* batch, lwQuestion question, int count, const lwStates* states,
                            double* out);

// --- many arms over time

/// Arms of one structure side by side: other states, torques or parameters, the same joints. Each moves by itself,
///   M(q) qdd + C qd + g = tau - viscous qd
/// with fixed steps, in a lane of the machine's vectors. What becomes of an arm is the same to the last bit alone and among
/// any others, at any place and with any number of threads.
typedef struct lwFleet lwFleet;

/// Arms that are computed together at one time. Entry i of the arm in lane k is at [i * stride + k].
typedef struct lwFleetBlock
{
  double t;          // s
  int count;         // arms
  const int* arm;    // (count) their numbers in the fleet
  int joints;        // entries of q, qd and tau
  int stride;        // lanes, >= count
  const double* q;   // rad or m
  const double* qd;  // rad/s or m/s
  double*
      tau;  // N m or N; holds those of lw_fleet_set_torques() and the law, to be added to or replaced
} lwFleetBlock;

/// Torques at one time in some states. Several threads call it at once, for different arms; an arm's torques must depend on
/// nothing but its number, its state and the time, else the results are what threads make of them.
typedef void lwFleetTorques(void* context, const lwFleetBlock* block);

/// A fleet. Start from lw_fleet_def(). Models, laws and context must live as long as the fleet.
typedef struct lwFleetDef
{
  int count;             // arms
  const lwModel* model;  // of all of them; or, if NULL,
  const lwModel* const*
      models;               // (count) of each, copied: the same number, order and types of joints
  const char* method;       // kutta3 or rk4
  double step;              // s; a little less where a whole number of them must fit
  int threads;              // 0: as many as the machine has for this process
  bool viscous;             // viscous friction of the joints takes part
  bool rotors;              // so does the inertia of the motors' rotors
  double fastest;           // rad/s and m/s, beyond which an arm is taken for diverged
  const lwLaw* law;         // in t, k, n, q, qd: torque of every joint, N m or N; NULL: none
  lwFleetTorques* torques;  // or NULL
  void* context;            // of torques
  /// Set by lw_fleet_def(); leave it as it is.
  unsigned cookie;
} lwFleetDef;

LW_API lwFleetDef
lw_fleet_def(void);  ///< no arms; rk4, 1e-3 s, all threads, no friction or rotors, fastest 1e9

/// Makes a fleet at t = 0, all joints at rest at 0, without torques. LW_ERROR_METHOD for a method that is not of fixed
/// steps. LW_ERROR_INPUT, and why in diag (or NULL): no arms, models of different structure, with mimic joints or a joint
/// that nothing resists, a step that is not positive. All memory is taken here.
LW_API lwStatus lw_fleet_create(const lwFleetDef* def, lwDiag* diag, lwFleet** fleet);
LW_API void lw_fleet_destroy(lwFleet* fleet);

LW_API int lw_fleet_lanes(const lwFleet* fleet);    ///< arms in one vector
LW_API int lw_fleet_threads(const lwFleet* fleet);  ///< that share the work
LW_API double lw_fleet_time(const lwFleet* fleet);  ///< s, of all arms that run

/// Begins anew at time t with all arms, in the states q and qd (count x dof, arm by arm; NULL: zeros). LW_ERROR_INPUT, and
/// nothing changes, if a number is not finite.
LW_API lwStatus lw_fleet_start(lwFleet* fleet, double t, const double* q, const double* qd);

/// Torques from now on (count x dof, arm by arm; NULL: none), to which law and callback are added. LW_ERROR_INPUT, and
/// nothing changes, if a number is not finite.
LW_API lwStatus lw_fleet_set_torques(lwFleet* fleet, const double* tau);

/// Goes on to time t, and returns how many arms run there. An arm whose state, or anything it follows from, is not finite
/// after a step, or which is faster than lwFleetDef.fastest within it, stays in its last good state, before that step; the
/// others are not disturbed. Nothing is done if t is not finite or not ahead. Allocates nothing.
LW_API int lw_fleet_advance(lwFleet* fleet, double t);

/// The states of all arms, q and qd (count x dof, arm by arm), either of which may be NULL.
LW_API void lw_fleet_states(const lwFleet* fleet, double* q, double* qd);

/// What has become of an arm.
typedef struct lwFleetArm
{
  lwProgress
      progress;  // LW_PROGRESS_ARRIVED: it runs; LW_PROGRESS_NOT_FINITE: it diverged; LW_PROGRESS_STEP_VANISHED: steps are below the rounding of t
  double t;      // s, of its state
} lwFleetArm;

LW_API lwFleetArm lw_fleet_arm(const lwFleet* fleet, int i);  ///< 0 <= i < count

#endif
