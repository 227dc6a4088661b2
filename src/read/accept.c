// SPDX-License-Identifier: MIT
#include "read/accept.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "linkwork/model.h"

const char lw_accept_lost[] = "";

// Checks that the text is the id of a warning, alone or followed by a name.
static bool is_warning(const lwFill* fill, const lwNode* item)
{
  size_t length     = strcspn(item->text, " ");
  lwNearest nearest = lw_nearest_part(item->text, length);
  for (int i = 0; lw_warning_id(i); ++i)
  {
    const char* id = lw_warning_id(i);
    if (strlen(id) == length && !strncmp(item->text, id, length)) return true;
    lw_nearest_try(&nearest, id);
  }
  const char* hint = LW_DID_YOU_MEAN(nearest);
  return lw_document_reject(fill->document, item->place,
                            hint ? hint : "the id of a warning is in brackets after it",
                            "unknown warning '%.60s' in 'accept'", item->text);
}

// Bytes of the lines; 0: one of them is wrong.
static size_t lines_size(const lwFill* fill, const lwNode* list)
{
  size_t size = 1;
  for (const lwItem* item = list->items; item; item = item->next)
  {
    if (item->value->kind != LW_NODE_SCALAR)
      lw_document_error(fill->document, item->value->place, NULL,
                        "'accept' must be a list of warnings, found %s", LW_FOUND(item->value));
    if (item->value->kind != LW_NODE_SCALAR || !is_warning(fill, item->value)) return 0;
    size += strlen(item->value->text) + 1;
  }
  return size;
}

void lw_read_accept(const lwFill* fill, const lwKey* key, lwNode* value)
{
  const char** accept = (const char**)((char*)fill->target + key->offset);
  if (!lw_node_is_list(fill->document, value, key->name, " like [triangle-rule]")) return;
  size_t size = lines_size(fill, value);
  char* text  = size > 0 ? lw_arena_take(&fill->document->arena, size, 1) : NULL;
  if (size == 0) return;
  *accept = text ? text : lw_accept_lost;
  for (const lwItem* item = text ? value->items : NULL; item; item = item->next)
    text += sprintf(text, "%s\n", item->value->text);
}
