// SPDX-License-Identifier: MIT
// Before document_text.c in the amalgamation: it then opens files of the unit.
#include "files_within.h"
