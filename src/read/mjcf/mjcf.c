// SPDX-License-Identifier: MIT
// MJCF files to models: settings, and the description. See mjcf.h.
#include "read/mjcf/mjcf.h"

#include <stdlib.h>
#include <string.h>

bool lw_mjcf_is_file(const lwSource* source)
{
  lwXmlScan scan = lw_xml_scan(source);
  lwXmlTag tag;
  if (source->text[strspn(source->text, " \t\r\n")] != '<' || !lw_xml_scan_tag(&scan, &tag))
    return false;
  return tag.end - tag.begin > 7 && strncmp(source->text + tag.begin, "<mujoco", 7) == 0 &&
         strchr(" \t\r\n>/", source->text[tag.begin + 7]);
}

// --- settings

static bool is_true(const lwXml* element, const char* name, bool otherwise)
{
  const lwXmlAttribute* found = lw_xml_attribute(element, name);
  return found ? strcmp(found->value, "true") == 0 : otherwise;
}

static void read_order(lwMjcf* mjcf, const lwXml* element)
{
  const lwXmlAttribute* order = lw_xml_attribute(element, "eulerseq");
  if (!order) return;
  if (strlen(order->value) == 3 && strspn(order->value, "xyzXYZ") == 3)
    memcpy(mjcf->order, order->value, 4);
  else
    lw_mjcf_error(mjcf, element, order->place, NULL,
                  "'eulerseq' must be three letters of xyzXYZ, found '%.20s'", order->value);
}

static void read_compiler(lwMjcf* mjcf, const lwXml* element)
{
  static const char* const angles[] = {"radian", "degree", NULL};
  static const char* const when[]   = {"false", "true", "auto", NULL};
  static const char* const paths[]  = {"assetdir", "meshdir"};
  lwMjcfItem item                   = {element, -1};
  double groups[2]                  = {mjcf->groups[0], mjcf->groups[1]};
  lw_mjcf_check(
      mjcf, element,
      "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate "
      "angle fitaabb eulerseq meshdir texturedir assetdir discardvisual usethread "
      "fusestatic inertiafromgeom inertiagrouprange alignfree saveinertial "
      "convexhull");
  mjcf->degrees = lw_mjcf_word(mjcf, item, "angle", angles, mjcf->degrees);
  mjcf->inertia_from_geom =
      lw_mjcf_word(mjcf, item, "inertiafromgeom", when, mjcf->inertia_from_geom);
  mjcf->autolimits    = is_true(element, "autolimits", mjcf->autolimits);
  mjcf->balance       = is_true(element, "balanceinertia", mjcf->balance);
  mjcf->least_mass    = lw_mjcf_number(mjcf, item, "boundmass", mjcf->least_mass);
  mjcf->least_inertia = lw_mjcf_number(mjcf, item, "boundinertia", mjcf->least_inertia);
  mjcf->total_mass    = lw_mjcf_number(mjcf, item, "settotalmass", mjcf->total_mass);
  lw_mjcf_numbers(mjcf, item, "inertiagrouprange", 2, 2, groups);
  for (int k = 0; k < 2; ++k) mjcf->groups[k] = groups[k] > 100 ? 100 : (int)groups[k];
  for (int k = 0; k < 2; ++k)
    if (lw_xml_attribute(element, paths[k]))
      mjcf->mesh_folder = lw_xml_attribute(element, paths[k])->value;
  read_order(mjcf, element);
  if (lw_xml_attribute(element, "coordinate") &&
      strcmp(lw_xml_attribute(element, "coordinate")->value, "local") != 0)
    lw_mjcf_error(mjcf, element, element->place, NULL, "only coordinate=\"local\" is supported");
}

static void read_settings(lwMjcf* mjcf)
{
  for (const lwXml* element = mjcf->root->children; element; element = element->next)
  {
    if (lw_mjcf_is(element, "compiler")) read_compiler(mjcf, element);
    if (lw_mjcf_is(element, "option"))
      lw_mjcf_numbers(mjcf, (lwMjcfItem){element, -1}, "gravity", 3, 3, mjcf->gravity);
  }
}

// --- the description

static void set_total_mass(lwMjcf* mjcf)
{
  double sum = 0;
  for (int i = 0; i < mjcf->list.count; ++i) sum += mjcf->list.joints[i].link.mass;
  for (int i = 0; i < mjcf->list.count && mjcf->total_mass > 0 && sum > 0; ++i)
  {
    lwLinkDef* link = &mjcf->list.joints[i].link;
    link->mass *= mjcf->total_mass / sum;
    for (int k = 0; k < 6; ++k) link->inertia[k] *= mjcf->total_mass / sum;
  }
}

static lwRobotDef describe_mjcf(lwMjcf* mjcf)
{
  const lwXmlAttribute* name = lw_xml_attribute(mjcf->root, "model");
  lwRobotDef robot           = lw_robot_def();
  if (name && name->value[0]) robot.name = name->value;
  memcpy(robot.gravity, mjcf->gravity, sizeof robot.gravity);
  robot.file       = mjcf->document->source.file;
  robot.text       = mjcf->document->source.text;
  robot.count      = mjcf->list.count;
  robot.joints     = mjcf->list.joints;
  robot.places     = mjcf->list.places;
  robot.base.name  = "world";
  robot.loop_count = mjcf->loop_count;
  robot.loops      = mjcf->loops;
  robot.notes      = lw_mjcf_notes(mjcf);
  return robot;
}

static lwStatus read_mjcf_robot(lwMjcf* mjcf, lwModel** model)
{
  lwDocument* document = mjcf->document;
  enum
  {
    MAPS = 5
  };
  lwNameMap* maps[MAPS] = {&mjcf->names, &mjcf->joint_names, &mjcf->body_names, &mjcf->site_names,
                           &mjcf->mesh_names};
  for (int k = 0; k < MAPS; ++k) maps[k]->arena = &document->arena;
  if (!lw_mjcf_is(mjcf->root, "mujoco"))
    return lw_document_refuse(document, mjcf->root->place, NULL,
                              "the outermost element of an MJCF file is <mujoco>, found <%.40s>",
                              mjcf->root->name);
  read_settings(mjcf);
  bool enough =
      lw_mjcf_collect_meshes(mjcf) && lw_mjcf_read_bodies(mjcf) && lw_mjcf_read_rest(mjcf);
  if (!enough) return document->errors > 0 ? LW_ERROR_INPUT : LW_ERROR_MEMORY;
  if (mjcf->list.count == 0)
    return lw_document_refuse(document, mjcf->root->place, NULL, "the robot has no bodies");
  set_total_mass(mjcf);
  lwStatus status = lw_fix_check(document, &mjcf->list, mjcf->options.read.fix);
  lw_joints_fix(&mjcf->list, mjcf->options.read.fix);
  if (status == LW_OK && !mjcf->options.joints.free_mimics)
    status = lw_mimics_resolve(document, &mjcf->list);
  if (status != LW_OK) return status;
  lwRobotDef robot = describe_mjcf(mjcf);
  return lw_joints_finish(document, &mjcf->list, &robot, &mjcf->options, model);
}

lwStatus lw_mjcf_read(lwDocument* document, const lwModelOptions* options, lwModel** model)
{
  return lw_mjcf_read_run(document, options, NULL, model);
}

lwStatus lw_mjcf_read_run(lwDocument* document, const lwModelOptions* options, lwMjcfRun* run,
                          lwModel** model)
{
  lwXml* root  = NULL;
  lwMjcf* mjcf = calloc(1, sizeof *mjcf);
  if (!mjcf) return LW_ERROR_MEMORY;
  *mjcf = (lwMjcf){.document          = document,
                   .degrees           = true,
                   .autolimits        = true,
                   .inertia_from_geom = 2,
                   .groups            = {0, 5},
                   .order             = "xyz",
                   .mesh_folder       = "",
                   .gravity           = {0, 0, -9.81},
                   .run               = run};
  if (options) mjcf->options = *options;
  mjcf->options.lint.allow_inert = true;  // MuJoCo takes armature instead of inertia
  lwStatus status                = lw_mjcf_open(mjcf, &root);
  mjcf->root                     = root;
  if (status == LW_OK) status = read_mjcf_robot(mjcf, model);
  if (status == LW_OK && !*model) status = LW_ERROR_INPUT;
  if (status == LW_OK && run) lw_mjcf_run_finish(mjcf, *model);
  lw_mjcf_close(mjcf);
  free(mjcf);
  return status;
}
