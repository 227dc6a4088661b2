// SPDX-License-Identifier: MIT
// linkwork check: chooses between its two parts.
#include "check_command.h"

#include <string.h>

#include "base/number.h"

int check_integer(const Options* options, Option option, long low, long high, long* value)
{
  const char* text = options->value[option];
  const char* end  = text;
  double number    = 0;
  if (!text) return DONE;
  if (!lw_number_read(&end, &number) || *end || number < low || number > high ||
      number != (double)(long)number)
    return fail(USAGE, "%s: '%s' is wrong, expected an integer from %ld to %ld",
                OPTIONS[option].name, text, low, high);
  *value = (long)number;
  return DONE;
}

// Options of the one part exclude the other.
static int check_exclusions(const Options* options)
{
  static const Option of_states[] = {OPTION_STATES, OPTION_SEED, OPTION_STATE, OPTION_PRECISION};
  bool against                    = options->value[OPTION_IN] != NULL;
  for (int k = 0; k < (int)(sizeof of_states / sizeof of_states[0]); ++k)
    if (against && options->value[of_states[k]])
      return fail(USAGE, "--in and %s exclude each other", OPTIONS[of_states[k]].name);
  if (options->value[OPTION_STATE] && options->value[OPTION_STATES])
    return fail(USAGE, "--state and --states exclude each other");
  if (!against && options->value[OPTION_TOLERANCE])
    return fail(USAGE, "--tolerance is for --in FILE; the bounds of the other checks are given");
  return DONE;
}

int cmd_check(const Command* command, const Options* options)
{
  (void)command;
  Format format;
  lwModel* model = NULL;
  int status     = check_exclusions(options);
  if (status == DONE) status = format_choose(options, &format);
  if (status == DONE) status = robot_load(options, options->operand, &model);
  if (status == DONE && options->value[OPTION_IN])
    status = check_against(options, format, model);
  else if (status == DONE)
    status = check_methods(options, format, model);
  lw_model_destroy(model);
  return status;
}
