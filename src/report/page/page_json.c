// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/number.h"
#include "linkwork/read.h"
#include "report/page/page_data.h"
#include "report/robot/robot_text.h"

enum
{
  MOST_VALUES = 1000000  // of a document; aliases count where they are used
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

static void write_scalar(lwOut* out, const lwNode* node)
{
  const char* end = node->text;
  double number   = 0;
  if (lw_node_is_null(node))
    lw_out_text(out, "null");
  else if (node->plain && lw_number_read(&end, &number) && !*end && isfinite(number))
    lw_json(out, "$n", number);
  else
    lw_out_json(out, node->text);
}

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

static void write_entry(Writer* writer, const lwItem* item, int depth)
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

static void write_node(Writer* writer, const lwNode* node, int depth)
{
  bool mapping = node->kind == LW_NODE_MAPPING;
  if (--writer->left < 0) writer->refused = true;
  if (writer->refused) return;
  if (node->kind == LW_NODE_SCALAR)
  {
    write_scalar(writer->out, node);
    return;
  }
  lw_out_char(writer->out, mapping ? '{' : '[');
  for (const lwItem* item = node->items; item && !writer->refused; item = item->next)
  {
    if (item != node->items) lw_out_char(writer->out, ',');
    if (mapping)
      write_entry(writer, item, depth);
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

// A model does not know its cylinders: as they are in the robot's file.
static void write_cylinders(lwOut* out, const lwRobotDef* robot)
{
  lwLinkShapes shapes;
  lw_link_shapes_open(&shapes, robot, NULL);
  const lwNode* root      = shapes.document.root;
  const lwNode* cylinders = root ? lw_node_find(root, "cylinders") : NULL;
  if (cylinders) lw_out_text(out, "cylinders: ");
  if (cylinders) lw_page_document(out, cylinders, NULL);
  lw_link_shapes_close(&shapes);
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
  write_cylinders(&yaml, robot);
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
