// SPDX-License-Identifier: MIT
// linkwork page, linkwork view: a robot and its runs as one HTML file.
//
//   robot, scenario, snake, recordings --inputs.c, run.c--> tables --describe.c--> lwPageDef
//     --lw_page_write()--> HTML --still.c--> PNG
#ifndef APP_PAGE_PAGE_COMMAND_H
#define APP_PAGE_PAGE_COMMAND_H

#include "app.h"
#include "linkwork/page.h"
#include "linkwork/scenario.h"
#include "text/out.h"

enum
{
  MAX_RUNS = 16
};

// A run: columns of numbers over the column t, and what happened.
typedef struct RunTable
{
  const char* name;  // the file, or that of the scenario
  char** names;      // (width) of the columns
  size_t width;
  size_t rows, capacity;
  double* values;     // (rows, width)
  const char* notes;  // JSON, a list; NULL: none
} RunTable;

// Everything of one page. The robot is one of model, snake; all belongs to it.
typedef struct PageInputs
{
  const Options* options;
  const char* file;           // of the robot, snake or scenario
  const char* scenario_file;  // or NULL
  lwModel* model;
  lwSnake* snake;
  lwScenario* scenario;
  int run_count;
  RunTable runs[MAX_RUNS];
} PageInputs;

// Reads the files of the command line, then simulates the scenario. All end the command if
// something is wrong.
void page_read(PageInputs* page, const Options* options);
void page_simulate(PageInputs* page);

// --- run.c

RunTable run_read(const char* path);  // a CSV file
// Ends the command unless the columns are those of the page's robot or snake.
void run_fits(const RunTable* run, const PageInputs* page);
void run_simulate(RunTable* run, const PageInputs* page);

// --- describe.c

// The HTML, which the scope holds.
const lwText* page_describe(const PageInputs* page);

// --- still.c

// A picture of the HTML file, by Chromium.
void still_render(const char* html, const char* png);

// The program Chromium, whatever it is called here; NULL: it is not installed.
const char* find_chromium(void);

// Opens the file or address in the browser: one of $BROWSER, or the system's. False: none could be
// started.
bool browser_open(const char* html);

// --- live_page.c

// Serves the page to the browser until Ctrl-C, made anew when its files change. Needs
// libmicrohttpd.
int live_page_serve(const Options* options, const lwText* (*make)(const Options* options));

#endif
