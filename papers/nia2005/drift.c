// SPDX-License-Identifier: MIT
// Cause and cost of the drift of Lagrange's method in nia2005, section VI.3: how the energy error
// falls with the step, and what it takes to put the rates back onto the constraints.
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "io/program_text.h"
#include "nia2005.h"
#include "track.h"
#include "words.h"

enum
{
  RECORDS = 100,
  STEPS   = 4,  // lengths that are tried, each half of the one before
  REPEATS = 5   // of which the fastest counts
};

static const TrackWay KANE   = {"kane", LW_PRECISION_DOUBLE, false};
static const TrackWay DRIFTS = {NULL, LW_PRECISION_DOUBLE, false};
static const TrackWay CURED  = {NULL, LW_PRECISION_DOUBLE, true};

// The largest |S - S(0)|, J.
static double energy_error(Page* page, const Table2* table, const TrackWay* way,
                           const TrackSpan* span)
{
  Track track = {0};
  int status  = track_run(page, table, way, span, &track);
  double S    = status == DONE ? track_drift(&track, TRACK_S) : NAN;
  track_free(&track);
  return S;
}

static void note_steps(Page* page, int n)
{
  const TrackWay* const ways[] = {&KANE, &DRIFTS, &CURED};
  char rows[1024]              = "", line[256];
  double last[3]               = {NAN, NAN, NAN};
  Table2 table;
  if (table2_make(page, n, &table) != DONE) return;
  for (int i = 0; i < STEPS; ++i)
  {
    TrackSpan span = {page_number(page, "duration"), 2 * page_number(page, "step") / (1 << i),
                      RECORDS};
    double S[3]    = {0};
    for (int w = 0; w < 3; ++w) S[w] = energy_error(page, &table, ways[w], &span);
    snprintf(line, sizeof line, "| %g | %.2g | %.2g | %.2g |\n", span.step, S[0], S[1], S[2]);
    lw_text_append(rows, sizeof rows, line, "");
    if (i + 1 < STEPS)
      for (int w = 0; w < 3; ++w) last[w] = S[w];
    else
      for (int w = 0; w < 3; ++w) last[w] /= S[w];
  }
  table2_free(&table);
  page_note(page, "figure-6",
            "What is the cause? Error of S (J) by the step of rk4, %d links, the first start:\n\n"
            "| step (s) | Kane | Lagrange | Lagrange, stabilised |\n|---:|---:|---:|---:|\n%s\n"
            "From the last step to its half the errors fall %.1f, %.1f and %.1f times: 16 is rk4's "
            "order. So all three are errors of the integrator's steps. Differentiating the "
            "constraints adds no error of its own, since an exact integrator would keep them; but "
            "it preserves the errors of the steps, which (6) and (7) would remove.",
            n, rows, last[0], last[1], last[2]);
}

static double seconds_of(Page* page, const Table2* table, const TrackWay* way,
                         const TrackSpan* span)
{
  clock_t began = clock();
  energy_error(page, table, way, span);
  return (double)(clock() - began) / CLOCKS_PER_SEC;
}

// Time with the cure, divided by that without, each the best of several in turn.
static double cost_of_cure(Page* page, int n)
{
  double with = INFINITY, without = INFINITY;
  TrackSpan span = {1, page_number(page, "step"), RECORDS};
  Table2 table;
  if (table2_make(page, n, &table) != DONE) return NAN;
  for (int i = 0; i < REPEATS; ++i)
  {
    without = fmin(without, seconds_of(page, &table, &DRIFTS, &span));
    with    = fmin(with, seconds_of(page, &table, &CURED, &span));
  }
  table2_free(&table);
  return with / without;
}

void nia2005_drift(Page* page)
{
  PaperText note = {0};
  Values links   = page_data(page, "response-links");
  page_progress(page, "cause and cost of the drift");
  text_add(&note, "Time of a run with the cure, divided by that of one without:");
  for (int i = 0; i < links.count && page->status == DONE; ++i)
    text_add(&note, "%s %.2f for %g links", i > 0 ? "," : "", cost_of_cure(page, (int)links.at[i]),
             links.at[i]);
  text_add(&note, ".");
  text_note(page, "figure-6", &note);
  if (!page->quick) note_steps(page, (int)page_number(page, "drawn-links"));
}
