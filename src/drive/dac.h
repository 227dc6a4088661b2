// SPDX-License-Identifier: MIT
#ifndef LW_DRIVE_DAC_H
#define LW_DRIVE_DAC_H

#include "linkwork/drive.h"

// What is wrong with a converter, as a sentence, or NULL.
const char* lw_dac_fault(const lwDac* dac);

#endif
