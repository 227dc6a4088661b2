// SPDX-License-Identifier: MIT
// linkwork info: what its formats share.
#ifndef APP_INFO_H
#define APP_INFO_H

#include "app.h"
#include "io/output.h"

enum
{
  INFO_METHODS = 3
};

extern const lwQuestion INFO_QUESTIONS[INFO_METHODS];  // whose methods are worth naming

double total_mass(const lwRobotDef* robot);  // kg, the base included
void info_json(Out* out, const lwModel* model, const lwWorkspace* ws);

#endif
