// SPDX-License-Identifier: MIT
// linkwork info: what its formats share.
#ifndef LW_REPORT_ROBOT_INFO_FORMATS_H
#define LW_REPORT_ROBOT_INFO_FORMATS_H

#include "linkwork/linkwork.h"
#include "text/out.h"

enum
{
  LW_INFO_METHODS = 3
};

extern const lwQuestion lw_info_questions[LW_INFO_METHODS];  // whose methods are worth naming

double lw_total_mass(const lwRobotDef* robot);  // kg, the base included
void lw_info_json(lwOut* out, const lwModel* model, const lwWorkspace* ws);

// What of a robot has no column of its own, and why.
void lw_left_out_words(lwOut* out, const lwModel* model);

// ,"left_out": [..], "notes": [..]
void lw_left_out_json(lwOut* out, const lwModel* model);

#endif
