// SPDX-License-Identifier: MIT
#include "files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "exit.h"

// Identifies a file as the system does, so that links do not hide it.
typedef struct Identity
{
  dev_t device;
  ino_t number;
  char* path;  // of an input
} Identity;

static Identity* inputs;
static int input_count, input_room;
static bool inputs_lost;  // memory did not last for one

static bool identify(const char* path, Identity* identity)
{
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  *identity = (Identity){info.st_dev, info.st_ino, NULL};
  return true;
}

static bool is_standard(const char* path)
{
  return !path || !strcmp(path, "-");
}

void input_add(const char* path)
{
  Identity identity;
  if (is_standard(path) || !identify(path, &identity)) return;
  if (input_count == input_room)
  {
    int capacity    = input_room ? 2 * input_room : 16;
    Identity* wider = realloc(inputs, (size_t)capacity * sizeof *wider);
    inputs_lost     = inputs_lost || !wider;
    if (!wider) return;
    inputs     = wider;
    input_room = capacity;
  }
  identity.path = strdup(path);
  inputs_lost   = inputs_lost || !identity.path;
  if (identity.path) inputs[input_count++] = identity;
}

const char* input_path(int i)
{
  return i < input_count ? inputs[i].path : NULL;
}

void inputs_add(const lwDiag* diag)
{
  for (int i = 0; i < lw_diag_file_count(diag); ++i) input_add(lw_diag_file(diag, i));
}

int output_check(const char* path)
{
  Identity identity;
  if (is_standard(path)) return DONE;
  if (inputs_lost) return no_memory();  // it might be one of them
  if (!identify(path, &identity)) return DONE;
  for (int i = 0; i < input_count; ++i)
    if (inputs[i].device == identity.device && inputs[i].number == identity.number)
      return fail(USAGE, "cannot write %s: this command reads it; choose another name", path);
  return DONE;
}

// The folder that the path is in, by its true name, and the name in it; NULL:
// there is no such folder.
static const char* split_path(const char* path, char folder[PATH_MAX])
{
  char copy[PATH_MAX];
  const char* slash = strrchr(path, '/');
  const char* name  = slash ? slash + 1 : path;
  size_t length     = (size_t)(name - path);
  if (length >= sizeof copy) return NULL;
  memcpy(copy, path, length);
  copy[length] = 0;
  return realpath(length > 0 ? copy : ".", folder) ? name : NULL;
}

bool same_file(const char* a, const char* b)
{
  Identity first, second;
  struct stat info;
  char folder_a[PATH_MAX], folder_b[PATH_MAX];
  if (is_standard(a) || is_standard(b)) return false;
  bool known_a = identify(a, &first), known_b = identify(b, &second);
  if (known_a && known_b) return first.device == second.device && first.number == second.number;
  if (known_a || known_b || stat(a, &info) == 0) return false;
  const char* name_a = split_path(a, folder_a);
  const char* name_b = split_path(b, folder_b);
  return name_a && name_b && !strcmp(name_a, name_b) && !strcmp(folder_a, folder_b);
}
