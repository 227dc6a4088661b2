// SPDX-License-Identifier: MIT
// Reads a file as UTF-8 text of bounded size, with lines as editors count them.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/text.h"
#include "read/document/document.h"
#include "text/table_formats.h"

static const int FIRST_READ = 64 << 10;  // bytes

static const lwPlace nowhere = {0, 0};

static lwStatus too_large(lwDocument* document)
{
  lw_document_error(document, nowhere, NULL,
                    "the file is larger than %zu MB, the most that is read", document->most >> 20);
  return LW_ERROR_FILE;
}

static lwStatus cannot(lwDocument* document, const char* what, int error)
{
  char text[128];
  if (strerror_r(error, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", error);
  lw_document_error(document, nowhere, NULL, "the file cannot be %s: %s", what, text);
  return LW_ERROR_FILE;
}

// --- what the text may contain

// The message about a character that is refused, or NULL.
static const char* refusal(const char* text, size_t length, size_t bytes, uint32_t code)
{
  if (bytes == 0) return "the file is not UTF-8 text";
  if (code == '\t' || code == '\n') return NULL;
  if (code == '\r')
    return length > 1 && text[1] == '\n' ? NULL : "a carriage return without a line feed";
  if (code == 0) return "a NUL byte: the file is not text";
  if (code == 0x85 || code == 0x2028 || code == 0x2029)
    return "a line separator other than line feed";
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return "a control character";
  if (code == 0xFEFF) return "a byte order mark inside the text";
  return code == 0xFFFE || code == 0xFFFF ? "a character that Unicode does not define" : NULL;
}

static lwStatus refuse_text(lwDocument* document, lwPlace place, const char* what)
{
  const unsigned char* text = (const unsigned char*)document->source.text;
  bool utf16                = document->source.length > 1 &&
               ((text[0] == 0xFE && text[1] == 0xFF) || (text[0] == 0xFF && text[1] == 0xFE));
  return lw_document_refuse(
      document, place,
      utf16 ? "it looks like UTF-16; save it as UTF-8" : "save the file as UTF-8 text", "%s", what);
}

// Finds the first character that is refused. Plain ASCII is skipped quickly.
static lwStatus check_characters(lwDocument* document)
{
  const char* text = document->source.text;
  size_t length    = document->source.length;
  lwPlace place    = {1, 1};
  for (size_t i = 0; i < length; ++place.column)
  {
    uint32_t code = (unsigned char)text[i];
    if (code >= 0x20 && code < 0x7F)
    {
      ++i;
      continue;
    }
    size_t bytes     = lw_text_decode(text + i, length - i, &code);
    const char* what = refusal(text + i, length - i, bytes, code);
    if (what) return refuse_text(document, place, what);
    if (code == '\n') place = (lwPlace){place.line + 1, 0};
    i += bytes;
  }
  return LW_OK;
}

// Takes over a buffer of length + 1 bytes, the last for a final 0.
static void hold(lwDocument* document, char* buffer, size_t length)
{
  buffer[length]          = 0;
  document->buffer        = buffer;
  document->source.text   = buffer;
  document->source.length = length;
}

// The buffer must be text; a byte order mark is skipped.
static lwStatus check_text(lwDocument* document)
{
  static const char mark[] = {'\xEF', '\xBB', '\xBF'};
  lwSource* source         = &document->source;
  if (source->length >= sizeof mark && memcmp(source->text, mark, sizeof mark) == 0)
  {
    source->text += sizeof mark;
    source->length -= sizeof mark;
  }
  return check_characters(document);
}

lwStatus lw_document_open_text(lwDocument* document, const char* name, const char* text,
                               size_t length, lwDiag* diag)
{
  *document = (lwDocument){.source.file = name, .diag = diag, .most = LW_DOCUMENT_MAX_BYTES};
  if (length > document->most) return too_large(document);
  char* buffer = malloc(length + 1);
  if (!buffer) return LW_ERROR_MEMORY;
  if (length > 0) memcpy(buffer, text, length);
  hold(document, buffer, length);
  return check_text(document);
}

lwStatus lw_document_borrow_bytes(lwDocument* document, const char* name, const char* bytes,
                                  size_t length, lwDiag* diag)
{
  *document =
      (lwDocument){.source = {name, bytes, length}, .diag = diag, .most = LW_DOCUMENT_MAX_BYTES};
  return length > document->most ? too_large(document) : LW_OK;
}

// --- files

typedef struct DocumentBytes
{
  char* data;
  size_t length;
  size_t size;  // of data
} DocumentBytes;

static bool grow_text(DocumentBytes* bytes, size_t size)
{
  char* data = realloc(bytes->data, size);
  if (!data) return false;
  bytes->data = data;
  bytes->size = size;
  return true;
}

// Reads to the end, or one byte more than is allowed.
static lwStatus read_all(lwDocument* document, int file, DocumentBytes* bytes)
{
  for (;;)
  {
    if (bytes->length + 1 >= bytes->size && !grow_text(bytes, 2 * bytes->size))
      return LW_ERROR_MEMORY;
    ssize_t got = read(file, bytes->data + bytes->length, bytes->size - bytes->length - 1);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot(document, "read", errno);
    if (got == 0) return LW_OK;
    bytes->length += (size_t)got;
    if (bytes->length > document->most) return too_large(document);
  }
}

static lwStatus load_text(lwDocument* document, int file, size_t expected)
{
  DocumentBytes bytes = {0};
  if (!grow_text(&bytes, expected + FIRST_READ)) return LW_ERROR_MEMORY;
  lwStatus status = read_all(document, file, &bytes);
  if (status == LW_OK)
    hold(document, bytes.data, bytes.length);
  else
    free(bytes.data);
  return status;
}

// Decides by the kind of file whether to read it, before reading a byte.
static lwStatus load_open(lwDocument* document, int file)
{
  struct stat info;
  if (fstat(file, &info) != 0) return cannot(document, "read", errno);
  if (S_ISDIR(info.st_mode)) return cannot(document, "read", EISDIR);
  bool regular = S_ISREG(info.st_mode);
  if (regular && (size_t)info.st_size > document->most) return too_large(document);
  return load_text(document, file, regular ? (size_t)info.st_size : 0);
}

bool lw_document_may_open(lwDocument* document, lwPlace place, const char* path)
{
  struct stat info;
  if (stat(path, &info) != 0 || S_ISREG(info.st_mode)) return true;
  return lw_document_reject(document, place, NULL, "'%.200s' is not a file", path);
}

static lwStatus load_file(lwDocument* document, const char* path)
{
  if (strcmp(path, "-") == 0) return load_open(document, STDIN_FILENO);
  int file;
  do
  {
    file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);  // waits for the writer of a pipe
  } while (file < 0 && errno == EINTR);
  if (file < 0) return cannot(document, "opened", errno);
  lw_diag_opened(document->diag, path);
  lwStatus status = load_open(document, file);
  close(file);
  return status;
}

lwStatus lw_document_read_bytes(lwDocument* document, const char* path, lwDiag* diag)
{
  *document = (lwDocument){.source.file = path, .diag = diag, .most = LW_DOCUMENT_MAX_BYTES};
  return load_file(document, path);
}

static lwStatus load_named(lwDocument* document, const char* path, size_t most, lwDiag* diag)
{
  const char* name = strcmp(path, "-") == 0 ? "<stdin>" : path;
  *document        = (lwDocument){.source.file = name, .diag = diag, .most = most};
  return load_file(document, path);
}

lwStatus lw_document_open_file(lwDocument* document, const char* path, lwDiag* diag)
{
  lwStatus status = load_named(document, path, LW_DOCUMENT_MAX_BYTES, diag);
  return status == LW_OK ? check_text(document) : status;
}

lwStatus lw_document_open_table(lwDocument* document, const char* path, lwDiag* diag)
{
  lwStatus status        = load_named(document, path, LW_TABLE_MAX_BYTES, diag);
  const lwSource* source = &document->source;
  if (status != LW_OK || lw_table_is_binary(source->text, source->length)) return status;
  return check_text(document);
}
