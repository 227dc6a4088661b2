// SPDX-License-Identifier: MIT
// What the parts of the validation share: the robot, what to tolerate, and how to report about a
// joint or a link.
#ifndef LW_MODEL_LINT_LINT_H
#define LW_MODEL_LINT_LINT_H

#include "base/diag.h"
#include "linkwork/model.h"

typedef struct lwCheck
{
  const lwRobotDef* robot;
  lwModelOptions options;
  lwDiag* diag;
  lwSource source;
  double reach;     // m, of the stretched robot; 0: not known
  double arm;       // m, the same without the centres of mass
  lwJointDef base;  // what stands for the base where a joint is asked for: fixed, with its link
  int errors;
} lwCheck;

// The joint of an index, LW_BASE included.
const lwJointDef* lw_check_def(const lwCheck* check, int joint);

// "joint 'elbow'" or "link 'forearm'", whichever the field belongs to; by number if it has no name.
enum
{
  LW_SUBJECT_SIZE = 80
};
const char* lw_check_subject(const lwCheck* check, int joint, lwField field,
                             char buffer[LW_SUBJECT_SIZE]);

// Where a field is written, or else its joint.
lwPlace lw_check_place(const lwCheck* check, int joint, lwField field);

// The severity after `strict`; counts errors.
lwSeverity lw_check_severity(lwCheck* check, lwSeverity severity);

// Reports about a field of a joint: "SUBJECT: " and the sentence. The arguments after the hint are
// those of printf, the format being a literal.
#define lw_check_report(check, severity, joint, field, hint, format, ...)                          \
  lw_diag_report((check)->diag, lw_check_severity(check, severity), &(check)->source,              \
                 lw_check_place(check, joint, field), hint, "%s: " format,                         \
                 lw_check_subject(check, joint, field, (char[LW_SUBJECT_SIZE]){0}), __VA_ARGS__)

// A warning that robot files can accept by its id, which is one of lw_warning_ids.
#define lw_check_warn(check, id, joint, field, hint, format, ...)                                  \
  do                                                                                               \
  {                                                                                                \
    if (!lw_check_accepts(check, id, joint))                                                       \
      lw_diag_report_id(                                                                           \
          (check)->diag, lw_check_severity(check, LW_SEVERITY_WARNING), id, &(check)->source,      \
          lw_check_place(check, joint, field), hint, "%s: " format,                                \
          lw_check_subject(check, joint, field, (char[LW_SUBJECT_SIZE]){0}), __VA_ARGS__);         \
  } while (0)

// True if the description, or who reads it, says that this warning about the joint or
// its link is known.
bool lw_check_accepts(const lwCheck* check, const char* id, int joint);

// The same for lines as in lwRobotDef.accept, or NULL, and a warning about one of these names,
// which may be NULL.
bool lw_warning_accepted(const char* lines, const char* id, const char* name, const char* other);

// Checks the numbers of one joint, or of the base, and its link; false if one of them is invalid.
bool lw_check_numbers(lwCheck* check, int joint);

// What is wrong with a number that should be finite, or NULL.
const char* lw_check_finite(double x);

// Densities that are plausible, kg/m^3: foam to platinum.
#define LW_LIGHTEST 5.0
#define LW_HEAVIEST 25000.0

// Principal moments of an inertia, in rising order.
void lw_principal_moments(const double I[6], double moments[3]);

// Mass properties of the link of one joint, or of the base,
// whose numbers are finite and mass is not negative.
void lw_check_link(lwCheck* check, int joint);

#endif
