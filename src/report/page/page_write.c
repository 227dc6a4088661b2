// SPDX-License-Identifier: MIT
// The data in the page: 8 bytes "lwpage1\n", the length of the JSON text (8 bytes, lowest first),
// the text, spaces up to a multiple of 8, the bytes; compressed by zlib if available; as base64
// in place of the mark in the template.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef LINKWORK_ZLIB
#include <zlib.h>
#endif

#include "report/page/page_columns.h"
#include "report/page/page_data.h"

static const char MARK[] = "@LINKWORK_PAGE_DATA@";

typedef struct PageBytes
{
  unsigned char* at;
  size_t length;
} PageBytes;

// --- recordings

static void write_column(lwPageData* page, const double* values, size_t stride, size_t rows,
                         int bits, unsigned char* planes)
{
  double first = 0, quantum = 0, size = 0;
  if (bits > 0) quantum = lw_page_column_quantum(values, stride, rows, bits, &first);
  for (size_t i = 0; i < rows; ++i) size = fmax(size, fabs(values[i * stride]));
  lw_json(&page->json, ",'offset':$l,'first':$n,'quantum':$n,'size':$n}",
          (long)lw_out_length(&page->bytes), first, quantum, size);
  for (size_t from = 0; from < rows; from += LW_PAGE_CHUNK)
  {
    size_t count = rows - from < LW_PAGE_CHUNK ? rows - from : LW_PAGE_CHUNK;
    lw_page_column_encode(values + from * stride, stride, count, first, quantum, planes);
    lw_out_bytes(&page->bytes, (const char*)planes, LW_PAGE_BYTES * count);
  }
}

bool lw_page_columns(lwPageData* page, const char* const* names, size_t width, const double* values,
                     size_t rows, int bits)
{
  size_t most           = rows < LW_PAGE_CHUNK ? rows : LW_PAGE_CHUNK;
  unsigned char* planes = malloc(most * LW_PAGE_BYTES + 1);
  if (!planes) return false;
  lw_out_char(&page->json, '[');
  for (size_t c = 0; c < width; ++c)
  {
    lw_json(&page->json, c > 0 ? ",\n{'name':$s" : "{'name':$s", names[c]);
    write_column(page, values + c, width, rows, bits, planes);
  }
  lw_out_char(&page->json, ']');
  free(planes);
  return true;
}

// --- one text

static PageBytes join_data(lwPageData* page)
{
  const lwOut *json = &page->json, *bytes = &page->bytes;
  if (!lw_out_finish(&page->json) || !lw_out_finish(&page->bytes)) return (PageBytes){0};
  size_t text   = (json->length + 7) / 8 * 8;
  PageBytes all = {.length = 16 + text + bytes->length};
  all.at        = malloc(all.length);
  if (!all.at) return all;
  memcpy(all.at, "lwpage1\n", 8);
  unsigned char* to = all.at + 8;
  for (int k = 0; k < 8; ++k) to[k] = (unsigned char)((uint64_t)json->length >> 8 * k);
  memset(all.at + 16, ' ', text);
  memcpy(all.at + 16, json->text, json->length);
  if (bytes->length > 0) memcpy(all.at + 16 + text, bytes->text, bytes->length);
  return all;
}

// Takes the bytes and gives others, or none: out of memory.
static PageBytes deflated(PageBytes plain)
{
#ifdef LINKWORK_ZLIB
  uLongf length  = compressBound((uLong)plain.length);
  PageBytes less = {.at = plain.at ? malloc(length) : NULL};
  bool done      = less.at && compress2(less.at, &length, plain.at, (uLong)plain.length, 5) == Z_OK;
  free(plain.at);
  if (done) less.length = length;
  if (done) return less;
  free(less.at);
  return (PageBytes){0};
#else
  return plain;
#endif
}

static char* put_base64(char* to, const PageBytes* from)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < from->length; i += 3)
  {
    size_t left   = from->length - i;
    uint32_t word = (uint32_t)from->at[i] << 16;
    if (left > 1) word |= (uint32_t)from->at[i + 1] << 8;
    if (left > 2) word |= from->at[i + 2];
    *to++ = digits[word >> 18];
    *to++ = digits[word >> 12 & 63];
    *to++ = left > 1 ? digits[word >> 6 & 63] : '=';
    *to++ = left > 2 ? digits[word & 63] : '=';
  }
  return to;
}

size_t lw_page_size(lwPageData* page)
{
  PageBytes data = deflated(join_data(page));
  free(data.at);
  return data.length;
}

char* lw_page_make(lwPageData* page, const char* template_text, size_t template_length,
                   size_t* length)
{
  PageBytes data   = deflated(join_data(page));
  const char* mark = strstr(template_text, MARK);
  size_t before    = mark ? (size_t)(mark - template_text) : template_length;
  size_t after     = mark ? template_length - before - strlen(MARK) : 0;
  char* text       = data.at ? malloc(before + after + data.length / 3 * 4 + 5) : NULL;
  if (text)
  {
    memcpy(text, template_text, before);
    char* to = put_base64(text + before, &data);
    if (after > 0) memcpy(to, mark + strlen(MARK), after);
    *length       = (size_t)(to - text) + after;
    text[*length] = 0;
  }
  free(data.at);
  return text;
}
