// SPDX-License-Identifier: MIT
#include "package.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/state.h"
#include "report/robot/robot_text.h"
#include "zip.h"

// The amalgamation and a binary of it as gzip wrote them, put into the program by cmake/embed.cmake
extern const char fmu_simulator[], fmu_lanes[], fmu_binary[];
size_t fmu_simulator_length(void);
size_t fmu_lanes_length(void);
size_t fmu_binary_length(void);

// --- modelDescription.xml

// Every unit with the powers of kg, m, s, A, rad that it is made of.
static const struct
{
  const char* name;
  int kg, m, s, A, rad;
} UNITS[] = {{"rad", 0, 0, 0, 0, 1},  {"rad/s", 0, 0, -1, 0, 1}, {"rad/s2", 0, 0, -2, 0, 1},
             {"m", 0, 1, 0, 0, 0},    {"m/s", 0, 1, -1, 0, 0},   {"m/s2", 0, 1, -2, 0, 0},
             {"N", 1, 1, -2, 0, 0},   {"N.m", 1, 2, -2, 0, 0},   {"J", 1, 2, -2, 0, 0},
             {"W", 1, 2, -3, 0, 0},   {"V", 1, 2, -3, -1, 0},    {"A", 0, 0, 0, 1, 0},
             {"A/s", 0, 0, -1, 1, 0}, {"kg", 1, 0, 0, 0, 0},     {"s", 0, 0, 1, 0, 0},
             {"1/s", 0, 0, -1, 0, 0}};

static void write_attribute(lwOut* out, const char* name, const char* text)
{
  lw_out_format(out, " %s=\"", name);
  lw_out_xml(out, true, text);
  lw_out_char(out, '"');
}

static void write_power(lwOut* out, const char* name, int power)
{
  if (power != 0) lw_out_format(out, " %s=\"%d\"", name, power);
}

static void write_units(lwOut* out)
{
  lw_out_text(out, "  <UnitDefinitions>\n");
  for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; ++i)
  {
    lw_out_format(out, "    <Unit name=\"%s\"><BaseUnit", UNITS[i].name);
    write_power(out, "kg", UNITS[i].kg);
    write_power(out, "m", UNITS[i].m);
    write_power(out, "s", UNITS[i].s);
    write_power(out, "A", UNITS[i].A);
    write_power(out, "rad", UNITS[i].rad);
    lw_out_text(out, "/></Unit>\n");
  }
  lw_out_text(out, "  </UnitDefinitions>\n");
}

// The index in the list, from 1, of the state that a variable is the rate of; 0: it is none.
static int state_of(const Plant* plant, const PlantVariable* variable)
{
  for (int i = 0; i < plant->count && variable->kind == PLANT_RATE; ++i)
    if (plant->variables[i].kind == PLANT_STATE && plant->variables[i].index == variable->index)
      return i + 1;
  return 0;
}

static void write_variable(lwOut* out, const Plant* plant, int i)
{
  static const char* const causality[] = {
      [PLANT_TIME] = "independent", [PLANT_STATE] = "local",         [PLANT_RATE] = "local",
      [PLANT_INPUT] = "input",      [PLANT_PARAMETER] = "parameter", [PLANT_ANSWER] = "output"};
  const PlantVariable* v = &plant->variables[i];
  char digits[LW_NUMBER_SIZE];
  bool starts = v->kind == PLANT_STATE || v->kind == PLANT_INPUT || v->kind == PLANT_PARAMETER;
  lw_out_text(out, "    <ScalarVariable");
  write_attribute(out, "name", v->name);
  lw_out_format(out, " valueReference=\"%d\"", i);
  if (v->about) write_attribute(out, "description", v->about);
  write_attribute(out, "causality", v->output ? "output" : causality[v->kind]);
  write_attribute(out, "variability", v->kind == PLANT_PARAMETER ? "tunable" : "continuous");
  if (v->kind == PLANT_STATE || v->kind == PLANT_PARAMETER)
    write_attribute(out, "initial", "exact");
  if (v->kind == PLANT_RATE || v->kind == PLANT_ANSWER)
    write_attribute(out, "initial", "calculated");
  lw_out_text(out, "><Real");
  if (v->unit) write_attribute(out, "unit", v->unit);
  if (starts) write_attribute(out, "start", lw_digits(v->start, digits));
  if (state_of(plant, v) > 0) lw_out_format(out, " derivative=\"%d\"", state_of(plant, v));
  lw_out_text(out, "/></ScalarVariable>\n");
}

// The variables, by their indices from 1, that `is` says yes to.
static void write_unknowns(lwOut* out, const char* element, const Plant* plant,
                           bool (*is)(const PlantVariable*))
{
  lw_out_format(out, "    <%s>\n", element);
  for (int i = 0; i < plant->count; ++i)
    if (is(&plant->variables[i])) lw_out_format(out, "      <Unknown index=\"%d\"/>\n", i + 1);
  lw_out_format(out, "    </%s>\n", element);
}

static bool is_output(const PlantVariable* v)
{
  return v->output;
}

static bool is_rate(const PlantVariable* v)
{
  return v->kind == PLANT_RATE;
}

static bool is_calculated(const PlantVariable* v)
{
  return v->kind == PLANT_RATE || v->kind == PLANT_ANSWER;
}

static void write_kind(lwOut* out, const char* element, const char* name, const char* further)
{
  lw_out_format(
      out,
      "  <%s modelIdentifier=\"%s\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
      " providesDirectionalDerivative=\"true\"%s>\n"
      "    <SourceFiles><File name=\"linkwork.c\"/><File name=\"linkwork_lanes.c\"/>"
      "<File name=\"model.c\"/></SourceFiles>\n  </%s>\n",
      element, name, further, element);
}

static void write_description(const PackageDef* def, const char* guid, lwOut* out)
{
  const Plant* plant = def->plant;
  char digits[2][LW_NUMBER_SIZE];
  lw_out_text(
      out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\"");
  write_attribute(out, "modelName", lw_scenario_name(plant->scenario));
  write_attribute(out, "guid", guid);
  write_attribute(out, "description", lw_model_name(lw_scenario_model(plant->scenario)));
  lw_out_format(out, " generationTool=\"linkwork %s\" numberOfEventIndicators=\"%d\">\n",
                lw_version(), plant->run->watch_count);
  write_kind(out, "ModelExchange", def->name, " completedIntegratorStepNotNeeded=\"true\"");
  write_kind(out, "CoSimulation", def->name, " canHandleVariableCommunicationStepSize=\"true\"");
  write_units(out);
  lw_out_text(out, "  <LogCategories><Category name=\"logStatusError\"/></LogCategories>\n");
  lw_out_format(out,
                "  <DefaultExperiment startTime=\"0\" stopTime=\"%s\" stepSize=\"%s\"/>\n  "
                "<ModelVariables>\n",
                lw_digits(def->duration, digits[0]), lw_digits(def->interval, digits[1]));
  for (int i = 0; i < plant->count; ++i) write_variable(out, plant, i);
  lw_out_text(out, "  </ModelVariables>\n  <ModelStructure>\n");
  write_unknowns(out, "Outputs", plant, is_output);
  write_unknowns(out, "Derivatives", plant, is_rate);
  write_unknowns(out, "InitialUnknowns", plant, is_calculated);
  lw_out_text(out, "  </ModelStructure>\n</fmiModelDescription>\n");
}

// --- model.c

// A text as a C string, of lines that compilers can take.
static void write_c_text(lwOut* out, const char* text, size_t length)
{
  lw_out_text(out, "  \"");
  for (size_t i = 0; i < length; ++i)
  {
    unsigned char c = (unsigned char)text[i];
    if (i % 100 == 99) lw_out_text(out, "\"\n  \"");
    if (c == '"' || c == '\\' || c == '?')
      lw_out_format(out, "\\%c", c);
    else if (c < 0x20 || c > 0x7E)
      lw_out_format(out, "\\%03o", c);
    else
      lw_out_char(out, c);
  }
  lw_out_text(out, "\"");
}

static void write_model(const Packed* files, int count, lwOut* out)
{
  lw_out_text(
      out, "// The model: its scenario, its robot and what these name, as the simulator in "
           "linkwork.c reads them.\n"
           "#include <stddef.h>\n\nstruct lwUnitFile\n{\n  const char* name;\n  const char* text;\n"
           "  size_t length;\n};\n\nextern const struct lwUnitFile lw_unit_files[];\n");
  for (int i = 0; i < count; ++i)
  {
    lw_out_format(out, "static const char text_%d[] =\n", i);
    write_c_text(out, files[i].text, files[i].length);
    lw_out_text(out, ";\n");
  }
  lw_out_text(out, "const struct lwUnitFile lw_unit_files[] = {\n");
  for (int i = 0; i < count; ++i)
    lw_out_format(out, "  {\"%s\", text_%d, sizeof text_%d - 1},\n", files[i].name, i, i);
  lw_out_text(out, "  {NULL, NULL, 0},\n};\n");
}

// --- the archive

// What the unit is made of, as a number: units of different models are told apart.
static void make_guid(const PackageDef* def, char guid[50])
{
  uint64_t hash[2] = {0xCBF29CE484222325u, 0x84222325CBF29CE4u};
  for (int k = 0; k < 2; ++k)
  {
    hash[k] = lw_state_hash(hash[k], lw_version(), strlen(lw_version()));
    hash[k] = lw_state_hash(hash[k], &def->plant->inputs, sizeof def->plant->inputs);
    for (int i = 0; i < def->count; ++i)
      hash[k] = lw_state_hash(hash[k], def->resources[i].text, def->resources[i].length);
  }
  snprintf(guid, 50, "{%016" PRIx64 "%016" PRIx64 "}", hash[0], hash[1]);
}

#if defined(__linux__) && defined(__x86_64__)
#define BINARY "linux64"
#define ENDING "so"
#elif defined(__APPLE__)
#define BINARY "darwin64"
#define ENDING "dylib"
#endif

static void write_archive(const PackageDef* def, const Packed* files, int count,
                          const lwOut* description, const lwOut* model, lwOut* out)
{
  Zip zip = {.out = out};
  char name[300];
  zip_add(&zip, "modelDescription.xml", description->text, description->length);
#ifdef BINARY
  snprintf(name, sizeof name, "binaries/" BINARY "/%.200s." ENDING, def->name);
  zip_add_gzip(&zip, name, fmu_binary, fmu_binary_length());
#endif
  zip_add_gzip(&zip, "sources/linkwork.c", fmu_simulator, fmu_simulator_length());
  zip_add_gzip(&zip, "sources/linkwork_lanes.c", fmu_lanes, fmu_lanes_length());
  zip_add(&zip, "sources/model.c", model->text, model->length);
  for (int i = 0; i < count; ++i)
  {
    snprintf(name, sizeof name, "resources/%.200s", files[i].name);
    zip_add(&zip, name, files[i].text, files[i].length);
  }
  zip_end(&zip);
}

lwStatus package_write(const PackageDef* def, lwOut* out)
{
  Packed files[PACKAGE_MOST];
  char guid[50];
  const char* inputs = PLANT_INPUT_WORDS[def->plant->inputs];
  lwOut description = {.in_memory = true}, model = {.in_memory = true};
  make_guid(def, guid);
  for (int i = 0; i < def->count; ++i) files[i] = def->resources[i];
  files[def->count]     = (Packed){"guid", guid, strlen(guid)};
  files[def->count + 1] = (Packed){"inputs", inputs, strlen(inputs)};
  write_description(def, guid, &description);
  write_model(files, def->count + 2, &model);
  bool made = lw_out_finish(&description) && lw_out_finish(&model);
  if (made) write_archive(def, files, def->count + 2, &description, &model, out);
  lw_out_free(&description);
  lw_out_free(&model);
  return made && out->error != ENOMEM ? LW_OK : LW_ERROR_MEMORY;
}
