// SPDX-License-Identifier: MIT
#ifndef LW_READ_DH_TABLE_H
#define LW_READ_DH_TABLE_H

#include "read/document/document.h"

// True for the name of a table, *.csv.
bool lw_dh_table_is(const char* path);

// Whether a first line names alpha or theta among its columns, as no other table does.
bool lw_dh_table_begins(const char* text);

// Replaces a table in a document by the robot file that it stands for, whose lines are those of the
// table. *text, which the document refers to, is for free(). LW_ERROR_INPUT after reporting what is
// wrong.
lwStatus lw_dh_table_open(lwDocument* document, const char* path, lwDiag* diag, char** text);

#endif
