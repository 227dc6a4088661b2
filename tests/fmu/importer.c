// SPDX-License-Identifier: MIT
// A small importer of FMI 2.0, which knows the standard and nothing of linkwork: it reads
// modelDescription.xml, loads the binary, and runs the unit as co-simulation or, with a Runge-Kutta
// method of its own, as model exchange.
//
//   importer FOLDER cs STEP END [NAME=VALUE[@TIME]]..         all outputs, every STEP s, as CSV
//   importer FOLDER me STEP END STEPS [NAME=VALUE[@TIME]]..   likewise
//   importer FOLDER derivatives        directional derivatives against differences
//   importer FOLDER states STEP END    saved states, also serialised, restored, also elsewhere
//   importer FOLDER refusals           what a unit refuses
//
// STEPS: of the Runge-Kutta method between two lines. NAME=VALUE sets an input or a parameter, at
// the first line at or after TIME.
#include <dlfcn.h>
#include <libxml/parser.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2.h"

enum
{
  MOST = 2000  // variables, states, indicators
};

#define FUNCTION(result, name, parameters) result(*name) parameters;
typedef struct Library
{
  FMI2_FUNCTIONS(FUNCTION)
} Library;

typedef struct Variable
{
  char name[200], causality[20];
  fmi2ValueReference reference;
  bool rate;
} Variable;

typedef struct Setting
{
  char name[200];
  double value, at;
  bool done;
} Setting;

static Library fmi;
static char guid[100], identifier[200], folder[1000];
static Variable variables[MOST];
static int variable_count, indicators, state_count;
static Setting settings[50];
static int setting_count;

_Noreturn static void give_up(const char* what, const char* which)
{
  fprintf(stderr, "importer: %s %s\n", what, which);
  exit(1);
}

static void need_ok(fmi2Status status, const char* what)
{
  if (status != fmi2OK) give_up("not OK:", what);
}
#define OK(call) need_ok(fmi.call, #call)

static void logger(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                   fmi2String category, fmi2String message, ...)
{
  va_list arguments;
  (void)environment, (void)category;
  fprintf(stderr, "%s: status %d: ", instance, (int)status);
  va_start(arguments, message);
  vfprintf(stderr, message, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
}

// --- the description

static void take_text(xmlNode* node, const char* key, char* to, size_t size)
{
  xmlChar* text = xmlGetProp(node, (const xmlChar*)key);
  snprintf(to, size, "%s", text ? (const char*)text : "");
  xmlFree(text);
}

static void take_variable(xmlNode* node)
{
  Variable* v = &variables[variable_count++];
  char number[30];
  take_text(node, "name", v->name, sizeof v->name);
  take_text(node, "causality", v->causality, sizeof v->causality);
  take_text(node, "valueReference", number, sizeof number);
  v->reference = (fmi2ValueReference)strtoul(number, NULL, 10);
  for (xmlNode* type = node->children; type; type = type->next)
  {
    if (type->type != XML_ELEMENT_NODE) continue;
    take_text(type, "derivative", number, sizeof number);
    v->rate = number[0] != 0;
    state_count += v->rate;
  }
}

static void take_element(xmlNode* node)
{
  char number[30];
  if (!strcmp((const char*)node->name, "fmiModelDescription"))
  {
    take_text(node, "guid", guid, sizeof guid);
    take_text(node, "numberOfEventIndicators", number, sizeof number);
    indicators = atoi(number);
  }
  if (!strcmp((const char*)node->name, "CoSimulation"))
    take_text(node, "modelIdentifier", identifier, sizeof identifier);
  if (!strcmp((const char*)node->name, "ScalarVariable")) take_variable(node);
  for (xmlNode* child = node->children; child; child = child->next)
    if (child->type == XML_ELEMENT_NODE) take_element(child);
}

static void open_unit(void)
{
  char path[2000];
  snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
  xmlDoc* document = xmlReadFile(path, NULL, XML_PARSE_NONET);
  if (!document) give_up("cannot read", path);
  take_element(xmlDocGetRootElement(document));
  xmlFreeDoc(document);
  snprintf(path, sizeof path, "%s/binaries/linux64/%s.so", folder, identifier);
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) give_up("cannot load", dlerror());
#define LOAD(result, name, parameters)                                                             \
  *(void**)&fmi.name = dlsym(library, "fmi2" #name);                                               \
  if (!fmi.name) give_up("no function", #name);
  FMI2_FUNCTIONS(LOAD)
}

static fmi2Component instantiate(fmi2Type type, const char* with_guid)
{
  static const fmi2CallbackFunctions callbacks = {logger, calloc, free, NULL, NULL};
  char resources[1100];
  snprintf(resources, sizeof resources, "file://%s/resources", folder);
  return fmi.Instantiate("unit", type, with_guid, resources, &callbacks, 0, 0);
}

// --- values

static void set_due(fmi2Component unit, double t)
{
  for (int i = 0; i < setting_count; ++i)
  {
    if (settings[i].done || settings[i].at > t + 1e-12) continue;
    int v = 0;
    while (v < variable_count && strcmp(variables[v].name, settings[i].name) != 0) ++v;
    if (v == variable_count) give_up("no variable", settings[i].name);
    OK(SetReal(unit, &variables[v].reference, 1, &settings[i].value));
    settings[i].done = true;
  }
}

static bool any_due(double t)
{
  for (int i = 0; i < setting_count; ++i)
    if (!settings[i].done && settings[i].at <= t + 1e-12) return true;
  return false;
}

static void print_head(void)
{
  printf("t");
  for (int i = 0; i < variable_count; ++i)
    if (!strcmp(variables[i].causality, "output")) printf(",%s", variables[i].name);
  printf("\n");
}

static void print_line(fmi2Component unit, double t)
{
  printf("%.17g", t);
  for (int i = 0; i < variable_count; ++i)
  {
    double value;
    if (strcmp(variables[i].causality, "output") != 0) continue;
    OK(GetReal(unit, &variables[i].reference, 1, &value));
    printf(",%.17g", value);
  }
  printf("\n");
}

static fmi2Component begin(fmi2Type type)
{
  fmi2Component unit = instantiate(type, guid);
  if (!unit) give_up("cannot instantiate", identifier);
  OK(SetupExperiment(unit, 0, 0, 0, 0, 0));
  set_due(unit, 0);
  OK(EnterInitializationMode(unit));
  OK(ExitInitializationMode(unit));
  return unit;
}

// --- co-simulation

static int run_cs(double step, double end)
{
  fmi2Component unit = begin(fmi2CoSimulation);
  print_head();
  print_line(unit, 0);
  for (int k = 0; k < (int)lrint(end / step); ++k)
  {
    set_due(unit, k * step);
    fmi2Status status = fmi.DoStep(unit, k * step, (k + 1) * step - k * step, 1);
    fmi2Boolean ended = 0;
    if (status == fmi2Discard && fmi.GetBooleanStatus(unit, fmi2Terminated, &ended) == fmi2OK &&
        ended)
      break;
    if (status != fmi2OK) give_up("not OK:", "DoStep");
    print_line(unit, (k + 1) * step);
  }
  OK(Terminate(unit));
  fmi.FreeInstance(unit);
  return 0;
}

// --- model exchange

typedef struct Integration
{
  fmi2Component unit;
  double t, next;  // next: time of the next event that is known
  double y[MOST], z[MOST];
  bool ended;
} Integration;

static void rates_at(Integration* run, double t, const double* y, double* f)
{
  OK(SetTime(run->unit, t));
  OK(SetContinuousStates(run->unit, y, (size_t)state_count));
  OK(GetDerivatives(run->unit, f, (size_t)state_count));
}

// A step of the classical Runge-Kutta method from y at t; the unit is then in the state at its end.
static void rk4(Integration* run, double h, double* end)
{
  static double k[4][MOST], at[MOST];
  const double* y = run->y;
  rates_at(run, run->t, y, k[0]);
  for (int s = 1; s < 4; ++s)
  {
    double part = s == 3 ? h : h / 2;
    for (int i = 0; i < state_count; ++i) at[i] = y[i] + part * k[s - 1][i];
    rates_at(run, run->t + part, at, k[s]);
  }
  for (int i = 0; i < state_count; ++i)
    end[i] = y[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  OK(SetTime(run->unit, run->t + h));
  OK(SetContinuousStates(run->unit, end, (size_t)state_count));
}

static bool has_crossed(Integration* run)
{
  double z[MOST];
  OK(GetEventIndicators(run->unit, z, (size_t)indicators));
  for (int i = 0; i < indicators; ++i)
    if ((z[i] > 0) != (run->z[i] > 0)) return true;
  return false;
}

static void go_to(Integration* run, double t, const double* y)
{
  run->t = t;
  memmove(run->y, y, (size_t)state_count * sizeof *y);
  OK(SetTime(run->unit, t));
  OK(SetContinuousStates(run->unit, y, (size_t)state_count));
}

static void handle_event(Integration* run)
{
  fmi2EventInfo info = {.newDiscreteStatesNeeded = 1};
  while (info.newDiscreteStatesNeeded && !info.terminateSimulation)
    OK(NewDiscreteStates(run->unit, &info));
  run->ended = info.terminateSimulation;
  run->next  = info.nextEventTimeDefined ? info.nextEventTime : INFINITY;
  OK(EnterContinuousTimeMode(run->unit));
  OK(GetContinuousStates(run->unit, run->y, (size_t)state_count));
  OK(GetEventIndicators(run->unit, run->z, (size_t)indicators));
}

static void step_to(Integration* run, double end)
{
  static double y[MOST];
  while (run->t < end && !run->ended)
  {
    if (fabs(run->next - end) < 1e-12) end = run->next;
    double to = fmin(end, run->next), low = 0, high = to - run->t;
    rk4(run, high, y);
    bool crossed = has_crossed(run);
    for (int i = 0; i < 60 && crossed; ++i)  // the shortest step with a crossing
    {
      double middle = (low + high) / 2;
      rk4(run, middle, y);
      if (has_crossed(run))
        high = middle;
      else
        low = middle;
    }
    if (crossed) rk4(run, high, y);
    go_to(run, crossed ? run->t + high : to, y);
    if (!crossed && run->t < run->next) continue;
    OK(EnterEventMode(run->unit));
    handle_event(run);
  }
}

static int run_me(double step, double end, int steps)
{
  static Integration run;
  run.unit = begin(fmi2ModelExchange);
  handle_event(&run);
  print_head();
  print_line(run.unit, 0);
  for (int k = 0; k < (int)lrint(end / step) && !run.ended; ++k)
  {
    if (any_due(k * step))
    {
      OK(EnterEventMode(run.unit));
      set_due(run.unit, k * step);
      handle_event(&run);
    }
    for (int j = 1; j <= steps && !run.ended; ++j)
      step_to(&run, j == steps ? (k + 1) * step : (k + (double)j / steps) * step);
    print_line(run.unit, run.t);
  }
  fmi.FreeInstance(run.unit);
  return 0;
}

// --- directional derivatives

// Derivatives of all rates by every state and every input, against central differences of two
// steps.
static int check_derivatives(void)
{
  static double y[MOST], f[2][MOST];
  static fmi2ValueReference rates[MOST];
  double worst = 0, size = 0;
  fmi2Component unit = begin(fmi2ModelExchange);
  Integration run    = {.unit = unit};
  handle_event(&run);
  OK(GetContinuousStates(unit, y, (size_t)state_count));
  int count = 0, states = 0;
  fmi2ValueReference state[MOST];
  for (int i = 0; i < variable_count; ++i)
    if (variables[i].rate) rates[count++] = variables[i].reference;
  for (int i = 0; i < variable_count && states < state_count; ++i)  // in the order of their rates
    if (!variables[i].rate &&
        variables[i].reference == rates[states] - (fmi2ValueReference)state_count)
      state[states++] = variables[i].reference;
  for (int i = 0; i < states; ++i)
  {
    static const double one = 1, h = 1e-5;
    double exact[MOST], kept       = y[i];
    OK(GetDirectionalDerivative(unit, rates, (size_t)count, &state[i], 1, &one, exact));
    for (int side = 0; side < 2; ++side)
    {
      y[i] = kept + (side ? -h : h);
      OK(SetContinuousStates(unit, y, (size_t)state_count));
      OK(GetDerivatives(unit, f[side], (size_t)state_count));
    }
    y[i] = kept;
    OK(SetContinuousStates(unit, y, (size_t)state_count));
    for (int j = 0; j < count; ++j)
    {
      worst = fmax(worst, fabs(exact[j] - (f[0][j] - f[1][j]) / (2 * h)));
      size  = fmax(size, fabs(exact[j]));
    }
  }
  printf("%d derivatives, the largest %.3g, the worst differs by %.3g\n", states * count, size,
         worst);
  fmi.FreeInstance(unit);
  return states == state_count && size > 0 && worst <= 1e-6 * fmax(1, size) ? 0 : 1;
}

// --- states

static void print_from(fmi2Component unit, double step, int first, int last)
{
  for (int k = first; k < last; ++k)
  {
    OK(DoStep(unit, k * step, (k + 1) * step - k * step, 1));
    print_line(unit, (k + 1) * step);
  }
}

// The second half of a run, three times: as it goes on, from its state again, and in another
// instance from its bytes.
static int check_states(double step, double end)
{
  int half = (int)lrint(end / step / 2), last = 2 * half;
  fmi2FMUstate state = NULL, copy = NULL;
  size_t size;
  fmi2Component unit = begin(fmi2CoSimulation), other;
  for (int k = 0; k < half; ++k) OK(DoStep(unit, k * step, (k + 1) * step - k * step, 1));
  OK(GetFMUstate(unit, &state));
  print_from(unit, step, half, last);
  OK(SetFMUstate(unit, state));
  print_from(unit, step, half, last);
  OK(SerializedFMUstateSize(unit, state, &size));
  char* bytes = malloc(size);
  OK(SerializeFMUstate(unit, state, bytes, size));
  other = instantiate(fmi2CoSimulation, guid);
  OK(SetupExperiment(other, 0, 0, 0, 0, 0));
  OK(EnterInitializationMode(other));
  OK(ExitInitializationMode(other));
  bytes[0] ^= 1;  // not such a state
  if (fmi.DeSerializeFMUstate(other, bytes, size, &copy) == fmi2OK)
    give_up("took", "bytes that are no state");
  bytes[0] ^= 1;
  OK(DeSerializeFMUstate(other, bytes, size, &copy));
  OK(SetFMUstate(other, copy));
  print_from(other, step, half, last);
  OK(FreeFMUstate(other, &copy));
  OK(FreeFMUstate(unit, &state));
  free(bytes);
  OK(Reset(unit));
  OK(EnterInitializationMode(unit));
  OK(ExitInitializationMode(unit));
  OK(DoStep(unit, 0, step, 1));
  fmi.FreeInstance(unit);
  fmi.FreeInstance(other);
  return 0;
}

// What a unit refuses.
static int check_refusals(void)
{
  fmi2Component unit         = begin(fmi2CoSimulation);
  fmi2ValueReference unknown = 1000000, rate = 0;
  double value = 1, nan = NAN;
  int input = 0;
  while (input < variable_count && strcmp(variables[input].causality, "input") != 0) ++input;
  while (!variables[rate].rate) ++rate;
  bool refused = !instantiate(fmi2CoSimulation, "{no such unit}") &&
                 fmi.SetupExperiment(unit, 0, 0, 1, 0, 0) == fmi2Error &&
                 fmi.GetReal(unit, &unknown, 1, &value) == fmi2Error &&
                 fmi.SetReal(unit, &unknown, 1, &value) == fmi2Error &&
                 fmi.SetReal(unit, &variables[rate].reference, 1, &value) == fmi2Error &&
                 fmi.SetReal(unit, &variables[input].reference, 1, &nan) == fmi2Error &&
                 fmi.DoStep(unit, 5, 0.1, 1) == fmi2Error &&
                 fmi.GetContinuousStates(unit, &value, 1) == fmi2Error;
  fmi.FreeInstance(unit);
  return refused ? 0 : 1;
}

static void take_settings(int count, char** words)
{
  for (int i = 0; i < count; ++i)
  {
    Setting* s = &settings[setting_count++];
    char* sign = strrchr(words[i], '=');
    char* at   = sign ? strchr(sign, '@') : NULL;
    if (!sign) give_up("no setting:", words[i]);
    snprintf(s->name, sizeof s->name, "%.*s", (int)(sign - words[i]), words[i]);
    s->value = strtod(sign + 1, NULL);
    s->at    = at ? strtod(at + 1, NULL) : 0;
  }
}

int main(int count, char** words)
{
  if (count < 3 || !realpath(words[1], folder))
    give_up("usage:", "importer FOLDER cs|me|derivatives|states|refusals ..");
  open_unit();
  const char* what = words[2];
  double step      = count > 3 ? strtod(words[3], NULL) : 0,
         end       = count > 4 ? strtod(words[4], NULL) : 0;
  bool me          = !strcmp(what, "me");
  int first        = me ? 6 : 5;
  if (count > first) take_settings(count - first, words + first);
  if (!strcmp(what, "cs")) return run_cs(step, end);
  if (me) return run_me(step, end, count > 5 ? atoi(words[5]) : 1);
  if (!strcmp(what, "derivatives")) return check_derivatives();
  if (!strcmp(what, "refusals")) return check_refusals();
  return check_states(step, end);
}
