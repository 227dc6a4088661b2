// SPDX-License-Identifier: MIT
// URDF files to models. See urdf.h for the order of the joints, docs/formats.md for what is read.
#include "read/urdf/urdf_shape.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "read/xacro/xacro.h"

bool lw_urdf_is(const lwSource* source)
{
  const char* file = source->file ? source->file : "";
  size_t length    = strlen(file);
  const char* end  = file + length;
  if (length > 5 && strcasecmp(end - 5, ".urdf") == 0) return true;
  if (length > 4 && strcasecmp(end - 4, ".xml") == 0) return true;
  return source->text[strspn(source->text, " \t\r\n")] == '<';
}

// --- links and joints

static bool is(const lwXml* element, const char* name)
{
  return strcmp(element->name, name) == 0;
}

// Adds a name; one that is already there is reported.
static bool add_name(lwUrdf* urdf, lwNameMap* names, const char* name, int number, lwPlace place)
{
  int* first = name ? lw_name_map_put(names, name) : NULL;
  if (!first) return !name;
  bool links = names == &urdf->link_names;
  if (*first < 0)
    *first = number;
  else if (links)
  {
    urdf->links[number].unnamed = true;
    lw_document_error(urdf->document, place, NULL,
                      "link '%.60s': this name is already given in line %d", name,
                      urdf->links[*first].places[LW_FIELD_LINK].line);
  }
  return true;  // duplicate joint names are found later, as in all robots
}

static bool add_link(lwUrdf* urdf, const lwXml* element, int i)
{
  lwUrdfLink* link            = &urdf->links[i];
  *link                       = (lwUrdfLink){.element = element, .joint = -1};
  link->places[LW_FIELD_LINK] = link->places[LW_FIELD_JOINT] = element->place;
  link->def.name = lw_urdf_name(urdf, element, "name", &link->places[LW_FIELD_LINK]);
  link->wrong = link->unnamed = !link->def.name;
  return add_name(urdf, &urdf->link_names, link->def.name, i, link->places[LW_FIELD_LINK]);
}

static bool add_joint(lwUrdf* urdf, const lwXml* element, int i)
{
  lwUrdfJoint* joint = &urdf->joints[i];
  *joint = (lwUrdfJoint){.element = element, .def = lw_joint_def(), .parent = -1, .child = -1};
  joint->places[LW_FIELD_JOINT] = element->place;
  joint->def.name = lw_urdf_name(urdf, element, "name", &joint->places[LW_FIELD_NAME]);
  joint->def.line = element->place.line;
  return add_name(urdf, &urdf->joint_names, joint->def.name, i, element->place);
}

static bool collect(lwUrdf* urdf)
{
  lwArena* arena    = &urdf->document->arena;
  urdf->links       = lw_arena_take(arena, (size_t)urdf->link_count, sizeof *urdf->links);
  urdf->joints      = lw_arena_take(arena, (size_t)urdf->joint_count, sizeof *urdf->joints);
  urdf->link_names  = (lwNameMap){.arena = arena};
  urdf->joint_names = (lwNameMap){.arena = arena};
  if (!urdf->links || !urdf->joints) return false;
  int links = 0, joints = 0;
  bool enough = true;
  for (const lwXml* element = urdf->root->children; element && enough; element = element->next)
  {
    if (is(element, "link")) enough = add_link(urdf, element, links++);
    if (is(element, "joint")) enough = add_joint(urdf, element, joints++);
  }
  return enough;
}

// --- the description

// Joint k of the description, with its link. If there is no tree,
// every joint is mounted on the base.
static void set_joint(lwUrdf* urdf, int k, bool sorted)
{
  lwUrdfJoint* joint = &urdf->joints[urdf->order[k]];
  lwUrdfLink* link   = joint->child >= 0 ? &urdf->links[joint->child] : NULL;
  lwPlace* places    = &urdf->list.places[(size_t)k * LW_FIELD_COUNT];
  memcpy(places, joint->places, sizeof joint->places);
  if (link)
  {
    joint->def.link = link->def;
    memcpy(places + LW_FIELD_LINK, link->places + LW_FIELD_LINK,
           (LW_FIELD_COUNT - LW_FIELD_LINK) * sizeof *places);
  }
  joint->def.parent          = LW_BASE;
  urdf->list.joints[k]       = joint->def;
  urdf->list.leader_names[k] = joint->leader;
  urdf->list.unread[k]       = joint->wrong || (link && link->wrong);
  if (!sorted) return;
  int above = urdf->links[joint->parent].joint;
  if (above >= 0) urdf->list.joints[k].parent = urdf->joints[above].def.parent;
  joint->def.parent = k;  // from now on its own number, for the joints it carries
}

static lwStatus set_joints(lwUrdf* urdf, bool sorted)
{
  if (!lw_joints_take(&urdf->list, &urdf->document->arena, urdf->joint_count))
    return LW_ERROR_MEMORY;
  for (int k = 0; k < urdf->joint_count; ++k) set_joint(urdf, k, sorted);
  lwStatus status = lw_fix_check(urdf->document, &urdf->list, urdf->options.read.fix);
  if (status != LW_OK || urdf->options.joints.free_mimics) return status;
  return lw_mimics_resolve(urdf->document, &urdf->list);
}

static const char* robot_name(lwUrdf* urdf)
{
  if (lw_xml_attribute(urdf->root, "name")) return lw_urdf_name(urdf, urdf->root, "name", NULL);
  lw_urdf_warn(urdf, "no-name", NULL, urdf->root->place, "it is called 'robot'",
               "the robot has no name");
  return NULL;
}

static lwRobotDef describe_robot(lwUrdf* urdf, const char* name)
{
  lwRobotDef robot = lw_robot_def();
  if (name) robot.name = name;
  robot.file   = urdf->document->source.file;
  robot.text   = urdf->document->source.text;
  robot.count  = urdf->list.count;
  robot.joints = urdf->list.joints;
  robot.places = urdf->list.places;
  robot.notes  = lw_urdf_notes(urdf);
  if (urdf->root_link < 0) return robot;
  robot.base        = urdf->links[urdf->root_link].def;
  robot.base_places = urdf->links[urdf->root_link].places;
  return robot;
}

// --- the robot

static bool check_root(lwUrdf* urdf)
{
  const lwXml* root = urdf->root;
  if (!is(root, "robot"))
    lw_document_error(urdf->document, root->place,
                      is(root, "sdf") ? "this is SDF; convert it to URDF first" : NULL,
                      "the outermost element of a URDF file is <robot>, found <%.40s>", root->name);
  else if (urdf->link_count == 0)
    lw_document_error(urdf->document, root->place, NULL, "the robot has no links");
  else if (urdf->joint_count == 0)
    lw_document_error(urdf->document, root->place, NULL, "the robot has no joints");
  else if (urdf->joint_count > LW_MAX_JOINTS)
    lw_document_error(urdf->document, root->place, NULL,
                      "the robot has %d joints; at most %d are possible", urdf->joint_count,
                      LW_MAX_JOINTS);
  else
    return true;
  return false;
}

static lwStatus read_robot(lwUrdf* urdf, lwModel** model)
{
  lwStatus status;
  for (const lwXml* element = urdf->root->children; element; element = element->next)
  {
    bool link = is(element, "link"), joint = is(element, "joint");
    urdf->link_count += link;
    urdf->joint_count += joint;
    if (!link && !joint && !is(element, "transmission")) lw_urdf_unused(urdf, element->name, NULL);
  }
  if (!check_root(urdf)) return LW_ERROR_INPUT;
  const char* name = robot_name(urdf);
  if (!collect(urdf)) return LW_ERROR_MEMORY;
  for (int i = 0; i < urdf->link_count; ++i) lw_urdf_read_link(urdf, &urdf->links[i]);
  lw_urdf_note_measured(urdf);
  for (int i = 0; i < urdf->joint_count; ++i) lw_urdf_read_joint(urdf, &urdf->joints[i]);
  for (const lwXml* element = urdf->root->children; element; element = element->next)
    if (is(element, "transmission")) lw_urdf_read_transmission(urdf, element);
  bool sorted = lw_urdf_sort(urdf, &status);
  if (status == LW_OK) status = set_joints(urdf, sorted);
  if (status != LW_OK) return status;
  lwRobotDef robot = describe_robot(urdf, name);
  return lw_joints_finish(urdf->document, &urdf->list, &robot, &urdf->options, model);
}

static lwStatus read_parsed(lwDocument* document, const lwXml* root, const lwModelOptions* options,
                            lwModel** model)
{
  lwUrdf urdf = {.document = document, .root_link = -1, .root = root};
  if (options) urdf.options = *options;
  urdf.options.lint.allow_inert = true;  // CAD exporters write links without mass: a warning
  return read_robot(&urdf, model);
}

// Places are those of the expanded text, which is a document of its own, in the same folder.
static lwStatus read_xacro(lwDocument* document, const lwXml* root, const lwModelOptions* options,
                           lwModel** model)
{
  static const char after[] = " (expanded)";
  lwDocument expanded;
  char* text;
  size_t length;
  lwXml* inside;
  const char* file = document->source.file ? document->source.file : "robot";
  char* name       = lw_document_take(document, strlen(file) + sizeof after);
  lwStatus status  = name ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK)
    status =
        lw_xacro_expand(document, root, options ? options->read.packages : NULL, &text, &length);
  if (status != LW_OK) return status;
  memcpy(name, file, strlen(file));
  memcpy(name + strlen(file), after, sizeof after);
  status = lw_document_open_text(&expanded, name, text, length, document->diag);
  free(text);
  if (status == LW_OK) status = lw_xml_parse(&expanded, &inside);
  if (status == LW_OK) status = read_parsed(&expanded, inside, options, model);
  lw_document_free(&expanded);
  return status;
}

lwStatus lw_urdf_read(lwDocument* document, const lwModelOptions* options, lwModel** model)
{
  lwXml* root;
  lwPlace place;
  lwStatus status = lw_xml_parse(document, &root);
  if (status != LW_OK) return status;
  return lw_xml_scan_xacro(&document->source, &place) ? read_xacro(document, root, options, model)
                                                      : read_parsed(document, root, options, model);
}
