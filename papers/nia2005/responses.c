// SPDX-License-Identifier: MIT
// Figures 4 to 6 of nia2005: the effect of single precision on the motion, and the energy error.
//
// Rounding errors grow exponentially, so a single run in single precision says little. The same is
// run from several, slightly different starts, and ratios are geometric means over them.
#include <math.h>
#include <stdio.h>

#include "io/program_text.h"
#include "nia2005.h"
#include "track.h"

enum
{
  KANE_DOUBLE,
  KANE_SINGLE,
  LAGRANGE_DOUBLE,
  LAGRANGE_SINGLE,
  STABLE_DOUBLE,  // Lagrange, the constraints restored after every step
  STABLE_SINGLE,
  WAYS
};

static const TrackWay WAY[WAYS] = {
    {"kane", LW_PRECISION_DOUBLE, false}, {"kane", LW_PRECISION_SINGLE, false},
    {NULL, LW_PRECISION_DOUBLE, false},   {NULL, LW_PRECISION_SINGLE, false},
    {NULL, LW_PRECISION_DOUBLE, true},    {NULL, LW_PRECISION_SINGLE, true}};

static const char* const WAY_NAMES[WAYS] = {"kane_double",
                                            "kane_single",
                                            "lagrange_double",
                                            "lagrange_single",
                                            "lagrange_stabilised_double",
                                            "lagrange_stabilised_single"};

enum
{
  RECORDS = 500,
  SNAKES  = 3  // numbers of links that the claims are tested for
};

// Sums of logarithms over all starts.
typedef struct Means
{
  // rad, largest difference of theta_1 from the same method in double precision
  double theta[WAYS];
  double energy[WAYS];  // J, largest |S - S(0)|
  double slip[WAYS];    // m/s, largest sideways speed of a wheel
} Means;

static double mean(double sum, int count)
{
  return exp(sum / count);
}

static int run_ways(Page* page, const Table2* table, const TrackSpan* span, Track tracks[WAYS])
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

// --- figures and tables of the first start

// Columns of a response: direction and position of link 1 in both precisions, and their difference.
enum
{
  RESPONSE_T,
  RESPONSE_THETA,
  RESPONSE_X   = RESPONSE_THETA + 2,
  RESPONSE_GAP = RESPONSE_X + 2,
  RESPONSE_COLUMNS
};

// The size of an error; NAN for 0, which a logarithmic scale cannot show.
static double magnitude(double error)
{
  return error == 0 ? NAN : fabs(error);
}

// The tracks of a method in double and in single precision.
static const PageSeries* response_series(Page* page, const char* name, const Track pair[2])
{
  static const char* const columns[RESPONSE_COLUMNS] = {
      "t", "theta1_double", "theta1_single", "x_double", "x_single", "theta1_difference"};
  PageSeries* series = page_series(page, name, RESPONSE_COLUMNS, columns);
  for (int i = 0; i < pair[0].count; ++i)
  {
    double row[RESPONSE_COLUMNS] = {track_at(&pair[0], i, TRACK_T)};
    for (int k = 0; k < 2; ++k)
    {
      row[RESPONSE_THETA + k] = track_at(&pair[k], i, TRACK_THETA);
      row[RESPONSE_X + k]     = track_at(&pair[k], i, TRACK_X);
    }
    row[RESPONSE_GAP] = magnitude(row[RESPONSE_THETA] - row[RESPONSE_THETA + 1]);
    series_add(series, row);
  }
  return series;
}

// A column in both precisions, by one method.
static Panel response_panel(const PageSeries* series, const char* title, const char* label,
                            int column)
{
  return (Panel){
      .title   = title,
      .x_label = "t (s)",
      .y_label = label,
      .scale   = column,
      .count   = 2,
      .curve   = {{series, 0, column, "double", false}, {series, 0, column + 1, "single", false}}};
}

static void draw_responses(Page* page, const PageSeries* kane, const PageSeries* lagrange)
{
  static const char theta[] = "direction of link 1 (rad)", x[] = "x of link 1 (m)";
  Panel gap = {.x_label = "t (s)",
               .y_label = "difference of directions (rad)",
               .log_y   = true,
               .count   = 2,
               .curve   = {{kane, 0, RESPONSE_GAP, "Kane", false},
                           {lagrange, 0, RESPONSE_GAP, "Lagrange", false}}};
  page_figure(page, "figure-4-5",
              &(Figure){"figure-4-5",
                        "Kane's (figure 4) and Lagrange's method (figure 5) in both precisions, "
                        "the first start, all coordinates integrated by Lagrange's, and the "
                        "difference between the precisions.",
                        5,
                        {response_panel(kane, "Kane", theta, RESPONSE_THETA),
                         response_panel(lagrange, "Lagrange", theta, RESPONSE_THETA),
                         response_panel(kane, "Kane", x, RESPONSE_X),
                         response_panel(lagrange, "Lagrange", x, RESPONSE_X), gap}});
}

static const PageSeries* energy_series(Page* page, const Track tracks[WAYS])
{
  const char* names[1 + WAYS] = {"t"};
  for (int w = 0; w < WAYS; ++w) names[1 + w] = WAY_NAMES[w];
  PageSeries* series = page_series(page, "energy-error", 1 + WAYS, names);
  for (int i = 0; i < tracks[0].count; ++i)
  {
    double row[1 + WAYS] = {track_at(&tracks[0], i, TRACK_T)};
    for (int w = 0; w < WAYS; ++w)
      row[1 + w] = magnitude(track_at(&tracks[w], i, TRACK_S) - track_at(&tracks[w], 0, TRACK_S));
    series_add(series, row);
  }
  return series;
}

static void draw_energy(Page* page, const PageSeries* energy)
{
  static const char* const titles[] = {"double precision", "single precision"};
  static const char* const curves[] = {"Kane", "Lagrange", "Lagrange, stabilised"};
  static const char caption[] =
      "Error of the energy function S, the first start. \"Lagrange, stabilised\" satisfies "
      "the constraints of the wheels again after every step.";
  Figure figure = {.name = "figure-6", .caption = caption, .count = 2};
  for (int p = 0; p < 2; ++p)
  {
    figure.panel[p] = (Panel){.title   = titles[p],
                              .x_label = "t (s)",
                              .y_label = "|S - S(0)| (J)",
                              .log_y   = true,
                              .scale   = 1,
                              .count   = 3};
    for (int k = 0; k < 3; ++k)
      figure.panel[p].curve[k] = (Curve){energy, 0, 1 + 2 * k + p, curves[k], false};
  }
  page_figure(page, "figure-6", &figure);
}

static void draw_all(Page* page, const Track tracks[WAYS])
{
  const PageSeries* kane     = response_series(page, "kane-response", &tracks[KANE_DOUBLE]);
  const PageSeries* lagrange = response_series(page, "lagrange-response", &tracks[LAGRANGE_DOUBLE]);
  const PageSeries* energy   = energy_series(page, tracks);
  if (page->status != DONE) return;
  draw_responses(page, kane, lagrange);
  draw_energy(page, energy);
}

// --- claims

static void note_means(Page* page, const Means* means, int n, int starts)
{
  page_note(
      page, "figure-4-5",
      "Largest difference of theta_1 between the precisions, %d links, geometric mean over %d "
      "starts: "
      "%.2g rad by Kane, %.2g rad by Lagrange, %.2g rad by Lagrange, stabilised.",
      n, starts, mean(means->theta[KANE_SINGLE], starts),
      mean(means->theta[LAGRANGE_SINGLE], starts), mean(means->theta[STABLE_SINGLE], starts));
  page_note(page, "figure-6",
            "| %d links, mean over %d starts | Kane | Lagrange | Lagrange, stabilised "
            "|\n|---|---:|---:|---:|\n"
            "| error of S, double (J) | %.2g | %.2g | %.2g |\n"
            "| error of S, single (J) | %.2g | %.2g | %.2g |\n"
            "| sideways speed of a wheel, double (m/s) | %.2g | %.2g | %.2g |\n"
            "| sideways speed of a wheel, single (m/s) | %.2g | %.2g | %.2g |",
            n, starts, mean(means->energy[KANE_DOUBLE], starts),
            mean(means->energy[LAGRANGE_DOUBLE], starts),
            mean(means->energy[STABLE_DOUBLE], starts), mean(means->energy[KANE_SINGLE], starts),
            mean(means->energy[LAGRANGE_SINGLE], starts),
            mean(means->energy[STABLE_SINGLE], starts), mean(means->slip[KANE_DOUBLE], starts),
            mean(means->slip[LAGRANGE_DOUBLE], starts), mean(means->slip[STABLE_DOUBLE], starts),
            mean(means->slip[KANE_SINGLE], starts), mean(means->slip[LAGRANGE_SINGLE], starts),
            mean(means->slip[STABLE_SINGLE], starts));
}

// Ratios of two ways over all starts, for every number of links.
typedef struct Ratio
{
  const char* claim;
  bool energy;  // of S, else of theta_1; those of S have columns for single precision, too
  int way, other;
} Ratio;

static const Ratio RATIOS[] = {
    {"figure-4-5/closer", false, LAGRANGE_SINGLE, KANE_SINGLE},
    {"figure-6/error", true, LAGRANGE_DOUBLE, KANE_DOUBLE},
    {"figure-6/cause", true, STABLE_DOUBLE, KANE_DOUBLE},
    {"figure-6/remedy", true, STABLE_DOUBLE, LAGRANGE_DOUBLE},
};

static void measure_responses(Page* page, int count, const Means* means, int starts)
{
  double measured[2 * SNAKES];
  for (size_t r = 0; r < sizeof RATIOS / sizeof *RATIOS; ++r)
  {
    const Ratio* ratio = &RATIOS[r];
    for (int i = 0; i < count; ++i)
    {
      const double* sums = ratio->energy ? means[i].energy : means[i].theta;
      bool in_single     = ratio->way == LAGRANGE_DOUBLE;
      measured[i]        = mean(sums[ratio->way] - sums[ratio->other], starts);
      measured[count + i] =
          in_single ? mean(sums[LAGRANGE_SINGLE] - sums[KANE_SINGLE], starts) : NAN;
    }
    page_measure(page, ratio->claim, ratio->energy ? 2 * count : count, measured);
  }
}

// Runs a snake of n links from all starts; draws the first one on request.
static int run_starts(Page* page, int n, int starts, bool drawn, Means* means)
{
  Table2 table;
  TrackSpan span = {page_number(page, "duration"), page_number(page, "step"), RECORDS};
  *means         = (Means){{0}, {0}, {0}};
  if (table2_make(page, n, &table) != DONE) return page->status;
  double first = table.angle;
  for (int s = 0; s < starts && page->status == DONE; ++s)
  {
    Track tracks[WAYS] = {{0}};
    table.angle        = first * (1 + s * page_number(page, "spread"));
    if (run_ways(page, &table, &span, tracks) == DONE)
    {
      add_start(tracks, means);
      if (s == 0 && drawn) draw_all(page, tracks);
    }
    for (int w = 0; w < WAYS; ++w) track_free(&tracks[w]);
  }
  table2_free(&table);
  return page->status;
}

// Responses of snakes with other numbers of links.
static void note_further(Page* page, int starts)
{
  Values further    = page_data(page, "further-links");
  char angles[1024] = "", energies[1024] = "", line[256];
  for (int i = 0; i < further.count; ++i)
  {
    Means means;
    int n = (int)further.at[i];
    if (run_starts(page, n, starts, false, &means) != DONE) return;
    const double *theta = means.theta, *S = means.energy;
    snprintf(line, sizeof line, "| %d | %.2g | %.2g | %.2g |\n", n,
             mean(theta[KANE_SINGLE], starts), mean(theta[LAGRANGE_SINGLE], starts),
             mean(theta[LAGRANGE_SINGLE] - theta[KANE_SINGLE], starts));
    lw_text_append(angles, sizeof angles, line, "");
    snprintf(line, sizeof line, "| %d | %.2g | %.2g |\n", n,
             mean(S[LAGRANGE_DOUBLE] - S[KANE_DOUBLE], starts),
             mean(S[LAGRANGE_SINGLE] - S[KANE_SINGLE], starts));
    lw_text_append(energies, sizeof energies, line, "");
  }
  page_note(
      page, "figure-4-5",
      "Other numbers of links over the same time. Where the difference has grown to whole turns, "
      "neither method can predict the position of the snake in single precision:\n\n"
      "| n | Kane (rad) | Lagrange (rad) | Lagrange / Kane |\n|---:|---:|---:|---:|\n%s",
      angles);
  page_note(page, "figure-6",
            "Lagrange / Kane, error of S, for other numbers of links:\n\n"
            "| n | double | single |\n|---:|---:|---:|\n%s",
            energies);
}

void nia2005_responses(Page* page)
{
  Means means[SNAKES];
  Values links = page_data(page, "response-links");
  int starts   = (int)page_number(page, "starts");
  int drawn    = (int)page_number(page, "drawn-links");
  page_progress(page, "single and double precision");
  if (links.count > SNAKES) return;
  for (int i = 0; i < links.count; ++i)
  {
    int n = (int)links.at[i];
    if (run_starts(page, n, starts, n == drawn, &means[i]) != DONE) return;
    if (n == drawn) note_means(page, &means[i], n, starts);
  }
  measure_responses(page, links.count, means, starts);
  if (!page->quick) note_further(page, starts);
}
