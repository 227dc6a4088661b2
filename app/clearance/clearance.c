// SPDX-License-Identifier: MIT
// linkwork clearance: how near links come to each other, to the floor and to boxes.
//
//   rows --poses of links--> solids in the base frame --GJK, pair by pair--> least distances
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/list.h"
#include "math/elementary.h"
#include "math/gjk.h"
#include "math/rotation.h"
#include "report/page/link_shapes.h"
#include "states/states.h"

enum
{
  BLOCK = 256
};

// A convex solid: in the frame of its link, and where that is.
typedef struct ConvexSolid
{
  int body;  // in Clearance.bodies
  lwShapeKind kind;
  double size[3], xyz[3], R[9];  // in the frame of the body
  int count;
  double (*points)[3];  // (count) vertices of a mesh, in the frame of the solid
  double p[3], Q[9];    // in the base frame
} ConvexSolid;

// A link, the base or an obstacle.
typedef struct ClearBody
{
  const char* name;
  int joint;   // of the description, -1: it stands still
  int moving;  // the joint whose motion it takes part in, -1: none
  bool obstacle;
} ClearBody;

typedef struct Pair
{
  int a, b;
  double distance, t, on_a[3], on_b[3];
} Pair;

typedef struct Clearance
{
  const lwModel* model;
  int body_count, solid_count, pair_count;
  ClearBody* bodies;
  ConvexSolid* solids;
  Pair* pairs;
  double floor;  // m; NaN: none
  int floor_body;
} Clearance;

// --- solids

static void solid_support(const void* shape, const double direction[3], double point[3])
{
  const ConvexSolid* s = shape;
  double d[3], at[3] = {0};
  for (int k = 0; k < 3; ++k)
    d[k] = s->Q[k] * direction[0] + s->Q[3 + k] * direction[1] + s->Q[6 + k] * direction[2];
  double flat = lw_hypot(d[0], d[1]);
  for (int k = 0; k < 3 && s->kind == LW_SHAPE_BOX; ++k)
    at[k] = d[k] < 0 ? -0.5 * s->size[k] : 0.5 * s->size[k];
  if (s->kind == LW_SHAPE_CYLINDER)
  {
    for (int k = 0; k < 2 && flat > 0; ++k) at[k] = s->size[0] * d[k] / flat;
    at[2] = d[2] < 0 ? -0.5 * s->size[1] : 0.5 * s->size[1];
  }
  for (int i = 0; i < s->count; ++i)
    if (i == 0 || lw_dot(s->points[i], d) > lw_dot(at, d)) memcpy(at, s->points[i], sizeof at);
  for (int k = 0; k < 3; ++k)
    point[k] = s->p[k] + s->Q[3 * k] * at[0] + s->Q[3 * k + 1] * at[1] + s->Q[3 * k + 2] * at[2];
}

static lwConvex convex_of(const ConvexSolid* solid)
{
  return (lwConvex){solid, solid_support, solid->kind == LW_SHAPE_SPHERE ? solid->size[0] : 0};
}

static ConvexSolid* add_solid(Clearance* job, int body, lwShapeKind kind, const double* size)
{
  job->solids        = reallocate(job->solids, (size_t)job->solid_count + 1, sizeof *job->solids);
  ConvexSolid* solid = &job->solids[job->solid_count++];
  *solid             = (ConvexSolid){.body = body, .kind = kind, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  memcpy(solid->size, size, sizeof solid->size);
  memcpy(solid->Q, solid->R, sizeof solid->Q);
  return solid;
}

static void add_mesh(ConvexSolid* solid, lwLinkShapes* shapes, const lwShape* shape)
{
  const lwNamedMesh* found = lw_link_shapes_mesh(shapes, shape->mesh);
  if (!found)
    stop(INPUT,
         "the mesh '%s' cannot be read; expected an STL, OBJ or DAE file (see --package-path)",
         shape->mesh);
  const lwMesh* mesh = &found->mesh;
  solid->count       = mesh->vertices;
  solid->points      = allocate((size_t)mesh->vertices + 1, sizeof *solid->points);
  for (int i = 0; i < mesh->vertices; ++i)
    for (int k = 0; k < 3; ++k) solid->points[i][k] = shape->size[k] * mesh->points[i][k];
}

static int add_body(Clearance* job, const char* name, int joint, int moving)
{
  job->bodies = reallocate(job->bodies, (size_t)job->body_count + 1, sizeof *job->bodies);
  job->bodies[job->body_count] = (ClearBody){.name = name, .joint = joint, .moving = moving};
  return job->body_count++;
}

// The joint whose motion a link takes part in, through fixed ones; -1: the base.
static int moving_joint(const lwRobotDef* robot, int i)
{
  while (i >= 0 && robot->joints[i].type == LW_JOINT_FIXED) i = robot->joints[i].parent;
  return i;
}

static void add_link_solids(Clearance* job, lwLinkShapes* shapes, const lwLinkDef* link, int joint)
{
  const lwRobotDef* robot = lw_model_robot(job->model);
  bool collision          = false;
  int moving = moving_joint(robot, joint), body = -1;
  for (int i = 0; i < link->shape_count; ++i) collision = collision || !link->shapes[i].visual;
  for (int i = 0; i < link->shape_count; ++i)
  {
    const lwShape* shape = &link->shapes[i];
    if (shape->visual == collision) continue;
    if (body < 0)
      body = add_body(job, joint < 0 ? base_name(job->model) : link_name(&robot->joints[joint]),
                      joint, moving);
    ConvexSolid* solid = add_solid(job, body, shape->kind, shape->size);
    memcpy(solid->xyz, shape->xyz, sizeof solid->xyz);
    lw_rotation_rpy(shape->rpy, solid->R);
    if (shape->kind == LW_SHAPE_MESH) add_mesh(solid, shapes, shape);
  }
}

static void add_robot(Clearance* job, const Options* options)
{
  const lwRobotDef* robot = lw_model_robot(job->model);
  lwLinkShapes shapes;
  lw_link_shapes_open(&shapes, robot, options->value[OPTION_PACKAGE_PATH]);
  add_link_solids(job, &shapes, &robot->base, -1);
  for (int i = 0; i < robot->count; ++i) add_link_solids(job, &shapes, &robot->joints[i].link, i);
  lw_link_shapes_close(&shapes);
  if (job->solid_count == 0)
    stop(USAGE, "clearance: no link of %s has shapes", lw_model_name(job->model));
}

static void add_obstacles(Clearance* job, const Options* options)
{
  job->floor = NAN;
  if (options->value[OPTION_FLOOR])
  {
    list_parse(OPTION_FLOOR, options->value[OPTION_FLOOR], 1, "a height in m", &job->floor);
    job->floor_body = add_body(job, "floor", -1, -1);

    job->bodies[job->floor_body].obstacle = true;
  }
  for (int i = 0; i < options->via_count; ++i)
  {
    double box[6];
    char name[16];
    list_parse(OPTION_BOX, options->via[i], 6, "x,y,z,dx,dy,dz", box);
    if (!(box[3] > 0 && box[4] > 0 && box[5] > 0))
      stop(USAGE, "--box: sides must be above 0, found %g, %g, %g", box[3], box[4], box[5]);
    snprintf(name, sizeof name, "box%d", i + 1);
    int body                   = add_body(job, text_copy(name), -1, -1);
    ConvexSolid* solid         = add_solid(job, body, LW_SHAPE_BOX, box + 3);
    job->bodies[body].obstacle = true;
    memcpy(solid->xyz, box, sizeof solid->xyz);
    memcpy(solid->p, box, sizeof solid->p);
  }
}

// --- pairs

// The joint that carries what joint i carries, through fixed ones; -1: the base.
static int carrying_joint(const lwRobotDef* robot, int i)
{
  return i < 0 ? -1 : moving_joint(robot, robot->joints[i].parent);
}

// Whether a loop holds a point or an axis of one of them on the other.
static bool joined_by_loop(const lwRobotDef* robot, const ClearBody* a, const ClearBody* b)
{
  bool any = false;
  for (int k = 0; k < robot->loop_count && !any; ++k)
  {
    const lwLoopDef* loop = &robot->loops[k];
    int first             = moving_joint(robot, loop->first.joint),
        second            = moving_joint(robot, loop->second.joint);
    if (loop->type <= LW_LOOP_LINE)
      any = (first == a->moving && second == b->moving) ||
            (first == b->moving && second == a->moving);
  }
  return any;
}

static bool pair_is_allowed(const Clearance* job, const char* allowed, const ClearBody* a,
                            const ClearBody* b)
{
  const lwRobotDef* robot = lw_model_robot(job->model);
  bool links              = !a->obstacle && !b->obstacle;
  if (a->moving == b->moving) return true;
  if (links && (carrying_joint(robot, a->moving) == b->moving ||
                carrying_joint(robot, b->moving) == a->moving || joined_by_loop(robot, a, b)))
    return true;
  for (const char* at = allowed; at && *at;)
  {
    size_t length = strcspn(at, ","), first = strcspn(at, ":");
    const ClearBody* pair[2] = {a, b};
    for (int turn = 0; turn < 2 && first < length; ++turn)
      if (text_is(pair[turn]->name, at, first) &&
          text_is(pair[!turn]->name, at + first + 1, length - first - 1))
        return true;
    at += length + (at[length] == ',');
  }
  return false;
}

static bool has_body(const Clearance* job, const char* name, size_t length)
{
  bool found = false;
  for (int i = 0; i < job->body_count && !found; ++i)
    found = text_is(job->bodies[i].name, name, length);
  return found;
}

// Every pair must be two names of what has shapes.
static void check_allowed(const Clearance* job, const char* allowed)
{
  for (const char* at = allowed; at && *at;)
  {
    size_t length = strcspn(at, ","), first = strcspn(at, ":");
    if (first >= length) stop(USAGE, "--allow: '%.*s' is not a pair like a:b", (int)length, at);
    const char* name[] = {at, at + first + 1};
    size_t size[]      = {first, length - first - 1};
    for (int k = 0; k < 2; ++k)
      if (!has_body(job, name[k], size[k]))
        stop(USAGE, "--allow: no link with shapes and no obstacle is called '%.*s'", (int)size[k],
             name[k]);
    at += length + (at[length] == ',');
  }
}

static void find_pairs(Clearance* job, const char* allowed)
{
  check_allowed(job, allowed);
  size_t most = (size_t)job->body_count * (size_t)job->body_count;
  job->pairs  = allocate(most + 1, sizeof *job->pairs);
  for (int a = 0; a < job->body_count; ++a)
    for (int b = a + 1; b < job->body_count; ++b)
      if (!pair_is_allowed(job, allowed, &job->bodies[a], &job->bodies[b]))
        job->pairs[job->pair_count++] = (Pair){.a = a, .b = b, .distance = INFINITY};
  if (job->pair_count == 0) stop(USAGE, "clearance: there is no pair of links to compare");
}

// --- distances

static void place_solids(Clearance* job, const double* poses)
{
  for (int i = 0; i < job->solid_count; ++i)
  {
    ConvexSolid* s = &job->solids[i];
    int joint      = job->bodies[s->body].joint;
    if (joint < 0 && s->body >= 0)
    {
      memcpy(s->p, s->xyz, sizeof s->p);
      memcpy(s->Q, s->R, sizeof s->Q);
      continue;
    }
    const double *p = poses + 12 * (size_t)joint, *R = p + 3;
    lw_rotation_product(R, s->R, s->Q);
    for (int k = 0; k < 3; ++k)
      s->p[k] = p[k] + R[3 * k] * s->xyz[0] + R[3 * k + 1] * s->xyz[1] + R[3 * k + 2] * s->xyz[2];
  }
}

static void keep_nearer(Pair* pair, double distance, double t, const double* a, const double* b)
{
  if (!(distance < pair->distance)) return;
  pair->distance = distance;
  pair->t        = t;
  memcpy(pair->on_a, a, sizeof pair->on_a);
  memcpy(pair->on_b, b, sizeof pair->on_b);
}

static void measure_pair(const Clearance* job, Pair* pair, double t)
{
  double a[3], b[3];
  for (int i = 0; i < job->solid_count; ++i)
  {
    if (job->solids[i].body != pair->a) continue;
    lwConvex first = convex_of(&job->solids[i]);
    if (!isnan(job->floor) && pair->b == job->floor_body)
    {
      solid_support(&job->solids[i], (double[]){0, 0, -1}, a);
      a[2] -= first.radius;
      keep_nearer(pair, a[2] - job->floor, t, a, (double[]){a[0], a[1], job->floor});
    }
    for (int k = 0; k < job->solid_count; ++k)
    {
      if (job->solids[k].body != pair->b) continue;
      lwConvex second = convex_of(&job->solids[k]);
      double distance = lw_gjk_distance(&first, &second, a, b);
      keep_nearer(pair, distance, t, a, b);
    }
  }
}

static void measure_motion(Clearance* job, const Options* options)
{
  size_t nq         = (size_t)lw_model_nq(job->model);
  StateNeeds needs  = {.inputs = LW_INPUT_Q | INPUT_TIME};
  lwCsvFile* file   = states_file(options, job->model, needs, BLOCK);
  lwCsvBlock* block = &file->block;
  lwWorkspace* ws   = tree_of(job->model);
  double* poses     = allocate(lw_question_outputs(job->model, LW_QUESTION_POSES), sizeof *poses);
  bool any          = false;
  while (states_more(file))
  {
    closed_check(job->model, file->lines.name, block->first, block->values[GROUP_Q],
                 (size_t)block->count);
    for (int row = 0; row < block->count; ++row)
    {
      const double* t = block->values[GROUP_T];
      double time     = t ? t[row] : (double)(block->first + row - 1);
      lwStates state  = {.q = block->values[GROUP_Q] + (size_t)row * nq};
      lw_answer(job->model, ws, LW_QUESTION_POSES, &state, poses);
      place_solids(job, poses);
      for (int k = 0; k < job->pair_count; ++k) measure_pair(job, &job->pairs[k], time);
      any = true;
    }
  }
  if (!any) stop(INPUT, "%s: no rows below the header", file->lines.name);
}

// --- the command

static void pair_row(const void* context, int i, lwCell* cells)
{
  const Clearance* job = context;
  const Pair* pair     = &job->pairs[i];
  cells[0]             = lw_cell_text(job->bodies[pair->a].name);
  cells[1]             = lw_cell_text(job->bodies[pair->b].name);
  cells[2]             = lw_cell_number(pair->distance);
  cells[3]             = lw_cell_number(pair->t);
  lw_cells_numbers(cells + 4, pair->on_a, 3);
  lw_cells_numbers(cells + 7, pair->on_b, 3);
}

static int check_least(const Clearance* job, const Options* options)
{
  double least = positive_of(options, OPTION_LEAST, "m", 0);
  int status   = DONE;
  for (int i = 0; i < job->pair_count && options->value[OPTION_LEAST]; ++i)
    if (job->pairs[i].distance < least)
      status =
          fail(NO, "clearance: %s and %s are %.6g m apart at t = %.9g s, expected at least %g m",
               job->bodies[job->pairs[i].a].name, job->bodies[job->pairs[i].b].name,
               job->pairs[i].distance, job->pairs[i].t, least);
  return status;
}

int cmd_clearance(const Options* options)
{
  Clearance* job      = allocate(1, sizeof *job);
  const char* units[] = {"", "", "m", "s", "m", "m", "m", "m", "m", "m"};
  if (!options->value[OPTION_IN]) stop(USAGE, "--in is missing: give a CSV file with t and q..");
  job->model = robot_of(options);
  add_robot(job, options);
  add_obstacles(job, options);
  find_pairs(job, options->value[OPTION_ALLOW]);
  measure_motion(job, options);
  lwSheet sheet = {.columns = "a,b,distance,t,ax,ay,az,bx,by,bz",
                   .unit    = units,
                   .rows    = job->pair_count,
                   .row     = pair_row,
                   .context = job};
  int printed   = sheet_print(options, format_of(options), &sheet);
  int checked   = check_least(job, options);
  return printed != DONE ? printed : checked;
}
