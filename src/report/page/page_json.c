// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "report/page/page_data.h"
#include "report/robot/robot_text.h"

enum
{
  MOST_VALUES = 1000000  // of a document; aliases count where they are used
};

bool lw_page_begin(lwPageData* page)
{
  *page       = (lwPageData){0};
  bool opened = lw_memory_file_open(&page->json_memory) && lw_memory_file_open(&page->byte_memory);
  page->json  = page->json_memory.file;
  page->bytes = page->byte_memory.file;
  return opened;
}

void lw_page_free(lwPageData* page)
{
  lw_memory_file_free(&page->json_memory);
  lw_memory_file_free(&page->byte_memory);
}

// --- values

void lw_json_text(FILE* out, const char* text)
{
  if (!text)
  {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (const char* s = text; *s; ++s)
    if (*s == '"' || *s == '\\')
      fprintf(out, "\\%c", *s);
    else if ((unsigned char)*s < 0x20 || *s == 0x7F)
      fprintf(out, "\\u%04x", (unsigned)(unsigned char)*s);
    else
      fputc(*s, out);
  fputc('"', out);
}

void lw_json_number(FILE* out, double number)
{
  char digits[LW_NUMBER_SIZE];
  if (isfinite(number))
    fwrite(digits, 1, (size_t)lw_number_write(number, digits), out);
  else
    fputs("null", out);
}

void lw_json_numbers(FILE* out, const double* numbers, size_t count)
{
  fputc('[', out);
  for (size_t i = 0; i < count; ++i)
  {
    if (i > 0) fputc(',', out);
    lw_json_number(out, numbers[i]);
  }
  fputc(']', out);
}

// --- documents

typedef struct Writer
{
  FILE* out;
  lwPageFiles* files;  // or NULL
  int left;            // values that may still come
  bool refused;
} Writer;

static void write_scalar(FILE* out, const lwNode* node)
{
  const char* end = node->text;
  double number   = 0;
  if (lw_node_is_null(node))
    fputs("null", out);
  else if (node->plain && lw_number_read(&end, &number) && !*end && isfinite(number))
    lw_json_number(out, number);
  else
    lw_json_text(out, node->text);
}

// The name that a file of the scenario has in the page.
static void write_file_name(Writer* writer, const char* name)
{
  lwPageFiles* files = writer->files;
  int i              = 0;
  while (i < files->count && strcmp(files->names[i], name) != 0) ++i;
  if (i == LW_PAGE_MAX_FILES)
    writer->refused = true;
  else
    fprintf(writer->out, "\"file%d\"", i + 1);
  if (i == files->count && !writer->refused) files->names[files->count++] = name;
}

static void write_node(Writer* writer, const lwNode* node, int depth);

static void write_entry(Writer* writer, const lwItem* item, int depth)
{
  bool scalar = item->value->kind == LW_NODE_SCALAR;
  lw_json_text(writer->out, item->key->kind == LW_NODE_SCALAR ? item->key->text : "");
  fputc(':', writer->out);
  if (writer->files && scalar && lw_node_is_word(item->key, "file"))
    write_file_name(writer, item->value->text);
  else if (writer->files && scalar && depth == 0 && lw_node_is_word(item->key, "robot"))
    fputs("\"robot\"", writer->out);
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
  fputc(mapping ? '{' : '[', writer->out);
  for (const lwItem* item = node->items; item && !writer->refused; item = item->next)
  {
    if (item != node->items) fputc(',', writer->out);
    if (mapping)
      write_entry(writer, item, depth);
    else
      write_node(writer, item->value, depth + 1);
  }
  fputc(mapping ? '}' : ']', writer->out);
}

bool lw_page_document(FILE* out, const lwNode* root, lwPageFiles* files)
{
  Writer writer = {.out = out, .files = files, .left = MOST_VALUES};
  write_node(&writer, root, 0);
  return !writer.refused;
}

// Through the robot file that `convert` would write: one way to write robots, one to read them.
lwStatus lw_page_robot(FILE* out, const lwRobotDef* robot)
{
  lwDocument document = {0};
  lwMemoryFile yaml;
  lwStatus status = lw_memory_file_open(&yaml) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) lw_robot_write_yaml(yaml.file, robot, NULL);
  if (status == LW_OK && !lw_memory_file_flush(&yaml)) status = LW_ERROR_MEMORY;
  if (status == LW_OK)
    status = lw_document_read_text(&document, "robot", yaml.text, yaml.length, NULL);
  if (status == LW_OK && !lw_page_document(out, document.root, NULL)) status = LW_ERROR_INPUT;
  lw_document_free(&document);
  lw_memory_file_free(&yaml);
  return status;
}
