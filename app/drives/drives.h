// SPDX-License-Identifier: MIT
// What a motion demands of the drives of a robot.
#ifndef APP_DRIVES_DRIVES_H
#define APP_DRIVES_DRIVES_H

#include "app.h"
#include "report/cylinders_table.h"
#include "states/wrench_options.h"

// --- hydraulic cylinders

// The cylinders of the robot along a motion.
typedef struct CylinderMotion
{
  lwCylinders* cylinders;  // NULL: the robot has none
  int count;
  lwCylinderSizing* sizing;       // (count)
  double *length, *arms, *force;  // (count), (count, dof), (count)
  double *speed, *tau;            // (count), (dof)
} CylinderMotion;

// Those of the file that the model was read from.
CylinderMotion cylinders_open(const Options* options, const lwModel* model);

// Adds a sample: tau (dof) is what all drives together must supply. With loops (or NULL) moment arms
// are those about the speeds.
void cylinders_add(CylinderMotion* motion, lwLoops* loops, double t, const double* q,
                   const double* qd, const double* tau, int dof);

// Reports what is beyond a limit on standard error: NO if anything is, else DONE.
int cylinders_check(const CylinderMotion* motion);

// --- a motion in a file, t, q.., qd.., qdd.. and perhaps wrenches, answered sample by sample

typedef struct MotionFile
{
  const lwModel* model;
  lwQuestion question;
  lwWorkspace* ws;  // NULL: the robot has loops
  lwLoops* loops;   // of a robot that has them
  lwCsvFile* csv;
  const lwCsvBlock* block;  // the rows under way
  Wrenches wrenches;
  size_t outputs;    // of one sample
  double* answers;   // (csv->block.capacity, outputs)
  double* load;      // (2 dof) of a sample with loops
  lwCsvBlock* kept;  // (kept_count) all of the file, after motion_settle()
  int kept_count;
} MotionFile;

// Opens --in for a question that def names.
MotionFile* motion_open(const Options* options, const lwModel* model, const lwWorkspaceDef* def,
                        lwQuestion question);

// Reads the whole motion and keeps it; speeds that are only rounding become 0: lw_rest_speed().
void motion_settle(MotionFile* motion);

// Takes the sample of a row of motion->block.
typedef void MotionTake(void* context, int row);

// Answers the question for every sample of the file and takes them one by one. With loops, torques
// (dof) are such that those of passive joints, with friction and rotor, are 0: the driven joints
// supply them.
void motion_answer(MotionFile* motion, MotionTake* take, void* context);

#endif
