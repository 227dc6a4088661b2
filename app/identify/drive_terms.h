// SPDX-License-Identifier: MIT
// --friction and --rotors: what drives supply besides moving the links.
#ifndef APP_IDENTIFY_DRIVE_TERMS_H
#define APP_IDENTIFY_DRIVE_TERMS_H

#include "app.h"

// Sums of LW_HAS_TERM(). DONE, or USAGE if the option is wrong.
int terms_choose(const Options* options, unsigned* terms);

#endif
