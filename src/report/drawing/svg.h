// SPDX-License-Identifier: MIT
// A picture as SVG: few elements, one decimal, classes instead of repeated attributes.
#ifndef LW_REPORT_DRAWING_SVG_H
#define LW_REPORT_DRAWING_SVG_H

#include "text/out.h"
#include <stdbool.h>

// Positions are in pixels from the upper left corner.
typedef double lwSpot[2];

void lw_svg_begin(lwOut* out, double width, double height, const char* title, const char* style);
void lw_svg_end(lwOut* out);
void lw_svg_group(lwOut* out, const char* id);
void lw_svg_group_end(lwOut* out);

// `how`: attributes, as in class="axis".
void lw_svg_path(lwOut* out, const lwSpot* spots, int count, bool closed, const char* how);
void lw_svg_line(lwOut* out, const lwSpot a, const lwSpot b, const char* how);
void lw_svg_circle(lwOut* out, const lwSpot centre, double radius, const char* how);

// The text is data: what has a meaning in XML is escaped, control characters become spaces.
void lw_svg_text(lwOut* out, const lwSpot at, const char* how, const char* text);

#endif
