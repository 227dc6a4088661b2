// SPDX-License-Identifier: MIT
#include "report/plot/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linkwork/base.h"
#include "report/installed.h"

#define PROGRAM "gnuplot"

enum
{
  NOT_FOUND = 127,  // exit code of a child whose program is not there
  TAIL      = 64    // bytes at the end of a picture that are looked at
};

// The terminal that draws a file by the end of its name.
static const struct
{
  const char* end;
  const char* terminal;
  double scale;      // of a pixel
  const char* last;  // bytes that a whole file ends with, apart from line feeds
  size_t last_length;
} TERMINALS[] = {{".svg", "svg enhanced background rgb 'white'", 1, "</svg>", 6},
                 {".png", "pngcairo enhanced", 1, "IEND\xAE\x42\x60\x82", 8},
                 {".pdf", "pdfcairo enhanced", 1.0 / 96, "%%EOF", 5}};  // inches

enum
{
  TERMINAL_COUNT = sizeof TERMINALS / sizeof TERMINALS[0]
};

// Colours of lines, in this order: those of Okabe and Ito, which people with any colour vision tell
// apart, without yellow, and a brown; then others for pictures of many methods; each also with
// three parts of white.
static const struct
{
  const char *full, *pale;
} COLOURS[LW_PLOT_COLOURS] = {
    {"#0072b2", "#bfdcec"}, {"#d55e00", "#f5d7bf"}, {"#009e73", "#bfe7dc"}, {"#cc79a7", "#f2dee9"},
    {"#e69f00", "#f9e7bf"}, {"#56b4e9", "#d5ecfa"}, {"#000000", "#bfbfbf"}, {"#8c564b", "#e2d5d2"},
    {"#7a7a7a", "#dddddd"}, {"#332288", "#ccc7e1"}, {"#999933", "#e5e5cc"}, {"#882255", "#e1c7d4"},
    {"#44aa99", "#d0e9e5"}, {"#b22222", "#ebc7c7"}, {"#6a5acd", "#d9d5f2"}, {"#c0b000", "#efebbf"},
    {"#2f4f4f", "#cbd3d3"}, {"#ff69b4", "#ffd9ec"}};

const char* lw_plot_pale(int i)
{
  return COLOURS[i % LW_PLOT_COLOURS].pale;
}

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
  return lw_program_installed(PROGRAM);
}

// In the child: reads the script, draws into the file.
static void become_gnuplot(int script, int picture)
{
  static char* const arguments[] = {(char*)PROGRAM, "-", NULL};
  signal(SIGPIPE, SIG_DFL);
  lw_atomic_file_end_child();
  if (dup2(script, STDIN_FILENO) < 0 || dup2(picture, STDOUT_FILENO) < 0) _exit(NOT_FOUND);
  execvp(PROGRAM, arguments);
  _exit(NOT_FOUND);
}

static bool is_wrong(char message[LW_PLOT_MESSAGE], const char* what, const char* why)
{
  snprintf(message, LW_PLOT_MESSAGE, "%.150s: %.90s", what, why);
  return false;
}

static const char* error_text(int error)
{
  return error == ENOMEM ? lw_status_text(LW_ERROR_MEMORY) : strerror(error);
}

// Forks gnuplot with its ends of the pipe and the file; 0, or why it could not be done.
static int launch(lwPlot* plot, int picture)
{
  int ends[2];
  if (pipe(ends) != 0) return errno;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  lw_atomic_file_hold_signals(true);
  pid_t child = fork();
  int forked  = errno;
  if (child == 0) become_gnuplot(ends[0], picture);
  lw_atomic_file_hold_signals(false);
  close(ends[0]);
  plot->child       = child;
  plot->script.file = ends[1];
  if (child > 0) return 0;
  close(ends[1]);
  return forked;
}

bool lw_plot_begin(lwPlot* plot, const char* path, int width, int height,
                   char message[LW_PLOT_MESSAGE])
{
  *plot     = (lwPlot){.picture.file = -1};
  int error = lw_atomic_file_open(&plot->picture, path);
  if (error) return is_wrong(message, "cannot be created", error_text(error));
  error = launch(plot, plot->picture.file);
  if (error)
  {
    lw_atomic_file_drop(&plot->picture);
    return is_wrong(message, PROGRAM " cannot be started", error_text(error));
  }
  int terminal = terminal_of(path);
  double scale = TERMINALS[terminal].scale;
  plot->format = terminal;
  lw_out_format(&plot->script, "set terminal %s size %g,%g\n", TERMINALS[terminal].terminal,
                width * scale, height * scale);
  for (int i = 0; i < LW_PLOT_COLOURS; ++i)
    lw_out_format(&plot->script, "set linetype %d lc rgb '%s'\n", i + 1, COLOURS[i].full);
  lw_out_format(&plot->script, "set linetype cycle %d\n", LW_PLOT_COLOURS);
  return true;
}

// In single quotes nothing is special, but gnuplot stumbles over several quotes in a row. In
// double ones the characters that would be special, among them the ` that runs a command, are
// written as their octal codes.
void lw_plot_quoted(lwOut* script, const char* text)
{
  bool plain = !strchr(text, '\'');
  lw_out_char(script, plain ? '\'' : '"');
  for (; *text; ++text)
  {
    if ((unsigned char)*text < ' ')
      lw_out_char(script, ' ');
    else if (!plain && strchr("\"\\`", *text))
      lw_out_format(script, "\\%03o", (unsigned)*text);
    else
      lw_out_char(script, *text);
  }
  lw_out_char(script, plain ? '\'' : '"');
}

// gnuplot does not notice that a disk is full, so the end of the picture is checked.
static bool is_whole(const lwPlot* plot)
{
  char tail[TAIL + 1] = "";
  const char* end     = TERMINALS[plot->format].last;
  size_t length       = TERMINALS[plot->format].last_length;
  off_t size          = lseek(plot->picture.file, 0, SEEK_END);
  off_t from          = size > TAIL ? size - TAIL : 0;
  ssize_t got         = pread(plot->picture.file, tail, TAIL, from);
  while (got > 0 && tail[got - 1] == '\n') --got;
  return got >= (ssize_t)length && !memcmp(tail + got - length, end, length);
}

bool lw_plot_end(lwPlot* plot, const char* ending, char message[LW_PLOT_MESSAGE])
{
  int how = 0;
  lw_out_flush(&plot->script);
  close(plot->script.file);
  int script_error = plot->script.error;
  while (waitpid((pid_t)plot->child, &how, 0) < 0 && errno == EINTR) continue;
  bool found       = !(WIFEXITED(how) && WEXITSTATUS(how) == NOT_FOUND);
  bool done        = WIFEXITED(how) && WEXITSTATUS(how) == 0;
  const char* what = !found            ? "is not installed"
                     : !done           ? "could not draw the picture"
                     : script_error    ? error_text(script_error)
                     : !is_whole(plot) ? "could not write the whole picture; is the disk full?"
                                       : NULL;
  if (what)
  {
    lw_atomic_file_drop(&plot->picture);
    return is_wrong(message, PROGRAM, what);
  }
  int error = lw_atomic_file_keep(&plot->picture, ending);
  return error ? is_wrong(message, "cannot be written", error_text(error)) : true;
}
