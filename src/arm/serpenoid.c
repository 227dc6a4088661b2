// SPDX-License-Identifier: MIT
// A snake driven along a serpenoid curve (Hirose 1993):
// a wave of joint angles that travels from link to link.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "answer/snake_workspace.h"
#include "linkwork/arm.h"
#include "math/elementary.h"

// The joints are pulled towards the gait like critically damped springs of this frequency.
static const double GAIT_STIFFNESS = 4;  // times gamma

struct lwSerpenoidDrive
{
  const lwSnake* snake;
  lwSnakeWorkspace* ws;
  lwSerpenoid gait;
  int n;
  double* wanted;   // (n-1) phi'', rad/s^2
  double* omega;    // (n) rad/s
  double* partial;  // (n, 2) d omega / d u
};

lwStatus lw_serpenoid_create(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSerpenoid* gait,
                             lwSerpenoidDrive** drive)
{
  assert(ws->snake == snake && "the workspace was made for another snake");
  size_t n               = (size_t)lw_snake_count(snake);
  lwSerpenoidDrive* made = calloc(1, sizeof *made + 4 * n * sizeof(double));
  double* values         = (double*)(made + 1);
  *drive                 = made;
  if (!made) return LW_ERROR_MEMORY;
  *made = (lwSerpenoidDrive){.snake   = snake,
                             .ws      = ws,
                             .gait    = *gait,
                             .n       = (int)n,
                             .wanted  = values,
                             .omega   = values + n,
                             .partial = values + 2 * n};
  return LW_OK;
}

void lw_serpenoid_destroy(lwSerpenoidDrive* drive)
{
  free(drive);
}

// The wave's own time: late by rise / 2 after `rise` seconds; with its rate and acceleration.
typedef struct WaveTime
{
  double t, rate, bend;
} WaveTime;

static WaveTime wave_time(const lwSerpenoid* gait, double t)
{
  double x = gait->rise > 0 ? t / gait->rise : 1;
  if (x >= 1) return (WaveTime){t - gait->rise / 2, 1, 0};
  return (WaveTime){gait->rise * x * x * x * (1 - x / 2), x * x * (3 - 2 * x),
                    6 * x * (1 - x) / gait->rise};
}

// The torques that bring all joints as near as wheels allow to
//   phi'' = wanted'' + 2 s (wanted' - phi') + s^2 (wanted - phi).
void lw_serpenoid_torques(void* context, double t, const double* theta, const double u[2],
                          const double place[2], double* torque)
{
  (void)place;
  lwSerpenoidDrive* drive = context;
  WaveTime now            = wave_time(&drive->gait, t);
  const lwSerpenoid* gait = &drive->gait;
  double s                = fmax(GAIT_STIFFNESS * fabs(gait->gamma), 1);
  lwSnakeStates state     = {.theta = theta, .u = u};
  lwSnakeAnswers answers  = {.omega = drive->omega};
  lw_snake_answer(drive->snake, drive->ws, &state, &answers);
  for (int k = 1; k < drive->n; ++k)
  {
    double phase = gait->beta * k + gait->gamma * now.t;
    double phi = gait->alpha * lw_sin(phase), swing = gait->alpha * lw_cos(phase);
    double gamma  = gait->gamma * now.rate;
    double rate   = gamma * swing;
    double error  = phi + gait->steer - (theta[k] - theta[k - 1]);
    double behind = rate - (drive->omega[k] - drive->omega[k - 1]);

    drive->wanted[k - 1] =
        -gamma * gamma * phi + gait->gamma * now.bend * swing + 2 * s * behind + s * s * error;
  }
  lwSnakeGait wanted = {.phi_ddot = drive->wanted};
  lw_snake_gait(drive->snake, drive->ws, &state, &wanted, torque, NULL);
}

// Speeds for which the joint rates are nearest to those of the gait: phi' = G^T u, least squares.
static void gait_speeds(lwSerpenoidDrive* drive, const double* theta, double u[2])
{
  const lwSerpenoid* gait = &drive->gait;
  const double* partial   = drive->partial;
  lwSnakeStates state     = {.theta = theta};
  lwSnakeAnswers answers  = {.partial = drive->partial};
  double A[3] = {0}, b[2] = {0};
  u[0] = u[1] = 0;
  lw_snake_answer(drive->snake, drive->ws, &state, &answers);
  for (int k = 1; k < drive->n; ++k)
  {
    double g1 = partial[2 * k] - partial[2 * k - 2], g2 = partial[2 * k + 1] - partial[2 * k - 1];
    double rate = gait->alpha * gait->gamma * lw_cos(gait->beta * k);
    A[0] += g1 * g1;
    A[1] += g1 * g2;
    A[2] += g2 * g2;
    b[0] += g1 * rate;
    b[1] += g2 * rate;
  }
  double det = A[0] * A[2] - A[1] * A[1];
  if (!(det > 1e-12 * A[0] * A[2])) return;
  u[0] = (A[2] * b[0] - A[1] * b[1]) / det;
  u[1] = (A[0] * b[1] - A[1] * b[0]) / det;
}

void lw_serpenoid_start(lwSerpenoidDrive* drive, double* theta, double u[2])
{
  double mean = theta[0] = 0;
  for (int k = 1; k < drive->n; ++k)
  {
    theta[k] = theta[k - 1] + drive->gait.alpha * lw_sin(drive->gait.beta * k) + drive->gait.steer;
    mean += theta[k] / drive->n;
  }
  for (int k = 0; k < drive->n; ++k) theta[k] -= mean;
  gait_speeds(drive, theta, u);
  if (drive->gait.rise > 0) u[0] = u[1] = 0;
}
