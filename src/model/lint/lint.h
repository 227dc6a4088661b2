// SPDX-License-Identifier: MIT
// What the parts of the validation share: the robot, what to tolerate, and how to report about a
// joint or a link.
#ifndef LW_MODEL_LINT_LINT_H
#define LW_MODEL_LINT_LINT_H

#include "base/diag.h"
#include "linkwork/model.h"

// --- findings about any description

typedef struct lwFindings
{
  lwDiag* diag;
  lwSource source;
  const char* accept[2];  // known warnings, of the file and of who reads it: as lwRobotDef.accept
  bool strict;            // warnings are errors
  int errors;             // found so far
} lwFindings;

// file, text, accept, lint and diag may be NULL.
lwFindings lw_findings(const char* file, const char* text, const char* accept, const lwLint* lint,
                       lwDiag* diag);

// The severity after `strict`; counts errors.
lwSeverity lw_finding_severity(lwFindings* findings, lwSeverity severity);

// True if the description, or who reads it, says that this warning about one of these names, which
// may be NULL, is known.
bool lw_finding_accepted(const lwFindings* findings, const char* id, const char* name,
                         const char* other);

// True if the lines, as in lwRobotDef.accept, or NULL, have this warning.
bool lw_warning_accepted(const char* lines, const char* id, const char* name, const char* other);

// Reports a finding; the arguments after the hint are those of printf.
#define lw_find(findings, severity, place, hint, ...)                                              \
  lw_diag_report((findings)->diag, lw_finding_severity(findings, severity), &(findings)->source,   \
                 place, hint, __VA_ARGS__)

// A warning that files can accept by its id, which is one of lw_warning_id(), and a name.
#define lw_find_warning(findings, id, name, other, place, hint, ...)                               \
  do                                                                                               \
  {                                                                                                \
    if (!lw_finding_accepted(findings, id, name, other))                                           \
      lw_diag_report_id((findings)->diag, lw_finding_severity(findings, LW_SEVERITY_WARNING), id,  \
                        &(findings)->source, place, hint, __VA_ARGS__);                            \
  } while (0)

// What a number has to be.
typedef enum lwNumberRule
{
  LW_RULE_FINITE,
  LW_RULE_NOT_NEGATIVE,
  LW_RULE_POSITIVE,
  LW_RULE_POSITIVE_OR_INFINITE,
  LW_RULE_NORMAL,  // positive, and so large that its square is a normal number
  LW_RULE_NOT_ZERO,
  LW_RULE_FRACTION,
  LW_RULE_LIMIT  // may be infinite
} lwNumberRule;

// What is wrong with a number, "must be positive", or NULL.
const char* lw_number_fault(lwNumberRule rule, double x);

// --- findings about a robot

typedef struct lwCheck
{
  const lwRobotDef* robot;
  lwModelOptions options;
  lwFindings found;
  double reach;     // m, of the stretched robot; 0: not known
  double arm;       // m, reach without the centres of mass
  lwJointDef base;  // what stands for the base where a joint is asked for: fixed, with its link
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

// Reports about a field of a joint: "SUBJECT: " and the sentence. The arguments after the hint are
// those of printf, the format being a literal.
#define lw_check_report(check, severity, joint, field, hint, format, ...)                          \
  lw_find(&(check)->found, severity, lw_check_place(check, joint, field), hint, "%s: " format,     \
          lw_check_subject(check, joint, field, (char[LW_SUBJECT_SIZE]){0}), __VA_ARGS__)

// A warning about a joint or its link.
#define lw_check_warn(check, id, joint, field, hint, format, ...)                                  \
  lw_find_warning(&(check)->found, id, lw_check_def(check, joint)->name,                           \
                  lw_check_def(check, joint)->link.name, lw_check_place(check, joint, field),      \
                  hint, "%s: " format,                                                             \
                  lw_check_subject(check, joint, field, (char[LW_SUBJECT_SIZE]){0}), __VA_ARGS__)

// Checks the numbers of one joint, or of the base, and its link; false if one of them is invalid.
bool lw_check_numbers(lwCheck* check, int joint);

// Densities that are plausible, kg/m^3: foam to platinum.
#define LW_LIGHTEST 5.0
#define LW_HEAVIEST 25000.0

// Principal moments of an inertia, in rising order.
void lw_principal_moments(const double I[6], double moments[3]);

// Mass properties of the link of one joint, or of the base,
// whose numbers are finite and mass is not negative.
void lw_check_link(lwCheck* check, int joint);

#endif
