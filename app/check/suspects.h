// SPDX-License-Identifier: MIT
// The usual suspects when torques of two programs differ. A trial copies the robot and the file,
// lets one or two suspects change them, computes the torques and looks what difference is left.
#ifndef APP_CHECK_SUSPECTS_H
#define APP_CHECK_SUSPECTS_H

#include "states/states.h"

enum
{
  TRIAL_SUSPECTS = 2,    // at once
  TRIAL_DETAIL   = 4096  // bytes of text
};

// How far torques are from ours.
typedef struct Misfit
{
  double relative;  // to the size of the joint's torques in the file; infinite: cannot be computed
  double absolute;  // N m or N
  int row;          // from 0
  int joint;        // from 0
} Misfit;

typedef struct Trial
{
  const lwModel* original;
  lwRobotDef robot;    // as another program may have it
  lwJointDef* joints;  // (robot.count), those of the robot
  Block file;          // the motion and the torques, as another program may have meant them
  double* extra;       // (count, n) torques in the file that are not those of rigid bodies
  double* ours;        // (count, n)
  double* rest;        // (count, n) file - ours - extra
  double* size;        // (n) of the joint's torques in the file
  lwModel* model;      // of the changed robot
  lwWorkspace* ws;
  bool no_memory;             // for what a suspect needs
  char detail[TRIAL_DETAIL];  // what a suspect found out
} Trial;

typedef struct Suspect
{
  const char* name;
  const char* meaning;          // "the file ..", as a sentence goes on
  bool (*apply)(Trial* trial);  // before the torques are computed; false: nothing to change
  bool (*fit)(Trial* trial);    // or after: changes rest; false: nothing to fit
} Suspect;

// In the order in which two of them are applied.
extern const Suspect SUSPECTS[];
extern const int SUSPECT_COUNT;

// Tries the suspects that are not NULL. LW_ERROR_INPUT, with an infinite misfit, if one of them has nothing to change or
// makes a robot that cannot be; LW_ERROR_MEMORY. detail (TRIAL_DETAIL), if not NULL, takes what they found out.
lwStatus trial_run(const lwModel* model, const Block* file,
                   const Suspect* const suspect[TRIAL_SUSPECTS], Misfit* misfit, char* detail);

// Takes note of a failure, if it is one for lack of memory; returns whether there is none.
bool trial_succeeds(Trial* trial, lwStatus status);

// Computes ours and rest of the trial.
void trial_predict(Trial* trial);
Misfit trial_misfit(const Trial* trial);

// Joints from 0 as people read them: " 2 (elbow)" is appended to the detail.
void trial_note_joint(Trial* trial, int joint);
void trial_note(Trial* trial, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Fits (fits.c).
bool fit_gravity(Trial* trial);
bool fit_joint_terms(Trial* trial);
bool fit_joint_signs(Trial* trial);
bool fit_torque_signs(Trial* trial);

#endif
