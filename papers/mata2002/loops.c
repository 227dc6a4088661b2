// SPDX-License-Identifier: MIT
// Closed loops by Gibbs and Appell: tau of a driven joint is dG/dqdd of it while the others follow,
// since the loop's own forces do no work in a motion that it allows. G is quadratic in the
// accelerations: differences are exact.
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/loop.h"
#include "mata2002.h"
#include "papers.h"

enum
{
  STATES = 40,
  BARS   = 3  // crank, coupler and rocker; the crank is driven
};

typedef struct Linkage
{
  lwModel* model;
  lwLoops* loops;
  lwWorkspace* ws;
  double q[BARS], qd[BARS];
} Linkage;

static void linkage_open(Page* page, Linkage* linkage)
{
  page_check(page, lw_robot_read_text("robots/four_bar.yaml", paper_four_bar_text,
                                      paper_four_bar_length, NULL, NULL, &linkage->model));
  if (page->status == DONE && lw_model_dof(linkage->model) != BARS)
    page_fail(page, INPUT, "robots/four_bar.yaml must have %d joints", BARS);
  if (page->status == DONE)
    page_check(page, lw_loops_create(linkage->model, NULL, NULL, &linkage->loops));
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(LW_QUESTION_GIBBS);
  def.open_tree      = true;
  if (page->status == DONE)
    page_check(page, lw_workspace_create(linkage->model, &def, NULL, &linkage->ws));
}

static void linkage_close(Linkage* linkage)
{
  lw_workspace_destroy(linkage->ws);
  lw_loops_destroy(linkage->loops);
  lw_model_destroy(linkage->model);
}

// The crank turns by this angle at this speed; the others follow.
static void turn_crank(Page* page, Linkage* linkage, double angle, double speed)
{
  lw_model_start(linkage->model, linkage->q);
  double from = linkage->q[0];
  for (int k = 1; k <= 50 && page->status == DONE; ++k)  // in small steps, on one branch
  {
    linkage->q[0] = from + (angle - from) * k / 50;
    page_check(page, lw_loops_close(linkage->loops, linkage->q, NULL));
  }
  linkage->qd[0] = speed;
  if (page->status == DONE)
    page_check(page, lw_loops_velocity(linkage->loops, linkage->q, linkage->qd));
}

static double gibbs_at(Page* page, const Linkage* linkage, double crank, double qdd[BARS])
{
  double answer[1 + BARS * BARS];
  qdd[0] = crank;
  page_check(page, lw_loops_acceleration(linkage->loops, linkage->q, linkage->qd, qdd));
  lw_gibbs(linkage->model, linkage->ws, linkage->q, linkage->qd, qdd, answer);
  return answer[0];
}

// What is compared, N m: the derivative, and the torque of inverse dynamics.
static void compare_crank(Page* page, const Linkage* linkage, double crank, double tau[2])
{
  double qdd[BARS], torques[BARS] = {0}, forces[6];
  double more = gibbs_at(page, linkage, crank + 1, qdd);
  double less = gibbs_at(page, linkage, crank - 1, qdd);
  gibbs_at(page, linkage, crank, qdd);
  lwStates state = {.q = linkage->q, .qd = linkage->qd, .qdd = qdd};
  if (page->status == DONE)
    page_check(page, lw_loops_inverse(linkage->loops, &state, torques, forces));
  tau[0] = (more - less) / 2;
  tau[1] = torques[0];
}

void mata2002_loops(Page* page)
{
  Linkage linkage = {0};
  lwRandom random = {6};
  double worst = 0, size = 0;
  linkage_open(page, &linkage);
  for (int k = 0; k < STATES && page->status == DONE; ++k)
  {
    double tau[2] = {0, 0};
    turn_crank(page, &linkage, lw_random_between(&random, -3, 3),
               lw_random_between(&random, -4, 4));
    if (page->status == DONE)
      compare_crank(page, &linkage, lw_random_between(&random, -20, 20), tau);
    worst = fmax(worst, fabs(tau[0] - tau[1]));
    size  = fmax(size, fabs(tau[1]));
  }
  linkage_close(&linkage);
  if (page->status == DONE) page_measure_one(page, "equations/loops", worst / size);
}
