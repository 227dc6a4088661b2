// SPDX-License-Identifier: MIT
#include "snake_drive.h"
#include "io/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

static const double PI = 3.14159265358979323846;

// The joints are pulled towards the gait like critically damped springs of this frequency.
static const double GAIT_STIFFNESS = 4;  // times gamma

// --- a law

static void by_law(void* context, double t, const double* theta, const double u[2], double* torque)
{
  Drive* drive = context;
  (void)theta;
  (void)u;
  lw_law_values(drive->law, t, drive->n, drive->n - 1, torque);
}

// The errors of the law, each with a mark below its place.
static void print_errors(const lwDiag* diag)
{
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    const lwMessage* message = lw_diag_message(diag, i);
    char text[2048];
    lw_message_format(message, text, sizeof text);
    fputs(text, stderr);
    if (message->source && strncmp(message->source, "...", 3) != 0)
      fprintf(stderr, "      | %*s\n", message->place.column, "^");
  }
}

static int take_law(Drive* drive, const char* text)
{
  lwDiag* diag = lw_diag_create();
  if (!diag) return no_memory();
  lwStatus status = lw_law_create("--torque-law", text, diag, &drive->law);
  print_errors(diag);
  inputs_add(diag);
  lw_diag_destroy(diag);
  drive->torques = by_law;
  if (status == LW_ERROR_INPUT) return USAGE;
  return status == LW_OK ? DONE : no_memory();
}

// --- a file

static void by_schedule(void* context, double t, const double* theta, const double u[2],
                        double* torque)
{
  Drive* drive = context;
  (void)theta;
  (void)u;
  lw_schedule_values(drive->schedule, t, torque);
}

static int take_schedule(Drive* drive, const char* path)
{
  lwScheduleDef def = {.symbol = "T", .width = drive->n - 1, .between = LW_BETWEEN_LINEAR};
  lwDiag* diag      = lw_diag_create();
  if (!diag) return no_memory();
  lwStatus status = lw_schedule_read_file(path, &def, diag, &drive->schedule);
  errors_print(diag);
  inputs_add(diag);
  lw_diag_destroy(diag);
  drive->torques = by_schedule;
  return status == LW_OK ? DONE : status == LW_ERROR_MEMORY ? no_memory() : INPUT;
}

// --- a gait

static double gait_stiffness(const Gait* gait)
{
  return fmax(GAIT_STIFFNESS * fabs(gait->gamma), 1);
}

// The torques that bring all joints as near as wheels allow to
//   phi'' = wanted'' + 2 s (wanted' - phi') + s^2 (wanted - phi).
static void by_gait(void* context, double t, const double* theta, const double u[2], double* torque)
{
  Drive* drive           = context;
  const Gait* gait       = &drive->gait;
  double s               = gait_stiffness(gait);
  lwSnakeStates state    = {.theta = theta, .u = u};
  lwSnakeAnswers answers = {.omega = drive->omega};
  lw_snake_answer(drive->snake, drive->ws, &state, &answers);
  for (int k = 1; k < drive->n; ++k)
  {
    double phase  = gait->beta * k + gait->gamma * t;
    double phi    = gait->alpha * sin(phase);
    double rate   = gait->alpha * gait->gamma * cos(phase);
    double error  = phi - (theta[k] - theta[k - 1]);
    double behind = rate - (drive->omega[k] - drive->omega[k - 1]);

    drive->wanted[k - 1] = -gait->gamma * gait->gamma * phi + 2 * s * behind + s * s * error;
  }
  lwSnakeGait wanted = {.phi_ddot = drive->wanted};
  lw_snake_gait(drive->snake, drive->ws, &state, &wanted, torque, NULL);
}

static int take_gait(Drive* drive, const char* text)
{
  static const char name[] = "serpenoid:";
  double values[3];
  if (strncmp(text, name, sizeof name - 1) != 0)
    return fail(USAGE, "--gait: unknown gait '%s'; expected serpenoid:ALPHA,BETA,GAMMA", text);
  int status =
      snake_list(OPTION_GAIT, text + sizeof name - 1, 3, "serpenoid:ALPHA,BETA,GAMMA", values);
  if (status != DONE) return status;
  drive->gait    = (Gait){values[0], values[1], values[2]};
  drive->torques = by_gait;
  drive->wanted  = calloc(2 * (size_t)drive->n, sizeof(double));
  if (!drive->wanted) return no_memory();
  drive->omega = drive->wanted + drive->n;
  return DONE;
}

// Speeds for which the joint rates are nearest to those of the gait: phi' = G^T u, least squares.
static void gait_speeds(Drive* drive, const double* theta, double u[2])
{
  double* partial        = calloc(2 * (size_t)drive->n, sizeof *partial);
  lwSnakeStates state    = {.theta = theta};
  lwSnakeAnswers answers = {.partial = partial};
  double A[3] = {0}, b[2] = {0};
  u[0] = u[1] = 0;
  if (!partial) return;
  lw_snake_answer(drive->snake, drive->ws, &state, &answers);
  for (int k = 1; k < drive->n; ++k)
  {
    double g1 = partial[2 * k] - partial[2 * k - 2], g2 = partial[2 * k + 1] - partial[2 * k - 1];
    double rate = drive->gait.alpha * drive->gait.gamma * cos(drive->gait.beta * k);
    A[0] += g1 * g1;
    A[1] += g1 * g2;
    A[2] += g2 * g2;
    b[0] += g1 * rate;
    b[1] += g2 * rate;
  }
  double det = A[0] * A[2] - A[1] * A[1];
  free(partial);
  if (!(det > 1e-12 * A[0] * A[2])) return;
  u[0] = (A[2] * b[0] - A[1] * b[1]) / det;
  u[1] = (A[0] * b[1] - A[1] * b[0]) / det;
}

// --- any of them

int drive_create(Drive* drive, const Options* options, const lwSnake* snake, lwSnakeWorkspace* ws)
{
  static const struct
  {
    Option option;
    int (*take)(Drive* drive, const char* text);
  } kinds[] = {{OPTION_TORQUE_LAW, take_law}, {OPTION_IN, take_schedule}, {OPTION_GAIT, take_gait}};
  *drive    = (Drive){.snake = snake, .ws = ws, .n = lw_snake_count(snake)};
  int status = DONE;
  for (int i = 0; i < 3 && status == DONE; ++i)
    if (options->value[kinds[i].option])
      status = kinds[i].take(drive, options->value[kinds[i].option]);
  return status;
}

void drive_destroy(Drive* drive)
{
  lw_law_destroy(drive->law);
  lw_schedule_destroy(drive->schedule);
  free(drive->wanted);
}

void drive_initial(Drive* drive, double* theta, double u[2])
{
  u[0] = u[1] = 0;
  for (int k = 1; k <= drive->n; ++k) theta[k - 1] = (k % 2 ? -PI : PI) / 6;
  if (drive->torques != by_gait) return;
  double mean = theta[0] = 0;
  for (int k = 1; k < drive->n; ++k)
  {
    theta[k] = theta[k - 1] + drive->gait.alpha * sin(drive->gait.beta * k);
    mean += theta[k] / drive->n;
  }
  for (int k = 0; k < drive->n; ++k) theta[k] -= mean;
  gait_speeds(drive, theta, u);
}

bool drive_is_finite(Drive* drive, const lwSnakeSample* sample, double ahead)
{
  double* torque = calloc((size_t)drive->n, sizeof *torque);
  bool finite    = true;
  for (int i = 0; i < 3 && torque && drive->torques; ++i)
  {
    drive->torques(drive, sample->t + ahead * i / 2, sample->theta, sample->u, torque);
    for (int k = 0; k < drive->n - 1; ++k) finite = finite && isfinite(torque[k]);
  }
  free(torque);
  return finite;
}
