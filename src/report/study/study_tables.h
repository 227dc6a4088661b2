// SPDX-License-Identifier: MIT
// Tables of the results of a study: summary, worst, impossible, convergence,
// tornado, indices, histogram, bands.
#ifndef LW_REPORT_STUDY_STUDY_TABLES_H
#define LW_REPORT_STUDY_STUDY_TABLES_H

#include "report/study/study_data.h"
#include "text/out.h"

typedef struct lwStudyReport
{
  lwStudyData data;
  const char* database;
  double level;               // part of the cases in which a criterion should hold
  lwStudySummary* summaries;  // (measures)
  char** commands;            // (measures, 2) that show the highest and the lowest
  char* open;                 // the command that shows a sample in 3D, without --sample
  lwStudyIndex* indices;      // (measures, parameters, 2)
  bool indexed;
} lwStudyReport;

// Fills in what follows from the data; false: out of memory.
// lw_study_report_free() in any case; the data stay.
bool lw_study_report_compute(lwStudyReport* report);
void lw_study_report_free(lwStudyReport* report);

// All tables with content, for people.
void lw_study_tables_write(const lwStudyReport* report, lwOut* out);

// The headline: how many samples there are, have results, and meet all criteria.
void lw_study_headline(const lwStudyReport* report, lwOut* file);

// All tables with content, as HTML.
void lw_study_tables_html(const lwStudyReport* report, lwOut* file);

// Why a table of these results would be empty; NULL: it is not, or an empty table says enough.
const char* lw_study_table_missing(const lwStudyReport* report, const char* name);

// The table of this name, if lw_study_has_table().
bool lw_study_has_table(const char* name);
void lw_study_table_write(const lwStudyReport* report, lwOut* out, lwFormat format,
                          const char* name);

// The results as one HTML file with tables, pictures and samples to choose from, which needs no
// network; to be freed. NULL: out of memory.
char* lw_study_page(const lwStudyReport* report, size_t* length);

#endif
