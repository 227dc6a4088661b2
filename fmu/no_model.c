// SPDX-License-Identifier: MIT
// In place of a unit's model.c: its model is in the folder resources/.
#include "unit_files.h"

const struct lwUnitFile lw_unit_files[] = {{NULL, NULL, 0}};
