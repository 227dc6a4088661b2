// SPDX-License-Identifier: MIT
// ZIP archives (PKWARE, APPNOTE.TXT 6.3): local headers, data, central directory; deflated if zlib
// is available, else as they are. Without times, so that the same content gives the same bytes.
#ifndef LW_FMU_ZIP_H
#define LW_FMU_ZIP_H

#include <stdint.h>

#include "text/out.h"

enum
{
  ZIP_MOST = 64  // files
};

typedef struct ZipEntry
{
  char name[300];
  uint32_t crc, packed, length, at;
  bool deflated;
} ZipEntry;

typedef struct Zip
{
  lwOut* out;
  size_t written;
  int count;
  ZipEntry entries[ZIP_MOST];
} Zip;

void zip_add(Zip* zip, const char* name, const char* bytes, size_t length);
// A file as `gzip -n` wrote it (RFC 1952, no name, no time): its deflated bytes are taken as they are.
void zip_add_gzip(Zip* zip, const char* name, const char* bytes, size_t length);
void zip_end(Zip* zip);

#endif
