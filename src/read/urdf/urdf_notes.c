// SPDX-License-Identifier: MIT
// Notes on what a URDF file contains but the description does not: counted, and reported once.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "read/urdf/urdf.h"

enum
{
  LONGEST_NOTE = 400
};

void lw_urdf_unused(lwUrdf* urdf, const char* name, const char* owner)
{
  for (int i = 0; i < urdf->unused_kinds; ++i)
  {
    lwUrdfTally* tally = &urdf->unused[i];
    if (strcmp(tally->name, name) != 0 || !tally->owner != !owner) continue;
    if (owner && strcmp(tally->owner, owner) != 0) continue;
    ++tally->count;
    return;
  }
  bool last = urdf->unused_kinds == LW_URDF_MAX_TALLY - 1;
  if (urdf->unused_kinds < LW_URDF_MAX_TALLY)
    urdf->unused[urdf->unused_kinds++] =
        (lwUrdfTally){last ? "others" : name, last ? NULL : owner, 1};
  else
    ++urdf->unused[LW_URDF_MAX_TALLY - 1].count;
}

void lw_urdf_unused_children(lwUrdf* urdf, const lwXml* element, const char* const* names)
{
  for (const lwXml* child = element->children; child; child = child->next)
  {
    bool known = false;
    for (int i = 0; names[i] && !known; ++i) known = strcmp(names[i], child->name) == 0;
    if (!known) lw_urdf_unused(urdf, child->name, NULL);
  }
}

void lw_urdf_note(lwUrdf* urdf, const char* format, ...)
{
  char text[LONGEST_NOTE];
  va_list arguments;
  if (urdf->note_count >= LW_URDF_MAX_NOTES) return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  char* kept = lw_document_take(urdf->document, strlen(text) + 1);
  if (!kept) return;
  memcpy(kept, text, strlen(text) + 1);
  urdf->notes[urdf->note_count++] = kept;
}

static void note_unused(lwUrdf* urdf)
{
  char text[LONGEST_NOTE] = "";
  size_t used             = 0;
  for (int i = 0; i < urdf->unused_kinds; ++i)
  {
    const lwUrdfTally* tally = &urdf->unused[i];
    int length = snprintf(text + used, sizeof text - used, "%s%d %.40s%s%.40s%s", used ? ", " : "",
                          tally->count, tally->name, tally->owner ? " of <" : "",
                          tally->owner ? tally->owner : "", tally->owner ? ">" : "");
    used += (size_t)length;
    bool full = used > sizeof text - 120;
    if (i + 1 < urdf->unused_kinds && !full) continue;
    lw_urdf_note(urdf, "without effect on the dynamics: %s", text);
    used = 0;
  }
}

const char* lw_urdf_notes(lwUrdf* urdf)
{
  size_t length = 1;
  note_unused(urdf);
  for (int i = 0; i < urdf->note_count; ++i) length += strlen(urdf->notes[i]) + 1;
  char* all = urdf->note_count > 0 ? lw_arena_take(&urdf->document->arena, length, 1) : NULL;
  char* end = all;
  for (int i = 0; all && i < urdf->note_count; ++i)
  {
    size_t size = strlen(urdf->notes[i]);
    if (i > 0) *end++ = '\n';
    memcpy(end, urdf->notes[i], size);
    end += size;
  }
  return all;
}
