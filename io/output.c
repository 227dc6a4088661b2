// SPDX-License-Identifier: MIT
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit.h"
#include "files.h"
#include "note.h"
#include "progress.h"

// What stands for standard output, NULL: itself.
static lwOut* diverted;

static int cannot_write(const char* name, int error)
{
  if (error == ENOMEM) return no_memory();
  return fail(INPUT, "cannot write %s: %s", name, strerror(error));
}

int out_open(lwOut* out, const char* path)
{
  *out = (lwOut){.file         = STDOUT_FILENO,
                 .name         = "standard output",
                 .onto         = diverted,
                 .before_write = progress_yield};
  if (!path || !strcmp(path, "-")) return DONE;
  out->name   = path;
  out->onto   = NULL;
  int checked = output_check(path);
  if (checked != DONE) return checked;
  struct stat old;
  if (stat(path, &old) == 0 && !S_ISREG(old.st_mode))
  {
    out->file = open(path, O_WRONLY);
    return out->file >= 0 ? DONE : cannot_write(path, errno);
  }
  int error  = lw_atomic_file_open(&out->whole, path);
  out->aside = error == 0;
  out->file  = out->whole.file;
  return error ? cannot_write(path, error) : DONE;
}

void out_divert(lwOut* to)
{
  diverted = to;
}

// Gives a file that was written under a temporary name its name and an ending, or removes it.
static void settle(lwOut* out, bool keep, const char* ending)
{
  if (!keep || out->error)
    lw_atomic_file_drop(&out->whole);
  else
    out->error = lw_atomic_file_keep(&out->whole, ending);
}

static int out_end(lwOut* out, int status, bool keep, const char* ending)
{
  progress_clear();  // before a reader of the pipe sees its end and prints
  lw_out_flush(out);
  if (out->aside)
    settle(out, keep, ending);
  else if (!out->onto && close(out->file) != 0 && !out->error)
    out->error = errno;
  if (out->error == EPIPE || !out->error) return status;
  return status == DONE || status == NO ? cannot_write(out->name, out->error) : status;
}

int out_close(lwOut* out, int status, bool keep)
{
  return out_end(out, status, keep || status == DONE, "");
}

int out_close_partial(lwOut* out, int status)
{
  return out_end(out, status, true, PARTIAL);
}

void print_to_out(void* out, const char* text)
{
  lw_out_text(out, text);
}

void print_to_stderr(void* unused, const char* text)
{
  (void)unused;
  say("%s", text);
}
