// SPDX-License-Identifier: MIT
// Figures of a page: which curves have one colour. report/plot/figure.h draws them.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "io/picture.h"
#include "paper_page.h"
#include "report/plot/figure.h"

enum
{
  WIDTH        = 900,  // pixels
  PANEL_HEIGHT = 360
};

static const char* title_of(const Curve* curve)
{
  return curve->title ? curve->title : curve->series->column[curve->y];
}

// The number of a column like tau2, or NULL.
static const char* number_of(const char* title)
{
  const char* digits = title + strspn(title, "abcdefghijklmnopqrstuvwxyz_");
  bool column        = digits > title && *digits && !digits[strspn(digits, "0123456789")];
  return column ? digits : NULL;
}

// Whether both are about the same: "Luh et al., printed" is about "Luh et al. (newton-euler)", and
// tau2 about the joint of q2.
static bool is_about(const char* title, const char* other)
{
  static const char printed[] = ", printed";
  size_t length = strlen(title), end = sizeof printed - 1;
  if (!strcmp(title, other)) return true;
  if (number_of(title) && number_of(other)) return !strcmp(number_of(title), number_of(other));
  if (length <= end || strcmp(title + length - end, printed) != 0) return false;
  length -= end;
  return !strncmp(title, other, length) && (!other[length] || !strncmp(other + length, " (", 2));
}

// Colours of all curves: one for each title, in all panels of a figure. Curves without a title have
// those of the curves of their panel, one by one.
typedef int Colours[FIGURE_PANELS][PANEL_CURVES];

static void choose_colours(const Figure* figure, Colours colours)
{
  const char* known[FIGURE_PANELS * PANEL_CURVES];
  int count = 0;
  for (int p = 0; p < figure->count; ++p)
  {
    int untitled = 0;
    for (int k = 0; k < figure->panel[p].count; ++k)
    {
      const char* title = title_of(&figure->panel[p].curve[k]);
      int place         = 0;
      while (*title && place < count && !is_about(title, known[place])) ++place;
      if (*title && place == count) known[count++] = title;
      if (*title)
        colours[p][k] = 1 + place;
      else  // that of the first curve with a title, then of the second
        colours[p][k] = untitled < k ? colours[p][untitled++] : 1;
    }
  }
}

static lwFigureCurve curve_of(const Curve* curve, int colour)
{
  const PageSeries* series = curve->series;
  return (lwFigureCurve){.title  = title_of(curve),
                         .x      = series->values + curve->x,
                         .y      = series->values + curve->y,
                         .rows   = series->rows,
                         .stride = (size_t)series->columns,
                         .colour = colour,
                         .points = curve->points};
}

int figure_draw(const Page* page, const Figure* figure)
{
  char message[LW_PLOT_MESSAGE], path[PATH_MAX];
  Colours colours;
  lwFigureCurve curves[FIGURE_PANELS][PANEL_CURVES];
  lwFigurePanel panels[FIGURE_PANELS];
  lwFigure drawn = {.width  = WIDTH,
                    .height = PANEL_HEIGHT * figure->count,
                    .count  = figure->count,
                    .panel  = panels};
  int status     = page_path(page, figure->name, ".svg", path, sizeof path);
  if (status != DONE) return status;
  choose_colours(figure, colours);
  for (int p = 0; p < figure->count; ++p)
  {
    const Panel* panel = &figure->panel[p];
    panels[p]          = (lwFigurePanel){.title     = panel->title,
                                         .x_label   = panel->x_label,
                                         .y_label   = panel->y_label,
                                         .log_x     = panel->log_x,
                                         .log_y     = panel->log_y,
                                         .magnitude = panel->magnitude,
                                         .equal     = panel->equal,
                                         .scale     = panel->scale,
                                         .count     = panel->count,
                                         .curve     = curves[p]};
    for (int k = 0; k < panel->count; ++k) curves[p][k] = curve_of(&panel->curve[k], colours[p][k]);
  }
  return lw_figure_draw(&drawn, path, message) ? DONE : picture_failed(path, message);
}

void page_drawing(Page* page, const char* section, const char* name, const char* caption,
                  const lwDrawing* drawing)
{
  char path[PATH_MAX];
  if (!page->folder || page->status != DONE) return;
  page->status = page_path(page, name, ".svg", path, sizeof path);
  if (page->status == DONE) page->status = picture_write(drawing, path, NULL);
  if (page->status == DONE) note_figure(page, section, name, caption);
}
