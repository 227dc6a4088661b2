// SPDX-License-Identifier: MIT
// Reads mappings into structs, using tables of keys.
#include <stdio.h>

#include "base/text.h"
#include "read/document/document.h"

enum
{
  LIST_LENGTH = 256
};

// --- values

static void read_numbers(lwDocument* document, const lwKey* key, const lwNode* value,
                         double* numbers)
{
  int i = 0;
  if (value->kind != LW_NODE_LIST)
    lw_document_error(document, value->place, NULL, "'%s' must be a list of %d numbers, found %s",
                      key->name, key->size, LW_FOUND(value));
  else if (value->count != key->size)
    lw_document_error(document, value->place, NULL, "'%s' must be a list of %d numbers, found %d",
                      key->name, key->size, value->count);
  else
    for (const lwItem* item = value->items; item; item = item->next, ++i)
      lw_node_number(document, item->value, key, i + 1, &numbers[i]);
}

static void read_choice(lwDocument* document, const lwKey* key, const lwNode* value, int* index)
{
  char list[LIST_LENGTH] = "";
  size_t used            = 0;
  lwNearest nearest      = lw_nearest(value->kind == LW_NODE_SCALAR ? value->text : "");
  for (int i = 0; key->words[i]; ++i)
  {
    const char* join = i == 0 ? "" : key->words[i + 1] ? ", " : " or ";
    if (lw_node_is_word(value, key->words[i]))
    {
      *index = i;
      return;
    }
    lw_nearest_try(&nearest, key->words[i]);
    if (used < LIST_LENGTH)
      used += (size_t)snprintf(list + used, LIST_LENGTH - used, "%s%s", join, key->words[i]);
  }
  lw_document_error(document, value->place, LW_DID_YOU_MEAN(nearest), "'%s' must be %s, found %s",
                    key->name, list, LW_FOUND(value));
}

// --- keys

static int find_key(const lwTable* table, const lwNode* key)
{
  int i = table->count - 1;
  while (i >= 0 && !lw_node_is_word(key, table->keys[i].name)) --i;
  return i;
}

// Reports a key that is not in the table. Returns the bit of the key that is probably meant, or 0.
static uint64_t refuse_key(lwDocument* document, const lwTable* table, const lwNode* key)
{
  if (key->kind != LW_NODE_SCALAR)
  {
    lw_document_error(document, key->place, NULL, "a key must be a word, found %s", LW_FOUND(key));
    return 0;
  }
  if (lw_node_is_word(key, "<<") && key->plain)
  {
    lw_document_error(document, key->place, "write the keys out, or use an alias for a whole value",
                      "merge keys '<<' are not supported");
    return 0;
  }
  lwNearest nearest = lw_nearest(key->text);
  for (int i = 0; i < table->count; ++i) lw_nearest_try(&nearest, table->keys[i].name);
  lw_document_error(document, key->place, LW_DID_YOU_MEAN(nearest), "unknown key %s in %s",
                    LW_FOUND(key), table->what);
  for (int i = 0; i < table->count; ++i)
    if (nearest.best == table->keys[i].name) return UINT64_C(1) << i;
  return 0;
}

static void read_table_entry(const lwFill* fill, const lwKey* key, lwNode* value)
{
  lwDocument* document = fill->document;
  void* target         = (char*)fill->target + key->offset;
  if (fill->places && key->slot > 0) fill->places[key->slot] = value->place;
  if (value->kind == LW_NODE_BROKEN)
    ++document->errors;
  else if (key->read)
    key->read(fill, key, value);
  else if (key->table)
    lw_document_fill(document, value, key->table, target, fill->places);
  else if (key->words)
    read_choice(document, key, value, target);
  else if (key->size > 0)
    read_numbers(document, key, value, target);
  else if (key->kind == LW_VALUE_NUMBER)
    lw_node_number(document, value, key, 0, target);
  else if (key->kind == LW_VALUE_NODE)
    *(lwNode**)target = value;
  else
  {
    const char* text = lw_node_text(document, value, key);
    if (text) *(const char**)target = text;
  }
}

// Reads every entry once, in the order of the file. Returns the keys that are present, as bits.
static uint64_t read_entries(const lwFill* fill, const lwTable* table, lwNode* node)
{
  int lines[LW_TABLE_MAX_KEYS] = {0};  // of the keys that were seen
  uint64_t present             = 0;
  for (const lwItem* item = node->items; item; item = item->next)
  {
    int i         = find_key(table, item->key);
    lwPlace place = item->key->place;
    bool repeated = i >= 0 && lines[i] > 0;
    node->reported |= i < 0 || repeated;
    if (i < 0)
      present |= refuse_key(fill->document, table, item->key);
    else if (repeated)
      lw_document_error(fill->document, place, NULL,
                        "key '%s' is given twice in %s, first in line %d", table->keys[i].name,
                        table->what, lines[i]);
    else
      read_table_entry(fill, &table->keys[i], item->value);
    if (i < 0 || repeated) continue;
    lines[i] = place.line;
    present |= UINT64_C(1) << i;
  }
  return present;
}

bool lw_document_fill(lwDocument* document, lwNode* node, const lwTable* table, void* target,
                      lwPlace* places)
{
  int before = document->errors;
  if (node->kind == LW_NODE_BROKEN || node->reported)
    ++document->errors;
  else if (node->kind != LW_NODE_MAPPING)
    lw_document_error(document, node->place, NULL,
                      "%s must be a mapping of keys to values, found %s", table->what,
                      LW_FOUND(node));
  else
  {
    uint64_t present = read_entries(&(lwFill){document, node, target, places}, table, node);
    for (int i = 0; i < table->count; ++i)
      if (table->keys[i].required && !(present & UINT64_C(1) << i))
        lw_document_error(document, node->place, NULL, "%s needs the key '%s'", table->what,
                          table->keys[i].name);
  }
  return document->errors == before;
}

void lw_read_version(const lwFill* fill, const lwKey* key, lwNode* value)
{
  if (value->plain && lw_node_is_word(value, "1")) return;
  lw_document_error(fill->document, value->place, NULL,
                    "'%s' must be 1, the version of the format that is read; found %s", key->name,
                    LW_FOUND(value));
}
