// SPDX-License-Identifier: MIT
// Short names for what report/robot/info_formats.h says about a robot.
#ifndef APP_INFO_H
#define APP_INFO_H

#include "app.h"
#include "io/output.h"
#include "report/robot/info_formats.h"

#define INFO_METHODS   LW_INFO_METHODS
#define INFO_QUESTIONS lw_info_questions
#define total_mass     lw_total_mass
#define info_json      lw_info_json
#define left_out_words lw_left_out_words
#define left_out_json  lw_left_out_json

#endif
