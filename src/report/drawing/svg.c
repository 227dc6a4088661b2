// SPDX-License-Identifier: MIT
#include "report/drawing/svg.h"

#include <math.h>
#include <stdlib.h>

// Tenths of a pixel are finer than what can be seen.
static void put_pixels(lwOut* out, double value)
{
  long tenths = lround(value * 10);
  lw_out_format(out, "%s%ld", tenths < 0 ? "-" : "", labs(tenths) / 10);
  if (tenths % 10 != 0) lw_out_format(out, ".%ld", labs(tenths) % 10);
}

void lw_svg_begin(lwOut* out, double width, double height, const char* title, const char* style)
{
  lw_out_format(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.0f %.0f\">\n<title>",
                width, height, width, height);
  lw_out_xml(out, false, title);
  lw_out_format(out, "</title>\n<style>\n%s</style>\n", style);
  lw_out_format(out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
}

void lw_svg_end(lwOut* out)
{
  lw_out_text(out, "</svg>\n");
}

void lw_svg_group(lwOut* out, const char* id)
{
  lw_out_format(out, "<g id=\"%s\">\n", id);
}

void lw_svg_group_end(lwOut* out)
{
  lw_out_text(out, "</g>\n");
}

void lw_svg_path(lwOut* out, const lwSpot* spots, int count, bool closed, const char* how)
{
  lw_out_format(out, "<path %s d=\"", how);
  for (int i = 0; i < count; ++i)
  {
    lw_out_text(out, i == 0 ? "M" : "L");
    put_pixels(out, spots[i][0]);
    lw_out_char(out, ' ');
    put_pixels(out, spots[i][1]);
  }
  lw_out_text(out, closed ? "Z\"/>\n" : "\"/>\n");
}

void lw_svg_line(lwOut* out, const lwSpot a, const lwSpot b, const char* how)
{
  lwSpot ends[2] = {{a[0], a[1]}, {b[0], b[1]}};
  lw_svg_path(out, ends, 2, false, how);
}

void lw_svg_circle(lwOut* out, const lwSpot centre, double radius, const char* how)
{
  lw_out_format(out, "<circle %s cx=\"", how);
  put_pixels(out, centre[0]);
  lw_out_text(out, "\" cy=\"");
  put_pixels(out, centre[1]);
  lw_out_text(out, "\" r=\"");
  put_pixels(out, radius);
  lw_out_text(out, "\"/>\n");
}

void lw_svg_text(lwOut* out, const lwSpot at, const char* how, const char* text)
{
  lw_out_format(out, "<text %s x=\"", how);
  put_pixels(out, at[0]);
  lw_out_text(out, "\" y=\"");
  put_pixels(out, at[1]);
  lw_out_text(out, "\">");
  lw_out_xml(out, false, text);
  lw_out_text(out, "</text>\n");
}
