// SPDX-License-Identifier: MIT
// The PUMA of mata2002, 5.2: its hand moves along a line,
// driven by the torques of inverse dynamics without feedback.
#ifndef PAPERS_MATA2002_PUMA_H
#define PAPERS_MATA2002_PUMA_H

#include "linkwork/arm.h"
#include "linkwork/trajectory.h"
#include "mata2002.h"

enum
{
  PUMA_JOINTS  = 6,
  PUMA_SAMPLES = 64  // of a run, at most
};

// The two ways to read a path that cannot have both the speed and the time that
// are printed (erratum 1-26).
typedef enum Reading
{
  BY_DURATION,
  BY_SPEED,
  READINGS
} Reading;

typedef struct Puma
{
  lwModel* model;
  lwWorkspace* ws;  // of motions and inverse dynamics
  int solutions, inside;
  double q[PUMA_JOINTS];  // rad, where it begins
  double from[3], to[3];  // m, base frame
  double rotation[9];     // of the hand
  double interval;        // s
  lwTrajectory* trajectory[READINGS];
} Puma;

// Must be closed, even after a failure.
void puma_open(Page* page, Puma* puma);
void puma_close(Puma* puma);

// Where torques come from.
typedef enum PumaTorques
{
  TORQUES_EXACT,   // inverse dynamics at every instant
  TORQUES_HELD,    // those at the start of an interval, held
  TORQUES_LINEAR,  // linear between those at its ends
  TORQUES_COUNT
} PumaTorques;

typedef struct RunDef
{
  Reading reading;
  const char* forward;  // method
  double tolerance;     // of the integration, relative and absolute
  PumaTorques torques;
} RunDef;

typedef struct PumaRun
{
  int samples;
  double q[PUMA_SAMPLES][PUMA_JOINTS];  // rad, integrated
  // rad, magnitude of the difference from inverse kinematics
  double error[PUMA_SAMPLES][PUMA_JOINTS];
  double mean[3][PUMA_JOINTS];  // of such differences of q, qd, qdd
  long evaluations;             // of forward dynamics
} PumaRun;

// Integrates over whole intervals; with torques that are not exact, until the arm diverges.
void puma_run(Page* page, Puma* puma, const RunDef* def, PumaRun* run);

// Torques of inverse dynamics at time t of a reading, N m.
void puma_torques(const Puma* puma, Reading reading, double t, double* tau);

// Figure 3, the motion and its simulation with the printed time and with the
// printed speed, over tolerances.
void puma_figures(Page* page, Puma* puma, const PumaRun* by_duration, const PumaRun* by_speed);

#endif
