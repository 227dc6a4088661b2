// SPDX-License-Identifier: MIT
#include "wrench_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/list.h"

enum
{
  NAME_SIZE = 512  // of a link, with the point and /base after it
};

static const char BASE_AXES[] = "/base";

// --- one option

// Cuts "/base" and "@x,y,z" off a name, where the whole is not a link. USAGE or DONE.
static int take_suffixes(const lwModel* model, char* name, lwWrenchPlace* place)
{
  size_t length = strlen(name), base = sizeof BASE_AXES - 1;
  lwFrame frame = {.joint = 0};
  int given     = 3;
  if (lw_model_find_link(model, name, &place->joint) == LW_OK) return DONE;
  if (length > base && !strcmp(name + length - base, BASE_AXES))
  {
    place->axes         = LW_AXES_BASE;
    name[length - base] = 0;
  }
  if (lw_model_find_link(model, name, &place->joint) == LW_OK) return DONE;
  char* at = strrchr(name, '@');
  if (!at) return frame_link(model, OPTION_WRENCH, name, &place->joint);
  *at        = 0;
  int status = frame_read(OPTION_WRENCH, at + 1, &frame, &given);
  if (status == DONE && given != 3)
    return fail(USAGE, "--wrench: 6 values after '%s@', expected the point x,y,z", name);
  memcpy(place->xyz, frame.xyz, sizeof place->xyz);
  return status == DONE ? frame_link(model, OPTION_WRENCH, name, &place->joint) : status;
}

// "fx,..", "LINK@x,y,z/base=fx,..", or the same without values, which *given says.
static int read_wrench(const lwModel* model, const char* text, lwWrenchPlace* place,
                       double values[6], bool* given)
{
  static const char each[] = "fx,fy,fz,nx,ny,nz";
  const char* equal        = strrchr(text, '=');
  char name[NAME_SIZE];
  *place     = (lwWrenchPlace){.joint = lw_model_joint_count(model) - 1};
  *given     = true;
  bool plain = !equal && strspn(text, "0123456789+-. \t") > 0 &&
               strchr(text, ',') == text + strcspn(text, ",@/");
  if (plain) return list_parse(OPTION_WRENCH, text, 6, each, values);
  size_t length = equal ? (size_t)(equal - text) : strlen(text);
  if (length >= sizeof name) return fail(USAGE, "--wrench: the name of the link is too long");
  memcpy(name, text, length);
  name[length] = 0;
  *given       = equal != NULL;
  int status   = take_suffixes(model, name, place);
  if (status == DONE && place->joint == LW_BASE)
    return fail(USAGE, "--wrench: '%s' is the base, which no wrench moves", name);
  return status == DONE && equal ? list_parse(OPTION_WRENCH, equal + 1, 6, each, values) : status;
}

// --- all of them

static bool take_memory(Wrenches* wrenches, int most, int rows)
{
  size_t count        = (size_t)most + 1;
  wrenches->places    = calloc(count, sizeof *wrenches->places);
  wrenches->constants = calloc(6 * count, sizeof *wrenches->constants);
  wrenches->values    = calloc(6 * count * (size_t)(rows > 0 ? rows : 1), sizeof *wrenches->values);
  return wrenches->places && wrenches->constants && wrenches->values;
}

// A place without values is that of the link's columns.
static int place_columns(Wrenches* wrenches, const char* text, const lwWrenchPlace* place)
{
  for (int k = wrenches->hand; k < wrenches->hand + wrenches->links; ++k)
    if (wrenches->places[k].joint == place->joint)
    {
      wrenches->places[k] = *place;
      return DONE;
    }
  return fail(USAGE,
              "--wrench: '%s' has no values and --in no columns of that link, expected "
              "%s=fx,fy,fz,nx,ny,nz or columns fx.LINK..",
              text, text);
}

int wrenches_open(Wrenches* wrenches, const Options* options, const lwModel* model,
                  const lwCsvHeader* header, lwCsvBlock* block)
{
  int links  = header ? header->link_count : 0;
  int status = DONE;
  *wrenches  = (Wrenches){.links = links};
  if (!take_memory(wrenches, links + 1 + options->wrench_count, block->capacity))
    return no_memory();
  size_t columns = 6 * (size_t)links * (size_t)block->capacity;
  if (links > 0) block->values[GROUP_LINKS] = malloc(columns * sizeof(double));
  if (links > 0 && !block->values[GROUP_LINKS]) return no_memory();
  wrenches->hand = header && header->present >> GROUP_WRENCH & 1;
  if (wrenches->hand) wrenches->places[wrenches->count++].joint = lw_model_joint_count(model) - 1;
  for (int k = 0; k < links; ++k) wrenches->places[wrenches->count++].joint = header->links[k];
  for (int k = 0; k < options->wrench_count && status == DONE; ++k)
  {
    lwWrenchPlace place;
    bool given;
    double* constant = wrenches->constants + 6 * (size_t)wrenches->count;
    status           = read_wrench(model, options->wrenches[k], &place, constant, &given);
    if (status == DONE && !given) status = place_columns(wrenches, options->wrenches[k], &place);
    if (status == DONE && given) wrenches->places[wrenches->count++] = place;
  }
  return status;
}

void wrenches_close(Wrenches* wrenches)
{
  free(wrenches->places);
  free(wrenches->constants);
  free(wrenches->values);
}

bool wrenches_usual(const Wrenches* wrenches, const lwModel* model)
{
  const lwWrenchPlace* only = wrenches->places;
  if (wrenches->count == 0) return true;
  return wrenches->count == 1 && only->joint == lw_model_joint_count(model) - 1 &&
         only->axes == LW_AXES_LINK && only->xyz[0] == 0 && only->xyz[1] == 0 && only->xyz[2] == 0;
}

lwStatus wrenches_place(const Wrenches* wrenches, const lwModel* model, lwWorkspace* ws)
{
  if (wrenches_usual(wrenches, model)) return LW_OK;
  return lw_workspace_set_wrench_places(ws, model, wrenches->count, wrenches->places, NULL);
}

const double* wrenches_of(Wrenches* wrenches, const lwCsvBlock* block)
{
  size_t width = 6 * (size_t)wrenches->count, hand = wrenches->hand ? 6 : 0;
  size_t links = 6 * (size_t)wrenches->links;
  if (wrenches->count == 0) return NULL;
  for (size_t row = 0; row < (size_t)block->count; ++row)
  {
    double* to = wrenches->values + row * width;
    memcpy(to, wrenches->constants, width * sizeof *to);
    if (hand) memcpy(to, block->values[GROUP_WRENCH] + row * hand, hand * sizeof *to);
    if (links) memcpy(to + hand, block->values[GROUP_LINKS] + row * links, links * sizeof *to);
  }
  return wrenches->values;
}
