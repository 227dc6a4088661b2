// SPDX-License-Identifier: MIT
#include "report/drawing/svg.h"

#include <math.h>
#include <stdlib.h>

// Tenths of a pixel are finer than what can be seen.
static void put_pixels(FILE* out, double value)
{
  long tenths = lround(value * 10);
  fprintf(out, "%s%ld", tenths < 0 ? "-" : "", labs(tenths) / 10);
  if (tenths % 10 != 0) fprintf(out, ".%ld", labs(tenths) % 10);
}

void lw_svg_escaped(FILE* out, const char* text)
{
  for (; *text; ++text)
  {
    unsigned char c = (unsigned char)*text;
    if (c == '&')
      fputs("&amp;", out);
    else if (c == '<')
      fputs("&lt;", out);
    else if (c == '>')
      fputs("&gt;", out);
    else if (c == '"')
      fputs("&quot;", out);
    else
      fputc(c < 0x20 || c == 0x7f ? ' ' : c, out);
  }
}

void lw_svg_begin(FILE* out, double width, double height, const char* title, const char* style)
{
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
          "viewBox=\"0 0 %.0f %.0f\">\n<title>",
          width, height, width, height);
  lw_svg_escaped(out, title);
  fprintf(out, "</title>\n<style>\n%s</style>\n", style);
  fprintf(out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
}

void lw_svg_end(FILE* out)
{
  fputs("</svg>\n", out);
}

void lw_svg_group(FILE* out, const char* id)
{
  fprintf(out, "<g id=\"%s\">\n", id);
}

void lw_svg_group_end(FILE* out)
{
  fputs("</g>\n", out);
}

void lw_svg_path(FILE* out, const lwSpot* spots, int count, bool closed, const char* how)
{
  fprintf(out, "<path %s d=\"", how);
  for (int i = 0; i < count; ++i)
  {
    fputs(i == 0 ? "M" : "L", out);
    put_pixels(out, spots[i][0]);
    fputc(' ', out);
    put_pixels(out, spots[i][1]);
  }
  fputs(closed ? "Z\"/>\n" : "\"/>\n", out);
}

void lw_svg_line(FILE* out, const lwSpot a, const lwSpot b, const char* how)
{
  lwSpot ends[2] = {{a[0], a[1]}, {b[0], b[1]}};
  lw_svg_path(out, ends, 2, false, how);
}

void lw_svg_circle(FILE* out, const lwSpot centre, double radius, const char* how)
{
  fprintf(out, "<circle %s cx=\"", how);
  put_pixels(out, centre[0]);
  fputs("\" cy=\"", out);
  put_pixels(out, centre[1]);
  fputs("\" r=\"", out);
  put_pixels(out, radius);
  fputs("\"/>\n", out);
}

void lw_svg_text(FILE* out, const lwSpot at, const char* how, const char* text)
{
  fprintf(out, "<text %s x=\"", how);
  put_pixels(out, at[0]);
  fputs("\" y=\"", out);
  put_pixels(out, at[1]);
  fputs("\">", out);
  lw_svg_escaped(out, text);
  fputs("</text>\n", out);
}
