// SPDX-License-Identifier: MIT
#include "read/robot_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"

// The index of a file, read at its first use; -1 when out of memory. Its errors are reported at
// their places in it, and once where it is named.
static int find_file(lwPartsShelf* shelf, lwDocument* document, const char* path, lwPlace place)
{
  shelf->paths.arena = &document->arena;
  int* index         = lw_name_map_put(&shelf->paths, path);
  lwParts** files =
      lw_array_grow((void*)shelf->files, shelf->count + 1, &shelf->capacity, sizeof(lwParts*));
  if (files) shelf->files = files;
  if (!index || !files) return -1;
  if (*index < 0)
  {
    lwParts* parts = NULL;
    lw_parts_read_file(path, shelf->options ? &shelf->options->lint : NULL, document->diag, &parts);
    if (!parts)
      lw_document_error(document, place, NULL, "the parts file '%.200s' cannot be used", path);
    *index                       = shelf->count;
    shelf->files[shelf->count++] = parts;
  }
  return *index;
}

static bool refuse_link(lwDocument* document, const lwParts* parts, const char* path,
                        const char* name, lwPlace place)
{
  char hint[128];
  lwNearest nearest = lw_nearest(name);
  int count         = lw_parts_count(parts);
  for (int i = 0; i < count; ++i) lw_nearest_try(&nearest, lw_parts_link(parts, i)->body.name);
  if (nearest.best)
    snprintf(hint, sizeof hint, "did you mean '#%.60s'?", nearest.best);
  else
    snprintf(hint, sizeof hint, "it has %d link%s, the first is '#%.60s'", count,
             count == 1 ? "" : "s", lw_parts_link(parts, 0)->body.name);
  return lw_document_reject(document, place, hint, "the parts file '%.200s' has no link '%.60s'",
                            path, name);
}

static bool no_memory(lwDocument* document, lwPlace place)
{
  return lw_document_reject(document, place, NULL, "%s", lw_status_text(LW_ERROR_MEMORY));
}

// Mass properties of a link of a file that could be read.
static bool fill_from(lwDocument* document, const lwParts* parts, const char* path,
                      const char* name, lwPlace place, lwLinkDef* link)
{
  int index = lw_parts_find(parts, name);
  if (index < 0) return refuse_link(document, parts, path, name, place);
  const lwLinkDef* body = &lw_parts_link(parts, index)->body;
  link->mass            = body->mass;
  memcpy(link->com, body->com, sizeof link->com);
  memcpy(link->inertia, body->inertia, sizeof link->inertia);
  return true;
}

bool lw_shelf_fill(lwPartsShelf* shelf, lwDocument* document, const char* reference,
                   const char* name, lwPlace place, lwLinkDef* link)
{
  const char* hash = strrchr(reference, '#');
  size_t length    = hash ? (size_t)(hash - reference) : strlen(reference);
  const char* file = lw_arena_text(&document->arena, reference, length);
  const char* path = file ? lw_document_relative(document, file) : NULL;
  if (!path) return no_memory(document, place);
  if (hash) name = hash + 1;
  if (length == 0 || !name || !*name)
    return lw_document_reject(document, place, "parts: arm.parts.yaml#forearm",
                              "'parts' must name a file and, after #, one of its links");
  if (shelf->options && shelf->options->read.parts)
    return fill_from(document, shelf->options->read.parts, path, name, place, link);
  if (!lw_document_may_open(document, place, path)) return false;
  int index = find_file(shelf, document, path, place);
  if (index < 0) return no_memory(document, place);
  const lwParts* parts = shelf->files[index];
  if (parts) return fill_from(document, parts, path, name, place, link);
  ++document->errors;
  return false;
}

void lw_shelf_free(lwPartsShelf* shelf)
{
  for (int i = 0; i < shelf->count; ++i) lw_parts_destroy(shelf->files[i]);
  free((void*)shelf->files);
  *shelf = (lwPartsShelf){0};
}
