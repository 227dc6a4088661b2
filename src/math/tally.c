// SPDX-License-Identifier: MIT
#include "math/tally.h"

_Thread_local lwCount lw_tally;
