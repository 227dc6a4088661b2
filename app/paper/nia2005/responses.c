// SPDX-License-Identifier: MIT
// Figures 4 to 6 of nia2005: what single precision does to the motion, and how well energy is kept.
//
// In single precision rounding decides, and two motions part exponentially: one run says little. So the same is done from
// several starts that differ a little, and ratios are geometric means over them.
#include <math.h>

#include "nia2005.h"
#include "track.h"

enum
{
  KANE_DOUBLE,
  KANE_SINGLE,
  LAGRANGE_DOUBLE,
  LAGRANGE_SINGLE,
  SPEEDS_DOUBLE,  // Lagrange with theta and u as its state
  SPEEDS_SINGLE,
  WAYS
};

static const Way WAY[WAYS] = {{"kane", LW_DOUBLE},     {"kane", LW_SINGLE},
                              {NULL, LW_DOUBLE},       {NULL, LW_SINGLE},
                              {"lagrange", LW_DOUBLE}, {"lagrange", LW_SINGLE}};

static const char* const WAY_NAMES[WAYS] = {"kane_double",       "kane_single",
                                            "lagrange_double",   "lagrange_single",
                                            "lagrange_u_double", "lagrange_u_single"};

enum
{
  RECORDS      = 200,
  QUICK_STARTS = 3
};

// Sums of logarithms over all starts.
typedef struct Means
{
  double
      theta[WAYS];  // rad, largest difference of theta_1 from the same method in double precision
  double energy[WAYS];  // J, largest |S - S(0)|
  double slip[WAYS];    // m/s, largest sideways speed of a wheel
} Means;

static double mean(double sum, int count)
{
  return exp(sum / count);
}

static int run_all(Page* page, const Table2* table, const Span* span, Track tracks[WAYS])
{
  for (int w = 0; w < WAYS; ++w)
    if (track_run(page, table, &WAY[w], span, &tracks[w]) != DONE) break;
  return page->status;
}

static void add_start(const Track tracks[WAYS], Means* means)
{
  for (int w = 0; w < WAYS; ++w)
  {
    const Track* exact = &tracks[w - w % 2];
    if (w % 2) means->theta[w] += log(track_gap(&tracks[w], exact, TRACK_THETA));
    means->energy[w] += log(track_drift(&tracks[w], TRACK_S));
    means->slip[w] += log(track_peak(&tracks[w], TRACK_SLIP));
  }
}

// --- what people see of the first start

// A table with the times and one column of every track; `prefix` and the name of the way make the names of its columns.
static Series* make_series(Page* page, const char* name, const Track tracks[WAYS], int column)
{
  const char* names[1 + WAYS] = {"t"};
  for (int w = 0; w < WAYS; ++w) names[1 + w] = WAY_NAMES[w];
  Series* series = page_series(page, name, 1 + WAYS, names);
  for (int i = 0; series && i < tracks[0].count; ++i)
  {
    double row[1 + WAYS] = {track_at(&tracks[0], i, TRACK_T)};
    for (int w = 0; w < WAYS; ++w)
    {
      double now = track_at(&tracks[w], i, column);
      // an error of 0 has no place on a logarithmic scale
      if (column == TRACK_S) now = fabs(now - track_at(&tracks[w], 0, column));
      row[1 + w] = column == TRACK_S && now == 0 ? NAN : now;
    }
    series_add(series, row);
  }
  return series;
}

static void draw_response(Page* page, const char* name, const char* caption, int way,
                          const Series* theta, const Series* V)
{
  Figure figure   = {.name = name, .caption = caption, .count = 2};
  figure.panel[0] = (Panel){.x_label = "t (s)", .y_label = "direction of link 1 (rad)", .count = 2};
  figure.panel[1] = (Panel){.x_label = "t (s)", .y_label = "speed of link 1 (m/s)", .count = 2};
  for (int p = 0; p < 2; ++p)
    for (int k = 0; k < 2; ++k)
      figure.panel[p].curve[k] =
          (Curve){p == 0 ? theta : V, 0, 1 + way + k, k == 0 ? "double" : "single", false};
  page_figure(page, "figure-4-5", &figure);
}

static void draw_energy(Page* page, const Series* energy)
{
  static const char* const titles[] = {"double precision", "single precision"};
  static const char* const curves[] = {"Kane", "Lagrange", "Lagrange, u"};
  Figure figure                     = {.name    = "figure-6",
                                       .caption = "Error of the energy function S. \"Lagrange, u\" takes the rates of "
                                                                      "all coordinates from u by (6) and (7).",
                                       .count   = 2};
  for (int p = 0; p < 2; ++p)
  {
    figure.panel[p] = (Panel){.title   = titles[p],
                              .x_label = "t (s)",
                              .y_label = "|S - S(0)| (J)",
                              .log_y   = true,
                              .count   = 3};
    for (int k = 0; k < 3; ++k)
      figure.panel[p].curve[k] = (Curve){energy, 0, 1 + 2 * k + p, curves[k], false};
  }
  page_figure(page, "figure-6", &figure);
}

static void draw_all(Page* page, const Track tracks[WAYS])
{
  const Series* theta  = make_series(page, "theta1", tracks, TRACK_THETA);
  const Series* V      = make_series(page, "V1", tracks, TRACK_V);
  const Series* energy = make_series(page, "energy-error", tracks, TRACK_S);
  if (page->status != DONE) return;
  draw_response(page, "figure-4", "Kane's method in both precisions, the first start.", KANE_DOUBLE,
                theta, V);
  draw_response(page, "figure-5",
                "Lagrange's method in both precisions, the first start, all coordinates "
                "integrated.",
                LAGRANGE_DOUBLE, theta, V);
  draw_energy(page, energy);
}

// --- claims

static void note_means(Page* page, const Means* means, int starts)
{
  page_note(page, "figure-4-5",
            "Largest difference of theta_1 between the precisions, geometric mean over %d starts: "
            "%.2g rad by Kane, %.2g rad by Lagrange, %.2g rad by Lagrange with u.",
            starts, mean(means->theta[KANE_SINGLE], starts),
            mean(means->theta[LAGRANGE_SINGLE], starts), mean(means->theta[SPEEDS_SINGLE], starts));
  page_note(page, "figure-6",
            "| mean over %d starts | Kane | Lagrange | Lagrange, u |\n|---|---:|---:|---:|\n"
            "| error of S, double (J) | %.2g | %.2g | %.2g |\n"
            "| error of S, single (J) | %.2g | %.2g | %.2g |\n"
            "| sideways speed of a wheel, double (m/s) | %.2g | %.2g | %.2g |\n"
            "| sideways speed of a wheel, single (m/s) | %.2g | %.2g | %.2g |",
            starts, mean(means->energy[KANE_DOUBLE], starts),
            mean(means->energy[LAGRANGE_DOUBLE], starts),
            mean(means->energy[SPEEDS_DOUBLE], starts), mean(means->energy[KANE_SINGLE], starts),
            mean(means->energy[LAGRANGE_SINGLE], starts),
            mean(means->energy[SPEEDS_SINGLE], starts), mean(means->slip[KANE_DOUBLE], starts),
            mean(means->slip[LAGRANGE_DOUBLE], starts), mean(means->slip[SPEEDS_DOUBLE], starts),
            mean(means->slip[KANE_SINGLE], starts), mean(means->slip[LAGRANGE_SINGLE], starts),
            mean(means->slip[SPEEDS_SINGLE], starts));
}

static void measure_claims(Page* page, const Means* means, int starts)
{
  const double *theta = means->theta, *S = means->energy;
  page_measure_one(page, "figure-4-5/closer",
                   mean(theta[LAGRANGE_SINGLE] - theta[KANE_SINGLE], starts));
  page_measure_one(page, "figure-6/double", mean(S[LAGRANGE_DOUBLE] - S[KANE_DOUBLE], starts));
  page_measure_one(page, "figure-6/single", mean(S[LAGRANGE_SINGLE] - S[KANE_SINGLE], starts));
  page_measure_one(page, "figure-6/cause", mean(S[SPEEDS_DOUBLE] - S[KANE_DOUBLE], starts));
  page_measure_one(page, "figure-6/remedy", mean(S[SPEEDS_DOUBLE] - S[LAGRANGE_DOUBLE], starts));
  note_means(page, means, starts);
}

void nia2005_responses(Page* page)
{
  Table2 table;
  Span span   = {page_number(page, "duration"), page_number(page, "step"), RECORDS};
  int starts  = page->quick ? QUICK_STARTS : (int)page_number(page, "starts");
  Means means = {{0}, {0}, {0}};
  page_progress(page, "single and double precision");
  if (table2_make(page, (int)page_number(page, "response-links"), &table) != DONE) return;
  double first = table.angle;
  for (int s = 0; s < starts && page->status == DONE; ++s)
  {
    Track tracks[WAYS] = {{0}};
    table.angle        = first * (1 + s * page_number(page, "spread"));
    if (run_all(page, &table, &span, tracks) == DONE)
    {
      add_start(tracks, &means);
      if (s == 0) draw_all(page, tracks);
    }
    for (int w = 0; w < WAYS; ++w) track_free(&tracks[w]);
  }
  table2_free(&table);
  measure_claims(page, &means, starts);
}
