// SPDX-License-Identifier: MIT
// Robots, the output file, and commands of the program that a session also has.
#include <stdlib.h>
#include <string.h>

#include "shell.h"

// --- the robot

void shell_unload(Shell* shell)
{
  recording_clear(&shell->recording);
  free(shell->vectors[0]);
  lw_workspace_destroy(shell->ws);
  lw_model_destroy(shell->model);
  free(shell->path);
}

void shell_load(Shell* shell, const char* path)
{
  lwModel* model  = robot_read(&shell->options, path);
  lwWorkspace* ws = tree_of(model);
  size_t width    = (size_t)lw_model_nq(model) + 1;
  char* name      = hold(strdup(path), free);
  double* values  = calloc(VECTOR_COUNT * width, sizeof *values);
  if (!name || !values) leave(no_memory());
  unhold(model);
  unhold(ws);
  unhold(name);
  shell_unload(shell);
  shell->path            = name;
  shell->options.operand = name;
  shell->model           = model;
  shell->ws              = ws;
  shell->n               = lw_model_dof(model);
  shell->nq              = lw_model_nq(model);
  shell->voltage_leads   = false;
  shell->gravity_set     = false;
  const double* field    = lw_model_robot(model)->gravity;
  shell->gravity_scalar  = shell->sim && field[0] == 0 && field[1] == 0;
  memset(shell->wrench, 0, sizeof shell->wrench);
  for (int i = 0; i < VECTOR_COUNT; ++i) shell->vectors[i] = values + (size_t)i * width;
  lw_model_start(model, shell->vectors[VECTOR_THETA]);
  memcpy(shell->gravity, lw_model_robot(model)->gravity, sizeof shell->gravity);
}

void shell_database_read(Shell* shell)
{
  const char* path = ask_file(shell, 0, NULL);
  if (!strcmp(path, "-"))
    complain(shell, path, "the robot cannot come from standard input, as the commands do");
  shell_load(shell, path);
  lw_out_format(&shell->screen, "%s, %d moving joints\n", lw_model_name(shell->model), shell->n);
}

// --- the output file

void shell_open_output_file(Shell* shell)
{
  if (shell->file_name)
    complain(shell, NULL, "%s is open already; 'close_output_file' closes it", shell->file.name);
  const char* path = ask(shell, 0, NULL);
  if (!strcmp(path, "-")) complain(shell, path, "expected the name of a file");
  need(out_open(&shell->file, path));
  shell->file_name = strdup(path);  // the line goes, the file stays
  if (!shell->file_name) leave(no_memory());
  shell->file.name = shell->file_name;
  lw_out_flush(&shell->screen);
  if (!shell->sim) shell->screen.also = &shell->file;
}

void shell_close_output_file(Shell* shell)
{
  if (!shell->file_name)
    complain(shell, NULL, "no output file is open; 'open_output_file' opens one");
  lw_out_flush(&shell->screen);
  shell->screen.also = NULL;
  int status         = out_close(&shell->file, DONE, false);
  if (status == DONE) lw_out_format(&shell->screen, "wrote %s\n", shell->file.name);
  free(shell->file_name);
  shell->file_name = NULL;
  need(status);
}

// --- commands of the program

// Runs the command as `linkwork NAME ROBOT --format table` with the options of the session.
static void run_program(Shell* shell, const char* name, Options* options)
{
  options->command              = command_find(name);
  options->value[OPTION_FORMAT] = "table";
  lw_out_flush(&shell->screen);
  need(command_run(options));
}

void shell_check(Shell* shell)
{
  Options options              = shell->options;
  options.value[OPTION_STATES] = shell->given[0];
  options.value[OPTION_SEED]   = shell->given[1];
  run_program(shell, "check", &options);
}

void shell_count(Shell* shell)
{
  Options options = shell->options;
  run_program(shell, "count", &options);
}

void shell_lint(Shell* shell)
{
  Options options = shell->options;
  if (shell->given[0]) options.operand = shell->given[0];
  if (!strcmp(options.operand, "-"))
    complain(shell, shell->given[0], "expected the name of a robot file");
  run_program(shell, "lint", &options);
}
