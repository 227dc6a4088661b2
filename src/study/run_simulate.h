// SPDX-License-Identifier: MIT
// Simulations of a scenario: what those arm by arm and those in lanes share.
#ifndef LW_STUDY_RUN_SIMULATE_H
#define LW_STUDY_RUN_SIMULATE_H

#include "study/study_internal.h"

// Columns of a simulation: of joint 1, or single ones.
typedef struct lwSimulateColumns
{
  int q, qd, qdd, tau, v, i, friction, q_ref, q_err, x, kinetic, potential, work, S;
} lwSimulateColumns;

typedef struct lwSimulateJob
{
  lwTextFile file;
  int n, nq;
  bool lanes;  // arms side by side
  lwSimulateColumns at;
} lwSimulateJob;

// The scenario of a sample, to be destroyed if it is not that of the study. NULL: the row says why;
// or out of memory.
lwScenario* lw_sample_scenario(lwStudyWorker* worker, lwStudyRow* row, lwStatus* status);

// The model of a sample, to be destroyed if it is not that of the scenario; NULL: the row says why.
const lwModel* lw_sample_model(lwStudyWorker* worker, const lwScenario* scenario, lwStudyRow* row);
void lw_sample_end(lwStudyWorker* worker, lwScenario* scenario, const lwModel* model);

// --- run_lanes.c

// Whether lanes can do what the scenario asks for: fixed steps, no events, torques and springs.
bool lw_lanes_can(const lwScenario* scenario);
void lw_lanes_begin(lwStudyWorker* worker);
lwStatus lw_lanes_run(lwStudyWorker* worker, int count, lwStudyRow* const* rows);

#endif
