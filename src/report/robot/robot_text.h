// SPDX-License-Identifier: MIT
// Robot files as text: YAML in the form of docs/formats.md, and URDF.
//
// Numbers are written with the fewest digits, at most 17, that read back to the same double.
#ifndef LW_REPORT_ROBOT_ROBOT_TEXT_H
#define LW_REPORT_ROBOT_ROBOT_TEXT_H

#include <stdbool.h>

#include "base/number.h"
#include "linkwork/write.h"
#include "report/robot/robot_names.h"
#include "text/out.h"

// What to write beside the robot itself.
typedef struct lwRemarks
{
  const char* heading;  // lines of a comment at the top, or NULL
  const char* const*
      joints;  // (count) a comment of one line for each joint, or NULL; NULL: none at all
} lwRemarks;

// Writes a robot file. All its DH joints are of one convention.
void lw_robot_write_yaml(lwOut* out, const lwRobotDef* robot, const lwRemarks* remarks);

// Writes a URDF file. All its joints are placed with origin and axis.
void lw_robot_write_urdf(lwOut* out, const lwRobotDef* robot, const lwRemarks* remarks);

// Writes an MJCF file of a robot that lw_mjcf_cannot() finds nothing about.
void lw_robot_write_mjcf(lwOut* out, const lwRobotDef* robot, const lwRemarks* remarks);

enum
{
  LW_MJCF_DEPTH = 48  // bodies inside each other that are written
};

// Why MJCF cannot hold a robot whose joints are placed with origin and axis: what to say of joint
// *joint; NULL: it can.
const char* lw_mjcf_cannot(const lwRobotDef* robot, int* joint);

// Parts of a robot that a file of some form cannot hold.
typedef enum lwLoss
{
  LW_LOSS_LOOPS,  // with starts and passive joints
  LW_LOSS_CYLINDERS,
  LW_LOSS_MOTORS,
  LW_LOSS_LIMITS,
  LW_LOSS_GRAVITY,
  LW_LOSS_SHAPES,
  LW_LOSS_COUNT
} lwLoss;

extern const char* const LW_LOSS_NAMES[LW_LOSS_COUNT];

// Writes, line by line, what a file of a format cannot hold of the description, and what it has
// instead. Returns a set of 1 << lwLoss. Cylinders are not part of a description.
unsigned lw_robot_write_losses(lwOut* out, const lwRobotDef* robot, lwRobotFormat format);

// A text that owns the bytes, with a 0 behind them; NULL: out of memory.
lwText* lw_text_of(char* bytes, size_t length);

// --- between the writers

// A comment of XML, which must not contain "--" or end with "-".
void lw_xml_comment(lwOut* out, const char* indent, const char* text);

// A number with as few digits as possible, up to 17.
const char* lw_digits(double x, char buffer[LW_NUMBER_SIZE]);

// The numbers, with `join` between them.
void lw_write_numbers(lwOut* out, const double* numbers, int count, const char* join);

// True if a position of the joint is limited, on one side at least.
bool lw_is_limited(const lwLimits* limits);

// True if mass, centre of mass or inertia is not zero.
bool lw_link_has_mass(const lwLinkDef* link);

#endif
