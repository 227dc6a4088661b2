// SPDX-License-Identifier: MIT
// States of a robot: one from the options, or many from the lines of a CSV file.
#ifndef APP_STATES_STATES_H
#define APP_STATES_STATES_H

#include "app.h"
#include "io/csv.h"

// The inputs of a question, in the order of LW_INPUT_Q .. LW_INPUT_WRENCH.
typedef enum Group
{
  GROUP_Q,
  GROUP_QD,
  GROUP_QDD,
  GROUP_TAU,
  GROUP_WRENCH,
  GROUP_COUNT,
  GROUP_T = GROUP_COUNT,  // time; without an option
  GROUP_LINKS,            // wrenches on links, fx.LINK..: wrench_options.h
  GROUP_ALL
} Group;

enum
{
  INPUT_TIME = 1 << 16  // besides LW_INPUT_..: the column t
};

typedef struct GroupInfo
{
  const char* name;  // of the columns: "qd" of qd1; "wrench" has names of its own
  unsigned input;    // LW_INPUT_..
  Option option;
} GroupInfo;

extern const GroupInfo GROUPS[GROUP_ALL];

int group_width(const lwModel* model, Group group);  // values of one state

// Room for states that are answered together; groups that are not in the set are zeros. Prints what
// is wrong and returns INPUT, or DONE.
int block_create(lwCsvBlock* block, const lwModel* model, unsigned groups, int capacity);
lwStates block_states(const lwCsvBlock* block);
lwStates block_state(const lwCsvBlock* block, const lwModel* model, int row);  // one of them

// "0.1,90 deg" or "waist=0.1, elbow=30 deg", where joints not named are zero (where the file closes
// them, if the robot has loops), into values: nq of positions, dof of others.
// Prints what is wrong and returns USAGE, or DONE.
int joint_values(const lwModel* model, Option option, const char* text, double* values);

// The same, but joints not named keep what is in values.
int joint_values_over(const lwModel* model, Option option, const char* text, double* values);

// Whether entry i of a group, of q or of velocities, is that of a driven joint.
bool entry_is_driven(const lwModel* model, Group group, int i);

// The same for values that exist already; with loops, also for the driven ones alone, in order.
int driven_values(const lwModel* model, Option option, const char* text, double* values);

// Checks the quaternions of positions (nq). Prints what is wrong, naming where they come from, and
// returns code, or DONE.
int positions_check(const lwModel* model, const char* where, int code, const double* q);

// Whether loops are closed in all rows (rows, nq) of a file: a mechanism that is torn apart is
// none. DONE, or INPUT, which is printed.
int closed_check(const lwModel* model, const char* file, const double* q, size_t rows);

// The SI unit of entry i of what the option gives: rad, m/s, N m and so on; "" of a quaternion.
const char* joint_unit(const lwModel* model, Option option, int i);
const char* joints_unit(const lwModel* model, Option option);  // of all, "rad|m" where they differ

// The single state of the options, with a wrench on the last link only (others: wrench_options.h):
// one row. Prints what is wrong and returns USAGE, or DONE.
int state_from_options(const Options* options, const lwModel* model, unsigned inputs,
                       lwCsvBlock* block);

// What a command reads of a table of states, as sets of LW_INPUT_.. and INPUT_TIME.
typedef struct StateNeeds
{
  unsigned inputs;    // that are used; q must be there
  unsigned required;  // of these, others that must be there; t then has to increase
  bool links;         // wrenches may be on any link: wrenches_open() is to follow
} StateNeeds;

// Reads the header line. DONE, or INPUT with the message in lines->message.
int states_header(lwCsvHeader* header, lwLines* lines, const lwModel* model, StateNeeds needs);

// Opens a file of states and reads its header line. DONE, or INPUT after printing what is wrong.
int states_open(lwCsvHeader* header, lwLines* lines, const char* path, const lwModel* model,
                StateNeeds needs);

// lw_csv_rows(), which also looks at the ranges of positions.
int states_rows(lwCsvHeader* header, lwLines* lines, lwCsvBlock* block);

// The file of --in with room for that many of its states, held by the scope, and its next states;
// false at its end. Both end the command if something is wrong.
lwCsvFile* states_file(const Options* options, const lwModel* model, StateNeeds needs, int rows);
bool states_more(lwCsvFile* csv);

// The same, perhaps with a column t; without --in the one state of the options, which is read.
lwCsvFile* states_of(const Options* options, const lwModel* model, unsigned inputs, int rows);
void states_check_options(const Options* options);  // that give them either way, not both

// The entries of q, of qd and qdd, or of tau.
lwCoordinate coordinate(const lwModel* model, Group group, int i);

// The names of a group's entries, in memory of the arena; NULL: there is not enough.
const char* const* joint_names(const lwModel* model, Group group, lwArena* arena);

// The name of column i: q1, or with `names` q.elbow. The symbol says what it is an entry of.
void joint_column(const lwModel* model, const char* symbol, int i, bool names,
                  char name[LW_ROW_NAME]);

// Bytes that the longest line of a file of states may have.
size_t states_line_bytes(const lwModel* model);

#endif
