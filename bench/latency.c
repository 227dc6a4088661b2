// SPDX-License-Identifier: MIT
#include "latency.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "allocations.h"
#include "bench_states.h"

enum
{
  RING = 64,  // states, used in turn
  WARM_UP =
      1000,  // calls before the measurement, to warm up caches, branch prediction and clock frequency
  FINE_BITS    = 7,                        // 2^FINE_BITS bins per octave, 0.8 % wide
  FINE         = 1 << FINE_BITS,           // times below this have one bin per nanosecond
  BINS         = (40 - FINE_BITS) * FINE,  // up to 2^39 ns, some minutes
  CLOCK_PROBES = 4001,
  MIDDLE       = CLOCK_PROBES / 2
};

// Counts of times, in memory allocated before the first call.
typedef struct Histogram
{
  long bins[BINS];
  int64_t sum, max;  // ns
} Histogram;

static int64_t monotonic_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Times below FINE have a bin each; above, the leading FINE_BITS + 1 bits of the time select it.
static int bin_of(int64_t ns)
{
  if (ns < FINE) return ns < 0 ? 0 : (int)ns;
  int octave = 63 - FINE_BITS - __builtin_clzll((unsigned long long)ns);
  int bin    = octave * FINE + (int)(ns >> octave);
  return bin < BINS ? bin : BINS - 1;
}

// The largest time in a bin: the first time of the next bin, less one.
static double bin_top(int bin)
{
  if (bin < 2 * FINE) return bin;
  int octave = bin / FINE - 1;
  return (double)(((int64_t)(bin % FINE + FINE + 1) << octave) - 1);
}

static double percentile(const Histogram* histogram, long calls, double part)
{
  double wanted = part * (double)calls;
  double seen   = 0;
  for (int i = 0; i < BINS; ++i)
  {
    seen += (double)histogram->bins[i];
    if (seen >= wanted)
      return bin_top(i) < (double)histogram->max ? bin_top(i) : (double)histogram->max;
  }
  return (double)histogram->max;
}

static int by_latency(const void* a, const void* b)
{
  int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
  return (x > y) - (x < y);
}

LatencyClock latency_clock(void)
{
  int64_t steps[CLOCK_PROBES], smallest = INT64_MAX;
  int64_t before = monotonic_ns();
  for (int i = 0; i < CLOCK_PROBES; ++i)
  {
    int64_t t = monotonic_ns();
    steps[i]  = t - before;
    before    = t;
    if (steps[i] > 0 && steps[i] < smallest) smallest = steps[i];
  }
  // resolution: the smallest difference between two steps, or else the smallest step
  qsort(steps, CLOCK_PROBES, sizeof *steps, by_latency);
  for (int i = 1; i < CLOCK_PROBES; ++i)
    if (steps[i] > steps[i - 1] && steps[i] - steps[i - 1] < smallest)
      smallest = steps[i] - steps[i - 1];
  return (LatencyClock){.cost = (double)steps[MIDDLE], .resolution = (double)smallest};
}

// Times a series of calls, each from one reading of the clock to the next. Allocates nothing.
static void time_calls(const Latency* latency, lwWorkspace* ws, const Ring* ring, double* out,
                       Histogram* histogram)
{
  int64_t before = monotonic_ns();
  int next       = 0;
  for (long k = 0; k < latency->calls; ++k)
  {
    lw_answer(latency->model, ws, latency->question, &ring->states[next], out);
    int64_t after = monotonic_ns(), ns = after - before;
    before = after;
    ++histogram->bins[bin_of(ns)];
    histogram->sum += ns;
    if (ns > histogram->max) histogram->max = ns;
    next = next + 1 < ring->count ? next + 1 : 0;
  }
}

// The same series without calls: each iteration waits until so many ns have passed.
static void time_nothing(const Latency* latency, int64_t length, Histogram* histogram)
{
  int64_t before = monotonic_ns();
  for (long k = 0; k < latency->calls; ++k)
  {
    int64_t after = monotonic_ns();
    while (after - before < length) after = monotonic_ns();
    int64_t ns = after - before;
    before     = after;
    ++histogram->bins[bin_of(ns)];
    histogram->sum += ns;
    if (ns > histogram->max) histogram->max = ns;
  }
}

static void clear(Histogram* histogram)
{
  for (int i = 0; i < BINS; ++i) histogram->bins[i] = 0;
  histogram->sum = histogram->max = 0;
}

static void measure_latency(Latency* latency, lwWorkspace* ws, const Ring* ring, double* out,
                            Histogram* histogram)
{
  struct rusage before, after;
  Latency warm_up = *latency;
  warm_up.calls   = WARM_UP;
  clear(histogram);
  time_calls(&warm_up, ws, ring, out, histogram);
  clear(histogram);
  getrusage(RUSAGE_SELF, &before);
  long allocations = allocation_calls();
  time_calls(latency, ws, ring, out, histogram);
  latency->allocations = allocations < 0 ? -1 : allocation_calls() - allocations;
  getrusage(RUSAGE_SELF, &after);
  latency->page_faults = after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt;
  latency->preemptions = after.ru_nivcsw - before.ru_nivcsw;
}

lwStatus latency_run(Latency* latency)
{
  lwWorkspace* ws      = NULL;
  Ring ring            = {0};
  lwWorkspaceDef def   = lw_workspace_def();
  def.precision        = latency->precision;
  Histogram* histogram = malloc(sizeof *histogram);
  double* out = malloc(lw_question_outputs(latency->model, latency->question) * sizeof *out);
  lwStatus status =
      histogram && out && ring_fill(&ring, latency->model, RING) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_workspace_create(latency->model, &def, NULL, &ws);
  if (status == LW_OK)
  {
    measure_latency(latency, ws, &ring, out, histogram);
    latency->method = lw_workspace_method(ws, latency->question);
    latency->isa    = lw_workspace_isa(ws);
    latency->mean   = (double)histogram->sum / (double)latency->calls;
    latency->p50    = percentile(histogram, latency->calls, 0.5);
    latency->p99    = percentile(histogram, latency->calls, 0.99);
    latency->p9999  = percentile(histogram, latency->calls, 0.9999);
    latency->max    = (double)histogram->max;
    clear(histogram);
    time_nothing(latency, (int64_t)latency->p50, histogram);
    latency->idle_p99   = percentile(histogram, latency->calls, 0.99);
    latency->idle_p9999 = percentile(histogram, latency->calls, 0.9999);
    latency->idle_max   = (double)histogram->max;
  }
  lw_workspace_destroy(ws);
  ring_free(&ring);
  free(out);
  free(histogram);
  return status;
}

bool latency_lock_memory(void)
{
  return mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
}
