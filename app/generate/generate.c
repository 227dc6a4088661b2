// SPDX-License-Identifier: MIT
// linkwork generate: straight-line code for one robot, in one of several languages.
#include <stdio.h>
#include <string.h>

#include "io/progress.h"
#include "linkwork/generate.h"
#include "snake/snake_command.h"

enum
{
  TEST_STATES = 16,
  PATH_SIZE   = 4096
};

// --- options

static unsigned chosen_arguments(const Options* options)
{
  static const char* const names[] = {"wrench", "gravity", "payload", NULL};
  static const unsigned flags[]    = {LW_GENERATE_ARGUMENT_WRENCH, LW_GENERATE_ARGUMENT_GRAVITY,
                                      LW_GENERATE_ARGUMENT_PAYLOAD};
  unsigned set = set_of(options, OPTION_ARGUMENTS, names, false), arguments = 0;
  for (int k = 0; k < 3; ++k)
    if (set >> k & 1) arguments |= flags[k];
  return arguments;
}

static int chosen_lanes(const Options* options, int usual)
{
  static const char expected[] = "1, 2, 4, 8 or 16";
  double lanes                 = number_in(options, OPTION_LANES, 1, 16, expected, usual);
  if (lanes != (int)lanes || ((int)lanes & ((int)lanes - 1)))
    stop(USAGE, "--lanes: '%s' is wrong, expected %s", options->value[OPTION_LANES], expected);
  return (int)lanes;
}

// --out arm.c: the files are arm.c, arm.h and arm_test.c, and arm.c includes "arm.h".
typedef struct Names
{
  char stem[PATH_SIZE];  // with folders
  const char* file;      // the last part of it; NULL: standard output
} Names;

static void choose_names(const Options* options, Names* names)
{
  const char* out = options->value[OPTION_OUT];
  if (!out || !strcmp(out, "-")) return;
  size_t length     = strlen(out);
  const char* slash = strrchr(out, '/');
  const char* file  = slash ? slash + 1 : out;
  const char* point = strrchr(file, '.');
  if (point && point > file) length = (size_t)(point - out);
  if (!*file || length + 16 > sizeof names->stem)
    stop(USAGE, "--out: '%s' is not a file name", out);
  memcpy(names->stem, out, length);
  names->file = names->stem + (file - out);
}

static lwGenerateDef choose_all(const Options* options, Names* names)
{
  static const char* const sines[] = {"math", "given", "vector", NULL};
  static const char* const abis[]  = {"c", "casadi", NULL};
  const char* const* value         = options->value;
  lwGenerateDef def                = lw_generate_def();
  if (value[OPTION_QUESTION]) def.questions = value[OPTION_QUESTION];
  if (value[OPTION_METHOD]) def.method = value[OPTION_METHOD];
  if (value[OPTION_NAME]) def.name = value[OPTION_NAME];
  def.test_states      = value[OPTION_TEST] ? TEST_STATES : 0;
  def.fused            = value[OPTION_FMA] != NULL;
  def.symbols          = value[OPTION_SYMBOLS] != NULL;
  const char* language = value[OPTION_LANGUAGE];
  if (language && lw_language_find(language) < 0)
    stop(USAGE,
         "--language: unknown language '%s', expected c, python, matlab, javascript, rust or latex",
         language);
  if (language) def.language = (lwLanguage)lw_language_find(language);
  def.sines     = (lwSines)choice_of(options, OPTION_SINCOS, sines, (int)def.sines);
  def.arguments = chosen_arguments(options);
  if (choice_of(options, OPTION_ABI, abis, 0) == 1) def.arguments |= LW_GENERATE_ARGUMENT_CASADI;
  def.lanes     = chosen_lanes(options, def.lanes);
  def.precision = precision_of(options);
  choose_names(options, names);
  def.file = names->file;
  if (def.test_states && !names->file)
    stop(USAGE, "--test: the test program goes beside the code; give --out FILE");
  return def;
}

// --- files

static void write_sources(const Options* options, const Names* names, const lwGenerated* generated)
{
  for (int i = 0; i < lw_generated_files(generated) && (i == 0 || names->file); ++i)
  {
    char path[PATH_SIZE + 32];
    const char* text = lw_generated_text(generated, i);
    snprintf(path, sizeof path, "%s%s", names->stem, lw_generated_suffix(generated, i));
    output_bytes(i == 0 ? options->value[OPTION_OUT] : path, text, strlen(text));
  }
}

int cmd_generate(const Options* options)
{
  Names names            = {0};
  lwGenerated* generated = NULL;
  lwGenerateDef def      = choose_all(options, &names);
  lwDiag* diag           = hold_messages();
  lwStatus made;
  if (kind_is_snake(options->operand))
  {
    if (!options->value[OPTION_QUESTION]) def.questions = "forward";
    const lwSnake* snake = snake_of(options);
    progress_wait("generating code for %s", lw_snake_name(snake));
    made = lw_generate_snake(snake, &def, diag, &generated);
  }
  else
  {
    const lwModel* model = robot_of(options);
    progress_wait("generating code for %s", lw_model_name(model));
    made = lw_generate(model, &def, diag, &generated);
  }
  hold_generated(generated);
  if (made != LW_OK)
    stop(made == LW_ERROR_INPUT ? USAGE : exit_of(made), "generate: %s", first_error(diag, made));
  write_sources(options, &names, generated);
  return DONE;
}
