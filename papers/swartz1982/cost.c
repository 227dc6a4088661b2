// SPDX-License-Identifier: MIT
// Cost of the methods for the H matrix: counted operations and measured times.
#include <stdio.h>

#include "measure.h"
#include "swartz1982.h"

enum
{
  FIRST_N = 2,
  LAST_N  = 16
};

typedef struct CostEntry
{
  const char* name;  // in the table
  lwQuestion question;
  const char* method;
} CostEntry;

// The first four are drawn over n.
static const CostEntry ENTRIES[] = {
    {"H matrix, method 1", LW_QUESTION_INERTIA, "walker-orin-1"},
    {"H matrix, method 3", LW_QUESTION_INERTIA, "walker-orin-3"},
    {"H matrix, composite bodies about joint origins", LW_QUESTION_INERTIA, "composite-body"},
    {"H matrix, composite bodies in one frame", LW_QUESTION_INERTIA, "common-frame"},
    {"Inverse Arm", LW_QUESTION_INVERSE, "newton-euler"},
    {"Forward Arm through method 1", LW_QUESTION_FORWARD, "walker-orin-1"},
    {"Forward Arm through method 3", LW_QUESTION_FORWARD, "walker-orin-3"},
    {"Forward Arm, articulated bodies", LW_QUESTION_FORWARD, "articulated-body"},
};
enum
{
  ENTRY_COUNT = sizeof ENTRIES / sizeof *ENTRIES,
  DRAWN       = 4
};

static lwCount count_of(Page* page, const lwModel* model, const CostEntry* entry)
{
  lwCount count = {0};
  page_check(page,
             lw_method_measure(model, lw_method_find(entry->question, entry->method), &count));
  return count;
}

static double entry_operations(Page* page, const lwModel* model, const CostEntry* entry)
{
  lwCount count = count_of(page, model, entry);
  return (double)(count.mul + count.add + count.div + count.sqrt);
}

// --- over n

static PageSeries* count_entries(Page* page)
{
  static const char* const columns[] = {"n", "method_1", "method_3", "composite_body",
                                        "common_frame"};
  PageSeries* series                 = page_series(page, "operations", 1 + DRAWN, columns);
  for (int n = FIRST_N; n <= LAST_N; ++n)
  {
    lwModel* model        = NULL;
    double row[1 + DRAWN] = {n};
    if (page_check(page, lw_model_create_generic(n, &model)) != DONE) return series;
    for (int i = 0; i < DRAWN; ++i) row[1 + i] = entry_operations(page, model, &ENTRIES[i]);
    series_add(series, row);
    lw_model_destroy(model);
  }
  return series;
}

static void draw_operations(Page* page, const PageSeries* series)
{
  Figure figure = {.name    = "operations",
                   .caption = "Operations of one H matrix over the number of joints, measured on "
                              "arms without special angles and lengths.",
                   .count   = 1,
                   .panel   = {{.x_label = "joints",
                                .y_label = "operations",
                                .count   = DRAWN,
                                .curve   = {{series, 0, 1, "method 1", false},
                                            {series, 0, 2, "method 3", false},
                                            {series, 0, 3, "composite-body", false},
                                            {series, 0, 4, "common-frame", false}}}}};
  page_figure(page, "cost", &figure);
}

// --- on the arm, with times

static void note_times(SwartzStudy* study, const lwModel* generic)
{
  Page* page                     = study->page;
  BenchTrial trials[ENTRY_COUNT] = {{0}};
  BenchLimits limits             = {page->quick ? 0.05 : 2, 1};
  PaperText text                 = {.length = 0};
  for (int i = 0; i < ENTRY_COUNT; ++i)
    trials[i] = (BenchTrial){.model  = study->arm.model,
                             .method = lw_method_find(ENTRIES[i].question, ENTRIES[i].method)};
  if (page_check(page, bench_run(&limits, ENTRY_COUNT, trials)) != DONE) return;
  text_add(
      &text,
      "Multiplications and additions on an arm without special angles and lengths, and on the "
      "direct-drive arm, which has many. Times are for the direct-drive arm on this machine, best "
      "of %d rounds:\n\n"
      "| | method | mul, any arm | add | mul, this arm | add | ns |\n"
      "|---|---|---:|---:|---:|---:|---:|\n",
      trials[0].rounds);
  for (int i = 0; i < ENTRY_COUNT; ++i)
  {
    lwCount any = count_of(page, generic, &ENTRIES[i]);
    lwCount own = count_of(page, study->arm.model, &ENTRIES[i]);
    text_add(&text, "| %s | %s | %ld | %ld | %ld | %ld | %.0f |\n", ENTRIES[i].name,
             ENTRIES[i].method, any.mul, any.add, own.mul, own.add, trials[i].best);
  }
  text_note(page, "cost", &text);
  double step = 3 * trials[6].best * 1e-9, h = page_number(page, "step");
  page_note(
      page, "cost",
      "A step of %g ms takes three evaluations of the Forward Arm, %.2g us with method 3: this "
      "machine simulates the arm about %.0f times faster than real time.",
      1e3 * h, 1e6 * step, h / step);
}

void report_cost(SwartzStudy* study)
{
  Page* page = study->page;
  page_progress(page, "operations");
  PageSeries* series = count_entries(page);
  if (page->status != DONE) return;
  double ratio =
      series_value(series, JOINTS - FIRST_N, 1) / series_value(series, JOINTS - FIRST_N, 2);
  page_measure_one(page, "cost/method-1", ratio);
  draw_operations(page, series);
  lwModel* generic = NULL;
  if (page_check(page, lw_model_create_generic(JOINTS, &generic)) == DONE)
    note_times(study, generic);
  lw_model_destroy(generic);
}
