// SPDX-License-Identifier: MIT
// What to expect when load, stiffness, damping and the time of the valves are known roughly: the
// study studies/hydraulic_valve.yaml, run into a database in a folder of its own.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grigorov2013.h"
#include "linkwork/study.h"
#include "report/plot/study_plot.h"

enum
{
  QUICK_SAMPLES = 16,
  LINES         = 5  // of a band in the table of numbers
};

// --- the files that it reads, and the database

static const struct
{
  const char *name, *text;
  const size_t* length;
} FILES[] = {
    {"robots/hydraulic5.yaml", paper_hydraulic5_text, &paper_hydraulic5_length},
    {"scenarios/hydraulic_valve.yaml", paper_hydraulic_valve_text, &paper_hydraulic_valve_length},
    {"studies/hydraulic_valve.yaml", paper_hydraulic_study_text, &paper_hydraulic_study_length}};
static const char* const FOLDERS[]  = {"robots", "scenarios", "studies"};
static const char* const RESULTS[]  = {"results.db", "results.db-wal", "results.db-shm"};
static const char* const STUDY_FILE = "studies/hydraulic_valve.yaml";

static void path_in(const char* folder, const char* name, char path[PATH_MAX])
{
  snprintf(path, PATH_MAX, "%.1000s/%s", folder, name);
}

static bool write_inputs_of_study(const char* folder)
{
  char path[PATH_MAX];
  bool right = true;
  for (int i = 0; i < 3 && right; ++i)
  {
    path_in(folder, FOLDERS[i], path);
    right = mkdir(path, 0700) == 0;
  }
  for (int i = 0; i < 3 && right; ++i)
  {
    path_in(folder, FILES[i].name, path);
    FILE* file = fopen(path, "w");
    right      = file && fwrite(FILES[i].text, 1, *FILES[i].length, file) == *FILES[i].length;
    if (file) right = fclose(file) == 0 && right;
  }
  return right;
}

static void remove_files(const char* folder)
{
  char path[PATH_MAX];
  for (int i = 0; i < 3; ++i)
  {
    path_in(folder, RESULTS[i], path);
    unlink(path);
    path_in(folder, FILES[i].name, path);
    unlink(path);
  }
  for (int i = 0; i < 3; ++i)
  {
    path_in(folder, FOLDERS[i], path);
    rmdir(path);
  }
  rmdir(folder);
}

// Runs the study; what it found is in data.
static lwStatus run_study(const char* folder, bool quick, lwStudyData* data)
{
  char study_path[PATH_MAX], path[PATH_MAX];
  lwStudy* study     = NULL;
  lwResults* results = NULL;
  path_in(folder, STUDY_FILE, study_path);
  path_in(folder, RESULTS[0], path);
  lwStatus status = lw_study_read_file(study_path, NULL, &study);
  if (status == LW_OK && quick) status = lw_study_set_samples(study, QUICK_SAMPLES, NULL);
  if (status == LW_OK) status = lw_results_open(study, path, false, NULL, &results);
  if (status == LW_OK) status = lw_study_run(study, results, 0, NULL, NULL, NULL, NULL);
  lw_results_close(results);
  lw_study_destroy(study);
  return status == LW_OK ? lw_study_data_read(path, NULL, data) : status;
}

// --- what it says

static const struct
{
  const char *name, *says;
  double unit;
} MEASURES[] = {{"swing", "boom, beyond where it comes to rest (mrad)", 1e-3},
                {"slew_torque", "slew, peak torque (kN m)", 1e3},
                {"boom_torque", "boom, peak torque (kN m)", 1e3},
                {"arm_torque", "arm, peak torque (kN m)", 1e3}};

// The parameter that moves the mean of the measure most.
static const char* what_matters(const lwStudyData* data, int measure, double ends[2])
{
  const char* name = "";
  double most      = -1;
  for (int p = 0; p < data->parameter_count; ++p)
  {
    double both[2];
    lw_study_tornado(data, measure, p, both);
    if (!(fabs(both[1] - both[0]) > most)) continue;
    most    = fabs(both[1] - both[0]);
    name    = data->parameters[p].name;
    ends[0] = both[0];
    ends[1] = both[1];
  }
  return name;
}

static void write_measures(Page* page, const lwStudyData* data)
{
  PaperText lines = {0};
  text_add(&lines, "| | 5 %% | median | 95 %% | 99 %% | what matters most |\n"
                   "|---|---:|---:|---:|---:|---|");
  for (int i = 0; i < (int)(sizeof MEASURES / sizeof *MEASURES); ++i)
    for (int m = 0; m < data->measure_count; ++m)
    {
      if (strcmp(data->measures[m].name, MEASURES[i].name) != 0) continue;
      lwStudySummary s = lw_study_summary(data, m);
      double unit = MEASURES[i].unit, ends[2] = {NAN, NAN};
      const char* parameter = what_matters(data, m, ends);
      text_add(&lines,
               "\n| %s | %.3g | %.3g | %.3g | %.3g | %s: %.3g in its lowest tenth, %.3g in "
               "its highest |",
               MEASURES[i].says, s.p05 / unit, s.p50 / unit, s.p95 / unit, s.p99 / unit, parameter,
               ends[0] / unit, ends[1] / unit);
    }
  text_note(page, "figure-5", &lines);
}

// t, then of each band low, p05, median, p95 and high.
static void write_bands(Page* page, const lwStudyData* data)
{
  static const int line[LINES] = {1, 3, 5, 7, 9};  // of lwStudyBand
  const char* columns[1 + 8 * LINES];
  char names[8 * LINES][40];
  int bands  = data->band_count < 8 ? data->band_count : 8;
  columns[0] = "t";
  for (int c = 0; c < bands * LINES; ++c)
  {
    snprintf(names[c], sizeof names[c], "%.20s_%s", data->bands[c / LINES].name,
             LW_STUDY_LINE_NAMES[line[c % LINES]]);
    columns[1 + c] = names[c];
  }
  PageSeries* series = page_series(page, "bands", 1 + bands * LINES, columns);
  for (int k = 0; bands > 0 && k < data->bands[0].steps; ++k)
  {
    double row[1 + 8 * LINES] = {data->bands[0].t[k]};
    for (int c = 0; c < bands * LINES; ++c)
      row[1 + c] = data->bands[c / LINES].line[line[c % LINES]][k];
    series_add(series, row);
  }
}

// The picture of `linkwork study report --plot`, bands alone.
static void draw_bands(Page* page, const lwStudyData* data)
{
  char path[PATH_MAX], message[LW_PLOT_MESSAGE];
  lwStudyData bands   = *data;
  bands.measure_count = 0;
  if (!page->folder || !page->drawn || page->status != DONE) return;
  page->status = page_path(page, "bands", ".svg", path, sizeof path);
  if (page->status != DONE) return;
  if (!lw_study_plot(&bands, path, message)) page_fail(page, INPUT, "%s: %s", path, message);
  note_figure(page, "figure-5", "bands",
              "What to expect of the boom's position (rad) and of the torques of slew, boom and "
              "arm (N m) when the valves close after about 1 s");
}

void write_expected(Page* page)
{
  const char* place = getenv("TMPDIR");
  char folder[1100];
  lwStudyData data = {0};
  if (page->status != DONE || !lw_results_possible()) return;
  snprintf(folder, sizeof folder, "%.1000s/linkwork-paper-XXXXXX", place ? place : "/tmp");
  if (!mkdtemp(folder))
  {
    page_fail(page, INPUT, "%s: cannot be made", folder);
    return;
  }
  lwStatus status =
      write_inputs_of_study(folder) ? run_study(folder, page->quick, &data) : LW_ERROR_FILE;
  remove_files(folder);
  if (page_check(page, status) == DONE)
  {
    page_note(
        page, "figure-5",
        "At the design stage \"parameters are not sufficiently known\". With a load of 0.5 to "
        "1.25 times 3200 N, stiffness known to about a third, damping to a half, and valves "
        "that close 0.8 to 1.2 s after the start of the motion, %ld samples of "
        "[the study](../../studies/hydraulic_valve.yaml) (spreads invented) give:",
        data.done);
    write_measures(page, &data);
    write_bands(page, &data);
    draw_bands(page, &data);
    page_note(page, "figure-5",
              "```sh\nlinkwork study studies/hydraulic_valve.yaml --out valve.db\n"
              "linkwork study report valve.db\n```");
  }
  lw_study_data_free(&data);
}
