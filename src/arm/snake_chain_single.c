// SPDX-License-Identifier: MIT
#define LW_SCALAR_f32
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#define CHAIN         lw_snake_chain_single
#include "arm/snake_chain_text.h"
