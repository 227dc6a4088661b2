// SPDX-License-Identifier: MIT
// The functions of FMI 2.0 (fmi2.h) of an arm: both kinds of units, model exchange and co-
// simulation.
//
//   model exchange   the importer integrates: time and states come from it, rates and event
//                    indicators go back: what lw_arm_watched() watches, a joint that stops, breaks
//                    away or reaches a limit, or a condition of the scenario.
//   co-simulation    the run integrates, as `linkwork simulate` does. New inputs count from the
//                    beginning of a step.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2.h"
#include "plant.h"
#include "unit_files.h"

// Parameters are what FMI 2.0 declares, const or not.
// NOLINTBEGIN(readability-avoid-const-params-in-decls, readability-non-const-parameter)
#define EXPORTED                               __attribute__((visibility("default")))
#define DECLARE_UNIT(result, name, parameters) EXPORTED result fmi2##name parameters;
FMI2_FUNCTIONS(DECLARE_UNIT)

typedef struct MockUp
{
  Plant* plant;
  fmi2Type type;
  fmi2CallbackFunctions callbacks;
  char *name, *resources;
  lwDiag* diag;
  double* before;  // (watch_count) indicators after the last event
  bool ended;      // the run: a limit that stops it, or its scenario does
} MockUp;

// What is saved: these, then `before`, then the state of the run.
typedef struct UnitState
{
  size_t size;
  int begun, ended, inputs, parameters, states, indicators;
  double values[];
} UnitState;

// --- messages

static fmi2Status unit_say(const MockUp* unit, fmi2Status status, const char* format, ...)
{
  char text[500];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (unit->callbacks.logger)
    unit->callbacks.logger(unit->callbacks.componentEnvironment, unit->name, status,
                           "logStatusError", "%s", text);
  return status;
}

// Says the first error that was found, and forgets all.
static fmi2Status unit_found(MockUp* unit, lwStatus status)
{
  const char* text = lw_status_text(status);
  for (int i = lw_diag_size(unit->diag) - 1; i >= 0; --i)
    if (lw_diag_message(unit->diag, i)->severity == LW_SEVERITY_ERROR)
      text = lw_diag_message(unit->diag, i)->text;
  if (status != LW_OK) unit_say(unit, fmi2Error, "%s", text);
  lw_diag_destroy(unit->diag);
  unit->diag = lw_diag_create();
  return status == LW_OK ? fmi2OK : fmi2Error;
}

static fmi2Status unit_update(MockUp* unit)
{
  return unit_found(unit, plant_update(unit->plant, unit->diag));
}

// --- life

const char* fmi2GetTypesPlatform(void)
{
  return "default";
}

const char* fmi2GetVersion(void)
{
  return "2.0";
}

fmi2Status fmi2SetDebugLogging(fmi2Component unit, fmi2Boolean on, size_t count,
                               const fmi2String categories[])
{
  (void)unit, (void)on, (void)count, (void)categories;
  return fmi2OK;
}

// "file:///tmp/a%20b/resources" -> "/tmp/a b/resources"
static char* path_of_uri(const char* uri)
{
  char* path = calloc(strlen(uri) + 1, 1);
  if (!strncmp(uri, "file:", 5)) uri += 5;
  if (!strncmp(uri, "//", 2)) uri += 2 + strcspn(uri + 2, "/");
  for (char* to = path; path && *uri; ++to, ++uri)
  {
    unsigned code;
    bool coded = *uri == '%' && sscanf(uri + 1, "%2x", &code) == 1;
    *to        = coded ? (char)code : *uri;
    if (coded) uri += 2;
  }
  return path;
}

// A small file of the unit.
static bool read_word(const char* name, char* text, size_t size)
{
  int file      = unit_open(name, O_RDONLY);
  ssize_t count = file < 0 ? -1 : unit_read(file, text, size - 1);
  if (file >= 0) unit_close(file);
  text[count < 0 ? 0 : count] = 0;
  return count >= 0;
}

static fmi2Status unit_open_plant(MockUp* unit, const char* guid)
{
  const lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  char own[100], word[20];
  int inputs           = 0;
  lwScenario* scenario = NULL;
  unit_folder(unit->resources);
  if (!read_word("guid", own, sizeof own) || !read_word("inputs", word, sizeof word))
    return unit_say(unit, fmi2Error, "the resources of the unit are not at '%s'",
                    unit->resources ? unit->resources : "");
  if (!guid || strcmp(guid, own) != 0)
    return unit_say(unit, fmi2Error, "the GUID is %s, expected %s", guid ? guid : "none", own);
  while (PLANT_INPUT_WORDS[inputs] && strcmp(PLANT_INPUT_WORDS[inputs], word) != 0) ++inputs;
  if (inputs == PLANT_INPUTS) return unit_say(unit, fmi2Error, "unknown inputs '%s'", word);
  lwStatus status = lw_scenario_read_file("scenario", &tolerate, unit->diag, &scenario);
  if (status == LW_OK)
    status = plant_create(scenario, (PlantInputs)inputs, unit->diag, &unit->plant);
  if (status == LW_OK)
  {
    unit->before = calloc((size_t)unit->plant->run->watch_count + 1, sizeof *unit->before);
    if (!unit->before) status = LW_ERROR_MEMORY;
  }
  return unit_found(unit, status);
}

void fmi2FreeInstance(fmi2Component component)
{
  MockUp* unit = component;
  if (!unit) return;
  plant_destroy(unit->plant);
  lw_diag_destroy(unit->diag);
  free(unit->before);
  free(unit->name);
  free(unit->resources);
  free(unit);
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean visible,
                              fmi2Boolean logging)
{
  MockUp* unit = calloc(1, sizeof *unit);
  (void)visible, (void)logging;
  if (!unit) return NULL;
  unit->type = type;
  if (callbacks) unit->callbacks = *callbacks;
  unit->name      = strdup(name ? name : "");
  unit->diag      = lw_diag_create();
  unit->resources = resources ? path_of_uri(resources) : NULL;
  if (unit->name && unit->diag && unit_open_plant(unit, guid) == fmi2OK) return unit;
  fmi2FreeInstance(unit);
  return NULL;
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean has_tolerance,
                               fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,
                               fmi2Real stop)
{
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  if (start != 0)
    return unit_say(component, fmi2Error, "the run begins at t = 0, not at %g s", start);
  return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component)
{
  return unit_update(component);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component)
{
  MockUp* unit      = component;
  fmi2Status status = unit_update(unit);
  if (status != fmi2OK) return status;
  unit->plant->begun = true;
  lw_arm_watched(unit->plant->run, unit->plant->run->t, unit->plant->run->y, unit->before);
  return fmi2OK;
}

fmi2Status fmi2Terminate(fmi2Component component)
{
  (void)component;
  return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component component)
{
  MockUp* unit = component;
  Plant* plant = unit->plant;
  for (int i = 0; i < plant->count; ++i)
  {
    const PlantVariable* v = &plant->variables[i];
    if (v->kind == PLANT_INPUT) plant->input[v->index] = v->start;
    if (v->kind == PLANT_PARAMETER) plant->parameter[v->index] = v->start;
    if (v->kind == PLANT_STATE) plant->start[v->index] = v->start;
  }
  plant->begun = unit->ended = false;
  plant->rebuild = plant->stale = true;
  return unit_update(unit);
}

// --- values

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference variable[], size_t count,
                       fmi2Real value[])
{
  MockUp* unit = component;
  if (!unit->plant->begun && unit_update(unit) != fmi2OK) return fmi2Error;
  for (size_t i = 0; i < count; ++i)
  {
    if (variable[i] >= (unsigned)unit->plant->count)
      return unit_say(unit, fmi2Error, "no variable %u", variable[i]);
    value[i] = plant_get(unit->plant, (int)variable[i]);
  }
  return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference variable[], size_t count,
                       const fmi2Real value[])
{
  MockUp* unit = component;
  for (size_t i = 0; i < count; ++i)
  {
    if (variable[i] >= (unsigned)unit->plant->count)
      return unit_say(unit, fmi2Error, "no variable %u", variable[i]);
    if (!plant_set(unit->plant, (int)variable[i], value[i]))
      return unit_say(unit, fmi2Error, "variable '%s' cannot be set to %g now",
                      unit->plant->variables[variable[i]].name, value[i]);
  }
  return fmi2OK;
}

// There are no variables of other types.
#define OTHER_TYPE(name, type)                                                                     \
  fmi2Status fmi2##name(fmi2Component component, const fmi2ValueReference variable[],              \
                        size_t count, type value[])                                                \
  {                                                                                                \
    (void)component, (void)variable, (void)value;                                                  \
    return count == 0 ? fmi2OK : fmi2Error;                                                        \
  }
OTHER_TYPE(GetInteger, fmi2Integer)
OTHER_TYPE(GetBoolean, fmi2Boolean)
OTHER_TYPE(GetString, fmi2String)
OTHER_TYPE(SetInteger, const fmi2Integer)
OTHER_TYPE(SetBoolean, const fmi2Boolean)
OTHER_TYPE(SetString, const fmi2String)

// --- derivatives along a direction

// Moves states and inputs by `by` along the direction.
static void move_along(Plant* plant, const fmi2ValueReference known[], size_t knowns,
                       const double along[], double by)
{
  for (size_t i = 0; i < knowns; ++i)
  {
    const PlantVariable* v = &plant->variables[known[i]];
    *(v->kind == PLANT_STATE ? &plant->run->y[v->index] : &plant->input[v->index]) += by * along[i];
  }
}

// By differences of sixth order; rates are smooth between events. Their error is about 1e-12 of the
// rates' size for angles and lengths of the size 1.
fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknown[],
                                        size_t unknowns, const fmi2ValueReference known[],
                                        size_t knowns, const fmi2Real along[], fmi2Real change[])
{
  static const double weight[] = {0, 3.0 / 4, -3.0 / 20, 1.0 / 60}, STEP = 0.01;
  MockUp* unit = component;
  Plant* plant = unit->plant;
  double most  = 0;
  if (unit_update(unit) != fmi2OK) return fmi2Error;
  for (size_t i = 0; i < unknowns; ++i)
  {
    if (unknown[i] >= (unsigned)plant->count)
      return unit_say(unit, fmi2Error, "no variable %u", unknown[i]);
    change[i] = 0;
  }
  for (size_t i = 0; i < knowns; ++i)
  {
    PlantKind kind =
        known[i] < (unsigned)plant->count ? plant->variables[known[i]].kind : PLANT_TIME;
    if (kind != PLANT_STATE && kind != PLANT_INPUT)
      return unit_say(unit, fmi2Error, "variable %u is neither a state nor an input", known[i]);
    most = fmax(most, fabs(along[i]));
  }
  size_t states = (size_t)plant->size, inputs = (size_t)plant->input_count;
  double* kept = malloc((states + inputs) * sizeof *kept);
  if (!kept) return fmi2Error;
  memcpy(kept, plant->run->y, states * sizeof *kept);
  memcpy(kept + states, plant->input, inputs * sizeof *kept);
  for (int k = -3; k <= 3 && most > 0; ++k)
  {
    if (k == 0) continue;
    double w = (k < 0 ? -weight[-k] : weight[k]) * most / STEP;
    move_along(plant, known, knowns, along, k * STEP / most);
    plant->stale = true;
    for (size_t i = 0; i < unknowns; ++i) change[i] += w * plant_get(plant, (int)unknown[i]);
    memcpy(plant->run->y, kept, states * sizeof *kept);
    memcpy(plant->input, kept + states, inputs * sizeof *kept);
  }
  plant->stale = true;
  free(kept);
  return fmi2OK;
}

// --- states that are saved

// Numbers of a saved state before that of the run.
static size_t state_numbers(const MockUp* unit)
{
  const Plant* plant = unit->plant;
  return (size_t)plant->input_count + (size_t)plant->parameter_count + (size_t)plant->size +
         (size_t)plant->run->watch_count;
}

static size_t state_bytes(const MockUp* unit)
{
  return sizeof(UnitState) + state_numbers(unit) * sizeof(double) +
         lw_arm_run_save(unit->plant->run, NULL, 0);
}

// The arrays of a state, to it or from it.
static void pass_values(MockUp* unit, double* values, bool read)
{
  Plant* plant           = unit->plant;
  double* const arrays[] = {plant->input, plant->parameter, plant->start, unit->before};
  const int counts[]     = {plant->input_count, plant->parameter_count, plant->size,
                            plant->run->watch_count};
  for (int i = 0; i < 4; ++i)
  {
    size_t bytes = (size_t)counts[i] * sizeof(double);
    memcpy(read ? arrays[i] : values, read ? values : arrays[i], bytes);
    values += counts[i];
  }
}

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate* saved)
{
  MockUp* unit       = component;
  const Plant* plant = unit->plant;
  if (unit_update(unit) != fmi2OK) return fmi2Error;
  size_t size      = state_bytes(unit);
  UnitState* state = calloc(1, size);
  if (!state) return fmi2Error;
  *state = (UnitState){
      size,        plant->begun,           unit->ended, plant->input_count, plant->parameter_count,
      plant->size, plant->run->watch_count};
  pass_values(unit, state->values, false);
  double* run = state->values + state_numbers(unit);
  lw_arm_run_save(plant->run, run, size - (size_t)((char*)run - (char*)state));
  free(*saved);
  *saved = state;
  return fmi2OK;
}

// Whether a state has the numbers of this unit. The run looks at its own part, whose length
// changes, itself.
static bool is_own_state(const MockUp* unit, const UnitState* state)
{
  const Plant* plant = unit->plant;
  return state->inputs == plant->input_count && state->parameters == plant->parameter_count &&
         state->states == plant->size && state->indicators == plant->run->watch_count &&
         state->size > sizeof *state + state_numbers(unit) * sizeof(double);
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate saved)
{
  MockUp* unit           = component;
  Plant* plant           = unit->plant;
  const UnitState* state = saved;
  if (!state || !is_own_state(unit, state))
    return unit_say(unit, fmi2Error, "this is no state of such a unit");
  pass_values(unit, (double*)state->values, true);
  plant->begun   = false;  // a run at t = 0 with the masses of the state, and then its state
  plant->rebuild = true;
  if (unit_update(unit) != fmi2OK) return fmi2Error;
  plant->begun      = state->begun;
  unit->ended       = state->ended;
  const double* run = state->values + state_numbers(unit);
  size_t before     = (size_t)((const char*)run - (const char*)state);
  plant->stale      = true;
  return unit_found(unit, lw_arm_run_restore(plant->run, run, state->size - before, unit->diag));
}

fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate* saved)
{
  (void)component;
  free(*saved);
  *saved = NULL;
  return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate saved, size_t* size)
{
  (void)component;
  *size = saved ? ((const UnitState*)saved)->size : 0;
  return saved ? fmi2OK : fmi2Error;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate saved, fmi2Byte bytes[],
                                 size_t size)
{
  const UnitState* state = saved;
  if (!state || size < state->size)
    return unit_say(component, fmi2Error, "the bytes are too few for the state");
  memcpy(bytes, state, state->size);
  return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate* saved)
{
  const MockUp* unit = component;
  UnitState head     = {0};
  if (size >= sizeof head) memcpy(&head, bytes, sizeof head);
  if (head.size != size || !is_own_state(unit, &head))
    return unit_say(unit, fmi2Error, "these are not the bytes of a state of such a unit");
  void* state = malloc(size);
  if (!state) return fmi2Error;
  free(*saved);
  *saved = memcpy(state, bytes, size);
  return fmi2OK;
}

// --- model exchange

fmi2Status fmi2EnterEventMode(fmi2Component component)
{
  (void)component;
  return fmi2OK;
}

// Whether indicator i, now of this value, says that something has happened since the last event.
static bool has_fired(const MockUp* unit, int i, double now)
{
  double before = unit->before[i];
  if (unit->plant->run->guards[i]) return now <= 0;
  return (before > 0 && now <= 0) || (before <= 0 && now > 0);
}

// The events of this time, until there are no more. LW_OUTCOME_ARRIVED: the run goes on.
static lwOutcome handle_events(MockUp* unit, double* now, bool* any)
{
  lwArmRun* run     = unit->plant->run;
  lwOutcome outcome = run->begun;
  int count         = run->watch_count;
  for (int round = 0; round < count + 1 && outcome == LW_OUTCOME_ARRIVED; ++round)
  {
    int i = 0;
    lw_arm_watched(run, run->t, run->y, now);
    while (i < count && !has_fired(unit, i, now[i])) ++i;
    if (i == count) break;
    *any    = true;
    outcome = lw_arm_event(run, i, now[i] > 0);
    lw_arm_watched(run, run->t, run->y, now);
    unit->before[i] = now[i];
  }
  if (outcome == LW_OUTCOME_ARRIVED && lw_arm_next_break(run) <= run->t)
  {
    *any    = true;
    outcome = lw_arm_breaks(run);
  }
  lw_arm_watched(run, run->t, run->y, unit->before);
  return outcome;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component component, fmi2EventInfo* info)
{
  MockUp* unit = component;
  Plant* plant = unit->plant;
  bool any     = false;
  if (unit_update(unit) != fmi2OK) return fmi2Error;
  double* now = calloc((size_t)plant->run->watch_count + 1, sizeof *now);
  if (!now) return fmi2Error;
  lwOutcome outcome = handle_events(unit, now, &any);
  free(now);
  plant->stale = true;
  double next  = lw_arm_next_break(plant->run);
  unit->ended  = outcome == LW_OUTCOME_CONDITION || outcome == LW_OUTCOME_LIMIT;
  *info        = (fmi2EventInfo){.terminateSimulation             = unit->ended,
                                 .valuesOfContinuousStatesChanged = any,
                                 .nextEventTimeDefined            = isfinite(next),
                                 .nextEventTime                   = isfinite(next) ? next : 0};
  if (outcome == LW_OUTCOME_ARRIVED || unit->ended) return fmi2OK;
  return unit_say(unit, fmi2Error, "too many events in too short a time at %g s", plant->run->t);
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component component)
{
  return unit_update(component);
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component component, fmi2Boolean final,
                                       fmi2Boolean* enter_event_mode, fmi2Boolean* terminate)
{
  const MockUp* unit = component;
  (void) final;
  *enter_event_mode = 0;
  *terminate        = unit->ended;
  return fmi2OK;
}

fmi2Status fmi2SetTime(fmi2Component component, fmi2Real t)
{
  MockUp* unit        = component;
  unit->plant->run->t = t;
  unit->plant->stale  = true;
  return fmi2OK;
}

// False, and said: the importer has another number of states.
static bool has_states(const MockUp* unit, size_t count, size_t expected)
{
  if (count != expected) unit_say(unit, fmi2Error, "%zu numbers, expected %zu", count, expected);
  return count == expected;
}

fmi2Status fmi2SetContinuousStates(fmi2Component component, const fmi2Real y[], size_t count)
{
  MockUp* unit = component;
  if (!has_states(unit, count, (size_t)unit->plant->size)) return fmi2Error;
  memcpy(unit->plant->run->y, y, count * sizeof *y);
  unit->plant->stale = true;
  return fmi2OK;
}

fmi2Status fmi2GetDerivatives(fmi2Component component, fmi2Real rates[], size_t count)
{
  MockUp* unit = component;
  if (!has_states(unit, count, (size_t)unit->plant->size)) return fmi2Error;
  if (unit->plant->stale)
    lw_arm_rates(unit->plant->run, unit->plant->run->t, unit->plant->run->y, rates);
  if (!unit->plant->stale) memcpy(rates, unit->plant->rates, count * sizeof *rates);
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(rates[i]))
      return unit_say(unit, fmi2Discard, "the motion is not finite at %g s", unit->plant->run->t);
  return fmi2OK;
}

fmi2Status fmi2GetEventIndicators(fmi2Component component, fmi2Real values[], size_t count)
{
  MockUp* unit = component;
  if (!has_states(unit, count, (size_t)unit->plant->run->watch_count)) return fmi2Error;
  lw_arm_watched(unit->plant->run, unit->plant->run->t, unit->plant->run->y, values);
  return fmi2OK;
}

fmi2Status fmi2GetContinuousStates(fmi2Component component, fmi2Real y[], size_t count)
{
  MockUp* unit = component;
  if (!has_states(unit, count, (size_t)unit->plant->size)) return fmi2Error;
  memcpy(y, unit->plant->run->y, count * sizeof *y);
  return fmi2OK;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component component, fmi2Real sizes[],
                                             size_t count)
{
  if (!has_states(component, count, (size_t)((MockUp*)component)->plant->size)) return fmi2Error;
  for (size_t i = 0; i < count; ++i) sizes[i] = 1;
  return fmi2OK;
}

// --- co-simulation

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference variable[],
                                       size_t count, const fmi2Integer order[],
                                       const fmi2Real value[])
{
  (void)component, (void)variable, (void)order, (void)value;
  return count == 0 ? fmi2OK : fmi2Error;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component,
                                        const fmi2ValueReference variable[], size_t count,
                                        const fmi2Integer order[], fmi2Real value[])
{
  (void)component, (void)variable, (void)order, (void)value;
  return count == 0 ? fmi2OK : fmi2Error;
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real t, fmi2Real step, fmi2Boolean no_return)
{
  MockUp* unit = component;
  (void)no_return;
  if (unit_update(unit) != fmi2OK) return fmi2Error;
  lwArmRun* run = unit->plant->run;  // another one, perhaps, after an update
  if (fabs(t - run->t) > 1e-9 * fmax(1, fabs(t)))
    return unit_say(unit, fmi2Error, "a step from %.9g s, but the unit is at %.9g s", t, run->t);
  lwOutcome outcome = lw_arm_run_advance(run, t + step, NULL);
  plant_evaluate(unit->plant, true);
  unit->ended = outcome == LW_OUTCOME_CONDITION || outcome == LW_OUTCOME_LIMIT;
  if (outcome == LW_OUTCOME_ARRIVED) return fmi2OK;
  char why[300];
  lw_arm_run_why(run, why, sizeof why);
  return unit_say(unit, unit->ended ? fmi2Discard : fmi2Error,
                  unit->ended ? "the run ends at %.9g s" : "the run ends at %.9g s: %s", run->t,
                  why);
}

fmi2Status fmi2CancelStep(fmi2Component component)
{
  (void)component;
  return fmi2Error;
}

fmi2Status fmi2GetRealStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Real* value)
{
  *value = ((MockUp*)component)->plant->run->t;
  return kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component component, const fmi2StatusKind kind,
                                fmi2Boolean* value)
{
  *value = ((MockUp*)component)->ended;
  return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}

// A step never waits.
#define NO_STATUS(name, type)                                                                      \
  fmi2Status fmi2##name(fmi2Component component, const fmi2StatusKind kind, type* value)           \
  {                                                                                                \
    (void)component, (void)kind, (void)value;                                                      \
    return fmi2Discard;                                                                            \
  }
NO_STATUS(GetStatus, fmi2Status)
NO_STATUS(GetIntegerStatus, fmi2Integer)
NO_STATUS(GetStringStatus, fmi2String)
// NOLINTEND(readability-avoid-const-params-in-decls, readability-non-const-parameter)
