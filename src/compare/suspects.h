// SPDX-License-Identifier: MIT
// The usual suspects when torques of two programs differ. A trial copies the robot and the file,
// lets one or two suspects change them, computes the torques and looks at the remaining difference.
#ifndef LW_COMPARE_SUSPECTS_H
#define LW_COMPARE_SUSPECTS_H

#include <stdbool.h>

#include "linkwork/dynamics.h"

// What a log of torques has, in this order.
typedef enum lwLogColumns
{
  LW_LOG_Q,
  LW_LOG_QD,
  LW_LOG_QDD,
  LW_LOG_TAU,
  LW_LOG_WRENCH,
  LW_LOG_COUNT
} lwLogColumns;

// A motion and its torques, as another program wrote them.
typedef struct lwTorqueLog
{
  int count;                     // rows
  double* values[LW_LOG_COUNT];  // (count, n); wrench (count, 6) or NULL: none
} lwTorqueLog;

enum
{
  LW_TRIAL_SUSPECTS = 2,    // at once
  LW_TRIAL_DETAIL   = 4096  // bytes of text
};

// How far torques are from ours.
typedef struct lwMisfit
{
  double relative;  // to the size of the joint's torques in the file; infinite: cannot be computed
  double absolute;  // N m or N
  int row;          // from 0
  int joint;        // from 0
} lwMisfit;

typedef struct lwTrial
{
  const lwModel* original;
  lwRobotDef robot;    // as another program may have it
  lwJointDef* joints;  // (robot.count), those of the robot
  lwTorqueLog file;    // the motion and the torques, as another program may have meant them
  double* extra;       // (count, n) torques in the file that are not those of rigid bodies
  double* ours;        // (count, n)
  double* rest;        // (count, n) file - ours - extra
  double* size;        // (n) of the joint's torques in the file
  lwModel* model;      // of the changed robot
  lwWorkspace* ws;
  bool no_memory;                // for what a suspect needs
  bool fitted;                   // numbers that a suspect before this one found are in rest
  char detail[LW_TRIAL_DETAIL];  // what a suspect found out
} lwTrial;

typedef struct lwSuspect
{
  const char* name;
  const char* meaning;            // "the file ..", as a sentence goes on
  bool (*apply)(lwTrial* trial);  // before the torques are computed; false: nothing to change
  bool (*fit)(lwTrial* trial);    // or after: changes rest; false: nothing to fit
  int freedom;                    // how much a fit can explain by chance: the less, the likelier
  bool last;                      // goes with every other one, behind it
} lwSuspect;

// In the order in which two of them are applied.
extern const lwSuspect LW_SUSPECTS[];
extern const int LW_SUSPECT_COUNT;

// Tries the suspects that are not NULL. LW_ERROR_INPUT, with an infinite misfit, if one of them
// has nothing to change or makes an impossible robot; LW_ERROR_MEMORY. detail (LW_TRIAL_DETAIL),
// if not NULL, receives what they found.
lwStatus lw_trial_run(const lwModel* model, const lwTorqueLog* file,
                      const lwSuspect* const suspect[LW_TRIAL_SUSPECTS], lwMisfit* misfit,
                      char* detail);

// Notes if memory ran out; returns whether the status is LW_OK.
bool lw_trial_succeeds(lwTrial* trial, lwStatus status);

// Computes ours and rest of the trial.
void lw_trial_predict(lwTrial* trial);
lwMisfit lw_trial_misfit(const lwTrial* trial);

// Joints from 0 as people read them: " 2 (elbow)" is appended to the detail.
void lw_trial_note_joint(lwTrial* trial, int joint);
void lw_trial_note(lwTrial* trial, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Fits (fits.c).
bool lw_fit_gravity(lwTrial* trial);
bool lw_fit_joint_terms(lwTrial* trial);
bool lw_fit_joint_signs(lwTrial* trial);
bool lw_fit_torque_signs(lwTrial* trial);
bool lw_fit_rotors(lwTrial* trial);
bool lw_fit_friction(lwTrial* trial);
bool lw_fit_exchange(lwTrial* trial);
bool lw_fit_link_mass(lwTrial* trial);
bool lw_fit_payload(lwTrial* trial);
bool lw_fit_link(lwTrial* trial);
bool lw_fit_rounding(lwTrial* trial);

// --- explanations (explain.c)

typedef enum lwExplains
{
  LW_EXPLAINS,
  LW_EXPLAINS_IN_PART,
  LW_EXPLAINS_NOT
} lwExplains;

// One or two suspects and what they leave of the difference.
typedef struct lwCandidate
{
  const lwSuspect* suspect[LW_TRIAL_SUSPECTS];  // NULL: none
  char name[128];
  lwMisfit after;
  lwExplains explains;
  char detail[LW_TRIAL_DETAIL];
} lwCandidate;

typedef struct lwExplanation
{
  double before;  // relative misfit of the log
  int count;
  lwCandidate* candidates;  // (count), the best first; to be freed
} lwExplanation;

bool lw_candidate_is_pair(const lwCandidate* candidate);
bool lw_candidate_is_fit(const lwCandidate* candidate);  // has unknowns
int lw_candidate_freedom(const lwCandidate* candidate);

// Tries the suspects, one by one and in pairs. A misfit of up to `tolerance` is none.
// LW_ERROR_MEMORY or LW_OK; the candidates are to be freed in any case.
lwStatus lw_torques_explain(const lwModel* model, const lwTorqueLog* log, double tolerance,
                            lwExplanation* explanation);

#endif
