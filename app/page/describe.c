// SPDX-License-Identifier: MIT
// Everything of a page as JSON and bytes; web/src/data.ts says what is in it.
#include <math.h>
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

static void begin_member(FILE* out, const char* key)
{
  fprintf(out, ",\n\"%s\":", key);
}

static void text_member(FILE* out, const char* key, const char* text)
{
  begin_member(out, key);
  lw_json_text(out, text);
}

// --- the robot

// An entry of q, or of qd and tau, with what its joint allows.
static void write_page_entry(FILE* out, const lwModel* model, const lwCoordinate* entry)
{
  const lwJointDef* joint   = &lw_model_robot(model)->joints[entry->joint];
  const char* const flags[] = {"false", "true"};
  const struct
  {
    const char* key;
    double value;
  } limits[] = {{"lower", joint->limits.lower},
                {"upper", joint->limits.upper},
                {"velocity", joint->limits.velocity},
                {"effort", joint->limits.effort},
                {"voltage", joint->motor.given ? joint->motor.voltage : INFINITY},
                {"current", joint->motor.given ? joint->motor.current : INFINITY}};
  fputs("{\"name\":", out);
  lw_json_text(out, entry->name);
  fprintf(out, ",\"index\":%d,\"slides\":%s,\"quaternion\":%s,\"alone\":%s", entry->joint,
          flags[entry->slides], flags[entry->quaternion],
          flags[lw_joint_size(joint->type).dof == 1]);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i)
  {
    fprintf(out, ",\"%s\":", limits[i].key);
    lw_json_number(out, limits[i].value);
  }
  fputc('}', out);
}

static void write_page_entries(FILE* out, const lwModel* model, const char* key, int count,
                               lwCoordinate (*get)(const lwModel* model, int i))
{
  begin_member(out, key);
  fputc('[', out);
  for (int i = 0; i < count; ++i)
  {
    const lwCoordinate entry = get(model, i);
    if (i > 0) fputs(",\n", out);
    write_page_entry(out, model, &entry);
  }
  fputc(']', out);
}

static int write_arm(const Page* page, lwPageData* data, const lwModel* model, int* missing)
{
  FILE* out               = data->json;
  const lwRobotDef* robot = lw_model_robot(model);
  text_member(out, "source", robot->origin);
  begin_member(out, "robot");
  lwStatus status = lw_page_robot(out, robot);
  if (status == LW_ERROR_MEMORY) return fail(INPUT, "%s", lw_status_text(status));
  if (status != LW_OK) return fail(INPUT, "%s: the robot is too large", page->file);
  begin_member(out, "parents");
  for (int i = 0; i < robot->count; ++i)
    fprintf(out, "%c%d", i > 0 ? ',' : '[', robot->joints[i].parent);
  fputs("]", out);
  write_page_entries(out, model, "positions", lw_model_nq(model), lw_model_position);
  write_page_entries(out, model, "joints", lw_model_dof(model), lw_model_velocity);
  begin_member(out, "links");
  lw_page_links(data, robot, page->options->value[OPTION_PACKAGE_PATH], missing);
  return DONE;
}

static void write_snake(FILE* out, const lwSnake* snake)
{
  text_member(out, "source", lw_snake_origin(snake));
  begin_member(out, "snake");
  for (int k = 0; k < lw_snake_count(snake); ++k)
  {
    const lwSnakeLink link = lw_snake_get(snake, k);
    const double values[]  = {link.length, link.wheel_offset, link.mass, link.inertia,
                              link.friction_limit};
    fputc(k > 0 ? ',' : '[', out);
    lw_json_numbers(out, values, 5);
  }
  fputc(']', out);
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

static int write_scenario(const Page* page, FILE* out)
{
  lwDocument document = {0};
  lwPageFiles files   = {0};
  int status          = DONE;
  begin_member(out, "scenario");
  lwStatus read = lw_document_read_file(&document, page->scenario_file, NULL);
  if (read == LW_ERROR_MEMORY)
    status = fail(INPUT, "%s", lw_status_text(read));
  else if (read != LW_OK || !lw_page_document(out, document.root, &files))
    status = fail(INPUT, "%s: the scenario is too large for a page", page->scenario_file);
  begin_member(out, "files");
  if (status == DONE) status = write_files(&document, &files, out);
  lw_document_free(&document);
  return status;
}

// The robot of the scenario's file, without what the scenario adds to it: the page adds that
// itself.
static int robot_of_scenario(const Page* page, lwModel** model)
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

static int write_runs(const Page* page, lwPageData* data, int bits)
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

static void write_page_command(const Page* page, FILE* out)
{
  begin_member(out, "command");
  fputs("[\"linkwork\"", out);
  for (char** argument = page->options->arguments; *argument; ++argument)
  {
    fputc(',', out);
    lw_json_text(out, *argument);
  }
  fputc(']', out);
}

static const char* title_of(const Page* page)
{
  if (page->scenario) return lw_scenario_name(page->scenario);
  return page->snake ? lw_snake_name(page->snake) : lw_model_name(page->model);
}

static int describe_model(const Page* page, lwPageData* data, int* missing)
{
  lwModel* plain = NULL;
  int status     = DONE;
  if (page->snake)
    write_snake(data->json, page->snake);
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

static int describe_page(const Page* page, lwPageData* data, int bits)
{
  int missing = 0;
  if (!lw_page_begin(data)) return no_memory();
  fputs("{\"version\":", data->json);
  lw_json_text(data->json, lw_version());
  text_member(data->json, "title", title_of(page));
  text_member(data->json, "file", page->file);
  write_page_command(page, data->json);
  int status = describe_model(page, data, &missing);
  if (status == DONE) status = write_runs(page, data, bits);
  fprintf(data->json, ",\n\"missing_meshes\":%d}\n", missing);
  return status;
}

int page_describe(const Page* page, lwPageData* data)
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
