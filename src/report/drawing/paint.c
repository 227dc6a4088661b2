// SPDX-License-Identifier: MIT
// A scene as SVG: the same scale in both directions, painted from far to near,
// marks on top, names where there is room.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "math/elementary.h"
#include "report/drawing/drawing.h"
#include "report/drawing/svg.h"

extern const char lw_drawing_style_text[];  // drawing.css

enum
{
  LONGEST    = 720,  // pixels of the drawing itself
  HIGHEST    = 560,
  MARGIN     = 64,
  TITLE      = 34,
  MOST_TEXT  = 4096,  // places that labels keep free
  PLACES     = 8,     // around a spot that a label may take, at
  RINGS      = 4,     // distances
  LINE_STEPS = 5,     // places that a line keeps free
  ARC_STEPS  = 16     // straight parts of an arc
};

typedef struct PaintFrame
{
  double left, top;  // px of the corner
  double right, bottom;
} PaintFrame;

typedef struct Painter
{
  const lwScene* scene;
  lwOut* out;
  double low[2], high[2];  // m, of the picture
  double scale;            // px/m
  double width, height;    // px
  int texts;
  PaintFrame taken[MOST_TEXT];  // by labels and arrows
} Painter;

static void spot_of(const Painter* painter, const double at[2], lwSpot spot)
{
  spot[0] = MARGIN + (at[0] - painter->low[0]) * painter->scale;
  spot[1] = TITLE + MARGIN / 2.0 + (painter->high[1] - at[1]) * painter->scale;
}

// --- the size of the picture

static void widen_picture(Painter* painter, const double at[2], double by)
{
  for (int c = 0; c < 2; ++c)
  {
    painter->low[c]  = fmin(painter->low[c], at[c] - by);
    painter->high[c] = fmax(painter->high[c], at[c] + by);
  }
}

static void find_scale(Painter* painter)
{
  const lwScene* scene = painter->scene;
  painter->low[0] = painter->low[1] = INFINITY;
  painter->high[0] = painter->high[1] = -INFINITY;
  for (size_t i = 0; i < scene->item_count; ++i)
    for (int k = 0; k < scene->items[i].count; ++k)
      widen_picture(painter, scene->points[scene->items[i].first + (size_t)k],
                    scene->items[i].width / 2);
  for (size_t i = 0; i < scene->mark_count; ++i)
  {
    widen_picture(painter, scene->marks[i].a, 0);
    if (scene->marks[i].kind != LW_MARK_ARC) widen_picture(painter, scene->marks[i].b, 0);
  }
  const double origin[2] = {0, 0};
  if (!(painter->low[0] <= painter->high[0])) widen_picture(painter, origin, 0.5);
  double wide = painter->high[0] - painter->low[0], high = painter->high[1] - painter->low[1];
  double most    = fmax(fmax(wide, high), 1e-9);
  painter->scale = fmin(LONGEST / fmax(wide, 1e-3 * most), HIGHEST / fmax(high, 1e-3 * most));
  // a picture much narrower than its title would cut that off
  double least = 300 / painter->scale;
  for (int c = 0; c < 2; ++c)
  {
    double lacks = (c == 0 ? least : least / 3) - (painter->high[c] - painter->low[c]);
    if (lacks > 0) painter->low[c] -= lacks / 2, painter->high[c] += lacks / 2;
  }
  painter->width  = 2 * MARGIN + (painter->high[0] - painter->low[0]) * painter->scale;
  painter->height = TITLE + 1.5 * MARGIN + (painter->high[1] - painter->low[1]) * painter->scale;
}

// --- axes, or a scale

// 1, 2 or 5 times a power of ten, near the value.
static double round_step(double value)
{
  double power = lw_pow(10, floor(lw_log10(value))), part = value / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

// The base axis that a direction of the picture shows: 1, 2, 3, negative if reversed; 0: none.
static int axis_along(const double direction[3])
{
  for (int c = 0; c < 3; ++c)
    if (fabs(direction[c]) > 1 - 1e-12) return direction[c] > 0 ? c + 1 : -(c + 1);
  return 0;
}

static void put_tick(const Painter* painter, int c, double at, int axis)
{
  lwSpot a, b, text;
  const double ends[2][2] = {{c == 0 ? at : painter->low[0], c == 0 ? painter->low[1] : at},
                             {c == 0 ? at : painter->high[0], c == 0 ? painter->high[1] : at}};
  char label[32];
  double value = axis < 0 ? -at : at;
  spot_of(painter, ends[0], a);
  spot_of(painter, ends[1], b);
  lw_svg_line(painter->out, a, b, "class=\"g\"");
  text[0] = c == 0 ? a[0] : a[0] - 8;
  text[1] = c == 0 ? a[1] + 16 : a[1] + 4;
  snprintf(label, sizeof label, "%.6g", fabs(value) < 1e-9 ? 0 : value);
  lw_svg_text(painter->out, text,
              c == 0 ? "class=\"s\" text-anchor=\"middle\"" : "class=\"s\" text-anchor=\"end\"",
              label);
}

static void put_axis(const Painter* painter, int c, int axis, double step)
{
  lwSpot at;
  char label[16];
  for (double k = ceil(painter->low[c] / step); k * step <= painter->high[c] * (1 + 1e-12); ++k)
    put_tick(painter, c, k * step, axis);
  const double end[2] = {painter->high[0], painter->low[1]},
               top[2] = {painter->low[0], painter->high[1]};
  spot_of(painter, c == 0 ? end : top, at);
  snprintf(label, sizeof label, "%c (m)", "xyz"[abs(axis) - 1]);
  at[0] += c == 0 ? 8 : -8;
  at[1] += c == 0 ? 16 : -8;
  lw_svg_text(painter->out, at, c == 0 ? "class=\"s\"" : "class=\"s\" text-anchor=\"end\"", label);
}

static void put_scale(const Painter* painter)
{
  int right = axis_along(painter->scene->view.right), up = axis_along(painter->scene->view.up);
  double step =
      round_step(fmax(painter->high[0] - painter->low[0], painter->high[1] - painter->low[1]) / 7);
  if (painter->scene->plain) return;
  lw_svg_group(painter->out, "scale");
  if (right && up)
  {
    put_axis(painter, 0, right, step);
    put_axis(painter, 1, up, step);
  }
  else
  {
    lwSpot ends[2], text;
    char label[32];
    for (int k = 0; k < 2; ++k)
    {
      ends[k][0] = MARGIN / 2.0 + k * step * painter->scale;
      ends[k][1] = painter->height - 18;
    }
    lw_svg_line(painter->out, ends[0], ends[1], "class=\"k\"");
    text[0] = ends[1][0] + 8;
    text[1] = ends[1][1] + 4;
    snprintf(label, sizeof label, "%.6g m", step);
    lw_svg_text(painter->out, text, "class=\"s\"", label);
  }
  lw_svg_group_end(painter->out);
}

// --- items

static void colour_text(const lwDrawnItem* item, double factor, char text[8])
{
  static const unsigned char links[][3]  = {{126, 164, 209}, {226, 168, 108}, {134, 190, 134},
                                            {214, 138, 138}, {170, 150, 208}, {200, 184, 110}};
  static const unsigned char others[][3] = {{112, 120, 132}, {60, 64, 70}, {176, 180, 186}};
  int c                                  = item->paint.colour;
  const unsigned char* base =
      c < 0 ? others[-c - 1] : links[(size_t)c % (sizeof links / sizeof *links)];
  double light = (0.62 + 0.42 * item->shade) * factor;
  int rgb[3];
  for (int k = 0; k < 3; ++k)
  {
    bool given = item->paint.own && item->paint.own[3] > 0;
    double v   = fmin(255, (given ? 255 * item->paint.own[k] : base[k]) * light);
    if (item->paint.layer < 0) v = 255 - 0.35 * (255 - v);
    rgb[k] = (int)lround(v);
  }
  snprintf(text, 8, "#%02x%02x%02x", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

static void put_bar(const Painter* painter, const lwDrawnItem* item, const lwSpot* spots)
{
  char how[96], fill[8], edge[8];
  double width = fmax(2, item->width * painter->scale);
  colour_text(item, 1, fill);
  colour_text(item, 0.6, edge);
  lwSpot longer[2];
  double d[2]   = {spots[1][0] - spots[0][0], spots[1][1] - spots[0][1]},
         length = lw_hypot(d[0], d[1]);
  for (int c = 0; c < 2; ++c)  // half a pixel more at both ends, so that pieces leave no gap
  {
    longer[0][c] = spots[0][c] - (length > 0 ? 0.5 * d[c] / length : 0);
    longer[1][c] = spots[1][c] + (length > 0 ? 0.5 * d[c] / length : 0);
  }
  snprintf(how, sizeof how, "stroke=\"%s\" stroke-width=\"%.1f\"", edge, width + 1.6);
  lw_svg_line(painter->out, spots[0], spots[1], how);
  snprintf(how, sizeof how, "stroke=\"%s\" stroke-width=\"%.1f\"", fill, width);
  lw_svg_line(painter->out, longer[0], longer[1], how);
}

// Behind, far, and earlier ones first.
static int compare_items(const void* a, const void* b)
{
  const lwDrawnItem *p = *(const lwDrawnItem*const*)a, *q = *(const lwDrawnItem*const*)b;
  if (p->paint.layer != q->paint.layer) return p->paint.layer < q->paint.layer ? -1 : 1;
  if (p->depth != q->depth) return p->depth < q->depth ? -1 : 1;
  return p->first < q->first ? -1 : p->first > q->first;
}

static lwStatus put_items(const Painter* painter)
{
  const lwScene* scene = painter->scene;
  int most             = 1;
  for (size_t i = 0; i < scene->item_count; ++i)
    if (scene->items[i].count > most) most = scene->items[i].count;
  const lwDrawnItem** order = malloc((scene->item_count + 1) * sizeof(const lwDrawnItem*));
  lwSpot* spots             = calloc((size_t)most, sizeof *spots);
  if (order && spots)
  {
    for (size_t i = 0; i < scene->item_count; ++i) order[i] = &scene->items[i];
    qsort(order, scene->item_count, sizeof(const lwDrawnItem*), compare_items);
    lw_svg_group(painter->out, "links");
    for (size_t i = 0; i < scene->item_count; ++i)
    {
      char how[96], fill[8], edge[8];
      for (int k = 0; k < order[i]->count; ++k)
        spot_of(painter, painter->scene->points[order[i]->first + (size_t)k], spots[k]);
      colour_text(order[i], 1, fill);
      colour_text(order[i], 0.6, edge);
      snprintf(how, sizeof how, "fill=\"%s\" stroke=\"%s\"", fill,
               order[i]->paint.outline ? edge : fill);
      if (order[i]->kind == LW_ITEM_BAR)
        put_bar(painter, order[i], (const lwSpot*)spots);
      else if (order[i]->kind == LW_ITEM_DISC)
        lw_svg_circle(painter->out, spots[0], order[i]->width / 2 * painter->scale, how);
      else
        lw_svg_path(painter->out, (const lwSpot*)spots, order[i]->count, true, how);
    }
    lw_svg_group_end(painter->out);
  }
  bool done = order && spots;
  free(order);
  free(spots);
  return done ? LW_OK : LW_ERROR_MEMORY;
}

// --- labels

static double overlap_of(const PaintFrame* a, const PaintFrame* b)
{
  double wide = fmin(a->right, b->right) - fmax(a->left, b->left);
  double high = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

// How bad a place is: what it covers, and what sticks out of the picture.
static double badness_of(const Painter* painter, const PaintFrame* frame)
{
  double bad = 0;
  for (int i = 0; i < painter->texts; ++i) bad += overlap_of(frame, &painter->taken[i]);
  bad += 20 * fmax(0, 4 - frame->left) + 20 * fmax(0, frame->right - painter->width + 4);
  return bad + 20 * fmax(0, TITLE - frame->top) + 20 * fmax(0, frame->bottom - painter->height);
}

// Puts a text near the spot, where it covers no other one if possible;
// far ones get a line to their spot.
static void put_label(Painter* painter, const lwSpot spot, const char* class, const char* text)
{
  double letter = *class == 'n' ? 6.6 : 5.6, high = *class == 'n' ? 13 : 11;
  double wide = letter * lw_text_characters(text, strlen(text)), least = INFINITY;
  PaintFrame best = {0};
  for (int k = 0; k < PLACES * RINGS && least > 0; ++k)
  {
    static const int order[PLACES] = {1, 7, 3, 5, 2, 6, 0, 4};  // right above, right below, ...
    double angle                   = 0.78539816339744831 * order[k % PLACES];
    int ring                       = k / PLACES;
    double away                    = (*class == 'n' ? 13 : 9) + 15 * ring;
    double x = spot[0] + away * lw_cos(angle), y = spot[1] - away * lw_sin(angle);
    double left      = lw_cos(angle) > 0.1 ? x : lw_cos(angle) < -0.1 ? x - wide : x - wide / 2;
    PaintFrame frame = {left, y - high / 2, left + wide, y + high / 2};
    double bad       = badness_of(painter, &frame) + 0.01 * k;
    if (bad < 1) bad = 0;
    if (bad >= least) continue;
    least = bad;
    best  = frame;
  }
  char how[48];
  lwSpot at        = {best.left, best.bottom - 2.5};
  lwSpot near_spot = {fmin(fmax(spot[0], best.left), best.right),
                      fmin(fmax(spot[1], best.top), best.bottom)};
  if (lw_hypot(near_spot[0] - spot[0], near_spot[1] - spot[1]) > 16)
    lw_svg_line(painter->out, spot, near_spot, "class=\"l\"");
  snprintf(how, sizeof how, "class=\"%s\"", class);
  lw_svg_text(painter->out, at, how, text);
  if (painter->texts < MOST_TEXT) painter->taken[painter->texts++] = best;
}

// --- marks

// Labels that follow keep off a line.
static void keep_free(Painter* painter, const lwSpot a, const lwSpot b)
{
  for (int k = 0; k <= LINE_STEPS && painter->texts < MOST_TEXT; ++k)
  {
    double x = a[0] + (b[0] - a[0]) * k / LINE_STEPS, y = a[1] + (b[1] - a[1]) * k / LINE_STEPS;
    painter->taken[painter->texts++] = (PaintFrame){x - 2, y - 2, x + 2, y + 2};
  }
}

static void put_arrow(Painter* painter, const lwMark* mark, const lwSpot a, const lwSpot b)
{
  char how[32];
  double d[2] = {b[0] - a[0], b[1] - a[1]}, length = lw_hypot(d[0], d[1]),
         head = fmin(8, 0.4 * length);
  snprintf(how, sizeof how, "class=\"%s\"", mark->how);
  if (length < 3)  // towards the eye, or away from it
  {
    lw_svg_circle(painter->out, a, 2.2, how);
    return;
  }
  lwSpot head_spots[3] = {{b[0], b[1]}};
  for (int k = 0; k < 2; ++k)
  {
    double side          = k == 0 ? 0.38 : -0.38;
    head_spots[k + 1][0] = b[0] - head * (d[0] - side * d[1]) / length;
    head_spots[k + 1][1] = b[1] - head * (d[1] + side * d[0]) / length;
  }
  lw_svg_line(painter->out, a, b, how);
  lw_svg_path(painter->out, (const lwSpot*)head_spots, 3, true, how);
  keep_free(painter, a, b);
  if (mark->text[0]) put_label(painter, b, mark->how, mark->text);
}

// Beside the line from a to b, on the side away from the middle of the picture.
static void put_dimension(Painter* painter, const lwMark* mark, const lwSpot a, const lwSpot b)
{
  double d[2] = {b[0] - a[0], b[1] - a[1]}, length = lw_hypot(d[0], d[1]);
  if (length < 14) return;
  double normal[2] = {-d[1] / length, d[0] / length};
  double out[2]    = {(a[0] + b[0] - painter->width) / 2, (a[1] + b[1] - painter->height) / 2};
  double side      = normal[0] * out[0] + normal[1] * out[1] < 0 ? -17 : 17;
  lwSpot ends[2], middle;
  for (int c = 0; c < 2; ++c)
  {
    ends[0][c] = a[c] + side * normal[c];
    ends[1][c] = b[c] + side * normal[c];
    middle[c]  = (ends[0][c] + ends[1][c]) / 2;
  }
  for (int k = 0; k < 2; ++k)
  {
    const double* from = k == 0 ? a : b;
    lwSpot tick[2];
    for (int c = 0; c < 2; ++c)
    {
      tick[0][c] = from[c] + 0.5 * side * normal[c];
      tick[1][c] = from[c] + 1.3 * side * normal[c];
    }
    lw_svg_line(painter->out, tick[0], tick[1], "class=\"d\"");
  }
  lw_svg_line(painter->out, ends[0], ends[1], "class=\"d\"");
  put_label(painter, middle, "d", mark->text);
}

static void put_centre(const Painter* painter, const lwSpot at)
{
  lwSpot quarter[4] = {
      {at[0], at[1]}, {at[0] + 5, at[1]}, {at[0] + 3.5, at[1] + 3.5}, {at[0], at[1] + 5}};
  lwSpot other[4] = {
      {at[0], at[1]}, {at[0] - 5, at[1]}, {at[0] - 3.5, at[1] - 3.5}, {at[0], at[1] - 5}};
  lw_svg_circle(painter->out, at, 5, "fill=\"#fff\" stroke=\"#222\"");
  lw_svg_path(painter->out, (const lwSpot*)quarter, 4, true, "fill=\"#222\"");
  lw_svg_path(painter->out, (const lwSpot*)other, 4, true, "fill=\"#222\"");
}

static void put_arc(Painter* painter, const lwMark* mark)
{
  lwSpot spots[ARC_STEPS + 1], centre, end;
  double radius = mark->b[1], angle = mark->b[0];
  for (int k = 0; k <= ARC_STEPS; ++k)
  {
    const double at[2] = {mark->a[0] + radius * lw_cos(angle * k / ARC_STEPS),
                          mark->a[1] + radius * lw_sin(angle * k / ARC_STEPS)};
    spot_of(painter, at, spots[k]);
  }
  const double horizontal[2] = {mark->a[0] + 1.25 * radius, mark->a[1]};
  spot_of(painter, mark->a, centre);
  spot_of(painter, horizontal, end);
  lw_svg_line(painter->out, centre, end, "class=\"a\"");
  lw_svg_path(painter->out, (const lwSpot*)spots, ARC_STEPS + 1, false, "class=\"d\"");
  put_label(painter, spots[ARC_STEPS / 2], "d", mark->text);
}

static void put_mark(Painter* painter, const lwMark* mark)
{
  lwSpot a, b;
  char how[32];
  spot_of(painter, mark->a, a);
  spot_of(painter, mark->b, b);
  snprintf(how, sizeof how, "class=\"%s\"", mark->how);
  if (mark->kind == LW_MARK_LINE) lw_svg_line(painter->out, a, b, how);
  if (mark->kind == LW_MARK_ARROW) put_arrow(painter, mark, a, b);
  if (mark->kind == LW_MARK_DIMENSION) put_dimension(painter, mark, a, b);
  if (mark->kind == LW_MARK_DOT) lw_svg_circle(painter->out, a, 2, how);
  if (mark->kind == LW_MARK_CENTRE) put_centre(painter, a);
  if (mark->kind == LW_MARK_LABEL) put_label(painter, a, mark->how, mark->text);
  if (mark->kind == LW_MARK_ARC) put_arc(painter, mark);
  if (mark->kind != LW_MARK_CAPTION) return;
  a[1] += 4;
  lw_svg_text(painter->out, a, "text-anchor=\"middle\"", mark->text);
}

static void put_marks(Painter* painter)
{
  static const char* const ids[LW_MARK_GROUP_COUNT] = {[LW_MARK_PATH]       = "path",
                                                       [LW_MARK_AXES]       = "joints",
                                                       [LW_MARK_MASSES]     = "masses",
                                                       [LW_MARK_FORCES]     = "forces",
                                                       [LW_MARK_FRAMES]     = "frames",
                                                       [LW_MARK_NAMES]      = "names",
                                                       [LW_MARK_DIMENSIONS] = "dimensions"};
  const lwScene* scene                              = painter->scene;
  for (int group = 0; group < LW_MARK_GROUP_COUNT; ++group)
  {
    bool open = false;
    for (size_t i = 0; i < scene->mark_count; ++i)
    {
      if ((int)scene->marks[i].group != group) continue;
      if (!open) lw_svg_group(painter->out, ids[group]);
      open = true;
      put_mark(painter, &scene->marks[i]);
    }
    if (open) lw_svg_group_end(painter->out);
  }
}

// --- the picture

lwStatus lw_paint(const lwScene* scene, const char* title, lwOut* out)
{
  static const lwSpot top = {16, 24};
  Painter* painter        = calloc(1, sizeof *painter);
  if (!painter) return LW_ERROR_MEMORY;
  painter->scene = scene;
  painter->out   = out;
  find_scale(painter);
  lw_svg_begin(out, ceil(painter->width), ceil(painter->height), title, lw_drawing_style_text);
  lw_svg_text(out, top, "class=\"t\"", title);
  put_scale(painter);
  lwStatus status = put_items(painter);
  put_marks(painter);
  lw_svg_end(out);
  free(painter);
  return status;
}
