// SPDX-License-Identifier: MIT
// Text, numbers, csv and json, collected and written to a file.
#ifndef LW_TEXT_OUT_H
#define LW_TEXT_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "text/atomic_file.h"

// What a table is written as.
typedef enum lwFormat
{
  LW_FORMAT_TABLE,
  LW_FORMAT_CSV,
  LW_FORMAT_JSON
} lwFormat;

enum
{
  LW_OUT_SIZE = 1 << 16  // bytes collected before they are written
};

typedef struct lwOut
{
  int file;          // descriptor
  const char* name;  // for messages
  bool aside;        // written under a temporary name, which is in `whole`
  lwAtomicFile whole;
  int error;  // errno of the first write that failed
  size_t used;
  struct lwOut* onto;              // in place of the file; NULL: there is one
  bool in_memory;                  // in place of the file: text, which grows
  char* text;                      // with a 0 after it, as of the last flush
  size_t length, capacity;         // of text, bytes
  struct lwOut* also;              // what gets a copy of everything, or NULL
  void (*before_write)(int file);  // called when something goes to the file; or NULL
  char buffer[LW_OUT_SIZE];
} lwOut;

// Writes what was collected.
void lw_out_flush(lwOut* out);

// Completes the text of an output in memory, *out = (lwOut){.in_memory = true}. False: out of
// memory, now or before. The caller frees out->text in any case, by lw_out_free() or itself.
bool lw_out_finish(lwOut* out);
void lw_out_free(lwOut* out);

size_t lw_out_length(const lwOut* out);  // bytes written into memory so far

// True when nothing more can be written, so that a command may stop.
bool lw_out_stopped(const lwOut* out);

void lw_out_bytes(lwOut* out, const char* bytes, size_t count);
void lw_out_text(lwOut* out, const char* text);
void lw_out_char(lwOut* out, int c);
void lw_out_format(lwOut* out, const char* format, ...) __attribute__((format(printf, 2, 3)));
void lw_out_number(lwOut* out, double v);  // the fewest digits that read back to v
// Text in which characters are replaced; an escape is a character and what stands for it, "<&lt;",
// and NULL ends the list.
void lw_out_escaped(lwOut* out, const char* text, const char* const* escapes);
// Text for XML and HTML: what has a meaning there is escaped; control characters become references,
// or spaces.
void lw_out_xml(lwOut* out, bool references, const char* text);
void lw_out_csv(lwOut* out, const char* text);   // quoted if need be
void lw_out_json(lwOut* out, const char* text);  // quoted and escaped; NULL is null

// JSON by a pattern, in which ' stands for ", and $ with a letter for the next arguments:
//   $s text, or null    $n number, null if not finite    $d int    $l long    $b int: true or false
//   $v list: numbers and int count, as [1, 2]            $c as $v, compact: [1,2]
void lw_json(lwOut* out, const char* pattern, ...);
void lw_out_padded(lwOut* out, const char* text,
                   int width);  // to the left; negative width: to the right

#endif
