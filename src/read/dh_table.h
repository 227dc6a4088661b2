// SPDX-License-Identifier: MIT
#ifndef LW_READ_DH_TABLE_H
#define LW_READ_DH_TABLE_H

#include "read/document/document.h"
#include "text/out.h"

// True for the name of a table, *.csv.
bool lw_dh_table_is(const char* path);

// Whether a first line names alpha or theta among its columns, as no other table does.
bool lw_dh_table_begins(const char* text);

// Writes a table of Denavit-Hartenberg parameters as a robot file whose lines are those of the
// table. LW_ERROR_INPUT after reporting what is wrong.
lwStatus lw_dh_table_read(lwDocument* document, lwOut* robot);

#endif
