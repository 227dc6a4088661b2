// SPDX-License-Identifier: MIT
#include "report/drawing/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "math/elementary.h"
#include "math/rotation.h"

void lw_scene_free(lwScene* scene)
{
  free(scene->points);
  free(scene->items);
  free(scene->marks);
}

// Room for `more` entries behind `count`; NULL: out of memory, and the old entries stay.
static void* grown(lwScene* scene, void* entries, size_t count, size_t more, size_t* capacity,
                   size_t size)
{
  if (scene->failed) return NULL;
  if (count + more <= *capacity) return entries;
  size_t wanted = 2 * (count + more) + 64;
  void* larger  = realloc(entries, wanted * size);
  if (larger)
    *capacity = wanted;
  else
    scene->failed = true;
  return larger;
}

// --- items

// Adds points that are projected already, and an item of them; NULL: out of memory.
static lwDrawnItem* add_item(lwScene* scene, lwItemKind kind, const double (*points)[3], int count,
                             lwPaint paint)
{
  size_t more  = (size_t)count;
  void* places = grown(scene, scene->points, scene->point_count, more, &scene->point_capacity,
                       sizeof *scene->points);
  if (places) scene->points = places;
  void* items =
      grown(scene, scene->items, scene->item_count, 1, &scene->item_capacity, sizeof *scene->items);
  if (items) scene->items = items;
  if (!places || !items) return NULL;
  lwDrawnItem* item = &scene->items[scene->item_count++];
  *item = (lwDrawnItem){.kind = kind, .paint = paint, .first = scene->point_count, .count = count};
  memcpy(scene->points + scene->point_count, points, more * sizeof *points);
  scene->point_count += more;
  for (int i = 0; i < count; ++i) item->depth += points[i][2] / count;
  return item;
}

// The normal of a polygon in the axes of the picture, with twice its area as length (Newell).
static void polygon_normal(const double (*points)[3], int count, double normal[3])
{
  normal[0] = normal[1] = normal[2] = 0;
  for (int i = 0; i < count; ++i)
  {
    const double *a = points[i], *b = points[(i + 1) % count];
    normal[0] += (a[1] - b[1]) * (a[2] + b[2]);
    normal[1] += (a[2] - b[2]) * (a[0] + b[0]);
    normal[2] += (a[0] - b[0]) * (a[1] + b[1]);
  }
}

// Light comes from above, over the left shoulder.
static double shade_of(const double normal[3])
{
  static const double light[3] = {-0.36, 0.60, 0.715};
  double length                = lw_length(normal);
  return length > 0 ? fmax(0, lw_dot(normal, light) / length) : 1;
}

enum
{
  MOST_CORNERS = 64  // of a face
};

void lw_scene_face(lwScene* scene, const double (*corners)[3], int count, lwPaint paint)
{
  double points[MOST_CORNERS][3], normal[3];
  if (count > MOST_CORNERS) return;
  for (int i = 0; i < count; ++i) lw_view_project(&scene->view, corners[i], points[i]);
  polygon_normal((const double(*)[3])points, count, normal);
  if (normal[2] <= 1e-9 * lw_length(normal)) return;
  lwDrawnItem* item = add_item(scene, LW_ITEM_FACE, (const double(*)[3])points, count, paint);
  if (item) item->shade = shade_of(normal);
}

void lw_scene_bar(lwScene* scene, const double a[3], const double b[3], double width,
                  double longest_piece, lwPaint paint)
{
  double ends[2][3], piece[2][3];
  lw_view_project(&scene->view, a, ends[0]);
  lw_view_project(&scene->view, b, ends[1]);
  double flat  = lw_hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
  double long_ = lw_hypot(flat, ends[1][2] - ends[0][2]);
  int pieces   = longest_piece > 0 ? (int)fmin(64, ceil(long_ / longest_piece)) : 1;
  for (int k = 0; k < pieces; ++k)
  {
    for (int i = 0; i < 2; ++i)
      for (int c = 0; c < 3; ++c)
        piece[i][c] = ends[0][c] + (ends[1][c] - ends[0][c]) * (k + i) / pieces;
    lwDrawnItem* item = add_item(scene, LW_ITEM_BAR, (const double(*)[3])piece, 2, paint);
    if (!item) return;
    item->width = width;
    item->shade = 0.7;
  }
}

void lw_scene_disc(lwScene* scene, const double centre[3], double radius, lwPaint paint)
{
  double point[1][3];
  lw_view_project(&scene->view, centre, point[0]);
  lwDrawnItem* item = add_item(scene, LW_ITEM_DISC, (const double(*)[3])point, 1, paint);
  if (!item) return;
  item->width = 2 * radius;
  item->shade = 0.8;
}

// --- outlines

static int compare_points(const void* a, const void* b)
{
  const double *p = a, *q = b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return p[1] < q[1] ? -1 : p[1] > q[1];
}

static double turn_of(const double a[3], const double b[3], const double c[3])
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Convex hull by Andrew's monotone chain; hull has room for 2 count points.
// Returns how many it has.
static size_t find_hull(double (*points)[3], size_t count, double (*hull)[3])
{
  size_t size = 0;
  qsort(points, count, sizeof *points, compare_points);
  for (int side = 0; side < 2; ++side)
  {
    size_t start = size;
    for (size_t k = 0; k < count; ++k)
    {
      const double* next = points[side == 0 ? k : count - 1 - k];
      while (size >= start + 2 && turn_of(hull[size - 2], hull[size - 1], next) <= 0) --size;
      memcpy(hull[size++], next, sizeof *hull);
    }
    --size;  // where the other side begins
  }
  return size;
}

void lw_scene_hull(lwScene* scene, const double (*corners)[3], size_t count, lwPaint paint)
{
  if (count < 3) return;
  double(*points)[3] = malloc(3 * count * sizeof *points);
  if (!points)
  {
    scene->failed = true;
    return;
  }
  for (size_t i = 0; i < count; ++i) lw_view_project(&scene->view, corners[i], points[i]);
  size_t size       = find_hull(points, count, points + count);
  lwDrawnItem* item = size >= 3 ? add_item(scene, LW_ITEM_FACE, (const double(*)[3])points + count,
                                           (int)size, paint)
                                : NULL;
  if (item) item->shade = 0.75;
  free(points);
}

// --- marks

static lwMark* add_mark(lwScene* scene, lwMarkGroup group, lwMarkKind kind, const char* how,
                        const double a[3], const char* text)
{
  double at[3];
  void* marks =
      grown(scene, scene->marks, scene->mark_count, 1, &scene->mark_capacity, sizeof *scene->marks);
  if (!marks) return NULL;
  scene->marks = marks;
  lwMark* mark = &scene->marks[scene->mark_count++];
  *mark        = (lwMark){.group = group, .kind = kind, .how = how};
  lw_view_project(&scene->view, a, at);
  for (int c = 0; c < 2; ++c) mark->a[c] = mark->b[c] = at[c];
  snprintf(mark->text, sizeof mark->text, "%s", text ? text : "");
  return mark;
}

void lw_scene_mark(lwScene* scene, lwMarkGroup group, lwMarkKind kind, const char* how,
                   const double a[3], const double b[3], const char* text)
{
  double at[3];
  lwMark* mark = add_mark(scene, group, kind, how, a, text);
  if (!mark || !b) return;
  lw_view_project(&scene->view, b, at);
  for (int c = 0; c < 2; ++c) mark->b[c] = at[c];
}

void lw_scene_arc(lwScene* scene, const double centre[3], double angle, double radius,
                  const char* text)
{
  lwMark* mark = add_mark(scene, LW_MARK_DIMENSIONS, LW_MARK_ARC, "d", centre, text);
  if (!mark) return;
  mark->b[0] = angle;
  mark->b[1] = radius;
}

// Sines of whole right angles are exact, so that axes of such views stay axes.
static void exact_sincos(double angle, double* s, double* c)
{
  *s = lw_sin(angle);
  *c = lw_cos(angle);
  if (fabs(*s) < 1e-15) *s = 0;
  if (fabs(*c) < 1e-15) *c = 0;
}

lwViewpoint lw_view_from(double azimuth, double elevation)
{
  double sa, ca, se, ce;
  exact_sincos(azimuth, &sa, &ca);
  exact_sincos(elevation, &se, &ce);
  return (lwViewpoint){
      .right = {-sa, ca, 0}, .up = {-ca * se, -sa * se, ce}, .toward = {ca * ce, sa * ce, se}};
}

bool lw_view_named(const char* name, lwViewpoint* view)
{
  static const double right_angle = LW_PI / 2;
  static const struct
  {
    const char* name;
    double azimuth, elevation;
  } views[] = {
      {"front", -1, 0}, {"side", 0, 0}, {"top", -1, 1}, {"iso", -0.5, 0.39182655203060727}};
  for (size_t i = 0; i < sizeof views / sizeof *views; ++i)
  {
    if (strcmp(name, views[i].name) != 0) continue;
    *view = lw_view_from(views[i].azimuth * right_angle, views[i].elevation * right_angle);
    return true;
  }
  return false;
}

void lw_view_project(const lwViewpoint* view, const double p[3], double out[3])
{
  double right = lw_dot(view->right, p), up = lw_dot(view->up, p), toward = lw_dot(view->toward, p);
  out[0] = right, out[1] = up, out[2] = toward;
}
