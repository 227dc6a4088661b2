// SPDX-License-Identifier: MIT
// linkwork generate: straight-line code for one robot, in one of several languages.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/number.h"
#include "command/file_kind.h"
#include "io/output.h"
#include "io/progress.h"
#include "linkwork/generate.h"
#include "snake/snake_command.h"

enum
{
  TEST_STATES = 16,
  PATH_SIZE   = 4096
};

// --- options

static int choose_language(const Options* options, lwGenerateDef* def)
{
  const char* name = options->value[OPTION_LANGUAGE];
  if (!name) return DONE;
  int found = lw_language_find(name);
  if (found < 0)
    return fail(
        USAGE,
        "--language: unknown language '%s', expected c, python, matlab, javascript, rust or "
        "latex",
        name);
  def->language = (lwLanguage)found;
  return DONE;
}

static int choose_sines(const Options* options, lwGenerateDef* def)
{
  static const char* const names[] = {"math", "given", "vector"};
  const char* name                 = options->value[OPTION_SINCOS];
  for (int k = 0; name && k < 3; ++k)
    if (!strcmp(names[k], name))
    {
      def->sines = (lwSines)k;
      return DONE;
    }
  return name ? fail(USAGE, "--sincos: '%s' is unknown, expected math, given or vector", name)
              : DONE;
}

static int choose_arguments(const Options* options, lwGenerateDef* def)
{
  static const struct
  {
    const char* name;
    unsigned flag;
  } known[]        = {{"wrench", LW_GENERATE_ARGUMENT_WRENCH},
                      {"gravity", LW_GENERATE_ARGUMENT_GRAVITY},
                      {"payload", LW_GENERATE_ARGUMENT_PAYLOAD}};
  const char* list = options->value[OPTION_ARGUMENTS];
  while (list && *list)
  {
    size_t length = strcspn(list, ",");
    unsigned flag = 0;
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
      if (strlen(known[k].name) == length && !strncmp(known[k].name, list, length))
        flag = known[k].flag;
    if (!flag)
      return fail(USAGE, "--arguments: '%.*s' is unknown, expected wrench, gravity, payload",
                  (int)length, list);
    def->arguments |= flag;
    list += length;
    if (*list) ++list;
  }
  return DONE;
}

static int choose_lanes(const Options* options, lwGenerateDef* def)
{
  const char* text = options->value[OPTION_LANES];
  const char* end  = text;
  double lanes     = 0;
  if (!text) return DONE;
  bool number = lw_number_read(&end, &lanes) && *end == 0;
  if (!number || lanes != (int)lanes || lanes < 1 || lanes > 16 || ((int)lanes & ((int)lanes - 1)))
    return fail(USAGE, "--lanes: '%s' is wrong, expected 1, 2, 4, 8 or 16", text);
  def->lanes = (int)lanes;
  return DONE;
}

static int choose_precision(const Options* options, lwGenerateDef* def)
{
  const char* name = options->value[OPTION_PRECISION];
  if (!name || !strcmp(name, "double")) return DONE;
  if (strcmp(name, "single") != 0)
    return fail(USAGE, "--precision: '%s' is unknown, expected double or single", name);
  def->precision = LW_PRECISION_SINGLE;
  return DONE;
}

// --out arm.c: the files are arm.c, arm.h and arm_test.c, and arm.c includes "arm.h".
typedef struct Names
{
  char stem[PATH_SIZE];  // with folders
  const char* file;      // the last part of it; NULL: standard output
} Names;

static int choose_names(const Options* options, Names* names)
{
  const char* out = options->value[OPTION_OUT];
  names->file     = NULL;
  if (!out || !strcmp(out, "-")) return DONE;
  size_t length     = strlen(out);
  const char* slash = strrchr(out, '/');
  const char* file  = slash ? slash + 1 : out;
  const char* point = strrchr(file, '.');
  if (point && point > file) length = (size_t)(point - out);
  if (!*file || length + 16 > sizeof names->stem)
    return fail(USAGE, "--out: '%s' is not a file name", out);
  memcpy(names->stem, out, length);
  names->stem[length] = 0;
  names->file         = names->stem + (file - out);
  return DONE;
}

static int choose_all(const Options* options, Names* names, lwGenerateDef* def)
{
  *def   = lw_generate_def();
  *names = (Names){0};
  if (options->value[OPTION_QUESTION]) def->questions = options->value[OPTION_QUESTION];
  if (options->value[OPTION_METHOD]) def->method = options->value[OPTION_METHOD];
  if (options->value[OPTION_NAME]) def->name = options->value[OPTION_NAME];
  def->test_states = options->value[OPTION_TEST] ? TEST_STATES : 0;
  def->fused       = options->value[OPTION_FMA] != NULL;
  def->symbols     = options->value[OPTION_SYMBOLS] != NULL;
  int status       = choose_language(options, def);
  if (status == DONE) status = choose_sines(options, def);
  if (status == DONE) status = choose_arguments(options, def);
  if (status == DONE) status = choose_lanes(options, def);
  if (status == DONE) status = choose_precision(options, def);
  if (status == DONE) status = choose_names(options, names);
  def->file = names->file;
  if (status == DONE && def->test_states && !names->file)
    return fail(USAGE, "--test: the test program goes beside the code; give --out FILE");
  return status;
}

// --- files

static int write_source(const char* path, const char* text)
{
  Out out;
  int status = out_open(&out, path);
  if (status != DONE) return status;
  out_text(&out, text);
  return out_close(&out, DONE, false);
}

static int write_sources(const Options* options, const Names* names, const lwGenerated* generated)
{
  int status = write_source(options->value[OPTION_OUT], lw_generated_text(generated, 0));
  for (int i = 1; i < lw_generated_files(generated) && status == DONE && names->file; ++i)
  {
    char path[PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s%s", names->stem, lw_generated_suffix(generated, i));
    status = write_source(path, lw_generated_text(generated, i));
  }
  return status;
}

// What code is for: a robot or a snake.
typedef struct Subject
{
  lwModel* model;
  lwSnake* snake;
} Subject;

static int load_subject(const Options* options, lwGenerateDef* def, Subject* subject)
{
  if (kind_is_snake(options->operand))
  {
    if (!options->value[OPTION_QUESTION]) def->questions = "forward";
    return snake_load(options, &subject->snake);
  }
  int status = robot_load(options, options->operand, &subject->model);
  int loops  = status == DONE ? lw_model_loop_count(subject->model) : 0;
  if (loops > 0)
    status =
        fail(INPUT, "%s: the robot has %d closed loop%s, which generated code cannot keep closed",
             options->operand, loops, loops == 1 ? "" : "s");
  return status;
}

static lwStatus generate_code(const Subject* subject, const lwGenerateDef* def, lwDiag* diag,
                              lwGenerated** generated)
{
  progress_wait("generating code for %s",
                subject->snake ? lw_snake_name(subject->snake) : lw_model_name(subject->model));
  return subject->snake ? lw_generate_snake(subject->snake, def, diag, generated)
                        : lw_generate(subject->model, def, diag, generated);
}

int cmd_generate(const Command* command, const Options* options)
{
  (void)command;
  lwGenerateDef def;
  Names names;
  Subject subject        = {NULL, NULL};
  lwGenerated* generated = NULL;
  lwDiag* diag           = NULL;
  int status             = choose_all(options, &names, &def);
  if (status == DONE) status = load_subject(options, &def, &subject);
  if (status == DONE)
  {
    diag          = lw_diag_create();
    lwStatus made = generate_code(&subject, &def, diag, &generated);
    if (made != LW_OK)
      status = fail(made == LW_ERROR_INPUT || made == LW_ERROR_METHOD ? USAGE : INPUT,
                    "generate: %s", first_error(diag, made));
  }
  if (status == DONE) status = write_sources(options, &names, generated);
  lw_generated_destroy(generated);
  lw_diag_destroy(diag);
  lw_model_destroy(subject.model);
  lw_snake_destroy(subject.snake);
  return status;
}
