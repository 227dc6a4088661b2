// SPDX-License-Identifier: MIT
// States of a robot: one from the options, or many from the lines of a CSV file.
#ifndef APP_STATES_STATES_H
#define APP_STATES_STATES_H

#include "app.h"

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

// Memory for states that are answered together; groups that are not in the set are zeros.
void block_create(lwCsvBlock* block, const lwModel* model, unsigned groups, int capacity);
lwStates block_states(const lwCsvBlock* block);
lwStates block_state(const lwCsvBlock* block, const lwModel* model, int row);  // one of them

// "0.1,90 deg" or "waist=0.1, elbow=30 deg", where joints not named are zero (where the file closes
// them, if the robot has loops), into values: nq of positions, dof of others.
void joint_values(const lwModel* model, Option option, const char* text, double* values);

// As joint_values(), but joints not named keep what is in values; with loops, also for the driven
// joints alone, in order.
void driven_values(const lwModel* model, Option option, const char* text, double* values);

// Whether entry i of a group, of q or of velocities, is that of a driven joint.
bool entry_is_driven(const lwModel* model, Group group, int i);

// Ends the command with the code if a quaternion of positions (nq) is wrong; where: they come from.
void positions_check(const lwModel* model, const char* where, int code, const double* q);

// Ends the command if loops are not closed in one of the rows (rows, nq) of a file, from its row
// `first` (from 1): a mechanism that is torn apart is none.
void closed_check(const lwModel* model, const char* file, long first, const double* q, size_t rows);

// Ends the command if a recorded point, x, y, z (rows, 3) of simulate, is fixed to no link of the
// robot in its positions (rows, nq): the recording is that of another robot.
void carried_check(const lwModel* model, const char* file, const char* robot, const double* q,
                   const double* xyz, size_t rows);

// The SI unit of entry i of what the option gives: rad, m/s, N m and so on; "" of a quaternion.
const char* joint_unit(const lwModel* model, Option option, int i);
const char* joints_unit(const lwModel* model, Option option);  // of all, "rad|m" where they differ

// What a command reads of a table of states, as sets of LW_INPUT_.. and INPUT_TIME.
typedef struct StateNeeds
{
  unsigned inputs;    // that are used; q must be there
  unsigned required;  // of these, others that must be there; t then has to increase
  bool links;         // wrenches may be on any link: wrenches_open() is to follow
} StateNeeds;

// Reads the header line. DONE, or INPUT with the message in lines->message.
int states_header(lwCsvHeader* header, lwLines* lines, const lwModel* model, StateNeeds needs);

// lw_csv_next_block() of a file of states, which also refuses quaternions that are no rotations and
// looks at the ranges of positions. DONE, or INPUT with the message in csv->lines.
int states_read(lwCsvFile* csv);

// The file of --in with memory for that many of its states, held by the scope, and its next states;
// false at its end. Both end the command if something is wrong.
lwCsvFile* states_file(const Options* options, const lwModel* model, StateNeeds needs, int rows);
bool states_more(lwCsvFile* csv);

// States of --in, perhaps with a column t; without --in the one state of the options, which is
// read, with a wrench on the last link only (others: wrench_options.h).
lwCsvFile* states_of(const Options* options, const lwModel* model, unsigned inputs, int rows);
lwCsvFile* state_of(const Options* options, const lwModel* model, unsigned inputs);
void states_check_options(const Options* options);  // that give them either way, not both

// For states of which only driven joints are given: those of the others follow from closed loops,
// their torques are zero. Positions are next to those of the row before, at first the file's.
typedef struct Follower
{
  const lwModel* model;
  lwLoops* loops;
  bool lacks[GROUP_WRENCH];  // groups that have driven joints only
  bool begins_only;          // others only get values to begin with
  double* q;                 // (nq) of the row before
  double* still;             // (dof) zeros
  double* given;             // (dof) what is completed
} Follower;

Follower* follower_of(lwCsvFile* csv, const lwModel* model);  // csv->user, made if there is none
void complete_state(lwCsvFile* csv, int row);  // ends the command where loops cannot be closed

// The entries of q, of qd and qdd, or of tau.
lwCoordinate coordinate(const lwModel* model, Group group, int i);

const char* const* joint_names(const lwModel* model, Group group);  // of its entries

// The name of column i: q1, or with `names` q.elbow. The symbol says what it is an entry of.
void joint_column(const lwModel* model, const char* symbol, int i, bool names,
                  char name[LW_ROW_NAME]);

// The name of column k of q, qd, qdd.
void motion_column(const lwModel* model, size_t k, bool names, char name[LW_ROW_NAME]);

#endif
