// SPDX-License-Identifier: MIT
// The sizing table: three small tables for people, one sheet for programs.
#include <math.h>

#include "report/drive_report.h"
#include "report/joint_units.h"
#include "text/table_writer.h"

// --- cells

static lwCell peak(const lwSizing* sizing, lwLoad load)
{
  return lw_cell_number(sizing->sums[load].peak);
}

static lwCell rms(const lwSizing* sizing, lwLoad load)
{
  return lw_cell_number(lw_sizing_rms(sizing, load));
}

static lwCell headroom(const lwDrives* drives, int i, lwDriveLimit kind, double scale)
{
  lwLimitUse use;
  return lw_drives_limit(drives, i, kind, &use) ? lw_cell_number(scale * use.headroom)
                                                : lw_cell_text(NULL);
}

// Cells of what only a motor has.
static void without_motor(const lwDrives* drives, int i, lwCell* cells, int count)
{
  for (int k = 0; k < count && !lw_drives_joint(drives, i)->motor.given; ++k)
    cells[k] = lw_cell_text(NULL);
}

// The tightest limit, its headroom, when, and whether all are kept.
static void tightest(const lwDrives* drives, int i, lwCell cells[4], double scale)
{
  lwLimitUse use;
  bool any = lw_drives_tightest(drives, i, &use);
  cells[0] = lw_cell_text(any ? use.name : NULL);
  cells[1] = any ? lw_cell_number(scale * use.headroom) : lw_cell_text(NULL);
  cells[2] = any ? lw_cell_number(use.t) : lw_cell_text(NULL);
  cells[3] = lw_cell_flag(!any || !lw_limit_is_passed(&use));
}

static void name_cells(const lwDrives* drives, int i, lwCell cells[2])
{
  cells[0] = lw_cell_number(i + 1);
  cells[1] = lw_cell_text(lw_model_velocity(drives->model, i).name);
}

static void torque_cells(const lwSizing* sizing, lwCell cells[8])
{
  static const lwLoad loads[] = {LW_LOAD_RIGID, LW_LOAD_ROTOR, LW_LOAD_FRICTION, LW_LOAD_TORQUE};
  for (int k = 0; k < 4; ++k)
  {
    cells[2 * k]     = peak(sizing, loads[k]);
    cells[2 * k + 1] = rms(sizing, loads[k]);
  }
}

static void power_cells(const lwDrives* drives, int i, lwCell cells[7])
{
  const lwSizing* sizing    = &drives->sizing[i];
  const lwLoadSum* power    = &sizing->sums[LW_LOAD_POWER];
  const lwLoadSum* electric = &sizing->sums[LW_LOAD_ELECTRIC];
  cells[0]                  = peak(sizing, LW_LOAD_SPEED);
  cells[1]                  = peak(sizing, LW_LOAD_POWER);
  cells[2]                  = lw_cell_number(lw_sizing_mean(sizing, LW_LOAD_POWER));
  cells[3]                  = lw_cell_number(power->positive);
  cells[4]                  = lw_cell_number(fabs(power->negative));
  cells[5]                  = lw_cell_number(electric->positive);
  cells[6]                  = lw_cell_number(fabs(electric->negative));
  without_motor(drives, i, &cells[5], 2);
}

static void motor_cells(const lwDrives* drives, int i, lwCell cells[3])
{
  const lwSizing* sizing = &drives->sizing[i];
  cells[0]               = peak(sizing, LW_LOAD_CURRENT);
  cells[1]               = rms(sizing, LW_LOAD_CURRENT);
  cells[2]               = peak(sizing, LW_LOAD_VOLTAGE);
  without_motor(drives, i, cells, 3);
}

static void limit_cells(const lwDrives* drives, int i, lwCell cells[LW_DRIVE_LIMIT_COUNT + 4],
                        double scale)
{
  for (int kind = 0; kind < LW_DRIVE_LIMIT_COUNT; ++kind)
    cells[kind] = headroom(drives, i, (lwDriveLimit)kind, scale);
  tightest(drives, i, &cells[LW_DRIVE_LIMIT_COUNT], scale);
}

// --- one sheet

static const char COLUMNS[] =
    "joint=number,name,rigid_peak=rigid.peak,rigid_rms=rigid.rms,"
    "rotor_peak=rotor.peak,rotor_rms=rotor.rms,friction_peak=friction.peak,"
    "friction_rms=friction.rms,torque_peak=torque.peak,torque_rms=torque.rms,"
    "speed_peak,power_peak,power_mean,work,braking,drawn,regenerated,current_peak,"
    "current_rms,voltage_peak,position_headroom=headroom.position,"
    "effort_headroom=headroom.effort,velocity_headroom=headroom.velocity,"
    "voltage_headroom=headroom.voltage,current_headroom=headroom.current,tightest,"
    "tightest_headroom,tightest_time,ok";

static void full_row(const void* context, int i, lwCell* cells)
{
  const lwDrives* drives = context;
  name_cells(drives, i, cells);
  torque_cells(&drives->sizing[i], cells + 2);
  power_cells(drives, i, cells + 10);
  motor_cells(drives, i, cells + 17);
  limit_cells(drives, i, cells + 20, 1);
}

// --- tables

static const char TORQUE_COLUMNS[] = "joint,name,rigid,rms,rotor,rms,friction,rms,together,rms";

static void torque_row(const void* context, int i, lwCell* cells)
{
  const lwDrives* drives = context;
  name_cells(drives, i, cells);
  torque_cells(&drives->sizing[i], cells + 2);
}

static const char POWER_COLUMNS[] =
    "joint,name,speed,power,mean,work,braking,drawn,regenerated,current,rms,voltage";

static void power_row(const void* context, int i, lwCell* cells)
{
  const lwDrives* drives = context;
  name_cells(drives, i, cells);
  power_cells(drives, i, cells + 2);
  motor_cells(drives, i, cells + 9);
}

static const char LIMIT_COLUMNS[] =
    "joint,name,position,effort,velocity,voltage,current,tightest,headroom,t,within";

static void limit_row(const void* context, int i, lwCell* cells)
{
  const lwDrives* drives = context;
  name_cells(drives, i, cells);
  limit_cells(drives, i, cells + 2, 100);
}

#define SHEET(drives, columns_, row_, units)                                                       \
  (lwSheet)                                                                                        \
  {                                                                                                \
    .columns = columns_, .unit = units, .rows = lw_model_dof((drives)->model), .row = row_,        \
    .context = drives                                                                              \
  }

static void write_tables(lwOut* out, const lwDrives* drives)
{
  const char* N              = lw_joints_unit(drives->model, LW_JOINT_QUANTITY_EFFORT);
  const char* speed          = lw_joints_unit(drives->model, LW_JOINT_QUANTITY_VELOCITY);
  const char* torque_units[] = {"", "", N, N, N, N, N, N, N, N};
  const char* power_units[]  = {"", "", speed, "W", "W", "J", "J", "J", "J", "A", "A", "V"};
  const char* limit_units[]  = {"", "", "%", "%", "%", "%", "%", "", "%", "s", ""};
  lwSheet torques            = SHEET(drives, TORQUE_COLUMNS, torque_row, torque_units);
  lwSheet powers             = SHEET(drives, POWER_COLUMNS, power_row, power_units);
  lwSheet limits             = SHEET(drives, LIMIT_COLUMNS, limit_row, limit_units);
  double drawn = 0, regenerated = 0;
  int motors = 0, dof = lw_model_dof(drives->model);
  for (int i = 0; i < dof; ++i)
  {
    drawn += drives->sizing[i].sums[LW_LOAD_ELECTRIC].positive;
    regenerated -= drives->sizing[i].sums[LW_LOAD_ELECTRIC].negative;
    motors += lw_drives_joint(drives, i)->motor.given;
  }
  if (dof > 0)
    lw_out_format(out, "%s: t = %g to %g s, %ld samples\n", lw_model_name(drives->model),
                  drives->sizing[0].begin, drives->sizing[0].end, drives->sizing[0].count);
  lw_out_text(out, "\ntorque or force of each joint: peaks, each with its rms\n");
  lw_sheet_write(out, LW_FORMAT_TABLE, &torques);
  lw_out_text(out, "\npeak speed, peak and mean power, energy, motor current and voltage\n");
  lw_sheet_write(out, LW_FORMAT_TABLE, &powers);
  if (motors > 0)
    lw_out_format(out, "all motors: %.6g J drawn, %.6g J regenerated\n", drawn, regenerated);
  if (motors < dof)
    lw_out_format(out, "%d of %d joints %s no motor: no current and voltage for %s\n", dof - motors,
                  dof, dof - motors == 1 ? "has" : "have", dof - motors == 1 ? "it" : "them");
  lw_out_text(out,
              "\nheadroom: what is left of the limit (of the range, for a position) at the worst "
              "time t\n");
  lw_sheet_write(out, LW_FORMAT_TABLE, &limits);
}

void lw_drives_write(lwOut* out, lwFormat format, const lwDrives* drives)
{
  lwSheet all = SHEET(drives, COLUMNS, full_row, NULL);
  if (format == LW_FORMAT_TABLE)
    write_tables(out, drives);
  else
    lw_sheet_write(out, format, &all);
}
