// SPDX-License-Identifier: MIT
// The options of the command line. OPTION_LIST is made from options.txt, X(enumerator, short form or
// 0, name, argument or NULL, what it does); the parser and the help are made from it.
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "command_list.h"
#include "linkwork/dynamics.h"
#include "text/out.h"

#define OPTION_ENUMERATOR(name, letter, text, argument, help) OPTION_##name,
typedef enum Option
{
  OPTION_LIST(OPTION_ENUMERATOR) OPTION_COUNT
} Option;
#undef OPTION_ENUMERATOR

typedef struct OptionInfo
{
  char letter;  // 'o' of -o, the short form; 0: it has none
  const char* name;
  const char* argument;  // NULL: it takes none
  const char* help;
} OptionInfo;

extern const OptionInfo OPTIONS[OPTION_COUNT];

// Another name that an option has in one command.
typedef struct OptionAlias
{
  const char* name;
  Option option;
  const char* command;
} OptionAlias;

extern const OptionAlias OPTION_ALIASES[];
extern const int OPTION_ALIAS_COUNT;

enum
{
  MAX_OPERANDS = 64,
  MAX_VIA = 64,  // times that --via, --box and --contact may be given; a file may have more points
  MAX_WRENCHES = 64  // times that --wrench may be given
};

// Names in an option, with or without values: a,b,c and a=0.1,b=30 deg. A name with a comma is
// quoted together with its value, as in CSV: "left, upper=0.1".
typedef struct NameList
{
  int count;
  const char** names;  // (count)
  const char** texts;  // (count) what follows the "=", or NULL
  lwHold* values;      // (count) names and values of names_held(), or NULL
} NameList;

struct Command;

// What the command line gave. Strings are those of argv.
typedef struct Options
{
  const char* value[OPTION_COUNT];     // NULL: not given; "": given, takes no argument
  const char* operand;                 // NULL: not given
  const char* operands[MAX_OPERANDS];  // of commands that take many; the first is operand, too
  int operand_count;
  const char* via[MAX_VIA];  // of --via, --box or --contact, in order
  int via_count;
  const char* wrenches[MAX_WRENCHES];  // of --wrench, in order
  int wrench_count;
  NameList joints;     // --joints
  NameList at;         // --at, with values
  char* accept;        // --accept, a line for each warning
  double gravity[3];   // --gravity, m/s^2
  double base_rpy[3];  // --base-rpy, rad
  double density;      // --density, kg/m^3; 0: not given
  const char* second;  // operand of commands that take two; NULL: not given
  char** arguments;    // from the command's last word on, ended by NULL
  const struct Command* command;
} Options;

// Reads the arguments behind the command's name; ends the work under way if something is wrong.
void options_parse(const struct Command* command, int count, char** arguments, Options* options);

// Whether a list of options, "--q --qd", has this one. A word "@name" stands for those of a line of
// commands.txt.
bool option_listed(const char* list, const char* option);

// The name of the first option of a list that is given; NULL: none is.
const char* first_given(const Options* options, const char* list);

#endif
