// SPDX-License-Identifier: MIT
#include "ranges.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/note.h"

static const double TURN      = 2 * LW_PI;
static const double ROUNDING  = 1e-9;  // rad or m, and relative to a limit: no excess
static const double UNLIMITED = 1e4;   // rad or m: limits beyond stand for none

// What was found since the last report.
static struct
{
  long rows, found;  // that were looked at, and that are outside
  bool options;      // the first one comes from an option
  char first[512];   // what it is
} ranges;

// Notes a finding of the row under way; `found` counts it only once.
static void note_finding(const char* where, long line, bool counted, double value, const char* unit,
                         const char* what)
{
  char place[300];
  if (counted) return;
  if (++ranges.found > 1) return;
  bool degrees   = !strcmp(unit, "rad") && fabs(value) > TURN;
  ranges.options = line == 0;
  snprintf(place, sizeof place, "%.200s", where);
  if (line > 0) snprintf(place, sizeof place, "%.200s:%ld", where, line);
  snprintf(ranges.first, sizeof ranges.first, "%s: %s%s", place, what,
           !degrees         ? ""
           : ranges.options ? "; angles are in rad, degrees are written like 90 deg"
                            : "; are these degrees? Columns of angles are in rad");
}

// --- positions

typedef struct JointRange
{
  double lower, upper;  // infinite: no limit
  bool turn;            // limited by a whole turn only
  bool slides;
  const char* name;
} JointRange;

static JointRange joint_range(const lwModel* model, int i)
{
  lwCoordinate entry      = lw_model_position(model, i);
  const lwJointDef* joint = &lw_model_robot(model)->joints[entry.joint];
  bool one                = joint->type == LW_JOINT_REVOLUTE || joint->type == LW_JOINT_PRISMATIC;
  JointRange range        = {-INFINITY, INFINITY, false, entry.slides, entry.name};
  if (!one) return range;
  if (joint->limits.lower > -UNLIMITED) range.lower = joint->limits.lower;
  if (joint->limits.upper < UNLIMITED) range.upper = joint->limits.upper;
  range.turn = !entry.slides && isinf(range.lower) && isinf(range.upper);
  if (range.turn) range.lower = -TURN;
  if (range.turn) range.upper = TURN;
  return range;
}

static bool is_outside(const JointRange* range, double q)
{
  return q < range->lower - ROUNDING * (1 + fabs(range->lower)) ||
         q > range->upper + ROUNDING * (1 + fabs(range->upper));
}

static void tell_position(const JointRange* range, double q, const char* where, long line,
                          bool counted)
{
  char what[300];
  const char* unit = range->slides ? "m" : "rad";
  if (range->turn)
    snprintf(what, sizeof what, "joint '%.80s' at %.6g rad is beyond a whole turn", range->name, q);
  else
    snprintf(what, sizeof what, "joint '%.80s' at %.6g %s is outside its limits, %.6g to %.6g %s",
             range->name, q, unit, range->lower, range->upper, unit);
  note_finding(where, line, counted, q, unit, what);
}

void ranges_positions(const lwModel* model, const char* where, long line, const double* q, int rows,
                      bool timed)
{
  size_t nq          = (size_t)lw_model_nq(model);
  JointRange* joints = malloc((nq + 1) * sizeof *joints);
  if (!joints) return;  // which the answer will report
  for (size_t i = 0; i < nq; ++i) joints[i] = joint_range(model, (int)i);
  ranges.rows += rows;
  for (int row = 0; row < rows; ++row, q += nq)
  {
    long at    = line > 0 ? line + row : 0;
    bool found = false, turns = timed && at > 2;  // line 1 is the header
    for (size_t i = 0; i < nq; ++i)
    {
      if (!is_outside(&joints[i], q[i]) || (turns && joints[i].turn)) continue;
      tell_position(&joints[i], q[i], where, at, found);
      found = true;
    }
  }
  free(joints);
}

// --- angles

void ranges_angles(const char* where, long line, const double* angles, int count,
                   const char* const* names, int first)
{
  bool found = false;
  ++ranges.rows;
  for (int k = 0; k < count; ++k)
  {
    char what[120], number[32];
    if (!(fabs(angles[k]) > TURN + ROUNDING)) continue;
    snprintf(number, sizeof number, "value %d", first + k);
    snprintf(what, sizeof what, "%.40s of %.6g rad is beyond a whole turn",
             names ? names[k] : number, angles[k]);
    note_finding(where, line, found, angles[k], "rad", what);
    found = true;
  }
}

// --- the report

void ranges_report(void)
{
  if (ranges.found > 1 || (ranges.found == 1 && !ranges.options))
    warn("%s (%ld of %ld %s)", ranges.first, ranges.found, ranges.rows,
         ranges.options ? "lists" : "rows");
  else if (ranges.found == 1)
    warn("%s", ranges.first);
  ranges.rows = ranges.found = 0;
}
