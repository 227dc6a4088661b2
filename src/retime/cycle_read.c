// SPDX-License-Identifier: MIT
// Cycle files: text to points, bodies and moves. What the numbers mean for the robot is settled in
// cycle_build.c.
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "linkwork/read.h"
#include "read/payload.h"
#include "retime/cycle_internal.h"

typedef struct ToolText
{
  const char* link;
  double xyz[3], rpy[3];
} ToolText;

typedef struct ProgramText
{
  const char *name, *robot, *start;
  ToolText tool;
  int closed;
  double position, angle, tool_speed, tool_acceleration;
  lwNode *reaction, *bodies, *points, *moves;
} ProgramText;

enum
{
  AT_CLOSED = 1,
  AT_START,
  AT_LINK,
  AT_POSITION,
  AT_ANGLE,
  AT_SPEED,
  AT_ACCELERATION,
  AT_COUNT
};

static const char* const yes_words[] = {"false", "true", NULL};

static const lwKey tool_keys[] = {
    LW_KEY(ToolText, link, .kind = LW_VALUE_NAME, .slot = AT_LINK),
    LW_KEY(ToolText, xyz, .size = 3, .measure = LW_MEASURE_LENGTH),
    LW_KEY(ToolText, rpy, .size = 3, .measure = LW_MEASURE_ANGLE),
};
static const lwTable tool_table = LW_TABLE("a tool", tool_keys);

static const lwKey tolerance_keys[] = {
    LW_KEY(ProgramText, position, .measure = LW_MEASURE_LENGTH, .slot = AT_POSITION),
    LW_KEY(ProgramText, angle, .measure = LW_MEASURE_ANGLE, .slot = AT_ANGLE),
};
static const lwTable tolerance_table = LW_TABLE("a tolerance", tolerance_keys);

static const lwKey limit_keys[] = {
    LW_KEY(ProgramText, tool_speed, .unit = "m/s", .slot = AT_SPEED),
    LW_KEY(ProgramText, tool_acceleration, .unit = "m/s^2", .slot = AT_ACCELERATION),
    LW_NODE_KEY(ProgramText, reaction),
};
static const lwTable limit_table = LW_TABLE("limits", limit_keys);

static const lwKey program_keys[] = {
    {.name = "linkwork", .required = true, .read = lw_read_version},
    LW_KEY_AS("cycle", ProgramText, name, .kind = LW_VALUE_NAME, .required = true),
    LW_KEY(ProgramText, robot, .kind = LW_VALUE_NAME),
    LW_KEY(ProgramText, tool, .table = &tool_table),
    LW_KEY(ProgramText, closed, .words = yes_words, .slot = AT_CLOSED),
    {.name = "tolerance", .table = &tolerance_table},
    {.name = "limits", .table = &limit_table},
    LW_NODE_KEY(ProgramText, bodies),
    LW_KEY(ProgramText, points, .kind = LW_VALUE_NODE, .required = true),
    LW_KEY(ProgramText, start, .kind = LW_VALUE_NAME, .required = true, .slot = AT_START),
    LW_KEY(ProgramText, moves, .kind = LW_VALUE_NODE, .required = true),
};
static const lwTable program_table = LW_TABLE("a cycle", program_keys);

// --- names

static bool is_mapping(lwDocument* document, const lwNode* node, const char* what)
{
  if (node->kind == LW_NODE_MAPPING) return true;
  if (node->kind == LW_NODE_BROKEN) return false;
  return lw_document_reject(document, node->place, NULL, "'%s' must be a mapping, found %s", what,
                            LW_FOUND(node));
}

static int find_point(lwCycleText* p, const char* name, lwPlace place)
{
  lwNearest nearest = lw_nearest(name);
  for (int k = 0; k < p->point_count; ++k)
  {
    if (!strcmp(p->points[k].name, name)) return k;
    lw_nearest_try(&nearest, p->points[k].name);
  }
  lw_document_error(p->document, place, LW_DID_YOU_MEAN(nearest), "there is no point '%s'", name);
  return -1;
}

static int find_body(lwCycleText* p, const char* name, lwPlace place)
{
  lwNearest nearest = lw_nearest(name);
  for (int k = 0; k < p->body_count; ++k)
  {
    if (!strcmp(p->body_names[k], name)) return k;
    lw_nearest_try(&nearest, p->body_names[k]);
  }
  lw_document_error(p->document, place, LW_DID_YOU_MEAN(nearest), "there is no body '%s'", name);
  return -1;
}

// --- points

typedef struct PointText
{
  lwNode *q, *pose;
} PointText;

static const lwKey point_keys[]  = {LW_NODE_KEY(PointText, q), LW_NODE_KEY(PointText, pose)};
static const lwTable point_table = LW_TABLE("a point", point_keys);

static bool read_numbers(lwCycleText* p, const lwNode* list, const char* name, int count,
                         double* values)
{
  int i = 0;
  if (!lw_node_is_list(p->document, list, name, "")) return false;
  if (list->count != count)
    return lw_document_reject(p->document, list->place, NULL, "'%s' must have %d values, found %d",
                              name, count, list->count);
  for (const lwItem* item = list->items; item; item = item->next, ++i)
  {
    bool pose   = !strcmp(name, "pose");
    bool length = pose ? i < 3 : lw_model_velocity(p->model, i).slides;
    lwKey key   = {.name = name, .measure = length ? LW_MEASURE_LENGTH : LW_MEASURE_ANGLE};
    if (!lw_node_number(p->document, item->value, &key, i + 1, &values[i])) return false;
  }
  return true;
}

static bool read_point(lwCycleText* p, const lwItem* item, lwCyclePoint* point)
{
  PointText text = {0};
  double pose[6];
  int n       = lw_model_dof(p->model);
  point->name = item->key->text;
  if (!lw_document_fill(p->document, item->value, &point_table, &text, NULL)) return false;
  if (!text.q == !text.pose)
    return lw_document_reject(p->document, item->value->place, NULL,
                              "point '%s' must have either 'q' or 'pose'", point->name);
  if (text.q)
  {
    point->q = lw_arena_take(p->arena, (size_t)n, sizeof *point->q);
    return point->q && read_numbers(p, text.q, "q", n, point->q);
  }
  if (!read_numbers(p, text.pose, "pose", 6, pose)) return false;
  memcpy(point->position, pose, sizeof point->position);
  lw_rotation_rpy(pose + 3, point->rotation);
  return true;
}

static bool read_points(lwCycleText* p, const lwNode* node)
{
  bool right = is_mapping(p->document, node, "points");
  if (!right) return false;
  p->points = lw_arena_take(p->arena, (size_t)node->count + 1, sizeof *p->points);
  for (const lwItem* item = node->items; item && p->points; item = item->next)
    right = read_point(p, item, &p->points[p->point_count++]) && right;
  return right && p->points;
}

// --- bodies

static bool read_bodies(lwCycleText* p, const lwNode* node)
{
  bool right = true;
  if (!node) return true;
  if (!is_mapping(p->document, node, "bodies")) return false;
  p->bodies     = lw_arena_take(p->arena, (size_t)node->count + 1, sizeof *p->bodies);
  p->body_names = lw_arena_take(p->arena, (size_t)node->count + 1, sizeof *p->body_names);
  if (!p->bodies || !p->body_names) return false;
  for (const lwItem* item = node->items; item; item = item->next)
  {
    p->body_names[p->body_count] = item->key->text;
    right = lw_payload_read(p->document, item->value, &p->bodies[p->body_count++]) && right;
  }
  return right;
}

// --- limits

typedef struct ReactionText
{
  double force, moment;
} ReactionText;

static const lwKey reaction_keys[] = {
    LW_KEY(ReactionText, force, .unit = "N"),
    LW_KEY(ReactionText, moment, .unit = "N m"),
};
static const lwTable reaction_table = LW_TABLE("a limit of a reaction", reaction_keys);

static bool read_reaction(lwCycleText* p, const lwItem* item, lwReactionLimit* limit)
{
  const lwRobotDef* robot = lw_model_robot(p->model);
  ReactionText text       = {INFINITY, INFINITY};
  lwNearest nearest       = lw_nearest(item->key->text);
  limit->joint            = -1;
  for (int i = 0; i < robot->count; ++i)
  {
    if (!strcmp(robot->joints[i].name, item->key->text)) limit->joint = i;
    lw_nearest_try(&nearest, robot->joints[i].name);
  }
  if (limit->joint < 0)
    return lw_document_reject(p->document, item->key->place, LW_DID_YOU_MEAN(nearest),
                              "the robot has no joint '%s'", item->key->text);
  if (!lw_document_fill(p->document, item->value, &reaction_table, &text, NULL)) return false;
  limit->force  = text.force;
  limit->moment = text.moment;
  if (text.force > 0 && text.moment > 0) return true;
  return lw_document_reject(p->document, item->value->place, NULL,
                            "'force' and 'moment' must be above 0");
}

static bool read_reactions(lwCycleText* p, const lwNode* node)
{
  bool right = true;
  if (!node) return true;
  if (!is_mapping(p->document, node, "reaction")) return false;
  p->reactions = lw_arena_take(p->arena, (size_t)node->count + 1, sizeof *p->reactions);
  for (const lwItem* item = node->items; item && p->reactions; item = item->next)
    right = read_reaction(p, item, &p->reactions[p->reaction_count++]) && right;
  return right && p->reactions;
}

// --- moves

typedef struct MoveText
{
  const char *joint, *line, *arc, *grip, *release, *through, *branch;
  double rotate[3], approach, depart, blend, speed, dwell;
} MoveText;

enum
{
  AT_JOINT = 1,
  AT_LINE,
  AT_ARC,
  AT_ROTATE,
  AT_GRIP,
  AT_RELEASE,
  AT_DWELL,
  AT_THROUGH,
  AT_BRANCH,
  AT_APPROACH,
  AT_DEPART,
  AT_BLEND,
  AT_MOVE_SPEED,
  AT_MOVE_COUNT
};

static const lwKey move_keys[] = {
    LW_KEY(MoveText, joint, .kind = LW_VALUE_NAME, .slot = AT_JOINT),
    LW_KEY(MoveText, line, .kind = LW_VALUE_NAME, .slot = AT_LINE),
    LW_KEY(MoveText, arc, .kind = LW_VALUE_NAME, .slot = AT_ARC),
    LW_KEY(MoveText, rotate, .size = 3, .measure = LW_MEASURE_ANGLE, .slot = AT_ROTATE),
    LW_KEY(MoveText, grip, .kind = LW_VALUE_NAME, .slot = AT_GRIP),
    LW_KEY(MoveText, release, .kind = LW_VALUE_NAME, .slot = AT_RELEASE),
    LW_KEY(MoveText, dwell, .unit = "s", .slot = AT_DWELL),
    LW_KEY(MoveText, through, .kind = LW_VALUE_NAME, .slot = AT_THROUGH),
    LW_KEY(MoveText, branch, .kind = LW_VALUE_NAME, .slot = AT_BRANCH),
    LW_KEY(MoveText, approach, .measure = LW_MEASURE_LENGTH, .slot = AT_APPROACH),
    LW_KEY(MoveText, depart, .measure = LW_MEASURE_LENGTH, .slot = AT_DEPART),
    LW_KEY(MoveText, blend, .measure = LW_MEASURE_LENGTH, .slot = AT_BLEND),
    LW_KEY(MoveText, speed, .unit = "m/s", .slot = AT_MOVE_SPEED),
};
static const lwTable move_table = LW_TABLE("a move", move_keys);

static bool needs_positive(lwCycleText* p, lwPlace place, double value, const char* name)
{
  if (place.line == 0 || value > 0) return true;
  return lw_document_reject(p->document, place, NULL, "'%s' must be above 0, found %g", name,
                            value);
}

// Keys that a kind of move does not have.
static bool check_move_keys(lwCycleText* p, lwMoveKind kind, const lwPlace* at)
{
  static const struct
  {
    int slot;
    const char* name;
    unsigned kinds;
  } only[]   = {{AT_THROUGH, "through", 1 << LW_MOVE_ARC},
                {AT_BRANCH, "branch", 1 << LW_MOVE_JOINT},
                {AT_APPROACH, "approach", 1 << LW_MOVE_JOINT | 1 << LW_MOVE_LINE | 1 << LW_MOVE_ARC},
                {AT_DEPART, "depart", 1 << LW_MOVE_JOINT | 1 << LW_MOVE_LINE | 1 << LW_MOVE_ARC},
                {AT_BLEND, "blend",
                 1 << LW_MOVE_JOINT | 1 << LW_MOVE_LINE | 1 << LW_MOVE_ARC | 1 << LW_MOVE_ROTATE},
                {AT_MOVE_SPEED, "speed",
                 1 << LW_MOVE_JOINT | 1 << LW_MOVE_LINE | 1 << LW_MOVE_ARC | 1 << LW_MOVE_ROTATE}};
  bool right = true;
  for (size_t k = 0; k < sizeof only / sizeof *only; ++k)
    if (at[only[k].slot].line > 0 && !(only[k].kinds >> kind & 1))
      right = lw_document_reject(p->document, at[only[k].slot], NULL,
                                 "this kind of move has no '%s'", only[k].name);
  return right;
}

static bool read_branch(lwCycleText* p, const char* word, lwPlace place, int* branch)
{
  const char* end = word;
  double number   = 0;
  if (!word || !strcmp(word, "keep")) return true;
  *branch = LW_BRANCH_FASTEST;
  if (!strcmp(word, "fastest")) return true;
  if (lw_number_read(&end, &number) && *end == 0 && number >= 1 && number <= 16 &&
      number == floor(number))
  {
    *branch = (int)number;
    return true;
  }
  return lw_document_reject(p->document, place, NULL,
                            "'branch' must be keep, fastest or 1 to 16, found '%s'", word);
}

static bool settle_move(lwCycleText* p, const MoveText* text, const lwPlace* at, lwMoveDef* move)
{
  const char* const target[] = {text->joint, text->line, text->arc};
  bool right                 = check_move_keys(p, move->kind, at);
  if (move->kind <= LW_MOVE_ARC)
    right =
        (move->target = find_point(p, target[move->kind], at[AT_JOINT + (int)move->kind])) >= 0 &&
        right;
  if (move->kind == LW_MOVE_ARC && !text->through)
    right = lw_document_reject(p->document, at[AT_ARC], "arc: place, through: via",
                               "an arc needs 'through', a point on it");
  if (move->kind == LW_MOVE_ARC && text->through)
    right = (move->through = find_point(p, text->through, at[AT_THROUGH])) >= 0 && right;
  if (move->kind == LW_MOVE_GRIP)
    right = (move->body = find_body(p, text->grip, at[AT_GRIP])) >= 0 && right;
  if (move->kind == LW_MOVE_RELEASE)
    right = (move->body = find_body(p, text->release, at[AT_RELEASE])) >= 0 && right;
  if (at[AT_APPROACH].line > 0 && at[AT_DEPART].line > 0)
    right = lw_document_reject(p->document, at[AT_DEPART], NULL,
                               "a move has either 'approach' or 'depart'");
  right = read_branch(p, text->branch, at[AT_BRANCH], &move->branch) && right;
  right = needs_positive(p, at[AT_APPROACH], text->approach, "approach") && right;
  right = needs_positive(p, at[AT_DEPART], text->depart, "depart") && right;
  right = needs_positive(p, at[AT_BLEND], text->blend, "blend") && right;
  right = needs_positive(p, at[AT_MOVE_SPEED], text->speed, "speed") && right;
  if (at[AT_DWELL].line > 0 && !(text->dwell >= 0))
    right = lw_document_reject(p->document, at[AT_DWELL], NULL, "'dwell' must not be negative");
  if (at[AT_DWELL].line > 0 && at[AT_BLEND].line > 0)
    right = lw_document_reject(p->document, at[AT_BLEND], NULL,
                               "a move with a dwell stops at its end and cannot be blended");
  return right;
}

static bool read_move(lwCycleText* p, lwNode* node, lwMoveDef* move)
{
  MoveText text             = {0};
  lwPlace at[AT_MOVE_COUNT] = {{0}};
  int kinds                 = 0;
  if (!lw_document_fill(p->document, node, &move_table, &text, at)) return false;
  *move = (lwMoveDef){.target = -1, .through = -1, .body = -1, .place = node->place};
  for (int k = AT_JOINT; k <= AT_RELEASE; ++k)
    if (at[k].line > 0) ++kinds, move->kind = (lwMoveKind)(k - AT_JOINT);
  if (kinds == 0 && at[AT_DWELL].line > 0) ++kinds, move->kind = LW_MOVE_DWELL;
  if (kinds != 1)
    return lw_document_reject(p->document, node->place, NULL,
                              "a move must be one of joint, line, arc, rotate, grip, release and "
                              "dwell, found %s",
                              kinds ? "several of them" : "none of them");
  move->offset      = text.approach + text.depart;
  move->blend       = text.blend;
  move->blend_place = at[AT_BLEND];
  move->speed       = at[AT_MOVE_SPEED].line > 0 ? text.speed : INFINITY;
  move->dwell       = text.dwell;
  memcpy(move->rpy, text.rotate, sizeof move->rpy);
  return settle_move(p, &text, at, move);
}

static bool read_moves(lwCycleText* p, const lwNode* node)
{
  bool right = lw_node_is_filled(p->document, node, "moves", "at least one move");
  if (!right) return false;
  p->moves = lw_arena_take(p->arena, (size_t)node->count + 1, sizeof *p->moves);
  for (const lwItem* item = node->items; item && p->moves; item = item->next)
    right = read_move(p, item->value, &p->moves[p->move_count++]) && right;
  return right && p->moves;
}

// --- the file

static bool settle_tool(lwCycleText* p, const ToolText* text, lwPlace place)
{
  p->tool = (lwFrame){.joint = lw_model_robot(p->model)->count - 1};
  memcpy(p->tool.xyz, text->xyz, sizeof text->xyz);
  memcpy(p->tool.rpy, text->rpy, sizeof text->rpy);
  if (!text->link || lw_model_find_link(p->model, text->link, &p->tool.joint) == LW_OK) return true;
  return lw_document_reject(p->document, place, NULL, "the robot has no link '%s'", text->link);
}

bool lw_program_read(lwCycleText* p)
{
  ProgramText text = {
      .position = 1e-4, .angle = 1e-4, .tool_speed = INFINITY, .tool_acceleration = INFINITY};
  lwPlace at[AT_COUNT] = {{0}};
  if (!lw_document_fill(p->document, p->document->root, &program_table, &text, at)) return false;
  p->name               = text.name;
  p->closed             = text.closed == 1;
  p->closed_place       = at[AT_CLOSED];
  p->position_tolerance = text.position;
  p->angle_tolerance    = text.angle;
  p->tool_speed         = text.tool_speed;
  p->tool_acceleration  = text.tool_acceleration;
  bool right            = settle_tool(p, &text.tool, at[AT_LINK]);
  right                 = needs_positive(p, at[AT_POSITION], text.position, "position") && right;
  right                 = needs_positive(p, at[AT_ANGLE], text.angle, "angle") && right;
  right                 = needs_positive(p, at[AT_SPEED], text.tool_speed, "tool_speed") && right;
  right =
      needs_positive(p, at[AT_ACCELERATION], text.tool_acceleration, "tool_acceleration") && right;
  right = read_reactions(p, text.reaction) && right;
  right = read_bodies(p, text.bodies) && right;
  right = read_points(p, text.points) && right;
  if (!right) return false;
  p->start = find_point(p, text.start, at[AT_START]);
  return read_moves(p, text.moves) && p->start >= 0;
}

// The robot that the file names, to be freed.
static lwStatus read_named_robot(lwDocument* document, lwModel** model)
{
  const lwNode* named = document->root ? lw_node_find(document->root, "robot") : NULL;
  lwPlace place       = named ? named->place : (lwPlace){1, 1};
  if (!named || named->kind != LW_NODE_SCALAR)
  {
    lw_document_error(document, place, NULL,
                      "the key 'robot' is needed where no robot is given: the file of the robot");
    return LW_ERROR_INPUT;
  }
  const char* path = lw_document_relative(document, named->text);
  if (!path) return LW_ERROR_MEMORY;
  lwStatus status = lw_robot_read_file(path, NULL, document->diag, model);
  if (status != LW_ERROR_FILE) return status;
  lw_document_error(document, place, "paths are relative to the folder of this file", "'%s': %s",
                    path, lw_status_text(status));
  return LW_ERROR_INPUT;
}

static lwStatus read_cycle_document(const char* name, const char* text, size_t length,
                                    const lwModel* model, lwDiag* diag, lwCycle** result)
{
  lwDocument document;
  lwModel* named  = NULL;
  lwCycle* cycle  = NULL;
  lwStatus status = text ? lw_document_read_text(&document, name, text, length, diag)
                         : lw_document_read_file(&document, name, diag);
  *result         = NULL;
  if (status == LW_OK && !model) status = read_named_robot(&document, &named);
  if (status == LW_OK) cycle = lw_cycle_new(model ? model : named);
  if (!cycle && status == LW_OK) status = LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    lwCycleText program = {.document = &document, .model = cycle->model, .arena = &cycle->arena};
    status = lw_program_read(&program) ? lw_program_build(&program, cycle) : LW_ERROR_INPUT;
  }
  if (cycle) cycle->named = named;
  lw_document_free(&document);
  if (status == LW_OK)
    *result = cycle;
  else
    lw_cycle_destroy(cycle);
  if (!cycle) lw_model_destroy(named);
  return status;
}

lwStatus lw_cycle_read_file(const char* path, const lwModel* model, lwDiag* diag, lwCycle** cycle)
{
  return read_cycle_document(path, NULL, 0, model, diag, cycle);
}

lwStatus lw_cycle_read_text(const char* name, const char* text, size_t length, const lwModel* model,
                            lwDiag* diag, lwCycle** cycle)
{
  return read_cycle_document(name, text, length, model, diag, cycle);
}
