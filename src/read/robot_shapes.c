// SPDX-License-Identifier: MIT
// `shapes` of a link: what it looks like, and what keeps its distance from others.
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "read/robot_joints.h"

enum
{
  CAPSULE = LW_SHAPE_MESH + 1  // a cylinder and two spheres
};

enum
{
  AT_SHAPE = 1,
  AT_FROM,
  AT_TO,
  AT_RADIUS,
  AT_LENGTH,
  AT_SIZE,
  AT_PLACE,
  AT_FILE,
  AT_SCALE,
  AT_COLOR,
  AT_COUNT
};

typedef struct ShapeText
{
  int shape, use;
  double from[3], to[3], radius, length, scale;
  double xyz[3], rpy[3], size[3], color[4];
  const char* file;
} ShapeText;

static const char* const shape_words[] = {"box", "cylinder", "sphere", "mesh", "capsule", NULL};
static const char* const use_words[]   = {"both", "visual", "collision", NULL};

static const lwKey place_keys[] = {
    LW_KEY(ShapeText, xyz, .size = 3, .measure = LW_MEASURE_LENGTH),
    LW_KEY(ShapeText, rpy, .size = 3, .measure = LW_MEASURE_ANGLE),
};
static const lwTable place_table = LW_TABLE("a place", place_keys);

static const lwKey shape_keys[] = {
    LW_KEY(ShapeText, shape, .required = true, .words = shape_words, .slot = AT_SHAPE),
    LW_KEY(ShapeText, use, .words = use_words),
    LW_KEY(ShapeText, from, .size = 3, .measure = LW_MEASURE_LENGTH, .slot = AT_FROM),
    LW_KEY(ShapeText, to, .size = 3, .measure = LW_MEASURE_LENGTH, .slot = AT_TO),
    LW_KEY(ShapeText, radius, .measure = LW_MEASURE_LENGTH, .slot = AT_RADIUS),
    LW_KEY(ShapeText, length, .measure = LW_MEASURE_LENGTH, .slot = AT_LENGTH),
    LW_KEY(ShapeText, size, .size = 3, .measure = LW_MEASURE_LENGTH, .slot = AT_SIZE),
    {.name = "place", .table = &place_table, .slot = AT_PLACE},
    LW_KEY(ShapeText, file, .kind = LW_VALUE_NAME, .slot = AT_FILE),
    LW_KEY(ShapeText, scale, .kind = LW_VALUE_NUMBER, .slot = AT_SCALE),
    LW_KEY(ShapeText, color, .size = 3, .slot = AT_COLOR),
};
static const lwTable shape_table = LW_TABLE("a shape", shape_keys);

// The keys that each shape must have, and those that it may have.
static bool check_shape_keys(lwDocument* document, const ShapeText* text, const lwPlace* at)
{
#define HAS(slot) (1u << (slot))
  static const unsigned must[] = {HAS(AT_SIZE), HAS(AT_RADIUS) | HAS(AT_LENGTH), HAS(AT_RADIUS),
                                  HAS(AT_FILE), HAS(AT_FROM) | HAS(AT_TO) | HAS(AT_RADIUS)};
  static const unsigned may[]  = {HAS(AT_PLACE), HAS(AT_PLACE), HAS(AT_PLACE),
                                  HAS(AT_PLACE) | HAS(AT_SCALE), 0};
#undef HAS
  static const char* const names[] = {
      [AT_FROM] = "from", [AT_TO] = "to",       [AT_RADIUS] = "radius", [AT_LENGTH] = "length",
      [AT_SIZE] = "size", [AT_PLACE] = "place", [AT_FILE] = "file",     [AT_SCALE] = "scale"};
  bool right = true;
  for (int slot = AT_FROM; slot < AT_COLOR; ++slot)
  {
    bool given = at[slot].line > 0, needed = must[text->shape] >> slot & 1;
    if (needed && !given)
      right = lw_document_reject(document, at[AT_SHAPE], NULL, "a %s needs '%s'",
                                 shape_words[text->shape], names[slot]);
    if (given && !needed && !(may[text->shape] >> slot & 1))
      right = lw_document_reject(document, at[slot], NULL, "a %s has no '%s'",
                                 shape_words[text->shape], names[slot]);
  }
  bool positive = (at[AT_RADIUS].line == 0 || text->radius > 0) &&
                  (at[AT_LENGTH].line == 0 || text->length > 0) &&
                  (at[AT_SCALE].line == 0 || text->scale > 0);
  for (int k = 0; k < 3 && at[AT_SIZE].line > 0; ++k) positive = positive && text->size[k] > 0;
  for (int k = 0; k < 3; ++k)
    if (!(text->color[k] >= 0 && text->color[k] <= 1))
      return lw_document_reject(document, at[AT_COLOR], NULL,
                                "a color has red, green and blue, each from 0 to 1");
  if (positive) return right;
  return lw_document_reject(document, at[AT_SHAPE], NULL, "sizes of a shape must be above 0");
}

// The solids of a shape: one, or a cylinder and the spheres at both of its ends.
static int solids_of(const ShapeText* text, lwShape solid[3])
{
  double d[3], length, r = text->radius;
  solid[0] = (lwShape){.kind = (lwShapeKind)text->shape, .mesh = text->file};
  for (int k = 0; k < 3; ++k)
  {
    solid[0].xyz[k]  = text->xyz[k];
    solid[0].rpy[k]  = text->rpy[k];
    solid[0].size[k] = text->shape == LW_SHAPE_BOX    ? text->size[k]
                       : text->shape == LW_SHAPE_MESH ? text->scale
                       : k == 0                       ? r
                                                      : text->length * (k == 1);
    d[k]             = text->to[k] - text->from[k];
  }
  if (text->shape != CAPSULE) return 1;
  length   = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  solid[0] = (lwShape){.kind = LW_SHAPE_CYLINDER,
                       .size = {r, length},
                       .rpy  = {0, lw_atan2(lw_hypot(d[0], d[1]), d[2]), lw_atan2(d[1], d[0])}};
  solid[1] = solid[2] = (lwShape){.kind = LW_SHAPE_SPHERE, .size = {r}};
  for (int k = 0; k < 3; ++k)
  {
    solid[0].xyz[k] = 0.5 * (text->from[k] + text->to[k]);
    solid[1].xyz[k] = text->from[k];
    solid[2].xyz[k] = text->to[k];
  }
  if (length > 0) return 3;
  solid[0] = solid[1];
  return 1;
}

void lw_shapes_read(lwDocument* document, const lwNode* list, lwLinkDef* link)
{
  if (!list || !lw_node_is_list(document, list, "shapes", " of shapes")) return;
  lwShape* shapes = lw_arena_take(&document->arena, 6 * (size_t)list->count + 1, sizeof *shapes);
  int count       = 0;
  if (!shapes) return;
  for (const lwItem* item = list->items; item; item = item->next)
  {
    ShapeText text       = {.scale = 1};
    lwPlace at[AT_COUNT] = {{0}};
    lwShape solid[3];
    if (!lw_document_fill(document, item->value, &shape_table, &text, at) ||
        !check_shape_keys(document, &text, at))
      continue;
    int solids    = solids_of(&text, solid);
    text.color[3] = at[AT_COLOR].line > 0;
    for (int use = 1; use <= 2; ++use)
      for (int k = 0; k < solids && (text.use == 0 || text.use == use); ++k)
      {
        shapes[count] = solid[k];
        memcpy(shapes[count].color, text.color, sizeof text.color);
        shapes[count++].visual = use == 1;
      }
  }
  link->shapes      = shapes;
  link->shape_count = count;
}
