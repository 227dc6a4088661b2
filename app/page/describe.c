// SPDX-License-Identifier: MIT
// Everything of a page as JSON and bytes; web/src/data.ts says what is in it.
#include <stdlib.h>
#include <string.h>

#include "page.h"

enum
{
  EXACT_VALUES = 700000,  // of a page whose numbers are all kept to the last bit
  FIRST_BITS   = 40,      // of the range of a column, that larger ones keep
  LEAST_BITS   = 20
};

static const size_t LARGEST_DATA = 5 << 20;  // bytes, compressed

static int write_arm(const PageInputs* page, lwPageData* data, const lwModel* model, int* missing)
{
  const char* packages = page->options->value[OPTION_PACKAGE_PATH];
  lwStatus status      = lw_page_arm(data, model, packages, missing);
  if (status == LW_ERROR_MEMORY) return fail(INPUT, "%s", lw_status_text(status));
  return status == LW_OK ? DONE : fail(INPUT, "%s: the robot is too large", page->file);
}

// --- the scenario

static int write_files(lwDocument* document, const lwPageFiles* files, FILE* out)
{
  fputc('{', out);
  for (int i = 0; i < files->count; ++i)
  {
    lwDocument file  = {0};
    const char* path = lw_document_beside(document, files->names[i]);
    lwStatus status  = path ? lw_document_open_file(&file, path, NULL) : LW_ERROR_MEMORY;
    fprintf(out, "%s\"file%d\":", i > 0 ? "," : "", i + 1);
    if (status == LW_OK) lw_json_text(out, file.source.text);
    lw_document_free(&file);
    if (status != LW_OK) return fail(INPUT, "%s: %s", files->names[i], lw_status_text(status));
  }
  fputc('}', out);
  return DONE;
}

static int write_scenario(const PageInputs* page, FILE* out)
{
  lwDocument document = {0};
  lwPageFiles files   = {0};
  int status          = DONE;
  lw_page_member(out, "scenario");
  lwStatus read = lw_document_read_file(&document, page->scenario_file, NULL);
  if (read == LW_ERROR_MEMORY)
    status = fail(INPUT, "%s", lw_status_text(read));
  else if (read != LW_OK || !lw_page_document(out, document.root, &files))
    status = fail(INPUT, "%s: the scenario is too large for a page", page->scenario_file);
  lw_page_member(out, "files");
  if (status == DONE) status = write_files(&document, &files, out);
  lw_document_free(&document);
  return status;
}

// The robot of the scenario's file, without what the scenario adds to it:
// the page adds that itself.
static int robot_of_scenario(const PageInputs* page, lwModel** model)
{
  lwDocument document = {0};
  lwModelOptions read = robot_options(page->options);
  const char* path    = NULL;
  if (lw_document_read_file(&document, page->scenario_file, NULL) == LW_OK)
    path = lw_document_beside(&document, lw_node_find(document.root, "robot")->text);
  lwStatus status = path ? lw_robot_read_file(path, &read, NULL, model) : LW_ERROR_MEMORY;
  lw_document_free(&document);
  return status == LW_OK ? DONE : fail(INPUT, "%s: %s", page->file, lw_status_text(status));
}

// --- runs

static int write_runs(const PageInputs* page, lwPageData* data, int bits)
{
  FILE* out = data->json;
  fprintf(out, ",\n\"bits\":%d,\n\"runs\":[", bits);
  for (int i = 0; i < page->run_count; ++i)
  {
    const RunTable* run = &page->runs[i];
    fputs(i > 0 ? ",\n{\"name\":" : "{\"name\":", out);
    lw_json_text(out, run->name);
    fprintf(out, ",\"rows\":%zu,\"notes\":%s,\"columns\":", run->rows,
            run->notes ? run->notes : "[]");
    if (!lw_page_columns(data, (const char* const*)run->names, run->width, run->values, run->rows,
                         bits))
      return no_memory();
    fputc('}', out);
  }
  fputc(']', out);
  return DONE;
}

// --- all of it

static void write_page_command(const PageInputs* page, FILE* out)
{
  lw_page_member(out, "command");
  fputs("[\"linkwork\"", out);
  for (char** argument = page->options->arguments; *argument; ++argument)
  {
    fputc(',', out);
    lw_json_text(out, *argument);
  }
  fputc(']', out);
}

static const char* title_of(const PageInputs* page)
{
  if (page->scenario) return lw_scenario_name(page->scenario);
  return page->snake ? lw_snake_name(page->snake) : lw_model_name(page->model);
}

static int describe_model(const PageInputs* page, lwPageData* data, int* missing)
{
  lwModel* plain = NULL;
  int status     = DONE;
  if (page->snake)
    lw_page_snake(data->json, page->snake);
  else if (!page->scenario)
    status = write_arm(page, data, page->model, missing);
  else
  {
    status = robot_of_scenario(page, &plain);
    if (status == DONE) status = write_arm(page, data, plain, missing);
    if (status == DONE) status = write_scenario(page, data->json);
  }
  lw_model_destroy(plain);
  return status;
}

static int describe_page(const PageInputs* page, lwPageData* data, int bits)
{
  int missing = 0;
  if (!lw_page_begin(data)) return no_memory();
  fputs("{\"version\":", data->json);
  lw_json_text(data->json, lw_version());
  lw_page_text_member(data->json, "title", title_of(page));
  lw_page_text_member(data->json, "file", page->file);
  write_page_command(page, data->json);
  int status = describe_model(page, data, &missing);
  if (status == DONE) status = write_runs(page, data, bits);
  fprintf(data->json, ",\n\"missing_meshes\":%d}\n", missing);
  return status;
}

int page_describe(const PageInputs* page, lwPageData* data)
{
  size_t values = 0;
  for (int i = 0; i < page->run_count; ++i) values += page->runs[i].rows * page->runs[i].width;
  int bits   = values > EXACT_VALUES ? FIRST_BITS : 0;
  int status = describe_page(page, data, bits);
  while (status == DONE && bits > LEAST_BITS && lw_page_size(data) > LARGEST_DATA)
  {
    lw_page_free(data);
    bits -= 4;
    status = describe_page(page, data, bits);
  }
  return status;
}
