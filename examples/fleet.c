// SPDX-License-Identifier: MIT
// A thousand PUMAs with different payloads fall from the same pose, side by side in lanes and one
// by one.
//
//   (M(q) + R) qdd + C(q, qd) qd + g(q) = -viscous qd,   q(0) = 0.3, qd(0) = 0
//   by fourth-order Runge-Kutta, step 1 ms
//
// R holds the inertias of the rotors; without them friction would stop the wrist in less than a
// step.
//
// The payload, 0 to 5 kg, is a body on the last link, so every arm has different constants: each
// lane has its own robot.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "linkwork/fleet.h"
#include "linkwork/read.h"

enum
{
  ARMS = 1000,
  MOST = 16  // joints
};

static const double END = 0.2, STEP = 1e-3;  // s

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static lwModel* with_payload(const lwModel* arm, double mass)
{
  lwModel* loaded    = NULL;
  lwRobotDef robot   = *lw_model_robot(arm);
  size_t bytes       = (size_t)robot.count * sizeof(lwJointDef);
  lwJointDef* joints = malloc(bytes);
  if (!joints) return NULL;
  memcpy(joints, robot.joints, bytes);
  lw_link_def_add(&joints[robot.count - 1].link, mass, (double[]){0, 0, 0.1}, (double[6]){0});
  robot.joints = joints;
  lw_model_create(&robot, NULL, NULL, &loaded);
  free(joints);
  return loaded;
}

// Runs the fleet to END and writes its positions to q. Returns seconds, the best of three.
static double in_lanes(const lwFleetDef* def, const double* q0, double* q)
{
  double best = 1e9;
  lwFleet* fleet;
  if (lw_fleet_create(def, NULL, &fleet) != LW_OK) exit(3);
  for (int k = 0; k < 3; ++k)
  {
    lw_fleet_start(fleet, 0, q0, NULL);
    double start = now();
    if (lw_fleet_advance(fleet, END) != ARMS)
      exit(4);  // arms that stop early would spoil the timing
    double took = now() - start;
    best        = took < best ? took : best;
  }
  lw_fleet_states(fleet, q, NULL);
  printf("%2d threads, %d lanes  ", lw_fleet_threads(fleet), lw_fleet_lanes(fleet));
  lw_fleet_destroy(fleet);
  return best;
}

typedef struct
{
  const lwModel* arm;
  lwWorkspace* ws;
} Single;

static void rates(void* context, double t, const double* y, double* out)
{
  (void)t;
  Single* one              = context;
  int n                    = lw_model_dof(one->arm);
  const lwJointDef* joints = lw_model_robot(one->arm)->joints;
  double tau[MOST];
  for (int i = 0; i < n; ++i) out[i] = y[n + i];
  for (int i = 0; i < n; ++i)
    tau[i] = -joints[lw_model_joint(one->arm, i)].friction.viscous * y[n + i];
  lw_forward_dynamics(one->arm, one->ws, y, y + n, tau, out + n);
}

// Runs one arm to END without lanes; q is its start on entry and its end on return. Returns
// seconds, the best of three.
static double by_itself(const lwModel* arm, double* q)
{
  Single one = {.arm = arm};
  int n      = lw_model_dof(arm);
  double y[2 * MOST], best = 1e9;
  lwIntegratorDef def = lw_integrator_def();
  lwIntegrator* integrator;
  def.step           = STEP;
  lwWorkspaceDef how = lw_workspace_def();
  how.rotors         = true;
  if (lw_workspace_create(arm, &how, NULL, &one.ws) != LW_OK) exit(3);
  if (lw_integrator_create(&def, 2 * n, rates, &one, NULL, &integrator) != LW_OK) exit(3);
  for (int k = 0; k < 3; ++k)
  {
    double y0[2 * MOST] = {0};
    memcpy(y0, q, (size_t)n * sizeof *q);
    lw_integrator_start(integrator, 0, y0);
    double start = now();
    if (lw_integrator_advance(integrator, END, y, NULL) != LW_PROGRESS_ARRIVED) exit(4);
    double took = now() - start;
    best        = took < best ? took : best;
  }
  memcpy(q, y, (size_t)n * sizeof *q);
  lw_integrator_destroy(integrator);
  lw_workspace_destroy(one.ws);
  return best;
}

static void print_rate(double seconds, double slowest)
{
  printf("%8.3f million steps of an arm per second, %5.2f times\n",
         ARMS * END / STEP / seconds * 1e-6, slowest / seconds);
}

int main(int argc, char** argv)
{
  static lwModel* models[ARMS];
  static double start[ARMS * MOST], single[ARMS * MOST], fleet[ARMS * MOST];
  lwModel* arm = NULL;
  if (lw_robot_read_file(argc > 1 ? argv[1] : "robots/puma560.yaml", NULL, NULL, &arm) != LW_OK ||
      lw_model_dof(arm) > MOST)
    return 3;
  size_t n       = (size_t)lw_model_dof(arm);
  double slow    = 0;
  lwFleetDef def = lw_fleet_def();
  int equal      = 0;
  for (size_t i = 0; i < ARMS * n; ++i) start[i] = single[i] = 0.3;
  for (size_t k = 0; k < ARMS; ++k)
  {
    models[k] = with_payload(arm, 5.0 * (double)k / ARMS);
    if (!models[k]) return 3;
    slow += by_itself(models[k], single + k * n);
  }
  printf("%d times %s, payloads of 0 to 5 kg\n%-21s", ARMS, lw_model_name(arm), "one by one");
  print_rate(slow, slow);
  def.count = ARMS, def.models = (const lwModel* const*)models;
  def.step = STEP, def.viscous = def.rotors = true;
  for (def.threads = 1; def.threads >= 0; --def.threads)
    print_rate(in_lanes(&def, start, fleet), slow);
  for (size_t k = 0; k < ARMS; ++k)
    equal += !memcmp(fleet + k * n, single + k * n, n * sizeof *fleet);
  printf("%d of %d end in the same place to the last bit\n", equal, ARMS);
  for (int k = 0; k < ARMS; ++k) lw_model_destroy(models[k]);
  lw_model_destroy(arm);
}
