// SPDX-License-Identifier: MIT
// linkwork export ROBOT|SCENARIO --fmu FILE: a functional mock-up unit of a run. fmu/ has the unit.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "package.h"
#include "read/kind.h"
#include "report/page/page_data.h"
#include "simulate/simulate.h"

static void destroy_plant(void* plant)
{
  plant_destroy(plant);
}

static void free_document(void* document)
{
  lw_document_free(document);
}

// The name of the file, as C and the importer's files can have it: "my arm.fmu" -> "my_arm".
static const char* identifier_of(const char* path)
{
  const char* slash        = strrchr(path, '/');
  char* name               = text_copy(slash ? slash + 1 : path);
  name[strcspn(name, ".")] = 0;
  for (char* c = name; *c; ++c)
    if (!isalnum((unsigned char)*c)) *c = '_';
  if (!isalpha((unsigned char)name[0])) stop(USAGE, "--fmu: '%s' must begin with a letter", path);
  return name;
}

static void document_read(lwDocument* document, const char* name, const char* text)
{
  lwDiag* diag    = hold_messages();
  lwStatus status = text ? lw_document_read_text(document, name, text, strlen(text), diag)
                         : lw_document_read_file(document, name, diag);
  hold(document, free_document);
  if (status != LW_OK) stop(INPUT, "%s", first_error(diag, status));
}

static Packed packed_robot(const char* name, const char* path, const lwModelOptions* read)
{
  lwModel* model  = NULL;
  lwDiag* diag    = hold_messages();
  lwOut* json     = hold_file();
  lwStatus status = lw_robot_read_file(path, read, diag, &model);
  hold_model(model);
  if (status == LW_OK) status = lw_page_robot(json, lw_model_robot(model), diag);
  if (status != LW_OK) stop(exit_of(status), "%s: %s", path, first_error(diag, status));
  file_flush(json);
  return (Packed){name, json->text, json->length};
}

static Packed packed_text(const char* name, const char* path)
{
  lwDocument* file = allocate(1, sizeof *file);
  lwDiag* diag     = hold_messages();
  lwStatus status  = lw_document_open_file(file, path, diag);
  hold(file, free_document);
  if (status != LW_OK) stop(INPUT, "%s", first_error(diag, status));
  return (Packed){name, file->source.text, file->source.length};
}

// The scenario, its robot and what else it names, under the names that they have in the unit.
static int pack_files(const Options* options, const char* text, Packed* files)
{
  lwDocument* document          = allocate(1, sizeof *document);
  lwPageFiles named             = {0};
  lwModelOptions read           = robot_options(options);
  const lwModelOptions as_it_is = {0};
  lwOut* json                   = hold_file();
  document_read(document, text ? "scenario" : options->operand, text);
  if (!lw_page_document(json, document->root, &named))
    stop(USAGE, "export: the scenario is too large, or names more than %d files",
         LW_PAGE_MAX_FILES);
  file_flush(json);
  const char* robot = lw_node_find(document->root, "robot")->text;
  if (!text) robot = lw_document_relative(document, robot);
  files[0] = (Packed){"scenario", json->text, json->length};
  files[1] = packed_robot("robot", robot, &read);
  for (int i = 0; i < named.count; ++i)
  {
    char name[16];
    snprintf(name, sizeof name, "file%d", i + 1);
    const char* path = lw_document_relative(document, named.names[i]);
    files[2 + i]     = named.robots[i] ? packed_robot(text_copy(name), path, &as_it_is)
                                       : packed_text(text_copy(name), path);
  }
  return 2 + named.count;
}

// A robot alone: the scenario that names it, and has nothing else.
static const char* scenario_of_robot(const char* path)
{
  lwOut* text = hold_file();
  lw_out_text(text, "{\"linkwork\":1,\"name\":\"robot\",\"robot\":");
  lw_out_json(text, path);
  lw_out_text(text, "}");
  file_flush(text);
  return text->text;
}

static lwScenario* read_text(const Options* options, const char* text)
{
  lwScenario* scenario = NULL;
  lwModelOptions read  = robot_options(options);
  lwDiag* diag         = hold_messages();
  lwStatus status = lw_scenario_read_text("scenario", text, strlen(text), &read, diag, &scenario);
  hold_scenario(scenario);
  if (status == LW_ERROR_MEMORY) leave(no_memory());
  errors_print(diag);
  if (status != LW_OK) leave(exit_of(status));
  return scenario;
}

int cmd_export(const Options* options)
{
  Packed files[PACKAGE_MOST];
  const char *path = options->operand, *fmu = options->value[OPTION_FMU], *text = NULL;
  if (!fmu) stop(USAGE, "'export' needs --fmu FILE.fmu");
  if (!strcmp(path, "-")) stop(USAGE, "export: a file is needed, standard input is read only once");
  if (lw_file_kind(path, LW_FILE_KIND_ROBOT).kind != LW_FILE_KIND_SCENARIO)
    text = scenario_of_robot(path);
  int inputs           = choice_of(options, OPTION_INPUTS, PLANT_INPUT_WORDS, PLANT_TORQUE);
  lwScenario* scenario = text ? read_text(options, text) : scenario_read(options, path);
  PackageDef def       = {.name      = identifier_of(fmu),
                          .resources = files,
                          .count     = pack_files(options, text, files),
                          .duration  = lw_scenario_duration(scenario),
                          .interval  = lw_scenario_record(scenario)};
  Plant* plant         = NULL;
  lwDiag* diag         = hold_messages();
  unhold(scenario);
  lwStatus status = plant_create(scenario, (PlantInputs)inputs, diag, &plant);
  hold(plant, destroy_plant);
  if (status != LW_OK)
    stop(status == LW_ERROR_INPUT ? USAGE : exit_of(status), "export: %s",
         first_error(diag, status));
  def.plant  = plant;
  lwOut* out = output(fmu);
  if (package_write(&def, out) != LW_OK) leave(no_memory());
  return output_end(out, DONE);
}
