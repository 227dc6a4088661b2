// SPDX-License-Identifier: MIT
// A document regenerated: printed and measured numbers side by side,
// with a verdict for every claim.
//
//   printed.yaml --> Page
//     --page_measure, page_note, page_figure--> README.md, verdicts.csv, NAME.csv, NAME.svg
//
// A Page remembers the first failure in its status; after that, calls have no effect.
#ifndef PAPERS_PAPER_PAGE_H
#define PAPERS_PAPER_PAGE_H

#include "app.h"
#include "printed.h"
#include "report/drawing/drawing.h"

enum
{
  PAGE_NAME = 64  // room for the name of a file
};

// A table of numbers, which becomes NAME.csv.
typedef struct PageSeries
{
  char name[PAGE_NAME];
  int columns;
  const char** column;  // (columns) names
  size_t rows, capacity;
  double* values;  // (rows x columns)
  struct Page* page;
  struct PageSeries* next;
} PageSeries;

// A curve of a figure: one column of a series over another.
typedef struct Curve
{
  const PageSeries* series;
  int x, y;  // columns
  // NULL: the name of column y; "": none, such curves have the colours of the first ones
  const char* title;
  bool points;  // drawn as points instead of a line
} Curve;

enum
{
  PANEL_CURVES  = 12,
  FIGURE_PANELS = 6
};

typedef struct Panel
{
  const char* title;    // or NULL
  const char* x_label;  // with its unit: "t (s)"
  const char* y_label;
  bool log_x, log_y;
  bool magnitude;  // |y| is drawn, for values of both signs on a logarithmic scale
  bool equal;      // a metre is as long upwards as sideways
  int scale;       // panels of a figure with the same number, not 0, have the same range of y
  int count;
  Curve curve[PANEL_CURVES];
} Panel;

// A figure: panels one below the other; becomes NAME.svg.
typedef struct Figure
{
  const char* name;     // of the file, without .svg
  const char* caption;  // one sentence
  int count;
  Panel panel[FIGURE_PANELS];
} Figure;

// A paragraph or figure that the run adds to a section.
typedef struct Remark
{
  char* text;      // Markdown, ended by a line feed
  Figure* figure;  // or NULL
  struct Remark* next;
} Remark;

// What the run measured about an erratum, in words: "costs 2 times the gravity torques".
typedef struct ErratumFact
{
  const char* erratum;  // its id
  const char* text;
  struct ErratumFact* next;
} ErratumFact;

typedef struct Page
{
  Printed printed;
  bool quick;          // shorter, with the same verdicts
  const char* folder;  // where files go, NULL: nowhere
  bool drawn;          // figures are: there is gnuplot
  int status;          // DONE, or the exit code of the first failure
  PageSeries* series;
  PageSeries** last;  // where the next one goes
  ErratumFact* facts;
  ErratumFact** last_fact;
} Page;

// --- for the documents (paper_NAME.c)

// A number, or all numbers, that the document gives under this id in `data`.
double page_number(Page* page, const char* id);
Values page_data(Page* page, const char* id);

// The printed numbers of a claim, by "section/claim".
Values page_printed(Page* page, const char* claim);

// The printed counts of the registry at n, for claims that name their method by `registry`: mul in
// values[0], add in [1].
void page_registry(Page* page, const char* claim, double n, double values[2]);
void page_print(Page* page, const char* claim, int count, const double* values);

// What the claim must be instead, where the run itself knows it.
void page_correct(Page* page, const char* claim, int count, const double* values);

// What was measured for a claim: as many numbers as the section has columns. NAN: this one was not.
void page_measure(Page* page, const char* claim, int count, const double* values);
void page_measure_one(Page* page, const char* claim, double value);

// What must hold of linkwork itself, whatever the document says:
// the run fails where the value is above `most`.
void page_require(Page* page, const char* what, double value, double most);

// What was measured about an erratum that printed.yaml lists: numbers that do not depend on the
// machine or on --quick. docs/errata.md must have these words in the row of the erratum.
void page_fact(Page* page, const char* erratum, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// A paragraph in Markdown after the table of a section; its numbers come from the run.
void page_note(Page* page, const char* section, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// A new table of numbers, NULL after a failure.
// Names of columns are those of the CSV file: t, theta1, ns_kane.
PageSeries* page_series(Page* page, const char* name, int columns, const char* const* column);
void series_add(PageSeries* series,
                const double* values);  // (columns); a series NULL is left alone
double series_value(const PageSeries* series, size_t row, int column);

// A figure of a section; does nothing without gnuplot.
void page_figure(Page* page, const char* section, const Figure* figure);

// A drawing as NAME.svg in a section, with a caption as a figure has; it needs no gnuplot.
void page_drawing(Page* page, const char* section, const char* name, const char* caption,
                  const lwDrawing* drawing);

// Shows on a terminal what is being computed, from the first second on.
void page_progress(const Page* page, const char* what);

// Records a failure, prints it and returns its exit code.
int page_fail(Page* page, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));

// page_fail() for a status of the library. DONE for LW_OK, else the exit code.
int page_check(Page* page, lwStatus status);

// --- for the command

int page_open(Page* page, const char* name, const char* text, size_t length);
void page_close(Page* page);
void page_judge(Page* page);  // every claim gets its verdict
int page_write(Page* page);   // all files; DONE or an exit code
extern const char* const VERDICTS[VERDICT_COUNT];

// What stands beside the verdict: ids of errata,
// and why it does not hold or cannot be tested. NULL: nothing.
const char* claim_errata(const Claim* claim);
const char* claim_reason(const Claim* claim);

// Whose fault a correction is: "copy" where every erratum of the claim is, or may be, damage of our
// copy, "document" where one of them is not. NULL: the claim was not corrected.
const char* claim_fault(const Printed* printed, const Claim* claim);

// Internal: draws the figure as page->folder/NAME.svg, and shows it in the page.
int figure_draw(const Page* page, const Figure* figure);
void note_figure(Page* page, const char* section, const char* name, const char* caption);
int page_path(const Page* page, const char* file, const char* end, char* path, size_t size);

#endif
