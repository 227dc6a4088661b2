// SPDX-License-Identifier: MIT
// A robot as a scene: links by their shapes or, without any, as bars from joint to joint.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/dynamics.h"
#include "linkwork/loop.h"
#include "linkwork/trajectory.h"
#include "math/rotation.h"
#include "report/drawing/drawing.h"
#include "report/page/link_shapes.h"
#include "report/robot/robot_text.h"

// A pose under way.
typedef struct Stage
{
  const lwDrawing* drawing;
  lwScene* scene;
  const lwRobotDef* robot;
  lwLinkShapes shapes;
  lwPlace3* frames;  // (1 + joints) of the base and of the links
  bool* solid;       // (1 + joints) the link is drawn by its shapes
  double size;       // m, of the whole robot
  unsigned shown;
  int layer;
  int left_out;
} Stage;

static const lwPlace3* frame_of(const Stage* stage, int joint)
{
  return &stage->frames[joint + 1];
}

static void axis_of(const lwPlace3* place, int k, double axis[3])
{
  for (int c = 0; c < 3; ++c) axis[c] = place->R[3 * c + k];
}

// a + length times direction
static void point_along(const double a[3], const double direction[3], double length, double out[3])
{
  for (int c = 0; c < 3; ++c) out[c] = a[c] + length * direction[c];
}

static double distance_of(const double a[3], const double b[3])
{
  double d[3];
  for (int c = 0; c < 3; ++c) d[c] = b[c] - a[c];
  return lw_length(d);
}

static lwPlace3 place_on(const lwPlace3* link, const double R[9], const double xyz[3])
{
  lwPlace3 place;
  lw_rotation_product(link->R, R, place.R);
  lw_rotate(link->R, xyz, place.p);
  point_along(place.p, link->p, 1, place.p);
  return place;
}

// --- links

static const lwLinkDef* link_of(const Stage* stage, int link)
{
  return link < 0 ? &stage->robot->base : &stage->robot->joints[link].link;
}

// The centre of mass of a link; false: it has no mass.
static bool centre_of(const Stage* stage, int link, double com[3])
{
  const lwLinkDef* body = link_of(stage, link);
  lw_rotate(frame_of(stage, link)->R, body->com, com);
  point_along(com, frame_of(stage, link)->p, 1, com);
  return body->mass > 0;
}

// --- joints

// A point of the axis of a joint, and its direction.
static void joint_axis(const Stage* stage, int i, double point[3], double axis[3])
{
  const lwJointDef* joint = &stage->robot->joints[i];
  bool standard           = joint->placement == LW_PLACEMENT_DH_STANDARD;
  const lwPlace3* frame   = frame_of(stage, standard ? joint->parent : i);
  memcpy(point, frame->p, sizeof frame->p);
  axis_of(frame, 2, axis);
  double length = lw_length(joint->axis);
  if (joint->placement != LW_PLACEMENT_ORIGIN_AXIS || !(length > 0)) return;
  lw_rotate(frame->R, joint->axis, axis);
  for (int c = 0; c < 3; ++c) axis[c] /= length;
}

static void draw_joint_body(const Stage* stage, const lwJointDef* joint, const double point[3],
                            const double axis[3])
{
  double s            = stage->size;
  lwJointType type    = joint->type;
  const lwPaint paint = {.colour = LW_COLOUR_JOINT, .layer = stage->layer, .outline = true};
  const double box[3] = {0.04 * s, 0.04 * s, 0.075 * s}, cylinder[2] = {0.022 * s, 0.075 * s};
  if (type == LW_JOINT_REVOLUTE || type == LW_JOINT_SCREW || type == LW_JOINT_CYLINDRICAL)
    lw_scene_along(stage->scene, point, axis, LW_SOLID_CYLINDER, cylinder, paint);
  else if (type == LW_JOINT_PRISMATIC)
    lw_scene_along(stage->scene, point, axis, LW_SOLID_BOX, box, paint);
  else if (type == LW_JOINT_BALL || type == LW_JOINT_UNIVERSAL || type == LW_JOINT_PLANAR)
    lw_scene_disc(stage->scene, point, 0.025 * s, paint);
}

static bool has_axis(lwJointType type)
{
  return type == LW_JOINT_REVOLUTE || type == LW_JOINT_PRISMATIC || type == LW_JOINT_SCREW ||
         type == LW_JOINT_CYLINDRICAL;
}

static void draw_joint(const Stage* stage, int i)
{
  const lwJointDef* joint = &stage->robot->joints[i];
  double point[3], axis[3], ends[2][3];
  joint_axis(stage, i, point, axis);
  bool inside = stage->solid[i + 1] || stage->solid[joint->parent + 1];
  if (stage->shown & LW_SHOW_JOINTS && !inside) draw_joint_body(stage, joint, point, axis);
  if (stage->layer < 0) return;
  if (stage->shown & LW_SHOW_JOINTS && has_axis(joint->type))
  {
    for (int k = 0; k < 2; ++k)
      point_along(point, axis, (2 * k - 1) * 0.085 * stage->size, ends[k]);
    lw_scene_mark(stage->scene, LW_MARK_AXES, LW_MARK_LINE, "a", ends[0], ends[1], NULL);
    lw_scene_mark(stage->scene, LW_MARK_AXES, LW_MARK_DOT, "p", point, NULL, NULL);
  }
  if (stage->shown & LW_SHOW_NAMES && joint->type != LW_JOINT_FIXED)
    lw_scene_mark(stage->scene, LW_MARK_NAMES, LW_MARK_LABEL, "n", point, NULL, joint->name);
}

// --- links as bars

// A straight part of a link: a bar where there are no shapes, and its length.
static void draw_stretch(const Stage* stage, int link, const double a[3], const double b[3])
{
  double length = distance_of(a, b), s = stage->size;
  char text[LW_MARK_TEXT];
  if (length <= 1e-9 * s) return;
  lwPaint paint = {.colour = link < 0 ? LW_COLOUR_BASE : link, .layer = stage->layer};
  if (stage->shown & LW_SHOW_LINKS && !stage->solid[link + 1])
    lw_scene_bar(stage->scene, a, b, 0.02 * s, 0.12 * s, paint);
  if (stage->layer < 0 || !(stage->shown & LW_SHOW_DIMENSIONS) || length < 0.01 * s) return;
  snprintf(text, sizeof text, "%.4g", length);
  lw_scene_mark(stage->scene, LW_MARK_DIMENSIONS, LW_MARK_DIMENSION, "d", a, b, text);
}

// From the origin of a link's frame to a joint that it carries; modified DH goes along x first.
static void draw_to_child(const Stage* stage, int link, int child)
{
  const lwJointDef* joint = &stage->robot->joints[child];
  const lwPlace3* from    = frame_of(stage, link);
  const double* to        = frame_of(stage, child)->p;
  double corner[3], x[3];
  if (joint->placement == LW_PLACEMENT_DH_STANDARD) return;  // it is at the origin itself
  if (joint->type == LW_JOINT_FLOATING) return;              // nothing joins the two
  memcpy(corner, from->p, sizeof corner);
  axis_of(from, 0, x);
  if (joint->placement == LW_PLACEMENT_DH_MODIFIED) point_along(from->p, x, joint->a, corner);
  draw_stretch(stage, link, from->p, corner);
  draw_stretch(stage, link, corner, to);
}

// Standard DH: from the axis of the joint along it, then along x to the origin.
static void draw_from_joint(const Stage* stage, int i)
{
  const lwJointDef* joint = &stage->robot->joints[i];
  const lwPlace3* frame   = frame_of(stage, i);
  double corner[3], x[3];
  if (joint->placement != LW_PLACEMENT_DH_STANDARD) return;
  axis_of(frame, 0, x);
  point_along(frame->p, x, -joint->a, corner);
  draw_stretch(stage, i, frame_of(stage, joint->parent)->p, corner);
  draw_stretch(stage, i, corner, frame->p);
}

// A link that carries nothing and has no length is drawn to its centre of mass.
static void draw_last(const Stage* stage, int i)
{
  const lwJointDef* joint = &stage->robot->joints[i];
  const lwPlace3* frame   = frame_of(stage, i);
  double com[3];
  if (joint->placement == LW_PLACEMENT_DH_STANDARD || stage->solid[i + 1]) return;
  for (int k = i + 1; k < stage->robot->count; ++k)
    if (stage->robot->joints[k].parent == i) return;
  centre_of(stage, i, com);
  lwPaint paint = {.colour = i, .layer = stage->layer};
  if (stage->shown & LW_SHOW_LINKS)
    lw_scene_bar(stage->scene, frame->p, com, 0.02 * stage->size, 0.12 * stage->size, paint);
}

// --- loops

static lwPlace3 place_of_frame(const Stage* stage, const lwFrame* frame)
{
  double R[9];
  lw_rotation_rpy(frame->rpy, R);
  return place_on(frame_of(stage, frame->joint), R, frame->xyz);
}

// A wheel or disc as large as it is; a skate as a blade on the ground, across its direction.
static void draw_rolling(const Stage* stage, const lwLoopDef* loop)
{
  static const double up[3] = {0, 0, 1};
  double s                  = stage->size, axis[3], blade[3], ends[2][3];
  lwPaint paint             = {.colour = LW_COLOUR_WHEEL, .layer = stage->layer, .outline = true};
  lwPlace3 place            = place_of_frame(stage, &loop->second);
  if (loop->type == LW_LOOP_CONTACT) return;
  lw_rotate(place.R, loop->axis, axis);
  if (loop->type != LW_LOOP_SKATE)
    return lw_scene_along(stage->scene, place.p, axis, LW_SOLID_CYLINDER,
                          (double[]){loop->radius, 0.015 * s}, paint);
  lw_cross(axis, up, blade);
  double length = lw_length(blade);
  for (int side = 0; side < 2 && length > 0; ++side)
    point_along(place.p, blade, (side ? 0.06 : -0.06) * s / length, ends[side]);
  if (length > 0) lw_scene_bar(stage->scene, ends[0], ends[1], 0.012 * s, 0.12 * s, paint);
}

// Both links up to the point that holds them together, and the joint there. Gears have no bodies.
static void draw_loop(const Stage* stage, const lwLoopDef* loop)
{
  static const lwJointType types[LW_LOOP_TYPE_COUNT] = {[LW_LOOP_FIXED]    = LW_JOINT_FIXED,
                                                        [LW_LOOP_POSITION] = LW_JOINT_BALL,
                                                        [LW_LOOP_HINGE]    = LW_JOINT_REVOLUTE,
                                                        [LW_LOOP_LINE]     = LW_JOINT_PRISMATIC,
                                                        [LW_LOOP_GEAR]     = LW_JOINT_FIXED};
  if (loop->type >= LW_LOOP_SKATE) return draw_rolling(stage, loop);
  if (loop->type == LW_LOOP_GEAR) return;
  lwJointDef joint = {.type = types[loop->type]};
  lwPlace3 first   = place_of_frame(stage, &loop->first),
           second  = place_of_frame(stage, &loop->second);
  double axis[3], length = lw_length(loop->axis);
  draw_stretch(stage, loop->first.joint, frame_of(stage, loop->first.joint)->p, first.p);
  draw_stretch(stage, loop->second.joint, frame_of(stage, loop->second.joint)->p, second.p);
  axis_of(&first, 2, axis);
  if (length > 0) lw_rotate(first.R, loop->axis, axis);
  for (int c = 0; c < 3 && length > 0; ++c) axis[c] /= length;
  if (stage->shown & LW_SHOW_JOINTS) draw_joint_body(stage, &joint, first.p, axis);
  if (stage->layer == 0 && stage->shown & LW_SHOW_NAMES)
    lw_scene_mark(stage->scene, LW_MARK_NAMES, LW_MARK_LABEL, "n", first.p, NULL, loop->name);
}

// --- hydraulic cylinders

// The barrel, as long as the retracted cylinder without the rod's eye, and the rod up to its pin.
static void draw_cylinder(const Stage* stage, const lwCylinderDef* def, const double ends[6])
{
  double length  = distance_of(ends, ends + 3), middle[3];
  lwPaint barrel = {.colour = LW_COLOUR_WHEEL, .layer = stage->layer},
          rod    = {.colour = LW_COLOUR_BASE, .layer = stage->layer};
  double share   = length > 0 ? fmin(1, 0.9 * def->closed_length / length) : 1;
  for (int c = 0; c < 3; ++c) middle[c] = ends[c] + share * (ends[3 + c] - ends[c]);
  lw_scene_bar(stage->scene, middle, ends + 3, fmax(def->rod, 0.006 * stage->size),
               0.12 * stage->size, rod);
  lw_scene_bar(stage->scene, ends, middle, fmax(def->bore, 0.012 * stage->size), 0.12 * stage->size,
               barrel);
  if (stage->layer == 0 && stage->shown & LW_SHOW_NAMES)
    lw_scene_mark(stage->scene, LW_MARK_NAMES, LW_MARK_LABEL, "n", middle, NULL, def->name);
}

static lwStatus draw_cylinders(const Stage* stage, const double* q)
{
  lwCylinders* cylinders = stage->drawing->cylinders;
  size_t count           = cylinders ? (size_t)lw_cylinders_count(cylinders) : 0;
  size_t dof             = (size_t)lw_model_dof(stage->drawing->model);
  if (count == 0 || !(stage->shown & LW_SHOW_LINKS)) return LW_OK;
  double* values = calloc(count * (7 + dof), sizeof *values);  // lengths, pins, moment arms
  if (!values) return LW_ERROR_MEMORY;
  lw_cylinders_pose(cylinders, q, values, values + 7 * count, values + count);
  for (size_t k = 0; k < count; ++k)
    draw_cylinder(stage, lw_cylinders_get(cylinders, (int)k), values + count + 6 * k);
  free(values);
  return LW_OK;
}

// --- links by their shapes

static void draw_mesh(Stage* stage, const lwPlace3* place, const lwShape* shape, lwPaint paint)
{
  const lwNamedMesh* found = lw_link_shapes_mesh(&stage->shapes, shape->mesh);
  size_t count             = found ? (size_t)found->mesh.vertices : 0;
  double(*points)[3]       = malloc(count * sizeof *points + 1);
  if (!found) ++stage->left_out;
  for (size_t i = 0; i < count && points; ++i)
  {
    for (int c = 0; c < 3; ++c) points[i][c] = found->mesh.points[i][c] * shape->size[c];
    lw_rotate(place->R, points[i], points[i]);
    point_along(points[i], place->p, 1, points[i]);
  }
  if (!points) stage->scene->failed = true;
  if (points) lw_scene_hull(stage->scene, (const double(*)[3])points, count, paint);
  free(points);
}

static void draw_pieces(Stage* stage, int link)
{
  const lwPartsLink* parts_link;
  const lwParts* given = stage->drawing->parts;
  int known =
      given && link >= 0 ? lw_parts_find(given, lw_link_name(&stage->robot->joints[link])) : -1;
  lwParts* parts = NULL;
  if (known >= 0)
    parts_link = lw_parts_link(given, known);
  else if (link >= 0 && !given)
    parts = lw_link_shapes_parts(&stage->shapes, link, &parts_link);
  if (!parts && known < 0) return;
  for (int i = 0; i < parts_link->count; ++i)
  {
    const lwPiece* piece = &parts_link->pieces[i];
    if (!lw_piece_is_solid(piece)) continue;
    lwPlace3 place = place_on(frame_of(stage, link), piece->rotation, piece->origin);
    lw_scene_solid(stage->scene, &place, piece->shape, piece->sizes,
                   (lwPaint){link, stage->layer, true, NULL});
  }
  lw_parts_destroy(parts);
}

static void draw_solids(Stage* stage, int link)
{
  const lwLinkDef* body = link_of(stage, link);
  size_t before         = stage->scene->item_count;
  if (!(stage->shown & LW_SHOW_LINKS)) return;
  if (body->shape_count > 0)
  {
    // Shapes to be displayed, or those for collisions where there are none.
    bool visual = lw_link_shapes_visual(&stage->shapes, body);
    for (int i = 0; i < body->shape_count; ++i)
      if (body->shapes[i].visual == visual)
      {
        static const int solids[] = {[LW_SHAPE_BOX]      = LW_SOLID_BOX,
                                     [LW_SHAPE_CYLINDER] = LW_SOLID_CYLINDER,
                                     [LW_SHAPE_SPHERE]   = LW_SOLID_SPHERE};
        double R[9];
        lw_rotation_rpy(body->shapes[i].rpy, R);
        lwPlace3 place = place_on(frame_of(stage, link), R, body->shapes[i].xyz);
        lwPaint paint  = {link < 0 ? LW_COLOUR_BASE : link, stage->layer, true,
                         body->shapes[i].color};
        if (body->shapes[i].kind == LW_SHAPE_MESH)
          draw_mesh(stage, &place, &body->shapes[i], paint);
        else
          lw_scene_solid(stage->scene, &place, solids[body->shapes[i].kind], body->shapes[i].size,
                         paint);
      }
  }
  else
    draw_pieces(stage, link);
  stage->solid[link + 1] = stage->scene->item_count > before;
}

// --- frames, masses, forces

void lw_compose_frame(lwScene* scene, const lwPlace3* place, double length, int index)
{
  static const char* const classes[] = {"fx", "fy", "fz"};
  for (int k = 0; k < 3; ++k)
  {
    double axis[3], tip[3];
    char text[LW_MARK_TEXT] = "";
    axis_of(place, k, axis);
    point_along(place->p, axis, length, tip);
    if (index >= 0 && k != 1) snprintf(text, sizeof text, "%c%d", "xyz"[k], index);
    lw_scene_mark(scene, LW_MARK_FRAMES, LW_MARK_ARROW, classes[k], place->p, tip, text);
  }
}

static bool same_frame(const lwPlace3* a, const lwPlace3* b, double size)
{
  for (int k = 0; k < 9; ++k)
    if (fabs(a->R[k] - b->R[k]) > 1e-9) return false;
  return distance_of(a->p, b->p) < 1e-9 * size;
}

static void draw_masses(const Stage* stage)
{
  for (int link = -1; link < stage->robot->count; ++link)
  {
    double com[3];
    char text[LW_MARK_TEXT];
    if (!centre_of(stage, link, com)) continue;
    snprintf(text, sizeof text, "%.4g kg", link_of(stage, link)->mass);
    lw_scene_mark(stage->scene, LW_MARK_MASSES, LW_MARK_CENTRE, "c", com, NULL, NULL);
    lw_scene_mark(stage->scene, LW_MARK_MASSES, LW_MARK_LABEL, "m", com, NULL, text);
  }
}

static void draw_force(const Stage* stage, const double at[3], const double force[3],
                       double per_newton, const char* how)
{
  double tip[3], size = lw_length(force);
  char text[LW_MARK_TEXT];
  if (!(size * per_newton > 1e-3 * stage->size)) return;
  snprintf(text, sizeof text, "%.4g N", size);
  point_along(at, force, per_newton, tip);
  lw_scene_mark(stage->scene, LW_MARK_FORCES, LW_MARK_ARROW, how, at, tip, text);
}

// What the joints of the robot at rest exert on their outer links, in base axes; with loops, held by
// torques of its driven joints.
static lwStatus rest_reactions(const lwModel* model, const double* q, double* r)
{
  lwWorkspaceDef def = lw_workspace_def();
  lwWorkspace* ws    = NULL;
  lwLoops* loops     = NULL;
  lwStates state     = {.q = q};
  bool closed        = lw_model_loop_count(model) > 0;
  def.questions      = LW_ASKS(LW_QUESTION_REACTIONS);
  def.axes           = LW_AXES_BASE;
  lwStatus status    = closed ? lw_loops_create(model, &def, NULL, &loops)
                              : lw_workspace_create(model, &def, NULL, &ws);
  if (status == LW_OK && closed)
    status = lw_loops_answer(loops, LW_QUESTION_REACTIONS, &state, r, NULL);
  else if (status == LW_OK)
    lw_answer_many(model, ws, LW_QUESTION_REACTIONS, 1, &state, r);
  lw_loops_destroy(loops);
  lw_workspace_destroy(ws);
  return status;
}

// Weights at the centres of mass, and what the joints carry.
static lwStatus draw_forces(const Stage* stage, const double* q)
{
  const lwModel* model = stage->drawing->model;
  size_t outputs       = lw_question_outputs(model, LW_QUESTION_REACTIONS);
  double *r = calloc(outputs + 1, sizeof *r), most = 0, force[3];
  lwStatus status = r ? rest_reactions(model, q, r) : LW_ERROR_MEMORY;
  for (size_t k = 0; k + 6 <= outputs; k += 6) most = fmax(most, lw_length(r + k));
  double per_newton = most > 0 ? 0.3 * stage->size / most : 0;
  for (int i = 0; i < stage->robot->count && status == LW_OK; ++i)
  {
    double point[3], axis[3], com[3];
    joint_axis(stage, i, point, axis);
    draw_force(stage, point, r + 6 * (size_t)i, per_newton, "fr");
    if (!centre_of(stage, i, com)) continue;
    for (int c = 0; c < 3; ++c)
      force[c] = stage->robot->joints[i].link.mass * stage->robot->gravity[c];
    draw_force(stage, com, force, per_newton, "fw");
  }
  free(r);
  return status;
}

// --- a pose

// Where the robot stands, if nothing else shows it: shapes do.
static void draw_base(const Stage* stage)
{
  const lwPlace3* base  = frame_of(stage, LW_BASE);
  const double up[3]    = {0, 0, 1};
  double s              = stage->size;
  const double under[3] = {base->p[0], base->p[1], base->p[2] - 0.01 * s};
  lwPaint paint         = {.colour = LW_COLOUR_BASE, .layer = stage->layer, .outline = true};
  if (stage->layer < 0 || stage->robot->floating_base || !(stage->shown & LW_SHOW_LINKS)) return;
  for (int link = -1; link < stage->robot->count; ++link)
    if (stage->solid[link + 1]) return;
  lw_scene_along(stage->scene, under, up, LW_SOLID_CYLINDER, (double[]){0.05 * s, 0.02 * s}, paint);
}

static lwStatus draw_pose(Stage* stage, const double* q)
{
  for (int link = -1; link < stage->robot->count; ++link) draw_solids(stage, link);
  draw_base(stage);
  for (int i = 0; i < stage->robot->count; ++i)
  {
    draw_to_child(stage, stage->robot->joints[i].parent, i);
    draw_from_joint(stage, i);
    draw_last(stage, i);
    draw_joint(stage, i);
  }
  for (int i = 0; i < stage->robot->loop_count; ++i) draw_loop(stage, &stage->robot->loops[i]);
  lwStatus status = draw_cylinders(stage, q);
  if (stage->layer < 0 || status != LW_OK) return status;
  if (stage->shown & LW_SHOW_FRAMES)
  {
    for (int link = -1; link < stage->robot->count; ++link)
    {
      bool again = false;
      for (int k = -1; k < link; ++k)
        again = again || same_frame(frame_of(stage, k), frame_of(stage, link), stage->size);
      if (!again)
        lw_compose_frame(stage->scene, frame_of(stage, link), 0.1 * stage->size, link + 1);
    }
  }
  if (stage->shown & LW_SHOW_MASSES) draw_masses(stage);
  return stage->shown & LW_SHOW_FORCES ? draw_forces(stage, q) : LW_OK;
}

// --- all poses

static lwStatus find_frames(const Stage* stage, lwWorkspace* ws, const double* q)
{
  for (int i = LW_BASE; i < stage->robot->count; ++i)
  {
    lwPlace3* place = &stage->frames[i + 1];
    lwFrame frame   = {.joint = i};
    lwStatus status = lw_workspace_set_frame(ws, stage->drawing->model, &frame, NULL);
    if (status != LW_OK) return status;
    lw_pose(stage->drawing->model, ws, q, place->p, place->R);
  }
  return LW_OK;
}

// The longest side of the box around all frames and centres of mass.
static void find_size(Stage* stage)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int link = -1; link < stage->robot->count; ++link)
  {
    double com[3];
    const double* points[2] = {frame_of(stage, link)->p, com};
    centre_of(stage, link, com);
    for (int k = 0; k < 2; ++k)
      for (int c = 0; c < 3; ++c)
      {
        low[c]  = fmin(low[c], points[k][c]);
        high[c] = fmax(high[c], points[k][c]);
      }
  }
  for (int c = 0; c < 3; ++c) stage->size = fmax(stage->size, high[c] - low[c]);
}

// The view across the plane of motion of a planar robot, if that is along a base axis; else iso.
static lwViewpoint usual_view(const Stage* stage)
{
  static const char* const across[3] = {"side", "front", "top"};
  lwViewpoint view;
  int moving = 0, parallel[3] = {0, 0, 0};
  for (int i = 0; i < stage->robot->count; ++i)
  {
    double point[3], axis[3];
    if (stage->robot->joints[i].type == LW_JOINT_FIXED) continue;
    joint_axis(stage, i, point, axis);
    ++moving;
    for (int c = 0; c < 3; ++c)
      parallel[c] += stage->robot->joints[i].type == LW_JOINT_REVOLUTE && fabs(axis[c]) > 1 - 1e-9;
  }
  lw_view_named("iso", &view);
  for (int c = 0; c < 3; ++c)
    if (moving > 1 && parallel[c] == moving) lw_view_named(across[c], &view);
  return view;
}

static unsigned usual_things(int joints, int poses)
{
  unsigned shown = LW_SHOW_LINKS | LW_SHOW_JOINTS;
  if (joints <= 24) shown |= LW_SHOW_NAMES;
  if (joints <= 8 && poses == 1) shown |= LW_SHOW_FRAMES | LW_SHOW_DIMENSIONS;
  return shown;
}

static lwStatus draw_poses(Stage* stage, lwWorkspace* ws)
{
  const lwDrawing* drawing = stage->drawing;
  size_t nq                = (size_t)lw_model_nq(drawing->model);
  lwStatus status          = LW_OK;
  for (int k = 0; k < drawing->count && status == LW_OK; ++k)
  {
    status = find_frames(stage, ws, drawing->poses + (size_t)k * nq);
    find_size(stage);
    if (k == 0) stage->scene->view = drawing->view ? *drawing->view : usual_view(stage);
  }
  if (!(stage->size > 0)) stage->size = 1;
  for (int k = 0; k < drawing->count && status == LW_OK; ++k)
  {
    const double* q = drawing->poses + (size_t)k * nq;
    stage->layer    = k + 1 - drawing->count;
    stage->left_out = 0;
    memset(stage->solid, 0, (size_t)stage->robot->count + 1);
    if (drawing->count > 1) status = find_frames(stage, ws, q);
    if (status == LW_OK) status = draw_pose(stage, q);
  }
  return status;
}

lwStatus lw_compose_robot(const lwDrawing* drawing, lwScene* scene, int* left_out)
{
  const lwRobotDef* robot = lw_model_robot(drawing->model);
  Stage stage             = {.drawing = drawing, .scene = scene, .robot = robot};
  lwWorkspaceDef def      = lw_workspace_def();
  lwWorkspace* ws         = NULL;
  if (robot->count > LW_DRAWING_MOST_JOINTS) return LW_ERROR_INPUT;
  def.questions   = LW_ASKS(LW_QUESTION_POSE);
  stage.shown     = drawing->shown ? drawing->shown : usual_things(robot->count, drawing->count);
  stage.frames    = calloc((size_t)robot->count + 1, sizeof *stage.frames);
  stage.solid     = calloc((size_t)robot->count + 1, sizeof *stage.solid);
  lwStatus status = stage.frames && stage.solid ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_workspace_create(drawing->model, &def, NULL, &ws);
  lw_link_shapes_open(&stage.shapes, robot, drawing->packages);
  if (status == LW_OK) status = draw_poses(&stage, ws);
  lw_link_shapes_close(&stage.shapes);
  lw_workspace_destroy(ws);
  free(stage.frames);
  free(stage.solid);
  *left_out = stage.left_out;
  return status;
}
