// SPDX-License-Identifier: MIT
// A motion in a file, t, q.., qd.., qdd.. and perhaps wrenches, answered sample by sample.
#ifndef APP_DRIVES_MOTION_H
#define APP_DRIVES_MOTION_H

#include "states/wrench_options.h"

typedef struct MotionFile
{
  const Options* options;
  const lwModel* model;
  lwWorkspace* ws;
  Lines lines;
  Header header;
  CsvBlock block;
  Wrenches wrenches;
  size_t outputs;   // of one sample
  double* answers;  // (block.capacity, outputs)
} MotionFile;

// Opens --in; options, model, ws and outputs are set. Prints what is wrong; DONE or why not.
int motion_open(MotionFile* motion);
void motion_close(MotionFile* motion);

// Takes the sample of a row of the block. DONE, or why the motion ends, which is printed.
typedef int MotionTake(void* context, int row);

// Answers the question for every sample of the file and takes them one by one. Prints what is
// wrong; DONE or why not.
int motion_answer(MotionFile* motion, lwQuestion question, MotionTake* take, void* context);

#endif
