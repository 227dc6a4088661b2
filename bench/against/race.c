// SPDX-License-Identifier: MIT
// Times two versions of the library in one process, in turn: race OLD.so NEW.so [options], see run.
//
// In every round each version makes one sample of about 0.1 ms, in alternating order, so that other
// load on the machine hits both alike. The best sample of many counts as the time of the work.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "side.h"

enum
{
  BATCH          = 1024,  // states per call in lanes; fewer if they would not fit into the cache
  DEFAULT_ROUNDS = 400
};

typedef struct RaceOptions
{
  const char* only;  // run only cases whose name contains this
  int rounds;
  bool all;           // also other methods and chain lengths
  bool multiples;     // questions that the old side lacks, as multiples of its inverse dynamics
  bool generated;     // code made for the robot instead of the new version's kernels
  const char* robot;  // only this robot
  const char* fresh;  // a question of the new version, timed against those of the old one that
  const char* stale;  // are named here, "bias,gravity"
  bool floating;      // on a floating base
  int count_side;     // 0, 1: call that side only, for callgrind; -1: race
  int count_calls;
} RaceOptions;

static int cases;  // that were asked for

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const Side* load_side(const char* path)
{
  void* library     = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const Side* found = library ? dlsym(library, "side") : NULL;
  if (found) return found;
  fprintf(stderr, "race: %s\n", dlerror());
  exit(3);
}

static double time_sample(const Side* side, Timed* timed, int calls)
{
  double start = seconds();
  side->run(timed, calls);
  return seconds() - start;
}

static double largest(const double* x, long count)
{
  double most = 0;
  for (long i = 0; i < count; ++i) most = fmax(most, fabs(x[i]));
  return most;
}

// The largest difference of the answers, relative to the largest answer.
static double difference(const Side* sides[2], Timed* timed[2])
{
  long count  = sides[0]->outputs(timed[0]);
  double* a   = malloc(2 * (size_t)count * sizeof *a);
  double most = 0;
  if (!a) return (double)NAN;
  double* b = a + count;
  sides[0]->answers(timed[0], a);
  sides[1]->answers(timed[1], b);
  double scale = largest(a, count);
  for (long i = 0; i < count; ++i) most = fmax(most, fabs(a[i] - b[i]));
  free(a);
  return most / scale;
}

static void race(const Side* sides[2], Timed* timed[2], int rounds, double best[2])
{
  int calls[2];
  for (int k = 0; k < 2; ++k)
  {
    best[k]  = (double)INFINITY;
    calls[k] = 1;
    while (time_sample(sides[k], timed[k], calls[k]) < 100e-6) calls[k] *= 2;
  }
  for (int round = 0; round < rounds; ++round)
    for (int turn = 0; turn < 2; ++turn)
    {
      int k   = (round + turn) % 2;
      best[k] = fmin(best[k], time_sample(sides[k], timed[k], calls[k]) / calls[k]);
    }
}

static void print_case(const char* name, const Case* wanted, const double best[2], double apart)
{
  double scale = 1e9 / (wanted->states ? wanted->states : 1);
  printf("%-58s %10.1f %10.1f  %5.3f  %8.1e\n", name, scale * best[0], scale * best[1],
         best[1] / best[0], apart);
  fflush(stdout);
}

// Whether the case is to be run; counted, so that a misspelt --only is noticed.
static bool is_asked_for(const RaceOptions* options, const char* name)
{
  bool asked = !options->only || strstr(name, options->only);
  cases += asked;
  return asked;
}

static void try_case(const Side* sides[2], const RaceOptions* options, const char* robot_name,
                     const Case* wanted)
{
  char name[120], chain[20];
  snprintf(chain, sizeof chain, "n=%d", wanted->joints);
  snprintf(name, sizeof name, "%s %s%s%s %s %s%s", robot_name ? robot_name : chain,
           wanted->question, wanted->method ? ":" : "", wanted->method ? wanted->method : "",
           wanted->single_precision ? "float" : "double", wanted->states ? "lanes" : "single",
           wanted->generated  ? " generated"
           : wanted->by_entry ? " by-entry"
                              : "");
  if (!is_asked_for(options, name)) return;
  Timed* timed[2] = {NULL, NULL};
  for (int k = 0; k < 2; ++k)
    if (options->count_side < 0 || options->count_side == k) timed[k] = sides[k]->open(wanted);
  if (options->count_side >= 0)
  {
    if (timed[options->count_side])
      sides[options->count_side]->run(timed[options->count_side], options->count_calls);
  }
  else if (timed[0] && timed[1])
  {
    double best[2], apart = difference(sides, timed);
    race(sides, timed, options->rounds, best);
    print_case(name, wanted, best, apart);
  }
  for (int k = 0; k < 2; ++k)
    if (timed[k]) sides[k]->close(timed[k]);
}

// States per call in lanes: their answers stay in the second-level cache.
static int states_in_lanes(const Side* side, Case few)
{
  enum
  {
    FEWEST = 16,
    MOST   = 65536  // numbers
  };
  few.states   = FEWEST;
  Timed* timed = side->open(&few);
  long each    = timed ? side->outputs(timed) / FEWEST : 1;
  long most    = MOST / (each > 0 ? each : 1);
  if (timed) side->close(timed);
  if (few.joints > 100 && most > BATCH / 16) most = BATCH / 16;
  if (most < FEWEST) return FEWEST;
  return most < BATCH ? (int)most / FEWEST * FEWEST : BATCH;
}

// Both precisions, one state and lanes.
static void try_modes(const Side* sides[2], const RaceOptions* options, const char* robot_name,
                      Case base)
{
  for (int precision = 0; precision < (base.generated ? 1 : 2); ++precision)
    for (int lanes = 0; lanes < 2; ++lanes)
    {
      if (base.by_entry && !lanes) continue;
      Case wanted             = base;
      wanted.single_precision = precision;
      wanted.states           = lanes ? states_in_lanes(sides[1], wanted) : 0;
      try_case(sides, options, robot_name, &wanted);
    }
}

static void try_questions(const Side* sides[2], const RaceOptions* options, const char* robot_name,
                          Case base)
{
  static const char* const questions[] = {"inverse", "inertia", "forward", "gravity", "bias"};
  for (int k = 0; k < (base.generated ? 3 : 5); ++k)
  {
    base.question = questions[k];
    try_modes(sides, options, robot_name, base);
  }
}

static void try_methods(const Side* sides[2], const RaceOptions* options, const char* robot_name,
                        Case base)
{
  static const struct
  {
    const char *question, *method;
  } methods[] = {{"inverse", "newton-euler-grouped"},
                 {"inverse", "gibbs-appell"},
                 {"inverse", "kane"},
                 {"inverse", "lagrange-omega"},
                 {"inverse", "lagrange-hollerbach-3x3"},
                 {"inertia", "composite-body"},
                 {"inertia", "common-frame"},
                 {"inertia", "gibbs-appell"},
                 {"inertia", "walker-orin-3"},
                 {"inertia", "walker-orin-1"},
                 {"forward", "articulated-body"},
                 {"forward", "composite-body"},
                 {"forward", "gibbs-appell"}};
  for (size_t k = 0; k < sizeof methods / sizeof methods[0]; ++k)
  {
    base.question = methods[k].question;
    base.method   = methods[k].method;
    try_modes(sides, options, robot_name, base);
  }
  static const char* const others[] = {"energy", "pose", "jacobian"};
  base.method                       = NULL;
  for (int k = 0; k < 3; ++k)
  {
    base.question = others[k];
    try_modes(sides, options, robot_name, base);
  }
}

static void try_all(const Side* sides[2], const RaceOptions* options)
{
  static const int lengths[]        = {30, 2, 6, 60, 100, 300};
  static const char* const robots[] = {"panda", "puma560"};
  for (int k = 0; k < 2; ++k)
  {
    char path[64];
    snprintf(path, sizeof path, "robots/%s.yaml", robots[k]);
    try_questions(sides, options, robots[k],
                  (Case){.robot = path, .generated = options->generated});
    if (options->all && !options->generated)
      try_methods(sides, options, robots[k], (Case){.robot = path});
  }
  for (int k = 0; k < (options->all ? 6 : 1) && !options->generated; ++k)
  {
    Case chain = {.joints = lengths[k]};
    try_questions(sides, options, NULL, chain);
    if (options->all && lengths[k] < 300) try_methods(sides, options, NULL, chain);
    chain.question = "inertia";
    chain.by_entry = true;
    if (options->all) try_modes(sides, options, NULL, chain);
  }
}

// One robot, whatever both sides can answer about it.
static void try_robot(const Side* sides[2], const RaceOptions* options)
{
  static const char* const questions[] = {"inverse",
                                          "inertia",
                                          "forward",
                                          "gravity",
                                          "bias",
                                          "jacobian",
                                          "jacobian-rate",
                                          "pose",
                                          "energy",
                                          "inertia-inverse",
                                          "regressor",
                                          "centroidal",
                                          "inverse-derivatives",
                                          "forward-derivatives",
                                          "coriolis-matrix"};
  const char* name                     = strrchr(options->robot, '/');
  Case base                            = {.robot = options->robot, .floating = options->floating};
  for (size_t k = 0; k < sizeof questions / sizeof questions[0]; ++k)
  {
    base.question = questions[k];
    try_modes(sides, options, name ? name + 1 : options->robot, base);
  }
}

// Times a question of the new side against inverse dynamics of one state on the old side.
static void try_multiple(const Side* sides[2], const RaceOptions* options, const Case* wanted)
{
  Case inverse    = {.robot = wanted->robot, .question = "inverse"};
  Timed* timed[2] = {NULL, NULL};
  char name[120];
  snprintf(name, sizeof name, "%s %s", wanted->question, wanted->states ? "lanes" : "single");
  if (!is_asked_for(options, name)) return;
  for (int k = 0; k < 2; ++k)
    if (options->count_side < 0 || options->count_side == k)
      timed[k] = sides[k]->open(k ? wanted : &inverse);
  if (options->count_side >= 0 && timed[options->count_side])
    sides[options->count_side]->run(timed[options->count_side], options->count_calls);
  if (timed[0] && timed[1])
  {
    double best[2], states = wanted->states ? wanted->states : 1;
    race(sides, timed, options->rounds, best);
    printf("%-58s %10.1f %10.1f  %5.3f\n", name, 1e9 * best[0], 1e9 * best[1] / states,
           best[1] / states / best[0]);
    fflush(stdout);
  }
  for (int k = 0; k < 2; ++k)
    if (timed[k]) sides[k]->close(timed[k]);
}

// Lanes: as many states as leave the answers in the second-level cache.
static void try_multiples(const Side* sides[2], const RaceOptions* options)
{
  static const struct
  {
    const char* question;
    int states;
  } asked[] = {{"inverse-derivatives", 512},
               {"forward-derivatives", 256},
               {"inertia-inverse", BATCH},
               {"coriolis-matrix", BATCH},
               {"regressor", 96}};
  for (size_t k = 0; k < sizeof asked / sizeof asked[0]; ++k)
    for (int lanes = 0; lanes < 2; ++lanes)
      try_multiple(sides, options,
                   &(Case){.robot    = "robots/panda.yaml",
                           .question = asked[k].question,
                           .states   = lanes ? asked[k].states : 0});
}

enum
{
  MOST_STALE = 16  // questions that are asked one after the other
};

// One call of each question in the list, on the old side.
static int open_list(const Side* side, const RaceOptions* options, Case wanted,
                     Timed* timed[MOST_STALE])
{
  int count  = 0;
  char* list = strdup(options->stale);
  for (char *save, *name = strtok_r(list, ",", &save); name && count < MOST_STALE;
       name = strtok_r(NULL, ",", &save))
  {
    wanted.question = name;
    timed[count]    = side->open(&wanted);
    if (!timed[count])
    {
      fprintf(stderr, "race: --old: the older version does not answer '%s' about this robot\n",
              name);
      exit(2);
    }
    ++count;
  }
  free(list);
  return count;
}

// The sum of the best times of several questions of the old side against one of the new side.
static void try_fresh(const Side* sides[2], const RaceOptions* options, const char* name,
                      Case wanted)
{
  Timed *old[MOST_STALE], *timed[2];
  int count       = open_list(sides[0], options, wanted, old);
  double sum      = 0, best[2];
  wanted.question = options->fresh;
  if (!(timed[1] = sides[1]->open(&wanted)))
  {
    fprintf(stderr, "race: --new: this version does not answer '%s' about this robot\n",
            options->fresh);
    exit(2);
  }
  for (int k = 0; k < count; ++k)
  {
    timed[0] = old[k];
    race(sides, timed, options->rounds, best);
    sum += best[0];
    sides[0]->close(old[k]);
  }
  printf("%-58s %10.1f %10.1f  %5.3f\n", name, 1e9 * sum, 1e9 * best[1], best[1] / sum);
  sides[1]->close(timed[1]);
}

// About the robot that is given, or the Panda and a chain.
static void try_fresh_all(const Side* sides[2], const RaceOptions* options)
{
  ++cases;
  if (options->robot)
    try_fresh(sides, options, options->robot,
              (Case){.robot = options->robot, .floating = options->floating});
  else
  {
    try_fresh(sides, options, "panda", (Case){.robot = "robots/panda.yaml"});
    try_fresh(sides, options, "n=100", (Case){.joints = 100});
  }
}

static void refuse_option(const char* option, const char* what)
{
  fprintf(stderr, "race: %s: %s\n", option, what);
  exit(2);
}

// A number from 0 on.
static int number_of(const char* option, const char* text)
{
  char* end  = NULL;
  long value = strtol(text, &end, 10);
  if (end == text || *end || value < 0 || value > 1000000000)
    refuse_option(option, "expected a whole number from 0 to 1000000000");
  return (int)value;
}

static bool is_floating(const char* base)
{
  bool floating = !strcmp(base, "floating");
  if (!floating && strcmp(base, "fixed")) refuse_option("--base", "expected fixed or floating");
  return floating;
}

static RaceOptions options_of(int argc, char** argv)
{
  RaceOptions options = {.rounds = DEFAULT_ROUNDS, .count_side = -1};
  for (int i = 3; i < argc; i += 2)
  {
    const char *name = argv[i], *value = argv[i + 1];
    if (!value) refuse_option(name, "its value is missing");
    if (!strcmp(name, "--only"))
      options.only = value;
    else if (!strcmp(name, "--rounds"))
      options.rounds = number_of(name, value);
    else if (!strcmp(name, "--all"))
      options.all = number_of(name, value);
    else if (!strcmp(name, "--multiples"))
      options.multiples = number_of(name, value);
    else if (!strcmp(name, "--generated"))
      options.generated = number_of(name, value);
    else if (!strcmp(name, "--robot"))
      options.robot = value;
    else if (!strcmp(name, "--base"))
      options.floating = is_floating(value);
    else if (!strcmp(name, "--new"))
      options.fresh = value;
    else if (!strcmp(name, "--old"))
      options.stale = value;
    else if (!strcmp(name, "--side"))
      options.count_side = number_of(name, value);
    else if (!strcmp(name, "--calls"))
      options.count_calls = number_of(name, value);
    else
      refuse_option(name,
                    "unknown option, expected --only, --rounds, --all, --multiples, --generated, "
                    "--robot, --base, --new, --old, --side or --calls");
  }
  if (options.floating && !options.robot) refuse_option("--base", "expected with --robot FILE");
  if (!options.fresh != !options.stale) refuse_option("--new", "expected with --old");
  if (options.count_side > 1) refuse_option("--side", "expected 0 or 1");
  return options;
}

int main(int argc, char** argv)
{
  if (argc < 3) return 2;
  RaceOptions options  = options_of(argc, argv);
  const Side* sides[2] = {load_side(argv[1]), load_side(argv[2])};
  if (options.count_side < 0)
    printf("%-58s %10s %10s  %5s  %8s\n", "", "old ns", "new ns", "ratio", "apart");
  if (options.fresh)
    try_fresh_all(sides, &options);
  else if (options.robot)
    try_robot(sides, &options);
  else if (options.multiples)
    try_multiples(sides, &options);
  else
    try_all(sides, &options);
  if (cases == 0) refuse_option("--only", "no case has this in its name; --all 1 has more of them");
  return 0;
}
