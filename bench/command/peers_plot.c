// SPDX-License-Identifier: MIT
// linkwork bench --peers --plot: how the time of every program grows with the number of joints, on one core.
#include <math.h>
#include <string.h>

#include "io/picture.h"
#include "peers.h"

enum
{
  WIDTH     = 1200,  // pixels, of the three questions side by side
  HEIGHT    = 540,
  PANELS    = 3,
  MAX_LINES = 2 + MAX_PEERS
};

static const lwQuestion QUESTIONS[PANELS] = {LW_QUESTION_INVERSE, LW_QUESTION_INERTIA,
                                             LW_QUESTION_FORWARD};
static const char* const TITLES[PANELS]   = {"inverse dynamics", "inertia matrix",
                                             "forward dynamics"};

// What a line shows: the fastest way of a program, asked like this.
typedef struct Line
{
  const char* program;
  TrialMode mode;
  char title[64];
  const char* style;
} Line;

static int make_lines(const Peers* peers, Line lines[MAX_LINES])
{
  static const char* const styles[MAX_PEERS] = {"lw 2 lc rgb '#d55e00'", "lw 2 lc rgb '#0072b2'"};
  int count                                  = 0;
  lines[count++] =
      (Line){"linkwork", TRIAL_SINGLE, "linkwork, one state per call", "lw 2 lc rgb '#009e73'"};
  lines[count++] = (Line){"linkwork", TRIAL_BATCH, "linkwork, batch", "dt 2 lw 2 lc rgb '#009e73'"};
  for (int i = 0; i < peers->count; ++i)
  {
    Line line = {peers->peer[i]->program, TRIAL_SINGLE, "", styles[i]};
    snprintf(line.title, sizeof line.title, "%s %s", peers->peer[i]->program,
             peers->peer[i]->version);
    lines[count++] = line;
  }
  return count;
}

static double plot_point(const Peers* peers, const Line* line, const lwModel* model,
                         lwQuestion question)
{
  double best = INFINITY;
  for (int i = 0; i < peers->bench.count; ++i)
  {
    const Trial* trial = &peers->bench.trials[i];
    bool counts        = trial->model == model && trial_question(trial) == question &&
                  trial->mode == line->mode && trial->threads == 1 &&
                  !strcmp(trial_program(peers, trial), line->program);
    if (counts && (trial->peer || is_default(trial)) && trial->best < best) best = trial->best;
  }
  return best;
}

// Data of all lines as blocks of their own: $d00, $d01, ..; points: how many each has
static void write_peer_data(FILE* script, const Peers* peers, int count, const Line* lines,
                            int points[PANELS][MAX_LINES])
{
  for (int panel = 0; panel < PANELS; ++panel)
    for (int k = 0; k < count; ++k)
    {
      points[panel][k] = 0;
      fprintf(script, "$d%d%d << EOD\n", panel, k);
      for (int i = 0; i < peers->bench.robots; ++i)
      {
        const lwModel* model = peers->bench.models[i];
        double ns            = plot_point(peers, &lines[k], model, QUESTIONS[panel]);
        if (!isfinite(ns)) continue;
        fprintf(script, "%d %.6g\n", lw_model_dof(model), ns);
        ++points[panel][k];
      }
      fputs("EOD\n", script);
    }
}

static void write_peer_panel(FILE* script, int panel, int count, const Line* lines,
                             const int* points)
{
  const char* comma = "plot ";
  fprintf(script, "set title '%s'\n", TITLES[panel]);
  for (int k = 0; k < count; ++k)
  {
    if (points[k] == 0) continue;
    fprintf(script, "%s$d%d%d using 1:2 with linespoints pointtype 7 pointsize 0.4 %s title ",
            comma, panel, k, lines[k].style);
    lw_plot_quoted(script, lines[k].title);
    comma = ", ";
  }
  fputs("\n", script);
}

static void write_script(FILE* script, const Peers* peers)
{
  Line lines[MAX_LINES];
  int points[PANELS][MAX_LINES];
  int count    = make_lines(peers, lines);
  double least = INFINITY, most = 0;  // joints
  for (int i = 0; i < peers->bench.robots; ++i)
  {
    least = fmin(least, lw_model_dof(peers->bench.models[i]));
    most  = fmax(most, lw_model_dof(peers->bench.models[i]));
  }
  write_peer_data(script, peers, count, lines, points);
  fprintf(script,
          "set multiplot layout 1,%d\n"
          "set logscale xy\n"
          "set xrange [%g:%g]\n"
          "set xlabel 'joints'\n"
          "set ylabel 'ns per state, one core'\n"
          "set format y '10^{%%T}'\n"
          "set grid\n"
          "set bmargin %d\n"
          "set key below Left reverse font ',10' maxcols 1\n",
          PANELS, 0.8 * least, 1.25 * most, 4 + count);
  for (int k = 0; k < PANELS; ++k)
    if (peers->bench.question < 0 || peers->bench.question == (int)QUESTIONS[k])
      write_peer_panel(script, k, count, lines, points[k]);
  fputs("unset multiplot\n", script);
}

int peers_plot(const Peers* peers, const char* path)
{
  char message[LW_PLOT_MESSAGE];
  lwPlot plot;
  if (!lw_plot_begin(&plot, path, WIDTH, HEIGHT, message)) return picture_failed(path, message);
  write_script(plot.script, peers);
  picture_wait(path);
  return lw_plot_end(&plot, "", message) ? DONE : picture_failed(path, message);
}
