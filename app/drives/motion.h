// SPDX-License-Identifier: MIT
// A motion in a file, t, q.., qd.., qdd.. and perhaps wrenches, answered sample by sample.
#ifndef APP_DRIVES_MOTION_H
#define APP_DRIVES_MOTION_H

#include "states/wrench_options.h"

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
