// SPDX-License-Identifier: MIT
// linkwork shell: an arm at the prompt, or from a script. It is `sim` of swartz1982
// ("Programs Available") with today's models of drives, friction and integration behind
// its variables and commands.
//
//   line --input--> words --SHELL_VARIABLES, SHELL_COMMANDS--> Shell
//     --> screen, and the output file if one is open
//
// Every line runs in a scope of its own, which ends it where something is wrong.
#ifndef APP_SHELL_SHELL_H
#define APP_SHELL_SHELL_H

#include "app.h"
#include "io/lines.h"
#include "io/output.h"
#include "linkwork/arm.h"
#include "linkwork/scenario.h"
#include "states/states.h"

typedef struct Shell Shell;

// Variables with a value for each moving joint, or for each of its freedoms. The first are inputs
// of questions, too.
typedef enum Vector
{
  VECTOR_THETA  = GROUP_Q,
  VECTOR_OMEGA  = GROUP_QD,
  VECTOR_ALPHA  = GROUP_QDD,
  VECTOR_TORQUE = GROUP_TAU,
  VECTOR_VOLTAGE,
  VECTOR_DAC_OUT,
  VECTOR_COUNT
} Vector;

typedef struct ShellVariable
{
  const char* name;
  const char* alias;  // the name of its columns, which is the same thing; or NULL
  const char* summary;
  int vector;         // Vector, or -1: it is none, and has
  int width, scalar;  // how many values; 1: or one
  void (*set)(Shell* shell, const double* values, int count);
  void (*show)(Shell* shell);
} ShellVariable;

extern const ShellVariable SHELL_VARIABLES[];
extern const int SHELL_VARIABLE_COUNT;

enum
{
  MOST_ARGUMENTS = 6
};

// An argument of a command: NAME=VALUE on its line, or VALUE in the order of the table;
// otherwise the shell asks.
typedef struct ShellArgument
{
  const char* name;
  const char* question;  // NULL: it is not asked for
} ShellArgument;

typedef struct ShellCommand
{
  const char* name;
  const char* summary;
  const ShellArgument* arguments;  // ended by one without a name
  void (*run)(Shell* shell);
  const struct ShellCommand* sim;  // what sim has instead; NULL: the same
} ShellCommand;

extern const ShellCommand SHELL_COMMANDS[];
extern const int SHELL_COMMAND_COUNT;

typedef struct RecordingColumn
{
  char name[LW_ROW_NAME];
  int joint;  // -1: of no joint
} RecordingColumn;

// What simulations recorded.
typedef struct Recording
{
  size_t width;
  RecordingColumn* columns;  // (width)
  size_t rows;
  double* values;     // (rows, width), and more
  double t, work, S;  // s, J, J: where the continued run began
  double* current;    // (n) A, in the motors, where the last run ended
} Recording;

struct Shell
{
  Options options;  // of the command line; operand is the robot in use
  bool sim;         // only what the program of swartz1982 has, as it has it
  char* path;       // of that robot
  lwModel* model;
  lwWorkspace* ws;
  int n, nq;  // entries of velocities and so on, and of positions

  double gravity[3];    // m/s^2, base axes
  bool gravity_set;     // by the variable,
  bool gravity_scalar;  // as one number: swartz1982's acceleration of the base along z
  double wrench[6];     // N, N m: what the environment exerts on the last link, in its frame
  lwLoadDef load;       // the wrench in simulations
  double period;        // s, DACTimePeriod; 0: continuous
  double* vectors[VECTOR_COUNT];  // (n, theta nq) voltage and DACOut are 0 without a motor
  bool voltage_leads;             // torque follows from DACOut; else both voltages from torque
  Recording recording;

  bool terminal;                      // a person types
  lwLines lines;                      // standard input
  char* typed;                        // what edit_line() gave last
  char* line;                         // the line under way, a copy
  size_t length;                      // of it
  const ShellCommand* command;        // under way
  const char* program;                // or the command of the program; NULL: none is
  const char* given[MOST_ARGUMENTS];  // its arguments in the line; NULL: not there
  bool told;                          // what is wrong was printed with its place
  bool quit;
  bool failed;  // one of the commands
  lwOut screen;
  lwOut file;       // of open_output_file; of sim only what print.simulation prints
  char* file_name;  // its name; NULL: none is open
};

// --- input

// The next line without spaces around and without a comment; *line is NULL at the end of the input.
// INPUT: it is not usable, which is printed.
int input_line(Shell* shell, const char* prompt, bool files, char** line);

// Reads a line from a terminal with editing, history and completion; NULL at its end. The caller
// owns it. files: the line is a file name, which Tab completes, not a command.
char* edit_line(const char* prompt, bool files);
void edit_end(void);

// Prints what is wrong, with the place if the line has `at`, and ends the line.
_Noreturn void complain(Shell* shell, const char* at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Takes the next word at *cursor, ended by 0, and moves the cursor past it; NULL: there is none.
char* word_take(Shell* shell, char** cursor);

// --- arguments of the command under way

// Argument k as the line gives it, or as it is answered; an empty answer is the fallback. NULL as
// fallback: something has to be given.
const char* ask(Shell* shell, int k, const char* fallback);

// A file to read: asks again if it does not exist.
const char* ask_file(Shell* shell, int k, const char* fallback);
bool ask_yes(Shell* shell, int k, bool fallback);

// A number of at least `least`; with `least` 0 it is positive.
double ask_number(Shell* shell, int k, double least, double fallback);

// --- a line

// Runs a line that is not empty: NAME, NAME = VALUES, or COMMAND ARGUMENTS.
// What is wrong is printed; then shell->failed.
void shell_run_line(Shell* shell, char* line);
const ShellCommand* shell_command_named(const char* name, size_t length);

// --- state

const lwJointDef* shell_joint(const Shell* shell, int k);

// Values of a Vector, and what one of them belongs to.
int vector_width(const Shell* shell, int vector);
lwCoordinate vector_entry(const Shell* shell, int vector, int k);

// The robot, with variables at rest; the old one stays if it is wrong.
void shell_load(Shell* shell, const char* path);
void shell_unload(Shell* shell);

// All values, or the one of index `joint`; -1: all.
void variable_assign(Shell* shell, const ShellVariable* variable, const char* text);
void variable_assign_joint(Shell* shell, const ShellVariable* variable, int joint,
                           const char* text);
void variable_show(Shell* shell, const ShellVariable* variable, int joint);
void vector_show(Shell* shell, Vector vector);

// Groups of columns, "theta,omega.elbow", with the names that recordings have, "q,qd2".
const char* shell_groups(const Shell* shell, const char* groups);

// --- commands of the program

// Whether a session has this command: it takes a robot.
bool shell_runs_program(const Command* command);
void shell_program(Shell* shell, const Command* command, char* rest);

// Torque from voltage, or voltage from torque; says which limits act.
void shell_tie(Shell* shell);
void shell_say_limits(Shell* shell);

// The arm in the state of the variables, with these drives (n).
lwArmDef shell_arm(const Shell* shell, lwJointDrive* drives);

// A schedule of one row, by which drives hold these values (n).
lwSchedule* shell_schedule(const Shell* shell, const char* symbol, const double* values);

void shell_check_forward(const Shell* shell);  // ends the line if it cannot move

bool time_is_rounded(double t, int digits);  // when it is printed with so many
void recording_clear(Recording* recording);
void recording_grow(Recording* recording, size_t rows);  // memory for that many more

// --- commands

void shell_inverse_arm(Shell* shell);
void shell_forward_arm(Shell* shell);
void shell_simulate(Shell* shell);
void shell_simulate_timesteps(Shell* shell);  // of sim
void shell_plot_simulation(Shell* shell);
void shell_print_simulation(Shell* shell);
void shell_write_graphic_file(Shell* shell);
void shell_open_output_file(Shell* shell);
void shell_close_output_file(Shell* shell);
void shell_database_read(Shell* shell);
void shell_check(Shell* shell);
void shell_count(Shell* shell);
void shell_lint(Shell* shell);
void shell_help(Shell* shell);
void shell_quit(Shell* shell);

#endif
