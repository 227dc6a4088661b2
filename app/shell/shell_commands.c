// SPDX-License-Identifier: MIT
// The table of commands. To add one: a row here, and its function, declared in shell.h.
#include "shell.h"

static const ShellArgument NONE[]     = {{0}};
static const ShellArgument SIMULATE[] = {{"new", "start a new simulation"},
                                         {"zero", "set theta and omega to zero before"},
                                         {"schedule", "file with a schedule, or none"},
                                         {"duration", "duration, s"},
                                         {"record", "record interval, s"},
                                         {"steps", NULL},
                                         {0}};
// As swartz1982 says it: no duration but timesteps, and voltages only.
static const ShellArgument SIM_SIMULATE[]     = {{"new", "start a new simulation"},
                                                 {"zero", "set theta and omega to zero before it"},
                                                 {"scheduled", "use a voltage schedule file"},
                                                 {"schedule", "voltage schedule file"},
                                                 {"timesteps", "number of timesteps"},
                                                 {0}};
static const ShellArgument PLOT_SIMULATION[]  = {{"file", "picture"}, {"columns", NULL}, {0}};
static const ShellArgument PRINT_SIMULATION[] = {
    {"start", "from t, s"}, {"finish", "to t, s"}, {"step", "step, s"}, {"columns", NULL}, {0}};
static const ShellArgument WRITE_GRAPHIC_FILE[] = {{"file", "file"}, {0}};
static const ShellArgument OPEN_OUTPUT_FILE[]   = {{"file", "file"}, {0}};
static const ShellArgument DATABASE_READ[]      = {{"file", "robot file"}, {0}};
static const ShellArgument CHECK[]              = {{"states", NULL}, {"seed", NULL}, {0}};
static const ShellArgument LINT[]               = {{"file", NULL}, {0}};
static const ShellArgument HELP[]               = {{"name", NULL}, {0}};

static const ShellCommand SIM_SIMULATE_COMMAND = {"simulate", "the motion of the arm, recorded",
                                                  SIM_SIMULATE, shell_simulate_timesteps, NULL};

const ShellCommand SHELL_COMMANDS[] = {
    {"inverse_arm", "torque and voltage from theta, omega, alpha", NONE, shell_inverse_arm, NULL},
    {"forward_arm", "alpha from theta, omega and voltage", NONE, shell_forward_arm, NULL},
    {"simulate", "the motion of the arm, recorded", SIMULATE, shell_simulate,
     &SIM_SIMULATE_COMMAND},
    {"plot_simulation", "the simulation as a picture", PLOT_SIMULATION, shell_plot_simulation,
     NULL},
    {"print_simulation", "the simulation as a table", PRINT_SIMULATION, shell_print_simulation,
     NULL},
    {"write_graphic_file", "the simulation as a file", WRITE_GRAPHIC_FILE, shell_write_graphic_file,
     NULL},
    {"open_output_file", "opens a file for what is printed", OPEN_OUTPUT_FILE,
     shell_open_output_file, NULL},
    {"close_output_file", "closes the output file", NONE, shell_close_output_file, NULL},
    {"database_read", "another robot", DATABASE_READ, shell_database_read, NULL},
    {"check", "all methods against each other on this robot", CHECK, shell_check, NULL},
    {"count", "operations of every method on this robot", NONE, shell_count, NULL},
    {"lint", "everything doubtful about the robot file", LINT, shell_lint, NULL},
    {"help", "this list, or everything about one name", HELP, shell_help, NULL},
    {"exit", "ends the session", NONE, shell_quit, NULL},
    {"quit", "ends the session", NONE, shell_quit, NULL},
};

const int SHELL_COMMAND_COUNT = sizeof SHELL_COMMANDS / sizeof SHELL_COMMANDS[0];
