// SPDX-License-Identifier: MIT
#include "race.h"

#include <stdlib.h>
#include <time.h>

enum
{
  FEWEST_ROUNDS = 3,
  MAX_ROUNDS    = 1000
};

#define SAMPLE_SECONDS 100e-6  // long against reading the clock, short against a time slice

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

// Warms up, then makes a sample long enough to be timed.
static void calibrate(Racer* racer)
{
  racer->calls = 1;
  while (race_sample(racer, racer->calls) < SAMPLE_SECONDS / 2) racer->calls *= 2;
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

static void run_rounds(double seconds, int count, Racer* racers)
{
  double end = race_clock() + seconds;
  for (int round = 0; round < FEWEST_ROUNDS || (round < MAX_ROUNDS && race_clock() < end); ++round)
    for (int i = 0; i < count; ++i)
    {
      Racer* racer     = &racers[i];
      double states    = (double)racer->calls * racer->states;
      racer->ns[round] = 1e9 * race_sample(racer, racer->calls) / states;
      racer->rounds    = round + 1;
    }
}

lwStatus race_run(double seconds, int count, Racer* racers)
{
  double* ns = calloc((size_t)count * MAX_ROUNDS + 1, sizeof *ns);
  if (!ns) return LW_ERROR_MEMORY;
  for (int i = 0; i < count; ++i)
  {
    racers[i].ns = ns + (size_t)i * MAX_ROUNDS;
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
