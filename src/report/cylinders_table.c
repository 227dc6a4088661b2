// SPDX-License-Identifier: MIT
#include "report/cylinders_table.h"

#include <math.h>

#include "text/table_writer.h"

// --- the table of a motion

static const char MOTION_COLUMNS[] =
    "cylinder,force_peak,force_time,pressure_peak,speed_peak,flow_peak,power_peak,"
    "stroke_least,stroke_most,buckling_safety,buckling_length,stiffness_least,beyond";

typedef struct CylinderRows
{
  const lwCylinders* cylinders;
  const lwCylinderSizing* sizing;  // (count)
} CylinderRows;

static void motion_row(const void* context, int k, lwCell* cells)
{
  const CylinderRows* motion  = context;
  const lwCylinderSizing* got = &motion->sizing[k];
  const lwCylinderDef* def    = lw_cylinders_get(motion->cylinders, k);
  double push                 = got->push.value;
  double buckling             = push > 0 ? lw_cylinder_buckling_length(def, push, 1) : INFINITY;
  const double numbers[]      = {
           got->force.value,    got->force.t,     got->pressure.value, got->speed.value,
           got->flow.value,     got->power.value, got->shortest.value, got->longest.value,
           got->buckling.value, buckling,         got->softest.value};
  cells[0] = lw_cell_text(def->name);
  lw_cells_numbers(cells + 1, numbers, 11);
  cells[12] = lw_cell_text(lw_cylinder_sizing_beyond(got, def));
}

void lw_cylinder_motion_write(lwOut* out, lwFormat format, const lwCylinders* cylinders,
                              const lwCylinderSizing* sizing)
{
  static const char* const units[] = {"",  "N", "s", "Pa", "m/s", "m^3/s", "W",
                                      "m", "m", "",  "m",  "N/m", ""};
  const CylinderRows motion        = {cylinders, sizing};
  lwSheet sheet                    = {.columns = MOTION_COLUMNS,
                                      .unit    = units,
                                      .rows    = lw_cylinders_count(cylinders),
                                      .row     = motion_row,
                                      .context = &motion};
  lw_sheet_write(out, format, &sheet);
}

// --- one state

static const char STATE_COLUMNS[] =
    "cylinder,joint,arm,length,stroke,speed,force,torque,pressure_bore,pressure_rod,"
    "flow,stiffness,joint_stiffness,buckling_force";

static void state_row(const void* context, int row, lwCell* cells)
{
  const lwCylinderState* state = context;
  int i                        = state->shown[row];
  int dof = lw_model_dof(state->model), k = i / dof, j = i % dof;
  const lwCylinderDef* def = lw_cylinders_get(state->cylinders, k);
  double length = state->length[k], s = length - def->closed_length, pressure[2];
  double arm = state->arms[i], force = state->force[k];
  double speed = state->sizing[k].speed.value, stiffness = lw_cylinder_stiffness(def, s);
  lw_cylinder_pressures(def, force, pressure);
  const double numbers[] = {arm,
                            length,
                            s,
                            speed,
                            force,
                            force * arm,
                            pressure[0],
                            pressure[1],
                            lw_cylinder_flow(def, speed),
                            stiffness,
                            state->K[j * dof + j],
                            lw_cylinder_buckling(def, s)};
  cells[0]               = lw_cell_text(def->name);
  cells[1]               = lw_cell_text(lw_model_velocity(state->model, j).name);
  lw_cells_numbers(cells + 2, numbers, 12);
}

void lw_cylinder_state_write(lwOut* out, lwFormat format, const lwCylinderState* state)
{
  static const char* const units[] = {"",    "",   "m",  "m",     "m",   "m/s",     "N",
                                      "N m", "Pa", "Pa", "m^3/s", "N/m", "N m/rad", "N"};
  lwSheet sheet                    = {.columns = STATE_COLUMNS,
                                      .unit    = units,
                                      .rows    = state->rows,
                                      .row     = state_row,
                                      .context = state};
  lw_sheet_write(out, format, &sheet);
}
