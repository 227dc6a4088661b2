// SPDX-License-Identifier: MIT
#include "unit_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum
{
  WITHIN = INT_MAX  // descriptor of the file of model.c that is open
};

static _Thread_local const struct lwUnitFile* opened;
static _Thread_local size_t opened_at;
static _Thread_local const char* resources;

void unit_folder(const char* folder)
{
  resources = folder;
}

int unit_open(const char* path, int flags)
{
  char full[PATH_MAX];
  if (!strncmp(path, "./", 2)) path += 2;
  for (opened = lw_unit_files; opened->name; ++opened)
    if (!strcmp(opened->name, path))
    {
      opened_at = 0;
      return WITHIN;
    }
  if (resources && snprintf(full, sizeof full, "%s/%s", resources, path) < PATH_MAX)
    return open(full, flags);
  errno = ENOENT;
  return -1;
}

ssize_t unit_read(int file, void* to, size_t size)
{
  if (file != WITHIN) return read(file, to, size);
  size_t left = opened->length - opened_at;
  if (size > left) size = left;
  memcpy(to, opened->text + opened_at, size);
  opened_at += size;
  return (ssize_t)size;
}

int unit_fstat(int file, struct stat* info)
{
  if (file != WITHIN) return fstat(file, info);
  memset(info, 0, sizeof *info);
  info->st_mode = S_IFREG;
  info->st_size = (off_t)opened->length;
  return 0;
}

int unit_close(int file)
{
  return file == WITHIN ? 0 : close(file);
}
