// SPDX-License-Identifier: MIT
// linkwork plan --fastest: the motion along waypoints or a cycle that takes the least time.
//
//   options, file --> lwCycle --section by section, lw_retime--> samples --> rows, table, audit
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/list.h"
#include "io/files.h"
#include "io/note.h"
#include "io/picture.h"
#include "linkwork/cycle.h"
#include "plan_command.h"
#include "simulate/simulate.h"
#include "states/states.h"

static const double MOST_SAMPLES = 1e7;

// An instant of the motion.
typedef struct PlanInstant
{
  double t, s, sd, sdd, margin;
  lwLimitPlace limit;
  int move;
} PlanInstant;

// What a robot needs for the whole program.
typedef struct Fastest
{
  const Options* options;
  const lwModel* model;
  const lwCycle* cycle;
  const char* path;  // of the robot file
  lwRetimeDef limits;
  double dt, pace;           // s; time is multiplied by it
  double start, end;         // s' at the ends of a program of --cycle
  const double* continuous;  // (n) limits of rms currents, A, or NULL
  int n;

  double time, bound, excess;  // of all sections, s, and the worst of them
  bool local;                  // with limits of jerk: a local optimum
  lwSizing* sizing;            // (n)
  lwJointSample* taken;        // (n) the last sample

  size_t count, capacity;  // samples
  PlanInstant* instants;   // (capacity)
  double* values;          // (capacity, 4 n) q, qd, qdd, tau
} Fastest;

// --- what is asked

static double reserve_of(const Options* options)
{
  const char* text = options->value[OPTION_RESERVE];
  char number[32]  = "";
  if (!text) return 0;
  size_t length = strlen(text), cut = length > 0 && text[length - 1] == '%' ? length - 1 : length;
  if (cut == 0 || cut >= sizeof number) stop(USAGE, "--reserve: expected a percentage like 10%%");
  memcpy(number, text, cut);
  double value;
  list_parse(OPTION_RESERVE, number, 1, "a percentage like 10%", &value);
  if (!(value >= 0 && value < 100)) stop(USAGE, "--reserve: %s, expected 0%% to below 100%%", text);
  return value / 100;
}

static lwRetimeDef limits_asked(const Options* options, const lwCycle* cycle, const lwModel* model)
{
  lwRetimeDef def = lw_cycle_limits(cycle);
  double grid     = positive_of(options, OPTION_GRID, NULL, def.grid);
  if (!(grid >= 2 && grid <= 100000 && grid == floor(grid)))
    stop(USAGE, "--grid: %g, expected a whole number from 2 to 100000", grid);
  def.grid         = (int)grid;
  def.velocity     = limits_of(options, OPTION_VELOCITY, model);
  def.acceleration = limits_of(options, OPTION_ACCELERATION, model);
  def.jerk         = limits_of(options, OPTION_JERK, model);
  def.reserve      = reserve_of(options);
  return def;
}

// How much longer than the fastest motion: of speed up to 1, of time above.
static double pace_of(const Options* options)
{
  double pace = positive_of(options, OPTION_PACE, NULL, 1);
  return pace < 1 ? 1 / pace : pace;
}

// Limits of rms currents of the motors, A, one for all joints or one each; NULL: none.
static const double* continuous_of(const Options* options, const lwModel* model)
{
  const char* list = options->value[OPTION_CONTINUOUS];
  int n            = lw_model_dof(model);
  bool any         = false;
  if (!list) return NULL;
  int given      = list_count(list) == 1 ? 1 : n;
  double* values = allocate((size_t)n, sizeof *values);
  list_parse(OPTION_CONTINUOUS, list, given, "one number of A for all joints, or one for each",
             values);
  for (int j = 0; j < n; ++j)
  {
    if (j >= given) values[j] = values[0];
    if (!(values[j] > 0)) stop(USAGE, "--continuous: %g, expected more than 0", values[j]);
    any = any || lw_model_joint_def(model, j)->motor.given;
  }
  if (!any) stop(USAGE, "--continuous: %s has no motors", lw_model_name(model));
  return values;
}

// The program of --cycle: exit 3 if the file is wrong, 1 if there is no such motion.
static const lwCycle* cycle_read(const char* path, const lwModel* model, lwDiag* diag)
{
  lwCycle* cycle  = NULL;
  lwStatus status = lw_cycle_read_file(path, model, diag, &cycle);
  hold(cycle, (void (*)(void*))lw_cycle_destroy);
  inputs_add(diag);
  if (status == LW_OK) return cycle;
  errors_print(diag);
  leave(status == LW_ERROR_MEMORY ? no_memory() : status == LW_ERROR_NUMERICAL ? NO : INPUT);
}

static void refuse_beside_cycle(const Options* options)
{
  const char* other = first_given(options, "--from --to --via --in");
  if (other) stop(USAGE, "--cycle and %s exclude each other", other);
}

static const lwCycle* cycle_of(const Options* options, const lwModel* model, lwDiag* diag)
{
  lwCycle* cycle = NULL;
  if (options->value[OPTION_CYCLE]) refuse_beside_cycle(options);
  if (options->value[OPTION_CYCLE]) return cycle_read(options->value[OPTION_CYCLE], model, diag);
  lwWaypointsDef points = waypoints_of(options, model);
  lwCycleShape shape = options->value[OPTION_IN] ? LW_CYCLE_SHAPE_SPLINE : LW_CYCLE_SHAPE_STRAIGHT;
  need_plan(lw_cycle_create_waypoints(model, &points, shape, diag, &cycle), diag);
  for (int i = 0; i < lw_diag_size(diag); ++i) note("%s", lw_diag_message(diag, i)->text);
  return hold(cycle, (void (*)(void*))lw_cycle_destroy);
}

// The speed along the path at an end of a program: that of the joint velocities of the option.
static double end_speed(const Options* options, Option option, const lwModel* model,
                        const lwCycleSection* section, bool end)
{
  static const double OFF = 1e-6;  // of the velocity, that it may be off the path
  int n                   = lw_model_dof(model);
  double *qd = allocate(2 * (size_t)n, sizeof *qd), *slope = qd + n, along = 0, length = 0,
         size = 0;
  double off = 0, at = end ? lw_trajectory_duration(section->path) * (1 - 1e-15) : 0;
  if (!options->value[option]) return 0;
  if (section->ends.closed || (end ? section->dwell : section->wait) > 0)
    stop(USAGE, "%s: the program %s", OPTIONS[option].name,
         section->ends.closed ? "never stops: its speed is as high as possible"
         : end                ? "ends with a dwell"
                              : "begins with a dwell");
  take_joints(options->value[option], option, model, qd);
  lw_trajectory_at(section->path, at, NULL, slope, NULL);
  for (int j = 0; j < n; ++j) along += qd[j] * slope[j], length += slope[j] * slope[j];
  for (int j = 0; j < n; ++j)
  {
    off  = fmax(off, fabs(qd[j] - along / length * slope[j]));
    size = fmax(size, fabs(qd[j]));
  }
  if (off <= OFF * size && along >= 0) return along / length;
  char direction[FRAME_TEXT] = "";
  for (int j = 0; j < n && strlen(direction) < FRAME_TEXT - 24; ++j)
    snprintf(direction + strlen(direction), 24, "%s%.9g", j ? "," : "", slope[j]);
  stop(NO, "%s: the velocity must be along the path, which goes like %s there",
       OPTIONS[option].name, direction);
}

// --- one section

static const char* limit_owner(const Fastest* job, lwLimitPlace place, const lwRetimeDef* def)
{
  if (place.index < 0) return NULL;
  if (place.kind == LW_LIMIT_REACTION) return lw_model_robot(job->model)->joints[place.index].name;
  if (place.kind == LW_LIMIT_FORCE || place.kind == LW_LIMIT_FLOW)
    return lw_cylinders_get(def->cylinders, place.index)->name;
  return joint_name(job->model, place.index);
}

static void limit_text(const Fastest* job, lwLimitPlace place, const lwRetimeDef* def,
                       char text[FRAME_TEXT])
{
  const char* owner = limit_owner(job, place, def);
  bool cylinder     = place.kind == LW_LIMIT_FORCE || place.kind == LW_LIMIT_FLOW;
  snprintf(text, FRAME_TEXT, "%s%s%s%s", lw_limit_word(place.kind),
           !owner     ? ""
           : cylinder ? " of cylinder '"
                      : " of joint '",
           owner ? owner : "", owner ? "'" : "");
}

static void place_text(const Fastest* job, const lwCycleSection* section, double s,
                       char text[FRAME_TEXT])
{
  double* q = allocate((size_t)job->n, sizeof *q);
  int move  = 0;
  size_t at;
  for (int k = 0; k < section->move_count; ++k)
    if (section->moves[k].s <= s) move = section->moves[k].move;
  lw_trajectory_at(section->path, s, q, NULL, NULL);
  at = (size_t)snprintf(text, FRAME_TEXT, "move %d, s = %.6g, q =", move, s);
  for (int j = 0; j < job->n && at < FRAME_TEXT - 12; ++j)
    at += (size_t)snprintf(text + at, FRAME_TEXT - at, "%s%.4g", j ? "," : " ", q[j]);
}

static lwRetimeEnds ends_of(const Fastest* job, const lwCycleSection* section)
{
  lwRetimeEnds ends = section->ends;
  int last          = lw_cycle_count(job->cycle) - 1;
  if (section == lw_cycle_section(job->cycle, 0)) ends.start += job->start;
  if (section == lw_cycle_section(job->cycle, last)) ends.end += job->end;
  return ends;
}

static _Noreturn void say_stuck(const Fastest* job, const lwCycleSection* section,
                                const lwRetimeDef* def, const lwRetimeResult* result)
{
  char place[FRAME_TEXT], first[FRAME_TEXT], second[FRAME_TEXT];
  place_text(job, section, fmax(result->stuck, 0), place);
  limit_text(job, result->clash[0], def, first);
  limit_text(job, result->clash[1], def, second);
  lwRetimeEnds ends = ends_of(job, section);
  double length     = lw_trajectory_duration(section->path);
  bool start = result->stuck <= 0 && ends.start > 0, end = result->stuck >= length && ends.end > 0;
  if (!ends.closed && (start || end) && !strcmp(first, second))
    stop(NO, "plan: no motion keeps all limits at %s: the %s does not allow to %s at this speed",
         place, first, start ? "begin" : "end");
  if (!strcmp(first, second))
    stop(NO, "plan: no motion keeps all limits at %s: the %s alone leaves no acceleration", place,
         first);
  stop(NO, "plan: no motion keeps all limits at %s: %s and %s leave no acceleration", place, first,
       second);
}

static lwCylinders* cylinders_for(const Fastest* job, const lwModel* model)
{
  lwCylinders* cylinders = NULL;
  if (!strcmp(job->path, "-")) return NULL;
  need_ok(lw_cylinders_read_file(job->path, model, NULL, &cylinders));
  hold_cylinders(cylinders);
  return lw_cylinders_count(cylinders) > 0 ? cylinders : NULL;
}

static lwRetime* retime_section(const Fastest* job, const lwCycleSection* section, int factor,
                                lwRetimeDef* def, lwRetimeResult* result)
{
  lwRetime* retime = NULL;
  lwDiag* diag     = hold_messages();
  *def             = job->limits;
  def->grid *= factor;
  def->cylinders = cylinders_for(job, section->model);
  need_plan(lw_retime_create(section->model, def, diag, &retime), diag);
  hold(retime, (void (*)(void*))lw_retime_destroy);
  lwRetimeEnds ends = ends_of(job, section);
  lwStatus status   = lw_retime(retime, section->path, &ends, result);
  if (status == LW_ERROR_NUMERICAL)
    stop(USAGE, "plan: nothing limits the motion: give limits of acceleration, effort or motors");
  if (status == LW_ERROR_INPUT && result->local && def->heat) return NULL;
  if (status == LW_ERROR_INPUT && result->local)
    stop(NO, "plan: no motion was found within the limits of jerk%s",
         section->ends.closed ? ": a program without a stop has none" : "");
  if (status == LW_ERROR_OPEN) stop(NO, "plan: the loops cannot be closed along the path");
  if (status != LW_OK) say_stuck(job, section, def, result);
  return retime;
}

static bool slow_down(const Fastest* job, const lwCycleSection* section, const lwRetimeDef* def,
                      lwRetime* retime, lwRetimeResult* result)
{
  char place[FRAME_TEXT], limit[FRAME_TEXT];
  if (job->pace == 1 || lw_retime_slow(retime, job->pace, result) == LW_OK) return true;
  if (def->heat) return false;
  place_text(job, section, fmax(result->stuck, 0), place);
  limit_text(job, result->clash[0], def, limit);
  stop(NO, "--pace: so slow a motion exceeds the %s by %.3g %% at %s", limit, 100 * result->excess,
       place);
}

// Limits that could not be kept between the points of the grid.
static void refuse_excess(double excess)
{
  if (excess <= 1e-6) return;
  stop(NUMERICAL,
       "plan: a limit is exceeded by %.2g of it between points of the grid, expected at most 1e-6: "
       "give a larger --grid",
       excess);
}

static void note_hold(const Fastest* job, const lwCycleSection* section, const lwRetimeDef* def,
                      const lwRetimeResult* result)
{
  char place[FRAME_TEXT], limit[FRAME_TEXT];
  if (result->cannot_hold < 0) return;
  place_text(job, section, result->cannot_hold, place);
  limit_text(job, result->hold, def, limit);
  note("cannot stop at %s: the %s is too low to hold the arm there", place, limit);
}

// --- samples

static PlanInstant* next_instant(Fastest* job, double** values)
{
  size_t n = 4 * (size_t)job->n;
  if (job->count == job->capacity)
  {
    job->capacity = 2 * job->capacity + 1024;
    if ((double)job->capacity > MOST_SAMPLES)
      stop(USAGE, "--dt: too many samples, expected at most %g", MOST_SAMPLES);
    job->instants = reallocate(job->instants, job->capacity, sizeof *job->instants);
    job->values   = reallocate(job->values, job->capacity * n, sizeof *job->values);
  }
  *values = job->values + job->count * n;
  return &job->instants[job->count++];
}

static void size_joints(Fastest* job, const lwModel* model, double t, const double* values)
{
  for (int j = 0; j < job->n; ++j)
  {
    const lwJointDef* joint = lw_model_joint_def(model, j);
    const double *qd = values + job->n, *qdd = qd + job->n, *tau = qdd + job->n;
    double rotor         = lw_joint_rotor(joint) * qdd[j];
    lwJointSample sample = {t, values[j], qd[j], qdd[j],
                            tau[j] - rotor - lw_friction_torque(&joint->friction, qd[j])};
    lw_sizing_take(&job->sizing[j], joint, &sample, 0);
  }
}

static void take_instant(Fastest* job, const lwCycleSection* section, lwRetime* retime, double t)
{
  double* values;
  int n = job->n, move = 0;
  PlanInstant* at = next_instant(job, &values);
  lwRetimePoint p = {.q = values, .qd = values + n, .qdd = values + 2 * n, .tau = values + 3 * n};
  lw_retime_at(retime, t, &p);
  for (int k = 0; k < section->move_count; ++k)
    if (section->moves[k].s <= p.s) move = section->moves[k].move;
  *at = (PlanInstant){job->time + t, p.s, p.sd, p.sdd, p.margin, p.limit, move};
  if (!all_finite(values, 4 * (size_t)n))
    stop(NUMERICAL, "plan: the motion is not finite at t = %.9g s", at->t);
  size_joints(job, section->model, at->t, values);
}

// Samples at multiples of dt of the whole program, and at the end of the last section.
static void sample_section(Fastest* job, const lwCycleSection* section, lwRetime* retime,
                           double duration, bool last)
{
  double first = ceil((job->time - section->wait) / job->dt - 1e-9);
  double end   = job->time + duration + section->dwell;
  for (double k = first; k * job->dt < end - 1e-9 * job->dt; ++k)
    take_instant(job, section, retime, k * job->dt - job->time);
  if (last) take_instant(job, section, retime, duration + section->dwell);
}

// False: no motion was found with weights of heat; otherwise it stops.
static bool run_sections(Fastest* job, int factor)
{
  int count = lw_cycle_count(job->cycle);
  job->time = job->bound = 0;
  job->excess            = -1;
  if (factor == 1) job->count = 0;
  if (factor == 1) memset(job->sizing, 0, (size_t)job->n * sizeof *job->sizing);
  for (int k = 0; k < count; ++k)
  {
    const lwCycleSection* section = lw_cycle_section(job->cycle, k);
    lwRetimeResult result;
    lwRetimeDef def;
    lwRetime* retime = retime_section(job, section, factor, &def, &result);
    if (!retime || !slow_down(job, section, &def, retime, &result)) return false;
    if (def.heat && def.tightenings > 0 && result.excess > 1e-6) return false;
    if (!def.heat) refuse_excess(result.excess);
    job->time += section->wait;
    job->bound += section->wait;
    if (factor == 1) note_hold(job, section, &def, &result);
    if (factor == 1) sample_section(job, section, retime, result.time, k + 1 == count);
    job->time += result.time + section->dwell;
    job->bound += result.bound + section->dwell;
    job->excess = fmax(job->excess, result.excess);
    job->local  = job->local || result.local;
    unhold(retime);
    lw_retime_destroy(retime);
  }
  return true;
}

// The largest rms current of a motor over its limit.
static double current_ratio(const Fastest* job)
{
  double worst = 0;
  for (int j = 0; j < job->n; ++j)
    if (lw_model_joint_def(job->model, j)->motor.given)
      worst = fmax(worst, lw_sizing_rms(&job->sizing[j], LW_LOAD_CURRENT) / job->continuous[j]);
  return worst;
}

// Slows all sections down alike until the motors' rms currents are within their limits. Friction
// and gravity are left at any pace.
static void pace_for_current(Fastest* job)
{
  enum
  {
    SLOWEST = 64
  };
  double fast = job->pace, slow = fast;
  while (current_ratio(job) > 1)
  {
    fast = slow;
    slow *= 1.5;
    if (slow > SLOWEST)
      stop(NO, "--continuous: even %d times slower, an rms current is %.4g times its limit",
           SLOWEST, current_ratio(job));
    job->pace = slow;
    run_sections(job, 1);
  }
  while (slow - fast > 1e-4 * slow)
  {
    job->pace = 0.5 * (fast + slow);
    run_sections(job, 1);
    *(current_ratio(job) > 1 ? &fast : &slow) = job->pace;
  }
  job->pace = slow;
  run_sections(job, 1);
}

// Weights of heat with which the rms currents that matter come to their limits: a mass alone would
// need 1 / (3 current^2), and where a current is too large by r, r^2 times its weight.
static bool weigh_heat(Fastest* job, double* heat)
{
  enum
  {
    ROUNDS = 16
  };
  for (int round = 0; round <= ROUNDS; ++round)
  {
    bool done = round > 0;
    for (int j = 0; j < job->n; ++j)
    {
      if (!lw_model_joint_def(job->model, j)->motor.given) continue;
      double limit = job->continuous[j];
      double ratio = lw_sizing_rms(&job->sizing[j], LW_LOAD_CURRENT) / limit;
      if (round == 0) heat[j] = 1 / (3 * limit * limit);
      done = done && ratio < 1.001 && (ratio > 0.999 || heat[j] * limit * limit < 1e-3);
      heat[j] *= ratio * ratio;
    }
    if (done || round == ROUNDS) break;
    if (!run_sections(job, 1)) return false;
  }
  return true;
}

// The motion with these weights, which are those of a coarse grid, all of them scaled until the
// largest rms current is just below its limit.
static bool run_with_heat(Fastest* job, double* heat)
{
  enum
  {
    TRIES = 6
  };
  for (int k = 0; k < TRIES; ++k)
  {
    if (!run_sections(job, 1)) return false;
    double ratio = current_ratio(job), scale = 1.0005 * ratio;
    if (ratio <= 1 && ratio > 0.998) return true;
    for (int j = 0; j < job->n; ++j) heat[j] *= scale * scale;
  }
  return false;
}

// At first a uniform pace, then, where it converges, the least time with the heat of motors.
static void keep_currents(Fastest* job)
{
  enum
  {
    COARSE = 100  // intervals with which the weights are found
  };
  double first = job->pace, fastest = job->time;
  if (!job->continuous || current_ratio(job) <= 1) return;
  pace_for_current(job);
  double uniform = job->time, pace = job->pace;
  lwRetimeDef given       = job->limits;
  double* heat            = allocate((size_t)job->n, sizeof *heat);
  job->limits.heat        = heat;
  job->limits.refine      = 1;  // u is continuous
  job->limits.grid        = given.grid < COARSE ? given.grid : COARSE;
  job->limits.tightenings = 0;
  job->pace               = first;
  bool converged          = weigh_heat(job, heat);
  job->limits.refine      = given.refine;
  job->limits.grid        = given.grid;
  job->limits.tightenings = given.tightenings;
  converged               = converged && run_with_heat(job, heat) && job->time < uniform;
  if (!converged)
  {
    job->limits = given;
    job->pace   = pace;
    job->local  = false;
    run_sections(job, 1);
  }
  note("--continuous: %.5g times slower than the fastest motion; %s", job->time / fastest,
       converged ? "a local optimum" : "pace is uniform");
}

// --- output

static char* column_names(const Fastest* job)
{
  static const char* const groups[] = {"q", "qd", "qdd", "tau"};
  size_t size                       = (size_t)job->n * 4 * (LW_ROW_NAME + 1) + 100, used;
  char *names                       = allocate(size, 1), name[LW_ROW_NAME];
  used                              = (size_t)snprintf(names, size, "t,s");
  for (int g = 0; g < 4; ++g)
    for (int j = 0; j < job->n; ++j)
    {
      joint_column(job->model, groups[g], j, job->options->value[OPTION_NAMES], name);
      used += (size_t)snprintf(names + used, size - used, ",%s", name);
    }
  snprintf(names + used, size - used, ",sd,sdd,move,limit,limit_joint,margin");
  return names;
}

static void instant_row(const void* context, int i, lwCell* cells)
{
  const Fastest* job    = context;
  const PlanInstant* at = &job->instants[i];
  const double* values  = job->values + (size_t)i * 4 * (size_t)job->n;
  lwCell* rest          = cells + 2 + 4 * job->n;
  cells[0]              = lw_cell_number(at->t);
  cells[1]              = lw_cell_number(at->s);
  lw_cells_numbers(cells + 2, values, 4 * job->n);
  rest[0] = lw_cell_number(at->sd);
  rest[1] = lw_cell_number(at->sdd);
  rest[2] = lw_cell_number(at->move);
  rest[3] = lw_cell_text(lw_limit_word(at->limit.kind));
  rest[4] = lw_cell_text(limit_owner(job, at->limit, &job->limits));
  rest[5] = lw_cell_number(at->margin);
}

static void sizing_row(const void* context, int j, lwCell* cells)
{
  const Fastest* job      = context;
  const lwJointDef* joint = lw_model_joint_def(job->model, j);
  const lwSizing* sizing  = &job->sizing[j];
  cells[0]                = lw_cell_text(joint_name(job->model, j));
  cells[1]                = lw_cell_number(fabs(sizing->sums[LW_LOAD_SPEED].peak));
  cells[2]                = lw_cell_limit(joint->limits.velocity);
  cells[3]                = lw_cell_number(lw_sizing_rms(sizing, LW_LOAD_TORQUE));
  cells[4]                = lw_cell_number(fabs(sizing->sums[LW_LOAD_TORQUE].peak));
  cells[5]                = lw_cell_limit(joint->limits.effort);
  if (!joint->motor.given) return;
  cells[6]  = lw_cell_number(lw_sizing_rms(sizing, LW_LOAD_CURRENT));
  cells[7]  = lw_cell_number(fabs(sizing->sums[LW_LOAD_CURRENT].peak));
  cells[8]  = lw_cell_limit(joint->motor.current);
  cells[9]  = lw_cell_number(fabs(sizing->sums[LW_LOAD_VOLTAGE].peak));
  cells[10] = lw_cell_limit(joint->motor.voltage);
}

// J: what motors take from their supply, and what other drives do.
static double energy_of(const Fastest* job)
{
  double energy = 0;
  for (int j = 0; j < job->n; ++j)
  {
    bool motor = lw_model_joint_def(job->model, j)->motor.given;
    energy += job->sizing[j].sums[motor ? LW_LOAD_ELECTRIC : LW_LOAD_POWER].positive;
  }
  return energy;
}

static void out_fastest_table(const Fastest* job, lwOut* out, double fine)
{
  static const char columns[] = "joint,speed,its limit,torque rms,peak,its limit,current rms,"
                                "peak,its limit,voltage,its limit";
  const char* torque          = joints_unit(job->model, OPTION_TAU);
  const char* speed           = joints_unit(job->model, OPTION_QD);
  const char* units[]         = {"", speed, speed, torque, torque, torque, "A", "A", "A", "V", "V"};
  lwSheet sheet               = {
                    .columns = columns, .unit = units, .rows = job->n, .row = sizing_row, .context = job};
  lw_out_format(out, "%s%s%s: fastest motion, %.9g s\n", lw_model_name(job->model),
                lw_cycle_name(job->cycle)[0] ? ", " : "", lw_cycle_name(job->cycle), job->time);
  lw_out_format(out, "bound of the grid %.9g s (gap %.2g %%), with 4 times the grid %.9g s\n",
                job->bound, 100 * (job->time / job->bound - 1), fine);
  if (job->local)
    lw_out_text(
        out, "with limits of jerk or rms currents: a local optimum; the bound is without them\n");
  lw_out_format(out, "limits checked on a grid 5 times as fine: largest excess %.2g; %.6g J\n",
                fmax(job->excess, 0), energy_of(job));
  lw_sheet_write(out, LW_FORMAT_TABLE, &sheet);
}

static int write_fastest_audit(const Fastest* job, double fine)
{
  lwOut* out = output(job->options->value[OPTION_AUDIT]);
  lw_json(
      out,
      "{'time': $n, 'bound': $n, 'gap': $n, 'time_4n': $n, 'kept': 'checked', 'worst_excess': $n, "
      "'energy': $n,\n 'optimum': $s, 'joints': [",
      job->time, job->bound, job->time / job->bound - 1, fine, fmax(job->excess, 0), energy_of(job),
      job->local ? "local" : "global");
  for (int j = 0; j < job->n; ++j)
  {
    const lwJointDef* joint = lw_model_joint_def(job->model, j);
    const lwSizing* sizing  = &job->sizing[j];
    lw_out_text(out, j ? "," : "");
    lw_json(out, "\n  {'name': $s, 'rms': $n, 'peak': $n, 'limit': $n", joint_name(job->model, j),
            lw_sizing_rms(sizing, LW_LOAD_TORQUE), fabs(sizing->sums[LW_LOAD_TORQUE].peak),
            joint->limits.effort);
    if (joint->motor.given)
      lw_json(out, ", 'rms_current': $n, 'peak_current': $n, 'current_limit': $n",
              lw_sizing_rms(sizing, LW_LOAD_CURRENT), fabs(sizing->sums[LW_LOAD_CURRENT].peak),
              joint->motor.current);
    lw_out_char(out, '}');
  }
  lw_out_text(out, "]}\n");
  return output_end(out, DONE);
}

// Speeds, torques, how near the nearest limit is, and its number as in lwLimitKind.
static int draw_fastest(const Fastest* job, const char* path)
{
  static const char* const groups[] = {"qd", "tau"};
  int n                             = job->n;
  size_t width                      = 2 * (size_t)n + 3;
  lwPlotTable* plot                 = plot_begin(path, width);
  double* row                       = allocate(width, sizeof *row);
  char name[LW_ROW_NAME];
  plot->title = lw_model_name(job->model);
  plot->model = job->model;
  plot_name(plot, 0, "t", NULL);
  for (int k = 0; k < 2 * n; ++k)
  {
    joint_column(job->model, groups[k / n], k % n, false, name);
    plot_name(plot, 1 + (size_t)k, name, joint_name(job->model, k % n));
  }
  plot_name(plot, width - 2, "margin", NULL);
  plot_name(plot, width - 1, "limit", NULL);
  for (size_t i = 0; i < job->count; ++i)
  {
    const double* values = job->values + i * 4 * (size_t)n;
    row[0]               = job->instants[i].t;
    memcpy(row + 1, values + n, (size_t)n * sizeof *row);
    memcpy(row + 1 + n, values + 3 * n, (size_t)n * sizeof *row);
    row[width - 2] = job->instants[i].margin;
    row[width - 1] = job->instants[i].limit.kind;
    lw_plot_table_add(plot, row);
  }
  return picture_draw(plot, path, "t", "qd,tau,margin,limit", true);
}

// --- the command

static void refuse_unused(const Options* options)
{
  const char* unused =
      first_given(options, "--profile --join --duration --from-qdd --to-qdd --pose --position "
                           "--simulate --control --kp --kd --columns --integrator --link --tool");
  if (unused) stop(USAGE, "plan: --fastest does not use %s", unused);
}

static Fastest* fastest_open(const Options* options, const lwModel* model, const char* path)
{
  Fastest* job = allocate(1, sizeof *job);
  needs_plain_joints(model, path, "--fastest");
  job->options = options;
  job->model   = model;
  job->path    = path;
  job->n       = lw_model_dof(model);
  if (job->n == 0) stop(USAGE, "%s has no moving joints", lw_model_name(model));
  job->sizing           = allocate((size_t)job->n, sizeof *job->sizing);
  job->cycle            = cycle_of(options, model, hold_messages());
  job->limits           = limits_asked(options, job->cycle, model);
  job->limits.cylinders = cylinders_for(job, model);
  job->pace             = pace_of(options);
  if (options->value[OPTION_CYCLE])
  {
    int last   = lw_cycle_count(job->cycle) - 1;
    job->start = end_speed(options, OPTION_FROM_QD, model, lw_cycle_section(job->cycle, 0), false);
    job->end   = end_speed(options, OPTION_TO_QD, model, lw_cycle_section(job->cycle, last), true);
  }
  job->continuous = continuous_of(options, model);
  job->dt         = positive_of(options, OPTION_DT, "s", 0.001);
  return job;
}

static double finer_time(const Fastest* job)
{
  Fastest* fine = allocate(1, sizeof *fine);
  *fine         = *job;
  run_sections(fine, 4);
  return fine->time;
}

// --- two robots

static void compare_row(const void* context, int i, lwCell* cells)
{
  const Fastest* const* jobs = context;
  cells[0]                   = lw_cell_text(jobs[i]->path);
  cells[1]                   = lw_cell_number(jobs[i]->time);
  cells[2]                   = lw_cell_number(jobs[i]->time / jobs[0]->time);
  cells[3]                   = lw_cell_number(jobs[i]->bound);
  cells[4]                   = lw_cell_number(energy_of(jobs[i]));
}

static int compare_robots(const Options* options, const lwModel* model)
{
  const char* other   = options->value[OPTION_COMPARE];
  const char* units[] = {"", "s", "", "s", "J"};
  Fastest* jobs[2]    = {fastest_open(options, model, options->operand)};
  const char* unused  = first_given(options, "--audit --plot --dt");
  if (unused) stop(USAGE, "plan: --compare does not use %s", unused);
  jobs[1] = fastest_open(options, robot_read(options, other), other);
  for (int i = 0; i < 2; ++i)
  {
    run_sections(jobs[i], 1);
    keep_currents(jobs[i]);
  }
  lwSheet sheet = {.columns = "robot,time,ratio,bound,energy",
                   .unit    = units,
                   .rows    = 2,
                   .row     = compare_row,
                   .context = jobs};
  return sheet_print(options, format_of(options), &sheet);
}

int plan_fastest(const Options* options, const lwModel* model)
{
  refuse_unused(options);
  if (options->value[OPTION_COMPARE]) return compare_robots(options, model);
  lwFormat format = format_of(options);
  bool audit      = options->value[OPTION_AUDIT];
  need(picture_check(options->value[OPTION_PLOT]));
  Fastest* job = fastest_open(options, model, options->operand);
  run_sections(job, 1);
  keep_currents(job);
  double fine   = audit || format == LW_FORMAT_TABLE ? finer_time(job) : 0;
  lwOut* out    = output_of(options);
  lwSheet sheet = {
      .columns = column_names(job), .rows = (int)job->count, .row = instant_row, .context = job};
  if (format == LW_FORMAT_TABLE)
    out_fastest_table(job, out, fine);
  else
    lw_sheet_write(out, format, &sheet);
  int status = output_end(out, DONE);
  if (status == DONE && audit) status = write_fastest_audit(job, fine);
  const char* plot = options->value[OPTION_PLOT];
  return status == DONE && plot ? draw_fastest(job, plot) : status;
}
