// SPDX-License-Identifier: MIT
// What a drawing shows, projected onto the plane of the picture: faces, bars and discs, painted
// from far to near, and marks over them: axes, arrows, dimensions, names.
//
//   robot.c, snake.c --solids.c--> lwScene --paint.c--> SVG
#ifndef LW_REPORT_DRAWING_SCENE_H
#define LW_REPORT_DRAWING_SCENE_H

#include <stdbool.h>
#include <stddef.h>

// --- the point of view. Projection is orthographic, so lengths in the plane of the picture are
// true.

// Unit vectors in the base frame.
typedef struct lwViewpoint
{
  double right[3], up[3];
  double toward[3];  // the eye
} lwViewpoint;

// The direction of the eye: azimuth from x towards y, elevation above the plane x, y; rad.
lwViewpoint lw_view_from(double azimuth, double elevation);

// front (x to the right, z up), side (y, z), top (x, y), iso. False: there is no such view.
bool lw_view_named(const char* name, lwViewpoint* view);

// p in the picture: to the right, up, and towards the eye, m.
void lw_view_project(const lwViewpoint* view, const double p[3], double out[3]);

// --- what is drawn

// Where a body is: its axes row by row, and its origin, m.
typedef struct lwPlace3
{
  double R[9], p[3];
} lwPlace3;

enum
{
  LW_COLOUR_JOINT = -1,  // colours from 0 on are those of links
  LW_COLOUR_WHEEL = -2,
  LW_COLOUR_BASE  = -3
};

typedef struct lwPaint
{
  int colour;
  int layer;          // 0: the pose itself; layers below are behind it, and pale
  bool outline;       // edges of the face are drawn
  const double* own;  // red, green, blue, opacity that the file gives; NULL, or opacity 0: none
} lwPaint;

typedef enum lwItemKind
{
  LW_ITEM_FACE,
  LW_ITEM_BAR,  // two points and a width
  LW_ITEM_DISC  // one point and a diameter
} lwItemKind;

typedef struct lwDrawnItem
{
  lwItemKind kind;
  lwPaint paint;
  size_t first;  // of its points
  int count;
  double width;  // m
  double shade;  // 0 dark, 1 lit
  double depth;  // m, towards the eye
} lwDrawnItem;

// Groups of the picture, one on top of the other.
typedef enum lwMarkGroup
{
  LW_MARK_PATH,
  LW_MARK_AXES,  // of joints
  LW_MARK_MASSES,
  LW_MARK_FORCES,
  LW_MARK_FRAMES,
  LW_MARK_DIMENSIONS,
  LW_MARK_NAMES,
  LW_MARK_GROUP_COUNT
} lwMarkGroup;

typedef enum lwMarkKind
{
  LW_MARK_LINE,
  LW_MARK_ARROW,
  LW_MARK_DIMENSION,
  LW_MARK_DOT,
  LW_MARK_CENTRE,   // of mass
  LW_MARK_LABEL,    // beside its point
  LW_MARK_CAPTION,  // on its point
  LW_MARK_ARC       // about a, from the horizontal by b[0] rad, with the radius b[1]
} lwMarkKind;

enum
{
  LW_MARK_TEXT = 64
};

typedef struct lwMark
{
  lwMarkGroup group;
  lwMarkKind kind;
  const char* how;  // class of the style
  double a[2], b[2];
  char text[LW_MARK_TEXT];
} lwMark;

typedef struct lwScene
{
  lwViewpoint view;
  size_t point_count, point_capacity;
  double (*points)[3];  // to the right, up, towards the eye, m
  size_t item_count, item_capacity;
  lwDrawnItem* items;
  size_t mark_count, mark_capacity;
  lwMark* marks;
  bool plain;   // without axes or a scale: it shows no lengths
  bool failed;  // out of memory
} lwScene;

void lw_scene_free(lwScene* scene);

// --- scene.c. Points are in the base frame, m.

// A polygon, counter-clockwise seen from outside; one that shows its back is left out.
void lw_scene_face(lwScene* scene, const double (*corners)[3], int count, lwPaint paint);

// The outline of points in space: their convex hull in the picture.
void lw_scene_hull(lwScene* scene, const double (*corners)[3], size_t count, lwPaint paint);

// A bar from a to b, in pieces so that things in between hide the right parts of it.
void lw_scene_bar(lwScene* scene, const double a[3], const double b[3], double width,
                  double longest_piece, lwPaint paint);
void lw_scene_disc(lwScene* scene, const double centre[3], double radius, lwPaint paint);

// A mark from a to b (or NULL: at a), with a text or NULL.
void lw_scene_mark(lwScene* scene, lwMarkGroup group, lwMarkKind kind, const char* how,
                   const double a[3], const double b[3], const char* text);

// An arc about a from the horizontal of the picture.
void lw_scene_arc(lwScene* scene, const double centre[3], double angle, double radius,
                  const char* text);

// --- solids.c. `sizes` as in lw_solid_info(); points and meshes are not drawn.

void lw_scene_solid(lwScene* scene, const lwPlace3* place, int solid, const double* sizes,
                    lwPaint paint);

// A solid whose z goes along the axis.
void lw_scene_along(lwScene* scene, const double middle[3], const double axis[3], int solid,
                    const double* sizes, lwPaint paint);

#endif
