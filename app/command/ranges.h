// SPDX-License-Identifier: MIT
// Positions outside the limits of their joints, and angles beyond a whole turn: most are degrees
// where radians are expected. A command answers nevertheless, and reports them once, at its end;
// --quiet does not silence that, for the answer may mean something else than was asked.
#ifndef APP_COMMAND_RANGES_H
#define APP_COMMAND_RANGES_H

#include <stdbool.h>

#include "linkwork/model.h"

// Looks at rows of positions (rows, nq). where: the option or the file they come from; line: of the
// first row in that file, 0: an option. timed: the rows are in the order of time, in which a joint
// without limits may turn many times; only the first row of the file is then held against a turn.
void ranges_positions(const lwModel* model, const char* where, long line, const double* q, int rows,
                      bool timed);

// Notes angles beyond 2 pi of a pose, a mount or a snake; each with a name, or NULL: "value 4",
// counted from `first`.
void ranges_angles(const char* where, long line, const double* angles, int count,
                   const char* const* names, int first);

// Prints the first of them and the number of rows, if there are any, and forgets them.
void ranges_report(void);

#endif
