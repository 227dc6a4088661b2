// SPDX-License-Identifier: MIT
// swartz1982, "Arm Dynamics Simulation": from parts to a manipulator, its voltages,
// and back to its motion.
#include "swartz1982.h"

#include <math.h>

#include "page_formulas.h"
#include "papers.h"

// --- states

State state_draw(lwRandom* random)
{
  State state;
  for (int k = 0; k < JOINTS; ++k)
  {
    state.q[k]    = lw_random_between(random, -3, 3);
    state.qd[k]   = lw_random_between(random, -3, 3);
    state.qdd[k]  = lw_random_between(random, -10, 10);
    state.hand[k] = lw_random_between(random, -20, 20);
  }
  return state;
}

double order_of(const PageSeries* series, int column)
{
  size_t last = series->rows - 1;
  return log2(series_value(series, last - 1, column) / series_value(series, last, column));
}

// --- arms

const lwRobotDef* arm_robot(const SwartzArm* arm)
{
  return lw_model_robot(arm->model);
}

const lwMotor* arm_motor(const SwartzArm* arm, int k)
{
  return &arm_robot(arm)->joints[k].motor;
}

static lwWorkspace* make_work(Page* page, const lwModel* model, const char* inverse,
                              const char* inertia)
{
  lwWorkspace* ws    = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  def.inverse        = inverse;
  def.inertia        = inertia;
  def.forward        = inertia;
  page_check(page, lw_workspace_create(model, &def, NULL, &ws));
  return ws;
}

static void make_arm_works(Page* page, SwartzArm* arm)
{
  if (page->status != DONE) return;
  arm->ws       = make_work(page, arm->model, "newton-euler", "walker-orin-3");
  arm->columns  = make_work(page, arm->model, "newton-euler", "walker-orin-1");
  arm->lagrange = make_work(page, arm->model, "lagrange-uicker-kahn", "composite-body");
}

static void arm_free(SwartzArm* arm)
{
  lw_workspace_destroy(arm->ws);
  lw_workspace_destroy(arm->columns);
  lw_workspace_destroy(arm->lagrange);
  lw_model_destroy(arm->model);
}

// The Manipulator Database: the robot file, whose links come from the parts.
static void make_arm(SwartzStudy* study)
{
  Page* page             = study->page;
  lwDiag* diag           = lw_diag_create();
  lwStatus status        = lw_parts_read_text("parts/ddarm.yaml", paper_ddarm_parts_text,
                                              paper_ddarm_parts_length, NULL, diag, &study->parts);
  lwModelOptions options = {.read.parts = study->parts};
  if (status == LW_OK)
    status = lw_robot_read_text("robots/ddarm.yaml", paper_ddarm_text, paper_ddarm_length, &options,
                                diag, &study->arm.model);
  if (diag && status != LW_OK) errors_print(diag);
  lw_diag_destroy(diag);
  if (page_check(page, status) != DONE) return;
  if (lw_model_dof(study->arm.model) != JOINTS)
    page_fail(page, INPUT, "robots/ddarm.yaml must have %d joints", JOINTS);
  make_arm_works(page, &study->arm);
}

// An arm on which no term of an equation vanishes.
static void make_general(SwartzStudy* study)
{
  if (study->page->status != DONE) return;
  lwRandom random  = {1982};
  lwRobotDef robot = *arm_robot(&study->arm);
  lwJointDef joints[JOINTS];
  for (int k = 0; k < JOINTS; ++k)
  {
    joints[k]       = robot.joints[k];
    joints[k].alpha = lw_random_between(&random, -3, 3);
    joints[k].a     = lw_random_between(&random, -0.5, 0.5);
    joints[k].d     = lw_random_between(&random, -0.5, 0.5);
    joints[k].theta = lw_random_between(&random, -3, 3);
    for (int i = 0; i < 3; ++i) joints[k].link.com[i] += lw_random_between(&random, -0.1, 0.1);
  }
  robot.joints = joints;
  robot.places = NULL;
  page_check(study->page, lw_model_create(&robot, NULL, NULL, &study->general.model));
  make_arm_works(study->page, &study->general);
}

static void swartz_formulas(Page* page)
{
  static const FormulaAnswer answers[] = {{"tau", false, false}, {"H", true, true}};
  page_formulas(page,
                &(PageFormulas){"inverse-arm", paper_swartz1982_equations_text,
                                paper_swartz1982_equations_length, FRAMES_STANDARD, 2, answers});
}

void paper_swartz1982(Page* page)
{
  static void (*const parts[])(SwartzStudy*) = {
      report_description, report_database,   report_equations, report_drives,  report_cost,
      report_kutta,       report_round_trip, report_schedule,  report_program,
  };
  SwartzStudy study = {.page = page};
  make_arm(&study);
  make_general(&study);
  swartz_formulas(page);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && page->status == DONE; ++i)
    parts[i](&study);
  arm_free(&study.general);
  arm_free(&study.arm);
  lw_parts_destroy(study.parts);
}
