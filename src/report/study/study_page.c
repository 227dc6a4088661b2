// SPDX-License-Identifier: MIT
#include "report/study/study_tables.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/drawing/svg.h"

enum
{
  WIDTH         = 400,  // of a panel, pixels
  HEIGHT        = 240,
  LEFT          = 86,  // of what is drawn
  RIGHT         = 12,
  TOP           = 28,
  BOTTOM        = 30,
  MOST_EXPLORED = 20000  // samples in the page
};

extern const char lw_study_page_style_text[];   // study_page.css
extern const char lw_study_page_script_text[];  // study_page.js

// --- panels: a frame with the ends of its axes

typedef struct StudyPanel
{
  lwOut* out;
  double x0, x1, y0, y1;  // ends of the axes
} StudyPanel;

static double pixel_x(const StudyPanel* panel, double x)
{
  return LEFT + (WIDTH - LEFT - RIGHT) * (x - panel->x0) / (panel->x1 - panel->x0);
}

static double pixel_y(const StudyPanel* panel, double y)
{
  return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - panel->y0) / (panel->y1 - panel->y0);
}

static void panel_text(const StudyPanel* panel, double x, double y, const char* how,
                       const char* text)
{
  const lwSpot at = {x, y};
  lw_svg_text(panel->out, at, how, text);
}

static void panel_number(const StudyPanel* panel, double x, double y, const char* how, double value)
{
  char text[32];
  snprintf(text, sizeof text, "%.4g", value);
  panel_text(panel, x, y, how, text);
}

// An empty range becomes one that can be drawn.
static void widen_range(double* low, double* high)
{
  double size = fmax(fabs(*low), fabs(*high));
  if (*high - *low > 1e-12 * size) return;
  *low -= size > 0 ? 0.5 * size : 1;
  *high += size > 0 ? 0.5 * size : 1;
}

static void panel_begin(StudyPanel* panel, const char* what, const char* name, bool y_axis)
{
  char title[160];
  const double bottom = HEIGHT - BOTTOM, right = WIDTH - RIGHT;
  const lwSpot frame[] = {{LEFT, TOP}, {right, TOP}, {right, bottom}, {LEFT, bottom}};
  snprintf(title, sizeof title, "%s%.100s", what, name);
  widen_range(&panel->x0, &panel->x1);
  widen_range(&panel->y0, &panel->y1);
  lw_svg_begin(panel->out, WIDTH, HEIGHT, title, "");
  panel_text(panel, LEFT, TOP - 10, "class=\"name\"", title);
  panel_number(panel, LEFT, bottom + 16, "", panel->x0);
  panel_number(panel, right, bottom + 16, "text-anchor=\"end\"", panel->x1);
  if (y_axis)
  {
    panel_number(panel, LEFT - 6, bottom, "text-anchor=\"end\"", panel->y0);
    panel_number(panel, LEFT - 6, TOP + 8, "text-anchor=\"end\"", panel->y1);
  }
  lw_svg_path(panel->out, frame, 4, true, "class=\"frame\"");
}

static void panel_box(const StudyPanel* panel, double x0, double x1, double y0, double y1,
                      const char* how)
{
  double a = pixel_x(panel, x0), b = pixel_x(panel, x1);
  double c = pixel_y(panel, y0), d = pixel_y(panel, y1);
  const lwSpot box[] = {{a, c}, {b, c}, {b, d}, {a, d}};
  lw_svg_path(panel->out, box, 4, true, how);
}

// --- bands

// One line, or the area between two, at the times for which there are samples.
static void band_path(const StudyPanel* panel, const lwStudyBand* band, int low, int high,
                      const char* how)
{
  lwSpot* spots = calloc(2 * (size_t)band->steps + 1, sizeof *spots);
  int count = 0, ends = high == low ? band->steps : 2 * band->steps;
  for (int i = 0; i < ends && spots; ++i)  // there, and back
  {
    int k = i < band->steps ? i : ends - 1 - i;
    if (isnan(band->line[LW_STUDY_LINE_LOW][k])) continue;
    spots[count][0]   = pixel_x(panel, band->t[k]);
    spots[count++][1] = pixel_y(panel, band->line[i < band->steps ? low : high][k]);
  }
  if (!spots) panel->out->error = ENOMEM;
  if (count > 1) lw_svg_path(panel->out, (const lwSpot*)spots, count, high != low, how);
  free(spots);
}

static void draw_band(lwOut* out, const lwStudyBand* band)
{
  StudyPanel panel = {out, band->t[0], band->t[band->steps - 1], INFINITY, -INFINITY};
  for (int k = 0; k < band->steps; ++k)
    if (!isnan(band->line[LW_STUDY_LINE_LOW][k]))
    {
      panel.y0 = fmin(panel.y0, fmin(band->line[LW_STUDY_LINE_LOW][k], band->line[0][k]));
      panel.y1 = fmax(panel.y1, fmax(band->line[LW_STUDY_LINE_HIGH][k], band->line[0][k]));
    }
  if (!(panel.y0 <= panel.y1)) return;
  panel_begin(&panel, "", band->name, true);
  panel_text(&panel, 0.5 * WIDTH, HEIGHT - BOTTOM + 16, "", "t (s)");
  band_path(&panel, band, LW_STUDY_LINE_LOW, LW_STUDY_LINE_HIGH, "class=\"all\"");
  band_path(&panel, band, LW_STUDY_LINE_P05, LW_STUDY_LINE_P95, "class=\"most\"");
  band_path(&panel, band, LW_STUDY_LINE_P50, LW_STUDY_LINE_P50, "class=\"median\"");
  band_path(&panel, band, 0, 0, "class=\"nominal\"");
  lw_svg_end(out);
}

// --- measures

static void draw_histogram(lwOut* out, const lwStudyData* data, int m, const lwStudySummary* s)
{
  long counts[LW_STUDY_BINS], most = 1;
  double width = (s->high - s->low) / LW_STUDY_BINS;
  lw_study_histogram(data, m, s->low, s->high, counts);
  for (int i = 0; i < LW_STUDY_BINS; ++i) most = counts[i] > most ? counts[i] : most;
  StudyPanel panel = {out, s->low, s->high, 0, (double)most};
  panel_begin(&panel, "histogram of ", data->measures[m].name, true);
  for (int i = 0; i < LW_STUDY_BINS && width > 0; ++i)
    panel_box(&panel, s->low + width * i, s->low + width * (i + 0.94), 0, (double)counts[i],
              "class=\"bar\"");
  lw_svg_end(out);
}

static void draw_tornado(lwOut* out, const lwStudyData* data, int m, const lwStudySummary* s)
{
  int all = data->parameter_count, count = all < LW_STUDY_BARS ? all : LW_STUDY_BARS;
  lwStudyBar* bars = lw_study_bars(data, m);
  StudyPanel panel = {out, s->mean, s->mean, 0.3, count + 0.7};
  if (!bars) out->error = ENOMEM;
  for (int p = 0; p < all && bars; ++p)
  {
    panel.x0 = fmin(panel.x0, fmin(bars[p].ends[0], bars[p].ends[1]));
    panel.x1 = fmax(panel.x1, fmax(bars[p].ends[0], bars[p].ends[1]));
  }
  if (bars && count > 0)
  {
    panel_begin(&panel, "tornado of ", data->measures[m].name, false);
    const lwSpot ends[] = {{pixel_x(&panel, s->mean), TOP},
                           {pixel_x(&panel, s->mean), HEIGHT - BOTTOM}};
    for (int i = 0; i < count; ++i)
    {
      double at = count - i;
      for (int side = 0; side < 2; ++side)
        panel_box(&panel, s->mean, bars[i].ends[side], at - 0.35, at + 0.35,
                  side == 0 ? "class=\"low\"" : "class=\"high\"");
      panel_text(&panel, LEFT - 6, pixel_y(&panel, at) + 4, "text-anchor=\"end\"",
                 data->parameters[bars[i].parameter].name);
    }
    lw_svg_line(panel.out, ends[0], ends[1], "class=\"mean\"");
    lw_svg_end(out);
  }
  free(bars);
}

// --- samples, for the script

static void samples_column(lwOut* out, const lwStudyColumn* column, int rows, bool first)
{
  lw_json(out, first ? "{'name':$s,'values':[" : ",\n{'name':$s,'values':[", column->name);
  for (int i = 0; i < rows; ++i)
  {
    if (i > 0) lw_out_char(out, ',');
    if (isfinite(column->values[i]))
      lw_out_format(out, "%.9g", column->values[i]);
    else
      lw_out_text(out, "null");
  }
  lw_out_text(out, "]}");
}

// As JSON in an element whose text is data, never markup.
static void write_samples(lwOut* out, const lwStudyReport* report)
{
  const lwStudyData* data = &report->data;
  int rows                = (int)(data->rows < MOST_EXPLORED ? data->rows : MOST_EXPLORED);
  int columns             = data->parameter_count + data->measure_count;
  lwOut* json             = calloc(1, sizeof *json);
  if (!json) out->error = ENOMEM;
  if (!json || rows == 0 || columns == 0) return free(json);
  json->in_memory = true;
  lw_json(json, "{'open':$s,'points':", data->commands ? NULL : report->open);
  lw_out_format(json, "%ld,\"first\":%d,\"samples\":[", data->rows, data->parameter_count);
  for (int i = 0; i < rows; ++i) lw_out_format(json, i > 0 ? ",%ld" : "%ld", data->sample[i]);
  lw_out_text(json, "],\n\"columns\":[");
  for (int c = 0; c < columns; ++c)
    samples_column(json,
                   c < data->parameter_count ? &data->parameters[c]
                                             : &data->measures[c - data->parameter_count],
                   rows, c == 0);
  lw_out_text(json, "]}");
  lw_out_text(out, "<h2>samples</h2>\n<p>Drag a box in the plot or a range in a histogram; what is "
                   "within all ranges is dark. A click picks a sample.</p>\n<div "
                   "id=\"explore\"></div>\n<div id=\"samples\" hidden>");
  if (lw_out_finish(json))
    lw_out_xml(out, true, json->text);
  else
    out->error = ENOMEM;
  lw_out_format(out, "</div>\n<script>%s</script>\n", lw_study_page_script_text);
  lw_out_free(json);
  free(json);
}

// --- the page

static void write_panels(lwOut* out, const lwStudyReport* report)
{
  const lwStudyData* data = &report->data;
  if (data->band_count > 0)
    lw_out_text(out, "<h2>bands over time</h2>\n<p>Outer band: all samples; inner: 5 to 95 %; "
                     "line: median; dashed: "
                     "nominal.</p>\n<div class=\"panels\">\n");
  for (int b = 0; b < data->band_count; ++b) draw_band(out, &data->bands[b]);
  if (data->band_count > 0) lw_out_text(out, "</div>\n");
  lw_out_text(
      out, "<h2>measures: how they are spread, and what matters</h2>\n<p>Tornado: mean where the "
           "parameter is in its lowest (orange) and highest tenth (blue).</p>\n<div "
           "class=\"panels\">\n");
  for (int m = 0; m < data->measure_count; ++m)
  {
    if (report->summaries[m].count == 0) continue;
    draw_histogram(out, data, m, &report->summaries[m]);
    draw_tornado(out, data, m, &report->summaries[m]);
  }
  lw_out_text(out, "</div>\n");
}

char* lw_study_page(const lwStudyReport* report, size_t* length)
{
  lwOut* out = calloc(1, sizeof *out);
  if (!out) return NULL;
  out->in_memory = true;
  lw_out_text(out,
              "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
              "name=\"viewport\" "
              "content=\"width=device-width, initial-scale=1\">\n<meta "
              "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
              "'unsafe-inline'; style-src 'unsafe-inline'\">\n<title>");
  lw_out_xml(out, false, report->data.name);
  lw_out_format(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<h1>",
                lw_study_page_style_text);
  lw_out_xml(out, false, report->data.name);
  lw_out_text(out, "</h1>\n<p>");
  lw_study_headline(report, out);
  lw_out_text(out, ".</p>\n");
  write_panels(out, report);
  write_samples(out, report);
  lw_study_tables_html(report, out);
  lw_out_text(out, "</body>\n</html>\n");
  char* text = lw_out_finish(out) ? out->text : NULL;
  *length    = out->length;
  if (!text) free(out->text);
  free(out);
  return text;
}
