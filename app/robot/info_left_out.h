// SPDX-License-Identifier: MIT
// What of a robot has no column of its own, and why.
#ifndef APP_INFO_LEFT_OUT_H
#define APP_INFO_LEFT_OUT_H

#include "app.h"
#include "io/output.h"

void left_out_words(Out* out, const lwModel* model);

// ,"left_out": [..], "notes": [..]
void left_out_json(Out* out, const lwModel* model);

#endif
