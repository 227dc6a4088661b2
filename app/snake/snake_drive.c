// SPDX-License-Identifier: MIT
#include "base/units.h"
#include "io/files.h"
#include "snake_command.h"

#include <stdio.h>
#include <string.h>

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

static void take_law(SnakeDrive* drive, const char* text)
{
  lwDiag* diag    = hold_messages();
  lwStatus status = lw_law_create("--torque-law", text, diag, &drive->law);
  print_errors(diag);
  inputs_add(diag);
  hold_law(drive->law);
  drive->torques = by_law;
  if (status != LW_OK) leave(status == LW_ERROR_INPUT ? USAGE : no_memory());
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

static void take_schedule(SnakeDrive* drive, const char* path)
{
  lwScheduleDef def = {.symbol = "T", .width = drive->n - 1, .between = LW_BETWEEN_LINEAR};
  lwDiag* diag      = hold_messages();
  need_read(lw_schedule_read_file(path, &def, diag, &drive->schedule), path, diag, false);
  hold_schedule(drive->schedule);
  drive->torques = by_schedule;
}

// --- a gait

static void take_gait(SnakeDrive* drive, const char* text)
{
  static const char name[] = "serpenoid:";
  double values[3];
  if (strncmp(text, name, sizeof name - 1) != 0)
    stop(USAGE, "--gait: unknown gait '%s'; expected serpenoid:ALPHA,BETA,GAMMA", text);
  list_parse(OPTION_GAIT, text + sizeof name - 1, 3, "serpenoid:ALPHA,BETA,GAMMA", values);
  const lwSerpenoid gait = {values[0], values[1], values[2]};
  drive->torques         = lw_serpenoid_torques;
  if (lw_serpenoid_create(drive->snake, drive->ws, &gait, &drive->gait) != LW_OK)
    leave(no_memory());
  drive->context = hold_gait(drive->gait);
}

// --- any of them

void drive_create(SnakeDrive* drive, const Options* options, const lwSnake* snake,
                  lwSnakeWorkspace* ws)
{
  static const struct
  {
    Option option;
    void (*take)(SnakeDrive* drive, const char* text);
  } kinds[] = {{OPTION_TORQUE_LAW, take_law}, {OPTION_IN, take_schedule}, {OPTION_GAIT, take_gait}};
  *drive    = (SnakeDrive){.snake = snake, .ws = ws, .n = lw_snake_count(snake)};
  drive->context = drive;
  for (int i = 0; i < 3; ++i)
    if (options->value[kinds[i].option]) kinds[i].take(drive, options->value[kinds[i].option]);
}

void drive_initial(SnakeDrive* drive, double* theta, double u[2])
{
  u[0] = u[1] = 0;
  for (int k = 1; k <= drive->n; ++k) theta[k - 1] = (k % 2 ? -LW_PI : LW_PI) / 6;
  if (drive->gait) lw_serpenoid_start(drive->gait, theta, u);
}

bool drive_is_finite(SnakeDrive* drive, const lwSnakeSample* sample, double ahead)
{
  double* torque = allocate((size_t)drive->n, sizeof *torque);
  bool finite    = true;
  for (int i = 0; i < 3 && drive->torques; ++i)
  {
    drive->torques(drive->context, sample->t + ahead * i / 2, sample->theta, sample->u, torque);
    finite = finite && all_finite(torque, (size_t)drive->n - 1);
  }
  return finite;
}
