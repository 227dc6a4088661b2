// SPDX-License-Identifier: MIT
// What the page knows: one JSON text and, after it,
// bytes that the text points into by offset and length.
//
//   robot, scenario --page_json.c--> JSON      links --page_shapes.c--> shapes, triangles
//   recordings --page_columns.c--> bytes       all of it
//     --page_write.c--> compressed, base64, in the page
//
// Names, titles and texts are treated as data: none of it becomes markup.
#ifndef LW_REPORT_PAGE_PAGE_DATA_H
#define LW_REPORT_PAGE_PAGE_DATA_H

#include <stdbool.h>
#include <stdio.h>

#include "linkwork/model.h"
#include "linkwork/snake.h"
#include "read/document/document.h"
#include "report/memory_file.h"

typedef struct lwPageData
{
  lwMemoryFile json_memory, byte_memory;
  FILE* json;   // the text so far
  FILE* bytes;  // what it points to
} lwPageData;

// False: out of memory. To be freed in any case, and not to be moved before.
bool lw_page_begin(lwPageData* page);
void lw_page_free(lwPageData* page);

// --- page_json.c

void lw_json_text(FILE* out, const char* text);                        // quoted; NULL: null
void lw_json_number(FILE* out, double number);                         // null if it is not finite
void lw_json_numbers(FILE* out, const double* numbers, size_t count);  // a list

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
} lwPageFiles;

// A document as JSON. With files: values of the key `file` are noted, and called as in the page,
// and that of `robot` at the top is called robot. False: too large, or too many files.
bool lw_page_document(FILE* out, const lwNode* root, lwPageFiles* files);

// The robot as the JSON of a robot file. LW_ERROR_MEMORY, or another error: it is too large.
lwStatus lw_page_robot(FILE* out, const lwRobotDef* robot);

// --- page_shapes.c

// The base and the links with their mass properties and shapes, as a list: link i + 1 is that
// of joint i. Meshes are put into the bytes; those that cannot be read are counted in
// *missing. packages: see lwReadOptions.
void lw_page_links(lwPageData* page, const lwRobotDef* robot, const char* packages, int* missing);

// --- page_robot.c

void lw_page_member(FILE* out, const char* key);  // begins a further member of the object
void lw_page_text_member(FILE* out, const char* key, const char* text);

// The members of the JSON that describe an arm;
// status of lw_page_robot(), missing of lw_page_links().
lwStatus lw_page_arm(lwPageData* page, const lwModel* model, const char* packages, int* missing);

// The members that describe a snake.
void lw_page_snake(FILE* out, const lwSnake* snake);

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
