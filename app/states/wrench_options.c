// SPDX-License-Identifier: MIT
#include "wrench_options.h"

#include <stdlib.h>
#include <string.h>

static const char BASE_AXES[] = "/base";

// --- one option

// Cuts "/base" and "@x,y,z" off a name, where the whole is not a link.
static void take_suffixes(const lwModel* model, char* name, lwWrenchPlace* place)
{
  size_t length = strlen(name), base = sizeof BASE_AXES - 1;
  lwFrame frame = {.joint = 0};
  if (lw_model_find_link(model, name, &place->joint) == LW_OK) return;
  if (length > base && !strcmp(name + length - base, BASE_AXES))
  {
    place->axes         = LW_AXES_BASE;
    name[length - base] = 0;
  }
  if (lw_model_find_link(model, name, &place->joint) == LW_OK) return;
  char* at = strrchr(name, '@');
  if (at) *at = 0;
  if (at && frame_read(OPTION_WRENCH, at + 1, &frame) != 3)
    stop(USAGE, "--wrench: 6 values after '%s@', expected the point x,y,z", name);
  memcpy(place->xyz, frame.xyz, sizeof place->xyz);
  place->joint = frame_link(model, OPTION_WRENCH, name);
}

// "fx,..", "LINK@x,y,z/base=fx,..", or without values: false.
static bool read_wrench(const lwModel* model, const char* text, lwWrenchPlace* place,
                        double values[6])
{
  static const char each[] = "fx,fy,fz,nx,ny,nz";
  const char* equal        = strrchr(text, '=');
  *place                   = (lwWrenchPlace){.joint = lw_model_joint_count(model) - 1};
  bool plain               = !equal && strspn(text, "0123456789+-. \t") > 0 &&
               strchr(text, ',') == text + strcspn(text, ",@/");
  if (!plain)
  {
    char* name = text_copy(text);
    if (equal) name[equal - text] = 0;
    take_suffixes(model, name, place);
    if (place->joint == LW_BASE)
      stop(USAGE, "--wrench: '%s' is the base, which no wrench moves", name);
    if (!equal) return false;
  }
  list_parse(OPTION_WRENCH, plain ? text : equal + 1, 6, each, values);
  return true;
}

// --- all of them

// A place without values is that of the link's columns.
static void place_columns(Wrenches* wrenches, const char* text, const lwWrenchPlace* place)
{
  int k = wrenches->tip, end = k + wrenches->links;
  while (k < end && wrenches->places[k].joint != place->joint) ++k;
  if (k == end)
    stop(USAGE,
         "--wrench: '%s' has no values and --in no columns of that link, expected "
         "%s=fx,fy,fz,nx,ny,nz or columns fx.LINK..",
         text, text);
  wrenches->places[k] = *place;
}

Wrenches wrenches_of(const Options* options, const lwModel* model, const lwCsvHeader* header,
                     lwCsvBlock* block)
{
  int links   = header ? header->link_count : 0;
  size_t most = (size_t)links + 1 + (size_t)options->wrench_count, rows = (size_t)block->capacity;
  Wrenches wrenches = {.tip       = header && header->present >> GROUP_WRENCH & 1,
                       .links     = links,
                       .places    = allocate(most, sizeof *wrenches.places),
                       .constants = allocate(6 * most, sizeof *wrenches.constants),
                       .values    = allocate(6 * most * rows, sizeof *wrenches.values)};
  if (links > 0) block->values[GROUP_LINKS] = malloc(6 * (size_t)links * rows * sizeof(double));
  if (links > 0 && !block->values[GROUP_LINKS]) leave(no_memory());
  if (wrenches.tip) wrenches.places[wrenches.count++].joint = lw_model_joint_count(model) - 1;
  for (int k = 0; k < links; ++k) wrenches.places[wrenches.count++].joint = header->links[k];
  for (int k = 0; k < options->wrench_count; ++k)
  {
    lwWrenchPlace place;
    double* constant = wrenches.constants + 6 * (size_t)wrenches.count;
    if (read_wrench(model, options->wrenches[k], &place, constant))
      wrenches.places[wrenches.count++] = place;
    else
      place_columns(&wrenches, options->wrenches[k], &place);
  }
  return wrenches;
}

bool wrenches_usual(const Wrenches* wrenches, const lwModel* model)
{
  const lwWrenchPlace* only = wrenches->places;
  if (wrenches->count == 0) return true;
  return wrenches->count == 1 && only->joint == lw_model_joint_count(model) - 1 &&
         only->axes == LW_AXES_LINK && only->xyz[0] == 0 && only->xyz[1] == 0 && only->xyz[2] == 0;
}

void wrenches_place(const Wrenches* wrenches, const lwModel* model, lwWorkspace* ws)
{
  if (!wrenches_usual(wrenches, model))
    need_ok(lw_workspace_set_wrench_places(ws, model, wrenches->count, wrenches->places, NULL));
}

const double* wrenches_fill(Wrenches* wrenches, const lwCsvBlock* block)
{
  size_t width = 6 * (size_t)wrenches->count, tip = wrenches->tip ? 6 : 0;
  size_t links = 6 * (size_t)wrenches->links;
  if (wrenches->count == 0) return NULL;
  for (size_t row = 0; row < (size_t)block->count; ++row)
  {
    double* to = wrenches->values + row * width;
    memcpy(to, wrenches->constants, width * sizeof *to);
    if (tip) memcpy(to, block->values[GROUP_WRENCH] + row * tip, tip * sizeof *to);
    if (links) memcpy(to + tip, block->values[GROUP_LINKS] + row * links, links * sizeof *to);
  }
  return wrenches->values;
}
