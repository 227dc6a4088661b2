// SPDX-License-Identifier: MIT
// Reads mappings into structs, using tables of keys.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "read/document/document.h"

enum
{
  HINT_LENGTH = 128,
  LIST_LENGTH = 256
};

static void* target_of(const lwFill* fill, const lwKey* key)
{
  return (char*)fill->target + key->offset;
}

// "did you mean 'x'?", or NULL if there is no x.
static const char* did_you_mean(const char* word, char hint[HINT_LENGTH])
{
  if (!word) return NULL;
  snprintf(hint, HINT_LENGTH, "did you mean '%s'?", word);
  return hint;
}

// --- values, one function per kind

static void read_node_number(const lwFill* fill, const lwKey* key, lwNode* value)
{
  lw_node_number(fill->document, value, key, 0, target_of(fill, key));
}

static void read_node_numbers(const lwFill* fill, const lwKey* key, lwNode* value)
{
  char found[LW_DESCRIPTION_SIZE];
  double* numbers = target_of(fill, key);
  if (value->kind != LW_NODE_LIST)
    lw_document_error(fill->document, value->place, NULL,
                      "'%s' must be a list of %d numbers, found %s", key->name, key->size,
                      lw_node_describe(value, found));
  else if (value->count != key->size)
    lw_document_error(fill->document, value->place, NULL,
                      "'%s' must be a list of %d numbers, found %d", key->name, key->size,
                      value->count);
  else
  {
    int i = 0;
    for (const lwItem* item = value->items; item; item = item->next, ++i)
      lw_node_number(fill->document, item->value, key, i + 1, &numbers[i]);
  }
}

static void read_text(const lwFill* fill, const lwKey* key, lwNode* value)
{
  const char* text = lw_node_text(fill->document, value, key);
  if (text) memcpy(target_of(fill, key), &text, sizeof text);
}

static void list_words(const lwKey* key, char list[LIST_LENGTH])
{
  size_t used = 0;
  list[0]     = 0;
  for (int i = 0; key->words[i] && used < LIST_LENGTH; ++i)
  {
    const char* join = i == 0 ? "" : key->words[i + 1] ? ", " : " or ";
    int length       = snprintf(list + used, LIST_LENGTH - used, "%s%s", join, key->words[i]);
    used += (size_t)length;
  }
}

static void refuse_word(const lwFill* fill, const lwKey* key, const lwNode* value)
{
  char list[LIST_LENGTH], found[LW_DESCRIPTION_SIZE], hint[HINT_LENGTH];
  lwNearest nearest = lw_nearest(value->kind == LW_NODE_SCALAR ? value->text : "");
  for (int i = 0; key->words[i]; ++i) lw_nearest_try(&nearest, key->words[i]);
  list_words(key, list);
  lw_document_error(fill->document, value->place, did_you_mean(nearest.best, hint),
                    "'%s' must be %s, found %s", key->name, list, lw_node_describe(value, found));
}

static void read_choice(const lwFill* fill, const lwKey* key, lwNode* value)
{
  for (int i = 0; key->words[i]; ++i)
  {
    if (!lw_node_is_word(value, key->words[i])) continue;
    memcpy(target_of(fill, key), &i, sizeof i);
    return;
  }
  refuse_word(fill, key, value);
}

static void read_mapping(const lwFill* fill, const lwKey* key, lwNode* value)
{
  lw_document_fill(fill->document, value, key->table, target_of(fill, key), fill->places);
}

static void read_node(const lwFill* fill, const lwKey* key, lwNode* value)
{
  *(lwNode**)target_of(fill, key) = value;
}

static void read_custom(const lwFill* fill, const lwKey* key, lwNode* value)
{
  key->read(fill, key, value);
}

static lwReadValue* const readers[] = {
    [LW_VALUE_NUMBER] = read_node_number, [LW_VALUE_NUMBERS] = read_node_numbers,
    [LW_VALUE_TEXT] = read_text,          [LW_VALUE_NAME] = read_text,
    [LW_VALUE_CHOICE] = read_choice,      [LW_VALUE_MAPPING] = read_mapping,
    [LW_VALUE_NODE] = read_node,          [LW_VALUE_CUSTOM] = read_custom,
};

// --- keys

static int find_key(const lwTable* table, const lwNode* key)
{
  for (int i = 0; i < table->count; ++i)
  {
    if (lw_node_is_word(key, table->keys[i].name)) return i;
  }
  return -1;
}

// Reports a key that is not in the table. Returns the bit of the key that is probably meant, or 0.
static uint64_t refuse_key(lwDocument* document, const lwTable* table, const lwNode* key)
{
  char found[LW_DESCRIPTION_SIZE], hint[HINT_LENGTH];
  if (key->kind != LW_NODE_SCALAR)
  {
    lw_document_error(document, key->place, NULL, "a key must be a word, found %s",
                      lw_node_describe(key, found));
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
  lw_document_error(document, key->place, did_you_mean(nearest.best, hint), "unknown key %s in %s",
                    lw_node_describe(key, found), table->what);
  for (int i = 0; i < table->count; ++i)
  {
    if (nearest.best == table->keys[i].name) return UINT64_C(1) << i;
  }
  return 0;
}

static void read_table_entry(const lwFill* fill, const lwKey* key, lwNode* value)
{
  if (fill->places && key->slot > 0) fill->places[key->slot] = value->place;
  if (value->kind == LW_NODE_BROKEN)
    ++fill->document->errors;
  else
    readers[key->kind](fill, key, value);
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

static void report_missing(lwDocument* document, const lwTable* table, const lwNode* node,
                           uint64_t present)
{
  for (int i = 0; i < table->count; ++i)
  {
    if (table->keys[i].required && !(present & UINT64_C(1) << i))
      lw_document_error(document, node->place, NULL, "%s needs the key '%s'", table->what,
                        table->keys[i].name);
  }
}

bool lw_document_fill(lwDocument* document, lwNode* node, const lwTable* table, void* target,
                      lwPlace* places)
{
  char found[LW_DESCRIPTION_SIZE];
  int before = document->errors;
  if (node->kind == LW_NODE_BROKEN || node->reported)
    ++document->errors;
  else if (node->kind != LW_NODE_MAPPING)
    lw_document_error(document, node->place, NULL,
                      "%s must be a mapping of keys to values, found %s", table->what,
                      lw_node_describe(node, found));
  else
  {
    lwFill fill = {document, node, target, places};
    report_missing(document, table, node, read_entries(&fill, table, node));
  }
  return document->errors == before;
}

void lw_read_version(const lwFill* fill, const lwKey* key, lwNode* value)
{
  char found[LW_DESCRIPTION_SIZE];
  if (value->plain && lw_node_is_word(value, "1")) return;
  lw_document_error(fill->document, value->place, NULL,
                    "'%s' must be 1, the version of the format that is read; found %s", key->name,
                    lw_node_describe(value, found));
}
