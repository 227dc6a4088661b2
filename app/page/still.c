// SPDX-License-Identifier: MIT
// Other programs: Chromium, which draws a picture of the page, and the system's browser.
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/progress.h"
#include "page_command.h"
#include "report/installed.h"

extern char** environ;

// Starts a program without output; false if it cannot be started.
static bool start_browser(char* const* words, pid_t* child)
{
  posix_spawn_file_actions_t quiet;
  if (posix_spawn_file_actions_init(&quiet) != 0) return false;
  posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  bool started = posix_spawnp(child, words[0], &quiet, NULL, words, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  return started;
}

static bool run_to_end(char* const* words)
{
  pid_t child;
  int how = -1;
  return start_browser(words, &child) && waitpid(child, &how, 0) == child && WIFEXITED(how) &&
         WEXITSTATUS(how) == 0;
}

// Starts one command of $BROWSER, with the file in place of %s or behind it. A browser may stay in
// the foreground, so the shell puts it into the background.
static bool start_named(const char* named, size_t length, const char* html)
{
  char command[1024], script[2 * sizeof command + 64];
  char program[] = "sh", with[] = "-c";
  snprintf(command, sizeof command, "%.*s", (int)length, named);
  char* mark = strstr(command, "%s");
  if (mark) *mark = 0;
  snprintf(script, sizeof script, "command -v %.*s && { %s \"$0\" %s & }",
           (int)strcspn(command, " "), command, command, mark ? mark + 2 : "");
  char* words[] = {program, with, script, (char*)html, NULL};
  return length > 0 && length < sizeof command && run_to_end(words);
}

bool browser_open(const char* html)
{
  char opener[]     = "xdg-open";
  const char* named = getenv("BROWSER");  // commands separated by colons, the first that works
  while (named && *named)
  {
    size_t length = strcspn(named, ":");
    if (start_named(named, length, html)) return true;
    named += length + (named[length] == ':');
  }
  char* words[] = {opener, (char*)html, NULL};
  bool display  = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
  return display && lw_program_installed(opener) && run_to_end(words);
}

// --- stills

const char* find_chromium(void)
{
  static const char* const names[] = {"chromium", "chromium-browser", "google-chrome",
                                      "google-chrome-stable"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (lw_program_installed(names[i])) return names[i];
  return NULL;
}

static void copy_picture(const char* from, const char* png)
{
  size_t length;
  if (access(from, R_OK) != 0) stop(INPUT, "cannot draw %s: Chromium made no picture", png);
  const char* bytes = (const char*)file_bytes(from, &length);
  output_bytes(png, bytes, length);
}

// A folder for the picture and for what Chromium keeps of a session.
// Removed with all that is in it.
static void remove_folder(void* folder)
{
  char program[] = "rm", how[] = "-rf", end[] = "--";
  char* words[] = {program, how, end, folder, NULL};
  run_to_end(words);
}

void still_render(const char* html, const char* png)
{
  static const char* const flags[]              = {"--headless",
                                                   "--disable-gpu",
                                                   "--use-gl=angle",
                                                   "--use-angle=swiftshader",
                                                   "--enable-unsafe-swiftshader",
                                                   "--disable-quic",
                                                   "--no-first-run",
                                                   "--disable-background-networking",
                                                   "--disable-component-update",
                                                   "--disable-sync",
                                                   "--hide-scrollbars",
                                                   "--window-size=1280,900",
                                                   "--virtual-time-budget=30000"};
  char* words[sizeof flags / sizeof *flags + 6] = {0};
  char path[64], data[64], picture[96], address[PATH_MAX + 16];
  int count           = 0;
  char* folder        = text_copy("/tmp/linkwork-still-XXXXXX");
  const char* browser = find_chromium();
  if (!browser) stop(INPUT, "--png needs Chromium, which is not installed (Debian: chromium)");
  if (!mkdtemp(folder)) stop(INPUT, "cannot make a folder in /tmp");
  hold(folder, remove_folder);
  snprintf(path, sizeof path, "%s/still.png", folder);
  snprintf(data, sizeof data, "--user-data-dir=%s", folder);
  snprintf(picture, sizeof picture, "--screenshot=%s", path);
  snprintf(address, sizeof address, "file://%s#still", html);
  words[count++] = (char*)browser;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) words[count++] = (char*)flags[i];
  if (geteuid() == 0) words[count++] = (char*)"--no-sandbox";  // it refuses to run as root with it
  words[count++] = data;
  words[count++] = picture;
  words[count++] = address;
  progress_wait("Chromium draws %s", png);
  bool drawn = run_to_end(words);
  progress_clear();
  if (!drawn) stop(INPUT, "cannot draw %s: %s failed", png, browser);
  copy_picture(path, png);
}
