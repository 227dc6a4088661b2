// SPDX-License-Identifier: MIT
// The link of a joint, or the base: its mass properties as written, from a parts file,
// and with a payload.
#include "linkwork/model.h"
#include "read/payload.h"
#include "read/robot_joints.h"

static const char* const mounts[] = {"fixed", "floating", NULL};

// The last two keys are of the base alone.
static const lwKey keys[] = {
    LW_KEY_AS("name", lwLinkText, def.name, .kind = LW_VALUE_NAME),
    LW_KEY_AS("mass", lwLinkText, def.mass, .slot = LW_FIELD_MASS, .unit = "kg"),
    LW_KEY_AS("com", lwLinkText, def.com, .size = 3, .slot = LW_FIELD_COM, .unit = "m"),
    LW_KEY_AS("inertia", lwLinkText, def.inertia, .size = 6, .slot = LW_FIELD_INERTIA,
              .unit = "kg m^2"),
    LW_KEY(lwLinkText, parts, .kind = LW_VALUE_NAME, .slot = LW_AT_PARTS),
    LW_NODE_KEY(lwLinkText, payload),
    LW_NODE_KEY(lwLinkText, shapes),
    LW_KEY_AS("type", lwLinkText, mounting, .words = mounts),
    LW_KEY(lwLinkText, start, .size = 7, .slot = LW_AT_START,
           .unit = "m, and a quaternion x y z w"),
};
const lwTable lw_link_table = {"a link", keys, sizeof keys / sizeof *keys - 2};
const lwTable lw_base_table = LW_TABLE("the base", keys);

void lw_link_settle(lwDocument* document, const lwLinkText* text, const char* owner,
                    lwPlace* places, lwPartsShelf* shelf, lwLinkDef* link)
{
  static const lwField replaced[]  = {LW_FIELD_MASS, LW_FIELD_COM, LW_FIELD_INERTIA};
  static const char* const names[] = {"mass", "com", "inertia"};
  lwLinkDef payload;
  const char* name = text->def.name ? text->def.name : owner;
  *link            = text->def;
  // those from a parts file replace those in this file; findings about them point to `parts`
  for (int i = 0; i < 3 && text->parts; ++i)
  {
    if (places[replaced[i]].line > 0)
      lw_document_error(document, places[replaced[i]], "leave one of them out",
                        "both 'parts' and '%s' are given", names[i]);
    places[replaced[i]] = places[LW_AT_PARTS];
  }
  if (text->parts) lw_shelf_fill(shelf, document, text->parts, name, places[LW_AT_PARTS], link);
  lw_shapes_read(document, text->shapes, link);
  if (text->payload && lw_payload_read(document, text->payload, &payload))
    lw_link_def_add(link, payload.mass, payload.com, payload.inertia);
}
