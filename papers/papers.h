// SPDX-License-Identifier: MIT
// The documents, and the files that are built into the program for them.
#ifndef PAPERS_PAPERS_H
#define PAPERS_PAPERS_H

#include "paper_page.h"

// Each measures all claims of its document.
void paper_nia2005(Page* page);
void paper_mata2002(Page* page);
void paper_silver1981(Page* page);
void paper_swartz1982(Page* page);
void paper_grigorov2013(Page* page);

// X(name): NAME_text and NAME_length are made of a file by app/CMakeLists.txt
#define PAPER_FILES(X)                                                                             \
  X(paper_nia2005)                                                                                 \
  X(paper_mata2002)                                                                                \
  X(paper_silver1981)                                                                              \
  X(paper_swartz1982)                                                                              \
  X(paper_grigorov2013)                                                                            \
  X(paper_nia2005_equations)                                                                       \
  X(paper_mata2002_equations)                                                                      \
  X(paper_silver1981_equations)                                                                    \
  X(paper_swartz1982_equations)                                                                    \
  X(paper_grigorov2013_equations)                                                                  \
  X(paper_two_links)                                                                               \
  X(paper_ddarm_voltage)                                                                           \
  X(paper_puma560)                                                                                 \
  X(paper_ddarm)                                                                                   \
  X(paper_ddarm_parts)                                                                             \
  X(paper_four_bar)                                                                                \
  X(paper_hydraulic5)                                                                              \
  X(paper_hydraulic_valve)                                                                         \
  X(paper_hydraulic_study)

#define PAPER_FILE_DECLARED(name)                                                                  \
  extern const char name##_text[];                                                                 \
  extern const size_t name##_length;
PAPER_FILES(PAPER_FILE_DECLARED)
#undef PAPER_FILE_DECLARED

#endif
