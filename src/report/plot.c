// SPDX-License-Identifier: MIT
#include "report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char PROGRAM[] = "gnuplot";

enum
{
  NOT_FOUND = 127  // exit code of a child whose program is not there
};

// The terminal that draws a file by the end of its name.
static const struct
{
  const char* end;
  const char* terminal;
  double scale;  // of a pixel
} TERMINALS[] = {{".svg", "svg enhanced background rgb 'white'", 1},
                 {".png", "pngcairo enhanced", 1},
                 {".pdf", "pdfcairo enhanced", 1.0 / 96}};  // inches

enum
{
  TERMINAL_COUNT = sizeof TERMINALS / sizeof TERMINALS[0]
};

// Of the lines, in this order: those of Okabe and Ito, which people with any colour vision tell apart, without yellow, and a brown.
static const char* const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#8c564b"};

// Which of them, or -1.
static int terminal_of(const char* path)
{
  size_t length = strlen(path);
  for (int i = 0; i < TERMINAL_COUNT; ++i)
    if (length > 4 && !strcmp(path + length - 4, TERMINALS[i].end)) return i;
  return -1;
}

bool lw_plot_can_draw(const char* path)
{
  return terminal_of(path) >= 0;
}

bool lw_plot_has_gnuplot(void)
{
  const char* folder = getenv("PATH");
  while (folder && *folder)
  {
    char path[4096];
    int length = (int)strcspn(folder, ":");
    int used   = snprintf(path, sizeof path, "%.*s/%s", length, folder, PROGRAM);
    if (used < (int)sizeof path && access(path, X_OK) == 0) return true;
    folder += length + (folder[length] == ':');
  }
  return false;
}

// In the child: reads the script, draws into the file.
static void become_gnuplot(int script, int picture)
{
  static char* const arguments[] = {(char*)PROGRAM, "-", NULL};
  signal(SIGPIPE, SIG_DFL);
  if (dup2(script, STDIN_FILENO) < 0 || dup2(picture, STDOUT_FILENO) < 0) _exit(NOT_FOUND);
  execvp(PROGRAM, arguments);
  _exit(NOT_FOUND);
}

static bool is_wrong(char message[LW_PLOT_MESSAGE], const char* what, const char* why)
{
  snprintf(message, LW_PLOT_MESSAGE, "%.150s: %.90s", what, why);
  return false;
}

static void forget(lwPlot* plot)
{
  if (plot->temporary) unlink(plot->temporary);
  free(plot->temporary);
  free(plot->path);
}

// An empty file beside the picture, with the mode that a new file would have.
static int create_temporary(lwPlot* plot, const char* path)
{
  size_t size     = strlen(path) + sizeof ".XXXXXX";
  plot->path      = strdup(path);
  plot->temporary = malloc(size);
  if (!plot->path || !plot->temporary) return -1;
  snprintf(plot->temporary, size, "%s.XXXXXX", path);
  int file = mkstemp(plot->temporary);
  if (file < 0) return -1;
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(file, 0666 & ~mask) != 0) errno = 0;  // a file system without modes
  return file;
}

// Forks gnuplot with its ends of the pipe and the file; false: it could not be done.
static bool launch(lwPlot* plot, int picture)
{
  int ends[2];
  if (pipe(ends) != 0) return false;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child == 0) become_gnuplot(ends[0], picture);
  close(ends[0]);
  plot->child  = child;
  plot->script = child > 0 ? fdopen(ends[1], "w") : NULL;
  if (plot->script) return true;
  close(ends[1]);
  if (child > 0) waitpid(child, NULL, 0);
  return false;
}

bool lw_plot_begin(lwPlot* plot, const char* path, int width, int height,
                   char message[LW_PLOT_MESSAGE])
{
  *plot       = (lwPlot){0};
  int picture = create_temporary(plot, path);
  if (picture < 0)
  {
    int error = errno;
    free(plot->temporary);
    free(plot->path);
    return is_wrong(message, path, strerror(error));
  }
  bool launched = launch(plot, picture);
  close(picture);
  if (!launched)
  {
    forget(plot);
    return is_wrong(message, PROGRAM, "cannot be started");
  }
  int terminal = terminal_of(path);
  double scale = TERMINALS[terminal].scale;
  fprintf(plot->script, "set terminal %s size %g,%g\n", TERMINALS[terminal].terminal, width * scale,
          height * scale);
  for (size_t i = 0; i < sizeof COLOURS / sizeof *COLOURS; ++i)
    fprintf(plot->script, "set linetype %zu lc rgb '%s'\n", i + 1, COLOURS[i]);
  fprintf(plot->script, "set linetype cycle %zu\n", sizeof COLOURS / sizeof *COLOURS);
  return true;
}

void lw_plot_quoted(FILE* script, const char* text)
{
  fputc('\'', script);
  for (; *text; ++text)
  {
    if (*text == '\'') fputc('\'', script);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, script);
  }
  fputc('\'', script);
}

bool lw_plot_end(lwPlot* plot, char message[LW_PLOT_MESSAGE])
{
  int how = 0;
  struct stat drawn;
  fclose(plot->script);
  while (waitpid((pid_t)plot->child, &how, 0) < 0 && errno == EINTR) continue;
  bool found = !(WIFEXITED(how) && WEXITSTATUS(how) == NOT_FOUND);
  bool done  = WIFEXITED(how) && WEXITSTATUS(how) == 0 && stat(plot->temporary, &drawn) == 0 &&
              drawn.st_size > 0;
  if (!found)
    is_wrong(message, PROGRAM, "is not installed");
  else if (!done)
    is_wrong(message, PROGRAM, "could not draw the picture");
  else if (rename(plot->temporary, plot->path) != 0)
    done = is_wrong(message, plot->path, strerror(errno));
  if (done) free(plot->temporary), plot->temporary = NULL;
  forget(plot);
  return done;
}
