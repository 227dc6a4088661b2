// SPDX-License-Identifier: MIT
// The table of commands. To add one: a row here, and its function, declared in shell.h.
#include "shell.h"

const ShellCommand SHELL_COMMANDS[] = {
    {"inverse_arm",
     "torque and voltage from theta, omega, alpha",
     "What the drives must give for this motion: rigid bodies, rotors and friction. Writes "
     "torque,\n"
     "voltage and DACOut; a note says which motor limits are exceeded.\n",
     {{0}},
     shell_inverse_arm},
    {"forward_arm",
     "alpha from theta, omega and voltage",
     "Reads the voltage that DACOut commands, cut by the limits of the motors, and the torque of\n"
     "joints without a motor; writes alpha. A joint at rest that friction can hold stays at "
     "rest.\n",
     {{0}},
     shell_forward_arm},
    {"simulate",
     "the motion of the arm, recorded",
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
     {{"new", "start a new simulation"},
      {"zero", "set theta and omega to zero before"},
      {"schedule", "file with a schedule, or none"},
      {"duration", "duration, s"},
      {"record", "record interval, s"},
      {"steps", NULL}},
     shell_simulate},
    {"plot_simulation",
     "the simulation as a picture",
     "Plots positions, velocities, torques, voltages and S over time. The name ends with\n"
     ".svg, .png or .pdf. columns=q,kinetic+potential plots other panels. Needs gnuplot.\n",
     {{"file", "picture"}, {"columns", NULL}},
     shell_plot_simulation},
    {"print_simulation",
     "the simulation as a table",
     "Records from start to finish, not closer than step. columns=q,tau,S selects what is\n"
     "printed (default q,qd, which is the same as theta,omega); one that was not recorded is\n"
     "refused. It goes to the screen, and into the output file if one is open.\n",
     {{"start", "from t, s"}, {"finish", "to t, s"}, {"step", "step, s"}, {"columns", NULL}},
     shell_print_simulation},
    {"write_graphic_file",
     "the simulation as a file",
     ".csv or .json: everything that was recorded, with 17 digits; what 'linkwork plot' reads.\n"
     ".svg, .png or .pdf: a picture.\n",
     {{"file", "file"}},
     shell_write_graphic_file},
    {"open_output_file",
     "copies what is printed into a file",
     "From here on everything that is printed, except errors, also goes to this file. The file\n"
     "appears when it is closed, by close_output_file or at the end of the session.\n",
     {{"file", "file"}},
     shell_open_output_file},
    {"close_output_file",
     "closes the output file",
     "The file is then complete, under its name.\n",
     {{0}},
     shell_close_output_file},
    {"database_read",
     "another robot",
     "Reads a robot file (YAML, JSON or URDF), sets the variables to zero and gravity to that of\n"
     "the file, and forgets the simulation; DACTimePeriod stays. If the file is wrong, nothing\n"
     "changes.\n",
     {{"file", "robot file"}},
     shell_database_read},
    {"check",
     "all methods against each other on this robot",
     "Same as 'linkwork check ROBOT', for the file itself. states=N random states, with seed=N.\n",
     {{"states", NULL}, {"seed", NULL}},
     shell_check},
    {"count",
     "operations of every method on this robot",
     "Same as 'linkwork count ROBOT', for the file itself.\n",
     {{0}},
     shell_count},
    {"lint",
     "everything doubtful about the robot file",
     "Same as 'linkwork lint ROBOT', for the robot in use, or for file=FILE.\n",
     {{"file", NULL}},
     shell_lint},
    {"help",
     "this list, or everything about one name",
     "help NAME: a command or a variable.\n",
     {{"name", NULL}},
     shell_help},
    {"exit", "ends the session", "Same as quit.\n", {{0}}, shell_quit},
    {"quit",
     "ends the session",
     "So does the end of the input. An open output file is closed.\n",
     {{0}},
     shell_quit},
};

const int SHELL_COMMAND_COUNT = sizeof SHELL_COMMANDS / sizeof SHELL_COMMANDS[0];
