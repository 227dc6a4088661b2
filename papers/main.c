// SPDX-License-Identifier: MIT
// linkwork-paper: every table and figure of a document, next to what it prints.
// `linkwork paper` runs this program; name, options and help are those of its row in
// the table of commands.
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/note.h"
#include "io/output.h"
#include "io/program_text.h"
#include "io/progress.h"
#include "papers.h"
#include "report/plot/plot.h"
#include "text/table_writer.h"

typedef struct Paper
{
  const char* name;
  const char* text;  // of its printed.yaml
  const size_t* length;
  void (*run)(Page* page);
} Paper;

#define PAPER(name)                                                                                \
  {                                                                                                \
#name, paper_##name##_text, &paper_##name##_length, paper_##name                               \
  }
static const Paper PAPERS[] = {PAPER(nia2005), PAPER(mata2002), PAPER(silver1981),
                               PAPER(swartz1982), PAPER(grigorov2013)};
enum
{
  PAPER_COUNT = sizeof PAPERS / sizeof *PAPERS
};

// A claim of one of the pages, for the list of verdicts.
typedef struct ClaimLine
{
  const Page* page;
  const Section* section;
  const Claim* claim;
} ClaimLine;

static const char COLUMNS[] = "paper,section,claim,verdict,erratum,says,why";

static void fill_row(const void* context, int i, lwCell* cells)
{
  const ClaimLine* line = (const ClaimLine*)context + i;
  const Claim* claim    = line->claim;
  cells[0]              = lw_cell_text(line->page->printed.paper);
  cells[1]              = lw_cell_text(line->section->id);
  cells[2]              = lw_cell_text(claim->id);
  cells[3]              = lw_cell_text(VERDICTS[claim->verdict]);
  cells[4]              = lw_cell_text(claim_errata(claim));
  cells[5]              = lw_cell_text(claim->says);
  cells[6]              = lw_cell_text(claim_reason(claim));
}

// --- folders

// Makes the folder and its parents; DONE or an exit code.
static int make_folder(const char* path)
{
  char part[PATH_MAX];
  size_t length = strlen(path);
  if (length >= sizeof part) return fail(INPUT, "cannot make %s: %s", path, strerror(ENAMETOOLONG));
  for (size_t i = 1; i <= length; ++i)
  {
    if (path[i] != '/' && path[i]) continue;
    memcpy(part, path, i);
    part[i] = 0;
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
      return fail(INPUT, "cannot make %s: %s", part, strerror(errno));
  }
  struct stat made;
  if (stat(path, &made) == 0 && S_ISDIR(made.st_mode)) return DONE;
  return fail(INPUT, "cannot make %s: %s", path, strerror(ENOTDIR));
}

// DONE if the name can be a folder, or is missing.
static int check_folder(const char* out)
{
  if (!out || (*out && strcmp(out, "-") != 0)) return DONE;
  return fail(USAGE, "--out: '%s' is no folder; without --out only the verdicts are printed", out);
}

// --- papers

static int run_paper(const Paper* paper, const Options* options, Page* page)
{
  char folder[PATH_MAX];
  const char* out = options->value[OPTION_OUT];
  *page           = (Page){.quick = options->value[OPTION_QUICK] != NULL};
  if (out)
  {
    int length = snprintf(folder, sizeof folder, "%s/%s", out, paper->name);
    if (length >= (int)sizeof folder) return fail(INPUT, "%s: %s", out, strerror(ENAMETOOLONG));
    int status = make_folder(folder);
    if (status != DONE) return status;
  }
  page->folder = out ? folder : NULL;
  int status   = page_open(page, paper->name, paper->text, *paper->length);
  if (status != DONE) return status;
  paper->run(page);
  page_judge(page);
  status       = page_write(page);
  page->folder = NULL;  // ends here
  return status;
}

static int count_claims(const Page* pages, int count)
{
  int claims = 0;
  for (int p = 0; p < count; ++p)
    for (int i = 0; i < pages[p].printed.section_count; ++i)
      claims += pages[p].printed.sections[i].count;
  return claims;
}

static void list_claims(const Page* pages, int count, ClaimLine* lines)
{
  for (int p = 0; p < count; ++p)
    for (int i = 0; i < pages[p].printed.section_count; ++i)
    {
      const Section* section = &pages[p].printed.sections[i];
      for (int k = 0; k < section->count; ++k)
        *lines++ = (ClaimLine){&pages[p], section, &section->claims[k]};
    }
}

static int write_lines(lwFormat format, const Page* pages, int count)
{
  int claims       = count_claims(pages, count);
  ClaimLine* lines = calloc((size_t)claims + 1, sizeof *lines);
  if (!lines) return no_memory();
  lwSheet sheet = {.columns = COLUMNS, .rows = claims, .row = fill_row, .context = lines};
  lwOut out;
  int status = out_open(&out, NULL);
  if (status == DONE)
  {
    list_claims(pages, count, lines);
    lw_sheet_write(&out, format, &sheet);
    status = out_close(&out, DONE, false);
  }
  free(lines);
  return status;
}

// Puts the papers with this name into `chosen`; 0, after an error message, if there is none.
static int choose_papers(const char* name, const Paper* chosen[PAPER_COUNT])
{
  Nearest nearest = nearest_to(name, strlen(name));
  int count       = 0;
  for (int i = 0; i < PAPER_COUNT; ++i)
  {
    nearest_offer(&nearest, PAPERS[i].name);
    if (!strcmp(name, "all") || !strcmp(name, PAPERS[i].name)) chosen[count++] = &PAPERS[i];
  }
  if (count > 0) return count;
  if (nearest_found(&nearest))
    fail(USAGE, "there is no paper '%s'; did you mean '%s'?", name, nearest.best);
  else
    fail(USAGE,
         "there is no paper '%s', expected nia2005, mata2002, silver1981, swartz1982, "
         "grigorov2013 or all",
         name);
  return 0;
}

static int run_papers(const Options* options)
{
  const Paper* chosen[PAPER_COUNT];
  Page pages[PAPER_COUNT];
  int ran = 0, count = choose_papers(options->operand, chosen);
  Options list           = *options;  // of verdicts, which are printed
  list.value[OPTION_OUT] = NULL;
  if (count == 0) return USAGE;
  lwFormat format = format_of(&list);
  int status      = check_folder(options->value[OPTION_OUT]);
  if (status != DONE) return status;
  while (ran < count && status == DONE)
  {
    status = run_paper(chosen[ran], options, &pages[ran]);
    ++ran;
  }
  if (status == DONE && options->value[OPTION_OUT] && !lw_plot_has_gnuplot())
    say("linkwork: warning: no figures: gnuplot is not installed (Debian: gnuplot-nox)\n");
  if (status == DONE) status = write_lines(format, pages, count);
  for (int i = 0; i < ran; ++i) page_close(&pages[i]);
  return status;
}

int main(int count, char** arguments)
{
  progress_restart();
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is seen as EPIPE
  lw_atomic_file_watch_signals(false);
  commands_open();
  int status = command_line_run(command_find("paper"), count - 1, arguments + 1, run_papers);
  progress_clear();
  return status;
}
