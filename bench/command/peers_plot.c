// SPDX-License-Identifier: MIT
// linkwork bench --peers --plot: how the time of every program grows with the number of
// joints, on one core.
#include <math.h>
#include <string.h>

#include "io/picture.h"
#include "linkwork/loop.h"
#include "peers.h"
#include "report/plot/figure.h"

enum
{
  WIDTH     = 400,  // pixels per question
  HEIGHT    = 540,
  PANELS    = 3,
  MAX_LINES = 2 + MAX_PEERS
};

static const lwQuestion QUESTIONS[PANELS] = {LW_QUESTION_INVERSE, LW_QUESTION_INERTIA,
                                             LW_QUESTION_FORWARD};
static const char* const TITLES[PANELS]   = {"inverse dynamics", "inertia matrix",
                                             "forward dynamics"};

// A line of the plot: the fastest method of a program in this mode.
typedef struct PeerLine
{
  const char* program;
  TrialMode mode;
  char title[64];
  int colour;
} PeerLine;

static int make_lines(const Peers* peers, PeerLine lines[MAX_LINES])
{
  int count      = 0;
  lines[count++] = (PeerLine){"linkwork", TRIAL_SINGLE, "linkwork, one state per call", 3};
  lines[count++] = (PeerLine){"linkwork", TRIAL_BATCH, "linkwork, batch", 3};
  for (int i = 0; i < peers->count; ++i)
  {
    PeerLine line = {peers->peer[i]->program, TRIAL_SINGLE, "", 2 - i};
    snprintf(line.title, sizeof line.title, "%s %s", peers->peer[i]->program,
             peers->peer[i]->version);
    lines[count++] = line;
  }
  return count;
}

static double plot_point(const Peers* peers, const PeerLine* line, const lwModel* model,
                         lwQuestion question)
{
  double best = INFINITY;
  for (int i = 0; i < peers->bench.count; ++i)
  {
    const BenchTrial* trial = &peers->bench.trials[i];
    bool counts             = trial->model == model && trial_question(trial) == question &&
                  trial->mode == line->mode && trial->threads == 1 &&
                  !strcmp(trial_program(peers, trial), line->program);
    bool ours = !strcmp(trial_program(peers, trial), "linkwork");
    if (counts && (!ours || is_default(trial)) && trial->best < best) best = trial->best;
  }
  return best;
}

// The points of a line; returns their count. Robots with loops are left out among others: they take
// longer than a tree with as many joints.
static size_t line_points(const Peers* peers, const PeerLine* line, lwQuestion question, double* x,
                          double* y)
{
  size_t count = 0;
  for (int i = 0; i < peers->bench.robots; ++i)
  {
    const lwModel* model = peers->bench.models[i];
    double ns            = plot_point(peers, line, model, question);
    bool apart           = lw_model_loop_count(model) > 0 && peers->bench.robots > 1;
    if (!isfinite(ns) || apart) continue;
    x[count]   = lw_model_dof(model);
    y[count++] = ns;
  }
  return count;
}

int peers_plot(const Peers* peers, const char* path)
{
  char message[LW_PLOT_MESSAGE];
  PeerLine lines[MAX_LINES];
  double points[PANELS][MAX_LINES][2][BENCH_ROBOTS];
  lwFigureCurve curves[PANELS][MAX_LINES];
  lwFigurePanel panels[PANELS];
  lwFigure figure = {.beside = true, .height = HEIGHT, .panel = panels};
  int count       = make_lines(peers, lines);
  for (int p = 0; p < PANELS; ++p)
  {
    lwFigurePanel panel = {.title   = TITLES[p],
                           .x_label = "joints",
                           .y_label = "ns per state, one core",
                           .log_x   = true,
                           .log_y   = true,
                           .curve   = curves[p]};
    if (peers->bench.question >= 0 && peers->bench.question != (int)QUESTIONS[p]) continue;
    for (int k = 0; k < count; ++k)
    {
      double *x = points[p][k][0], *y = points[p][k][1];
      size_t rows = line_points(peers, &lines[k], QUESTIONS[p], x, y);
      if (rows > 0)
        curves[p][panel.count++] = (lwFigureCurve){.title  = lines[k].title,
                                                   .x      = x,
                                                   .y      = y,
                                                   .rows   = rows,
                                                   .stride = 1,
                                                   .colour = lines[k].colour,
                                                   .marks  = 7,
                                                   .dashed = lines[k].mode == TRIAL_BATCH};
    }
    panels[figure.count++] = panel;
  }
  figure.width = WIDTH * figure.count;
  picture_wait(path);
  return lw_figure_draw(&figure, path, message) ? DONE : picture_failed(path, message);
}
