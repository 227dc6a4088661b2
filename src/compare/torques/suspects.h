// SPDX-License-Identifier: MIT
// The usual suspects when torques of two programs differ. A trial copies the robot and the file,
// lets one or two suspects change them, computes the torques and looks at the remaining difference.
//
//   robot, log --trial.c--> difference --searches.c--> signs, exchanged joints
//     --regression.c, causes.c--> numbers fitted to it --noise.c--> what is left
#ifndef LW_COMPARE_TORQUES_SUSPECTS_H
#define LW_COMPARE_TORQUES_SUSPECTS_H

#include <stdbool.h>

#include "base/arena.h"
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
  LW_SEARCH_ROWS    = 32,   // that a search looks at
  LW_TRIAL_SUSPECTS = 3,    // at once: two, and one of what is left
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

// Which velocity terms the torques have.
typedef enum lwVelocityTerms
{
  LW_VELOCITY_ALL,
  LW_VELOCITY_SQUARES,  // centrifugal ones: no products of the velocities of two joints
  LW_VELOCITY_NONE
} lwVelocityTerms;

typedef struct lwTrial
{
  const lwModel* original;
  int n, nq;           // its velocities and positions
  lwRobotDef robot;    // as another program may have it
  lwJointDef* joints;  // (robot.count), those of the robot
  lwTorqueLog file;    // the motion and the torques, as another program may have meant them;
                       // velocities that are only rounding are 0
  lwVelocityTerms velocity;
  double* extra;      // (count, n) torques in the file that are not those of rigid bodies
  double* ours;       // (count, n)
  double* rest;       // (count, n) file - ours - extra
  double* size;       // (n) of the joint's torques in the file
  double* breakaway;  // (n) up to which friction holds a joint, so that its torque cannot decide; 0
  double* part;       // (3, count, n) velocities and torques of a part, zeros
  lwModel* model;     // of the changed robot
  lwWorkspace* ws;
  bool no_memory;                // for what a suspect needs
  bool fitted;                   // rest is what a fit leaves
  char detail[LW_TRIAL_DETAIL];  // what a suspect found out
  lwArena arena;
} lwTrial;

// Numbers that can be fitted to a difference (causes.c).
typedef enum lwCause
{
  LW_CAUSE_NONE,
  LW_CAUSE_GRAVITY,
  LW_CAUSE_FRICTION,
  LW_CAUSE_ROTORS,
  LW_CAUSE_JOINT_TERMS,  // both
  LW_CAUSE_MASS,
  LW_CAUSE_PAYLOAD,
  LW_CAUSE_LINK,
  LW_CAUSE_ZERO,   // of one joint
  LW_CAUSE_ZEROS,  // of all joints
  LW_CAUSE_COUNT
} lwCause;

// What may be left behind other suspects.
typedef enum lwLeft
{
  LW_LEFT_NOTHING,
  LW_LEFT_ROUNDING,
  LW_LEFT_NOISE
} lwLeft;

typedef struct lwSuspect
{
  const char* name;
  const char* meaning;                       // "the file ..", as a sentence goes on
  bool (*apply)(lwTrial* trial, double by);  // before torques are computed; false: no change
  double by;                                 // how much, or which
  bool (*search)(lwTrial* trial);  // or after: changes file and rest; false: nothing is found
  lwCause cause;                   // or fits numbers to rest
  lwLeft left;                     // or says what rest is
  int freedom;                     // how much it can explain by chance: the less, the likelier
} lwSuspect;

// In the order in which two of them are applied; those of what is left are last.
extern const lwSuspect LW_SUSPECTS[];
extern const int LW_SUSPECT_COUNT;

// Copies robot and log, and lets the suspects (two, or NULL) change them that apply or search.
// LW_ERROR_INPUT if one of them has nothing to change or makes an impossible robot;
// LW_ERROR_MEMORY. To be closed in any case.
lwStatus lw_trial_open(lwTrial* trial, const lwModel* model, const lwTorqueLog* file,
                       const lwSuspect* first, const lwSuspect* second);
void lw_trial_close(lwTrial* trial);

// Entries of torques and rates: rows of the file times joints.
static inline size_t lw_trial_entries(const lwTrial* trial)
{
  return (size_t)trial->file.count * (size_t)trial->n;
}

// Adds a shift to entry `at` of the positions in all rows.
void lw_shift_joint(lwTrial* trial, int at, double shift);

// Exchanges entries i and j of all rows (rows, n).
void lw_swap_columns(double* values, int n, int rows, int i, int j);

// Notes if memory ran out; returns whether the status is LW_OK.
bool lw_trial_succeeds(lwTrial* trial, lwStatus status);

// Computes ours and rest of the trial.
void lw_trial_predict(lwTrial* trial);

// The states whose answers, times their weights, sum up to those with the trial's velocity terms:
// part k of lw_trial_parts(), in memory of the trial.
typedef struct lwTrialPart
{
  const double *qd, *qdd;  // (count, n)
  double weight;
} lwTrialPart;

int lw_trial_parts(const lwTrial* trial);
lwTrialPart lw_trial_part(lwTrial* trial, int k);

// Whether entry k of the torques, row by row, decides: friction does not hold the joint.
bool lw_trial_decides(const lwTrial* trial, size_t k);
int lw_trial_held_rows(const lwTrial* trial);  // in which a joint does not decide
lwMisfit lw_trial_misfit(const lwTrial* trial);

// Joints from 0 as people read them: " 2 (elbow)" is appended to the detail.
void lw_trial_note_joint(lwTrial* trial, int joint);
void lw_trial_note(lwTrial* trial, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Searches (searches.c).
bool lw_search_joint_signs(lwTrial* trial);
bool lw_search_torque_signs(lwTrial* trial);
bool lw_search_exchange(lwTrial* trial);

// Whether rest is no more than rounding of the torques in the file; then rest is 0 (searches.c).
bool lw_search_rounding(lwTrial* trial);

// --- explanations (explain.c)

typedef enum lwExplains
{
  LW_EXPLAINS,
  LW_EXPLAINS_IN_PART,
  LW_EXPLAINS_NOT
} lwExplains;

// Suspects and what they leave of the difference.
typedef struct lwCandidate
{
  const lwSuspect* suspect[LW_TRIAL_SUSPECTS];  // NULL: none
  char name[128];
  lwMisfit after;
  lwExplains explains;
  double score;  // with noise: its likelihood, and a penalty for unknowns (Schwarz 1978)
  bool chance;   // noise without some of the suspects is likelier
  int held;      // rows in which friction holds a joint
  int tried;     // its place in the order of trials: equals stay in it
  char detail[LW_TRIAL_DETAIL];
} lwCandidate;

typedef struct lwExplanation
{
  double before;  // relative misfit of the log
  int count;
  lwCandidate* candidates;  // (count), the best first; to be freed
} lwExplanation;

bool lw_candidate_is_pair(const lwCandidate* candidate);  // besides what is left
bool lw_candidate_is_fit(const lwCandidate* candidate);   // has unknowns
bool lw_candidate_is_noise(const lwCandidate* candidate);
int lw_candidate_freedom(const lwCandidate* candidate);

// How far the torques of the log are from ours.
lwStatus lw_torques_misfit(const lwModel* model, const lwTorqueLog* log, lwMisfit* misfit);

// Tries the suspects, one by one and in pairs. A misfit of up to `tolerance` is none.
// LW_ERROR_MEMORY or LW_OK; the candidates are to be freed in any case.
lwStatus lw_torques_explain(const lwModel* model, const lwTorqueLog* log, double tolerance,
                            lwExplanation* explanation);

#endif
