// SPDX-License-Identifier: MIT
// Robots, the output file, and commands of the program that a session also has.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/loop.h"
#include "shell.h"

// --- the robot

static void free_vectors(double* vectors[VECTOR_COUNT])
{
  for (int i = 0; i < VECTOR_COUNT; ++i) free(vectors[i]);
}

static int make_vectors(int n, double* vectors[VECTOR_COUNT])
{
  int status = DONE;
  for (int i = 0; i < VECTOR_COUNT; ++i)
  {
    vectors[i] = calloc((size_t)n + 1, sizeof *vectors[i]);
    if (!vectors[i]) status = INPUT;
  }
  return status == DONE ? DONE : no_memory();
}

void shell_unload(Shell* shell)
{
  recording_clear(&shell->recording);
  free_vectors(shell->vectors);
  lw_workspace_destroy(shell->ws);
  lw_model_destroy(shell->model);
  free(shell->path);
}

int shell_load(Shell* shell, const char* path)
{
  lwModel* model                = NULL;
  lwWorkspace* ws               = NULL;
  double* vectors[VECTOR_COUNT] = {0};
  char* name                    = strdup(path);
  int status                    = name ? robot_load(&shell->options, path, &model) : no_memory();
  if (status == DONE) status = make_vectors(lw_model_nq(model), vectors);
  if (status == DONE) lw_model_start(model, vectors[VECTOR_THETA]);
  lwStatus made = status == DONE ? tree_workspace(model, &ws) : LW_OK;
  if (made != LW_OK) status = fail(INPUT, "%s", lw_status_text(made));
  if (status != DONE)
  {
    free_vectors(vectors);
    lw_model_destroy(model);
    free(name);
    return status;
  }
  shell_unload(shell);
  shell->path            = name;
  shell->options.operand = name;
  shell->model           = model;
  shell->ws              = ws;
  shell->n               = lw_model_dof(model);
  shell->nq              = lw_model_nq(model);
  shell->voltage_leads   = false;
  shell->gravity_set     = false;
  shell->gravity_scalar  = false;
  memset(shell->hand, 0, sizeof shell->hand);
  memcpy(shell->vectors, vectors, sizeof vectors);
  memcpy(shell->gravity, lw_model_robot(model)->gravity, sizeof shell->gravity);
  return DONE;
}

int shell_database_read(Shell* shell)
{
  const char* path;
  int status = ask_file(shell, 0, NULL, &path);
  if (status != DONE) return status;
  if (!strcmp(path, "-"))
    return complain(shell, path, "the robot cannot come from standard input, as the commands do");
  status = shell_load(shell, path);
  if (status == DONE)
    lw_out_format(&shell->screen, "%s, %d moving joints\n", lw_model_name(shell->model), shell->n);
  return status;
}

// --- the output file

int shell_open_output_file(Shell* shell)
{
  const char* path;
  if (shell->screen.also)
    return complain(shell, NULL, "%s is open already; 'close_output_file' closes it",
                    shell->file.name);
  int status = ask(shell, 0, NULL, &path);
  if (status == DONE && !strcmp(path, "-"))
    return complain(shell, path, "expected the name of a file");
  if (status == DONE) status = out_open(&shell->file, path);
  if (status != DONE) return status;
  char* name       = strdup(path);  // the line goes, the file stays
  shell->file.name = name ? name : "the output file";
  lw_out_flush(&shell->screen);
  shell->screen.also = &shell->file;
  shell->file_name   = name;
  return DONE;
}

int shell_close_output_file(Shell* shell)
{
  if (!shell->screen.also)
    return complain(shell, NULL, "no output file is open; 'open_output_file' opens one");
  lw_out_flush(&shell->screen);
  shell->screen.also = NULL;
  int status         = out_close(&shell->file, DONE, false);
  if (status == DONE) lw_out_format(&shell->screen, "wrote %s\n", shell->file.name);
  free(shell->file_name);
  shell->file_name = NULL;
  return status;
}

// --- commands of the program

// Runs the command as `linkwork NAME ROBOT --format table` with the options of the session.
static int run_program(Shell* shell, const char* name, Options options)
{
  options.command              = command_find(name);
  options.value[OPTION_FORMAT] = "table";
  lw_out_flush(&shell->screen);
  return command_run(&options);
}

int shell_check(Shell* shell)
{
  Options options              = shell->options;
  options.value[OPTION_STATES] = shell->given[0];
  options.value[OPTION_SEED]   = shell->given[1];
  return run_program(shell, "check", options);
}

int shell_count(Shell* shell)
{
  return run_program(shell, "count", shell->options);
}

int shell_lint(Shell* shell)
{
  Options options = shell->options;
  if (shell->given[0]) options.operand = shell->given[0];
  if (!strcmp(options.operand, "-"))
    return complain(shell, shell->given[0], "expected the name of a robot file");
  return run_program(shell, "lint", options);
}
