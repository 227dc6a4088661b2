// SPDX-License-Identifier: MIT
// Forces along linear combinations of joints: springs, servo drives and fixed tendons, as MuJoCo
// has them.
//
//   length l = sum c_j q_j,  force f = law(t, l, l'), within its range;  joint j gets c_j f
//
// A joint that mimics another one, q_j = m q_i + o, hands its part to that one.
#include <math.h>
#include <stddef.h>

#include "base/text.h"
#include "scenario/scenario_internal.h"

typedef struct ForceJoint
{
  int velocity, position;  // entries of qd and q
  double factor;           // c
} ForceJoint;

typedef struct Force
{
  const lwLaw* law;
  double range[2];     // N m or N
  double offset;       // of the length, by joints that mimic others
  int count;           // of joints
  ForceJoint* joints;  // (count)
} Force;

typedef struct Forces
{
  int n, count;
  Force* list;  // (count)
} Forces;

static void exert(void* context, double t, const double* q, const double* qd, double* tau)
{
  const Forces* forces = context;
  for (int k = 0; k < forces->n; ++k) tau[k] = 0;
  for (const Force* force = forces->list; force < forces->list + forces->count; ++force)
  {
    lwLawPoint point = {.t = t, .k = 1, .n = forces->n, .q = force->offset};
    for (const ForceJoint* joint = force->joints; joint < force->joints + force->count; ++joint)
    {
      point.q += joint->factor * q[joint->position];
      point.qd += joint->factor * qd[joint->velocity];
    }
    double f = fmin(fmax(lw_law_at(force->law, &point), force->range[0]), force->range[1]);
    for (const ForceJoint* joint = force->joints; joint < force->joints + force->count; ++joint)
      tau[joint->velocity] += joint->factor * f;
  }
}

// --- reading

typedef struct ForceText
{
  const char* name;
  lwNode *joints, *law;
  double range[2];
  lwPlace places[2];
} ForceText;

static const lwKey force_keys[] = {
    LW_KEY(ForceText, name, .kind = LW_VALUE_NAME),
    LW_NODE_KEY(ForceText, joints),
    LW_NODE_KEY(ForceText, law),
    LW_KEY(ForceText, range, .size = 2, .unit = "N m or N", .slot = 1),
};
static const lwTable force_table = LW_TABLE("a force", force_keys);

// The joint of the robot of that name, also one that mimics others; -1 after reporting that there
// is none with one freedom.
static int find_joint(lwScenarioReader* reader, const lwNode* name)
{
  const lwRobotDef* robot = lw_model_robot(reader->scenario->model);
  lwNearest nearest       = lw_nearest(name->kind == LW_NODE_SCALAR ? name->text : "");
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    if (joint->type != LW_JOINT_REVOLUTE && joint->type != LW_JOINT_PRISMATIC) continue;
    if (lw_node_is_word(name, joint->name)) return i;
    lw_nearest_try(&nearest, joint->name);
  }
  lw_document_error(&reader->document, name->place, LW_DID_YOU_MEAN(nearest),
                    "the robot has no hinge or slide %s", LW_FOUND(name));
  return -1;
}

// A joint and its factor, or the joint that it mimics and what that makes of them.
static void add_force_joint(lwScenarioReader* reader, int i, double factor, Force* force)
{
  const lwModel* model    = reader->scenario->model;
  const lwRobotDef* robot = lw_model_robot(model);
  for (int k = 0; k < robot->count && robot->joints[i].mimic.given; ++k)
  {
    const lwMimic* mimic = &robot->joints[i].mimic;
    force->offset += factor * mimic->offset;
    factor *= mimic->multiplier;
    i = mimic->leader;
  }
  for (int k = 0; k < reader->scenario->n; ++k)
    if (lw_model_velocity(model, k).joint == i)
      force->joints[force->count++] = (ForceJoint){k, lw_model_velocity(model, k).other, factor};
}

static void read_joints(lwScenarioReader* reader, const lwNode* node, Force* force)
{
  static const lwKey factor = {.name = "joints", .unit = ""};
  if (node->kind != LW_NODE_MAPPING || !node->items)
    return lw_document_error(&reader->document, node->place, "{left: 0.5, right: 0.5}",
                             "'joints' must be a mapping of joints to factors, found %s",
                             LW_FOUND(node));
  force->joints = lw_keep_take(reader->keep, (size_t)node->count + 1, sizeof *force->joints);
  for (const lwItem* item = node->items; item && force->joints; item = item->next)
  {
    double value = 0;
    int joint    = find_joint(reader, item->key);
    lw_node_number(&reader->document, item->value, &factor, 0, &value);
    if (joint >= 0) add_force_joint(reader, joint, value, force);
  }
}

static void read_force(lwScenarioReader* reader, lwNode* node, Force* force)
{
  ForceText text = {.range = {-INFINITY, INFINITY}};
  *force         = (Force){.range = {-INFINITY, INFINITY}};
  if (!lw_document_fill(&reader->document, node, &force_table, &text, text.places)) return;
  if (!text.joints || !text.law)
    return lw_document_error(&reader->document, node->place,
                             "{joints: {left: 0.5, right: 0.5}, law: -40*q - 2*qd}",
                             "a force needs 'joints' and 'law'");
  read_joints(reader, text.joints, force);
  force->law = lw_scenario_law(reader, "law", text.law, true);
  for (int i = 0; i < 2; ++i) force->range[i] = text.range[i];
  if (text.places[1].line > 0 && !(text.range[0] <= text.range[1]))
    lw_document_error(&reader->document, text.places[1], NULL,
                      "'range' must be two numbers in order, found %g and %g", text.range[0],
                      text.range[1]);
}

void lw_scenario_forces(lwScenarioReader* reader, lwNode* node)
{
  if (!node) return;
  if (node->kind != LW_NODE_LIST)
    return lw_document_error(&reader->document, node->place, "- {joints: {elbow: 1}, law: -40*q}",
                             "'forces' must be a list of forces, found %s", LW_FOUND(node));
  Forces* forces = lw_keep_take(reader->keep, 1, sizeof *forces);
  Force* list    = lw_keep_take(reader->keep, (size_t)node->count + 1, sizeof *list);
  if (!forces || !list) return;
  *forces = (Forces){reader->scenario->n, node->count, list};
  for (const lwItem* item = node->items; item; item = item->next)
    read_force(reader, item->value, list++);
  reader->scenario->arm.torques = exert;
  reader->scenario->arm.context = forces;
}
