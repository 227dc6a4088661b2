// SPDX-License-Identifier: MIT
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/number.h"
#include "linkwork/read.h"
#include "linkwork/trajectory.h"
#include "report/page/link_shapes.h"
#include "report/page/page_data.h"
#include "report/robot/robot_text.h"

enum
{
  MOST_VALUES            = 1000000,  // of a document; aliases count where they are used
  LW_PAGE_MOST_TRIANGLES = 200000    // of all meshes of a page, which take about 2 MB
};

void lw_page_free(lwPageData* page)
{
  lw_out_free(&page->json);
  lw_out_free(&page->bytes);
}

// --- documents

typedef struct Writer
{
  lwOut* out;
  lwPageFiles* files;  // or NULL
  int left;            // values that may still come
  bool refused;
} Writer;

// The name that a file of the scenario has in the page.
static void write_file_name(Writer* writer, const char* name, bool robot)
{
  lwPageFiles* files = writer->files;
  int i              = 0;
  while (i < files->count && strcmp(files->names[i], name) != 0) ++i;
  if (i == LW_PAGE_MAX_FILES)
    writer->refused = true;
  else
    lw_out_format(writer->out, "\"file%d\"", i + 1);
  if (i < files->count || writer->refused) return;
  files->robots[files->count]  = robot;
  files->names[files->count++] = name;
}

static void write_node(Writer* writer, const lwNode* node, int depth);

static void write_node(Writer* writer, const lwNode* node, int depth)
{
  bool mapping = node->kind == LW_NODE_MAPPING;
  if (--writer->left < 0) writer->refused = true;
  if (writer->refused) return;
  if (node->kind == LW_NODE_SCALAR)
  {
    const char* end = node->text;
    double number   = 0;
    if (lw_node_is_null(node))
      lw_out_text(writer->out, "null");
    else if (node->plain && lw_number_read(&end, &number) && !*end && isfinite(number))
      lw_json(writer->out, "$n", number);
    else
      lw_out_json(writer->out, node->text);
    return;
  }
  lw_out_char(writer->out, mapping ? '{' : '[');
  for (const lwItem* item = node->items; item && !writer->refused; item = item->next)
  {
    if (item != node->items) lw_out_char(writer->out, ',');
    if (mapping)
    {
      bool named = writer->files && item->value->kind == LW_NODE_SCALAR;
      bool robot = named && lw_node_is_word(item->key, "robot");
      lw_out_json(writer->out, item->key->kind == LW_NODE_SCALAR ? item->key->text : "");
      lw_out_char(writer->out, ':');
      if (robot && depth == 0)
        lw_out_text(writer->out, "\"robot\"");
      else if (robot || (named && lw_node_is_word(item->key, "file")))
        write_file_name(writer, item->value->text, robot);
      else
        write_node(writer, item->value, depth + 1);
    }
    else
      write_node(writer, item->value, depth + 1);
  }
  lw_out_char(writer->out, mapping ? '}' : ']');
}

bool lw_page_document(lwOut* out, const lwNode* root, lwPageFiles* files)
{
  Writer writer = {.out = out, .files = files, .left = MOST_VALUES};
  write_node(&writer, root, 0);
  return !writer.refused;
}

// Through the robot file that `convert` would write: one way to write robots, one to read them. A
// page whose robot cannot be read again would open with an error, so that is tried here.
lwStatus lw_page_robot(lwOut* out, const lwRobotDef* robot, lwDiag* diag)
{
  const lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  lwDocument document           = {0};
  lwModel* again                = NULL;
  lwOut yaml                    = {.in_memory = true};
  lw_robot_write_yaml(&yaml, robot, NULL);
  // A model does not know its cylinders: as they are in the robot's file.
  lwLinkShapes shapes;
  lw_link_shapes_open(&shapes, robot, NULL);
  const lwNode* root      = shapes.document.root;
  const lwNode* cylinders = root ? lw_node_find(root, "cylinders") : NULL;
  if (cylinders) lw_out_text(&yaml, "cylinders: ");
  if (cylinders) lw_page_document(&yaml, cylinders, NULL);
  lw_link_shapes_close(&shapes);
  lwStatus status = lw_out_finish(&yaml) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK)
    status = lw_robot_read_text("robot", yaml.text, yaml.length, &tolerate, diag, &again);
  if (status == LW_OK)
    status = lw_document_read_text(&document, "robot", yaml.text, yaml.length, diag);
  if (status == LW_OK && !lw_page_document(out, document.root, NULL))
  {
    LW_REFUSE(diag, NULL, "the robot is too large");
    status = LW_ERROR_INPUT;
  }
  lw_model_destroy(again);
  lw_document_free(&document);
  lw_out_free(&yaml);
  return status;
}

// A robot whose links are written, and its meshes: each is put into the page once.
typedef struct Drawing
{
  lwPageData* page;
  lwLinkShapes* shapes;
  lwMissingMeshes* missing;
} Drawing;

// --- meshes

// Reads the meshes that a link is drawn with.
static void read_meshes(lwLinkShapes* shapes, const lwLinkDef* link)
{
  bool visual = lw_link_shapes_visual(shapes, link);
  for (int i = 0; i < link->shape_count; ++i)
    if (link->shapes[i].visual == visual && link->shapes[i].kind == LW_SHAPE_MESH)
      lw_link_shapes_mesh(shapes, link->shapes[i].mesh);
}

// Leaves about so many triangles in all meshes together.
static bool thin_meshes(lwLinkShapes* shapes)
{
  double all = 0;
  for (const lwNamedMesh* one = shapes->meshes; one; one = one->next) all += one->mesh.triangles;
  for (lwNamedMesh* one = shapes->meshes; one && all > LW_PAGE_MOST_TRIANGLES; one = one->next)
    if (!lw_mesh_thin(&one->mesh, (int)(LW_PAGE_MOST_TRIANGLES / all * one->mesh.triangles)))
      return false;
  return true;
}

// Corners as three numbers of 16 bits, in the box around the mesh, then three numbers of 32 bits for
// each triangle.
static void write_triangles(lwOut* bytes, const lwMesh* mesh, const double low[3], double step)
{
  for (int i = 0; i < mesh->vertices; ++i)
    for (int k = 0; k < 3; ++k)
    {
      int n = step > 0 ? (int)lrint((mesh->points[i][k] - low[k]) / step) : 0;
      lw_out_char(bytes, n & 255);
      lw_out_char(bytes, n >> 8);
    }
  while (lw_out_length(bytes) % 4 != 0) lw_out_char(bytes, 0);
  for (int i = 0; i < 3 * mesh->triangles; ++i)
    for (int k = 0; k < 4; ++k) lw_out_char(bytes, mesh->corners[i] >> 8 * k & 255);
}

// Where the triangles are in the bytes, into which a mesh is put once, and what colours they have.
static void write_mesh(const Drawing* drawing, lwNamedMesh* named)
{
  lwOut *out = &drawing->page->json, *bytes = &drawing->page->bytes;
  const lwMesh* mesh = &named->mesh;
  double low[3] = {0}, step = 0;
  for (int i = 0; i < mesh->vertices; ++i)
    for (int k = 0; k < 3; ++k)
      low[k] = i == 0 ? mesh->points[i][k] : fmin(low[k], mesh->points[i][k]);
  for (int i = 0; i < mesh->vertices; ++i)
    for (int k = 0; k < 3; ++k) step = fmax(step, (mesh->points[i][k] - low[k]) / 65535);
  while (lw_out_length(bytes) % 4 != 0) lw_out_char(bytes, 0);
  if (named->offset < 0)
  {
    named->offset = (long)lw_out_length(bytes);
    write_triangles(bytes, mesh, low, step);
  }
  lw_json(out, ",'mesh':{'offset':$l,'vertices':$d,'triangles':$d,'low':$c,'step':$n,'parts':[",
          named->offset, mesh->vertices, mesh->triangles, low, 3, step);
  for (int i = 0; i < mesh->part_count; ++i)
    lw_json(out, i > 0 ? ",{'first':$d,'color':$c}" : "{'first':$d,'color':$c}",
            mesh->parts[i].first, mesh->parts[i].color, 4);
  lw_out_text(out, "]}");
}

// --- shapes

static void write_shape(const Drawing* drawing, const lwShape* shape, lwNamedMesh* mesh)
{
  static const char* const kinds[] = {
      [LW_SHAPE_BOX]      = "box",
      [LW_SHAPE_CYLINDER] = "cylinder",
      [LW_SHAPE_SPHERE]   = "sphere",
      [LW_SHAPE_MESH]     = "mesh",
  };
  lwOut* out = &drawing->page->json;
  double R[9];
  lw_rotation_rpy(shape->rpy, R);
  lw_json(out, "{'kind':$s,'size':$c,'xyz':$c,'R':$c,'color':$c", kinds[shape->kind], shape->size,
          3, shape->xyz, 3, R, 9, shape->color, 4);
  if (mesh) write_mesh(drawing, mesh);
  lw_out_char(out, '}');
}

// The shapes of one use; meshes that cannot be read are left out.
static void write_shapes(const Drawing* drawing, const lwLinkDef* link, bool visual)
{
  const char* join = "";
  for (int i = 0; i < link->shape_count; ++i)
  {
    const lwShape* shape = &link->shapes[i];
    lwNamedMesh* mesh    = NULL;
    if (shape->kind == LW_SHAPE_MESH) mesh = lw_link_shapes_mesh(drawing->shapes, shape->mesh);
    bool missing = shape->kind == LW_SHAPE_MESH && !mesh;
    if (missing && shape->visual) lw_missing_mesh_add(drawing->missing, shape->mesh);
    if (missing || shape->visual != visual) continue;
    lw_out_text(&drawing->page->json, join);
    write_shape(drawing, shape, mesh);
    join = ",";
  }
}

// --- shapes of a parts file

// joint: -1 of the base
static void write_page_link(const Drawing* drawing, const lwLinkDef* link, int joint,
                            const char* name)
{
  lwOut* out = &drawing->page->json;
  lw_json(out, "{'name':$s,'mass':$n,'com':$c,'inertia':$c,'shapes':[", name, link->mass, link->com,
          3, link->inertia, 6);
  write_shapes(drawing, link, lw_link_shapes_visual(drawing->shapes, link));
  const lwPartsLink* parts_link;
  bool by_parts  = link->shape_count == 0 && joint >= 0;
  lwParts* parts = by_parts ? lw_link_shapes_parts(drawing->shapes, joint, &parts_link) : NULL;
  // The solids of a link that takes its mass from a parts file:
  // material and no holes, points or payload.
  if (parts)
  {
    const char* join = "";
    for (int i = 0; i < parts_link->count; ++i)
    {
      const lwPiece* piece = &parts_link->pieces[i];
      if (!lw_piece_is_solid(piece)) continue;
      lw_out_text(out, join);
      lw_json(out, "{'kind':$s,'size':$c,'xyz':$c,'R':$c,'color':[0,0,0,0]}",
              lw_solid_info(piece->shape)->name, piece->sizes, LW_SOLID_MAX_SIZES, piece->origin, 3,
              piece->rotation, 9);
      join = ",";
    }
  }
  lw_parts_destroy(parts);
  lw_out_text(out, "]}");
}

// The base and the links with their mass properties and shapes, as a list: link i + 1 is that of
// joint i.
static void write_links(lwPageData* page, const lwRobotDef* robot, const char* packages,
                        lwMissingMeshes* missing, lwDiag* diag)
{
  lwLinkShapes shapes;
  const Drawing drawing = {page, &shapes, missing};
  lw_link_shapes_open(&shapes, robot, packages);
  shapes.diag = diag;
  read_meshes(&shapes, &robot->base);
  for (int i = 0; i < robot->count; ++i) read_meshes(&shapes, &robot->joints[i].link);
  if (!thin_meshes(&shapes)) page->bytes.error = ENOMEM;
  lw_out_char(&page->json, '[');
  write_page_link(&drawing, &robot->base, -1, lw_body_name(robot, LW_BASE));
  for (int i = 0; i < robot->count; ++i)
  {
    lw_out_text(&page->json, ",\n");
    write_page_link(&drawing, &robot->joints[i].link, i, lw_link_name(&robot->joints[i]));
  }
  lw_out_char(&page->json, ']');
  lw_link_shapes_close(&shapes);
}

static void write_page_entries(lwOut* out, const lwModel* model, const char* key, int count,
                               lwCoordinate (*get)(const lwModel* model, int i))
{
  lw_out_format(out, ",\n\"%s\":[", key);
  for (int i = 0; i < count; ++i)
  {
    const lwCoordinate entry = get(model, i);
    if (i > 0) lw_out_text(out, ",\n");
    // An entry of q, or of qd and tau, with what its joint allows.
    const lwJointDef* joint = &lw_model_robot(model)->joints[entry.joint];
    const lwMotor* motor    = &joint->motor;
    lw_json(out, "{'name':$s,'index':$d,'slides':$b,'quaternion':$b,'alone':$b", entry.name,
            entry.joint, entry.slides, entry.quaternion, lw_joint_size(joint->type).dof == 1);
    lw_json(out, ",'lower':$n,'upper':$n,'velocity':$n,'effort':$n,'voltage':$n,'current':$n}",
            joint->limits.lower, joint->limits.upper, joint->limits.velocity, joint->limits.effort,
            motor->given ? motor->voltage : INFINITY, motor->given ? motor->current : INFINITY);
  }
  lw_out_char(out, ']');
}

lwStatus lw_page_arm(lwPageData* page, const lwModel* model, const char* packages,
                     lwMissingMeshes* missing, lwDiag* diag)
{
  lwOut* out              = &page->json;
  const lwRobotDef* robot = lw_model_robot(model);
  lw_json(out, ",\n'source':$s,\n'robot':", robot->origin);
  lwStatus status = lw_page_robot(out, robot, diag);
  if (status != LW_OK) return status;
  lw_json(out, ",\n'parents':");
  for (int i = 0; i < robot->count; ++i)
    lw_out_format(out, "%c%d", i > 0 ? ',' : '[', robot->joints[i].parent);
  lw_out_text(out, "]");
  write_page_entries(out, model, "positions", lw_model_nq(model), lw_model_position);
  write_page_entries(out, model, "joints", lw_model_dof(model), lw_model_velocity);
  lw_json(out, ",\n'links':");
  write_links(page, robot, packages, missing, diag);
  return LW_OK;
}

void lw_page_snake(lwOut* out, const lwSnake* snake)
{
  lw_json(out, ",\n'source':$s,\n'snake':", lw_snake_origin(snake));
  for (int k = 0; k < lw_snake_count(snake); ++k)
  {
    const lwSnakeLink link = lw_snake_get(snake, k);
    const double values[]  = {link.length,         link.wheel_offset, link.mass, link.inertia,
                              link.friction_limit, link.lower,        link.upper};
    lw_json(out, k > 0 ? ",$c" : "[$c", values, (int)(sizeof values / sizeof *values));
  }
  lw_out_char(out, ']');
}
