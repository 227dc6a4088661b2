// SPDX-License-Identifier: MIT
// Base parameters as people and programs read them.
#ifndef LW_REPORT_PARAMETERS_TABLE_H
#define LW_REPORT_PARAMETERS_TABLE_H

#include "linkwork/identify.h"
#include "text/out.h"

void lw_parameters_write(lwOut* out, lwFormat format, const lwModel* model,
                         const lwParameters* parameters);

// What both ways of finding them say: equal, or the rules do not hold for this robot.
bool lw_parameters_agree(const lwParameters* parameters);

#endif
