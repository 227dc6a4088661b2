// SPDX-License-Identifier: MIT
// linkwork doctor: what this program was built with and what the machine has, and which commands
// miss what is not there.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "linkwork/linear.h"
#include "linkwork/quad.h"
#include "linkwork/study.h"
#include "page/page_command.h"
#include "report/installed.h"

enum
{
#ifdef LINKWORK_LIVE
  SERVES_PAGE = true,
#else
  SERVES_PAGE = false,
#endif
#ifdef LINKWORK_LIBEDIT
  EDITS_LINES = true
#else
  EDITS_LINES = false
#endif
};

typedef struct Remedy
{
  const char* what;
  bool there;
  const char* without;  // what is missing without it
  const char* remedy;   // how to get it
} Remedy;

static bool has_browser(void)
{
  return getenv("BROWSER") || lw_program_installed("xdg-open");
}

static bool has_companion(const char* name)
{
  char path[PATH_MAX];
  char* slash = own_program(path) ? strrchr(path, '/') : NULL;
  if (slash && slash + 2 + strlen(name) <= path + sizeof path)
  {
    strcpy(slash + 1, name);
    if (access(path, X_OK) == 0) return true;
  }
  return lw_program_installed(name);
}

static void wanted_row(const void* context, int i, lwCell* cells)
{
  const Remedy* wanted = (const Remedy*)context + i;
  cells[0]             = lw_cell_text(wanted->what);
  cells[1]             = lw_cell_flag(wanted->there);
  if (wanted->there) return;
  cells[2] = lw_cell_text(wanted->without);
  cells[3] = lw_cell_text(wanted->remedy);
}

int cmd_doctor(const Options* options)
{
  const Remedy wanted[] = {
      {"LAPACK", lw_lapack_available(), "linearise, identify, excite", "build with liblapack-dev"},
      {"SQLite", lw_results_possible(), "results of study", "build with libsqlite3-dev"},
      {"113-bit numbers", lw_quad_available(), "accuracy, --precision quad",
       "a compiler with __float128"},
      {"page", lw_page_available(), "page, view", "run web/build, then build again"},
      {"live page", SERVES_PAGE, "view that follows its files", "build with libmicrohttpd-dev"},
      {"line editing", EDITS_LINES, "history and completion in shell", "build with libedit-dev"},
      {"linkwork-paper", has_companion("linkwork-paper"), "paper", "install it beside linkwork"},
      {"gnuplot", lw_program_installed("gnuplot"), "plot, --plot", "install gnuplot"},
      {"Chromium", find_chromium() != NULL, "page --png", "install chromium"},
      {"browser", has_browser(), "view", "set BROWSER, or install xdg-utils"},
      {"C compiler", lw_program_installed("cc"), "compiling what generate writes", "install gcc"},
  };
  lwSheet sheet = {.columns = "what,there,without,remedy",
                   .rows    = sizeof wanted / sizeof *wanted,
                   .row     = wanted_row,
                   .context = wanted};
  lwOut* out    = output(options->value[OPTION_OUT]);
  lw_sheet_write(out, format_of(options), &sheet);
  need(output_end(out, DONE));
  return DONE;
}
