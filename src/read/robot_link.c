// SPDX-License-Identifier: MIT
// The link of a joint, or the base: its mass properties as written, from a parts file,
// and with a payload.
#include "linkwork/model.h"
#include "read/payload.h"
#include "read/robot_joints.h"

#define LINK_KEYS                                                                                  \
  {.name = "name", .kind = LW_VALUE_NAME, .offset = offsetof(lwLinkText, def.name)},               \
      {.name   = "mass",                                                                           \
       .kind   = LW_VALUE_NUMBER,                                                                  \
       .offset = offsetof(lwLinkText, def.mass),                                                   \
       .slot   = LW_FIELD_MASS,                                                                    \
       .unit   = "kg"},                                                                              \
      {.name   = "com",                                                                            \
       .kind   = LW_VALUE_NUMBERS,                                                                 \
       .offset = offsetof(lwLinkText, def.com),                                                    \
       .size   = 3,                                                                                \
       .slot   = LW_FIELD_COM,                                                                     \
       .unit   = "m"},                                                                               \
      {.name   = "inertia",                                                                        \
       .kind   = LW_VALUE_NUMBERS,                                                                 \
       .offset = offsetof(lwLinkText, def.inertia),                                                \
       .size   = 6,                                                                                \
       .slot   = LW_FIELD_INERTIA,                                                                 \
       .unit   = "kg m^2"},                                                                          \
      {.name   = "parts",                                                                          \
       .kind   = LW_VALUE_NAME,                                                                    \
       .offset = offsetof(lwLinkText, parts),                                                      \
       .slot   = LW_AT_PARTS},                                                                       \
  {                                                                                                \
    .name = "payload", .kind = LW_VALUE_NODE, .offset = offsetof(lwLinkText, payload)              \
  }

static const lwKey link_keys[]    = {LINK_KEYS};
const lwTable lw_link_table       = LW_TABLE("a link", link_keys);
static const char* const mounts[] = {"fixed", "floating", NULL};
static const lwKey base_keys[]    = {LINK_KEYS,
                                     {.name   = "type",
                                      .kind   = LW_VALUE_CHOICE,
                                      .offset = offsetof(lwLinkText, mounting),
                                      .words  = mounts}};
const lwTable lw_base_table       = LW_TABLE("the base", base_keys);

// Mass properties from a parts file replace those in this file;
// findings about them point to `parts`.
static void settle_parts(lwDocument* document, const char* reference, const char* name,
                         lwPlace* places, lwPartsShelf* shelf, lwLinkDef* link)
{
  static const lwField replaced[]  = {LW_FIELD_MASS, LW_FIELD_COM, LW_FIELD_INERTIA};
  static const char* const names[] = {"mass", "com", "inertia"};
  for (int i = 0; i < 3; ++i)
  {
    if (places[replaced[i]].line > 0)
      lw_document_error(document, places[replaced[i]], "leave one of them out",
                        "both 'parts' and '%s' are given", names[i]);
    places[replaced[i]] = places[LW_AT_PARTS];
  }
  lw_shelf_fill(shelf, document, reference, name, places[LW_AT_PARTS], link);
}

void lw_link_settle(lwDocument* document, const lwLinkText* text, const char* owner,
                    lwPlace* places, lwPartsShelf* shelf, lwLinkDef* link)
{
  lwLinkDef payload;
  const char* name = text->def.name ? text->def.name : owner;
  *link            = text->def;
  if (text->parts) settle_parts(document, text->parts, name, places, shelf, link);
  if (text->payload && lw_payload_read(document, text->payload, &payload))
    lw_link_def_add(link, payload.mass, payload.com, payload.inertia);
}
