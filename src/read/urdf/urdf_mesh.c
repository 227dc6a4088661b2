// SPDX-License-Identifier: MIT
// The meshes of a URDF file: where they are, and what they enclose.
//
//   package://NAME/PATH   below a folder of the package path, with or without NAME,
//                         or beside one of the folders that the file is in; model:// likewise
//   file://PATH           there
//   PATH                  from the folder of the file
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "parts/mesh.h"
#include "read/urdf/urdf_shape.h"

enum
{
  MOST_FOLDERS  = 16,  // above the file, in which packages are looked for
  REASON_LENGTH = 300
};

// --- where

// A regular file, not a folder, device or pipe: a file named in a
// document must not make its reader wait.
static bool exists(const char* path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

// folder (of length bytes) / rest, if there is such a file.
static bool try_folder(const char* folder, size_t length, const char* rest,
                       char path[LW_URDF_LONGEST_PATH])
{
  int size = snprintf(path, LW_URDF_LONGEST_PATH, "%.*s/%s", (int)length, folder, rest);
  return size < LW_URDF_LONGEST_PATH && exists(path);
}

// Folders separated by colons.
static bool try_folders(const char* folders, const char* rest, char path[LW_URDF_LONGEST_PATH])
{
  while (folders && *folders)
  {
    size_t length    = strcspn(folders, ":");
    const char* tail = strchr(rest, '/');
    if (length > 0 && try_folder(folders, length, rest, path)) return true;
    if (length > 0 && tail && try_folder(folders, length, tail + 1, path)) return true;
    folders += length + (folders[length] == ':');
  }
  return false;
}

// The folders above that of the file.
static bool try_above(const char* file, const char* rest, char path[LW_URDF_LONGEST_PATH])
{
  char folder[LW_URDF_LONGEST_PATH];
  const char* slash = strrchr(file, '/');
  size_t used       = slash ? (size_t)(slash - file) : 1;
  if (used + 3 * MOST_FOLDERS >= sizeof folder) return false;
  memcpy(folder, slash ? file : ".", used);
  for (int k = 0; k < MOST_FOLDERS; ++k)
  {
    if (try_folder(folder, used, rest, path)) return true;
    memcpy(folder + used, "/..", 3);
    used += 3;
  }
  return false;
}

static const char* behind_scheme(const char* name, const char* scheme)
{
  size_t length = strlen(scheme);
  return strncmp(name, scheme, length) == 0 ? name + length : NULL;
}

bool lw_urdf_find_mesh(const char* file, const char* packages, const char* name,
                       char path[LW_URDF_LONGEST_PATH])
{
  const char* rest = behind_scheme(name, "package://");
  if (!rest) rest = behind_scheme(name, "model://");
  if (rest) return try_folders(packages, rest, path) || try_above(file, rest, path);
  rest = behind_scheme(name, "file://");
  if (rest)
    return snprintf(path, LW_URDF_LONGEST_PATH, "%s", rest) < LW_URDF_LONGEST_PATH && exists(path);
  if (name[0] == '/')
    return snprintf(path, LW_URDF_LONGEST_PATH, "%s", name) < LW_URDF_LONGEST_PATH && exists(path);
  const char* slash = strrchr(file, '/');
  return try_folder(slash ? file : ".", slash ? (size_t)(slash - file) : 1, name, path);
}

// --- what

static const char* keep_mesh(lwUrdf* urdf, const char* name, const char* why)
{
  char reason[REASON_LENGTH];
  snprintf(reason, sizeof reason, "mesh '%.120s': %s", name, why);
  const char* kept = lw_arena_text(&urdf->document->arena, reason, strlen(reason));
  return kept ? kept : "out of memory";
}

static const char* read_mesh(lwUrdf* urdf, const char* name, const char* path, lwSolid* solid)
{
  lwDiag* diag = lw_diag_create();
  if (!diag) return "out of memory";
  const char* fault = NULL;
  lwStatus status   = lw_mesh_read_file(path, 1, diag, solid);
  const char* text  = lw_status_text(status);
  for (int i = lw_diag_size(diag) - 1; i >= 0; --i)
    if (lw_diag_message(diag, i)->severity == LW_SEVERITY_ERROR)
      text = lw_diag_message(diag, i)->text;
  if (status != LW_OK) fault = keep_mesh(urdf, name, text);
  lw_diag_destroy(diag);
  return fault;
}

static const char* look_for(lwUrdf* urdf, const char* name, lwSolid* solid)
{
  char path[LW_URDF_LONGEST_PATH];
  if (!lw_mesh_is_known(name))
    return keep_mesh(urdf, name, "only STL, OBJ and DAE can be measured");
  const char* file = urdf->document->source.file ? urdf->document->source.file : "";
  if (!lw_urdf_find_mesh(file, urdf->options.read.packages, name, path))
    return keep_mesh(urdf, name, "there is no such file");
  return read_mesh(urdf, name, path, solid);
}

// Links share meshes: each is read once.
const char* lw_urdf_mesh(lwUrdf* urdf, const char* name, lwSolid* solid)
{
  urdf->mesh_names.arena = &urdf->document->arena;
  int* number            = lw_name_map_put(&urdf->mesh_names, name);
  if (!number) return "out of memory";
  if (*number < 0)
  {
    lwUrdfMesh* mesh = lw_arena_take(&urdf->document->arena, 1, sizeof *mesh);
    if (!mesh) return "out of memory";
    *mesh        = (lwUrdfMesh){.next = urdf->meshes, .number = urdf->mesh_count};
    mesh->fault  = look_for(urdf, name, &mesh->solid);
    urdf->meshes = mesh;
    *number      = urdf->mesh_count++;
  }
  const lwUrdfMesh* mesh = urdf->meshes;
  while (mesh->number != *number) mesh = mesh->next;
  *solid = mesh->solid;
  return mesh->fault;
}
