// SPDX-License-Identifier: MIT
// Everything of a page as JSON and bytes; web/src/data.ts says what is in it.
#include <stdlib.h>

#include "base/diag.h"
#include "linkwork/page.h"
#include "linkwork/read.h"
#include "report/page/page_data.h"
#include "report/robot/robot_text.h"

#ifdef LINKWORK_PAGE
// web/dist/page.html, put into the library by cmake/embed.cmake
extern const char lw_page_template[];
size_t lw_page_template_length(void);
#else
static const char lw_page_template[] = "";
static size_t lw_page_template_length(void)
{
  return 0;
}
#endif

enum
{
  EXACT_VALUES = 700000,  // of a page whose numbers are all kept to the last bit
  FIRST_BITS   = 40,      // of the range of a column, that larger ones keep
  LEAST_BITS   = 28       // so that what the page computes from them has six digits
};

static const size_t LARGEST_DATA = 5 << 20;  // bytes, compressed

bool lw_page_available(void)
{
  return lw_page_template_length() > 0;
}

lwPageDef lw_page_def(void)
{
  return (lwPageDef){.cookie = LW_COOKIE};
}

// --- the scenario

// The robot of a controller as JSON, the text of a file of the page.
static lwStatus write_robot_file(const char* path, lwOut* out, lwDiag* diag)
{
  lwModel* model  = NULL;
  lwOut* json     = calloc(1, sizeof *json);
  lwStatus status = json ? lw_robot_read_file(path, NULL, diag, &model) : LW_ERROR_MEMORY;
  if (json) json->in_memory = true;
  if (status == LW_OK) status = lw_page_robot(json, lw_model_robot(model), diag);
  if (status == LW_OK && !lw_out_finish(json)) status = LW_ERROR_MEMORY;
  if (status == LW_OK) lw_out_json(out, json->text);
  if (json) lw_out_free(json);
  free(json);
  lw_model_destroy(model);
  return status;
}

static lwStatus write_text_file(const char* path, lwOut* out, lwDiag* diag)
{
  lwDocument file = {0};
  lwStatus status = lw_document_open_file(&file, path, diag);
  if (status == LW_OK) lw_out_json(out, file.source.text);
  lw_document_free(&file);
  return status;
}

static lwStatus write_files(lwDocument* document, const lwPageFiles* files, lwOut* out,
                            lwDiag* diag)
{
  lwStatus status = LW_OK;
  lw_json(out, ",\n'files':{");
  for (int i = 0; i < files->count && status == LW_OK; ++i)
  {
    const char* path = lw_document_relative(document, files->names[i]);
    if (!path) return LW_ERROR_MEMORY;
    lw_out_format(out, "%s\"file%d\":", i > 0 ? "," : "", i + 1);
    status = (files->robots[i] ? write_robot_file : write_text_file)(path, out, diag);
  }
  lw_out_char(out, '}');
  return status;
}

static lwStatus write_scenario(const char* path, lwOut* out, lwDiag* diag)
{
  lwDocument document = {0};
  lwPageFiles files   = {0};
  lw_json(out, ",\n'scenario':");
  lwStatus status = lw_document_read_file(&document, path, diag);
  if (status == LW_OK && !lw_page_document(out, document.root, &files))
    status = lw_refuse(diag, LW_ERROR_INPUT, NULL, "the scenario is too large for a page");
  if (status == LW_OK) status = write_files(&document, &files, out, diag);
  lw_document_free(&document);
  return status;
}

// --- runs

static lwStatus write_runs(const lwPageDef* page, lwPageData* data, int bits)
{
  lwOut* out = &data->json;
  lw_out_format(out, ",\n\"bits\":%d,\n\"runs\":[", bits);
  for (int i = 0; i < page->run_count; ++i)
  {
    const lwPageRun* run = &page->runs[i];
    lw_out_text(out, i > 0 ? ",\n{\"name\":" : "{\"name\":");
    lw_out_json(out, run->name);
    lw_out_format(out, ",\"rows\":%zu,\"notes\":%s,\"columns\":", run->rows,
                  run->notes ? run->notes : "[]");
    if (!lw_page_columns(data, run->names, run->width, run->values, run->rows, bits))
      return LW_ERROR_MEMORY;
    lw_out_char(out, '}');
  }
  lw_out_char(out, ']');
  return LW_OK;
}

// --- all of it

static void write_page_head(const lwPageDef* page, lwOut* out)
{
  const char* title = page->title;
  if (!title) title = page->snake ? lw_snake_name(page->snake) : lw_model_name(page->model);
  lw_json(out, "{'version':$s,\n'title':$s,\n'file':$s,\n'command':[", lw_version(), title,
          page->file ? page->file : "");
  for (int i = 0; i < page->command_count; ++i)
    lw_json(out, i > 0 ? ",$s" : "$s", page->command[i]);
  lw_out_char(out, ']');
}

static lwStatus describe_page(const lwPageDef* page, int bits, lwPageData* data,
                              lwMissingMeshes* missing, lwDiag* diag)
{
  lwStatus status      = LW_OK;
  *missing             = (lwMissingMeshes){0};
  data->json.in_memory = data->bytes.in_memory = true;
  write_page_head(page, &data->json);
  if (page->snake)
    lw_page_snake(&data->json, page->snake);
  else
    status = lw_page_arm(data, page->model, page->packages, missing, diag);
  if (status == LW_OK && page->scenario) status = write_scenario(page->scenario, &data->json, diag);
  if (status == LW_OK) status = write_runs(page, data, bits);
  lw_out_format(&data->json, ",\n\"missing_meshes\":%d}\n", missing->count);
  return status;
}

// With as many bits of the runs as a page of reasonable size holds.
static lwStatus describe_to_size(const lwPageDef* page, lwPageData* data, lwMissingMeshes* missing,
                                 lwDiag* diag)
{
  size_t values = 0;
  for (int i = 0; i < page->run_count; ++i) values += page->runs[i].rows * page->runs[i].width;
  int bits        = values > EXACT_VALUES ? FIRST_BITS : 0;
  lwStatus status = describe_page(page, bits, data, missing, diag);
  while (status == LW_OK && bits > LEAST_BITS && lw_page_size(data) > LARGEST_DATA)
  {
    lw_page_free(data);
    *data = (lwPageData){0};
    bits -= 4;
    status = describe_page(page, bits, data, missing, diag);
  }
  return status;
}

static lwStatus make_text(lwPageData* data, lwText** html)
{
  size_t length = 0;
  char* text    = lw_page_make(data, lw_page_template, lw_page_template_length(), &length);
  *html         = text ? lw_text_of(text, length) : NULL;
  if (!*html) free(text);
  return *html ? LW_OK : LW_ERROR_MEMORY;
}

static lwStatus check_page(const lwPageDef* page, lwDiag* diag)
{
  lwStatus status = lw_def_check(page->cookie, "lw_page_def()", diag);
  if (status != LW_OK) return status;
  if (!page->model == !page->snake)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "a page shows one robot, or one snake");
  if (lw_page_available()) return LW_OK;
  return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                   "this library was built without the page; 'web/build' makes it (it needs Node, "
                   "npm, clang, lld and wasi-libc), then build the library again");
}

static void report_reason(lwDiag* diag, const lwDiag* own)
{
  for (int i = 0; own && i < lw_diag_size(own); ++i)
  {
    const lwMessage* message = lw_diag_message(own, i);
    if (message->severity != LW_SEVERITY_ERROR) continue;
    LW_REFUSE(diag, message->hint, "%s", message->text);
    return;
  }
}

lwStatus lw_page_write(const lwPageDef* page, lwDiag* diag, lwText** html)
{
  lwMissingMeshes missing = {0};
  *html                   = NULL;
  lwStatus status         = check_page(page, diag);
  if (status != LW_OK) return status;
  lwPageData* data = calloc(1, sizeof *data);
  lwDiag* own      = lw_diag_create();  // warnings about the robot are those of its reader
  status           = data && own ? describe_to_size(page, data, &missing, own) : LW_ERROR_MEMORY;
  if (status == LW_OK) status = make_text(data, html);
  for (int i = 0; own && i < lw_diag_file_count(own); ++i)
    lw_diag_opened(diag, lw_diag_file(own, i));
  if (status != LW_OK) report_reason(diag, own);
  if (status == LW_OK && missing.count > 0)
    lw_diag_report(diag, LW_SEVERITY_WARNING, NULL, (lwPlace){0, 0}, NULL,
                   "%d mesh%s cannot be shown (no STL, OBJ or DAE file, or not found): %s%s",
                   missing.count, missing.count == 1 ? "" : "es", missing.first,
                   missing.count > 1 ? ", .." : "");
  if (data) lw_page_free(data);
  free(data);
  lw_diag_destroy(own);
  return status;
}
