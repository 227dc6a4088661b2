// SPDX-License-Identifier: MIT
// The moves of a cycle as paths of the joints.
//
//   move --inverse kinematics, lwPath--> piece: knots of q, q', q''
//   pieces up to a stop --cut at blends--> section
//
// A piece's parameter is scaled so that q' has a length of about 1. A blend leaves one piece where
// the tool is `blend` before the corner and enters the next one where it is as far behind it;
// between these knots the path is the polynomial of fifth order that continues q, q' and q''.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"
#include "math/rotation.h"
#include "retime/cycle_internal.h"
#include "trajectory/path.h"
#include "trajectory/waypoints.h"

enum
{
  FASTEST_GRID = 200,  // to choose a branch
  DEEPEST      = 12    // halvings of an interval between knots
};

// A move that moves.
typedef struct PathPiece
{
  lwKnots knots;
  const lwTrajectory* path;  // through the knots
  const lwMoveDef* move;
  const lwModel* model;
  int number;          // of the move, from 1
  bool stops;          // at its end
  double wait, dwell;  // s
  double from, to;     // what blends leave of it
} PathPiece;

typedef struct Builder
{
  const lwCycleText* p;
  lwCycle* cycle;
  lwWorkspace* ws;
  lwLoops* loops;  // or NULL
  lwIk* ik;
  lwArena arena;
  int n;
  double *q, *goal;  // (n) where the arm is, and where it goes
  bool* carried;     // (bodies)
  const lwModel* model;
  double wait;
  int count;
  PathPiece* pieces;
} Builder;

#define NO_MOTION(b, place, ...)                                                                   \
  (lw_document_error((b)->p->document, place, NULL, __VA_ARGS__), LW_ERROR_NUMERICAL)

// --- where a move goes

static void target_of(Builder* b, const lwMoveDef* move, double position[3], double rotation[9])
{
  const lwCyclePoint* point = &b->p->points[move->target];
  memcpy(position, point->position, sizeof point->position);
  memcpy(rotation, point->rotation, sizeof point->rotation);
  if (point->q) lw_pose(b->p->model, b->ws, point->q, position, rotation);
  for (int k = 0; k < 3; ++k) position[k] -= move->offset * rotation[3 * k + 2];
}

static double way_to(const Builder* b, const double* q)
{
  double sum = 0;
  for (int j = 0; j < b->n; ++j) sum += (q[j] - b->q[j]) * (q[j] - b->q[j]);
  return sum;
}

// The time of the straight motion from here to q; infinite: there is none.
static double time_to(Builder* b, const double* q)
{
  lwCycle* trial    = NULL;
  lwRetime* retime  = NULL;
  double time       = INFINITY;
  lwRetimeDef def   = lw_retime_def();
  lwWaypointsDef to = lw_waypoints_def();
  double* points    = calloc(2 * (size_t)b->n, sizeof *points);
  if (!points) return time;
  memcpy(points, b->q, (size_t)b->n * sizeof *points);
  memcpy(points + b->n, q, (size_t)b->n * sizeof *points);
  to.count        = 2;
  to.q            = points;
  def.grid        = FASTEST_GRID;
  def.tightenings = 0;
  lwRetimeResult result;
  if (lw_cycle_create_waypoints(b->model, &to, LW_CYCLE_SHAPE_STRAIGHT, NULL, &trial) == LW_OK &&
      lw_retime_create(b->model, &def, NULL, &retime) == LW_OK &&
      lw_retime(retime, trial->sections[0].path, &trial->sections[0].ends, &result) == LW_OK)
    time = result.time;
  lw_retime_destroy(retime);
  lw_cycle_destroy(trial);
  free(points);
  return time;
}

// Of all solutions the one that the branch asks for; false: there is none.
static bool choose_branch(Builder* b, int branch, const lwIkSolution* found, int count)
{
  double best = INFINITY;
  for (int k = 0; k < count; ++k)
  {
    if (!found[k].inside || (branch > 0 && k + 1 != branch)) continue;
    double cost = branch == LW_BRANCH_FASTEST ? time_to(b, found[k].q) : way_to(b, found[k].q);
    if (cost >= best) continue;
    best = cost;
    memcpy(b->goal, found[k].q, (size_t)b->n * sizeof *b->goal);
  }
  return best < INFINITY;
}

// Refuses positions outside the limits of the joints.
static lwStatus check_inside(Builder* b, const double* q, lwPlace place)
{
  for (int j = 0; j < b->n; ++j)
  {
    const lwLimits* limits = &lw_model_joint_def(b->p->model, j)->limits;
    double slack           = 1e-9 * (1 + fabs(q[j]));
    if (q[j] >= limits->lower - slack && q[j] <= limits->upper + slack) continue;
    return NO_MOTION(b, place,
                     "joint '%s' would be at %.6g, expected from %.6g to %.6g, its limits",
                     lw_waypoints_joint(b->p->model, j), q[j], limits->lower, limits->upper);
  }
  return LW_OK;
}

static lwStatus solve_goal(Builder* b, const lwMoveDef* move)
{
  const lwCyclePoint* point = &b->p->points[move->target];
  lwTarget target           = lw_target_pose();
  lwIkSolution found[LW_MAX_SOLUTIONS];
  int count = 0;
  if (point->q && move->offset == 0)
  {
    memcpy(b->goal, point->q, (size_t)b->n * sizeof *b->goal);
    if (!b->loops || lw_loops_close(b->loops, b->goal, NULL) == LW_OK)
      return check_inside(b, b->goal, move->place);
    return NO_MOTION(b, move->place, "the loops cannot be closed at point '%s'", point->name);
  }
  target_of(b, move, target.position, target.rotation);
  bool reached;
  if (lw_ik_check_all(b->ik, NULL) == LW_OK)
    reached = lw_ik_all(b->ik, &target, b->q, NULL, found, &count) == LW_OK &&
              choose_branch(b, move->branch, found, count);
  else if (move->branch != LW_BRANCH_KEEP)
    return NO_MOTION(b, move->place, "this arm has no branches in closed form, only 'keep'");
  else
  {
    memcpy(b->goal, b->q, (size_t)b->n * sizeof *b->goal);
    reached = lw_ik_solve(b->ik, &target, b->goal).reached;
  }
  if (reached) return LW_OK;
  return NO_MOTION(b, move->place, "point '%s' cannot be reached%s%s", point->name,
                   move->offset > 0 ? " with its approach or depart" : "",
                   move->branch > 0 ? " by this branch" : "");
}

// --- pieces

static PathPiece* add_piece(Builder* b, int number)
{
  PathPiece* piece = &b->pieces[b->count++];
  *piece           = (PathPiece){.move   = &b->p->moves[number],
                                 .number = number + 1,
                                 .model  = b->model,
                                 .knots  = {.n = b->n},
                                 .wait   = b->wait};
  piece->stops     = !(piece->move->blend > 0);
  piece->dwell     = piece->move->dwell;
  b->wait          = 0;
  return piece;
}

// Joint distance along the knots, to scale the parameter.
static lwStatus finish_piece(Builder* b, PathPiece* piece)
{
  lwKnots* k = &piece->knots;
  double way = 0;
  for (int i = 1; i < k->count; ++i)
  {
    double sum = 0;
    for (int j = 0; j < b->n; ++j) sum += lw_pow(k->q[i * b->n + j] - k->q[(i - 1) * b->n + j], 2);
    way += sqrt(sum);
  }
  double scale = way / k->s[k->count - 1];
  if (!(scale > 0))
    return lw_document_refuse(b->p->document, piece->move->place, NULL,
                              "the move has no length: the arm is there already");
  for (int i = 0; i < k->count; ++i)
  {
    k->s[i] *= scale;
    for (int j = 0; j < b->n; ++j)
    {
      k->q1[i * b->n + j] /= scale;
      k->q2[i * b->n + j] /= scale * scale;
    }
  }
  piece->to = k->s[k->count - 1];
  memcpy(b->q, k->q + (k->count - 1) * b->n, (size_t)b->n * sizeof *b->q);
  return lw_knots_path(k, b->p->model, &piece->path);
}

static lwStatus build_joint(Builder* b, PathPiece* piece)
{
  lwStatus status = solve_goal(b, piece->move);
  double* slope   = lw_arena_take(&b->arena, 2 * (size_t)b->n, sizeof *slope);
  if (status != LW_OK) return status;
  if (!slope) return LW_ERROR_MEMORY;
  for (int j = 0; j < b->n; ++j) slope[j] = b->goal[j] - b->q[j];
  if (!lw_knots_add(&piece->knots, 0, b->q, slope, slope + b->n) ||
      !lw_knots_add(&piece->knots, 1, b->goal, slope, slope + b->n))
    return LW_ERROR_MEMORY;
  return finish_piece(b, piece);
}

// Adds knots between a and b until the path is within the tolerance at three points between them.
static lwStatus add_between(Builder* b, PathPiece* piece, lwPath* path, double from, double to,
                            int depth)
{
  double *q = lw_arena_take(&b->arena, 4 * (size_t)b->n, sizeof *q), p[3], R[9], worst = 0;
  if (!q) return LW_ERROR_MEMORY;
  double *exact = q + b->n, *q1 = exact + b->n, *q2 = q1 + b->n;
  for (int k = 1; k <= 3; ++k)
  {
    double s = from + 0.25 * k * (to - from), error[6], at[3], turned[9];
    lw_samples_at(&path->knots, s, q, NULL, NULL);
    lw_path_at(path, s, exact, q1, q2);
    lw_pose(b->p->model, b->ws, q, p, R);
    lw_pose(b->p->model, b->ws, exact, at, turned);
    lw_pose_error(at, turned, p, R, error);
    worst = fmax(worst, fmax(lw_length(error) / b->p->position_tolerance,
                             lw_length(error + 3) / b->p->angle_tolerance));
  }
  // the error of a fifth-order piece is largest in the middle; a knot there lowers it to 1/64
  if (worst <= 0.5) return LW_OK;
  if (depth == DEEPEST)
    return NO_MOTION(
        b, piece->move->place,
        "the joints cannot follow the path within the tolerance: after %.6g of %.6g they "
        "are off by %.3g times it",
        0.5 * (from + to), path->length, worst);
  double middle   = 0.5 * (from + to);
  lwStatus status = add_between(b, piece, path, from, middle, depth + 1);
  lw_path_at(path, middle, exact, q1, q2);
  if (status == LW_OK && !lw_knots_add(&piece->knots, middle, exact, q1, q2))
    return LW_ERROR_MEMORY;
  return status == LW_OK ? add_between(b, piece, path, middle, to, depth + 1) : status;
}

static lwStatus take_path(Builder* b, PathPiece* piece, lwPath* path)
{
  const lwSamples* k = &path->knots;
  lwStatus status    = LW_OK;
  for (long i = 0; i < k->rows && status == LW_OK; ++i)
  {
    const double* q = k->q + i * b->n;
    if (i > 0) status = add_between(b, piece, path, k->t[i - 1], k->t[i], 0);
    if (status == LW_OK &&
        !lw_knots_add(&piece->knots, k->t[i], q, k->qd + i * b->n, k->qdd + i * b->n))
      status = LW_ERROR_MEMORY;
  }
  return status == LW_OK ? finish_piece(b, piece) : status;
}

static lwStatus follow_path(Builder* b, PathPiece* piece, lwPath* path)
{
  double reached, p[3], R[9];
  lwPathEnd end = lw_path_follow(path, &b->arena, b->q, &reached);
  if (end == LW_PATH_DONE) return take_path(b, piece, path);
  if (end == LW_PATH_MEMORY) return LW_ERROR_MEMORY;
  const lwSamples* k = &path->knots;
  const double* last = k->rows > 0 ? k->q + (k->rows - 1) * b->n : b->q;
  lw_pose(b->p->model, b->ws, last, p, R);
  return NO_MOTION(b, piece->move->place, "after %.6g of %.6g %s, at (%.6g, %.6g, %.6g) m: %s",
                   reached, path->length, lw_length(path->rate) > 0 ? "m" : "rad", p[0], p[1], p[2],
                   end == LW_PATH_SINGULAR ? "the arm is singular there"
                                           : "the path leaves the reach of the arm, or the arm is "
                                             "singular there");
}

// Circle through three points: centre, unit vectors and the angle to the last one; false: a line.
static bool lay_arc(lwPath* path, const double via[3], const double end[3], double* angle)
{
  double a[3], c[3], normal[3], ab[3], ac[3];
  for (int k = 0; k < 3; ++k) a[k] = via[k] - path->p0[k], c[k] = end[k] - path->p0[k];
  lw_cross(a, c, normal);
  double area = lw_dot(normal, normal), aa = lw_dot(a, a), cc = lw_dot(c, c);
  double apart = 1e-9 * path->size;
  if (!(area > 1e-16 * aa * cc) || cc < apart * apart || aa < apart * apart) return false;
  lw_cross(normal, a, ab);
  lw_cross(c, normal, ac);
  for (int k = 0; k < 3; ++k)
    path->centre[k] = path->p0[k] + (cc * ab[k] + aa * ac[k]) / (2 * area);
  for (int k = 0; k < 3; ++k) path->towards[k] = path->p0[k] - path->centre[k];
  path->radius = lw_length(path->towards);
  for (int k = 0; k < 3; ++k)
  {
    path->towards[k] /= path->radius;
    normal[k] /= sqrt(area);
    c[k] = (end[k] - path->centre[k]) / path->radius;
  }
  lw_cross(normal, path->towards, path->along);
  *angle = lw_atan2(lw_dot(c, path->along), lw_dot(c, path->towards));
  if (*angle <= 0) *angle += 2 * lw_acos(-1);
  return true;
}

static lwStatus build_cartesian(Builder* b, PathPiece* piece)
{
  const lwMoveDef* move = piece->move;
  lwPath path           = {.loops = b->loops, .nq = b->n, .rows = 6};
  double position[3], rotation[9], back[9], turn[9], angle = 0, via[3], unused[9];
  if (!lw_task_take(&path.task, &b->arena, b->p->model, b->ws)) return LW_ERROR_MEMORY;
  path.size = lw_task_size(&path.task, b->q);
  lw_pose(b->p->model, b->ws, b->q, path.p0, path.R0);
  if (move->kind == LW_MOVE_ROTATE)
  {
    memcpy(position, path.p0, sizeof position);
    lw_rotation_rpy(move->rpy, turn);
    lw_rotation_product(path.R0, turn, rotation);
  }
  else
    target_of(b, move, position, rotation);
  lw_rotation_transpose(path.R0, back);
  lw_rotation_product(rotation, back, turn);
  lw_rotation_log(turn, path.rate + 3);
  for (int k = 0; k < 3; ++k) path.rate[k] = position[k] - path.p0[k];
  path.length = lw_length(path.rate);
  if (move->kind == LW_MOVE_ARC)
  {
    target_of(b, &(lwMoveDef){.target = move->through}, via, unused);
    if (!lay_arc(&path, via, position, &angle))
      return lw_document_refuse(b->p->document, move->place, NULL,
                                "the three points of the arc are on a line, or two are the same");
    path.length = angle * path.radius;
  }
  if (path.length < 1e-9 * path.size)
  {
    path.length = lw_length(path.rate + 3);
    for (int k = 0; k < 3; ++k) path.rate[k] = 0;
  }
  if (path.length < 1e-9)
    return lw_document_refuse(b->p->document, move->place, NULL,
                              "the move has no length: the tool is there already");
  for (int k = 0; k < 6; ++k) path.rate[k] /= path.length;
  return follow_path(b, piece, &path);
}

// --- what is carried

static lwStatus load_model(Builder* b)
{
  const lwRobotDef* robot = lw_model_robot(b->p->model);
  lwRobotDef loaded       = *robot;
  lwJointDef* joints      = lw_arena_take(&b->arena, (size_t)robot->count, sizeof *joints);
  double R[9];
  bool any = false;
  if (!joints) return LW_ERROR_MEMORY;
  memcpy(joints, robot->joints, (size_t)robot->count * sizeof *joints);
  lw_rotation_rpy(b->p->tool.rpy, R);
  for (int k = 0; k < b->p->body_count; ++k)
  {
    const lwLinkDef* body = &b->p->bodies[k];
    const double* I       = body->inertia;
    double com[3], M[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}, back[9],
                   turned[9];
    if (!b->carried[k]) continue;
    any = true;
    for (int i = 0; i < 3; ++i)
      com[i] = b->p->tool.xyz[i] + R[3 * i] * body->com[0] + R[3 * i + 1] * body->com[1] +
               R[3 * i + 2] * body->com[2];
    lw_rotation_transpose(R, back);
    lw_rotation_product(R, M, turned);
    lw_rotation_product(turned, back, M);
    lw_link_def_add(&joints[b->p->tool.joint].link, body->mass, com,
                    (double[]){M[0], M[4], M[8], M[1], M[2], M[5]});
  }
  b->model = b->p->model;
  if (!any) return LW_OK;
  loaded.joints   = joints;
  lwModel* made   = NULL;
  lwStatus status = lw_model_create(&loaded, NULL, b->p->document->diag, &made);
  if (status != LW_OK) return status;
  b->cycle->models[b->cycle->model_count++] = made;
  b->model                                  = made;
  return LW_OK;
}

static lwStatus change_load(Builder* b, const lwMoveDef* move)
{
  bool grip = move->kind == LW_MOVE_GRIP;
  if (b->carried[move->body] == grip)
    return lw_document_refuse(b->p->document, move->place, NULL, "body '%s' is %s",
                              b->p->body_names[move->body],
                              grip ? "carried already" : "not carried");
  b->carried[move->body] = grip;
  return load_model(b);
}

// A stop at the end of the pieces so far.
static lwStatus add_stop(Builder* b, const lwMoveDef* move)
{
  if (b->count == 0)
    b->wait += move->dwell;
  else
  {
    PathPiece* last = &b->pieces[b->count - 1];
    if (!last->stops)
      return lw_document_refuse(b->p->document, last->move->blend_place, NULL,
                                "the arm stops here, so that the move cannot be blended");
    last->dwell += move->dwell;
  }
  return move->kind == LW_MOVE_DWELL ? LW_OK : change_load(b, move);
}

static lwStatus build_moves(Builder* b)
{
  lwStatus status = LW_OK;
  for (int i = 0; i < b->p->move_count && status == LW_OK; ++i)
  {
    const lwMoveDef* move = &b->p->moves[i];
    if (move->kind >= LW_MOVE_GRIP)
      status = add_stop(b, move);
    else
    {
      PathPiece* piece = add_piece(b, i);
      status = move->kind == LW_MOVE_JOINT ? build_joint(b, piece) : build_cartesian(b, piece);
    }
  }
  return status;
}

// --- blends

static void piece_at(const PathPiece* piece, double s, double* q, double* q1, double* q2)
{
  lw_trajectory_at(piece->path, fmin(s, lw_trajectory_duration(piece->path) * (1 - 1e-15)), q, q1,
                   q2);
}

// Where the tool is `radius` away from the corner at s = corner, going by sign; a piece that only
// turns is cut at 0.4 of it. Negative: nowhere.
static double leave_corner(Builder* b, const PathPiece* piece, double corner, int sign,
                           double radius)
{
  double whole = lw_trajectory_duration(piece->path), p0[3], p[3], R[9], d[3], far = 0, s = corner;
  int steps = 200;
  piece_at(piece, corner, b->goal, NULL, NULL);
  lw_pose(b->p->model, b->ws, b->goal, p0, R);
  for (int i = 1; i <= steps; ++i)
  {
    double next = corner + sign * whole * i / steps, low = s, high = next;
    for (int k = 0; k < 60; ++k)
    {
      double at = k == 0 ? next : 0.5 * (low + high);
      piece_at(piece, fmin(fmax(at, 0), whole), b->goal, NULL, NULL);
      lw_pose(b->p->model, b->ws, b->goal, p, R);
      for (int c = 0; c < 3; ++c) d[c] = p[c] - p0[c];
      far = fmax(far, lw_length(d));
      if (k == 0 && lw_length(d) < radius) break;
      *(lw_length(d) < radius ? &low : &high) = at;
      if (k == 59) return at;
    }
    s = next;
  }
  return far < 1e-6 ? corner + sign * 0.4 * whole : -1;
}

static lwStatus cut_blend(Builder* b, PathPiece* before, PathPiece* after)
{
  const lwMoveDef* move = before->move;
  double end = lw_trajectory_duration(before->path), turn = 0, one = 0, two = 0;
  double* q1 = lw_arena_take(&b->arena, 2 * (size_t)b->n, sizeof *q1);
  if (!q1) return LW_ERROR_MEMORY;
  before->to  = leave_corner(b, before, end, -1, move->blend);
  after->from = leave_corner(b, after, 0, 1, move->blend);
  if (before->to < 0 || after->from < 0)
    return lw_document_refuse(b->p->document, move->blend_place, NULL,
                              "the blend of %g m is longer than the %s", move->blend,
                              before->to < 0 ? "move" : "next move");
  piece_at(before, before->to, NULL, q1, NULL);
  piece_at(after, after->from, NULL, q1 + b->n, NULL);
  for (int j = 0; j < b->n; ++j)
  {
    turn += q1[j] * q1[b->n + j];
    one += q1[j] * q1[j];
    two += q1[b->n + j] * q1[b->n + j];
  }
  if (turn < -0.98 * sqrt(one * two))
    return lw_document_refuse(b->p->document, move->blend_place, "leave out the blend: it stops",
                              "the path turns back here and cannot be blended");
  return LW_OK;
}

static lwStatus cut_blends(Builder* b)
{
  lwStatus status = LW_OK;
  for (int i = 0; i < b->count && status == LW_OK; ++i)
  {
    PathPiece* next = i + 1 < b->count ? &b->pieces[i + 1] : b->p->closed ? &b->pieces[0] : NULL;
    if (b->pieces[i].stops) continue;
    if (!next || next == &b->pieces[i])
      return lw_document_refuse(b->p->document, b->pieces[i].move->blend_place, NULL,
                                "there is no next move to blend with");
    status = cut_blend(b, &b->pieces[i], next);
  }
  for (int i = 0; i < b->count && status == LW_OK; ++i)
    if (b->pieces[i].from > b->pieces[i].to)
      status = lw_document_refuse(b->p->document,
                                  b->pieces[i].stops ? b->pieces[i].move->place
                                                     : b->pieces[i].move->blend_place,
                                  NULL, "the blends at both ends of this move overlap");
  return status;
}

// --- sections

// Adds the knots of a piece behind those of a section, from s on; returns where it ends, or NaN.
static double append_piece(Builder* b, const PathPiece* piece, double s, lwKnots* to)
{
  const lwKnots* k = &piece->knots;
  double* q        = lw_arena_take(&b->arena, 3 * (size_t)b->n, sizeof *q);
  bool added       = q != NULL;
  for (int i = -1; i <= k->count && added; ++i)
  {
    bool first = i < 0, last = i == k->count;
    double at  = first ? piece->from : last ? piece->to : k->s[i];
    double gap = 1e-9 * (piece->to - piece->from);
    if (!first && !last && (at < piece->from + gap || at > piece->to - gap)) continue;
    piece_at(piece, at, q, q + b->n, q + 2 * b->n);
    added = lw_knots_add(to, s + at - piece->from, q, q + b->n, q + 2 * b->n);
  }
  return added ? s + piece->to - piece->from : NAN;
}

static lwStatus check_section(Builder* b, const lwCycleSection* section)
{
  double length = lw_trajectory_duration(section->path);
  int samples   = 2000;
  for (int i = 0; i <= samples; ++i)
  {
    int move = 0;
    lw_trajectory_at(section->path, length * i / samples, b->goal, NULL, NULL);
    for (int k = 0; k < section->move_count; ++k)
      if (section->moves[k].s <= length * i / samples) move = section->moves[k].move;
    if (b->loops && lw_loops_close(b->loops, b->goal, NULL) != LW_OK)
      return NO_MOTION(b, b->p->moves[move - 1].place, "the loops cannot be closed on the way");
    lwStatus inside = check_inside(b, b->goal, b->p->moves[move - 1].place);
    if (inside != LW_OK) return inside;
  }
  return LW_OK;
}

// One section of the pieces `first` to `last`, which may go on from the end to the beginning.
static lwStatus add_section(Builder* b, int first, int count, bool ring)
{
  lwKnots knots           = {.n = b->n};
  lwCycleSection* section = lw_cycle_add(b->cycle);
  lwCycleMove* moves      = lw_arena_take(&b->cycle->arena, (size_t)count, sizeof *moves);
  double* speeds          = lw_arena_take(&b->cycle->arena, 2 * (size_t)count, sizeof *speeds);
  double s                = 0;
  if (!section || !moves || !speeds) return LW_ERROR_MEMORY;
  const PathPiece* last = NULL;
  for (int i = 0; i < count && isfinite(s); ++i)
  {
    const PathPiece* piece = &b->pieces[(first + i) % b->count];
    double start           = s;
    if (last)
    {
      double rest = lw_trajectory_duration(last->path) - last->to, blend = rest + piece->from;
      start = s + rest;
      s += blend;
    }
    moves[i]          = (lwCycleMove){start, piece->number, piece->move->speed};
    speeds[2 * i]     = start;
    speeds[2 * i + 1] = piece->move->speed;
    s                 = append_piece(b, piece, s, &knots);
    last              = piece;
  }
  if (ring && last)
  {
    const PathPiece* piece = &b->pieces[first];
    s += lw_trajectory_duration(last->path) - last->to + piece->from;
    if (!lw_knots_add(&knots, s, knots.q, knots.q1, knots.q2)) s = NAN;
  }
  *section = (lwCycleSection){.model      = b->pieces[first].model,
                              .wait       = b->pieces[first].wait,
                              .dwell      = last ? last->dwell : 0,
                              .move_count = count,
                              .moves      = moves,
                              .ends = {.closed = ring, .speed_count = count, .speeds = speeds}};
  lwStatus status =
      isfinite(s) ? lw_knots_path(&knots, b->p->model, &section->path) : LW_ERROR_MEMORY;
  lw_knots_free(&knots);
  return status == LW_OK ? check_section(b, section) : status;
}

static lwStatus make_sections(Builder* b)
{
  int first = 0, start = 0;
  bool ring = b->p->closed && !b->pieces[b->count - 1].stops;
  while (ring && start < b->count && !b->pieces[start].stops) ++start;
  if (ring && start == b->count) return add_section(b, 0, b->count, true);
  if (ring) first = start + 1;  // begins behind the first stop
  lwStatus status = LW_OK;
  for (int done = 0, count; done < b->count && status == LW_OK; done += count)
  {
    count = 1;
    while (!b->pieces[(first + done + count - 1) % b->count].stops && done + count < b->count)
      ++count;
    status = add_section(b, (first + done) % b->count, count, false);
  }
  return status;
}

// A closed program must end where it began, with nothing in its grip.
static lwStatus check_returns(Builder* b)
{
  const double* start = b->pieces[0].knots.q;
  for (int j = 0; j < b->n && b->p->closed; ++j)
    if (!(fabs(b->q[j] - start[j]) < 1e-6))
      return lw_document_refuse(b->p->document, b->p->closed_place, NULL,
                                "the program does not end where it began: joint '%s' is at %.6g, "
                                "at the beginning it was at %.6g",
                                lw_waypoints_joint(b->p->model, j), b->q[j], start[j]);
  for (int k = 0; k < b->p->body_count && b->p->closed; ++k)
    if (b->carried[k])
      return lw_document_refuse(b->p->document, b->p->closed_place, "add a move 'release'",
                                "the program begins again while it carries body '%s'",
                                b->p->body_names[k]);
  return LW_OK;
}

static lwStatus open_builder(Builder* b)
{
  const lwCycleText* p = b->p;
  lwWorkspaceDef def   = lw_workspace_def();
  def.open_tree        = true;
  b->n                 = lw_model_dof(p->model);
  b->q                 = lw_arena_take(&b->arena, (size_t)b->n, sizeof *b->q);
  b->goal              = lw_arena_take(&b->arena, (size_t)b->n, sizeof *b->goal);
  b->carried           = lw_arena_take(&b->arena, (size_t)p->body_count + 1, sizeof *b->carried);
  b->pieces            = lw_arena_take(&b->arena, (size_t)p->move_count + 1, sizeof *b->pieces);
  b->cycle->models     = calloc((size_t)p->move_count + 1,
                                sizeof *b->cycle->models);  // NOLINT(bugprone-sizeof-expression)
  if (!b->q || !b->goal || !b->carried || !b->pieces || !b->cycle->models) return LW_ERROR_MEMORY;
  lwStatus status = lw_workspace_create(p->model, &def, p->document->diag, &b->ws);
  if (status == LW_OK) status = lw_workspace_set_frame(b->ws, p->model, &p->tool, NULL);
  if (status == LW_OK) status = lw_ik_create(p->model, b->ws, NULL, p->document->diag, &b->ik);
  if (status == LW_OK && lw_model_loop_count(p->model) > 0)
    status = lw_loops_create(p->model, NULL, NULL, &b->loops);
  return status;
}

static lwStatus stand_at_start(Builder* b)
{
  lwMoveDef move = {.target = b->p->start, .place = b->p->moves[0].place};
  for (int j = 0; j < b->n; ++j)
  {
    const lwLimits* limits = &lw_model_joint_def(b->p->model, j)->limits;
    bool limited           = isfinite(limits->lower) && isfinite(limits->upper);
    b->q[j]                = limited ? 0.5 * (limits->lower + limits->upper) : 0;
  }
  lwStatus status = solve_goal(b, &move);
  memcpy(b->q, b->goal, (size_t)b->n * sizeof *b->q);
  return status;
}

static void set_limits(const lwCycleText* p, lwCycle* cycle)
{
  lwFrame* tool    = lw_arena_take(&cycle->arena, 1, sizeof *tool);
  bool any         = isfinite(p->tool_speed);
  size_t length    = strlen(p->name);
  const char* name = lw_arena_text(&cycle->arena, p->name, length);
  for (int i = 0; i < p->move_count; ++i) any = any || isfinite(p->moves[i].speed);
  if (tool) *tool = p->tool;
  cycle->limits.tool              = tool;
  cycle->limits.tool_speed        = any ? fmin(p->tool_speed, 1e6) : INFINITY;  // 1e6: none
  cycle->limits.tool_acceleration = p->tool_acceleration;
  cycle->limits.reaction_count    = p->reaction_count;
  cycle->limits.reactions         = p->reactions;
  if (name) cycle->name = name;
}

lwStatus lw_program_build(const lwCycleText* program, lwCycle* cycle)
{
  Builder b       = {.p = program, .cycle = cycle, .model = program->model};
  lwStatus status = LW_OK;
  if (lw_model_nq(program->model) != lw_model_dof(program->model))
    status = NO_MOTION(&b, program->document->root->place,
                       "ball and floating joints cannot follow a cycle");
  if (status == LW_OK) status = open_builder(&b);
  if (status == LW_OK) status = stand_at_start(&b);
  if (status == LW_OK) status = build_moves(&b);
  if (status == LW_OK && b.count == 0)
    status = lw_document_refuse(program->document, program->moves[0].place, NULL, "nothing moves");
  if (status == LW_OK) status = check_returns(&b);
  if (status == LW_OK) status = cut_blends(&b);
  if (status == LW_OK) status = make_sections(&b);
  if (status == LW_OK) set_limits(program, cycle);
  for (int i = 0; i < b.count; ++i)
  {
    lw_trajectory_destroy((lwTrajectory*)b.pieces[i].path);
    lw_knots_free(&b.pieces[i].knots);
  }
  lw_loops_destroy(b.loops);
  lw_ik_destroy(b.ik);
  lw_workspace_destroy(b.ws);
  lw_arena_free(&b.arena);
  return status;
}
