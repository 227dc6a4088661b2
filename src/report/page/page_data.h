// SPDX-License-Identifier: MIT
// What the page knows: one JSON text and, after it,
// bytes that the text points into by offset and length.
//
//   robot, scenario --page_json.c--> JSON      links --page_json.c--> shapes, triangles
//   recordings --page_columns.c--> bytes       all of it
//     --page_write.c--> compressed, base64, in the page
//
// Names, titles and texts are treated as data: none of it becomes markup.
#ifndef LW_REPORT_PAGE_PAGE_DATA_H
#define LW_REPORT_PAGE_PAGE_DATA_H

#include <stdbool.h>

#include "linkwork/model.h"
#include "linkwork/snake.h"
#include "read/document/document.h"
#include "report/page/link_shapes.h"
#include "text/out.h"

typedef struct lwPageData
{
  lwOut json;   // in memory: the text so far
  lwOut bytes;  // what it points to
} lwPageData;

void lw_page_free(lwPageData* page);

// --- page_json.c

enum
{
  LW_PAGE_MAX_FILES = 16
};

// Files that a scenario names, under the paths it writes;
// in the page they are called file1, file2, ..
typedef struct lwPageFiles
{
  int count;
  const char* names[LW_PAGE_MAX_FILES];
  bool
      robots[LW_PAGE_MAX_FILES];  // the file is that of a robot: the one a controller computes with
} lwPageFiles;

// A document as JSON. With files: values of the keys `file` and `robot` are noted, and called as in
// the page; that of `robot` at the top is called robot. False: too large, or too many files.
bool lw_page_document(lwOut* out, const lwNode* root, lwPageFiles* files);

// The robot as the JSON of a robot file, with the cylinders of its own file.
// LW_ERROR_MEMORY, or another error, with the reason in diag: it is too large, or has names
// that a robot file cannot have.
lwStatus lw_page_robot(lwOut* out, const lwRobotDef* robot, lwDiag* diag);

// The members of the JSON that describe an arm. Meshes are put into the bytes; those that cannot be
// read are counted in *missing. packages: see lwReadOptions. LW_ERROR_MEMORY, or another error,
// with the reason in diag: the robot is too large, or has names that a robot file cannot have.
lwStatus lw_page_arm(lwPageData* page, const lwModel* model, const char* packages,
                     lwMissingMeshes* missing, lwDiag* diag);

// The members that describe a snake.
void lw_page_snake(lwOut* out, const lwSnake* snake);

// --- recordings

// Values (rows, width) as a list of columns that point into the bytes. bits: kept of the range of
// each, 0: all there are.
bool lw_page_columns(lwPageData* page, const char* const* names, size_t width, const double* values,
                     size_t rows, int bits);

// --- page_write.c

// The page: `template` with the data in it, as one text that the caller frees; NULL: out of memory.
char* lw_page_make(lwPageData* page, const char* template_text, size_t template_length,
                   size_t* length);

// Bytes of the data once compressed, before they become text.
size_t lw_page_size(lwPageData* page);

#endif
