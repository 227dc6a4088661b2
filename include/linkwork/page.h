// SPDX-License-Identifier: MIT
/// @file page.h  A robot or a snake with its runs as one HTML file, which any browser shows. Not
/// part of the core library.
#ifndef LINKWORK_PAGE_H
#define LINKWORK_PAGE_H

#include <stdbool.h>

#include "linkwork/model.h"
#include "linkwork/snake.h"
#include "linkwork/write.h"

/// A recording that the page plays: columns of numbers.
typedef struct lwPageRun
{
  /// Shown for it.
  const char* name;
  /// Of the columns, (width): "t", and those of `simulate`, as "q.elbow".
  const char* const* names;
  /// Columns.
  size_t width;
  /// Instants.
  size_t rows;
  /// (rows, width)
  const double* values;
  /// Events: a JSON list of {"t": .., "what": .., "who": ..}; NULL: none.
  const char* notes;
} lwPageRun;

/// Everything of a page. Its robot is one of model, snake. Start from lw_page_def().
typedef struct lwPageDef
{
  /// Set by lw_page_def().
  unsigned cookie;
  /// NULL: the name of the robot.
  const char* title;
  /// Shown as the file of the robot; or NULL. Meshes are searched for beside it.
  const char* file;
  /// (command_count) Shown as the command that makes the page, word for word; or NULL.
  const char* const* command;
  /// Words of the command.
  int command_count;
  /// The robot that is shown; or NULL.
  const lwModel* model;
  /// The snake that is shown; or NULL.
  const lwSnake* snake;
  /// Where meshes are searched for, too: see lwReadOptions.
  const char* packages;
  /// Path of a scenario of this model, which the page can run itself; or NULL.
  const char* scenario;
  /// (run_count) What is played.
  const lwPageRun* runs;
  /// Recordings.
  int run_count;
} lwPageDef;

/// A page of nothing.
LW_API lwPageDef lw_page_def(void);

/// Whether this library was built with the page (web/build makes it); else lw_page_write() refuses.
LW_API bool lw_page_available(void);

/// Makes the HTML text. Of large runs, fewer bits of the numbers are kept: 28 at least. Warnings in
/// diag (or NULL) name meshes that cannot be shown. LW_ERROR_INPUT, and why in diag, if the robot or
/// the scenario cannot be shown by a page; LW_ERROR_FILE if a file of the scenario cannot be read;
/// LW_ERROR_METHOD if the library has no page. *html is NULL unless the status is LW_OK.
LW_API lwStatus lw_page_write(const lwPageDef* page, lwDiag* diag, lwText** html);

#endif
