// SPDX-License-Identifier: MIT
// Bodies, joints and sites to joints and links of the description.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "read/mjcf/mjcf.h"

// Where elements are read: in which body, in which frame of it, with which defaults.
typedef struct BodyLevel
{
  int body;
  lwTransform frame;
  int class;
} BodyLevel;

enum
{
  HINGE,
  SLIDE,
  BALL,
  FREE
};
static const char* const joint_types[] = {"hinge", "slide", "ball", "free", NULL};
static const char* const auto_words[]  = {"false", "true", "auto", NULL};

static bool read_level(lwMjcf* mjcf, const lwXml* parent, const BodyLevel* level);

// --- names

// A name that no joint has yet: `name`, or name_2, name_3, ... NULL: out of memory.
static const char* new_name(lwMjcf* mjcf, const char* name, const char* after, int index,
                            bool floats)
{
  char text[300];
  for (int k = 1; k < 1000000; ++k)
  {
    if (k == 1) snprintf(text, sizeof text, "%.200s%s", name, after);
    if (k > 1) snprintf(text, sizeof text, "%.200s%s_%d", name, after, k);
    char* kept  = lw_arena_text(&mjcf->document->arena, text, strlen(text));
    int* number = kept ? lw_name_map_put(&mjcf->names, kept) : NULL;
    if (!number) return NULL;
    if (*number >= 0 || (!floats && strcmp(text, "base") == 0)) continue;
    *number = index;
    return kept;
  }
  return NULL;
}

static void put(lwNameMap* map, const char* name, int number)
{
  int* found = name ? lw_name_map_put(map, name) : NULL;
  if (found && *found < 0) *found = number;
}

// --- joints of the description

// Adds a joint of the description on the link of `parent`, or NULL.
static lwJointDef* add_mjcf_joint(lwMjcf* mjcf, const lwXml* element, lwJointType type, int parent,
                                  const lwTransform* place, const char* name, const char* after)
{
  int k             = mjcf->list.count;
  lwJointDef* joint = &mjcf->list.joints[k];
  lwPlace* places   = &mjcf->list.places[(size_t)k * LW_FIELD_COUNT];
  *joint            = lw_joint_def();
  joint->name       = new_name(mjcf, name, after, k, type == LW_JOINT_FLOATING);
  joint->type       = type;
  joint->parent     = parent;
  joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  for (int i = 0; i < 3; ++i) joint->xyz[i] = place->p[i];
  lw_rpy(place, joint->rpy);
  if (!joint->name) return NULL;
  ++mjcf->list.count;
  if (element->document != mjcf->document) return joint;  // places are in the first file only
  joint->line = element->place.line;
  for (int i = 0; i < LW_FIELD_COUNT; ++i) places[i] = element->place;
  return joint;
}

bool lw_mjcf_limited(lwMjcf* mjcf, lwMjcfItem item, const char* name, const char* range)
{
  const lwXml* owner;
  int word = lw_mjcf_word(mjcf, item, name, auto_words, 2);
  return word == 1 || (word == 2 && mjcf->autolimits && lw_mjcf_find(mjcf, item, range, &owner));
}

static void read_joint_limits(lwMjcf* mjcf, lwMjcfItem item, double unit, lwJointDef* joint)
{
  double range[2] = {0, 0}, force[2] = {0, 0};
  if (lw_mjcf_limited(mjcf, item, "limited", "range") &&
      lw_mjcf_numbers(mjcf, item, "range", 2, 2, range))
  {
    joint->limits.lower = range[0] * unit;
    joint->limits.upper = range[1] * unit;
  }
  if (lw_mjcf_limited(mjcf, item, "actuatorfrclimited", "actuatorfrcrange") &&
      lw_mjcf_numbers(mjcf, item, "actuatorfrcrange", 2, 2, force) &&
      (force[0] < 0 || force[1] > 0))
    joint->limits.effort = fmax(-force[0], force[1]);
  for (int k = 0; k < 2 && mjcf->run; ++k)
    mjcf->run->efforts[2 * (joint - mjcf->list.joints) + k] = force[k];
}

// Forces that a joint has by itself: those of a model, and those that it has no place for.
static void read_joint_forces(lwMjcf* mjcf, lwMjcfItem item, int type, lwJointDef* joint)
{
  double stiffness = lw_mjcf_number(mjcf, item, "stiffness", 0);
  double viscous   = lw_mjcf_number(mjcf, item, "damping", 0);
  double coulomb   = lw_mjcf_number(mjcf, item, "frictionloss", 0);
  double armature  = lw_mjcf_number(mjcf, item, "armature", 0);
  bool single      = type == HINGE || type == SLIDE;
  if (single)
    mjcf->springs[joint - mjcf->list.joints] = lw_mjcf_number(mjcf, item, "springref", 0) *
                                               (type == HINGE && mjcf->degrees ? LW_PI / 180 : 1);
  if (stiffness != 0 && mjcf->run && single)
    lw_mjcf_run_spring(mjcf, (int)(joint - mjcf->list.joints), stiffness);
  else if (stiffness != 0)
    lw_mjcf_leave(mjcf, item.element, "joint springs (stiffness)", true);
  if (lw_mjcf_text(mjcf, item, "springdamper"))
    lw_mjcf_leave(mjcf, item.element, "joint springs (springdamper)", true);
  if (single)
  {
    joint->friction = (lwFriction){viscous, coulomb};
    joint->armature = armature;
    return;
  }
  if (viscous != 0 || coulomb != 0)
    lw_mjcf_leave(mjcf, item.element, "damping and friction of ball and free joints", true);
  if (armature != 0) lw_mjcf_leave(mjcf, item.element, "armature of ball and free joints", true);
}

static const char joint_attributes[] =
    "name class type group pos axis springdamper limited actuatorfrclimited solreflimit "
    "solimplimit "
    "solreffriction solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref "
    "springref armature damping frictionloss user align";

// The reference position becomes part of the place, so that q is that of the file.
static void apply_reference(lwJointDef* joint, lwTransform* place, int type, double reference)
{
  double length    = sqrt(joint->axis[0] * joint->axis[0] + joint->axis[1] * joint->axis[1] +
                          joint->axis[2] * joint->axis[2]);
  lwTransform back = lw_identity;
  if (reference == 0 || !(length > 0)) return;
  if (type == HINGE) back = lw_mjcf_turn(joint->axis, -reference);
  for (int i = 0; i < 3 && type == SLIDE; ++i) back.p[i] = -reference * joint->axis[i] / length;
  *place = lw_compose(place, &back);
  for (int i = 0; i < 3; ++i) joint->xyz[i] = place->p[i];
  lw_rpy(place, joint->rpy);
  joint->start[0] = reference;
}

// What a hinge or slide has beyond its place.
static void read_single(lwMjcf* mjcf, lwMjcfItem item, const lwTransform* frame, lwTransform* place,
                        lwJointDef* joint)
{
  bool slides = joint->type == LW_JOINT_PRISMATIC;
  double unit = !slides && mjcf->degrees ? LW_PI / 180 : 1, axis[3] = {0, 0, 1};
  lw_mjcf_numbers(mjcf, item, "axis", 3, 3, axis);
  for (int i = 0; i < 3; ++i)
    joint->axis[i] = frame->R[i][0] * axis[0] + frame->R[i][1] * axis[1] + frame->R[i][2] * axis[2];
  double reference = lw_mjcf_number(mjcf, item, "ref", 0) * unit;
  apply_reference(joint, place, slides ? SLIDE : HINGE, reference);
  mjcf->references[joint - mjcf->list.joints] = reference;
  read_joint_limits(mjcf, item, unit, joint);
}

// A chain of the joints of one body while it is read.
typedef struct JointChain
{
  lwMjcfBody* body;
  lwTransform place;  // of the body in the frame of the last link of the chain
  int last;           // joint
  bool any;           // joints
} JointChain;

static const lwJointType TYPES[] = {LW_JOINT_REVOLUTE, LW_JOINT_PRISMATIC, LW_JOINT_BALL,
                                    LW_JOINT_FLOATING};

// One joint of a body: at `pos` of the body, where the joints before have moved it.
static bool read_joint(lwMjcf* mjcf, lwMjcfItem item, const lwTransform* frame, JointChain* chain)
{
  bool free_joint = lw_mjcf_is(item.element, "freejoint");
  int type        = free_joint ? FREE : lw_mjcf_word(mjcf, item, "type", joint_types, HINGE);
  const lwXmlAttribute* name = lw_xml_attribute(item.element, "name");
  const char* body           = chain->body->name ? chain->body->name : "body";
  double at[3]               = {0, 0, 0}, anchor[3];
  lw_mjcf_check(mjcf, item.element, free_joint ? "name group align" : joint_attributes);
  if (type != FREE) lw_mjcf_numbers(mjcf, item, "pos", 3, 3, at);
  if (type == FREE && (chain->any || chain->last != LW_BASE))
    lw_mjcf_error(mjcf, item.element, item.element->place, NULL,
                  "a free joint must be the only one of a body of the world");
  lw_transform_point(frame, at, anchor);
  lwTransform to = lw_identity, place = chain->place;
  if (type == FREE) memset(anchor, 0, sizeof anchor);
  for (int i = 0; i < 3; ++i) to.p[i] = anchor[i];
  place             = type == FREE ? lw_identity : lw_compose(&place, &to);
  lwJointDef* joint = add_mjcf_joint(mjcf, item.element, TYPES[type], chain->last, &place,
                                     name ? name->value : body, name ? "" : "_joint");
  if (!joint) return false;
  if (type <= SLIDE) read_single(mjcf, item, frame, &place, joint);
  if (!free_joint) read_joint_forces(mjcf, item, type, joint);
  if (type == BALL && lw_mjcf_limited(mjcf, item, "limited", "range"))
    lw_mjcf_leave(mjcf, item.element, "limits of ball joints", true);
  for (int i = 0; i < 3 && type == FREE; ++i) joint->start[i] = chain->place.p[i];
  if (type == FREE) lw_quaternion(&chain->place, joint->start + 3);
  chain->last = mjcf->list.count - 1;
  chain->any = chain->body->moves = true;
  for (int i = 0; i < 3; ++i) to.p[i] = -anchor[i];
  chain->place = to;
  if (name) put(&mjcf->joint_names, name->value, chain->last);
  return true;
}

// --- bodies

static const char body_attributes[] =
    "name childclass mocap pos quat axisangle euler xyaxes zaxis gravcomp user sleep";

static lwTransform enter_frame(lwMjcf* mjcf, const lwXml* element, const BodyLevel* level)
{
  lwTransform own = lw_mjcf_place(mjcf, (lwMjcfItem){element, -1});
  return lw_compose(&level->frame, &own);
}

// The joints of a body and of frames in it.
static bool read_chain(lwMjcf* mjcf, const lwXml* parent, const BodyLevel* level, JointChain* chain,
                       int deep)
{
  bool enough = true;
  for (const lwXml* element = parent->children; element && enough; element = element->next)
  {
    BodyLevel inner = *level;
    if (lw_mjcf_is(element, "joint") || lw_mjcf_is(element, "freejoint"))
    {
      lwMjcfItem item = {element, lw_mjcf_class(mjcf, element, "class", level->class)};
      enough          = read_joint(mjcf, item, &level->frame, chain);
    }
    if (!lw_mjcf_is(element, "frame") || deep > LW_MJCF_MAX_DEPTH) continue;
    inner.frame = enter_frame(mjcf, element, level);
    inner.class = lw_mjcf_class(mjcf, element, "childclass", level->class);
    enough      = read_chain(mjcf, element, &inner, chain, deep + 1);
  }
  return enough;
}

static bool is_here(const lwTransform* place)
{
  bool here = place->p[0] == 0 && place->p[1] == 0 && place->p[2] == 0;
  for (int k = 0; k < 9; ++k) here = here && place->R[k / 3][k % 3] == lw_identity.R[k / 3][k % 3];
  return here;
}

// Masses of the geoms of a body, those in frames included.
static void read_geoms(lwMjcf* mjcf, const lwXml* parent, const BodyLevel* level, lwLinkDef* link,
                       int deep)
{
  for (const lwXml* element = parent->children; element; element = element->next)
  {
    BodyLevel inner = *level;
    if (lw_mjcf_is(element, "geom"))
      lw_mjcf_add_geom(mjcf,
                       (lwMjcfItem){element, lw_mjcf_class(mjcf, element, "class", level->class)},
                       &level->frame, mjcf->bodies[level->body].moves, link);
    if (!lw_mjcf_is(element, "frame") || deep > LW_MJCF_MAX_DEPTH) continue;
    inner.frame = enter_frame(mjcf, element, level);
    inner.class = lw_mjcf_class(mjcf, element, "childclass", level->class);
    read_geoms(mjcf, element, &inner, link, deep + 1);
  }
}

static void read_body_link(lwMjcf* mjcf, const lwXml* element, const BodyLevel* level,
                           lwLinkDef* link)
{
  const lwXml* inertial = lw_xml_child(element, "inertial");
  if (inertial && mjcf->inertia_from_geom != 1)
    lw_mjcf_read_inertial(mjcf, inertial, link);
  else if (mjcf->inertia_from_geom != 0)
    read_geoms(mjcf, element, level, link, 0);
  lw_mjcf_bound_mass(mjcf, element, link);
}

static lwMjcfBody* add_mjcf_body(lwMjcf* mjcf, const lwXml* element, const BodyLevel* level,
                                 const lwTransform* place)
{
  const lwXmlAttribute* name  = lw_xml_attribute(element, "name");
  const lwXmlAttribute* mocap = lw_xml_attribute(element, "mocap");
  const lwMjcfBody* parent    = &mjcf->bodies[level->body];
  lwMjcfBody* body            = &mjcf->bodies[mjcf->body_count];
  *body                       = (lwMjcfBody){name ? name->value : NULL,
                       LW_BASE,
                       lw_compose(&parent->world, place),
                       parent->moves,
                       mocap && strcmp(mocap->value, "true") == 0,
                       0};
  put(&mjcf->body_names, body->name, mjcf->body_count++);
  return body;
}

static bool read_body(lwMjcf* mjcf, const lwXml* element, const BodyLevel* level)
{
  BodyLevel inside = {mjcf->body_count, lw_identity,
                      lw_mjcf_class(mjcf, element, "childclass", level->class)};
  lwTransform own  = lw_mjcf_place(mjcf, (lwMjcfItem){element, -1});
  own              = lw_compose(&level->frame, &own);
  lwMjcfBody* body = add_mjcf_body(mjcf, element, level, &own);
  const char* name = body->name ? body->name : "body";
  JointChain chain = {.body = body, .place = own, .last = mjcf->bodies[level->body].joint};
  lw_mjcf_check(mjcf, element, body_attributes);
  body->gravcomp = lw_mjcf_number(mjcf, (lwMjcfItem){element, -1}, "gravcomp", 0);
  if (body->gravcomp != 0 && !mjcf->run)
    lw_mjcf_leave(mjcf, element, "bodies with gravity compensation (gravcomp)", true);
  if (!read_chain(mjcf, element, &inside, &chain, 0)) return false;
  if (!chain.any || !is_here(&chain.place))
  {
    if (!add_mjcf_joint(mjcf, element, LW_JOINT_FIXED, chain.last, &chain.place, name, ""))
      return false;
    chain.last = mjcf->list.count - 1;
  }
  body->joint     = chain.last;
  lwLinkDef* link = &mjcf->list.joints[chain.last].link;
  link->name      = body->name;
  read_body_link(mjcf, element, &inside, link);
  return read_level(mjcf, element, &inside);
}

// --- sites

static bool read_site(lwMjcf* mjcf, lwMjcfItem item, const BodyLevel* level)
{
  const lwXmlAttribute* name = lw_xml_attribute(item.element, "name");
  lwTransform place          = lw_identity;
  double ends[6];
  if (lw_mjcf_numbers(mjcf, item, "fromto", 6, 6, ends))
  {
    lwMjcfItem none = {item.element, -1};
    place           = lw_mjcf_place(mjcf, none);
    for (int i = 0; i < 3; ++i) place.p[i] = (ends[i] + ends[i + 3]) / 2;
  }
  else
    place = lw_mjcf_place(mjcf, item);
  place                              = lw_compose(&level->frame, &place);
  mjcf->sites[mjcf->site_count]      = (lwMjcfSite){NULL, level->body, place};
  mjcf->sites[mjcf->site_count].name = name ? name->value : NULL;
  put(&mjcf->site_names, name ? name->value : NULL, mjcf->site_count++);
  if (!name) return true;
  return add_mjcf_joint(mjcf, item.element, LW_JOINT_FIXED, mjcf->bodies[level->body].joint, &place,
                        name->value,
                        lw_name_map_find(&mjcf->body_names, name->value) < 0 ? "" : "_site");
}

// --- all

static bool is_word_of(const char* words, const char* name)
{
  char text[80];
  snprintf(text, sizeof text, " %.70s ", name);
  return strstr(words, text);
}

static void leave_element(lwMjcf* mjcf, const lwXml* element, int class)
{
  lwMjcfItem item = {element, class};
  if (is_word_of(" joint freejoint inertial ", element->name)) return;
  if (lw_mjcf_is(element, "geom"))
  {
    if (lw_mjcf_number(mjcf, item, "contype", 1) != 0 ||
        lw_mjcf_number(mjcf, item, "conaffinity", 1) != 0)
      lw_mjcf_leave(mjcf, element, "contacts of geoms", true);
    return;
  }
  if (is_word_of(" camera light ", element->name))
    lw_mjcf_leave(mjcf, element, element->name, false);
  else if (is_word_of(" composite flexcomp replicate attach plugin ", element->name))
    lw_mjcf_error(mjcf, element, element->place, "save the compiled model as MJCF, which has none",
                  "<%s> makes bodies, which is not supported", element->name);
  else
    lw_mjcf_error(mjcf, element, element->place, NULL, "unknown element <%.40s>", element->name);
}

// The children of the world, a body or a frame that are not joints or geoms.
static bool read_children(lwMjcf* mjcf, const lwXml* parent, const BodyLevel* level)
{
  bool enough = true;
  for (const lwXml* element = parent->children; element && enough; element = element->next)
  {
    BodyLevel inner = *level;
    inner.class     = lw_mjcf_class(mjcf, element, "class", level->class);
    if (lw_mjcf_is(element, "body"))
      enough = read_body(mjcf, element, level);
    else if (lw_mjcf_is(element, "site"))
      enough = read_site(mjcf, (lwMjcfItem){element, inner.class}, level);
    else if (lw_mjcf_is(element, "frame"))
    {
      inner.frame = enter_frame(mjcf, element, level);
      inner.class = lw_mjcf_class(mjcf, element, "childclass", level->class);
      enough      = read_level(mjcf, element, &inner);
    }
    else
      leave_element(mjcf, element, inner.class);
  }
  return enough;
}

static bool read_level(lwMjcf* mjcf, const lwXml* parent, const BodyLevel* level)
{
  if (++mjcf->depth > LW_MJCF_MAX_DEPTH)
    lw_mjcf_error(mjcf, parent, parent->place, NULL, "more than %d bodies carry each other",
                  LW_MJCF_MAX_DEPTH);
  bool enough = mjcf->depth > LW_MJCF_MAX_DEPTH || read_children(mjcf, parent, level);
  --mjcf->depth;
  return enough;
}

// Room for everything: bodies, sites, meshes, joints of the description.
static void count_elements(const lwXml* parent, int* joints, int* bodies, int* sites)
{
  for (const lwXml* element = parent->children; element; element = element->next)
  {
    bool body = lw_mjcf_is(element, "body"), site = lw_mjcf_is(element, "site");
    *bodies += body;
    *sites += site;
    *joints += body + site + lw_mjcf_is(element, "joint") + lw_mjcf_is(element, "freejoint");
    count_elements(element, joints, bodies, sites);
  }
}

bool lw_mjcf_read_bodies(lwMjcf* mjcf)
{
  lwArena* arena = &mjcf->document->arena;
  int joints = 1, bodies = 1, sites = 1;
  BodyLevel world = {0, lw_identity, 0};
  count_elements(mjcf->root, &joints, &bodies, &sites);
  if (joints > LW_MAX_JOINTS)
    return lw_document_reject(mjcf->document, mjcf->root->place, NULL,
                              "more than %d joints, bodies and sites", LW_MAX_JOINTS);
  mjcf->bodies     = lw_arena_take(arena, (size_t)bodies, sizeof *mjcf->bodies);
  mjcf->sites      = lw_arena_take(arena, (size_t)sites, sizeof *mjcf->sites);
  mjcf->references = lw_arena_take(arena, (size_t)joints, sizeof *mjcf->references);
  mjcf->springs    = lw_arena_take(arena, (size_t)joints, sizeof *mjcf->springs);
  if (mjcf->run) mjcf->run->efforts = lw_arena_take(arena, 2 * (size_t)joints, sizeof(double));
  if (!mjcf->bodies || !mjcf->sites || !mjcf->references || !mjcf->springs ||
      (mjcf->run && !mjcf->run->efforts) || !lw_joints_take(&mjcf->list, arena, joints))
    return false;
  mjcf->list.count = 0;
  mjcf->bodies[0]  = (lwMjcfBody){"world", LW_BASE, lw_identity, false, false, 0};
  mjcf->body_count = 1;
  put(&mjcf->body_names, "world", 0);
  bool enough = true;
  for (const lwXml* element = mjcf->root->children; element && enough; element = element->next)
    if (lw_mjcf_is(element, "worldbody")) enough = read_level(mjcf, element, &world);
  return enough;
}
