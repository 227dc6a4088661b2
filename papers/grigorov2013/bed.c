// SPDX-License-Identifier: MIT
#include "bed.h"

#include <stdlib.h>

#include "base/random.h"

enum
{
  LONG_ARM = 20,  // arms with more joints than this are tested in fewer states
  FEW      = 2
};

static void make_classic(Bed* bed, Page* page)
{
  lwRobotDef robot = robot_copy(bed->model, bed->joints);
  for (int i = 0; i < bed->n; ++i) bed->joints[i].placement = LW_PLACEMENT_DH_STANDARD;
  page_check(page, lw_model_create(&robot, NULL, NULL, &bed->classic));
}

static void make_bed_works(Bed* bed, Page* page)
{
  lwWorkspaceDef def = lw_workspace_def();
  lwRandom random    = {13};
  def.forward        = "articulated-body";
  for (int k = 0; k < 6; ++k) bed->wrench[k] = lw_random_between(&random, -20, 20);
  page_check(page, lw_workspace_create(bed->model, &def, NULL, &bed->ws));
  if (page->status == DONE)
    page_check(page, lw_workspace_create(bed->classic, &def, NULL, &bed->classic_work));
  if (page->status != DONE) return;
  lw_workspace_set_wrench(bed->ws, bed->wrench);
  lw_workspace_set_wrench(bed->classic_work, bed->wrench);
}

void bed_open(Bed* bed, Page* page, int n)
{
  size_t size = (size_t)n;
  *bed        = (Bed){.n      = n,
                      .joints = calloc(size, sizeof *bed->joints),
                      .tau    = calloc(size, sizeof *bed->tau),
                      .truth  = calloc(size, sizeof *bed->truth),
                      .matrix = calloc(2 * size * size, sizeof *bed->matrix),
                      .pivots = calloc(size, sizeof *bed->pivots)};
  if (!bed->joints || !bed->tau || !bed->truth || !bed->matrix || !bed->pivots)
    page_check(page, LW_ERROR_MEMORY);
  if (page->status == DONE) page_check(page, lw_model_create_generic(n, &bed->model));
  if (page->status == DONE) make_classic(bed, page);
  if (page->status == DONE) make_bed_works(bed, page);
  if (page->status == DONE && !ring_fill(&bed->ring, bed->model, n < LONG_ARM ? BED_STATES : FEW))
    page_check(page, LW_ERROR_MEMORY);
  for (int k = 0; k < bed->ring.count && page->status == DONE; ++k)
    bed->ring.states[k].wrench = bed->wrench;
}

void bed_close(Bed* bed)
{
  ring_free(&bed->ring);
  lw_workspace_destroy(bed->ws);
  lw_workspace_destroy(bed->classic_work);
  lw_model_destroy(bed->model);
  lw_model_destroy(bed->classic);
  free(bed->joints);
  free(bed->tau);
  free(bed->truth);
  free(bed->matrix);
  free(bed->pivots);
}

double bed_torque_error(Bed* bed, Page* page, Equation equation, unsigned printed)
{
  bool classic         = (printed & PRINTED_FRAMES) != 0;
  const lwModel* model = classic ? bed->classic : bed->model;
  lwWorkspace* ws      = classic ? bed->classic_work : bed->ws;
  LiteralArm* literal  = NULL;
  double sum           = 0;
  page_check(page, literal_create(lw_model_robot(model), printed, &literal));
  for (int k = 0; k < bed->ring.count && page->status == DONE; ++k)
  {
    const lwStates* state = &bed->ring.states[k];
    literal_move(literal, state);
    for (int j = 0; j < bed->n; ++j) bed->tau[j] = literal_torque(literal, equation, j);
    lw_inverse_dynamics(model, ws, state->q, state->qd, state->qdd, bed->truth);
    sum += relative_difference(bed->n, bed->truth, bed->tau);
  }
  literal_destroy(literal);
  return sum / bed->ring.count;
}
