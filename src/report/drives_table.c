// SPDX-License-Identifier: MIT
// How close a motion comes to the limits of the joints, and the sizing table: three small tables
// for people, one sheet for programs.
#include <math.h>
#include <string.h>

#include "report/drive_report.h"
#include "report/joint_units.h"
#include "text/table_writer.h"

// --- limits

static const double ROUNDING = 1e-9;  // of a limit

static const struct
{
  const char* name;
  lwLoad load;
  const char* units[2];  // of what turns, of what slides
} LIMITS[LW_DRIVE_LIMIT_COUNT] = {
    [LW_DRIVE_LIMIT_POSITION] = {"position", LW_LOAD_COUNT, {"rad", "m"}},
    [LW_DRIVE_LIMIT_EFFORT]   = {"effort", LW_LOAD_TORQUE, {"N m", "N"}},
    [LW_DRIVE_LIMIT_VELOCITY] = {"velocity", LW_LOAD_SPEED, {"rad/s", "m/s"}},
    [LW_DRIVE_LIMIT_VOLTAGE]  = {"voltage", LW_LOAD_VOLTAGE, {"V", "V"}},
    [LW_DRIVE_LIMIT_CURRENT]  = {"current", LW_LOAD_CURRENT, {"A", "A"}}};

const lwJointDef* lw_drives_joint(const lwDrives* drives, int i)
{
  return &lw_model_robot(drives->model)->joints[lw_model_joint(drives->model, i)];
}

// The distance from the nearer end, as a fraction of the range, or of the
// end itself if the other end is free.
static bool position_limit(const lwSizing* sizing, const lwLimits* limits, lwLimitUse* use)
{
  bool lower = isfinite(limits->lower), upper = isfinite(limits->upper);
  double range = lower && upper ? limits->upper - limits->lower : 0;
  if (!lower && !upper) return false;
  if (!(range > 0)) range = fmax(fabs(lower ? limits->lower : limits->upper), 1);
  bool at_upper = !lower || (upper && sizing->margin_q > 0.5 * (limits->lower + limits->upper));
  use->headroom = sizing->margin / range;
  use->t        = sizing->margin_time;
  use->peak     = sizing->margin_q;
  use->limit    = at_upper ? limits->upper : limits->lower;
  return true;
}

bool lw_drives_limit(const lwDrives* drives, int i, lwDriveLimit kind, lwLimitUse* use)
{
  const lwSizing* sizing  = &drives->sizing[i];
  const lwJointDef* joint = lw_drives_joint(drives, i);
  lwLoad load             = LIMITS[kind].load;
  bool slides             = lw_model_velocity(drives->model, i).slides;
  *use = (lwLimitUse){.name = LIMITS[kind].name, .unit = LIMITS[kind].units[slides]};
  if (kind == LW_DRIVE_LIMIT_POSITION) return position_limit(sizing, &joint->limits, use);
  use->limit    = lw_joint_limit(joint, load);
  use->t        = sizing->sums[load].peak_time;
  use->peak     = sizing->sums[load].peak;
  use->headroom = 1 - fabs(use->peak) / use->limit;
  return isfinite(use->limit);
}

bool lw_drives_tightest(const lwDrives* drives, int i, lwLimitUse* use)
{
  bool any = false;
  for (int kind = 0; kind < LW_DRIVE_LIMIT_COUNT; ++kind)
  {
    lwLimitUse other;
    if (!lw_drives_limit(drives, i, (lwDriveLimit)kind, &other)) continue;
    if (kind == LW_DRIVE_LIMIT_POSITION && !lw_limit_is_passed(&other)) continue;
    if (!any || other.headroom < use->headroom) *use = other;
    any = true;
  }
  return any;
}

bool lw_limit_is_passed(const lwLimitUse* use)
{
  return use->headroom < -ROUNDING;
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

enum  // where columns begin
{
  AT_TORQUE = 2,
  AT_POWER  = 10,
  AT_MOTOR  = 15,  // what only a motor has
  AT_LIMITS = 20,
  AT_END    = 29
};

// The names of the joints, and the columns from first to end.
typedef struct DriveSheet
{
  const lwDrives* drives;
  int first, end;
  double scale;  // of headroom: 100 for per cent
} DriveSheet;

static void drive_row(const void* context, int i, lwCell* cells)
{
  static const lwLoad loads[] = {LW_LOAD_RIGID, LW_LOAD_ROTOR, LW_LOAD_FRICTION, LW_LOAD_TORQUE};
  const DriveSheet* sheet     = context;
  const lwDrives* drives      = sheet->drives;
  const lwSizing* sizing      = &drives->sizing[i];
  const lwLoadSum *power = &sizing->sums[LW_LOAD_POWER], *drawn = &sizing->sums[LW_LOAD_ELECTRIC];
  lwCell all[AT_END] = {lw_cell_number(i + 1),
                        lw_cell_text(lw_model_velocity(drives->model, i).name)};
  for (int k = 0; k < 4; ++k)
  {
    all[AT_TORQUE + 2 * k]     = lw_cell_number(sizing->sums[loads[k]].peak);
    all[AT_TORQUE + 2 * k + 1] = lw_cell_number(lw_sizing_rms(sizing, loads[k]));
  }
  const double powers[] = {sizing->sums[LW_LOAD_SPEED].peak,
                           power->peak,
                           lw_sizing_mean(sizing, LW_LOAD_POWER),
                           power->positive,
                           fabs(power->negative),
                           drawn->positive,
                           fabs(drawn->negative),
                           sizing->sums[LW_LOAD_CURRENT].peak,
                           lw_sizing_rms(sizing, LW_LOAD_CURRENT),
                           sizing->sums[LW_LOAD_VOLTAGE].peak};
  bool motor            = lw_drives_joint(drives, i)->motor.given;
  lw_cells_numbers(all + AT_POWER, powers, (motor ? AT_LIMITS : AT_MOTOR) - AT_POWER);
  lwLimitUse use;
  lwCell* limits = all + AT_LIMITS;
  for (int kind = 0; kind < LW_DRIVE_LIMIT_COUNT; ++kind)
    if (lw_drives_limit(drives, i, (lwDriveLimit)kind, &use))
      limits[kind] = lw_cell_number(sheet->scale * use.headroom);
  bool any = lw_drives_tightest(drives, i, &use);
  if (any)
  {
    limits[LW_DRIVE_LIMIT_COUNT]     = lw_cell_text(use.name);
    limits[LW_DRIVE_LIMIT_COUNT + 1] = lw_cell_number(sheet->scale * use.headroom);
    limits[LW_DRIVE_LIMIT_COUNT + 2] = lw_cell_number(use.t);
  }
  all[AT_END - 1] = lw_cell_flag(!any || !lw_limit_is_passed(&use));
  memcpy(cells, all, AT_TORQUE * sizeof *cells);
  memcpy(cells + AT_TORQUE, all + sheet->first,
         (size_t)(sheet->end - sheet->first) * sizeof *cells);
}

static void write_sheet(lwOut* out, lwFormat format, DriveSheet part, const char* columns,
                        const char* const* units)
{
  lwSheet sheet = {.columns = columns,
                   .unit    = units,
                   .rows    = lw_model_dof(part.drives->model),
                   .row     = drive_row,
                   .context = &part};
  lw_sheet_write(out, format, &sheet);
}

// --- tables

static void write_tables(lwOut* out, const lwDrives* drives)
{
  const char* N              = lw_joints_unit(drives->model, LW_JOINT_QUANTITY_EFFORT);
  const char* speed          = lw_joints_unit(drives->model, LW_JOINT_QUANTITY_VELOCITY);
  const char* torque_units[] = {"", "", N, N, N, N, N, N, N, N};
  const char* power_units[]  = {"", "", speed, "W", "W", "J", "J", "J", "J", "A", "A", "V"};
  const char* limit_units[]  = {"", "", "%", "%", "%", "%", "%", "", "%", "s", ""};
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
  write_sheet(out, LW_FORMAT_TABLE, (DriveSheet){drives, AT_TORQUE, AT_POWER, 1},
              "joint,name,rigid,rms,rotor,rms,friction,rms,together,rms", torque_units);
  lw_out_text(out, "\npeak speed, peak and mean power, energy, motor current and voltage\n");
  write_sheet(out, LW_FORMAT_TABLE, (DriveSheet){drives, AT_POWER, AT_LIMITS, 1},
              "joint,name,speed,power,mean,work,braking,drawn,regenerated,current,rms,voltage",
              power_units);
  if (motors > 0)
    lw_out_format(out, "all motors: %.6g J drawn, %.6g J regenerated\n", drawn, regenerated);
  if (motors < dof)
    lw_out_format(out, "%d of %d joints %s no motor: no current and voltage for %s\n", dof - motors,
                  dof, dof - motors == 1 ? "has" : "have", dof - motors == 1 ? "it" : "them");
  lw_out_text(out,
              "\nheadroom: what is left of the limit (of the range, for a position) at the worst "
              "time t\n");
  write_sheet(out, LW_FORMAT_TABLE, (DriveSheet){drives, AT_LIMITS, AT_END, 100},
              "joint,name,position,effort,velocity,voltage,current,tightest,headroom,t,within",
              limit_units);
}

void lw_drives_write(lwOut* out, lwFormat format, const lwDrives* drives)
{
  if (format == LW_FORMAT_TABLE)
    write_tables(out, drives);
  else
    write_sheet(out, format, (DriveSheet){drives, AT_TORQUE, AT_END, 1}, COLUMNS, NULL);
}
