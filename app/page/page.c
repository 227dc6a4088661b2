// SPDX-License-Identifier: MIT
#include "page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef LINKWORK_PAGE
// web/dist/page.html, put into the program by template.c
extern const char page_template[];
size_t page_template_length(void);
#else
static const char page_template[] = "";
static size_t page_template_length(void)
{
  return 0;
}
#endif

// The page as one text.
static const char* make_html(const Options* options, size_t* length)
{
  PageInputs* page = allocate(1, sizeof *page);
  page_read(page, options);
  if (page_template_length() == 0)
    stop(INPUT,
         "this program was built without the page; 'web/build' makes it (it needs Node, npm, "
         "clang, lld and wasi-libc), then build the program again");
  page_simulate(page);
  lwPageData* data = page_describe(page);
  char* html       = lw_page_make(data, page_template, page_template_length(), length);
  if (!html) leave(no_memory());
  return hold(html, free);
}

static void remove_temporary(void* path)
{
  unlink(path);
}

// A file of its own in the folder for temporary files; its path.
static const char* write_temporary(const char* html, size_t length)
{
  const char* folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  char* path = allocate(strlen(folder) + sizeof "/linkwork-XXXXXX.html", 1);
  sprintf(path, "%s/linkwork-XXXXXX.html", folder);
  int file      = mkstemps(path, 5);
  FILE* out     = file >= 0 ? fdopen(file, "w") : NULL;
  bool written  = out && fwrite(html, 1, length, out) == length;
  bool complete = out && fclose(out) == 0 && written;
  if (!complete) stop(INPUT, "cannot write %s: %s", path, strerror(errno));
  return path;
}

int cmd_page(const Options* options)
{
  size_t length   = 0;
  const char *out = options->value[OPTION_OUT], *png = options->value[OPTION_PNG];
  if (!out && !png) stop(USAGE, "'page' needs --out FILE.html, or --png FILE.png");
  const char* html = make_html(options, &length);
  if (out) output_bytes(out, html, length);
  if (png) still_render(hold((void*)write_temporary(html, length), remove_temporary), png);
  return DONE;
}

int cmd_view(const Options* options)
{
  size_t length    = 0;
  const char* html = make_html(options, &length);
  const char* path = write_temporary(html, length);
  if (!browser_open(path))
    fprintf(stderr, "linkwork: no browser could be started; open this file in one:\n");
  printf("%s\n", path);
  return DONE;
}
