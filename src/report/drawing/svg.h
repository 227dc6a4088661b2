// SPDX-License-Identifier: MIT
// A picture as SVG: few elements, one decimal, classes instead of repeated attributes.
#ifndef LW_REPORT_DRAWING_SVG_H
#define LW_REPORT_DRAWING_SVG_H

#include <stdbool.h>
#include <stdio.h>

// Positions are in pixels from the upper left corner.
typedef double lwSpot[2];

void lw_svg_begin(FILE* out, double width, double height, const char* title, const char* style);
void lw_svg_end(FILE* out);
void lw_svg_group(FILE* out, const char* id);
void lw_svg_group_end(FILE* out);

// `how`: attributes, as in class="axis".
void lw_svg_path(FILE* out, const lwSpot* spots, int count, bool closed, const char* how);
void lw_svg_line(FILE* out, const lwSpot a, const lwSpot b, const char* how);
void lw_svg_circle(FILE* out, const lwSpot centre, double radius, const char* how);

// Text for XML and HTML: special characters are escaped, control characters become spaces.
void lw_svg_escaped(FILE* out, const char* text);

// The text is data: what has a meaning in XML is escaped, control characters become spaces.
void lw_svg_text(FILE* out, const lwSpot at, const char* how, const char* text);

#endif
