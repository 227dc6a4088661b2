// SPDX-License-Identifier: MIT
// The functions that the page calls for a snake: answers about a state, and runs from it.
#include <stdlib.h>
#include <string.h>

#include "linkwork/arm.h"
#include "linkwork/drive.h"
#include "linkwork/read.h"
#include "message.h"

// Drives of the snake, in the order of the page's list.
enum
{
  DRIVE_NONE,
  DRIVE_LAW,
  DRIVE_GAIT
};

typedef struct SnakeSession
{
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  lwSnakeRun* run;
  lwLaw* law;              // or NULL
  lwSerpenoidDrive* gait;  // or NULL
  int n;
  lwSnakeSample sample;  // its theta belongs to the session
} SnakeSession;

static void drive_free(SnakeSession* session)
{
  lw_snake_run_destroy(session->run);
  lw_law_destroy(session->law);
  lw_serpenoid_destroy(session->gait);
  session->run  = NULL;
  session->law  = NULL;
  session->gait = NULL;
}

static void snake_close(SnakeSession* session)
{
  if (!session) return;
  drive_free(session);
  lw_snake_workspace_destroy(session->ws);
  lw_snake_destroy(session->snake);
  free(session->sample.theta);
  free(session);
}

// Opens a snake file of the page. NULL: failed, see session_message().
SnakeSession* EXPORT(snake_open)(const char* path)
{
  SnakeSession* session = calloc(1, sizeof *session);
  lwDiag* diag          = lw_diag_create();
  lwStatus status       = LW_ERROR_MEMORY;
  if (session && diag) status = lw_snake_read_file(path, NULL, diag, &session->snake);
  if (status == LW_OK) status = lw_snake_workspace_create(session->snake, NULL, NULL, &session->ws);
  if (status == LW_OK)
  {
    session->n            = lw_snake_count(session->snake);
    session->sample.theta = calloc((size_t)session->n, sizeof(double));
    if (!session->sample.theta) status = LW_ERROR_MEMORY;
  }
  if (status != LW_OK)
  {
    message_keep(diag, status);
    snake_close(session);
    session = NULL;
  }
  lw_diag_destroy(diag);
  return session;
}

int EXPORT(snake_count)(const SnakeSession* session)
{
  return session->n;
}

// --- drive

// Sets the drive of later runs. 0: failed, see session_message().
int EXPORT(snake_drive)(SnakeSession* session, int kind, const char* law, double alpha, double beta,
                        double gamma)
{
  const lwSerpenoid gait = {.alpha = alpha, .beta = beta, .gamma = gamma};
  lwDiag* diag           = lw_diag_create();
  lwStatus status        = diag ? LW_OK : LW_ERROR_MEMORY;
  drive_free(session);
  if (status == LW_OK && kind == DRIVE_LAW)
    status = lw_law_create("torque law", law, diag, &session->law);
  if (status == LW_OK && kind == DRIVE_GAIT)
    status = lw_serpenoid_create(session->snake, session->ws, &gait, &session->gait);
  if (status != LW_OK) message_keep(diag, status);
  lw_diag_destroy(diag);
  return status == LW_OK;
}

// Speeds u (2) and posture theta (n) at the start of the gait; zeros without a gait.
void EXPORT(snake_start)(SnakeSession* session, double* out)
{
  memset(out, 0, ((size_t)session->n + 2) * sizeof *out);
  if (session->gait) lw_serpenoid_start(session->gait, out + 2, out);
}

// --- a state

// Writes omega (n) and lambda (n) at zero torque to out; returns the kinetic energy.
double EXPORT(snake_answer)(SnakeSession* session, const double* theta, double u1, double u2,
                            double* out)
{
  double kinetic         = 0;
  const double u[2]      = {u1, u2};
  lwSnakeStates state    = {.theta = theta, .u = u};
  lwSnakeAnswers answers = {.omega = out, .lambda = out + session->n, .kinetic = &kinetic};
  lw_snake_answer(session->snake, session->ws, &state, &answers);
  return kinetic;
}

// --- a run

// Starts a run at t = 0. 0: failed, see session_message().
int EXPORT(snake_begin)(SnakeSession* session, const double* theta, double u1, double u2, double x,
                        double y)
{
  lwSnakeRunDef def = lw_snake_run_def();
  double* own       = session->sample.theta;
  lw_snake_run_destroy(session->run);
  def.snake       = session->snake;
  def.ws          = session->ws;
  def.law         = session->law;
  def.drive       = session->gait ? lw_serpenoid_torques : NULL;
  def.context     = session->gait;
  lwStatus status = lw_snake_run_create(&def, NULL, &session->run);
  if (status != LW_OK)
  {
    message_keep(NULL, status);
    return 0;
  }
  memcpy(own, theta, (size_t)session->n * sizeof *own);
  session->sample = (lwSnakeSample){.theta = own, .u = {u1, u2}, .x = x, .y = y};
  lw_snake_run_start(session->run, &session->sample);
  lw_snake_run_to(session->run, 0, &session->sample, NULL);  // its energy
  return 1;
}

// Continues to time t. 0: reached; otherwise the motion is not finite.
int EXPORT(snake_advance)(SnakeSession* session, double t)
{
  return lw_snake_run_to(session->run, t, &session->sample, NULL) != LW_PROGRESS_ARRIVED;
}

// The current sample: t u1 u2 x y kinetic work S, then theta (n).
void EXPORT(snake_sample)(SnakeSession* session, double* out)
{
  const lwSnakeSample* sample = &session->sample;
  const double single[]       = {sample->t, sample->u[0],    sample->u[1], sample->x,
                                 sample->y, sample->kinetic, sample->work, sample->S};
  memcpy(out, single, sizeof single);
  memcpy(out + 8, sample->theta, (size_t)session->n * sizeof *out);
}
