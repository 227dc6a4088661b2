// SPDX-License-Identifier: MIT
// linkwork parameters: the combinations of the links' parameters that torques depend on.
#include <stdlib.h>

#include "app.h"
#include "io/output.h"
#include "report/parameters_table.h"

static int find_parameters(const Options* options, const lwModel* model, lwParameters** found)
{
  lwDiag* diag = lw_diag_create();
  if (!diag) return no_memory();
  lwStatus status = lw_parameters_create(model, diag, found);
  int code        = DONE;
  if (status != LW_OK) code = fail(INPUT, "%s: %s", options->operand, first_error(diag, status));
  lw_diag_destroy(diag);
  return code;
}

static int write_parameters(const Options* options, Format format, const lwModel* model,
                            const lwParameters* found)
{
  Out* out   = calloc(1, sizeof *out);
  int status = out ? out_open(out, options->value[OPTION_OUT]) : no_memory();
  if (status == DONE)
  {
    lw_parameters_write(out, format, model, found);
    status = out_close(out, DONE, false);
  }
  free(out);
  lwParameterCount count = lw_parameters_count(found);
  if (status == DONE && !lw_parameters_agree(found))
    return fail(NUMERICAL,
                "parameters: %d by the rules, but a rank of %d: the robot is nearly one "
                "with fewer",
                count.by_rules, count.by_rank);
  return status;
}

int cmd_parameters(const Command* command, const Options* options)
{
  (void)command;
  Format format;
  lwModel* model      = NULL;
  lwParameters* found = NULL;
  int status          = format_choose(options, &format);
  if (status == DONE) status = robot_load(options, options->operand, &model);
  if (status == DONE) status = find_parameters(options, model, &found);
  if (status == DONE) status = write_parameters(options, format, model, found);
  lw_parameters_destroy(found);
  lw_model_destroy(model);
  return status;
}
