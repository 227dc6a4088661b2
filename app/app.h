// SPDX-License-Identifier: MIT
// The program `linkwork`: what its commands share.
//
//   arguments --options--> Options --command--> Out (table, csv or json)
//
// A command is a section of commands.txt and a function cmd_NAME.
#ifndef APP_APP_H
#define APP_APP_H

#include <limits.h>

#include "command/options.h"
#include "command/scope.h"
#include "io/exit.h"
#include "io/program_text.h"
#include "linkwork/linkwork.h"
#include "linkwork/read.h"
#include "report/robot/robot_names.h"

typedef struct Command Command;
struct Command
{
  const char* name;
  const char* summary;  // one line
  // Name of the operand, "ROBOT"; two names: two operands; NAME..: any number; NULL: none.
  const char* operand;
  bool operand_needed;
  const char* options;  // "--q @robot"; of a state command those that all have
  int question;         // lwQuestion of a state command, otherwise -1
  const char* example;
  int (*run)(const Options* options);
};

extern const Command* const COMMANDS;
extern const int COMMAND_COUNT;

void commands_open(void);  // before they are used

const Command* command_find(const char* name);  // NULL: none
bool command_takes(const Command* command, Option option);
bool command_closes_loops(const Command* command);  // or does not depend on them; else it refuses
bool question_takes(lwQuestion question, Option option);  // it gives one of its inputs
const char* help_text(const char* name);                  // the section of help.txt; "": none
const char* option_help(const Command* command, Option option);      // what it does there
const char* option_argument(const Command* command, Option option);  // NULL: it takes none
bool question_solves(lwQuestion question);                           // with an inertia matrix

bool all_finite(const double* values, size_t count);

// The built-in direct-drive arm of swartz1982, for sessions that begin without naming a robot.
#define BUILT_IN_ARM "built-in:ddarm"

// lw_robot_read_file(), which also knows the built-in arm.
lwStatus robot_parse(const char* path, const lwModelOptions* options, lwDiag* diag,
                     lwModel** model);

// Reads a robot file, which the scope holds. Prints errors in full and counts warnings; a robot
// that the command cannot take ends it.
lwModel* robot_read(const Options* options, const char* path);
lwModelOptions robot_options(const Options* options);

// For a robot that is read once more: what was tolerated stays tolerated, held and fixed joints
// stay so, and gravity is that of --gravity and --base-rpy.
lwModelOptions robot_options_again(const Options* options);

// Ends the command if forward dynamics is impossible: a joint has no inertia, or the method cannot
// couple mimic joints.
void forward_check(const lwModel* model, const char* path, const lwWorkspaceDef* def);
void messages_print(const lwDiag* diag, bool warnings);  // errors in full, on stderr; or all
void errors_print(const lwDiag* diag);

// Text of the first message or, if there is none, of the status.
const char* first_error(const lwDiag* diag, lwStatus status);

// Copies a text of the library with its options replaced by flags, "lwReadOptions.fix" by "--fix",
// cut to size bytes with the final 0. Returns the length of the whole text.
size_t option_words(const char* text, char* buffer, size_t size);

// Prints the errors, if any, and returns the exit code for a robot that was read with this status.
int robot_refused(const lwDiag* diag, const char* path, lwStatus status);
void message_print(const lwMessage* message, void (*print)(void* to, const char* text), void* to);

// The model with the payloads of --payload; NULL without that option.
lwModel* payload_model(const Options* options, const lwModel* model);

// The model with the points of --contact, which stand; NULL without that option.
lwModel* contacts_model(const Options* options, const lwModel* model);

// The coefficient of --friction at contacts, -1 without it.
double contact_friction(const Options* options);

// out: the sum of the forces (contacts, 3), and, with friction >= 0, for each whether it is within
// its cone about z, 1 or 0. False: one is not.
bool contacts_judge(int contacts, double friction, const double* forces, double* out);

// The model of a description that was read before.
lwModel* robot_rebuild(const Options* options, const lwRobotDef* robot);

// What drives supply besides moving the links, --friction and --rotors: sums of LW_HAS_TERM().
unsigned terms_of(const Options* options);

// The axes that --axes names.
lwAxes axes_of(const Options* options);

// The method that --method names for a question; NULL without the option.
const char* method_of(const Options* options, lwQuestion question);

// Ends the command: there is no method of that name among `count` methods, of this question only.
_Noreturn void unknown_method(lwQuestion question, const char* name,
                              const lwMethod* (*method)(int index), int count);

// Offers the name and the aliases of a method as what was meant.
void method_offer(Nearest* nearest, const lwMethod* method);

const char* joint_name(const lwModel* model, int i);  // of degree of freedom i: elbow, base.vx
bool joint_slides(const lwModel* model, int i);       // degree of freedom i is a length

// Ends the command, as `what` is not possible, if the robot has ball or floating joints.
void needs_plain_joints(const lwModel* model, const char* path, const char* what);
bool has_followers(const lwModel* model);  // joints that mimic others, screws
#define link_name lw_link_name             // of the link that a joint carries
#define base_name lw_base_name             // of what the first joints stand on

// The frame of --link and --tool, by default that of the last link.
lwFrame frame_of(const Options* options, const lwModel* model);

// "x,y,z" or "x,y,z,r,p,y" into xyz and rpy, angles in rad or like 90 deg; how many, 3 or 6.
int frame_read(Option option, const char* text, lwFrame* frame);

// The joint that carries the link of that name, as lw_model_find_link().
int frame_link(const lwModel* model, Option option, const char* name);

enum
{
  FRAME_TEXT = 200
};

// "link hand", "the tool on link hand"
void frame_text(const lwModel* model, const lwFrame* frame, char text[FRAME_TEXT]);

// The method that answers the question; NULL: it has no methods.
const char* method_text(const lwWorkspace* ws, lwQuestion question);

int cmd_state(const Options* options);  // every question about states
#define COMMAND_FUNCTION(name) int cmd_##name(const Options* options);
COMMAND_LIST(COMMAND_FUNCTION)
#undef COMMAND_FUNCTION

// Ends the command unless the operand is a file of the kind that it needs, as far as its content
// shows. A xacro file is expanded by the program xacro, if installed, into a temporary file, which
// becomes the operand.
void kind_check(Options* options);

bool kind_is_snake(const char* path);

// The path of this program, whatever its file is called; NULL: unknown.
const char* own_program(char path[PATH_MAX]);

// Replaces the process by the program of that name beside the running one. Returns only if there is
// none, or if it is the running one itself.
void run_companion(const char* name, char* const* arguments);

int help_all(void);                        // the help of the program
int help_command(const Command* command);  // the help of one command

// USAGE, after printing "BEFOREunknown command 'NAME'" with the nearest known one.
int unknown_command(const char* before, const char* name);

#endif
