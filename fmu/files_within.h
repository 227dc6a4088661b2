// SPDX-License-Identifier: MIT
// Replaces the calls of document_text.c, see unit_files.h.
#ifndef LW_FMU_FILES_WITHIN_H
#define LW_FMU_FILES_WITHIN_H

#include "unit_files.h"

#define open(path, flags)    unit_open(path, flags)
#define read(file, to, size) unit_read(file, to, size)
#define fstat(file, info)    unit_fstat(file, info)
#define close(file)          unit_close(file)

#endif
