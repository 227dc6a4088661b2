// SPDX-License-Identifier: MIT
// --friction and --rotors: what drives supply besides moving the links.
#ifndef APP_IDENTIFY_DRIVE_TERMS_H
#define APP_IDENTIFY_DRIVE_TERMS_H

#include "app.h"

unsigned terms_of(const Options* options);  // sums of LW_HAS_TERM()

#endif
