// SPDX-License-Identifier: MIT
// States of a robot, from the options of one or from the lines of a CSV file.
#ifndef APP_STATES_STATES_H
#define APP_STATES_STATES_H

#include "app.h"
#include "io/lines.h"

// The inputs of a question, in the order of LW_INPUT_Q .. LW_INPUT_WRENCH.
typedef enum Group
{
  GROUP_Q,
  GROUP_QD,
  GROUP_QDD,
  GROUP_TAU,
  GROUP_WRENCH,
  GROUP_COUNT,
  GROUP_T = GROUP_COUNT,  // time, of commands about motions; without an option
  GROUP_ALL
} Group;

enum
{
  OF_MOTION = 1 << 16  // among the inputs: t is needed and increasing, and so are qd and qdd needed
};

typedef struct GroupInfo
{
  const char* name;  // of the columns: "qd" of qd1; "wrench" has names of its own
  unsigned input;    // LW_NEEDS_..
  Option option;
} GroupInfo;

extern const GroupInfo GROUPS[GROUP_ALL];
extern const char* const WRENCH_COLUMNS[6];

int group_width(const lwModel* model, Group group);  // values of one state

// States that are answered together.
typedef struct Block
{
  int capacity;               // states
  int count;                  // states in it
  long first;                 // number of the first one, counted from 1 through the whole input
  double time;                // of the state read last, s; with OF_MOTION
  double* values[GROUP_ALL];  // (capacity, group_width()), or NULL: not given, zeros
} Block;

int block_create(Block* block, const lwModel* model, unsigned groups, int capacity);
void block_destroy(Block* block);
lwStates block_states(const Block* block);

// "0.1,90 deg" or "waist=0.1, elbow=30 deg", where joints not named are zero, into values (dof).
// Prints what is wrong and returns USAGE, or DONE.
int joint_values(const lwModel* model, Option option, const char* text, double* values);

// The SI unit of what the option gives for moving joint i: rad, m/s, N m and so on.
const char* joint_unit(const lwModel* model, Option option, int i);

// The single state of the options: one row. Prints what is wrong and returns USAGE, or DONE.
int state_from_options(const Options* options, const lwModel* model, unsigned inputs, Block* block);

// Where the values of a column go.
typedef struct Target
{
  int group;  // -1: nowhere, the column is ignored
  int index;
} Target;

typedef struct Header
{
  int columns;
  Target* targets;  // (columns)
  char** names;     // (columns), for messages
  unsigned groups;  // set of 1 << Group that the file has and the question uses
} Header;

// Reads the header line; inputs are those of the question. DONE, or INPUT with the message in
// lines->message.
int header_read(Header* header, Lines* lines, const lwModel* model, unsigned inputs);
void header_destroy(Header* header);

// Bytes that the longest line of a file of states may have.
size_t states_line_bytes(const lwModel* model);

// Fills the block with the lines that follow, block->count of them, 0 at the end. When a line is
// wrong, returns INPUT with the message in lines->message; the states before it are in the block.
int states_read(const Header* header, Lines* lines, const lwModel* model, Block* block);

// The same for rows of other groups, of which widths says how many values each has.
int rows_read(const Header* header, Lines* lines, const int widths[GROUP_ALL], Block* block);

#endif
