// SPDX-License-Identifier: MIT
// linkwork check: chooses between its two parts.
#include "check_command.h"

// Options of the one part exclude the other.
static void check_exclusions(const Options* options)
{
  static const Option of_states[] = {OPTION_STATES, OPTION_SEED, OPTION_STATE, OPTION_PRECISION};
  bool against                    = options->value[OPTION_IN] != NULL;
  for (int k = 0; k < (int)(sizeof of_states / sizeof of_states[0]); ++k)
    if (against && options->value[of_states[k]])
      stop(USAGE, "--in and %s exclude each other", OPTIONS[of_states[k]].name);
  if (options->value[OPTION_STATE] && options->value[OPTION_STATES])
    stop(USAGE, "--state and --states exclude each other");
  if (!against && options->value[OPTION_TOLERANCE])
    stop(USAGE, "--tolerance is for --in FILE; the bounds of the other checks are given");
}

int cmd_check(const Options* options)
{
  check_exclusions(options);
  lwFormat format      = format_of(options);
  const lwModel* model = robot_of(options);
  if (options->value[OPTION_IN] && lw_model_loop_count(model) > 0)
    stop(USAGE,
         "%s: --in compares torques of robots without closed loops; --open-tree leaves them out",
         options->operand);
  return options->value[OPTION_IN] ? check_against(options, format, model)
                                   : check_methods(options, format, model);
}
