// SPDX-License-Identifier: MIT
// Shared by the parts of this page: the arm of the document, states, and its equations as written.
#ifndef PAPERS_SWARTZ1982_H
#define PAPERS_SWARTZ1982_H

#include "base/random.h"
#include "linkwork/parts.h"
#include "linkwork/scenario.h"
#include "linkwork/trajectory.h"
#include "papers.h"
#include "words.h"

enum
{
  JOINTS = 6  // N of the document
};

// An arm with standard Denavit-Hartenberg frames, and ways to compute.
typedef struct SwartzArm
{
  lwModel* model;
  lwWorkspace* ws;        // the document's methods: newton-euler, walker-orin-3
  lwWorkspace* columns;   // its other method for the H matrix, walker-orin-1
  lwWorkspace* lagrange;  // lagrange-uicker-kahn: torques by another formulation
} SwartzArm;

typedef struct SwartzStudy
{
  Page* page;
  lwParts* parts;     // the Parts Database
  SwartzArm arm;      // what is made of it: the Manipulator Database
  SwartzArm general;  // the same links on joints without any special angle or length
} SwartzStudy;

// A state, and what the environment exerts on the hand (fx fy fz nx ny nz, in the hand's frame).
typedef struct State
{
  double q[JOINTS], qd[JOINTS], qdd[JOINTS], hand[6];
} State;

State state_draw(lwRandom* random);
const lwRobotDef* arm_robot(const SwartzArm* arm);
const lwMotor* arm_motor(const SwartzArm* arm, int k);

// Order of convergence of a column, from its last two rows, between which the step is halved.
double order_of(const PageSeries* series, int column);

// --- literal.c: the equations in the frames and the order of the document

// What is taken as printed; everything else as corrected. Erratum in the comment.
enum
{
  PRINTED_VELOCITY      = 1 << 0,  // 3-2   (3): the angular acceleration instead of the velocity
  PRINTED_HAND          = 1 << 1,  // 3-7   (8), (9): what acts on the hand, with its sign
  PRINTED_LAST_TORQUE   = 1 << 2,  // 3-9   (10): i = N-1, .., 1
  PRINTED_AXIS          = 1 << 3,  // 3-12  (19), (20), (23), (26) of the summary: the next axis
  PRINTED_LAST_DIAGONAL = 1 << 4,  // 3-13  (23) of the summary: j = N-1, .., 1
  PRINTED_LEVER         = 1 << 5,  // 3-15  (25) as its text says: p of the next link
  PRINTED_OFF_DIAGONAL  = 1 << 6   // 3-16  (26): the axis of joint j in place of that of joint i
};

// Motion of every link, in its own frame.
typedef struct LinkMotion
{
  double w[JOINTS][3];          // angular velocity, rad/s
  double wd[JOINTS][3];         // angular acceleration, rad/s^2
  double v[JOINTS][3];          // velocity of the frame's origin, m/s
  double vd[JOINTS][3];         // its acceleration, gravity included as that of the base, m/s^2
  double vd_centre[JOINTS][3];  // acceleration of the centre of mass, m/s^2
} LinkMotion;

// "Given:": where the origin of link k + 1 is, base frame, and its axes, row by row.
void literal_pose(const lwRobotDef* robot, const double q[JOINTS], int k, double p[3], double R[9]);

// Equations (1) to (10) without friction: torques,
// and the motion of the links where it is not NULL.
void literal_inverse_arm(const lwRobotDef* robot, unsigned printed, const State* state,
                         LinkMotion* motion, double tau[JOINTS]);

// Equations (16) to (26): H, row by row.
void literal_h_matrix(const lwRobotDef* robot, unsigned printed, const double q[JOINTS],
                      double H[JOINTS * JOINTS]);

// --- kutta.c: "Runge-Kutta Integration"

// F(theta, theta', V): what the voltages do to the arm. Motor limits are ignored.
void forward_arm(const SwartzArm* arm, const double* q, const double* qd, const double* voltage,
                 double* qdd);

// One step of h seconds under voltages that are held; c3 as printed,
// or as corrected (erratum 3-18).
void kutta_step(const SwartzArm* arm, bool c3_printed, double h, const double* voltage, double* q,
                double* qd);

// --- schedule.c: runs of the library

// An arm from rest at q under a voltage schedule, by an integrator of the library.
typedef struct SwartzRun
{
  const lwModel* model;
  const lwSchedule* schedule;
  const double* q;  // (JOINTS)
  lwIntegratorDef integrator;
  double duration, record;  // s
} SwartzRun;

// Takes note of a sample of a run.
typedef void RunMoment(void* context, const lwArmSample* sample);

// Every `record` seconds, from 0 to the end. DONE, or the page's failure.
int run_schedule(Page* page, const SwartzRun* run, RunMoment* sample, void* context);

// --- the parts of the page

void report_description(SwartzStudy* study);
void report_database(SwartzStudy* study);
void report_equations(SwartzStudy* study);
void report_drives(SwartzStudy* study);
void report_cost(SwartzStudy* study);
void report_kutta(SwartzStudy* study);
void report_round_trip(SwartzStudy* study);
void report_schedule(SwartzStudy* study);
void report_program(SwartzStudy* study);

#endif
