// SPDX-License-Identifier: MIT
// linkwork parameters: the combinations of the links' parameters that torques depend on.
#include "app.h"
#include "report/parameters_table.h"

int cmd_parameters(const Options* options)
{
  lwParameters* found = NULL;
  lwFormat format     = format_of(options);
  lwModel* model      = robot_of(options);
  lwDiag* diag        = hold_messages();
  lwStatus made       = lw_parameters_create(model, diag, &found);
  hold_parameters(found);
  need_made(made, options->operand, diag);
  lwOut* out = output_of(options);
  lw_parameters_write(out, format, model, found);
  int status             = output_end(out, DONE);
  lwParameterCount count = lw_parameters_count(found);
  if (status == DONE && !lw_parameters_agree(found))
    stop(NUMERICAL,
         "parameters: %d by the rules, but a rank of %d: the robot is nearly one with fewer",
         count.by_rules, count.by_rank);
  return status;
}
