// SPDX-License-Identifier: MIT
// The loops of a robot file, links that are held together beside the tree of joints, and its rows
// `rolling`: wheels and skates.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "read/robot_joints.h"

// A frame as it is written.
typedef struct FrameText
{
  const char* link;
  double xyz[3], rpy[3];
} FrameText;

// A loop as it is written.
typedef struct LoopText
{
  const char* name;
  int type;  // lwLoopType, or -1
  FrameText frame[2];
  lwNode* joints;  // of a gear
  double axis[3], ratio, offset;
} LoopText;

// Places of its keys.
enum
{
  AT_LOOP,
  AT_TYPE,
  AT_FIRST,
  AT_SECOND,
  AT_AXIS,
  AT_JOINTS,
  AT_RATIO,
  AT_OFFSET,
  AT_COUNT
};

// In the order of lwLoopType.
static const char* const type_words[] = {"fixed", "position", "hinge", "line", "gear", NULL};

static const lwKey frame_keys[] = {
    LW_KEY(FrameText, link, .kind = LW_VALUE_NAME, .required = true),
    LW_KEY(FrameText, xyz, .size = 3, .unit = "m"),
    LW_KEY(FrameText, rpy, .size = 3, .measure = LW_MEASURE_ANGLE),
};
static const lwTable frame_table = LW_TABLE("a frame", frame_keys);

static const lwKey loop_keys[] = {
    LW_KEY(LoopText, name, .kind = LW_VALUE_NAME, .required = true),
    LW_KEY(LoopText, type, .required = true, .slot = AT_TYPE, .words = type_words),
    LW_KEY_AS("first", LoopText, frame[0], .slot = AT_FIRST, .table = &frame_table),
    LW_KEY_AS("second", LoopText, frame[1], .slot = AT_SECOND, .table = &frame_table),
    LW_KEY(LoopText, axis, .size = 3, .slot = AT_AXIS),
    LW_KEY(LoopText, joints, .kind = LW_VALUE_NODE, .slot = AT_JOINTS),
    LW_KEY(LoopText, ratio, .slot = AT_RATIO),
    LW_KEY(LoopText, offset, .measure = LW_MEASURE_ANGLE, .unit = "rad or m", .slot = AT_OFFSET),
};
static const lwTable loop_table = LW_TABLE("a loop", loop_keys);

// A row of what rolls, as it is written.
typedef struct RollingText
{
  const char* link[3];  // of a skate, wheel, disc
  double at[3], across[3], axis[3], radius;
} RollingText;

// Places of its keys; AT_SKATE to AT_DISC are in the order of lwLoopType from LW_LOOP_SKATE on.
enum
{
  AT_ROW,
  AT_SKATE,
  AT_WHEEL,
  AT_DISC,
  AT_ACROSS,
  AT_AXLE,
  AT_RADIUS,
  AT_ROLLING_COUNT
};

static const lwKey rolling_keys[] = {
    LW_KEY_AS("skate", RollingText, link[0], .kind = LW_VALUE_NAME, .slot = AT_SKATE),
    LW_KEY_AS("wheel", RollingText, link[1], .kind = LW_VALUE_NAME, .slot = AT_WHEEL),
    LW_KEY_AS("disc", RollingText, link[2], .kind = LW_VALUE_NAME, .slot = AT_DISC),
    LW_KEY(RollingText, at, .size = 3, .unit = "m"),
    LW_KEY(RollingText, across, .size = 3, .slot = AT_ACROSS),
    LW_KEY(RollingText, axis, .size = 3, .slot = AT_AXLE),
    LW_KEY(RollingText, radius, .unit = "m", .slot = AT_RADIUS),
};
static const lwTable rolling_table = LW_TABLE("a row that rolls", rolling_keys);

// What is under way.
typedef struct LoopReader
{
  lwDocument* document;
  const lwJointList* list;
  const char* base;  // name of the base
} LoopReader;

// --- names

static void unknown_name(const LoopReader* reader, lwPlace place, const char* loop,
                         const char* what, const char* name)
{
  lwNearest nearest = lw_joints_nearest(reader->list, name, !strcmp(what, "link"));
  lw_document_error(reader->document, place, LW_DID_YOU_MEAN(nearest),
                    "loop '%.60s': there is no %s '%.60s'", loop ? loop : "?", what, name);
}

static bool joint_of_name(const LoopReader* reader, const char* name, int* found)
{
  const lwJointDef* joints = reader->list->joints;
  for (*found = 0; *found < reader->list->count; ++*found)
    if (joints[*found].name && !strcmp(joints[*found].name, name)) return true;
  return false;
}

// As lw_model_find_link(): by the name of a link, then of the base, then of a joint.
static bool find_link(const LoopReader* reader, const char* name, int* found)
{
  const lwJointList* list = reader->list;
  for (*found = 0; *found < list->count; ++*found)
  {
    const lwJointDef* joint = &list->joints[*found];
    const char* link        = joint->link.name ? joint->link.name : joint->name;
    if (link && !strcmp(link, name)) return true;
  }
  *found = LW_BASE;
  if (!strcmp(name, reader->base ? reader->base : "base") || !strcmp(name, "base")) return true;
  if (joint_of_name(reader, name, found)) return true;
  *found = LW_WORLD;
  return !strcmp(name, "world");
}

static void settle_frame(const LoopReader* reader, const LoopText* text, lwPlace place, int side,
                         lwFrame* frame)
{
  const FrameText* given = &text->frame[side];
  memcpy(frame->xyz, given->xyz, sizeof frame->xyz);
  memcpy(frame->rpy, given->rpy, sizeof frame->rpy);
  if (given->link && !find_link(reader, given->link, &frame->joint))
    unknown_name(reader, place, text->name, "link", given->link);
}

static void settle_gear(const LoopReader* reader, const LoopText* text, lwPlace place,
                        lwLoopDef* loop)
{
  static const lwKey key = {.name = "joints", .kind = LW_VALUE_NAME};
  lwFrame* ends[2]       = {&loop->first, &loop->second};
  if (text->joints->kind != LW_NODE_LIST || text->joints->count != 2)
    return lw_document_error(reader->document, place, NULL,
                             "loop '%.60s': 'joints' must be a list of two joints",
                             text->name ? text->name : "?");
  int side = 0;
  for (lwItem* item = text->joints->items; item && side < 2; item = item->next, ++side)
  {
    const char* name = lw_node_text(reader->document, item->value, &key);
    if (!name) continue;
    int i;
    if (joint_of_name(reader, name, &i))
      ends[side]->joint = i;
    else
      unknown_name(reader, item->value->place, text->name, "joint", name);
  }
}

// --- keys

// Keys that belong to other types of loops, or that are missing.
static bool settle_keys(const LoopReader* reader, const LoopText* text, const lwPlace* places)
{
  bool gear = text->type == LW_LOOP_GEAR,
       axis = text->type == LW_LOOP_HINGE || text->type == LW_LOOP_LINE;
  const struct
  {
    int at;
    const char* key;
    bool needed, allowed;
  } keys[]   = {{AT_FIRST, "first", !gear, !gear}, {AT_SECOND, "second", !gear, !gear},
                {AT_AXIS, "axis", axis, axis},     {AT_JOINTS, "joints", gear, gear},
                {AT_RATIO, "ratio", gear, gear},   {AT_OFFSET, "offset", false, gear}};
  int before = reader->document->errors;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
  {
    bool given = places[keys[k].at].line > 0;
    if (given && !keys[k].allowed)
      lw_document_error(reader->document, places[keys[k].at], NULL, "a loop of type %s has no '%s'",
                        type_words[text->type], keys[k].key);
    if (!given && keys[k].needed)
      lw_document_error(reader->document, places[AT_LOOP], NULL, "a loop of type %s needs '%s'",
                        type_words[text->type], keys[k].key);
  }
  return reader->document->errors == before;
}

static void read_loop(const LoopReader* reader, lwNode* node, lwLoopDef* loop)
{
  LoopText text            = {.type = -1, .ratio = 1};
  lwPlace places[AT_COUNT] = {[AT_LOOP] = node->place};
  if (!lw_document_fill(reader->document, node, &loop_table, &text, places)) return;
  if (text.type < 0 || !settle_keys(reader, &text, places)) return;
  *loop = (lwLoopDef){.name   = text.name,
                      .type   = (lwLoopType)text.type,
                      .ratio  = text.ratio,
                      .offset = text.offset,
                      .place  = node->place};
  memcpy(loop->axis, text.axis, sizeof loop->axis);
  if (loop->type == LW_LOOP_GEAR)
    settle_gear(reader, &text, places[AT_JOINTS], loop);
  else
  {
    settle_frame(reader, &text, places[AT_FIRST], 0, &loop->first);
    settle_frame(reader, &text, places[AT_SECOND], 1, &loop->second);
  }
}

// --- what rolls

// The type, by the one of the three keys that is given; -1 if it is not one.
static int rolling_type(const LoopReader* reader, const lwPlace* places)
{
  int type = -1, given = 0;
  for (int k = AT_SKATE; k <= AT_DISC; ++k)
    if (places[k].line > 0) ++given, type = k - AT_SKATE;
  if (given == 1) return type;
  lw_document_error(
      reader->document, places[AT_ROW], "as in {wheel: left, axis: [0, 1, 0], radius: 0.1}",
      "a row of 'rolling' has one of 'skate', 'wheel' and 'disc', and this one has %d", given);
  return -1;
}

// Keys that it needs, or does not have.
static bool rolling_keys_fit(const LoopReader* reader, int type, const lwPlace* places)
{
  static const char* const names[] = {"skate", "wheel", "disc", "across", "axis", "radius"};
  bool fits                        = true;
  for (int k = AT_ACROSS; k <= AT_RADIUS; ++k)
  {
    bool wants = (k == AT_ACROSS) == (type == 0), given = places[k].line > 0;
    if (wants == given) continue;
    fits = false;
    lw_document_error(reader->document, places[given ? k : AT_ROW], NULL, "a %s %s '%s'",
                      names[type], given ? "has no" : "needs", names[k - AT_SKATE]);
  }
  return fits;
}

// The name of the link, with a number if a loop before has it.
static const char* name_row(lwDocument* document, const lwLoopDef* loops, int count,
                            const char* link)
{
  enum
  {
    ROOM = 12
  };
  size_t size = strlen(link) + ROOM;
  char* name  = lw_arena_take(&document->arena, size, 1);
  bool taken  = true;
  if (name) strcpy(name, link);
  for (int number = 2; name && taken; ++number)
  {
    taken = false;
    for (int k = 0; k < count; ++k)
      taken = taken || (loops[k].name && !strcmp(loops[k].name, name));
    if (taken) snprintf(name, size, "%s_%d", link, number);
  }
  return name ? name : link;
}

static void read_rolling(const LoopReader* reader, lwNode* node, lwLoopDef* loops, int count)
{
  RollingText text                 = {{NULL, NULL, NULL}, {0}, {0}, {0}, 0};
  lwPlace places[AT_ROLLING_COUNT] = {[AT_ROW] = node->place};
  if (!lw_document_fill(reader->document, node, &rolling_table, &text, places)) return;
  int type = rolling_type(reader, places);
  if (type < 0 || !rolling_keys_fit(reader, type, places)) return;
  const char* link = text.link[type];
  lwLoopDef* loop  = &loops[count];
  *loop            = (lwLoopDef){.name   = name_row(reader->document, loops, count, link),
                                 .type   = (lwLoopType)(LW_LOOP_SKATE + type),
                                 .first  = {.joint = LW_WORLD},
                                 .radius = text.radius,
                                 .place  = node->place};
  memcpy(loop->axis, type == 0 ? text.across : text.axis, sizeof loop->axis);
  memcpy(loop->second.xyz, text.at, sizeof text.at);
  if (!find_link(reader, link, &loop->second.joint))
    unknown_name(reader, places[AT_SKATE + type], loop->name, "link", link);
}

lwStatus lw_loops_read(lwDocument* document, lwNode* loops, lwNode* rolling,
                       const lwJointList* list, lwRobotDef* robot)
{
  LoopReader reader = {document, list, robot->base.name};
  if (loops && !lw_node_is_list(document, loops, "loops", "")) loops = NULL;
  if (rolling && !lw_node_is_list(document, rolling, "rolling", "")) rolling = NULL;
  int count = (loops ? loops->count : 0) + (rolling ? rolling->count : 0), k = 0;
  lwLoopDef* both = lw_arena_take(&document->arena, (size_t)count, sizeof *both);
  if (!both) return LW_ERROR_MEMORY;
  for (lwItem* item = loops ? loops->items : NULL; item; item = item->next)
    read_loop(&reader, item->value, &both[k++]);
  for (lwItem* item = rolling ? rolling->items : NULL; item; item = item->next)
    read_rolling(&reader, item->value, both, k++);
  robot->loop_count = count;
  robot->loops      = both;
  return LW_OK;
}
