// SPDX-License-Identifier: MIT
// The head of a snake on a path. Prautsch & Mita, "Control and analysis of the gait of snake robots",
// 1999, control path and attitude of the head and keep the snake out of its singular posture, in which
// it is straight and no torque moves it forward. The paper was not at hand (nia2005 cites it); the law
// is our own.
//
//   path --> attitude and speed of the head, and their rates --> udot --> torques of least norm
//
// The line of the path has direction psi(s); the path is y(s) = b sin(2 pi s/l) beside it. With the head
// at e beside the line, moving with V in direction theta,
//   s' = V cos(theta - psi) / (1 - kappa e),  e' = V sin(theta - psi)
//   wanted direction  psi + w(s) - atan((e - y)/L),  w = atan(y_s / (1 - kappa y)),  L = l/4
//   omega' = wanted'' + 2 k (wanted' - omega) + k^2 (wanted - theta),  V' = k/4 (speed - V)
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "answer/snake_workspace.h"
#include "base/diag.h"
#include "base/units.h"
#include "linkwork/arm.h"
#include "math/elementary.h"

struct lwSnakeGuideDrive
{
  const lwSnake* snake;
  lwSnakeWorkspace* ws;
  lwSnakeGuide guide;
  int n;
  double reach;     // b, m
  double* corners;  // (n + 1, 2) m
};

lwStatus lw_snake_guide_create(const lwSnake* snake, lwSnakeWorkspace* ws,
                               const lwSnakeGuide* guide, lwDiag* diag, lwSnakeGuideDrive** drive)
{
  assert(ws->snake == snake && "the workspace was made for another snake");
  const char* wrong = NULL;
  double reach      = guide->winding * guide->wavelength / (2 * LW_PI);
  *drive            = NULL;
  if (!(guide->speed > 0) || !(guide->wavelength > 0) || !isfinite(guide->speed + reach))
    wrong = "speed and wavelength must be positive";
  else if (!(guide->winding >= 0.05 && guide->winding <= 2))
    wrong = "the winding must be 0.05 to 2: a straight snake cannot push itself forward";
  else if (!(fabs(guide->curvature) * reach <= 0.5))
    wrong = "the windings do not fit into the circle";
  else if (lw_snake_count(snake) < 3)
    wrong = "a snake with two links cannot be guided";
  if (wrong) return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s", wrong);
  int n                   = lw_snake_count(snake);
  lwSnakeGuideDrive* made = calloc(1, sizeof *made + 2 * ((size_t)n + 1) * sizeof(double));
  if (!made) return LW_ERROR_MEMORY;
  *made  = (lwSnakeGuideDrive){.snake   = snake,
                               .ws      = ws,
                               .guide   = *guide,
                               .n       = n,
                               .reach   = reach,
                               .corners = (double*)(made + 1)};
  *drive = made;
  return LW_OK;
}

void lw_snake_guide_destroy(lwSnakeGuideDrive* drive)
{
  free(drive);
}

// --- the path

static double winding(const lwSnakeGuideDrive* drive, double s)
{
  return drive->reach * lw_sin(2 * LW_PI * s / drive->guide.wavelength);
}

// w(s): the direction of the path against that of its line
static double winding_turn(const lwSnakeGuideDrive* drive, double s)
{
  double slope = drive->guide.winding * lw_cos(2 * LW_PI * s / drive->guide.wavelength);
  return lw_atan2(slope / (1 - drive->guide.curvature * winding(drive, s)), 1);
}

// Where the head is along and beside the line, and the line's direction there, within pi of `near`.
typedef struct GuidePlace
{
  double s, e, psi;
} GuidePlace;

static GuidePlace guide_place(const lwSnakeGuideDrive* drive, const double head[2], double near)
{
  const lwSnakeGuide* guide = &drive->guide;
  double c = lw_cos(guide->direction), s = lw_sin(guide->direction), kappa = guide->curvature;
  double x = head[0] - guide->x, y = head[1] - guide->y;
  double along = c * x + s * y, beside = c * y - s * x;
  if (kappa == 0) return (GuidePlace){along, beside, guide->direction};
  double a = 1 - kappa * beside, b = kappa * along,
         far = lw_hypot(a, b);  // from the centre, times kappa
  double psi = near + remainder(guide->direction + lw_atan2(b, a) - near, 2 * LW_PI);
  return (GuidePlace){(psi - guide->direction) / kappa, (1 - far) / kappa, psi};
}

// The axle of link n.
static void head_of(const lwSnakeGuideDrive* drive, const double* theta, const double place[2],
                    double head[2])
{
  int n          = drive->n;
  double* corner = drive->corners;
  double share   = 0.5 + lw_snake_get(drive->snake, n - 1).wheel_offset /
                           lw_snake_get(drive->snake, n - 1).length;
  lw_snake_points(drive->snake, theta, place[0], place[1], corner);
  for (int k = 0; k < 2; ++k)
    head[k] = (1 - share) * corner[2 * n - 2 + k] + share * corner[2 * n + k];
}

double lw_snake_guide_error(const lwSnakeGuideDrive* drive, const double* theta,
                            const double place[2])
{
  double head[2];
  head_of(drive, theta, place, head);
  GuidePlace at = guide_place(drive, head, theta[drive->n - 1]);
  return (at.e - winding(drive, at.s)) * lw_cos(winding_turn(drive, at.s));
}

void lw_snake_guide_start(lwSnakeGuideDrive* drive, double* theta, double place[2])
{
  double head[2], origin[2] = {0, 0}, s = 0;
  double back = lw_snake_get(drive->snake, drive->n - 1).wheel_offset;  // to the middle of the link
  for (int k = drive->n - 1; k >= 0; --k)
  {
    s -= back * lw_cos(winding_turn(drive, s));
    theta[k] = drive->guide.direction + drive->guide.curvature * s + winding_turn(drive, s);
    if (k > 0)
      back = (lw_snake_get(drive->snake, k).length + lw_snake_get(drive->snake, k - 1).length) / 2;
  }
  head_of(drive, theta, origin, head);
  place[0] = drive->guide.x - head[0];
  place[1] = drive->guide.y - head[1];
}

// --- the head

// Velocity and acceleration of link n: along it, and angular.
typedef struct HeadMotion
{
  double V, w, Vd, wd;
} HeadMotion;

// From link to link: both share the joint, and each axle moves along its own link only.
static HeadMotion head_motion(const lwSnakeGuideDrive* drive, const double* theta,
                              const double u[2], const double udot[2])
{
  HeadMotion m     = {u[0], u[1], udot[0], udot[1]};
  lwSnakeLink link = lw_snake_get(drive->snake, 0);
  for (int k = 1; k < drive->n; ++k)
  {
    lwSnakeLink next = lw_snake_get(drive->snake, k);
    double a = link.length / 2 - link.wheel_offset, b = next.length / 2 + next.wheel_offset;
    double C = lw_cos(theta[k] - theta[k - 1]), S = lw_sin(theta[k] - theta[k - 1]);
    double V = m.V * C + a * m.w * S, w = (m.V * S - a * m.w * C) / b, bend = w - m.w;
    double Vd = m.Vd * C + a * m.wd * S - bend * b * w;
    double wd = (m.Vd * S - a * m.wd * C + bend * V) / b;
    m         = (HeadMotion){V, w, Vd, wd};
    link      = next;
  }
  return m;
}

// The acceleration and the angular acceleration that lead the head to its path.
static void head_wanted(const lwSnakeGuideDrive* drive, const GuidePlace* at, double theta,
                        HeadMotion now, double wanted[2])
{
  const lwSnakeGuide* guide = &drive->guide;
  double l = guide->wavelength, k = 4 * 2 * LW_PI * guide->speed / l, L = l / 4, d = 1e-3 * l;
  double s_rate  = now.V * lw_cos(theta - at->psi) / fmax(1 - guide->curvature * at->e, 0.1);
  double turn    = winding_turn(drive, at->s);
  double further = winding_turn(drive, at->s + d), before = winding_turn(drive, at->s - d);
  double slope = (further - before) / (2 * d), bend = (further - 2 * turn + before) / (d * d);
  double beside = at->e - winding(drive, at->s);
  double beside_rate =
      now.V * lw_sin(theta - at->psi) - guide->winding * lw_cos(2 * LW_PI * at->s / l) * s_rate;
  double direction = at->psi + turn - lw_atan2(beside / L, 1);
  double rate =
      (guide->curvature + slope) * s_rate - beside_rate / L / (1 + beside * beside / (L * L));
  wanted[0] = k / 4 * (guide->speed - now.V);
  wanted[1] = bend * s_rate * s_rate + 2 * k * (rate - now.w) + k * k * (direction - theta);
}

void lw_snake_guide_torques(void* context, double t, const double* theta, const double u[2],
                            const double place[2], double* torque)
{
  (void)t;
  static const double unit[2][2] = {{1, 0}, {0, 1}}, none[2] = {0, 0};
  lwSnakeGuideDrive* drive = context;
  double head[2], wanted[2], udot[2];
  head_of(drive, theta, place, head);
  double ahead   = theta[drive->n - 1];
  GuidePlace at  = guide_place(drive, head, ahead);
  HeadMotion now = head_motion(drive, theta, u, none);
  HeadMotion a   = head_motion(drive, theta, unit[0], none),
             b   = head_motion(drive, theta, unit[1], none);
  head_wanted(drive, &at, ahead, now, wanted);
  double V = wanted[0] - now.Vd, w = wanted[1] - now.wd, det = a.V * b.w - b.V * a.w;
  udot[0]             = (V * b.w - w * b.V) / det;
  udot[1]             = (a.V * w - a.w * V) / det;
  lwSnakeStates state = {.theta = theta, .u = u};
  lw_snake_torque(drive->snake, drive->ws, &state, udot, torque, NULL);
}
