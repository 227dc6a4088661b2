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
} CylinderMotion;

// Those of the file that the model was read from.
CylinderMotion cylinders_open(const Options* options, const lwModel* model);

// Adds a sample: tau (dof) is what all drives together must supply.
void cylinders_add(CylinderMotion* motion, double t, const double* q, const double* qd,
                   const double* tau, int dof);

// Reports what is beyond a limit on standard error: NO if anything is, else DONE.
int cylinders_check(const CylinderMotion* motion);

// --- a motion in a file, t, q.., qd.., qdd.. and perhaps wrenches, answered sample by sample

typedef struct MotionFile
{
  const lwModel* model;
  lwWorkspace* ws;
  lwCsvFile* csv;
  const lwCsvBlock* block;  // the rows under way
  Wrenches wrenches;
  size_t outputs;    // of one sample
  double* answers;   // (csv->block.capacity, outputs)
  lwCsvBlock* kept;  // (kept_count) all of the file, after motion_settle()
  int kept_count;
} MotionFile;

// Opens --in.
MotionFile* motion_open(const Options* options, const lwModel* model, lwWorkspace* ws,
                        size_t outputs);

// Reads the whole motion and keeps it; speeds that are only rounding become 0: lw_rest_speed().
void motion_settle(MotionFile* motion);

// Takes the sample of a row of motion->block.
typedef void MotionTake(void* context, int row);

// Answers the question for every sample of the file and takes them one by one.
void motion_answer(MotionFile* motion, lwQuestion question, MotionTake* take, void* context);

#endif
