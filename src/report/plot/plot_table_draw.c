// SPDX-License-Identifier: MIT
// The script that draws a table: where its panels stand, curves, limits, marks and legends.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/audit/audit.h"
#include "report/plot/plot_panels.h"
#include "text/text_width.h"

enum  // pixels
{
  TOP         = 70,   // for the title
  LEFT        = 95,   // for the numbers and the label of an axis
  BELOW       = 55,   // for those of the other
  WIDE        = 600,  // curves
  NARROW      = 360,  // where panels stand side by side
  TALL        = 230,
  LOW         = 170,
  SAMPLE      = 60,  // of a line, beside its name in a legend
  LETTER      = 8,   // no letter is wider, on average
  LEGEND_LINE = 18,
  MOST_NAME   = 100,  // letters of a name in a legend
  MOST_EVENTS = 50,   // lines of events
  MOST_MARKS  = 50    // of one kind on a curve
};

typedef struct Picture
{
  const lwPlotTable* table;
  lwPlotPanels panels;
  size_t x;
  double x_low, x_high;
  int width, height;
  int left[LW_PLOT_MAX_ROWS],
      legend[LW_PLOT_MAX_ROWS];  // of each place: where it begins, room for legends
  int top[LW_PLOT_MAX_ROWS], tall[LW_PLOT_MAX_ROWS];  // of each row
} Picture;

// --- values

static double value_at(const Picture* picture, size_t row, size_t column)
{
  const lwPlotTable* table = picture->table;
  double value             = table->values[row * table->columns + column];
  return lw_plot_column_is_difference(table->names[column]) ? value - table->values[column] : value;
}

static void put_data(lwOut* script, const Picture* picture)
{
  const lwPlotPanels* panels = &picture->panels;
  lw_out_text(script, "$data << EOD\n");
  for (size_t i = 0; i < picture->table->rows; ++i)
  {
    lw_out_format(script, "%.12g", value_at(picture, i, picture->x));
    for (int c = 0; c < panels->curve_count; ++c)
    {
      const lwPlotCurve* curve = &panels->curve[c];
      lw_out_format(script, " %.12g", value_at(picture, i, curve->column));
      if (curve->reference == LW_PLOT_NO_COLUMN)
        lw_out_text(script, " NaN");
      else
        lw_out_format(script, " %.12g", value_at(picture, i, curve->reference));
    }
    lw_out_char(script, '\n');
  }
  lw_out_text(script, "EOD\n");
}

static void widen(double value, double range[2])
{
  range[0] = fmin(range[0], value);
  range[1] = fmax(range[1], value);
}

// What the curves of a panel span.
static void find_span(const Picture* picture, const lwPlotPanel* panel, double range[2])
{
  range[0] = INFINITY, range[1] = -INFINITY;
  for (size_t i = 0; i < picture->table->rows; ++i)
    for (int c = panel->first; c < panel->first + panel->count; ++c)
    {
      const lwPlotCurve* curve = &picture->panels.curve[c];
      widen(value_at(picture, i, curve->column), range);
      if (curve->reference != LW_PLOT_NO_COLUMN)
        widen(value_at(picture, i, curve->reference), range);
    }
}

// Limits are drawn where they are near the curves, by half of what these span:
// others would flatten them.
static bool limit_is_near(double limit, const double span[2])
{
  double reach = (span[1] - span[0]) / 2;
  return isfinite(limit) && limit >= span[0] - reach && limit <= span[1] + reach;
}

// The range of a panel, with a margin; widened if all curves are the same constant,
// which gnuplot complains about.
static void find_range(const Picture* picture, const lwPlotPanel* panel, double range[2])
{
  double span[2];
  find_span(picture, panel, span);
  memcpy(range, span, sizeof span);
  for (int c = panel->first; c < panel->first + panel->count; ++c)
  {
    const lwPlotCurve* curve = &picture->panels.curve[c];
    if (limit_is_near(curve->low, span)) widen(curve->low, range);
    if (limit_is_near(curve->high, span)) widen(curve->high, range);
  }
  double margin = 0.05 * (range[1] - range[0]);
  if (!(margin > 1e-12 * fabs(range[0]))) margin = 1 + fabs(range[0]) / 2;
  range[0] -= margin;
  range[1] += margin;
}

// --- marks

// In which panel something is marked, and how: as gnuplot's point and in a word.
static const struct
{
  const char* group;
  int point;
  const char* word;
} MARKS[LW_NOTE_KIND_COUNT] = {
    [LW_NOTE_LOWER]   = {"q", 11, "inverted triangle"},
    [LW_NOTE_UPPER]   = {"q", 9, "triangle"},
    [LW_NOTE_SPEED]   = {"qd", 5, "square"},
    [LW_NOTE_EFFORT]  = {"tau", 5, "square"},
    [LW_NOTE_VOLTAGE] = {"v", 5, "square"},
    [LW_NOTE_CURRENT] = {"i", 5, "square"},
    [LW_NOTE_STICK]   = {"q", 7, "dot"},
    [LW_NOTE_SLIP]    = {"q", 6, "circle"},
    [LW_NOTE_LEAVE]   = {"q", 8, "open triangle"},
    [LW_NOTE_EVENT]   = {NULL, 0, ""},
};

// The curve of a panel that a note is about, or NULL.
static const lwPlotCurve* noted_curve(const Picture* picture, const lwPlotPanel* panel,
                                      const lwNote* note)
{
  const char* group = MARKS[note->kind].group;
  if (!group || strcmp(picture->table->names[picture->x], "t") != 0) return NULL;
  for (int c = panel->first; c < panel->first + panel->count; ++c)
  {
    const lwPlotCurve* curve = &picture->panels.curve[c];
    if (curve->joint == note->which &&
        lw_plot_column_is_in(picture->table->names[curve->column], group, strlen(group)))
      return curve;
  }
  return NULL;
}

static int count_notes(const Picture* picture, const lwPlotPanel* panel, lwNoteKind kind)
{
  int count = 0;
  for (int i = 0; i < picture->table->note_count; ++i)
  {
    const lwNote* note = &picture->table->notes[i];
    count += note->kind == kind && noted_curve(picture, panel, note);
  }
  return count;
}

// Kinds of marks in the legend of a panel; where panels stand side by side,
// marks are explained under the title.
static int count_kinds(const Picture* picture, const lwPlotPanel* panel)
{
  int kinds = 0;
  if (picture->panels.dense) return 0;
  for (int kind = 0; kind < LW_NOTE_KIND_COUNT; ++kind)
    kinds += count_notes(picture, panel, (lwNoteKind)kind) > 0;
  return kinds;
}

// The value of a curve at a time between records.
static double value_then(const Picture* picture, size_t column, double t)
{
  size_t last = picture->table->rows - 1, i = 0;
  while (i < last && value_at(picture, i + 1, picture->x) < t) ++i;
  if (i == last) return value_at(picture, last, column);
  double t0 = value_at(picture, i, picture->x), t1 = value_at(picture, i + 1, picture->x);
  double y0 = value_at(picture, i, column), y1 = value_at(picture, i + 1, column);
  return t1 > t0 ? y0 + (y1 - y0) * fmin(fmax((t - t0) / (t1 - t0), 0), 1) : y0;
}

// Every kind of note as a block: $mark3_1, .. Of notes about one curve that follow each other so
// closely that their marks would cover it, only the first is drawn.
static void put_marks(lwOut* script, const Picture* picture, int p)
{
  const lwPlotPanel* panel = &picture->panels.panel[p];
  size_t last              = picture->table->rows - 1;
  double apart =
      (value_at(picture, last, picture->x) - value_at(picture, 0, picture->x)) / MOST_MARKS;
  double marked[LW_PLOT_MAX_CURVES];  // when the last mark of each curve was
  for (int kind = 0; kind < LW_NOTE_KIND_COUNT; ++kind)
  {
    if (count_notes(picture, panel, (lwNoteKind)kind) == 0) continue;
    for (int c = 0; c < LW_PLOT_MAX_CURVES; ++c) marked[c] = -INFINITY;
    lw_out_format(script, "$mark%d_%d << EOD\n", p, kind);
    for (int i = 0; i < picture->table->note_count; ++i)
    {
      const lwNote* note       = &picture->table->notes[i];
      const lwPlotCurve* curve = (int)note->kind == kind ? noted_curve(picture, panel, note) : NULL;
      double* before           = curve ? &marked[curve - picture->panels.curve] : NULL;
      if (!curve || note->t < *before + apart) continue;
      *before = note->t;
      lw_out_format(script, "%.12g %.12g\n", note->t, value_then(picture, curve->column, note->t));
    }
    lw_out_text(script, "EOD\n");
  }
}

static bool is_first_of_event(const lwPlotTable* table, int i)
{
  for (int k = 0; k < i; ++k)
    if (table->notes[k].kind == LW_NOTE_EVENT && table->notes[k].which == table->notes[i].which)
      return false;
  return true;
}

// Events of the scenario are lines through all panels, with their names above.
static void put_events(lwOut* script, const Picture* picture)
{
  const lwPlotTable* table = picture->table;
  int count                = 0;
  char buffer[LW_NOTE_WHO];
  if (strcmp(table->names[picture->x], "t") != 0) return;
  for (int i = 0; i < table->note_count && count < MOST_EVENTS; ++i)
  {
    const lwNote* note = &table->notes[i];
    if (note->kind != LW_NOTE_EVENT) continue;
    ++count;
    lw_out_format(script,
                  "set arrow from first %.12g, graph 0 to first %.12g, graph 1 nohead dt 4 lc rgb "
                  "'gray40' back\n",
                  note->t, note->t);
    if (!is_first_of_event(table, i)) continue;
    lw_out_text(script, "set label ");
    lw_plot_quoted(script, lw_note_who(table->arm, note, buffer));
    lw_out_format(script, " at first %.12g, graph 1 offset 0,0.5 center font ',10' noenhanced\n",
                  note->t);
  }
}

// --- where things stand

static int letters(const char* text)
{
  int count = lw_text_width(text);
  return count < MOST_NAME ? count : MOST_NAME;
}

// The next panel to the right shows the same curves in the same colours, so one legend serves both.
static bool has_legend(const Picture* picture, int p)
{
  const lwPlotPanels* panels = &picture->panels;
  const lwPlotPanel* panel   = &panels->panel[p];
  if (count_kinds(picture, panel) > 0) return true;
  for (int o = 0; o < panels->count; ++o)
  {
    const lwPlotPanel* other = &panels->panel[o];
    bool same                = other->row == panel->row && other->place == panel->place + 1 &&
                other->count == panel->count && panel->count > 1;
    for (int c = 0; c < panel->count && same; ++c)
      same = !strcmp(panels->curve[panel->first + c].name, panels->curve[other->first + c].name);
    if (same) return false;
  }
  return true;
}

static int legend_letters(const Picture* picture, int p)
{
  const lwPlotPanel* panel = &picture->panels.panel[p];
  int most                 = 0;
  for (int c = panel->first; c < panel->first + panel->count; ++c)
    most = letters(picture->panels.curve[c].name) > most ? letters(picture->panels.curve[c].name)
                                                         : most;
  for (int kind = 0; kind < LW_NOTE_KIND_COUNT && !picture->panels.dense; ++kind)
    if (count_notes(picture, panel, (lwNoteKind)kind) > 0 &&
        letters(lw_note_what((lwNoteKind)kind)) > most)
      most = letters(lw_note_what((lwNoteKind)kind));
  return most;
}

static void lay_out(Picture* picture)
{
  const lwPlotPanels* panels = &picture->panels;
  int across = panels->dense ? NARROW : WIDE, least = panels->dense ? LOW : TALL;
  for (int p = 0; p < panels->count; ++p)
  {
    const lwPlotPanel* panel = &panels->panel[p];
    int lines                = panel->count + count_kinds(picture, panel);
    int* tall                = &picture->tall[panel->row];
    int* legend              = &picture->legend[panel->place];
    if (*tall < least) *tall = least;
    if (!has_legend(picture, p)) continue;
    if (*tall < LEGEND_LINE * lines) *tall = LEGEND_LINE * lines;
    int wide = SAMPLE + LETTER * legend_letters(picture, p);
    if (*legend < wide) *legend = wide;
  }
  for (int i = 0; i < panels->places; ++i)
  {
    picture->left[i] = picture->width + LEFT;
    picture->width += LEFT + across + picture->legend[i];
  }
  picture->width += LEFT / 4;
  picture->height = TOP;
  for (int i = 0; i < panels->rows; ++i)
  {
    picture->top[i] = picture->height;
    picture->height += picture->tall[i] + BELOW + LEGEND_LINE;
  }
}

static void put_place(lwOut* script, const Picture* picture, int p)
{
  const lwPlotPanel* panel = &picture->panels.panel[p];
  double width = picture->width, height = picture->height;
  int across = picture->panels.dense ? NARROW : WIDE;
  int left = picture->left[panel->place], top = picture->top[panel->row];
  lw_out_format(script,
                "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                left / width, (left + across) / width, 1 - top / height,
                1 - (top + picture->tall[panel->row]) / height);
  if (has_legend(picture, p))
    lw_out_format(script, "set key at screen %.5f, screen %.5f left top Left reverse\n",
                  (left + across + 8) / width, 1 - top / height);
  else
    lw_out_text(script, "unset key\n");
}

// --- curves

static void put_title(lwOut* script, const char* text)
{
  char name[4 * MOST_NAME + 1];
  size_t used = lw_text_skip(text, strlen(text), MOST_NAME);
  snprintf(name, sizeof name, "%.*s", (int)used, text);
  lw_out_text(script, " title ");
  lw_plot_quoted(script, name);
  lw_out_text(script, " noenhanced");
}

static void put_limits(lwOut* script, const Picture* picture, const lwPlotPanel* panel)
{
  double span[2];
  find_span(picture, panel, span);
  for (int c = panel->first; c < panel->first + panel->count; ++c)
  {
    const lwPlotCurve* curve = &picture->panels.curve[c];
    const double limits[]    = {curve->low, curve->high};
    for (int i = 0; i < 2; ++i)
      if (limit_is_near(limits[i], span))
        lw_out_format(script, ", %.12g with lines dt 3 lw 1 lt %d notitle", limits[i],
                      curve->colour + 1);
  }
}

static void put_panel(lwOut* script, const Picture* picture, int p)
{
  const lwPlotPanel* panel = &picture->panels.panel[p];
  double range[2];
  put_place(script, picture, p);
  find_range(picture, panel, range);
  lw_out_format(script, "set yrange [%.12g:%.12g]\nset ylabel ", range[0], range[1]);
  lw_plot_quoted(script, panel->label);
  lw_out_text(script, " noenhanced\nplot ");
  for (int c = panel->first; c < panel->first + panel->count; ++c)
    if (picture->panels.curve[c].reference != LW_PLOT_NO_COLUMN)
      lw_out_format(script, "$data using 1:%d with lines lw 6 lc rgb '%s' notitle, ", 2 * c + 3,
                    lw_plot_pale(picture->panels.curve[c].colour));
  for (int c = panel->first; c < panel->first + panel->count; ++c)
  {
    const lwPlotCurve* curve = &picture->panels.curve[c];
    lw_out_format(script, "%s$data using 1:%d with lines lw 1.5 lt %d",
                  c > panel->first ? ", " : "", 2 * c + 2, curve->colour + 1);
    put_title(script, curve->name);
  }
  put_limits(script, picture, panel);
  for (int kind = 0; kind < LW_NOTE_KIND_COUNT; ++kind)
  {
    if (count_notes(picture, panel, (lwNoteKind)kind) == 0) continue;
    lw_out_format(script, ", $mark%d_%d using 1:2 with points pt %d ps 0.8 lc rgb 'black'", p, kind,
                  MARKS[kind].point);
    if (picture->panels.dense)
      lw_out_text(script, " notitle");
    else
      put_title(script, lw_note_what((lwNoteKind)kind));
  }
  lw_out_char(script, '\n');
}

// --- the whole

static void put_note(lwOut* script, const char* text, bool* any)
{
  lw_out_format(script, "%s%s", *any ? ", " : "", text);
  *any = true;
}

static void put_mark_notes(lwOut* script, const Picture* picture, bool* any)
{
  const lwPlotPanels* panels = &picture->panels;
  for (int kind = 0; kind < LW_NOTE_KIND_COUNT && panels->dense; ++kind)
  {
    char text[64];
    int count = 0;
    for (int p = 0; p < panels->count && count == 0; ++p)
      count = count_notes(picture, &panels->panel[p], (lwNoteKind)kind);
    if (count == 0) continue;
    snprintf(text, sizeof text, "%s: %s", MARKS[kind].word, lw_note_what((lwNoteKind)kind));
    put_note(script, text, any);
  }
}

// What pale bands, dotted lines and marks are.
static void put_explanation(lwOut* script, const Picture* picture)
{
  const lwPlotPanels* panels = &picture->panels;
  bool reference = false, limit = false, any = false;
  for (int p = 0; p < panels->count; ++p)
  {
    double span[2];
    find_span(picture, &panels->panel[p], span);
    for (int c = 0; c < panels->panel[p].count; ++c)
    {
      const lwPlotCurve* curve = &panels->curve[panels->panel[p].first + c];
      reference                = reference || curve->reference != LW_PLOT_NO_COLUMN;
      limit = limit || limit_is_near(curve->low, span) || limit_is_near(curve->high, span);
    }
  }
  lw_out_text(script, "set label 1 '");
  if (reference) put_note(script, "pale band: reference", &any);
  if (limit) put_note(script, "dotted: limit", &any);
  put_mark_notes(script, picture, &any);
  if (panels->left_out)
    lw_out_format(script, "%sthe last %d joints are left out", any ? ", " : "", panels->left_out);
  lw_out_format(script, "' at screen 0.5, screen %.5f center font ',11'\n",
                1 - 38.0 / picture->height);
}

static void put_all(lwOut* script, const Picture* picture)
{
  char label[LW_PLOT_PANEL_LABEL];
  put_data(script, picture);
  for (int p = 0; p < picture->panels.count; ++p) put_marks(script, picture, p);
  lw_out_text(script, "set multiplot title ");
  lw_plot_quoted(script, picture->table->title ? picture->table->title : "");
  lw_out_format(script, " noenhanced\nset grid\nset xrange [%.12g:%.12g]\n", picture->x_low,
                picture->x_high);
  lw_plot_column_label(picture->table, picture->x, label);
  lw_out_text(script, "set xlabel ");
  lw_plot_quoted(script, label);
  lw_out_text(script, " noenhanced\n");
  put_explanation(script, picture);
  put_events(script, picture);
  for (int p = 0; p < picture->panels.count; ++p)
  {
    put_panel(script, picture, p);
    if (p == 0) lw_out_text(script, "unset label 1\n");
  }
  lw_out_text(script, "unset multiplot\n");
}

static lwPlotFault find_x(Picture* picture, const char* x, char message[LW_PLOT_MESSAGE])
{
  const lwPlotTable* table = picture->table;
  double range[2]          = {INFINITY, -INFINITY};
  while (picture->x < table->columns && strcmp(table->names[picture->x], x) != 0) ++picture->x;
  if (picture->x == table->columns)
    return lw_plot_refuse(message, LW_PLOT_FAULT_X, "no column '%.100s'", x);
  for (size_t i = 0; i < table->rows; ++i) widen(value_at(picture, i, picture->x), range);
  bool flat       = !(range[0] < range[1]);
  picture->x_low  = flat ? range[0] - 1 - fabs(range[0]) / 2 : range[0];
  picture->x_high = flat ? range[1] + 1 + fabs(range[1]) / 2 : range[1];
  return LW_PLOT_FAULT_NONE;
}

static lwPlotFault draw_picture(Picture* picture, const char* path, char message[LW_PLOT_MESSAGE])
{
  lwPlot drawing;
  const char* ending = picture->table->ending;
  if (picture->table->rows < 2)
    return lw_plot_refuse(message, LW_PLOT_FAULT_DRAWING, "fewer than two rows");
  lay_out(picture);
  if (!lw_plot_begin(&drawing, path, picture->width, picture->height, message))
    return LW_PLOT_FAULT_DRAWING;
  put_all(&drawing.script, picture);
  return lw_plot_end(&drawing, ending ? ending : "", message) ? LW_PLOT_FAULT_NONE
                                                              : LW_PLOT_FAULT_DRAWING;
}

lwPlotFault lw_plot_table_draw(const lwPlotTable* table, const char* path, const char* x,
                               const char* groups, bool optional, char message[LW_PLOT_MESSAGE])
{
  Picture* picture = calloc(1, sizeof *picture);
  if (!picture)
    return lw_plot_refuse(message, LW_PLOT_FAULT_DRAWING, "%s", lw_status_text(LW_ERROR_MEMORY));
  picture->table    = table;
  lwPlotFault fault = find_x(picture, x, message);
  if (!fault) fault = lw_plot_panels_find(table, groups, optional, &picture->panels, message);
  if (!fault) fault = draw_picture(picture, path, message);
  free(picture);
  return fault;
}
