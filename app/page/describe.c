// SPDX-License-Identifier: MIT
// Everything of a page as JSON and bytes; web/src/data.ts says what is in it.
#include <string.h>

#include "io/note.h"
#include "page.h"

enum
{
  EXACT_VALUES = 700000,  // of a page whose numbers are all kept to the last bit
  FIRST_BITS   = 40,      // of the range of a column, that larger ones keep
  LEAST_BITS   = 28       // so that what the page computes from them has six digits
};

static const size_t LARGEST_DATA = 5 << 20;  // bytes, compressed

static void need_shown(lwStatus status, const char* file, const lwDiag* diag)
{
  if (status == LW_ERROR_MEMORY) leave(no_memory());
  if (status != LW_OK)
    stop(USAGE, "%s cannot be shown by a page: %s", file, first_error(diag, status));
}

// --- the scenario

// The robot of a controller as JSON, the text of a file of the page.
static void write_robot_file(const char* path, lwOut* out)
{
  lwModel* model = NULL;
  lwDiag* diag   = hold_messages();
  lwOut* json    = hold_file();
  need_shown(lw_robot_read_file(path, NULL, NULL, &model), path, diag);
  hold_model(model);
  need_shown(lw_page_robot(json, lw_model_robot(model), diag), path, diag);
  file_flush(json);
  lw_out_json(out, json->text);
}

static void release_document(void* document)
{
  lw_document_free(document);
}

static lwDocument* hold_document(void)
{
  return hold(allocate(1, sizeof(lwDocument)), release_document);
}

static void write_scenario(const PageInputs* page, lwOut* out)
{
  lwDocument* document = hold_document();
  lwPageFiles files    = {0};
  lw_json(out, ",\n'scenario':");
  lwStatus read = lw_document_read_file(document, page->scenario_file, NULL);
  if (read == LW_ERROR_MEMORY) need_ok(read);
  if (read != LW_OK || !lw_page_document(out, document->root, &files))
    stop(USAGE, "%s: the scenario is too large for a page", page->scenario_file);
  lw_json(out, ",\n'files':{");
  for (int i = 0; i < files.count; ++i)
  {
    const char* path = lw_document_relative(document, files.names[i]);
    if (!path) leave(no_memory());
    lw_out_format(out, "%s\"file%d\":", i > 0 ? "," : "", i + 1);
    if (files.robots[i])
      write_robot_file(path, out);
    else
    {
      lwDocument* file = hold_document();
      lwStatus status  = lw_document_open_file(file, path, NULL);
      if (status != LW_OK) stop(INPUT, "%s: %s", path, lw_status_text(status));
      lw_out_json(out, file->source.text);
    }
  }
  lw_out_char(out, '}');
}

// The robot of the scenario's file, without what the scenario adds to it:
// the page adds that itself.
static const lwModel* robot_of_scenario(const PageInputs* page)
{
  lwModel* model       = NULL;
  lwDocument* document = hold_document();
  lwModelOptions read  = robot_options(page->options);
  const char* path     = NULL;
  if (lw_document_read_file(document, page->scenario_file, NULL) == LW_OK)
    path = lw_document_relative(document, lw_node_find(document->root, "robot")->text);
  lwStatus status = path ? lw_robot_read_file(path, &read, NULL, &model) : LW_ERROR_MEMORY;
  if (status != LW_OK) stop(INPUT, "%s: %s", page->file, lw_status_text(status));
  return hold_model(model);
}

// --- runs

// A page goes to others: it names files without their folders, with --anonymous none at all.
static const char* disclosed_name(const PageInputs* page, const char* path)
{
  const char* slash = strrchr(path, '/');
  if (page->options->value[OPTION_ANONYMOUS]) return "";
  return slash ? slash + 1 : path;
}

static void write_runs(const PageInputs* page, lwPageData* data, int bits)
{
  lwOut* out = &data->json;
  lw_out_format(out, ",\n\"bits\":%d,\n\"runs\":[", bits);
  for (int i = 0; i < page->run_count; ++i)
  {
    const RunTable* run = &page->runs[i];
    lw_out_text(out, i > 0 ? ",\n{\"name\":" : "{\"name\":");
    if (page->options->value[OPTION_ANONYMOUS])
      lw_out_format(out, "\"run %d\"", i + 1);
    else
      lw_out_json(out, disclosed_name(page, run->name));
    lw_out_format(out, ",\"rows\":%zu,\"notes\":%s,\"columns\":", run->rows,
                  run->notes ? run->notes : "[]");
    if (!lw_page_columns(data, (const char* const*)run->names, run->width, run->values, run->rows,
                         bits))
      leave(no_memory());
    lw_out_char(out, '}');
  }
  lw_out_char(out, ']');
}

// --- all of it

static void write_argument(lwOut* out, const char* word)
{
  lw_out_char(out, ',');
  lw_out_json(out, word);
}

static void write_page_command(const PageInputs* page, lwOut* out)
{
  const Options* options = page->options;
  lw_json(out, ",\n'command':['linkwork'");
  write_argument(out, options->arguments[0]);
  for (int i = 0; i < options->operand_count; ++i)
    write_argument(out, disclosed_name(page, options->operands[i]));
  for (int i = 0; i < OPTION_COUNT; ++i)
  {
    const char* value = options->value[i];
    if (!value || i == OPTION_PACKAGE_PATH) continue;  // which is folders
    bool file = OPTIONS[i].argument && !strcmp(OPTIONS[i].argument, "FILE");
    write_argument(out, OPTIONS[i].name);
    if (OPTIONS[i].argument) write_argument(out, file ? disclosed_name(page, value) : value);
  }
  lw_out_char(out, ']');
}

static const char* title_of(const PageInputs* page)
{
  if (page->scenario) return lw_scenario_name(page->scenario);
  return page->snake ? lw_snake_name(page->snake) : lw_model_name(page->model);
}

static void release_data(void* data)
{
  lw_page_free(data);
}

static lwPageData* describe_page(const PageInputs* page, int bits, lwMissingMeshes* missing)
{
  lwPageData* data     = hold(allocate(1, sizeof *data), release_data);
  *missing             = (lwMissingMeshes){0};
  data->json.in_memory = data->bytes.in_memory = true;
  lw_json(&data->json, "{'version':$s,\n'title':$s,\n'file':$s", lw_version(), title_of(page),
          disclosed_name(page, page->file));
  if (page->options->value[OPTION_ANONYMOUS])
    lw_json(&data->json, ",\n'command':[]");
  else
    write_page_command(page, &data->json);
  if (page->snake)
    lw_page_snake(&data->json, page->snake);
  else
  {
    const lwModel* model = page->scenario ? robot_of_scenario(page) : page->model;
    const char* packages = page->options->value[OPTION_PACKAGE_PATH];
    lwDiag* diag         = hold_messages();
    need_shown(lw_page_arm(data, model, packages, missing, diag), page->file, diag);
  }
  if (page->scenario) write_scenario(page, &data->json);
  write_runs(page, data, bits);
  lw_out_format(&data->json, ",\n\"missing_meshes\":%d}\n", missing->count);
  return data;
}

lwPageData* page_describe(const PageInputs* page)
{
  lwMissingMeshes missing;
  size_t values = 0;
  for (int i = 0; i < page->run_count; ++i) values += page->runs[i].rows * page->runs[i].width;
  int bits         = values > EXACT_VALUES ? FIRST_BITS : 0;
  lwPageData* data = describe_page(page, bits, &missing);
  while (bits > LEAST_BITS && lw_page_size(data) > LARGEST_DATA)
  {
    unhold(data);
    lw_page_free(data);
    bits -= 4;
    data = describe_page(page, bits, &missing);
  }
  if (missing.count > 0)
    note("%s: %d mesh%s cannot be shown (no STL, OBJ or DAE file, or not found): %s%s", page->file,
         missing.count, missing.count == 1 ? "" : "es", missing.first,
         missing.count > 1 ? ", .." : "");
  return data;
}
