// SPDX-License-Identifier: MIT
// What each erratum costs: torques of generic arms with one thing taken as printed. Errata 4-7 and
// 4-8 are left out: there our copy is damaged, and nobody knows what was printed.
#include "bed.h"

enum
{
  SHORTEST = 2,  // joints of the arms
  LONGEST  = 10
};

typedef struct Effect
{
  const char* column;  // of the CSV
  const char* title;
  unsigned printed;
  Equation equation;
  bool harmless;        // changes no torque; in the table only
  const char* erratum;  // or NULL: several, or none
} Effect;

static const Effect EFFECTS[] = {
    {"erratum_4_1", "4-1: classical frames", PRINTED_FRAMES, EQUATION_12, false, "4-1"},
    {"erratum_4_2", "4-2: m_j", PRINTED_MASS, EQUATION_5, false, "4-2"},
    {"erratum_4_3", "4-3: I_i jR_i", PRINTED_INERTIA, EQUATION_5, false, "4-3"},
    {"erratum_4_4", "4-4: R (w x thd)", PRINTED_TURN, EQUATION_12, false, "4-4"},
    {"erratum_4_6", "4-6: C_VC1 = 0", PRINTED_START, EQUATION_12, true, NULL},
    {"erratum_4_9", "4-9: C_VC without jR_i", PRINTED_ARM, EQUATION_12, false, "4-9"},
    {"all_of_5", "4-2 and 4-3", PRINTED_MASS | PRINTED_INERTIA, EQUATION_5, false, NULL},
    {"corrected_12", "corrected", 0, EQUATION_12, true, NULL},
};

enum
{
  EFFECTS_COUNT = sizeof EFFECTS / sizeof *EFFECTS
};

// The curves of a panel: those of one equation that change a torque.
static Panel effects_of(const PageSeries* series, Equation equation, const char* title)
{
  Panel panel = {.title   = title,
                 .x_label = "number of joints n",
                 .y_label = "relative error of a torque",
                 .log_y   = true};
  for (int e = 0; e < EFFECTS_COUNT; ++e)
    if (EFFECTS[e].equation == equation && !EFFECTS[e].harmless)
      panel.curve[panel.count++] =
          (Curve){.series = series, .x = 0, .y = e + 1, .title = EFFECTS[e].title};
  return panel;
}

static void draw_effects(Page* page, const PageSeries* series)
{
  Figure figure   = {.name    = "errata",
                     .caption = "Error of the torques with one erratum left as printed, over the "
                                  "number of joints",
                     .count   = 2};
  figure.panel[0] = effects_of(series, EQUATION_5, "torques by (5)");
  figure.panel[1] = effects_of(series, EQUATION_12, "torques by (12)");
  page_figure(page, "equations", &figure);
}

static void list_effects(Page* page, const PageSeries* series)
{
  static const int arms[] = {2, 5, 8};
  PaperText lines         = {0};
  text_add(
      &lines,
      "The cost of each erratum: the largest error of a torque with one thing left as printed, "
      "relative to the largest torque, mean over %d random states of a generic "
      "arm.\n\n| left as printed",
      BED_STATES);
  for (size_t a = 0; a < sizeof arms / sizeof *arms; ++a) text_add(&lines, " | n = %d", arms[a]);
  text_add(&lines, " |\n|---|---:|---:|---:|");
  for (int e = 0; e < EFFECTS_COUNT; ++e)
  {
    text_add(&lines, "\n| (%s) %s", EFFECTS[e].equation == EQUATION_5 ? "5" : "12",
             EFFECTS[e].title);
    for (size_t a = 0; a < sizeof arms / sizeof *arms; ++a)
      text_add(&lines, " | %.2g", series_value(series, (size_t)(arms[a] - SHORTEST), e + 1));
    text_add(&lines, " |");
  }
  text_add(
      &lines,
      "\n\n4-1 reads the parameters of the arm as classical ones and is compared with the torques "
      "of "
      "the arm that these describe. 4-6 changes an acceleration but no torque: C_VC of the first "
      "link points to the axis of joint 1 and has no moment about it.");
  page_note(page, "equations", "%s", lines.at);
  for (int e = 0; e < EFFECTS_COUNT; ++e)
    if (EFFECTS[e].erratum)
      page_fact(page, EFFECTS[e].erratum, "costs %.2g of the largest torque with five joints",
                series_value(series, (size_t)(5 - SHORTEST), e + 1));
}

void write_errata(Page* page)
{
  const char* columns[EFFECTS_COUNT + 1] = {"n"};
  for (int e = 0; e < EFFECTS_COUNT; ++e) columns[e + 1] = EFFECTS[e].column;
  PageSeries* series = page_series(page, "errata", EFFECTS_COUNT + 1, columns);
  for (int n = SHORTEST; n <= LONGEST && page->status == DONE; ++n)
  {
    Bed bed;
    double row[EFFECTS_COUNT + 1] = {n};
    bed_open(&bed, page, n);
    for (int e = 0; e < EFFECTS_COUNT && page->status == DONE; ++e)
      row[e + 1] = bed_torque_error(&bed, page, EFFECTS[e].equation, EFFECTS[e].printed);
    bed_close(&bed);
    series_add(series, row);
  }
  if (page->status != DONE) return;
  list_effects(page, series);
  draw_effects(page, series);
}
