// SPDX-License-Identifier: MIT
// "Any other known external forces acting upon links" on the right side of (12): a wrench at a
// point of every link at once. Each adds its moment about every joint that carries its link, as N_Q
// does for the last one.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bed.h"
#include "math/rotation.h"

typedef struct Pushes
{
  lwWrenchPlace* places;  // (n) a point of each link
  double* wrenches;       // (n, 6) in the axes of the link
  lwWorkspace* ws;        // that pushes them
  double (*frames)[12];   // (n) origin and axes of each link, base frame
} Pushes;

static void pushes_free(Pushes* pushes)
{
  free(pushes->places);
  free(pushes->wrenches);
  free(pushes->frames);
  lw_workspace_destroy(pushes->ws);
}

static void pushes_make(Pushes* pushes, Page* page, const Bed* bed)
{
  lwRandom random  = {12};
  size_t n         = (size_t)bed->n;
  pushes->places   = calloc(n, sizeof *pushes->places);
  pushes->wrenches = calloc(6 * n, sizeof *pushes->wrenches);
  pushes->frames   = calloc(n, sizeof *pushes->frames);
  if (!pushes->places || !pushes->wrenches || !pushes->frames) page_check(page, LW_ERROR_MEMORY);
  if (page->status == DONE)
    page_check(page, lw_workspace_create(bed->model, NULL, NULL, &pushes->ws));
  for (int i = 0; i < bed->n && page->status == DONE; ++i)
  {
    pushes->places[i].joint = i;
    for (int c = 0; c < 3; ++c) pushes->places[i].xyz[c] = lw_random_between(&random, -0.3, 0.3);
    for (int c = 0; c < 6; ++c) pushes->wrenches[6 * i + c] = lw_random_between(&random, -20, 20);
  }
}

// Where the links are, by a workspace that pushes nothing.
static void find_frames(const Pushes* pushes, const Bed* bed, const double* q)
{
  for (int i = 0; i < bed->n; ++i)
  {
    lwFrame frame = {.joint = i};
    lw_workspace_set_frame(bed->ws, bed->model, &frame, NULL);
    lw_pose(bed->model, bed->ws, q, pushes->frames[i], pushes->frames[i] + 3);
  }
  lw_workspace_set_frame(bed->ws, bed->model, NULL, NULL);
}

// z_j . ((x - P_j) x f + n): the moment of the push on link i about joint j.
static double moment_about(const Pushes* pushes, int i, int j)
{
  const double *link = pushes->frames[i], *joint = pushes->frames[j];
  double x[3], f[3], n[3], moment[3];
  lw_rotate(link + 3, pushes->places[i].xyz, x);
  lw_rotate(link + 3, pushes->wrenches + 6 * i, f);
  lw_rotate(link + 3, pushes->wrenches + 6 * i + 3, n);
  for (int c = 0; c < 3; ++c) x[c] += link[c] - joint[c];
  lw_cross(x, f, moment);
  const double z[3] = {joint[5], joint[8], joint[11]};
  return lw_dot(z, moment) + lw_dot(z, n);
}

static double error_of_state(const Pushes* pushes, Bed* bed, LiteralArm* literal, lwStates state)
{
  state.wrench = NULL;
  literal_move(literal, &state);
  find_frames(pushes, bed, state.q);
  for (int j = 0; j < bed->n; ++j)
  {
    bed->tau[j] = literal_torque(literal, EQUATION_12, j);
    for (int i = j; i < bed->n; ++i) bed->tau[j] -= moment_about(pushes, i, j);
  }
  state.wrench = pushes->wrenches;
  lw_answer_many(bed->model, pushes->ws, LW_QUESTION_INVERSE, 1, &state, bed->truth);
  return relative_difference(bed->n, bed->truth, bed->tau);
}

double any_link_error(Bed* bed, Page* page)
{
  Pushes pushes       = {0};
  LiteralArm* literal = NULL;
  double worst        = 0;
  pushes_make(&pushes, page, bed);
  if (page->status == DONE)
    page_check(page, literal_create(lw_model_robot(bed->model), 0, &literal));
  if (page->status == DONE)
    page_check(page,
               lw_workspace_set_wrench_places(pushes.ws, bed->model, bed->n, pushes.places, NULL));
  for (int k = 0; k < bed->ring.count && page->status == DONE; ++k)
  {
    double error = error_of_state(&pushes, bed, literal, bed->ring.states[k]);
    worst        = error > worst ? error : worst;
  }
  literal_destroy(literal);
  pushes_free(&pushes);
  return worst;
}
