// SPDX-License-Identifier: MIT
// export_all IN OUT: copies an archive of objects and makes their hidden symbols visible, so that a
// shared library of them exports everything. Tests link that library. The objects themselves stay
// as they are compiled for the programs and for the libraries that people link with.
// IN and OUT are archives in the System V format, as ar writes them on ELF systems.
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MAGIC_SIZE  = 8,
  HEADER_SIZE = 60,
  SIZE_AT     = 48,  // of the member's size within its header, in decimal digits
  SIZE_DIGITS = 10
};

static void stop(const char* path, const char* why)
{
  fprintf(stderr, "export_all: %s: %s\n", path, why);
  exit(EXIT_FAILURE);
}

// The bytes of a file; freed by the caller.
static char* read_bytes(const char* path, size_t* size)
{
  FILE* file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) stop(path, "cannot be read");
  long length = ftell(file);
  rewind(file);
  char* bytes = length < 0 ? NULL : malloc((size_t)length + 1);
  if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length)
    stop(path, "cannot be read");
  fclose(file);
  *size = (size_t)length;
  return bytes;
}

static void write_bytes(const char* path, const char* bytes, size_t size)
{
  FILE* file   = fopen(path, "wb");
  bool written = file && fwrite(bytes, 1, size, file) == size;
  if (!file || fclose(file) || !written) stop(path, "cannot be written");
}

// Hidden and global symbols become visible. Names that begin with an underscore belong to compilers
// and sanitizers, which count on their being hidden. Members are aligned to two bytes only, so
// structs are copied.
static void show_symbols(char* symbols, size_t size, const char* names)
{
  for (size_t at = 0; at + sizeof(ElfW(Sym)) <= size; at += sizeof(ElfW(Sym)))
  {
    ElfW(Sym) symbol;
    memcpy(&symbol, symbols + at, sizeof symbol);
    bool hidden = (symbol.st_other & 3) == STV_HIDDEN && symbol.st_shndx != SHN_UNDEF;
    if (!hidden || symbol.st_info >> 4 == STB_LOCAL || names[symbol.st_name] == '_') continue;
    symbol.st_other &= (unsigned char)~3;
    memcpy(symbols + at, &symbol, sizeof symbol);
  }
}

static void show_object(char* object)
{
  ElfW(Ehdr) file;
  memcpy(&file, object, sizeof file);
  for (int i = 0; i < file.e_shnum; ++i)
  {
    ElfW(Shdr) table, strings;
    memcpy(&table, object + file.e_shoff + (size_t)i * sizeof table, sizeof table);
    if (table.sh_type != SHT_SYMTAB) continue;
    memcpy(&strings, object + file.e_shoff + table.sh_link * sizeof strings, sizeof strings);
    show_symbols(object + table.sh_offset, table.sh_size, object + strings.sh_offset);
  }
}

int main(int count, char** arguments)
{
  if (count != 3) stop("usage", "export_all IN OUT");
  size_t size;
  char* bytes = read_bytes(arguments[1], &size);
  if (size < MAGIC_SIZE || memcmp(bytes, "!<arch>\n", MAGIC_SIZE) != 0)
    stop(arguments[1], "is not an archive");
  for (size_t at = MAGIC_SIZE; at + HEADER_SIZE <= size;)
  {
    char digits[SIZE_DIGITS + 1] = "";
    memcpy(digits, bytes + at + SIZE_AT, SIZE_DIGITS);
    size_t length = strtoul(digits, NULL, 10);
    at += HEADER_SIZE;
    if (length > size - at) stop(arguments[1], "ends within a member");
    if (length >= sizeof(ElfW(Ehdr)) && !memcmp(bytes + at, ELFMAG, SELFMAG))
      show_object(bytes + at);
    at += length + length % 2;
  }
  write_bytes(arguments[2], bytes, size);
  free(bytes);
  return EXIT_SUCCESS;
}
