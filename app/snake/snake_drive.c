// SPDX-License-Identifier: MIT
#include "snake_drive.h"
#include "io/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

static const double PI = 3.14159265358979323846;

// --- a law

static void by_law(void* context, double t, const double* theta, const double u[2], double* torque)
{
  SnakeDrive* drive = context;
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

static int take_law(SnakeDrive* drive, const char* text)
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
  SnakeDrive* drive = context;
  (void)theta;
  (void)u;
  lw_schedule_values(drive->schedule, t, torque);
}

static int take_schedule(SnakeDrive* drive, const char* path)
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

static int take_gait(SnakeDrive* drive, const char* text)
{
  static const char name[] = "serpenoid:";
  double values[3];
  if (strncmp(text, name, sizeof name - 1) != 0)
    return fail(USAGE, "--gait: unknown gait '%s'; expected serpenoid:ALPHA,BETA,GAMMA", text);
  int status =
      snake_list(OPTION_GAIT, text + sizeof name - 1, 3, "serpenoid:ALPHA,BETA,GAMMA", values);
  if (status != DONE) return status;
  const lwSerpenoid gait = {values[0], values[1], values[2]};
  drive->torques         = lw_serpenoid_torques;
  lwStatus made          = lw_serpenoid_create(drive->snake, drive->ws, &gait, &drive->gait);
  drive->context         = drive->gait;
  return made == LW_OK ? DONE : no_memory();
}

// --- any of them

int drive_create(SnakeDrive* drive, const Options* options, const lwSnake* snake,
                 lwSnakeWorkspace* ws)
{
  static const struct
  {
    Option option;
    int (*take)(SnakeDrive* drive, const char* text);
  } kinds[] = {{OPTION_TORQUE_LAW, take_law}, {OPTION_IN, take_schedule}, {OPTION_GAIT, take_gait}};
  *drive    = (SnakeDrive){.snake = snake, .ws = ws, .n = lw_snake_count(snake)};
  drive->context = drive;
  int status     = DONE;
  for (int i = 0; i < 3 && status == DONE; ++i)
    if (options->value[kinds[i].option])
      status = kinds[i].take(drive, options->value[kinds[i].option]);
  return status;
}

void drive_destroy(SnakeDrive* drive)
{
  lw_law_destroy(drive->law);
  lw_schedule_destroy(drive->schedule);
  lw_serpenoid_destroy(drive->gait);
}

void drive_initial(SnakeDrive* drive, double* theta, double u[2])
{
  u[0] = u[1] = 0;
  for (int k = 1; k <= drive->n; ++k) theta[k - 1] = (k % 2 ? -PI : PI) / 6;
  if (drive->gait) lw_serpenoid_start(drive->gait, theta, u);
}

bool drive_is_finite(SnakeDrive* drive, const lwSnakeSample* sample, double ahead)
{
  double* torque = calloc((size_t)drive->n, sizeof *torque);
  bool finite    = true;
  for (int i = 0; i < 3 && torque && drive->torques; ++i)
  {
    drive->torques(drive->context, sample->t + ahead * i / 2, sample->theta, sample->u, torque);
    for (int k = 0; k < drive->n - 1; ++k) finite = finite && isfinite(torque[k]);
  }
  free(torque);
  return finite;
}
