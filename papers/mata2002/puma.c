// SPDX-License-Identifier: MIT
#include "puma.h"

#include <math.h>
#include <string.h>

#include "linkwork/read.h"
#include "math/rotation.h"
#include "papers.h"

static const double DEGREE = 0.017453292519943295;  // rad

// --- the start

static void copy_data(Page* page, const char* id, int count, double* values)
{
  Values data = page_data(page, id);
  for (int i = 0; i < count; ++i) values[i] = data.count == count ? data.at[i] : NAN;
}

// Rz(a) Ry(b) Rz(c)
static void rotation_zyz(const double angles[3], double rotation[9])
{
  double first[9], second[9];
  lw_rotation_rpy((double[]){0, angles[1] * DEGREE, angles[0] * DEGREE}, first);
  lw_rotation_rpy((double[]){0, 0, angles[2] * DEGREE}, second);
  lw_rotation_product(first, second, rotation);
}

static lwStatus make_line(Puma* puma, Reading reading, double value, lwTrajectory** trajectory)
{
  lwLineDef line = lw_line_def();
  line.q         = puma->q;
  memcpy(line.position, puma->to, sizeof line.position);
  if (reading == BY_SPEED)
    line.speed = value;
  else
    line.duration = value;
  return lw_trajectory_create_line(puma->model, puma->ws, &line, NULL, trajectory);
}

// Both lines, from the first solution that can follow them within the joint limits.
static void choose_start(Page* page, Puma* puma, int count, const lwIkSolution* solutions)
{
  double duration = page_number(page, "duration"), speed = page_number(page, "speed");
  for (int k = 0; k < count && !puma->trajectory[BY_SPEED]; ++k)
  {
    if (!solutions[k].inside) continue;
    ++puma->inside;
    memcpy(puma->q, solutions[k].q, sizeof puma->q);
    if (make_line(puma, BY_DURATION, duration, &puma->trajectory[BY_DURATION]) != LW_OK) continue;
    page_check(page, make_line(puma, BY_SPEED, speed, &puma->trajectory[BY_SPEED]));
    if (page->status != DONE) return;
  }
  if (!puma->trajectory[BY_SPEED]) page_fail(page, NUMERICAL, "the PUMA cannot follow the line");
}

static void solve_start(Page* page, Puma* puma)
{
  const double guess[PUMA_JOINTS] = {0};
  lwIkSolution solutions[LW_MAX_SOLUTIONS];
  lwTarget target = lw_target_pose();
  lwIk* ik        = NULL;
  memcpy(target.position, puma->from, sizeof target.position);
  memcpy(target.rotation, puma->rotation, sizeof target.rotation);
  if (page_check(page, lw_ik_create(puma->model, puma->ws, NULL, NULL, &ik)) == DONE)
  {
    page_check(page, lw_ik_all(ik, &target, guess, NULL, solutions, &puma->solutions));
    choose_start(page, puma, puma->solutions, solutions);
  }
  lw_ik_destroy(ik);
}

void puma_open(Page* page, Puma* puma)
{
  double angles[3];
  *puma = (Puma){.interval = page_number(page, "interval")};
  copy_data(page, "start", 3, puma->from);
  copy_data(page, "end", 3, puma->to);
  copy_data(page, "orientation", 3, angles);
  rotation_zyz(angles, puma->rotation);
  if (page->status != DONE) return;
  page_check(page, lw_robot_read_text("puma560.yaml", paper_puma560_text, paper_puma560_length,
                                      NULL, NULL, &puma->model));
  if (page->status == DONE)
    page_check(page, lw_workspace_create(puma->model, NULL, NULL, &puma->ws));
  if (page->status == DONE) solve_start(page, puma);
}

void puma_close(Puma* puma)
{
  for (int k = 0; k < READINGS; ++k) lw_trajectory_destroy(puma->trajectory[k]);
  lw_workspace_destroy(puma->ws);
  lw_model_destroy(puma->model);
}

// --- the run

typedef struct PumaDrive
{
  const Puma* puma;
  const RunDef* def;
  lwWorkspace* forward;
  double begin;                                  // s, of the interval
  double first[PUMA_JOINTS], last[PUMA_JOINTS];  // N m, at its ends
} PumaDrive;

void puma_torques(const Puma* puma, Reading reading, double t, double* tau)
{
  double q[PUMA_JOINTS], qd[PUMA_JOINTS], qdd[PUMA_JOINTS];
  lw_trajectory_at(puma->trajectory[reading], t, q, qd, qdd);
  lw_inverse_dynamics(puma->model, puma->ws, q, qd, qdd, tau);
}

static void torques_at(const PumaDrive* drive, double t, double* tau)
{
  if (drive->def->torques == TORQUES_EXACT)
  {
    puma_torques(drive->puma, drive->def->reading, t, tau);
    return;
  }
  bool held   = drive->def->torques == TORQUES_HELD;
  double part = held ? 0 : (t - drive->begin) / drive->puma->interval;
  for (int i = 0; i < PUMA_JOINTS; ++i)
    tau[i] = drive->first[i] + part * (drive->last[i] - drive->first[i]);
}

// y holds q and qd.
static void rates_of(void* context, double t, const double* y, double* rates)
{
  const PumaDrive* drive = context;
  double tau[PUMA_JOINTS];
  torques_at(drive, t, tau);
  memcpy(rates, y + PUMA_JOINTS, PUMA_JOINTS * sizeof *rates);
  lw_forward_dynamics(drive->puma->model, drive->forward, y, y + PUMA_JOINTS, tau,
                      rates + PUMA_JOINTS);
}

// Differences from inverse kinematics at time t.
static void take_sample(PumaDrive* drive, double t, const double* y, PumaRun* run)
{
  double wanted[3 * PUMA_JOINTS], reached[3 * PUMA_JOINTS], rates[2 * PUMA_JOINTS];
  int k = run->samples++;
  lw_trajectory_at(drive->puma->trajectory[drive->def->reading], t, wanted, wanted + PUMA_JOINTS,
                   wanted + (ptrdiff_t)2 * PUMA_JOINTS);
  rates_of(drive, t, y, rates);
  memcpy(reached, y, PUMA_JOINTS * sizeof *y);
  memcpy(reached + PUMA_JOINTS, rates, sizeof rates);  // qd and qdd
  memcpy(run->q[k], y, PUMA_JOINTS * sizeof *y);
  for (int d = 0; d < 3; ++d)
    for (int i = 0; i < PUMA_JOINTS; ++i)
    {
      double error = fabs(wanted[d * PUMA_JOINTS + i] - reached[d * PUMA_JOINTS + i]);
      run->mean[d][i] += error;
      if (d == 0) run->error[k][i] = error;
    }
}

// Interval by interval; the integration restarts in each, as torques may jump there.
static void integrate(Page* page, PumaDrive* drive, lwIntegrator* integrator, PumaRun* run)
{
  const Puma* puma = drive->puma;
  Reading reading  = drive->def->reading;
  double interval  = puma->interval;
  double duration  = lw_trajectory_duration(puma->trajectory[reading]);
  int count        = (int)floor(duration / interval + 1e-9);
  double y[2 * PUMA_JOINTS];
  lw_trajectory_at(puma->trajectory[reading], 0, y, y + PUMA_JOINTS, NULL);
  for (int k = 0; k < count && k < PUMA_SAMPLES && page->status == DONE; ++k)
  {
    double end   = (k + 1) * interval;
    drive->begin = k * interval;
    puma_torques(puma, reading, drive->begin, drive->first);
    puma_torques(puma, reading, end, drive->last);
    lw_integrator_start(integrator, drive->begin, y);
    lw_integrator_bound(integrator, end);
    if (lw_integrator_advance(integrator, end, y, NULL) != LW_PROGRESS_ARRIVED)
    {
      if (drive->def->torques != TORQUES_EXACT) break;  // the arm diverged, as expected
      page_fail(page, NUMERICAL, "the PUMA does not arrive at t = %g s", end);
    }
    take_sample(drive, end, y, run);
  }
  for (int d = 0; d < 3; ++d)
    for (int i = 0; i < PUMA_JOINTS; ++i) run->mean[d][i] /= run->samples;
  run->evaluations = lw_integrator_stats(integrator).evaluations;
}

void puma_run(Page* page, Puma* puma, const RunDef* def, PumaRun* run)
{
  PumaDrive drive        = {.puma = puma, .def = def};
  lwIntegrator* solver   = NULL;
  lwIntegratorDef method = lw_integrator_def();
  lwWorkspaceDef ws      = lw_workspace_def();
  *run                   = (PumaRun){0};
  if (page->status != DONE) return;
  ws.forward      = def->forward;
  method.method   = "fehlberg45";
  method.relative = method.absolute = def->tolerance;
  page_check(page, lw_workspace_create(puma->model, &ws, NULL, &drive.forward));
  if (page->status == DONE)
    page_check(page,
               lw_integrator_create(&method, 2 * PUMA_JOINTS, rates_of, &drive, NULL, &solver));
  if (page->status == DONE) integrate(page, &drive, solver, run);
  lw_integrator_destroy(solver);
  lw_workspace_destroy(drive.forward);
}
