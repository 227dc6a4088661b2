// SPDX-License-Identifier: MIT
// The results of a study as one HTML file with tables and
// pictures; needs neither network nor scripts.
#ifndef LW_REPORT_STUDY_STUDY_PAGE_H
#define LW_REPORT_STUDY_STUDY_PAGE_H

#include "report/study/study_tables.h"

// The whole page, to be freed; NULL: out of memory.
char* lw_study_page(const lwStudyReport* report, size_t* length);

#endif
