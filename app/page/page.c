// SPDX-License-Identifier: MIT
#include "page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/output.h"
#include "io/program_text.h"

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

static int no_template(void)
{
  return fail(INPUT,
              "this program was built without the page; 'web/build' makes it (it needs Node, npm, "
              "clang, lld and wasi-libc), then build the program again");
}

// The page as one text, which the caller frees.
static int make_html(const Options* options, char** html, size_t* length)
{
  PageInputs page;
  lwPageData data = {0};
  *html           = NULL;
  int status      = page_read(&page, options);
  if (status == DONE && page_template_length() == 0) status = no_template();
  if (status == DONE) status = page_simulate(&page);
  if (status == DONE) status = page_describe(&page, &data);
  if (status == DONE)
  {
    *html = lw_page_make(&data, page_template, page_template_length(), length);
    if (!*html) status = no_memory();
  }
  lw_page_free(&data);
  page_free(&page);
  return status;
}

static int write_page_file(const char* path, const char* bytes, size_t length)
{
  lwOut out;
  int status = out_open(&out, path);
  if (status != DONE) return status;
  lw_out_bytes(&out, bytes, length);
  return out_close(&out, DONE, false);
}

// A file of its own in the folder for temporary files; the caller frees its path.
static int write_temporary(const char* html, size_t length, char** path)
{
  const char* folder = getenv("TMPDIR");
  *path              = text_joined(folder && *folder ? folder : "/tmp", "/linkwork-XXXXXX.html");
  if (!*path) return no_memory();
  int file      = mkstemps(*path, 5);
  FILE* out     = file >= 0 ? fdopen(file, "w") : NULL;
  bool written  = out && html && fwrite(html, 1, length, out) == length;
  bool complete = out && fclose(out) == 0 && written;
  return complete ? DONE : fail(INPUT, "cannot write %s: %s", *path, strerror(errno));
}

static int draw_still(const char* html, size_t length, const char* png)
{
  char* path = NULL;
  int status = write_temporary(html, length, &path);
  if (status == DONE) status = still_render(path, png);
  if (path) unlink(path);
  free(path);
  return status;
}

int cmd_page(const Options* options)
{
  char* html      = NULL;
  size_t length   = 0;
  const char *out = options->value[OPTION_OUT], *png = options->value[OPTION_PNG];
  if (!out && !png) return fail(USAGE, "'page' needs --out FILE.html, or --png FILE.png");
  int status = make_html(options, &html, &length);
  if (status == DONE && out) status = write_page_file(out, html, length);
  if (status == DONE && png) status = draw_still(html, length, png);
  free(html);
  return status;
}

int cmd_view(const Options* options)
{
  char *html = NULL, *path = NULL;
  size_t length = 0;
  int status    = make_html(options, &html, &length);
  if (status == DONE) status = write_temporary(html, length, &path);
  if (status == DONE && !browser_open(path))
    fprintf(stderr, "linkwork: no browser could be started; open this file in one:\n");
  if (status == DONE) printf("%s\n", path);
  free(path);
  free(html);
  return status;
}
