// SPDX-License-Identifier: MIT
// A picture of the results of a study: bands over time,
// and of each measure its histogram, tornado and convergence.
#ifndef LW_REPORT_PLOT_STUDY_PLOT_H
#define LW_REPORT_PLOT_STUDY_PLOT_H

#include "report/plot/plot.h"
#include "report/study/study_data.h"

// Draws it into FILE.svg, .png or .pdf. False, with one sentence in message,
// if that is not possible.
bool lw_study_plot(const lwStudyData* data, const char* path, char message[LW_PLOT_MESSAGE]);

#endif
