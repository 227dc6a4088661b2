// SPDX-License-Identifier: MIT
// A description as a Denavit-Hartenberg table.
//
// On the way from the base to the end of a branch the lines that matter are the z axis of the base,
// the axes of the moving joints and the z axis of the last frame. A screw along x, Rx(alpha) Tx(a),
// leads over the common normal from one line to the next, a screw along z, Rz(theta) Tz(d), on a
// line from the foot of one normal to that of the next:
//
//   Z0 X1 Z1(q1) X2 Z2(q2) .. Xn Zn(qn) X Z
//
// A row of modified DH is an X and the Z after it, one of standard DH a Z and the X after it.
// What is left over at an end, and is not the identity, becomes a fixed joint. A body that carries
// several joints has one line more for each: the first is reached from its own axis, the others
// from its frame, by a fixed joint of their own.
//
// If lines are nearly parallel, the feet of their common normal are far away. Beyond
// FARTHEST an extra line is inserted that crosses both and meets the first at a right angle:
// one more fixed joint, and no digit is lost.
//
// Where there is a choice (parallel lines, coincident lines, the direction of a normal), the frame
// that the link already has is kept if it fits; otherwise theta = 0 and d = 0.
#include <float.h>
#include <math.h>

#include "base/units.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "model/common_normal.h"
#include "model/express_internal.h"

static const double FARTHEST = 3;                 // of a foot, in longest links
static const double ROUNDING = 16 * DBL_EPSILON;  // of directions, and of lengths in longest links

static const char turns_to_normal[] = "turns x onto the common normal of its two axes";
static const char leads_to_axis[]   = "leads to an axis that the table does not reach otherwise";
static const char leads_across[]    = "stands between two nearly parallel axes";

// Rz(turn) Tz(slide), then Rx(alpha) Tx(a).
typedef struct Hop
{
  double turn, slide, alpha, a;  // rad, m, rad, m
} Hop;

// From one frame to another along one or two normals, then Rz(turn) Tz(slide).
typedef struct NormalPath
{
  int hops;
  Hop hop[2];
  double turn, slide;
} NormalPath;

// What to prefer where a path leaves a choice, in the frame that it begins in.
typedef struct Preference
{
  lwTransform frame;   // that the link has
  double turn, slide;  // else
} Preference;

// By joint of the original. Frames are in the body that a moving joint carries, whose own frame is
// that of its link.
typedef struct DhJoint
{
  int body;            // the moving joint it is part of, or LW_BASE; a moving joint: itself
  lwTransform pose;    // of its link's frame in the body
  lwTransform target;  // where the joint's parent body has its axis (moving) or its frame (fixed)
  lwTransform axis;    // moving: the joint's frame in its own body
  lwTransform frame;   // moving: the new frame of the link in the old one
  int next;            // moving: the joint that its row leads to, itself for its own frame
  bool reached;        // these are known:
  int attach;          // the new joint that it stands on
  double alpha, a;     // modified DH: of the normal that leads to it
  double turn, slide;  // of the foot of that normal in target
} DhJoint;

typedef struct Table
{
  lwExpressed* expressed;
  lwPlacement form;
  const lwRobotDef* robot;
  DhJoint* joint;  // (count)
  double longest;  // m, link
} Table;

// --- lines and normals

static bool no_length(const Table* table, double x)
{
  return fabs(x) <= ROUNDING * table->longest;
}

static bool no_screw(const Table* table, double angle, double distance)
{
  return fabs(angle) <= ROUNDING && no_length(table, distance);
}

// to, seen from a frame; directions and lines that are parallel,
// or the same up to rounding, are exactly so.
static lwTransform seen_from(const Table* table, const lwTransform* from, const lwTransform* to)
{
  lwTransform inverse = lw_invert(from);
  lwTransform T       = lw_compose(&inverse, to);
  if (lw_hypot(T.R[0][2], T.R[1][2]) <= ROUNDING)
  {
    T.R[0][2] = T.R[1][2] = T.R[2][0] = T.R[2][1] = 0;
    T.R[2][2]                                     = T.R[2][2] < 0 ? -1 : 1;
    if (lw_hypot(T.p[0], T.p[1]) <= ROUNDING * table->longest) T.p[0] = T.p[1] = 0;
  }
  return T;
}

// The height of a normal where parallel lines leave it open: that of the preferred frame if it has
// x along the normal and its origin on one of the lines, else the other preference.
static double free_height(const Table* table, const lwTransform* T, const Preference* option,
                          const lwTransform* w, double turn)
{
  double c = lw_cos(turn), s = lw_sin(turn);
  bool along   = fabs(c * w->R[1][0] - s * w->R[0][0]) <= ROUNDING && fabs(w->R[2][0]) <= ROUNDING;
  bool on_from = no_length(table, lw_hypot(w->p[0], w->p[1]));
  bool on_to   = no_length(table, lw_hypot(w->p[0] - T->p[0], w->p[1] - T->p[1]));
  return along && (on_from || on_to) ? w->p[2] : option->slide;
}

// The direction of the normal: the preferred x where it is free, else the nearest to it.
static void choose_direction(const lwTransform* T, const Preference* option, const lwTransform* w,
                             lwCommonNormal* screw)
{
  bool parallel  = T->R[0][2] == 0 && T->R[1][2] == 0;
  bool same_line = parallel && T->p[0] == 0 && T->p[1] == 0;
  double x = w->R[0][0], y = w->R[1][0];
  bool across = lw_hypot(x, y) > 1e-6;  // else the preferred x is along the line
  bool exact  = fabs(w->R[2][0]) <= ROUNDING;
  if (!across || (same_line && !exact))
  {
    x = lw_cos(option->turn);
    y = lw_sin(option->turn);
  }
  lw_common_normal_find(T, screw);
  if (same_line)
  {
    screw->cos_gamma = lw_snap(x / lw_hypot(x, y));
    screw->sin_gamma = lw_snap(y / lw_hypot(x, y));
  }
  else if (screw->cos_gamma * x + screw->sin_gamma * y < 0)
  {
    screw->cos_gamma = -screw->cos_gamma;
    screw->sin_gamma = -screw->sin_gamma;
  }
}

// T as one hop; false if the foot of the normal is too far away.
static bool one_hop(const Table* table, const lwTransform* T, const Preference* option,
                    NormalPath* path)
{
  lwTransform w        = option->frame;
  lwCommonNormal screw = {.cos_gamma = 1};
  choose_direction(T, option, &w, &screw);
  lw_common_normal_split(T, &screw);
  double turn  = lw_atan2(screw.sin_gamma, screw.cos_gamma);
  bool skew    = screw.sin_alpha != 0;
  double slide = skew ? screw.e / screw.sin_alpha : free_height(table, T, option, &w, turn);
  path->hops   = 1;
  path->hop[0] = (Hop){turn, slide, lw_atan2(screw.sin_alpha, screw.cos_alpha), screw.a};
  path->turn   = lw_atan2(screw.sin_theta, screw.cos_theta);
  path->slide  = screw.d - slide * screw.cos_alpha;
  double limit = FARTHEST * table->longest;
  return !skew || (fabs(slide) <= limit && fabs(path->slide) <= limit);
}

// A frame whose z goes across from the line of T's parent towards that of T.
static lwTransform line_across(const lwTransform* T)
{
  double distance = lw_hypot(T->p[0], T->p[1]);
  double c        = distance > 0 ? T->p[0] / distance : 1;
  double s        = distance > 0 ? T->p[1] / distance : 0;
  return (lwTransform){{{0, s, c}, {0, -c, s}, {1, 0, 0}}, {0, 0, T->p[2]}};
}

static lwTransform hop_end(const lwTransform* from, const Hop* hop)
{
  lwTransform z = lw_screw_z(hop->turn, hop->slide), x = lw_screw_x(hop->alpha, hop->a);
  z = lw_compose(&z, &x);
  return lw_compose(from, &z);
}

// Sets values to zero that differ from it by rounding only.
static void clean(const Table* table, NormalPath* path)
{
  for (int k = 0; k < path->hops; ++k)
  {
    Hop* hop = &path->hop[k];
    if (fabs(hop->turn) <= ROUNDING) hop->turn = 0;
    if (no_length(table, hop->slide)) hop->slide = 0;
    if (no_length(table, hop->a)) hop->a = 0;
  }
  if (fabs(path->turn) <= ROUNDING) path->turn = 0;
  if (no_length(table, path->slide)) path->slide = 0;
}

static NormalPath find_path(const Table* table, const lwTransform* from, const lwTransform* to,
                            const Preference* option)
{
  NormalPath path, rest;
  Preference local    = *option;
  lwTransform inverse = lw_invert(from);
  local.frame         = lw_compose(&inverse, &option->frame);
  lwTransform T       = seen_from(table, from, to);
  if (!one_hop(table, &T, &local, &path))
  {
    lwTransform across = line_across(&T);
    one_hop(table, &across, &local, &path);
    lwTransform middle = hop_end(&lw_identity, &path.hop[0]);
    T                  = seen_from(table, &middle, &T);
    one_hop(table, &T, &(Preference){lw_identity, 0, 0}, &rest);
    path.hops   = 2;
    path.hop[1] = rest.hop[0];
    path.turn   = rest.turn;
    path.slide  = rest.slide;
  }
  clean(table, &path);
  return path;
}

// --- rows

static void set_row(lwJointDef* joint, lwPlacement form, const Hop* row)
{
  if (!joint) return;
  joint->placement = form;
  joint->theta     = fabs(row->turn) <= LW_PI ? row->turn : remainder(row->turn, 2 * LW_PI);
  joint->d         = row->slide;
  joint->alpha     = row->alpha;
  joint->a         = row->a;
}

// Adds a fixed row near joint i on *attach, which becomes that row.
static void add_extra(Table* table, int i, const char* reason, const Hop* row, int* attach)
{
  lwJointDef* extra = lw_express_extra(table->expressed, i, *attach, reason);
  set_row(extra, table->form, row);
  *attach = lw_express_last(table->expressed);
}

// Joint `to` is reached from new joint `attach` by the hops of the path from `first` on.
static void reach(Table* table, int to, const NormalPath* path, int first, int attach)
{
  DhJoint* joint = &table->joint[to];
  bool fixed     = table->robot->joints[to].type == LW_JOINT_FIXED;
  Hop pending    = path->hop[0];
  for (int k = first; k < path->hops; ++k)
  {
    const Hop* hop = &path->hop[k];
    Hop row        = *hop;
    if (table->form == LW_PLACEMENT_DH_MODIFIED)
    {
      row.alpha = k > 0 ? pending.alpha : 0;
      row.a     = k > 0 ? pending.a : 0;
    }
    pending     = *hop;
    bool needed = !no_screw(table, row.turn, row.slide) || !no_screw(table, row.alpha, row.a);
    const char* reason = k > 0 || path->hops > 1                   ? leads_across
                         : table->form == LW_PLACEMENT_DH_MODIFIED ? turns_to_normal
                                                                   : leads_to_axis;
    if (needed) add_extra(table, to, reason, &row, &attach);
  }
  joint->reached = true;
  joint->attach  = attach;
  joint->alpha   = table->form == LW_PLACEMENT_DH_MODIFIED ? pending.alpha : 0;
  joint->a       = table->form == LW_PLACEMENT_DH_MODIFIED ? pending.a : 0;
  joint->turn    = fixed ? path->turn : -path->turn;
  joint->slide   = fixed ? path->slide : -path->slide;
}

// The first way to a joint that no other row leads to: from the frame of the body that carries it.
static void approach(Table* table, int i)
{
  static const DhJoint base = {.frame = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}}};
  int parent                = table->robot->joints[i].parent;
  int body                  = parent == LW_BASE ? LW_BASE : table->joint[parent].body;
  const DhJoint* from       = body == LW_BASE ? &base : &table->joint[body];
  Preference option         = {from->frame, 0, 0};
  NormalPath path           = find_path(table, &from->frame, &table->joint[i].target, &option);
  reach(table, i, &path, 0, body == LW_BASE ? LW_BASE : table->expressed->row[body]);
}

// True if the path ends in its target with nothing after the joint's own row.
static bool arrives(const Table* table, const NormalPath* path)
{
  if (path->hops > 1 || !no_screw(table, path->turn, path->slide)) return false;
  return table->form == LW_PLACEMENT_DH_STANDARD ||
         no_screw(table, path->hop[0].alpha, path->hop[0].a);
}

// The way on from a moving joint: to the axis of the next one; at the end of a branch to the frame
// of the link, or if that takes one more row and a fixed joint stands on the link, to that.
static NormalPath leave(Table* table, int i)
{
  DhJoint* joint    = &table->joint[i];
  Preference option = {lw_identity, joint->turn, joint->slide};
  bool at_end       = joint->next < 0 || table->robot->joints[joint->next].type == LW_JOINT_FIXED;
  if (at_end)
  {
    NormalPath path = find_path(table, &joint->axis, &lw_identity, &option);
    if (joint->next < 0 || arrives(table, &path)) joint->next = i;
    if (joint->next == i) return path;
  }
  return find_path(table, &joint->axis, &table->joint[joint->next].target, &option);
}

// The link in its own frame, behind the row of its joint.
static void write_end(Table* table, int i, const NormalPath* path)
{
  DhJoint kept = table->joint[i];
  reach(table, i, path, 1, table->expressed->row[i]);
  const DhJoint* joint = &table->joint[i];
  Hop row              = {path->turn, path->slide, joint->alpha, joint->a};
  set_row(lw_express_end(table->expressed, i, joint->attach), table->form, &row);
  table->joint[i] = kept;
}

static bool is_identity(const Table* table, const lwTransform* T)
{
  bool same = no_length(table, lw_length(T->p));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) same = same && fabs(T->R[i][j] - (i == j)) <= ROUNDING;
  return same;
}

static void write_moving(Table* table, int i)
{
  DhJoint* joint        = &table->joint[i];
  const lwJointDef* def = &table->robot->joints[i];
  if (!joint->reached) approach(table, i);
  NormalPath path = leave(table, i);
  Hop row         = path.hop[0];
  lwTransform z   = lw_screw_z(row.turn, row.slide);
  bool modified   = table->form == LW_PLACEMENT_DH_MODIFIED;
  joint->frame    = modified ? lw_compose(&joint->axis, &z) : hop_end(&joint->axis, &row);
  row.turn        = row.turn - joint->turn;
  row.slide       = row.slide - joint->slide;
  row.alpha       = modified ? joint->alpha : row.alpha;
  row.a           = modified ? joint->a : row.a;
  if (fabs(row.turn) <= ROUNDING) row.turn = 0;
  if (no_length(table, row.slide)) row.slide = 0;

  lwJointDef* written = lw_express_joint(table->expressed, i, joint->attach);
  set_row(written, table->form, &row);
  if (!written) return;
  bool at_end = joint->next == i, kept = at_end && arrives(table, &path);
  if (kept) joint->frame = lw_identity;
  table->expressed->keeps_frame[table->expressed->row[i]] = is_identity(table, &joint->frame);
  if (kept || !at_end) lw_express_link(table->expressed, &def->link, &joint->frame, &written->link);
  if (!at_end) reach(table, joint->next, &path, 1, table->expressed->row[i]);
  if (at_end && !kept) write_end(table, i, &path);
}

// A place as one row; false if it is none.
static bool one_row(const Table* table, const lwTransform* T, Hop* row)
{
  bool modified = table->form == LW_PLACEMENT_DH_MODIFIED;
  lwTransform S =
      modified ? *T : lw_invert(T);  // (Z X)^-1 = X^-1 Z^-1, and the signs of all four change
  double sign     = modified ? 1 : -1;
  double alpha[2] = {lw_snap(S.R[2][2]), lw_snap(-S.R[1][2])};
  double off      = alpha[0] * S.p[1] + alpha[1] * S.p[2];
  if (fabs(S.R[0][2]) > ROUNDING || !no_length(table, off)) return false;
  row->alpha = sign * lw_atan2(alpha[1], alpha[0]);
  row->a     = sign * S.p[0];
  row->turn  = sign * lw_atan2(-lw_snap(S.R[0][1]), lw_snap(S.R[0][0]));
  row->slide = sign * (alpha[0] * S.p[2] - alpha[1] * S.p[1]);
  return true;
}

static void write_fixed(Table* table, int i)
{
  const lwJointDef* def = &table->robot->joints[i];
  DhJoint* joint        = &table->joint[i];
  int parent            = def->parent;
  lwTransform from      = lw_identity;
  Hop row               = {joint->turn, joint->slide, joint->alpha, joint->a};
  bool is_row           = joint->reached;
  if (!joint->reached)
  {
    if (parent != LW_BASE)
      from = table->joint[parent].body == parent ? table->joint[parent].frame
                                                 : table->joint[parent].pose;
    from          = lw_invert(&from);
    from          = lw_compose(&from, &joint->pose);
    is_row        = one_row(table, &from, &row);
    joint->attach = parent == LW_BASE ? LW_BASE : table->expressed->row[parent];
  }
  lwJointDef* written = lw_express_joint(table->expressed, i, joint->attach);
  if (!written) return;
  if (is_row)
    set_row(written, table->form, &row);
  else
    lw_express_origin(written, &from);
  lw_express_link(table->expressed, &def->link, &lw_identity, &written->link);
}

// --- the robot

static void locate(Table* table, int i)
{
  const lwJointDef* def = &table->robot->joints[i];
  DhJoint* joint        = &table->joint[i];
  const DhJoint* parent = def->parent == LW_BASE ? NULL : &table->joint[def->parent];
  lwTransform before, after;
  lw_joint_place(def, &before, &after);
  joint->next   = -1;
  joint->target = parent ? lw_compose(&parent->pose, &before) : before;
  if (def->type == LW_JOINT_FIXED)
  {
    joint->target = lw_compose(&joint->target, &after);
    joint->pose   = joint->target;
    joint->body   = parent ? parent->body : LW_BASE;
  }
  else
  {
    joint->pose = lw_identity;
    joint->axis = lw_invert(&after);
    joint->body = i;
  }
  table->longest = fmax(table->longest, fmax(lw_length(joint->target.p), lw_length(after.p)));
}

// The row of a moving joint leads to the first moving joint that its body carries, else perhaps to
// its last fixed one.
static void choose_next(Table* table, int i)
{
  const lwJointDef* def = &table->robot->joints[i];
  if (def->parent == LW_BASE) return;
  int body = table->joint[def->parent].body;
  if (body == LW_BASE) return;
  int* next         = &table->joint[body].next;
  bool leads_moving = *next >= 0 && table->robot->joints[*next].type != LW_JOINT_FIXED;
  if (leads_moving || (def->type == LW_JOINT_FIXED && def->parent != body)) return;
  *next = i;
}

void lw_express_with_dh(lwExpressed* expressed, lwPlacement form)
{
  const lwRobotDef* robot = expressed->original;
  Table table             = {.expressed = expressed, .form = form, .robot = robot};
  table.joint = lw_arena_take(&expressed->arena, (size_t)robot->count, sizeof *table.joint);
  for (int i = 0; i < robot->count && table.joint; ++i) locate(&table, i);
  for (int i = 0; i < robot->count && table.joint; ++i) choose_next(&table, i);
  for (int i = 0; i < robot->count && table.joint && !lw_arena_failed(&expressed->arena); ++i)
    (robot->joints[i].type == LW_JOINT_FIXED ? write_fixed : write_moving)(&table, i);
}
