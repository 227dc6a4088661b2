// SPDX-License-Identifier: MIT
#define LW_SCALAR_f32
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#define LAGRANGE      lagrange_single
#include "lagrange_text.h"
