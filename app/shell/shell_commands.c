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

static const ShellCommand SIM_SIMULATE_COMMAND = {
    "simulate",
    "the motion of the arm, recorded",
    "Asks whether to start a new simulation, whether to set theta and omega to zero before, and\n"
    "whether a voltage schedule file is used, and for its name. Without one the voltage is held\n"
    "constant at the value of the variable, for a number of timesteps of 1 ms.\n",
    SIM_SIMULATE,
    shell_simulate_timesteps,
    NULL};

const ShellCommand SHELL_COMMANDS[] = {
    {"inverse_arm", "torque and voltage from theta, omega, alpha",
     "What the drives must give for this motion: rigid bodies, rotors and friction. Writes "
     "torque,\n"
     "voltage and DACOut; a note says which motor limits are exceeded.\n",
     NONE, shell_inverse_arm, NULL},
    {"forward_arm", "alpha from theta, omega and voltage",
     "Reads the voltage that DACOut commands, cut by the limits of the motors, and the torque of\n"
     "joints without a motor; writes alpha. A joint at rest that friction can hold stays at "
     "rest.\n",
     NONE, shell_forward_arm, NULL},
    {"simulate", "the motion of the arm, recorded",
     "From theta and omega, by the third-order method of Kutta with steps of 1 ms, or as\n"
     "--integrator says. The voltage is held constant as DACOut commands it, also after\n"
     "inverse_arm and 'torque = ..', which compute it; a joint without a motor holds its torque.\n"
     "Or the drives follow a schedule, a CSV file with columns t and v1..vn or tau1..taun, in\n"
     "which each row holds until the next; joints without a column hold as above. All of\n"
     "this is sampled at DACTimePeriod. Afterwards theta, omega, alpha, torque, voltage and\n"
     "DACOut hold the final state. new=no continues where the last simulation ended and extends\n"
     "its recording; the schedule starts again. steps=N runs N steps of the integrator instead\n"
     "of a duration.\n"
     "Ctrl-C ends the run; what was recorded is kept.\n",
     SIMULATE, shell_simulate, &SIM_SIMULATE_COMMAND},
    {"plot_simulation", "the simulation as a picture",
     "Plots positions, velocities, torques, voltages and S over time. The name ends with\n"
     ".svg, .png or .pdf. columns=q,kinetic+potential plots other panels. Needs gnuplot.\n",
     PLOT_SIMULATION, shell_plot_simulation, NULL},
    {"print_simulation", "the simulation as a table",
     "Records from start to finish, not closer than step. columns=q,tau,S selects what is\n"
     "printed (default q,qd, which is the same as theta,omega); one that was not recorded is\n"
     "refused. It goes to the screen, and into the output file if one is open.\n",
     PRINT_SIMULATION, shell_print_simulation, NULL},
    {"write_graphic_file", "the simulation as a file",
     ".csv or .json: everything that was recorded, with 17 digits; what 'linkwork plot' reads.\n"
     ".svg, .png or .pdf: a picture.\n",
     WRITE_GRAPHIC_FILE, shell_write_graphic_file, NULL},
    {"open_output_file", "opens a file for what is printed",
     "From here on everything that is printed, except errors, also goes to this file. The file\n"
     "appears when it is closed, by close_output_file or at the end of the session.\n",
     OPEN_OUTPUT_FILE, shell_open_output_file, NULL},
    {"close_output_file", "closes the output file", "The file is then complete, under its name.\n",
     NONE, shell_close_output_file, NULL},
    {"database_read", "another robot",
     "Reads a robot file (YAML, JSON or URDF), sets the variables to zero and gravity to that of\n"
     "the file, and forgets the simulation; DACTimePeriod stays. If the file is wrong, nothing\n"
     "changes.\n",
     DATABASE_READ, shell_database_read, NULL},
    {"check", "all methods against each other on this robot",
     "Same as 'linkwork check ROBOT', for the file itself. states=N random states, with seed=N.\n",
     CHECK, shell_check, NULL},
    {"count", "operations of every method on this robot",
     "Same as 'linkwork count ROBOT', for the file itself.\n", NONE, shell_count, NULL},
    {"lint", "everything doubtful about the robot file",
     "Same as 'linkwork lint ROBOT', for the robot in use, or for file=FILE.\n", LINT, shell_lint,
     NULL},
    {"help", "this list, or everything about one name", "help NAME: a command or a variable.\n",
     HELP, shell_help, NULL},
    {"exit", "ends the session", "Same as quit.\n", NONE, shell_quit, NULL},
    {"quit", "ends the session", "So does the end of the input. An open output file is closed.\n",
     NONE, shell_quit, NULL},
};

const int SHELL_COMMAND_COUNT = sizeof SHELL_COMMANDS / sizeof SHELL_COMMANDS[0];
