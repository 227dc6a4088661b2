// SPDX-License-Identifier: MIT
#ifndef LW_GENERATE_CASADI_H
#define LW_GENERATE_CASADI_H

#include "generate/function.h"

// What the names of the functions that compute end with, beside those that CasADi calls.
#define LW_CASADI_VALUES "_values"

// Behind the functions of C, for each one what CasADi's external() calls. False if memory ran out.
bool lw_emit_casadi(lwGenerated* made, lwOut* text);

#endif
