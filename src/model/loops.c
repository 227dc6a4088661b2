// SPDX-License-Identifier: MIT
// Loops of a description as a model has them: checked, in canonical frames, closed,
// and counted by rank.
#include "model/loops.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/number.h"
#include "linkwork/loop.h"
#include "math/rotation.h"
#include "model/lint/lint.h"
#include "model/rolling.h"

// What a type of loop is called, and its rows.
typedef struct LoopType
{
  const char* word;
  int rows;
  bool axis;  // it has one
} LoopType;

static const LoopType TYPES[LW_LOOP_TYPE_COUNT] = {
    {"fixed", 6, false}, {"position", 3, false}, {"hinge", 5, true},
    {"line", 2, true},   {"gear", 1, false},     {"skate", 1, true},
    {"wheel", 1, true},  {"disc", 2, true},      {"contact", 3, false},
};

const char* lw_loop_word(lwLoopType type)
{
  return (unsigned)type < LW_LOOP_TYPE_COUNT ? TYPES[type].word : NULL;
}

int lw_loop_type_rows(lwLoopType type)
{
  return (unsigned)type < LW_LOOP_TYPE_COUNT ? TYPES[type].rows : 0;
}

// --- what may be wrong

// "loop 'pin'", "wheel 'left'"
static const char* kind_of_row(const lwLoopDef* loop)
{
  return lw_loop_rolls(loop->type) ? TYPES[loop->type].word : "loop";
}

#define refuse(findings, loop, hint, format, ...)                                                  \
  lw_find(findings, LW_SEVERITY_ERROR, (loop)->place, hint, "%s '%.60s': " format,                 \
          kind_of_row(loop), (loop)->name ? (loop)->name : "?", __VA_ARGS__)

static const double SHORTEST_AXIS = 1e-30;  // its square is still a normal number

static void check_gear(lwFindings* findings, const lwRobotDef* robot, const lwLoopDef* loop)
{
  const int ends[2] = {loop->first.joint, loop->second.joint};
  if (loop->ratio == 0 || !isfinite(loop->ratio) || !isfinite(loop->offset))
    refuse(findings, loop, NULL, "ratio %g and offset %g, expected finite numbers, the ratio not 0",
           loop->ratio, loop->offset);
  for (int side = 0; side < 2; ++side)
  {
    if (ends[side] < 0 || ends[side] >= robot->count)
    {
      refuse(findings, loop, NULL, "joint number %d does not exist", ends[side] + 1);
      continue;
    }
    const lwJointDef* joint = &robot->joints[ends[side]];
    lwJointSize size        = lw_joint_size(joint->type);
    bool single             = size.nq == 1 && size.dof == 1;
    if ((!single && !joint->locked.given) || joint->mimic.given)
      refuse(findings, loop, NULL, "joint '%.60s' %s%s, expected one with a freedom of its own",
             joint->name, joint->mimic.given ? "mimics another" : "is of type ",
             joint->mimic.given ? "" : lw_joint_word(joint->type));
  }
  if (ends[0] == ends[1])
    refuse(findings, loop, NULL, "%s", "it couples a joint with itself, expected two joints");
}

static void check_axis(lwFindings* findings, const lwLoopDef* loop)
{
  double length = lw_length(loop->axis);
  if (TYPES[loop->type].axis && !(length > SHORTEST_AXIS && isfinite(length)))
    refuse(findings, loop,
           loop->type == LW_LOOP_SKATE ? "a direction in link axes, as in across: [0, 1, 0]"
                                       : "a direction in the axes of the first frame, as in axis: "
                                         "[0, 0, 1]",
           "a %s needs an axis, and this one has the length %g", TYPES[loop->type].word, length);
}

// Rows that hold velocities of one link.
static void check_rolling(lwFindings* findings, const lwRobotDef* robot, const lwLoopDef* loop)
{
  const lwFrame* frame = &loop->second;
  bool rolls           = loop->type == LW_LOOP_WHEEL || loop->type == LW_LOOP_DISC;
  if (frame->joint < (robot->floating_base ? LW_BASE : 0) || frame->joint >= robot->count)
    refuse(findings, loop, NULL, "%s", "its link cannot move, expected one that a joint carries");
  if (!lw_all_finite(frame->xyz, 3) || !lw_all_finite(frame->rpy, 3))
    refuse(findings, loop, NULL, "%s", "its place on the link has a number that is not finite");
  if (rolls && !(loop->radius > 0 && isfinite(loop->radius)))
    refuse(findings, loop, NULL, "its radius is %g m, expected a number above 0", loop->radius);
  check_axis(findings, loop);
}

static void check_frames(lwFindings* findings, const lwRobotDef* robot, const lwLoopDef* loop)
{
  const lwFrame* frames[2] = {&loop->first, &loop->second};
  for (int side = 0; side < 2; ++side)
  {
    const lwFrame* frame = frames[side];
    if (frame->joint < LW_WORLD || frame->joint >= robot->count)
      refuse(findings, loop, NULL, "the link of joint number %d does not exist", frame->joint + 1);
    if (!lw_all_finite(frame->xyz, 3) || !lw_all_finite(frame->rpy, 3))
      refuse(findings, loop, NULL, "the %s frame has a number that is not finite",
             side == 0 ? "first" : "second");
  }
  bool ground = loop->first.joint < 0 && loop->second.joint < 0 && !robot->floating_base;
  if (loop->first.joint == loop->second.joint || ground)
    refuse(findings, loop, NULL, "%s", "both frames are on one link, expected two links");
  check_axis(findings, loop);
}

static void check_names(lwFindings* findings, const lwRobotDef* robot, int k)
{
  const lwLoopDef* loop = &robot->loops[k];
  if (!loop->name || !loop->name[0]) refuse(findings, loop, NULL, "%s", "it has no name");
  for (int i = 0; i < k && loop->name; ++i)
  {
    const char* other = robot->loops[i].name;
    if (!other || strcmp(other, loop->name) != 0) continue;
    refuse(findings, loop, NULL, "loop number %d has the same name", i + 1);
    return;
  }
}

// Loops have no warnings: nothing is accepted, nothing becomes an error.
lwStatus lw_loops_validate(const lwRobotDef* robot, lwDiag* diag)
{
  lwFindings findings = lw_findings(robot->file, robot->text, NULL, NULL, diag);
  for (int k = 0; k < robot->loop_count; ++k)
  {
    const lwLoopDef* loop = &robot->loops[k];
    check_names(&findings, robot, k);
    if ((unsigned)loop->type >= LW_LOOP_TYPE_COUNT)
      refuse(&findings, loop, NULL, "type number %d does not exist", (int)loop->type);
    else if (loop->type == LW_LOOP_GEAR)
      check_gear(&findings, robot, loop);
    else if (lw_loop_rolls(loop->type))
      check_rolling(&findings, robot, loop);
    else
      check_frames(&findings, robot, loop);
  }
  return findings.errors == 0 ? LW_OK : LW_ERROR_INPUT;
}

// --- canonical frames

// What is under way.
typedef struct LoopBuilder
{
  lwModel* model;
  lwLoopSet* set;
  lwLoopPair* pairs;
  lwLoopRow* row;
  bool enough;
} LoopBuilder;

static void* take(LoopBuilder* builder, size_t count, size_t size)
{
  void* memory    = lw_arena_take(&builder->model->arena, count, size);
  builder->enough = builder->enough && memory;
  return memory;
}

// A frame in the canonical frame of its carrier; on the base, in the canonical base frame.
static lwTransform joint_frame_at(const lwModel* model, const lwFrame* frame, int* carrier)
{
  const lwEnds64* ends = &model->ends64;
  lwTransform place    = lw_origin(frame->xyz, frame->rpy);
  bool on_link         = frame->joint >= 0;
  *carrier             = on_link ? model->joint_frame[frame->joint].carrier : LW_BASE;
  if (on_link) place = lw_compose(&model->joint_frame[frame->joint].place, &place);
  if (*carrier != LW_BASE) return place;
  lwTransform base;
  memcpy(base.R, ends->base_rotation, sizeof base.R);
  memcpy(base.p, ends->base_position, sizeof base.p);
  base = lw_invert(&base);
  return lw_compose(&base, &place);
}

// Joints that carry one of the two links and not the other, from the base on.
static void find_steps(LoopBuilder* builder, lwLoopPair* pair)
{
  const lwModel* model = builder->model;
  int ends[2] = {pair->carrier[0], pair->carrier[1]}, count = 0;
  for (int pass = 0; pass < 2; ++pass)
  {
    lwLoopStep* steps = NULL;
    if (pass == 1) steps = take(builder, (size_t)count, sizeof *steps);
    if (pass == 1 && !steps) return;
    pair->step_count = count;
    pair->steps      = steps;
    for (int a = ends[0], b = ends[1]; a != b;)
    {
      int side = b > a, body = b > a ? b : a;
      lwLoopStep one = {body, side ? 1 : -1};
      if (steps) steps[--count] = one;
      if (!steps) ++count;
      if (side)
        b = model->parent[b];
      else
        a = model->parent[a];
      if (body >= builder->set->reach) builder->set->reach = body + 1;
    }
  }
}

static void find_gear(const lwModel* model, const lwLoopDef* loop, lwLoopPair* pair)
{
  const int ends[2] = {loop->first.joint, loop->second.joint};
  pair->ratio       = loop->ratio;
  pair->offset      = loop->offset;
  for (int side = 0; side < 2; ++side)
  {
    const lwJointDef* joint = &model->robot.joints[ends[side]];
    pair->position[side] = pair->velocity[side] = -1;
    for (int i = 0; i < model->nq; ++i)
      if (model->positions[i].joint == ends[side]) pair->position[side] = i;
    for (int i = 0; i < model->dof; ++i)
      if (model->velocities[i].joint == ends[side]) pair->velocity[side] = i;
    if (pair->position[side] >= 0 || !joint->locked.given) continue;
    pair->offset += side == 0 ? loop->ratio * joint->locked.q : -joint->locked.q;
  }
}

// Two directions across the axis, so that the three are right-handed.
static void find_across(const double given[3], lwLoopPair* pair)
{
  double length = lw_length(given);
  int least     = 0;
  for (int k = 0; k < 3; ++k) pair->axis[k] = given[k] / length;
  for (int k = 1; k < 3; ++k)
    if (fabs(pair->axis[k]) < fabs(pair->axis[least]) - 1e-9) least = k;
  double seed[3] = {least == 0, least == 1, least == 2};
  for (int k = 0; k < 3; ++k) pair->across[0][k] = seed[k] - pair->axis[least] * pair->axis[k];
  length = lw_length(pair->across[0]);
  for (int k = 0; k < 3; ++k) pair->across[0][k] /= length;
  lw_cross(pair->axis, pair->across[0], pair->across[1]);
}

static void put_row(LoopBuilder* builder, int loop, bool turns, const double direction[3],
                    const char* name)
{
  lwLoopRow* row = &builder->row[builder->set->rows++];
  *row           = (lwLoopRow){.loop = loop, .turns = turns, .name = name};
  if (!direction) return;
  const lwTransform* A = &builder->pairs[loop].place[0];
  memcpy(row->direction, direction, sizeof row->direction);
  for (int k = 0; k < 3; ++k) row->carried[k] = lw_dot(A->R[k], direction);
}

// Names of rows across an axis: of the axes of the first frame where they are these.
static const char* across_name(const double direction[3], bool turns, int which)
{
  static const char* const names[2][5] = {
      {"x", "y", "z", "across 1", "across 2"},
      {"about x", "about y", "about z", "about across 1", "about across 2"}};
  for (int k = 0; k < 3; ++k)
    if (fabs(direction[k]) > 1 - 1e-12) return names[turns][k];
  return names[turns][3 + which];
}

static void put_rows(LoopBuilder* builder, int k)
{
  static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  lwLoopPair* pair               = &builder->pairs[k];
  bool line                      = pair->type == LW_LOOP_LINE;
  for (int i = 0; i < 3 && !line; ++i)
    put_row(builder, k, false, unit[i], across_name(unit[i], false, 0));
  for (int i = 0; i < 3 && pair->type == LW_LOOP_FIXED; ++i)
    put_row(builder, k, true, unit[i], across_name(unit[i], true, 0));
  for (int i = 0; i < 2 && (line || pair->type == LW_LOOP_HINGE); ++i)
    put_row(builder, k, !line, pair->across[i], across_name(pair->across[i], !line, i));
}

// A row that holds a velocity has no direction of its own: see model/rolling.h.
static void put_rolling_rows(LoopBuilder* builder, int k)
{
  static const char* const names[][LW_ROLLING_MOST_ROWS] = {
      {"across"}, {"along"}, {"along", "across"}, {"x", "y", "z"}};
  const lwLoopPair* pair = &builder->pairs[k];
  for (int r = 0; r < pair->rows; ++r)
    put_row(builder, k, false, NULL, names[pair->type - LW_LOOP_SKATE][r]);
}

static void build_pair(LoopBuilder* builder, int k)
{
  static const lwFrame ground = {.joint = LW_BASE};
  const lwModel* model        = builder->model;
  const lwLoopDef* loop       = &model->robot.loops[k];
  lwLoopPair* pair            = &builder->pairs[k];
  pair->type                  = loop->type;
  pair->first_row             = builder->set->rows;
  pair->rows                  = TYPES[loop->type].rows;
  pair->radius = loop->type == LW_LOOP_WHEEL || loop->type == LW_LOOP_DISC ? loop->radius : 0;
  if (TYPES[loop->type].axis) find_across(loop->axis, pair);
  if (loop->type == LW_LOOP_GEAR)
  {
    bool slides = model->robot.joints[loop->second.joint].type == LW_JOINT_PRISMATIC;
    find_gear(model, loop, pair);
    put_row(builder, k, !slides, NULL, "gear");
    return;
  }
  bool rolls     = lw_loop_rolls(loop->type);
  pair->place[0] = joint_frame_at(model, rolls ? &ground : &loop->first, &pair->carrier[0]);
  pair->place[1] = joint_frame_at(model, &loop->second, &pair->carrier[1]);
  find_steps(builder, pair);
  if (rolls)
    put_rolling_rows(builder, k);
  else
    put_rows(builder, k);
}

// Rows that hold positions come first.
static void build_pairs(LoopBuilder* builder)
{
  const lwRobotDef* robot = &builder->model->robot;
  for (int rolls = 0; rolls < 2; ++rolls)
  {
    for (int k = 0; builder->enough && k < robot->loop_count; ++k)
      if (lw_loop_rolls(robot->loops[k].type) == rolls) build_pair(builder, k);
    if (!rolls && builder->enough) builder->set->shut = builder->set->rows;
  }
}

// Which entry of qd carries which; all that stand before where mimic joints fill the matrix.
static void find_parents(LoopBuilder* builder)
{
  const lwModel* model = builder->model;
  int* parent          = take(builder, (size_t)model->dof, sizeof *parent);
  for (int i = 0; parent && i < model->dof; ++i)
  {
    int body  = model->parent[model->independent[i]];
    parent[i] = i - 1;
    if (model->coupled) continue;
    while (body != LW_BASE && model->leader[body] < 0) body = model->parent[body];
    parent[i] = body == LW_BASE ? -1 : model->leader[body];
  }
  builder->set->parent = parent;
}

// The positions that the file gives.
static void find_start(const lwModel* model, double* q)
{
  lw_model_neutral(model, q);
  for (int i = 0; i < model->nq; ++i)
  {
    lwCoordinate entry      = model->positions[i];
    const lwJointDef* joint = &model->robot.joints[entry.joint];
    const double* turned    = joint->start + lw_joint_size(joint->type).nq - 4;
    bool given =
        !entry.quaternion || turned[0] != 0 || turned[1] != 0 || turned[2] != 0 || turned[3] != 0;
    if (given) q[i] = joint->start[entry.part];
  }
  lw_model_normalize(model, q);
}

static void allocate_set(LoopBuilder* builder)
{
  lwModel* model = builder->model;
  size_t count = (size_t)model->robot.loop_count, rows = 0;
  for (size_t k = 0; k < count; ++k) rows += (size_t)TYPES[model->robot.loops[k].type].rows;
  builder->set   = take(builder, 1, sizeof *builder->set);
  builder->pairs = take(builder, count, sizeof *builder->pairs);
  builder->row   = take(builder, rows, sizeof *builder->row);
  if (!builder->enough) return;
  builder->set->count = (int)count;
  builder->set->pairs = builder->pairs;
  builder->set->row   = builder->row;
}

// --- closing, and rank

// Points that stand leave every drive what it is.
static bool any_passive(const lwRobotDef* robot)
{
  bool any = true;
  for (int k = 0; k < robot->loop_count; ++k) any = any && robot->loops[k].type == LW_LOOP_CONTACT;
  for (int i = 0; i < robot->count; ++i)
    any = any || (robot->joints[i].passive && robot->joints[i].type != LW_JOINT_FIXED &&
                  !robot->joints[i].mimic.given);
  return any;
}

// Entries of qd in the order in which they should follow: the last
// first, those with a motor at the end.
static void order_followers(const lwModel* model, int* order)
{
  int next = 0;
  for (int motor = 0; motor < 2; ++motor)
    for (int i = model->dof - 1; i >= 0; --i)
      if (model->robot.joints[model->velocities[i].joint].motor.given == motor) order[next++] = i;
}

// Where the file does not say what is driven: all but as many as the loops determine.
static void choose_driven(const lwModel* model, const double* J, double* columns, double* work,
                          int* order, bool* follows, bool* driven)
{
  int rows = model->loops->rows, dof = model->dof;
  order_followers(model, order);
  for (int k = 0; k < dof; ++k)
    for (int r = 0; r < rows; ++r)
      columns[(size_t)k * (size_t)rows + (size_t)r] = J[(size_t)r * (size_t)dof + (size_t)order[k]];
  lw_loop_rank(dof, rows, columns, work, follows);
  for (int k = 0; k < dof; ++k) driven[order[k]] = follows[k];
}

static void report_open(const lwRobotDef* robot, lwDiag* diag, const lwLoopCloser* closer)
{
  lwFindings findings = lw_findings(robot->file, robot->text, NULL, NULL, diag);
  double gap[2];
  int loop = lw_loop_gap(closer->model, closer->error, gap);
  refuse(&findings, &robot->loops[loop],
         "the joints' 'start' says where to close it; those that are not passive stay there",
         "it cannot be closed at the file's configuration: a gap of %.3g m and %.3g rad is left",
         gap[0], gap[1]);
}

// What is wrong with rows that roll, at the start: J (rows, dof) of all rows, and their rank.
static lwStatus check_start(const lwModel* model, const lwRobotDef* robot, const double* J,
                            lwDiag* diag)
{
  lwFindings findings  = lw_findings(robot->file, robot->text, NULL, NULL, diag);
  const lwLoopSet* set = model->loops;
  for (int k = 0; k < set->count; ++k)
  {
    const lwLoopPair* pair = &set->pairs[k];
    if (!lw_loop_rolls(pair->type)) continue;
    double sum = 0;
    for (int i = 0; i < pair->rows * model->dof; ++i)
      sum += J[(size_t)pair->first_row * (size_t)model->dof + (size_t)i];
    if (pair->step_count == 0)
      refuse(&findings, &robot->loops[k], NULL, "%s", "its link cannot move");
    else if (!isfinite(sum))
      refuse(&findings, &robot->loops[k], "the joints' 'start' says where it rolls at first", "%s",
             "its axle is vertical at the start, so that it has no heading");
    else if (set->rank == model->dof && pair->type != LW_LOOP_CONTACT && findings.errors == 0)
      refuse(&findings, &robot->loops[k], NULL, "%s",
             "with it nothing can move: the rows that roll contradict each other");
  }
  return findings.errors == 0 ? LW_OK : LW_ERROR_INPUT;
}

static lwStatus close_and_count(LoopBuilder* builder, const lwRobotDef* robot, lwDiag* diag,
                                lwArena* temporary)
{
  lwModel* model = builder->model;
  lwLoopSet* set = builder->set;
  size_t rows = (size_t)set->rows, dof = (size_t)model->dof;
  lwLoopCloser closer;
  double* start   = take(builder, (size_t)model->nq, sizeof *start);
  bool* driven    = take(builder, dof, sizeof *driven);
  bool* redundant = take(builder, rows, sizeof *redundant);
  size_t most     = rows > dof ? rows : dof;
  double* work    = lw_arena_take(temporary, rows * dof + most * most, sizeof *work);
  int* order      = lw_arena_take(temporary, dof, sizeof *order);
  bool* follows   = lw_arena_take(temporary, most, sizeof *follows);
  if (!lw_loop_closer_take(model, temporary, &closer) || !builder->enough || !work || !order ||
      !follows)
    return LW_ERROR_MEMORY;
  bool given = any_passive(&model->robot);
  for (size_t i = 0; i < dof; ++i)
    driven[i] = given && !model->robot.joints[model->velocities[i].joint].passive;
  find_start(model, start);
  closer.held = driven;
  bool closed = lw_loop_solve(&closer, start);
  if (!closed) report_open(robot, diag, &closer);
  if (!closed) return LW_ERROR_INPUT;
  lw_loop_jacobian(model, &closer.motion, closer.J);
  set->rank = lw_loop_rank(set->rows, model->dof, closer.J, work, redundant);
  if (!given) choose_driven(model, closer.J, work, work + rows * dof, order, follows, driven);
  set->start     = start;
  set->driven    = driven;
  set->redundant = redundant;
  if (check_start(model, robot, closer.J, diag) != LW_OK) return LW_ERROR_INPUT;
  bool planned = lw_speed_plan_build(model, closer.J, NULL, &set->speeds) &&
                 lw_speed_plan_build(model, closer.J, &set->speeds, &set->by_name);
  return planned ? LW_OK : LW_ERROR_MEMORY;
}

lwStatus lw_loops_build(lwModel* model, const lwRobotDef* robot, lwDiag* diag)
{
  LoopBuilder builder = {.model = model, .enough = true};
  if (lw_loops_validate(robot, diag) != LW_OK) return LW_ERROR_INPUT;
  allocate_set(&builder);
  if (builder.enough) build_pairs(&builder);
  if (builder.enough) find_parents(&builder);
  if (!builder.enough) return LW_ERROR_MEMORY;
  lwArena temporary = {0};
  model->loops      = builder.set;
  lwStatus status   = close_and_count(&builder, robot, diag, &temporary);
  lw_arena_free(&temporary);
  return status;
}

// --- what people ask

int lw_model_loop_count(const lwModel* model)
{
  return model->loops ? model->loops->count : 0;
}

lwStatus lw_tree_check(const lwModel* model, const char* what, lwDiag* diag)
{
  int loops        = lw_model_loop_count(model);
  const char* kind = lw_model_rolling_rows(model) > 0 ? "loop or rolling row" : "closed loop";
  if (loops == 0) return LW_OK;
  LW_REFUSE(diag, NULL, "'%s' treats every joint as free, and '%.60s' has %d %s%s", what,
            model->robot.name, loops, kind, loops == 1 ? "" : "s");
  return LW_ERROR_METHOD;
}

int lw_model_rolling_rows(const lwModel* model)
{
  return model->loops ? model->loops->rows - model->loops->shut : 0;
}

int lw_model_loop_rows(const lwModel* model)
{
  return model->loops ? model->loops->rows : 0;
}

lwLoopRowInfo lw_model_loop_row(const lwModel* model, int i)
{
  const lwLoopRow* row = &model->loops->row[i];
  return (lwLoopRowInfo){.loop      = row->loop,
                         .name      = row->name,
                         .turns     = row->turns,
                         .redundant = model->loops->redundant[i]};
}

int lw_model_mobility(const lwModel* model)
{
  return model->dof - (model->loops ? model->loops->rank : 0);
}

int lw_model_speed(const lwModel* model, int i)
{
  return model->loops ? model->loops->speeds.named[i] : i;
}

bool lw_model_is_driven(const lwModel* model, int i)
{
  return model->loops ? model->loops->driven[i] : true;
}

void lw_model_start(const lwModel* model, double* q)
{
  if (model->loops)
    memcpy(q, model->loops->start, (size_t)model->nq * sizeof *q);
  else
    find_start(model, q);
}
