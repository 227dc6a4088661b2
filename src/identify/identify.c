// SPDX-License-Identifier: MIT
//   log --equations.c--> W, b --base.c--> base parameters --least_squares.c--> values, errors
//     --possible.c--> robot that can exist
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/diag.h"
#include "base/units.h"
#include "identify/closed_motion.h"
#include "linear/lapack.h"
#include "math/elementary.h"

static const double DOUBT = 1.3;  // times the noise of measured torques may be left, by chance

struct lwIdentified
{
  lwEquations equations;
  lwBaseParameters base;
  lwLeastSquares least;
  double* file;                  // (unknowns) values of the description
  double* full;                  // (unknowns) least squares, base parameters alone
  double* possible;              // (unknowns)
  double cost;                   // of these
  char** names;                  // (base.count)
  lwJointFit* joints;            // (n)
  double *measured, *predicted;  // (rows, n)
  lwRobotDef robot;
  lwJointDef* robot_joints;  // (robot.count)
  char* origin;              // of the robot
  lwArena arena;
};

lwIdentifyDef lw_identify_def(void)
{
  return (lwIdentifyDef){.held_back = 0.25, .unexplained = 0.2, .cookie = LW_COOKIE};
}

// --- how well the torques of each joint are predicted

// Rms of joint i's residual with these values, or of its torque with NULL, in rows from `from` on;
// *count of them are not left out.
static double rms_from(const lwIdentified* id, const double* values, int i, long from, long* count)
{
  const lwEquations* equations = &id->equations;
  double square                = 0;
  *count                       = 0;
  for (long k = from; k < equations->rows; ++k)
  {
    if (equations->left_out[(long)i * equations->rows + k]) continue;
    ++*count;
    double rest = values ? lw_equations_residual(equations, values, i, k)
                         : equations->b[(size_t)i * (size_t)equations->rows + (size_t)k];
    square += rest * rest;
  }
  return *count > 0 ? sqrt(square / (double)*count) : 0;
}

// In the part that was held back; in all rows if that has none.
static double rms_of(const lwIdentified* id, const double* values, int i)
{
  long count;
  double rms = rms_from(id, values, i, id->equations.fitted, &count);
  return count > 0 ? rms : rms_from(id, values, i, 0, &count);
}

// Square of the torque that noise of the accelerations makes in joint i, by the inertias found:
// mean over positions of the part that was held back, or of all if none was.
static double shaken_torque(lwIdentified* id, int i, double* Y)
{
  const size_t POSITIONS     = 10;
  lwEquations* equations     = &id->equations;
  const lwUnknowns* unknowns = &equations->unknowns;
  size_t n = (size_t)equations->n, p = (size_t)unknowns->count;
  double *at_rest = Y + n * p, *qdd = at_rest + n, square = 0;
  double from = (double)(equations->fitted % equations->rows) / (double)equations->rows;
  for (size_t s = 0; s < POSITIONS * n; ++s)
  {
    size_t place = s / n;
    double part  = from + (1 - from) * ((double)place + 0.5) / (double)POSITIONS;
    size_t j = s % n, at = (size_t)(part * (double)equations->samples);
    double torque  = 0;
    lwStates state = {.q = equations->q + at * (size_t)equations->nq, .qd = at_rest, .qdd = qdd};
    if (!lw_is_speed(equations->model, (int)j)) continue;
    for (int sign = 1; sign >= -1; sign -= 2)  // half the difference: gravity and friction drop out
    {
      memset(at_rest, 0, 2 * n * sizeof *at_rest);
      qdd[j] = sign * equations->shaking[j];
      lw_equations_follow_rates(equations, state.q, at_rest, qdd);
      lw_equations_rows(equations, &state, Y);
      for (size_t c = 0; c < p; ++c)
        if (unknowns->of[c].kind != LW_UNKNOWN_GAIN)
          torque += sign * Y[(size_t)i * p + c] * id->possible[c] / 2;
    }
    square += torque * torque / (double)POSITIONS;
  }
  return square;
}

// The torque that a residual of joint i is compared with: where nothing drives it, as a floating
// base, the largest of the others of its kind, else of all.
static double torque_scale(const lwIdentified* id, int i)
{
  const lwModel* model = id->equations.model;
  double own = rms_of(id, NULL, i), kind = 0, most = 0;
  for (int j = 0; j < id->equations.n && own == 0; ++j)
  {
    double other = rms_of(id, NULL, j);
    bool same    = lw_model_velocity(model, j).slides == lw_model_velocity(model, i).slides;
    most         = fmax(most, other);
    if (same) kind = fmax(kind, other);
  }
  return own > 0 ? own : kind > 0 ? kind : most;
}

static lwJointFit joint_fit(lwIdentified* id, int i, double* Y)
{
  lwJointFit fit = {.moved    = id->equations.moved[i],
                    .torque   = rms_of(id, NULL, i),
                    .before   = rms_of(id, id->file, i),
                    .residual = rms_of(id, id->full, i),
                    .possible = rms_of(id, id->possible, i),
                    .noise    = id->least.noise[i],
                    .measured = id->equations.noise[i]};
  fit.measured   = sqrt(fit.measured * fit.measured + shaken_torque(id, i, Y));
  double worse = fmax(fit.residual, fit.possible), noise = DOUBT * fit.measured;
  bool judged = fit.moved && worse > noise;
  if (judged) fit.unexplained = sqrt(worse * worse - noise * noise) / torque_scale(id, i);
  return fit;
}

// The joint of which most stays unexplained; -1: none moved.
static int least_explained(const lwIdentified* id)
{
  int worst = -1;
  for (int i = 0; i < id->equations.n; ++i)
    if (id->joints[i].moved &&
        (worst < 0 || id->joints[i].unexplained > id->joints[worst].unexplained))
      worst = i;
  return worst;
}

static void fill_series(lwIdentified* id)
{
  const lwEquations* equations = &id->equations;
  size_t n = (size_t)equations->n, rows = (size_t)equations->rows;
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < rows; ++k)
    {
      double gains = 0;
      for (int c = equations->unknowns.inertial; c < equations->unknowns.count; ++c)
        if (equations->unknowns.of[c].kind == LW_UNKNOWN_GAIN)
          gains += equations->W[((size_t)c * n + i) * rows + k] * id->possible[c];
      double measured         = equations->b[i * rows + k] - gains;
      id->measured[k * n + i] = measured;
      id->predicted[k * n + i] =
          measured - lw_equations_residual(equations, id->possible, (int)i, (long)k);
    }
}

// --- the robot

static bool describe_robot(lwIdentified* id)
{
  const lwRobotDef* robot  = lw_model_robot(id->equations.model);
  static const char text[] = "identified by linkwork from a log; before: ";
  const char* before       = robot->origin ? robot->origin : "no source";
  id->robot                = *robot;
  id->robot_joints = lw_arena_take(&id->arena, (size_t)robot->count + 1, sizeof *id->robot_joints);
  id->origin       = lw_arena_take(&id->arena, strlen(before) + sizeof text, 1);
  if (!id->robot_joints || !id->origin) return false;
  memcpy(id->robot_joints, robot->joints, (size_t)robot->count * sizeof *robot->joints);
  snprintf(id->origin, strlen(before) + sizeof text, "%s%s", text, before);
  for (int i = 0; i < robot->count; ++i)
  {
    lwLinkDef* link = &id->robot_joints[i].link;
    if (id->possible[i * LW_LINK_PARAMETERS] > 0)
      lw_link_from_parameters(id->possible + (size_t)i * LW_LINK_PARAMETERS, link);
    link->bulk = NULL;
  }
  for (int c = id->equations.unknowns.inertial; c < id->equations.unknowns.count; ++c)
  {
    const lwUnknown* unknown = &id->equations.unknowns.of[c];
    lwJointDef* joint = &id->robot_joints[lw_model_joint(id->equations.model, unknown->joint)];
    if (unknown->kind == LW_UNKNOWN_VISCOUS) joint->friction.viscous = id->possible[c];
    if (unknown->kind == LW_UNKNOWN_COULOMB) joint->friction.coulomb = id->possible[c];
    if (unknown->kind != LW_UNKNOWN_ROTOR) continue;
    joint->armature = joint->motor.given ? 0 : id->possible[c];
    if (joint->motor.given)
      joint->motor.rotor_inertia = id->possible[c] / (joint->motor.gear * joint->motor.gear);
  }
  for (int i = 0; i < id->equations.n; ++i)
    id->robot_joints[lw_model_joint(id->equations.model, i)].motor.torque_constant *=
        lw_equations_gain(&id->equations, id->possible, i);
  id->robot.joints = id->robot_joints;
  id->robot.origin = id->origin;
  id->robot.places = NULL;  // the text is not that of a file any more
  id->robot.text   = NULL;
  return true;
}

// --- all together

static bool take_results(lwIdentified* id)
{
  size_t p = (size_t)id->equations.unknowns.count, n = (size_t)id->equations.n;
  size_t size            = (size_t)id->equations.rows * n;
  const lwArray arrays[] = {{&id->file, p},        {&id->full, p},         {&id->possible, p},
                            {&id->measured, size}, {&id->predicted, size}, {0}};
  id->names              = lw_arena_take(&id->arena, (size_t)id->base.count + 1, sizeof *id->names);
  id->joints             = lw_arena_take(&id->arena, n + 1, sizeof *id->joints);
  if (!id->names || !id->joints || !lw_arrays_take(&id->arena, arrays)) return false;
  for (size_t c = 0; c < p; ++c) id->file[c] = id->equations.unknowns.of[c].value;
  for (int b = 0; b < id->base.count; ++b)
  {
    id->full[id->base.kept[b]] = id->least.value[b];
    id->names[b]               = lw_base_name(&id->base, &id->equations.unknowns, b);
    if (!id->names[b]) return false;
  }
  return true;
}

// --- the cutoff

static const double CUTOFF_STEP = 1.3;  // from one that is tried to the next

enum
{
  WORSE = 4,  // that many in a row that are no better end the search
  ROWS_FOR_IT =
      4  // equations for each unknown, so that their standard errors are known well enough
};

// Equations and least squares with the cutoff of def.
static lwStatus fit_log(lwIdentified* id, const lwModel* model, const lwLogDef* log,
                        const lwIdentifyDef* def, lwDiag* diag)
{
  lwEquations* equations = &id->equations;
  lwStatus status        = lw_equations_create(equations, model, log, def, diag);
  lwBaseStates states    = {1, equations->q, equations->samples, equations->moved};
  if (status == LW_OK)
    status = lw_base_at_random(&id->base, &equations->unknowns, equations->regressor, &states);
  if (status == LW_OK) status = lw_least_squares(&id->least, &id->equations, &id->base, diag);
  return status;
}

static void free_fit(lwIdentified* id)
{
  lw_equations_free(&id->equations);
  lw_base_free(&id->base);
  lw_least_squares_free(&id->least);
}

// Mean logarithm of the standard errors.
static double mean_error(const lwIdentified* id)
{
  size_t count = (size_t)id->base.count;
  double sum   = 0;
  for (size_t b = 0; b < count; ++b)
    sum += lw_log(id->least.covariance[b * count + b]) / (2 * (double)count);
  return id->equations.used < ROWS_FOR_IT * (long)count ? INFINITY : sum;
}

// The cutoff with the smallest standard errors. Above it, noise of accelerations, which grows with
// the fifth power, adds more than the further rows tell; below, the motion itself is lost, and more
// rows near rests. 0: none gives enough equations.
static lwStatus choose_cutoff(const lwModel* model, const lwLogDef* log, const lwIdentifyDef* def,
                              double* chosen)
{
  double duration = log->t[log->count - 1] - log->t[0], best = INFINITY;
  double highest    = (double)(log->count - 1) / duration / 4;
  lwIdentifyDef own = *def;
  own.cutoff        = 10 / duration;
  *chosen           = 0;
  for (int worse = 0; worse < WORSE && own.cutoff <= highest; own.cutoff *= CUTOFF_STEP)
  {
    lwIdentified id = {0};
    lwStatus fit    = fit_log(&id, model, log, &own, NULL);
    double error    = fit == LW_OK ? mean_error(&id) : INFINITY;
    free_fit(&id);
    if (fit == LW_ERROR_MEMORY) return fit;
    worse = error < best ? 0 : worse + (*chosen > 0);
    if (error < best) best = error, *chosen = own.cutoff;
  }
  return LW_OK;
}

static lwStatus run_identification(lwIdentified* id, const lwModel* model, const lwLogDef* log,
                                   const lwIdentifyDef* def, lwDiag* diag)
{
  lwIdentifyDef own = *def;
  lwStatus status   = LW_OK;
  if (!(own.cutoff > 0)) status = choose_cutoff(model, log, def, &own.cutoff);
  if (!(own.cutoff > 0)) own.cutoff = 1e300;
  if (status == LW_OK) status = fit_log(id, model, log, &own, diag);
  if (status == LW_OK && !take_results(id)) status = LW_ERROR_MEMORY;
  if (status == LW_OK)
    status = lw_possible_robot(&id->equations, &id->least, id->possible, &id->cost);
  if (status != LW_OK) return status;
  size_t n = (size_t)id->equations.n, p = (size_t)id->equations.unknowns.count;
  double* Y = lw_arena_take(&id->arena, n * p + 2 * n, sizeof *Y);
  if (!Y) return LW_ERROR_MEMORY;
  for (int i = 0; i < id->equations.n; ++i) id->joints[i] = joint_fit(id, i, Y);
  fill_series(id);
  return describe_robot(id) ? LW_OK : LW_ERROR_MEMORY;
}

// --- logs that the robot does not explain

// A copy of positions, velocities or accelerations with angles in radians; NULL stays NULL.
static double* from_degrees(const lwModel* model, const double* values, long count)
{
  int n          = lw_model_dof(model);
  double* turned = values ? malloc((size_t)(count * n + 1) * sizeof *turned) : NULL;
  for (long k = 0; turned && k < count * n; ++k)
    turned[k] = values[k] * (lw_model_velocity(model, (int)(k % n)).slides ? 1 : LW_PI / 180);
  return turned;
}

// Whether the log would fit if its angles were degrees.
static bool fits_in_degrees(const lwModel* model, const lwLogDef* log, const lwIdentifyDef* def)
{
  if (lw_model_nq(model) != lw_model_dof(model)) return false;  // quaternions have no unit
  if (lw_model_loop_count(model) > 0) return false;             // loops close for radians alone
  lwLogDef turned  = *log;
  double* q        = from_degrees(model, log->q, log->count);
  double* qd       = from_degrees(model, log->qd, log->count);
  double* qdd      = from_degrees(model, log->qdd, log->count);
  lwIdentified* id = calloc(1, sizeof *id);
  turned.q         = q;
  turned.qd        = qd;
  turned.qdd       = qdd;
  bool made        = id && q && !qd == !log->qd && !qdd == !log->qdd;
  bool fits        = made && run_identification(id, model, &turned, def, NULL) == LW_OK &&
              id->joints[least_explained(id)].unexplained <= def->unexplained;
  lw_identified_destroy(id);
  free(q);
  free(qd);
  free(qdd);
  return fits;
}

static lwStatus check_explained(const lwIdentified* id, const lwLogDef* log,
                                const lwIdentifyDef* def, lwDiag* diag)
{
  int worst               = least_explained(id);
  const lwJointFit* joint = &id->joints[worst];
  if (joint->unexplained <= def->unexplained) return LW_OK;
  if (fits_in_degrees(id->equations.model, log, def))
    return lw_refuse(
        diag, LW_ERROR_INPUT, "write angles in radians, velocities in rad/s",
        "the log seems to be in degrees: as radians %.0f %% of the torque of joint '%s' stay "
        "unexplained, as degrees little",
        100 * joint->unexplained, lw_model_joint_name(id->equations.model, worst));
  bool impossible = !(joint->residual > def->unexplained * joint->torque);
  return lw_refuse(
      diag, LW_ERROR_NUMERICAL,
      "is it a log of another robot, are its joints in another order, torques in other units, "
      "or is friction or a rotor left out?",
      "%s: of the torque of joint '%s' that was held back %.3g %% stay unexplained, expected "
      "at most %.3g %%",
      impossible ? "the log fits only a robot that cannot exist"
                 : "no parameters of this robot explain the log",
      lw_model_joint_name(id->equations.model, worst), 100 * joint->unexplained,
      100 * def->unexplained);
}

lwStatus lw_identify(const lwModel* model, const lwLogDef* log, const lwIdentifyDef* def,
                     lwDiag* diag, lwIdentified** identified)
{
  lwIdentifyDef usual = lw_identify_def();
  *identified         = NULL;
  if (!def) def = &usual;
  lwStatus status = lw_def_check(def->cookie, "lw_identify_def()", diag);
  if (status == LW_OK) status = lw_lapack_needed("identification", diag);
  if (status != LW_OK) return status;
  if (!(def->held_back >= 0 && def->held_back <= 0.9 && def->cutoff >= 0 && def->unexplained >= 0))
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "held_back must be within 0 and 0.9, cutoff and unexplained not negative");
  lwIdentified* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  status = run_identification(made, model, log, def, diag);
  if (status == LW_OK) status = check_explained(made, log, def, diag);
  if (status == LW_OK)
    *identified = made;
  else
    lw_identified_destroy(made);
  return status;
}

void lw_identified_destroy(lwIdentified* identified)
{
  if (!identified) return;
  for (int b = 0; b < identified->base.count && identified->names; ++b) free(identified->names[b]);
  free_fit(identified);
  lw_arena_free(&identified->arena);
  free(identified);
}

// --- answers

int lw_identified_count(const lwIdentified* identified)
{
  return identified->base.count;
}

lwEstimate lw_identified_estimate(const lwIdentified* identified, int i)
{
  const lwBaseParameters* base = &identified->base;
  size_t count                 = (size_t)base->count;
  return (lwEstimate){.name     = identified->names[i],
                      .unit     = lw_unknown_unit(&identified->equations.unknowns, base->kept[i]),
                      .file     = lw_base_value(base, i, identified->file),
                      .value    = identified->least.value[i],
                      .error    = sqrt(identified->least.covariance[(size_t)i * count + (size_t)i]),
                      .possible = lw_base_value(base, i, identified->possible)};
}

double lw_identified_correlation(const lwIdentified* identified, int i, int j)
{
  const double* C = identified->least.covariance;
  size_t count = (size_t)identified->base.count, a = (size_t)i, b = (size_t)j;
  return C[a * count + b] / sqrt(C[a * count + a] * C[b * count + b]);
}

lwFit lw_identified_fit(const lwIdentified* identified)
{
  const lwEquations* equations = &identified->equations;
  double most                  = 0;
  for (int i = 0; i < identified->base.count; ++i)
    for (int j = 0; j < i; ++j)
      most = fmax(most, fabs(lw_identified_correlation(identified, i, j)));
  return (lwFit){.condition   = identified->least.condition,
                 .correlation = most,
                 .cutoff      = equations->cutoff,
                 .rate        = equations->thinned_rate,
                 .equations   = equations->used,
                 .fitted      = equations->fitted,
                 .held_back   = equations->rows - equations->fitted,
                 .cost        = identified->cost / identified->least.cost};
}

lwJointFit lw_identified_joint(const lwIdentified* identified, int i)
{
  return identified->joints[i];
}

const lwRobotDef* lw_identified_robot(const lwIdentified* identified)
{
  return &identified->robot;
}

lwFitSeries lw_identified_series(const lwIdentified* identified)
{
  return (lwFitSeries){.count     = identified->equations.rows,
                       .t         = identified->equations.times,
                       .measured  = identified->measured,
                       .predicted = identified->predicted};
}
