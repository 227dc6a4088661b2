// SPDX-License-Identifier: MIT
// linkwork simulate: an arm over time.
//
//   scenario file --lw_scenario_read_file()--> lwArmDef
//     --lw_arm_run_advance()--> samples --lwRows--> t,q1..,qd1..,tau1..
#ifndef APP_SIMULATE_SIMULATE_H
#define APP_SIMULATE_SIMULATE_H

#include "linkwork/scenario.h"
#include "report/audit/audit.h"
#include "timed_run.h"

// What a column of a recording holds.
typedef struct RecordColumn
{
  int part;
  int index;  // of the joint, the energy, the coordinate
} RecordColumn;

typedef struct Simulation
{
  RunWriter timed;
  const lwModel* model;
  const char* name;  // of the scenario
  lwArmDef arm;
  lwArmRun* run;
  int n;
  lwOutcome outcome;
  double reached;  // s, simulated
  unsigned parts;  // set of what is recorded; 0: state and energies
  size_t columns;
  RecordColumn* column;  // (columns)
  double* values;        // (columns) one record
  double* reference;     // (nq + 2 n) q*, qd*, qdd* then
  double* error;         // (n) from the position to q*
  double pose[6];        // x, y, z, roll, pitch, yaw then, m and rad
  lwWorkspace* ws;       // for the pose
  long kept;             // records
  void (*keep)(void* to, const double* values);
  void* to;
  lwPlotTable* plot;  // of --plot
} Simulation;

#define SIMULATION_PANELS "q,q_err,qd,tau,v,S"  // of a picture, as far as there are any

// Reads a scenario file, which the scope holds; and its run.
lwScenario* scenario_read(const Options* options, const char* path);
Simulation scenario_simulation(const Options* options, const lwScenario* scenario);

// Reports a start outside the limits, at the end of the command.
void scenario_ranges(const lwScenario* scenario, const char* path);

// Chooses what is recorded: "q,tau,pose", NULL is everything.
void simulation_choose_columns(Simulation* sim, const char* list);

// The run of sim->arm, which options, model and the like describe, from its beginning to its
// output. The exit code.
int simulation_run(Simulation* sim);

// Makes the run of sim->arm; `about` stands before what is wrong.
void simulation_begin(Simulation* sim, const char* about);

// Warns of fixed steps that make the run diverge where it begins.
void simulation_warn_of_steps(const Simulation* sim);

// Goes on to time t and keeps the sample: a RunLoopStep. DONE,
// or why the run ends, which is printed.
int simulation_step(void* context, double t);

// Keeps the sample that was reached; false if its energy is not finite.
bool simulation_record(Simulation* sim);

// The name of column c of a Simulation: t q1.. qd1.. qdd1.. tau1.. v1.. i1.., of a controlled arm
// q_ref1.. qd_ref1.. q_err1.., x y z roll pitch yaw, kinetic potential work S.
void simulation_column(const void* context, size_t c, char name[LW_ROW_NAME]);
const char* simulation_unit(const void* context, size_t c);
bool simulation_column_shown(const void* context, size_t c);  // in a table

// For units and limits of curves; NULL where positions and velocities are not numbered alike.
static inline const lwModel* plotted_model(const lwModel* model)
{
  return model && lw_model_nq(model) == lw_model_dof(model) ? model : NULL;
}
int simulation_joint(const Simulation* sim, size_t c);  // -1: of no joint

// How the run went, in words.
void audit_text(const void* context, lwPrint* print, void* to);

// An arm that follows a trajectory, without a scenario file: --control, --kp, --kd. Simulates it
// and writes the recording. dt: s from record to record unless --dt is given. The exit code.
int follow_trajectory(const Options* options, const lwModel* model, const lwTrajectory* trajectory,
                      double dt);

// What `simulate ROBOT --in FILE` does.
int simulate_robot(const Options* options);

#endif
