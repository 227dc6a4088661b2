// SPDX-License-Identifier: MIT
// Arbitrary lines for the shell: shows and sets variables, splits words and answers questions.
// Commands that read or write files or take long are left out, so only memory is touched.
#include <fcntl.h>
#include <math.h>

#include "shell/shell.h"
#include "tables.h"

enum
{
  MOST_LINES = 20
};

// Commands of the program, which read the robot's file again and write files.
static bool is_of_program(const char* line)
{
  char word[64];
  size_t length = strcspn(line, " \t=#");
  if (length >= sizeof word) return false;
  memcpy(word, line, length);
  word[length] = 0;
  for (int i = 0; i < SHELL_VARIABLE_COUNT; ++i)
    if (!strcmp(word, SHELL_VARIABLES[i].name)) return false;
  return !strcmp(word, "linkwork") || shell_runs_program(command_find(word));
}

// True if the line does not start with one of the commands that are left out.
static bool is_harmless(const char* line)
{
  static void (*const harmless[])(Shell*) = {shell_inverse_arm, shell_forward_arm,
                                             shell_print_simulation, shell_help, shell_quit};
  const ShellCommand* command             = shell_command_named(line, strcspn(line, " \t=#"));
  bool found                              = command == NULL;
  if (is_of_program(line)) return false;
  for (size_t i = 0; command && i < sizeof harmless / sizeof harmless[0]; ++i)
    found = found || command->run == harmless[i];
  return found;
}

// A session with the small robot, made once; its variables are reset for every input.
static Shell* begin_session(void)
{
  static Shell* shell;
  if (!shell)
  {
    shell = calloc(1, sizeof *shell);
    require(shell != NULL);
    shell->model       = small_robot();
    shell->n           = lw_model_dof(shell->model);
    shell->nq          = lw_model_nq(shell->model);
    shell->screen.file = open("/dev/null", O_WRONLY);
    shell->screen.name = "screen";
    require(lw_workspace_create(shell->model, NULL, NULL, &shell->ws) == LW_OK);
    for (int i = 0; i < VECTOR_COUNT; ++i)
      require((shell->vectors[i] = calloc((size_t)shell->n + 1, sizeof(double))) != NULL);
  }
  for (int i = 0; i < VECTOR_COUNT; ++i)
    memset(shell->vectors[i], 0, (size_t)shell->n * sizeof(double));
  memcpy(shell->gravity, lw_model_robot(shell->model)->gravity, sizeof shell->gravity);
  memset(shell->wrench, 0, sizeof shell->wrench);
  lw_workspace_set_wrench(shell->ws, NULL);
  shell->gravity_set   = false;
  shell->period        = 0;
  shell->voltage_leads = shell->quit = shell->failed = false;
  shell->screen.used                                 = 0;
  shell->screen.error                                = 0;
  return shell;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  commands_open();
  Shell* shell = begin_session();
  shell->lines = lines_of(data, size);
  for (int i = 0; i < MOST_LINES && !shell->quit; ++i)
  {
    char* line = NULL;
    int status = input_line(shell, "", false, &line);
    if (status == DONE && !line) break;
    if (status == DONE && *line && is_harmless(line)) shell_run_line(shell, line);
  }
  for (int k = 0; k < shell->n; ++k)
    require(isfinite(shell->vectors[VECTOR_THETA][k]) && isfinite(shell->vectors[VECTOR_OMEGA][k]));
  lw_lines_close(&shell->lines);
  return 0;
}
