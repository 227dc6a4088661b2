// SPDX-License-Identifier: MIT
#include "zip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef LINKWORK_ZLIB
#include <zlib.h>
#endif

// The CRC-32 of ISO 3309, bit by bit.
static uint32_t cyclic_sum(const char* bytes, size_t length)
{
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < length; ++i)
  {
    crc ^= (unsigned char)bytes[i];
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

// Deflated bytes without a header, which the caller frees; NULL: no zlib, no memory (an error of
// zip->out), or they are not fewer.
static char* deflate_bytes(Zip* zip, const char* bytes, size_t length, size_t* packed)
{
#ifdef LINKWORK_ZLIB
  // NOLINTNEXTLINE: zlib reads it only
  z_stream stream = {.next_in = (Bytef*)bytes, .avail_in = (uInt)length};
  char* to        = length > 0 ? malloc(length) : NULL;
  if (length == 0) return NULL;
  if (!to || deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
  {
    zip->out->error = ENOMEM;
    free(to);
    return NULL;
  }
  stream.next_out  = (Bytef*)to;
  stream.avail_out = (uInt)length;
  bool fits        = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  *packed          = stream.total_out;
  deflateEnd(&stream);
  if (fits) return to;
  free(to);
#endif
  (void)zip, (void)bytes, (void)length, (void)packed;
  return NULL;
}

static void put_whole(Zip* zip, uint32_t number, int bytes)
{
  for (int k = 0; k < bytes; ++k) lw_out_char(zip->out, (int)(number >> 8 * k & 255));
  zip->written += (size_t)bytes;
}

static void put_bytes(Zip* zip, const char* bytes, size_t length)
{
  lw_out_bytes(zip->out, bytes, length);
  zip->written += length;
}

// What local header and directory have in common.
static void put_entry(Zip* zip, const ZipEntry* entry)
{
  put_whole(zip, 20, 2);  // version needed
  put_whole(zip, 0, 2);   // flags
  put_whole(zip, entry->deflated ? 8 : 0, 2);
  put_whole(zip, 0x00210000, 4);  // 1980-01-01, the first day there is
  put_whole(zip, entry->crc, 4);
  put_whole(zip, entry->packed, 4);
  put_whole(zip, entry->length, 4);
  put_whole(zip, (uint32_t)strlen(entry->name), 2);
  put_whole(zip, 0, 2);  // further fields
}

// The next entry, with its header and name; the caller writes its bytes.
static void begin_entry(Zip* zip, const char* name, ZipEntry facts)
{
  ZipEntry* entry = &zip->entries[zip->count++];
  *entry          = facts;
  entry->at       = (uint32_t)zip->written;
  strncat(entry->name, name, sizeof entry->name - 1);
  put_whole(zip, 0x04034B50, 4);
  put_entry(zip, entry);
  put_bytes(zip, entry->name, strlen(entry->name));
}

void zip_add(Zip* zip, const char* name, const char* bytes, size_t length)
{
  size_t packed  = length;
  char* deflated = deflate_bytes(zip, bytes, length, &packed);
  begin_entry(zip, name,
              (ZipEntry){.crc      = cyclic_sum(bytes, length),
                         .packed   = (uint32_t)(deflated ? packed : length),
                         .length   = (uint32_t)length,
                         .deflated = deflated != NULL});
  put_bytes(zip, deflated ? deflated : bytes, deflated ? packed : length);
  free(deflated);
}

static uint32_t whole_at(const char* at)
{
  uint32_t whole = 0;
  for (int k = 3; k >= 0; --k) whole = whole << 8 | (unsigned char)at[k];
  return whole;
}

void zip_add_gzip(Zip* zip, const char* name, const char* bytes, size_t length)
{
  enum
  {
    HEADER  = 10,
    TRAILER = 8
  };
  const char* trailer = bytes + length - TRAILER;  // CRC-32, length
  size_t packed       = length - HEADER - TRAILER;
  begin_entry(zip, name,
              (ZipEntry){.crc      = whole_at(trailer),
                         .packed   = (uint32_t)packed,
                         .length   = whole_at(trailer + 4),
                         .deflated = true});
  put_bytes(zip, bytes + HEADER, packed);
}

void zip_end(Zip* zip)
{
  size_t begin = zip->written;
  for (int i = 0; i < zip->count; ++i)
  {
    const ZipEntry* entry = &zip->entries[i];
    put_whole(zip, 0x02014B50, 4);
    put_whole(zip, 20, 2);  // version made by
    put_entry(zip, entry);
    put_whole(zip, 0, 2);  // comment
    put_whole(zip, 0, 2);  // disk
    put_whole(zip, 0, 2);  // attributes
    put_whole(zip, 0, 4);
    put_whole(zip, entry->at, 4);
    put_bytes(zip, entry->name, strlen(entry->name));
  }
  size_t length = zip->written - begin;
  put_whole(zip, 0x06054B50, 4);
  put_whole(zip, 0, 4);  // disks
  put_whole(zip, (uint32_t)zip->count, 2);
  put_whole(zip, (uint32_t)zip->count, 2);
  put_whole(zip, (uint32_t)length, 4);
  put_whole(zip, (uint32_t)begin, 4);
  put_whole(zip, 0, 2);
}
