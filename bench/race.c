// SPDX-License-Identifier: MIT
#include "race.h"

#include <stdlib.h>
#include <time.h>

enum
{
  FEWEST_ROUNDS = 3,
  MAX_ROUNDS    = 1000
};

#define SAMPLE_SECONDS 100e-6  // much longer than reading the clock, much shorter than a time slice
#define WARM_SECONDS   1e-3    // cold caches do not matter for longer calls

static double race_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double race_sample(const Racer* racer, int calls)
{
  double start = race_clock();
  racer->run(racer->context, calls);
  return race_clock() - start;
}

// Warms up, then chooses the number of calls per sample.
static void calibrate(Racer* racer)
{
  double seconds = 0;
  for (racer->calls = 1; (seconds = race_sample(racer, racer->calls)) < SAMPLE_SECONDS / 2;)
    racer->calls *= 2;
  racer->warm = seconds < WARM_SECONDS * racer->calls;
}

static int by_time(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void summarise(Racer* racer)
{
  double* ns = racer->ns;
  int rounds = racer->rounds;
  qsort(ns, (size_t)rounds, sizeof *ns, by_time);
  racer->best   = ns[0];
  racer->median = (ns[(rounds - 1) / 2] + ns[rounds / 2]) / 2;
}

// A racer with long samples skips rounds, so that it uses at most twice its share of the time and
// the others still get enough rounds.
static bool takes_part(const Racer* racer, int count, double elapsed)
{
  return racer->rounds < FEWEST_ROUNDS || racer->seconds * count <= 2 * elapsed;
}

// Makes one untimed call first, because other racers have filled the caches since the last sample.
static void take_sample(Racer* racer)
{
  if (racer->warm) racer->run(racer->context, 1);
  double seconds             = race_sample(racer, racer->calls);
  racer->ns[racer->rounds++] = 1e9 * seconds / ((double)racer->calls * racer->states);
  racer->seconds += seconds;
}

// The time is that of the rounds after the first ones, in which everybody takes part.
static void run_rounds(double seconds, int count, Racer* racers)
{
  double start = race_clock(), elapsed = 0, first = 0;
  for (int round = 0; round < FEWEST_ROUNDS || (round < MAX_ROUNDS && elapsed - first < seconds);
       ++round)
  {
    for (int i = 0; i < count; ++i)
      if (takes_part(&racers[i], count, elapsed)) take_sample(&racers[i]);
    elapsed = race_clock() - start;
    if (round < FEWEST_ROUNDS) first = elapsed;
  }
}

lwStatus race_run(double seconds, int count, Racer* racers)
{
  double* ns = calloc((size_t)count * MAX_ROUNDS + 1, sizeof *ns);
  if (!ns) return LW_ERROR_MEMORY;
  for (int i = 0; i < count; ++i)
  {
    racers[i].ns      = ns + (size_t)i * MAX_ROUNDS;
    racers[i].rounds  = 0;
    racers[i].seconds = 0;
    calibrate(&racers[i]);
  }
  run_rounds(seconds, count, racers);
  for (int i = 0; i < count; ++i)
  {
    summarise(&racers[i]);
    racers[i].ns = NULL;
  }
  free(ns);
  return LW_OK;
}
