// SPDX-License-Identifier: MIT
#include "scenario/keep.h"

#include <string.h>

#include "base/text.h"
#include "linkwork/model.h"

struct lwOwned
{
  void* thing;
  void (*destroy)(void* thing);
  lwOwned* next;
};

void* lw_keep_take(lwKeep* keep, size_t count, size_t size)
{
  void* memory = lw_arena_take(&keep->arena, count, size);
  keep->failed = keep->failed || !memory;
  return memory;
}

const char* lw_keep_text(lwKeep* keep, const char* text)
{
  char* copy = lw_keep_take(keep, strlen(text) + 1, 1);
  return copy ? strcpy(copy, text) : "";
}

void lw_keep_own(lwKeep* keep, void* thing, void (*destroy)(void* thing))
{
  lwOwned* owned = lw_keep_take(keep, 1, sizeof *owned);
  if (!owned) return destroy(thing);
  *owned      = (lwOwned){thing, destroy, keep->owned};
  keep->owned = owned;
}

void lw_keep_free(lwKeep* keep)
{
  for (lwOwned* owned = keep->owned; owned; owned = owned->next) owned->destroy(owned->thing);
  lw_arena_free(&keep->arena);
}

// --- what a file names

const char* lw_keep_path(lwKeep* keep, lwDocument* document, const char* path)
{
  const char* whole = lw_document_relative(document, path);
  keep->failed      = keep->failed || !whole;
  return whole ? lw_keep_text(keep, whole) : "";
}

bool lw_keep_file(lwKeep* keep, lwDocument* document, lwStatus status, const char* path,
                  lwPlace place)
{
  keep->failed = keep->failed || status == LW_ERROR_MEMORY;
  if (status == LW_ERROR_FILE)
    lw_document_error(document, place, "paths are relative to the folder of this file", "'%s': %s",
                      path, lw_status_text(status));
  else if (status != LW_OK)
    ++document->errors;  // reported where it is
  return status == LW_OK;
}

static void destroy_law(void* law)
{
  lw_law_destroy(law);
}

const lwLaw* lw_keep_law(lwKeep* keep, lwDocument* document, const char* key, const lwNode* node,
                         lwLawText from)
{
  lwLaw* law = NULL;
  if (!from.text)
    from.text = lw_node_text(document, node, &(lwKey){.name = key, .kind = LW_VALUE_NAME});
  if (!from.text) return NULL;
  from.source = document->source;
  from.place  = node->place;
  if (!node->plain) ++from.place.column;  // after the quote
  lwStatus status = lw_law_read(&from, document->diag, &law);
  document->errors += status == LW_ERROR_INPUT;
  keep->failed = keep->failed || status == LW_ERROR_MEMORY;
  if (law) lw_keep_own(keep, law, destroy_law);
  return law;
}

int lw_node_link(lwDocument* document, const lwModel* model, const lwNode* name)
{
  const lwRobotDef* robot = lw_model_robot(model);
  const char* word        = name->kind == LW_NODE_SCALAR ? name->text : "";
  lwNearest nearest       = lw_nearest(word);
  int joint               = -1;
  if (lw_model_find_link(model, word, &joint) == LW_OK && joint >= 0) return joint;
  for (int i = 0; i < robot->count; ++i) lw_nearest_try(&nearest, robot->joints[i].link.name);
  lw_document_error(document, name->place, LW_DID_YOU_MEAN(nearest), "the robot has no link %s",
                    LW_FOUND(name));
  return -1;
}

// --- payloads

typedef struct PayloadText
{
  lwNode* link;
  lwLinkDef body;
  lwPlace places[2];
} PayloadText;

static const lwKey payload_keys[] = {
    LW_KEY(PayloadText, link, .kind = LW_VALUE_NODE, .required = true),
    LW_KEY_AS("mass", PayloadText, body.mass, .required = true, .measure = LW_MEASURE_MASS,
              .unit = "kg", .slot = 1),
    LW_KEY_AS("com", PayloadText, body.com, .size = 3, .measure = LW_MEASURE_LENGTH, .unit = "m"),
    LW_KEY_AS("inertia", PayloadText, body.inertia, .size = 6, .unit = "kg m^2"),
};
static const lwTable payload_table = LW_TABLE("a payload", payload_keys);

bool lw_node_payload(lwDocument* document, const lwModel* model, lwNode* node, int* joint,
                     lwLinkDef* payload)
{
  PayloadText text = {0};
  if (!lw_document_fill(document, node, &payload_table, &text, text.places)) return false;
  *payload = text.body;
  *joint   = lw_node_link(document, model, text.link);
  if (!(payload->mass >= 0))
    lw_document_error(document, text.places[1], NULL, "'mass' must not be negative, found %g kg",
                      payload->mass);
  return *joint >= 0 && payload->mass >= 0;
}
