// SPDX-License-Identifier: MIT
#include "page_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The page as one text.
static const lwText* make_html(const Options* options)
{
  PageInputs* page = allocate(1, sizeof *page);
  page_read(page, options);
  if (!lw_page_available())
    stop(INPUT,
         "this program was built without the page; 'web/build' makes it (it needs Node, npm, "
         "clang, lld and wasi-libc), then build the program again");
  page_simulate(page);
  return page_describe(page);
}

static void remove_temporary(void* path)
{
  unlink(path);
}

// A file of its own in the folder for temporary files; its path.
static const char* write_temporary(const lwText* html)
{
  const char* folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  size_t length = lw_text_length(html);
  char* path    = allocate(strlen(folder) + sizeof "/linkwork-XXXXXX.html", 1);
  sprintf(path, "%s/linkwork-XXXXXX.html", folder);
  int file      = mkstemps(path, 5);
  FILE* out     = file >= 0 ? fdopen(file, "w") : NULL;
  bool written  = out && fwrite(lw_text_bytes(html), 1, length, out) == length;
  bool complete = out && fclose(out) == 0 && written;
  if (!complete) stop(INPUT, "cannot write %s: %s", path, strerror(errno));
  return path;
}

int cmd_page(const Options* options)
{
  const char *out = options->value[OPTION_OUT], *png = options->value[OPTION_PNG];
  if (!out && !png) stop(USAGE, "'page' needs --out FILE.html, or --png FILE.png");
  const lwText* html = make_html(options);
  if (out) output_bytes(out, lw_text_bytes(html), lw_text_length(html));
  if (png) still_render(hold((void*)write_temporary(html), remove_temporary), png);
  return DONE;
}

int cmd_view(const Options* options)
{
#ifdef LINKWORK_LIVE
  bool again = true;  // the files can be read again
  for (int i = 0; i < options->operand_count; ++i)
    again = again && strcmp(options->operands[i], "-") != 0;
  if (again) return live_page_serve(options, make_html);
#endif
  const char* path = write_temporary(make_html(options));
  if (!browser_open(path))
    fprintf(stderr, "linkwork: no browser could be started; open this file in one:\n");
  printf("%s\n", path);
  return DONE;
}
