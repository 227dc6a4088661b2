// SPDX-License-Identifier: MIT
#include "report/page/link_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "read/dh_table.h"
#include "read/urdf/urdf_shape.h"
#include "report/robot/robot_text.h"

void lw_link_shapes_open(lwLinkShapes* shapes, const lwRobotDef* robot, const char* packages)
{
  *shapes = (lwLinkShapes){.robot = robot, .packages = packages};
  if (robot->file && lw_document_open_file(&shapes->document, robot->file, NULL) == LW_OK &&
      !lw_urdf_is(&shapes->document.source) && !lw_dh_table_is(robot->file))
    lw_document_parse(&shapes->document);
}

void lw_link_shapes_close(lwLinkShapes* shapes)
{
  lw_document_free(&shapes->document);
  while (shapes->meshes)
  {
    lwNamedMesh* next = shapes->meshes->next;
    lw_mesh_free(&shapes->meshes->mesh);
    free(shapes->meshes);
    shapes->meshes = next;
  }
}

lwNamedMesh* lw_link_shapes_mesh(lwLinkShapes* shapes, const char* name)
{
  char path[LW_URDF_LONGEST_PATH];
  const char* file  = shapes->robot->file ? shapes->robot->file : "";
  lwNamedMesh* mesh = shapes->meshes;
  while (mesh && strcmp(mesh->name, name) != 0) mesh = mesh->next;
  if (mesh) return mesh->read ? mesh : NULL;
  mesh = malloc(sizeof *mesh);
  if (!mesh) return NULL;
  *mesh          = (lwNamedMesh){.next = shapes->meshes, .name = name, .offset = -1};
  shapes->meshes = mesh;
  mesh->read = lw_mesh_is_known(name) && lw_urdf_find_mesh(file, shapes->packages, name, path) &&
               lw_mesh_read_triangles(path, false, NULL, &mesh->mesh) == LW_OK;
  if (mesh->read) lw_diag_opened(shapes->diag, path);
  return mesh->read ? mesh : NULL;
}

bool lw_link_shapes_visual(lwLinkShapes* shapes, const lwLinkDef* link)
{
  for (int i = 0; i < link->shape_count; ++i)
  {
    const lwShape* shape = &link->shapes[i];
    if (shape->visual && (shape->kind != LW_SHAPE_MESH || lw_link_shapes_mesh(shapes, shape->mesh)))
      return true;
  }
  return false;
}

void lw_missing_mesh_add(lwMissingMeshes* missing, const char* name)
{
  if (missing->count++ == 0) snprintf(missing->first, sizeof missing->first, "%s", name);
}

static void add_missing(lwLinkShapes* shapes, const lwLinkDef* link, lwMissingMeshes* missing)
{
  for (int i = 0; i < link->shape_count; ++i)
  {
    const lwShape* shape = &link->shapes[i];
    if (shape->kind != LW_SHAPE_MESH || !shape->visual) continue;
    if (!lw_link_shapes_mesh(shapes, shape->mesh)) lw_missing_mesh_add(missing, shape->mesh);
  }
}

void lw_link_shapes_lint(const lwRobotDef* robot, const char* packages, lwDiag* diag)
{
  const lwSource source   = {.file = robot->file};
  lwMissingMeshes missing = {0};
  lwLinkShapes shapes;
  lw_link_shapes_open(&shapes, robot, packages);
  add_missing(&shapes, &robot->base, &missing);
  for (int i = 0; i < robot->count; ++i) add_missing(&shapes, &robot->joints[i].link, &missing);
  lw_link_shapes_close(&shapes);
  if (missing.count > 0)
    lw_diag_report(
        diag, LW_SEVERITY_WARNING, &source, (lwPlace){0, 0},
        "pages and drawings show STL, OBJ and DAE files; --package-path says where packages are",
        "%d visual mesh%s cannot be shown: '%.100s'%s", missing.count,
        missing.count == 1 ? "" : "es", missing.first, missing.count > 1 ? ", .." : "");
}

// What the robot file says behind `parts` of joint i; NULL: nothing.
static const char* parts_reference(const lwDocument* document, int i)
{
  const lwNode* joints = document->root ? lw_node_find(document->root, "joints") : NULL;
  const lwItem* item   = joints && joints->kind == LW_NODE_LIST ? joints->items : NULL;
  while (item && i-- > 0) item = item->next;
  const lwNode* link = item ? lw_node_find(item->value, "link") : NULL;
  const lwNode* name = link && link->kind == LW_NODE_MAPPING ? lw_node_find(link, "parts") : NULL;
  return name && name->kind == LW_NODE_SCALAR ? name->text : NULL;
}

// The file is read once more for every link: parts files are short.
lwParts* lw_link_shapes_parts(lwLinkShapes* shapes, int joint, const lwPartsLink** link)
{
  char file[LW_URDF_LONGEST_PATH];
  lwParts* parts        = NULL;
  const char* reference = parts_reference(&shapes->document, joint);
  if (!reference) return NULL;
  size_t length = strcspn(reference, "#");
  snprintf(file, sizeof file, "%.*s", (int)length, reference);
  const char* path = lw_document_relative(&shapes->document, file);
  if (!path || lw_parts_read_file(path, NULL, NULL, &parts) != LW_OK) return NULL;
  const char* name = lw_link_name(&shapes->robot->joints[joint]);
  int i            = lw_parts_find(parts, reference[length] ? reference + length + 1 : name);
  if (i < 0) lw_parts_destroy(parts);
  if (i < 0) return NULL;
  *link = lw_parts_link(parts, i);
  return parts;
}

bool lw_piece_is_solid(const lwPiece* piece)
{
  return !piece->hole && piece->section && piece->shape < LW_SOLID_POINT;
}
