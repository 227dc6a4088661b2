// SPDX-License-Identifier: MIT
// The cylinders of a robot file, for a model made from the same file.
#include "linkwork/cylinder.h"
#include "read/dh_table.h"
#include "read/robot_cylinders.h"
#include "read/urdf/urdf.h"

// A file, or a text if there is one.
static lwStatus read_cylinders(const char* path, const char* text, size_t length,
                               const lwModel* model, lwDiag* diag, lwCylinders** cylinders)
{
  lwDocument document = {0};
  lwCylinderList list = {0};
  *cylinders          = NULL;
  lwStatus status     = text ? lw_document_open_text(&document, path, text, length, diag)
                             : lw_document_open_file(&document, path, diag);
  bool none           = status == LW_OK && (lw_urdf_is(&document.source) || lw_dh_table_is(path));
  if (!none && status == LW_OK) status = lw_document_parse(&document);
  if (!none && status == LW_OK && document.root->kind == LW_NODE_MAPPING)
  {
    lwNode* node = (lwNode*)lw_node_find(document.root, "cylinders");
    status       = lw_cylinder_list_read(&document, node, model, &list);
  }
  if (status == LW_OK) status = lw_cylinders_create(model, list.count, list.defs, diag, cylinders);
  lw_document_free(&document);
  return status;
}

lwStatus lw_cylinders_read_file(const char* path, const lwModel* model, lwDiag* diag,
                                lwCylinders** cylinders)
{
  return read_cylinders(path, NULL, 0, model, diag, cylinders);
}

lwStatus lw_cylinders_read_text(const char* name, const char* text, size_t length,
                                const lwModel* model, lwDiag* diag, lwCylinders** cylinders)
{
  return read_cylinders(name, text ? text : "", length, model, diag, cylinders);
}
