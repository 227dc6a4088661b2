// SPDX-License-Identifier: MIT
// What is beside the tree of bodies: equality constraints as loops and mimic joints, limits of
// actuators, the first keyframe as start; and what has no place in a description.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/mjcf/mjcf.h"

static const double ROUNDED = 1e-6;  // m or 1: gap of sites that are meant to be at one place

// --- names

int lw_mjcf_look_up(lwMjcf* mjcf, lwMjcfItem item, const char* attribute, const lwNameMap* names)
{
  const lwXml* owner;
  const lwXmlAttribute* found = lw_mjcf_find(mjcf, item, attribute, &owner);
  int number                  = found ? lw_name_map_find(names, found->value) : -1;
  if (!found)
    lw_mjcf_error(mjcf, item.element, item.element->place, NULL, "<%.40s> needs the attribute '%s'",
                  item.element->name, attribute);
  else if (number < 0)
    lw_mjcf_error(mjcf, owner, found->place, NULL, "there is no %.*s '%.60s'",
                  (int)strcspn(attribute, "12"), attribute, found->value);
  return number;
}

bool lw_mjcf_is_single(const lwJointDef* joint)
{
  return joint->type == LW_JOINT_REVOLUTE || joint->type == LW_JOINT_PRISMATIC;
}

// --- equality constraints

// True if following the leader leads back to the joint.
static bool leads_back(const lwMjcf* mjcf, int leader, int joint)
{
  for (int k = 0; leader >= 0 && leader != joint && k <= mjcf->list.count; ++k)
    leader = mjcf->list.leader_names[leader]
                 ? lw_name_map_find(&mjcf->names, mjcf->list.leader_names[leader])
                 : -1;
  return leader >= 0;
}

// q1 - ref1 = a0 + a1 (q2 - ref2)
static void read_joint_equality(lwMjcf* mjcf, lwMjcfItem item)
{
  double a[5] = {0, 1, 0, 0, 0};
  const lwXml* owner;
  lw_mjcf_numbers(mjcf, item, "polycoef", 1, 5, a);
  int joint = lw_mjcf_look_up(mjcf, item, "joint1", &mjcf->joint_names);
  if (!lw_mjcf_find(mjcf, item, "joint2", &owner))
    return lw_mjcf_leave(mjcf, item.element, "equality of a joint with a constant", true);
  int leader = lw_mjcf_look_up(mjcf, item, "joint2", &mjcf->joint_names);
  if (joint < 0 || leader < 0) return;
  lwJointDef *def = &mjcf->list.joints[joint], *other = &mjcf->list.joints[leader];
  if (a[2] != 0 || a[3] != 0 || a[4] != 0 || a[1] == 0 || !lw_mjcf_is_single(def) ||
      !lw_mjcf_is_single(other))
    return lw_mjcf_leave(mjcf, item.element, "equality of joints that is no linear function", true);
  if (mjcf->list.leader_names[joint] || leads_back(mjcf, leader, joint))
    return lw_mjcf_leave(mjcf, item.element, "equality of joints that follow already", true);
  mjcf->list.leader_names[joint] = other->name;
  def->mimic                     = (lwMimic){true, LW_BASE, a[1],
                                             mjcf->references[joint] + a[0] - a[1] * mjcf->references[leader]};
}

// A frame of a body, or of a site.
typedef struct End
{
  int body;
  lwTransform place;  // in the body
} End;

static void set_end(const lwMjcf* mjcf, const End* end, lwFrame* frame)
{
  frame->joint = mjcf->bodies[end->body].joint;
  for (int i = 0; i < 3; ++i) frame->xyz[i] = end->place.p[i];
  lw_rpy(&end->place, frame->rpy);
}

// Body 1 in body 2, as they are drawn.
static lwTransform between(const lwMjcf* mjcf, const End ends[2])
{
  lwTransform away = lw_invert(&mjcf->bodies[ends[1].body].world);
  return lw_compose(&away, &mjcf->bodies[ends[0].body].world);
}

// Two sites that are drawn at one place but for the rounding of their numbers, are at one place:
// a plane mechanism could not close a gap of nanometres across its plane.
static void join_sites(const lwMjcf* mjcf, End ends[2])
{
  lwTransform away = between(mjcf, ends), there = lw_compose(&away, &ends[0].place);
  double gap = 0;
  for (int i = 0; i < 3; ++i) gap = fmax(gap, fabs(there.p[i] - ends[1].place.p[i]));
  if (gap > ROUNDED) return;
  for (int i = 0; i < 3; ++i) ends[1].place.p[i] = there.p[i];
  for (int i = 0; i < 9; ++i)
    gap = fmax(gap, fabs(there.R[i / 3][i % 3] - ends[1].place.R[i / 3][i % 3]));
  if (gap <= ROUNDED) ends[1].place = there;
}

static bool read_sites(lwMjcf* mjcf, lwMjcfItem item, End ends[2])
{
  for (int side = 0; side < 2; ++side)
  {
    int site = lw_mjcf_look_up(mjcf, item, side == 0 ? "site1" : "site2", &mjcf->site_names);
    if (site < 0) return false;
    ends[side] = (End){mjcf->sites[site].body, mjcf->sites[site].place};
  }
  join_sites(mjcf, ends);
  return true;
}

// Two bodies, the second the world if it is not named, at the anchor of the first, or at the pose
// of the second in the first. Without one, the bodies stay as they are drawn.
static bool read_pair(lwMjcf* mjcf, lwMjcfItem item, bool weld, End ends[2])
{
  const lwXml* owner;
  double p[7] = {0};
  ends[0]     = (End){lw_mjcf_look_up(mjcf, item, "body1", &mjcf->body_names), lw_identity};
  ends[1]     = (End){0, lw_identity};
  if (lw_mjcf_find(mjcf, item, "body2", &owner))
    ends[1].body = lw_mjcf_look_up(mjcf, item, "body2", &mjcf->body_names);
  if (ends[0].body < 0 || ends[1].body < 0) return false;
  lwTransform away = between(mjcf, ends);
  bool posed       = weld && lw_mjcf_numbers(mjcf, item, "relpose", 7, 7, p) &&
               (p[3] != 0 || p[4] != 0 || p[5] != 0 || p[6] != 0);
  if (posed) ends[0].place = lw_mjcf_rotation(p + 3);
  if (!weld) lw_mjcf_numbers(mjcf, item, "anchor", 3, 3, p);
  for (int i = 0; i < 3 && (posed || !weld); ++i) ends[0].place.p[i] = p[i];
  if (!posed) ends[1].place = lw_compose(&away, &ends[0].place);
  return true;
}

static void read_loop(lwMjcf* mjcf, lwMjcfItem item, bool weld)
{
  End ends[2];
  const lwXml* owner;
  const lwXmlAttribute* name = lw_xml_attribute(item.element, "name");
  lwLoopDef* loop            = &mjcf->loops[mjcf->loop_count];
  char text[80];
  bool sites = lw_mjcf_find(mjcf, item, "site1", &owner);
  if (!(sites ? read_sites(mjcf, item, ends) : read_pair(mjcf, item, weld, ends))) return;
  const lwMjcfBody *a = &mjcf->bodies[ends[0].body], *b = &mjcf->bodies[ends[1].body];
  if (a->mocap || b->mocap)
    return lw_mjcf_leave(mjcf, item.element, "equality with mocap bodies", true);
  if (a->joint == b->joint || (!a->moves && !b->moves))
    return lw_mjcf_leave(mjcf, item.element, "equality of bodies that do not move", false);
  snprintf(text, sizeof text, "%s %d", weld ? "weld" : "connect", mjcf->loop_count + 1);
  *loop      = (lwLoopDef){.type = weld ? LW_LOOP_FIXED : LW_LOOP_POSITION, .ratio = 1};
  loop->name = name ? name->value : lw_arena_text(&mjcf->document->arena, text, strlen(text));
  if (item.element->document == mjcf->document) loop->place = item.element->place;
  set_end(mjcf, &ends[0], &loop->first);
  set_end(mjcf, &ends[1], &loop->second);
  ++mjcf->loop_count;
}

static void read_equality(lwMjcf* mjcf, const lwXml* element)
{
  static const char* const words[] = {"false", "true", NULL};
  lwMjcfItem item                  = {element, lw_mjcf_class(mjcf, element, "class", 0)};
  if (!lw_mjcf_word(mjcf, item, "active", words, 1))
    return lw_mjcf_leave(mjcf, element, "equalities that are not active", false);
  if (lw_mjcf_is(element, "joint"))
    read_joint_equality(mjcf, item);
  else if (lw_mjcf_is(element, "connect") || lw_mjcf_is(element, "weld"))
    read_loop(mjcf, item, lw_mjcf_is(element, "weld"));
  else
    lw_mjcf_leave(mjcf, element, "equalities of tendons or flexible bodies", true);
}

// --- actuators

// The largest force of an actuator: of its force range or, of a motor, of its control.
static double most_force(lwMjcf* mjcf, lwMjcfItem item)
{
  static const char* const words[] = {"false", "true", "auto", NULL};
  static const char* const keys[]  = {"forcelimited", "forcerange", "ctrllimited", "ctrlrange"};
  double most                      = INFINITY, range[2];
  const lwXml* owner;
  for (int k = 0; k < (lw_mjcf_is(item.element, "motor") ? 4 : 2); k += 2)
  {
    int limited = lw_mjcf_word(mjcf, item, keys[k], words, 2);
    bool given  = lw_mjcf_find(mjcf, item, keys[k + 1], &owner);
    if (!given || !(limited == 1 || (limited == 2 && mjcf->autolimits))) continue;
    if (lw_mjcf_numbers(mjcf, item, keys[k + 1], 2, 2, range) && fmax(-range[0], range[1]) > 0)
      most = fmin(most, fmax(-range[0], range[1]));
  }
  return most;
}

static void read_actuator(lwMjcf* mjcf, const lwXml* element)
{
  static char kinds[][32] = {"servo actuators (position)", "actuators (velocity)",
                             "actuators (general)", "other actuators"};
  lwMjcfItem item         = {element, lw_mjcf_class(mjcf, element, "class", 0)};
  double gear[6]          = {1, 0, 0, 0, 0, 0};
  const lwXml* owner;
  int kind   = lw_mjcf_is(element, "position")   ? 0
               : lw_mjcf_is(element, "velocity") ? 1
               : lw_mjcf_is(element, "general")  ? 2
                                                 : 3;
  bool motor = lw_mjcf_is(element, "motor");
  if (mjcf->run) lw_mjcf_run_actuator(mjcf, element);
  if (!motor && !mjcf->run) lw_mjcf_leave(mjcf, element, kinds[kind], true);
  if (!lw_mjcf_find(mjcf, item, "joint", &owner))
  {
    if (motor && !mjcf->run) lw_mjcf_leave(mjcf, element, "motors that act on no joint", true);
    return;
  }
  int joint = lw_mjcf_look_up(mjcf, item, "joint", &mjcf->joint_names);
  lw_mjcf_numbers(mjcf, item, "gear", 1, 6, gear);
  double most = most_force(mjcf, item) * fabs(gear[0]);
  if (joint < 0 || !lw_mjcf_is_single(&mjcf->list.joints[joint]) || !(most > 0)) return;
  lwLimits* limits = &mjcf->list.joints[joint].limits;
  limits->effort   = fmin(limits->effort, most);
}

// --- keyframes

static int entries_of(const lwJointDef* joint)
{
  return lw_joint_size(joint->type).nq;
}

static void set_start(lwJointDef* joint, const double* q)
{
  int count = entries_of(joint), quaternion = count >= 4 ? count - 4 : count;
  for (int i = 0; i < quaternion; ++i) joint->start[i] = q[i];
  if (quaternion == count) return;
  for (int i = 0; i < 3; ++i) joint->start[quaternion + i] = q[quaternion + 1 + i];
  joint->start[quaternion + 3] = q[quaternion];
}

// The keyframe "home", or else the first, is where loops are closed.
static bool read_keyframes(lwMjcf* mjcf, const lwXml* keyframe)
{
  const lwXml* chosen = NULL;
  int nq              = 0;
  for (const lwXml* key = keyframe->children; key; key = key->next)
  {
    const lwXmlAttribute* name = lw_xml_attribute(key, "name");
    if (!lw_mjcf_is(key, "key") || !lw_xml_attribute(key, "qpos")) continue;
    if (!chosen || (name && strcmp(name->value, "home") == 0)) chosen = key;
  }
  if (chosen && mjcf->run) lw_mjcf_run_keyframe(mjcf, chosen);
  for (int i = 0; i < mjcf->list.count; ++i) nq += entries_of(&mjcf->list.joints[i]);
  if (!chosen || nq == 0) return true;
  double* q = lw_arena_take(&mjcf->document->arena, (size_t)nq, sizeof *q);
  if (!q) return false;
  if (!lw_mjcf_numbers(mjcf, (lwMjcfItem){chosen, -1}, "qpos", nq, nq, q)) return true;
  for (int i = 0; i < mjcf->list.count; q += entries_of(&mjcf->list.joints[i++]))
    set_start(&mjcf->list.joints[i], q);
  return true;
}

// --- all

static void leave_children(lwMjcf* mjcf, const lwXml* parent, const char* what, bool matters)
{
  for (const lwXml* element = parent->children; element; element = element->next)
    lw_mjcf_leave(mjcf, element, what, matters);
}

static void leave_tendons(lwMjcf* mjcf, const lwXml* parent)
{
  for (const lwXml* element = parent->children; element; element = element->next)
  {
    bool fixed = lw_mjcf_is(element, "fixed");
    if (!fixed || !mjcf->run)
      lw_mjcf_leave(mjcf, element, fixed ? "fixed tendons" : "spatial tendons", true);
  }
}

static void leave_contacts(lwMjcf* mjcf, const lwXml* parent)
{
  for (const lwXml* element = parent->children; element; element = element->next)
    lw_mjcf_leave(mjcf, element, lw_mjcf_is(element, "pair") ? "contact pairs" : "contact excludes",
                  lw_mjcf_is(element, "pair"));
}

static void leave_option(lwMjcf* mjcf, const lwXml* element)
{
  double wind[3]  = {0};
  lwMjcfItem item = {element, -1};
  lw_mjcf_numbers(mjcf, item, "wind", 3, 3, wind);
  if (lw_mjcf_number(mjcf, item, "density", 0) != 0 ||
      lw_mjcf_number(mjcf, item, "viscosity", 0) != 0)
    lw_mjcf_leave(mjcf, element, "forces of a fluid (density, viscosity)", true);
}

static void read_section(lwMjcf* mjcf, const lwXml* section)
{
  static const char* const silent[] = {"compiler",  "size",      "visual", "statistic", "default",
                                       "worldbody", "option",    "asset",  "custom",    "keyframe",
                                       "equality",  "sensor",    "tendon", "actuator",  "contact",
                                       "extension", "deformable"};
  bool known                        = false;
  for (size_t k = 0; k < sizeof silent / sizeof *silent; ++k)
    known = known || lw_mjcf_is(section, silent[k]);
  const lwXml* element = section->children;
  if (!known)
    lw_mjcf_error(mjcf, section, section->place, NULL, "unknown element <%.40s>", section->name);
  if (lw_mjcf_is(section, "equality"))
    for (; element; element = element->next) read_equality(mjcf, element);
  if (lw_mjcf_is(section, "actuator"))
    for (; element; element = element->next) read_actuator(mjcf, element);
  if (lw_mjcf_is(section, "tendon")) leave_tendons(mjcf, section);
  if (lw_mjcf_is(section, "contact")) leave_contacts(mjcf, section);
  if (lw_mjcf_is(section, "option")) leave_option(mjcf, section);
  if (lw_mjcf_is(section, "sensor")) leave_children(mjcf, section, "sensors", false);
  if (lw_mjcf_is(section, "extension")) leave_children(mjcf, section, "plugins", true);
  if (lw_mjcf_is(section, "deformable"))
    leave_children(mjcf, section, "skins and flexible bodies", true);
}

bool lw_mjcf_read_rest(lwMjcf* mjcf)
{
  size_t loops = 1;
  bool enough  = true;
  for (const lwXml* section = mjcf->root->children; section; section = section->next)
    for (const lwXml* e = lw_mjcf_is(section, "equality") ? section->children : NULL; e;
         e              = e->next)
      ++loops;
  mjcf->loops = lw_arena_take(&mjcf->document->arena, loops, sizeof *mjcf->loops);
  if (!mjcf->loops) return false;
  for (const lwXml* section = mjcf->root->children; section && enough; section = section->next)
    if (lw_mjcf_is(section, "keyframe")) enough = read_keyframes(mjcf, section);
  if (enough && mjcf->run) enough = lw_mjcf_run_tendons(mjcf);
  for (const lwXml* section = mjcf->root->children; section && enough; section = section->next)
    read_section(mjcf, section);
  return enough;
}
