// SPDX-License-Identifier: MIT
#include "text/atomic_file.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Shorter than most names, so that a name may be as long as the file system allows.
#define TEMPORARY_NAME ".lwXXXXXX"

static const int END_SIGNALS[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGALRM, SIGUSR1,
                                  SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGXFSZ};
enum
{
  END_SIGNAL_COUNT = sizeof END_SIGNALS / sizeof END_SIGNALS[0],
  MOST_OPEN        = 8,  // files at a time
  MOST_LINKS       = 40  // that lead to a file
};

// The files under their temporary names. Changed with the signals blocked.
static char temporaries[MOST_OPEN][PATH_MAX];

// --- signals

// The system itself sends SIGXFSZ with our own process as its sender;
// the write that is too long then fails.
static void end_by_signal(int number, siginfo_t* info, void* context)
{
  (void)context;
  if (number == SIGXFSZ && info->si_pid == getpid()) return;
  for (int i = 0; i < MOST_OPEN; ++i)
    if (temporaries[i][0]) unlink(temporaries[i]);
  signal(number, SIG_DFL);
  raise(number);
}

void lw_atomic_file_hold_signals(bool hold)
{
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < END_SIGNAL_COUNT; ++i) sigaddset(&set, END_SIGNALS[i]);
  sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void lw_atomic_file_end_child(void)
{
  for (int i = 0; i < END_SIGNAL_COUNT; ++i)
  {
    struct sigaction old;
    sigaction(END_SIGNALS[i], NULL, &old);
    if (old.sa_handler != SIG_IGN) signal(END_SIGNALS[i], SIG_DFL);
  }
  lw_atomic_file_hold_signals(false);
}

void lw_atomic_file_watch_signals(bool caught)
{
  for (int i = 0; i < END_SIGNAL_COUNT; ++i)
  {
    struct sigaction old, action = {.sa_sigaction = end_by_signal, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(END_SIGNALS[i], NULL, &old);
    if (old.sa_handler == SIG_DFL || (caught && old.sa_handler != SIG_IGN))
      sigaction(END_SIGNALS[i], &action, NULL);
  }
}

// --- names

static int free_slot(void)
{
  int slot = 0;
  while (slot < MOST_OPEN && temporaries[slot][0]) ++slot;
  return slot < MOST_OPEN ? slot : -1;
}

int lw_atomic_file_guard(const char* temporary)
{
  int slot = strlen(temporary) < PATH_MAX ? free_slot() : -1;
  if (slot >= 0) strcpy(temporaries[slot], temporary);
  return slot;
}

void lw_atomic_file_release(int slot)
{
  if (slot >= 0) temporaries[slot][0] = 0;
}

// Bytes of the folder that a path begins with, its slash included; 0: the working folder.
static int folder_length(const char* path)
{
  const char* slash = strrchr(path, '/');
  return slash ? (int)(slash + 1 - path) : 0;
}

// Follows links to an existing file, or to a name that does not exist yet. NULL with errno.
static char* follow_links(const char* path)
{
  char at[PATH_MAX], target[PATH_MAX], next[2 * PATH_MAX];
  if (strlen(path) >= PATH_MAX)
  {
    errno = ENAMETOOLONG;
    return NULL;
  }
  strcpy(at, path);
  for (int links = 0; links < MOST_LINKS; ++links)
  {
    ssize_t length = readlink(at, target, sizeof target - 1);
    if (length < 0) return strdup(at);  // no link
    target[length] = 0;
    snprintf(next, sizeof next, "%.*s%s", target[0] == '/' ? 0 : folder_length(at), at, target);
    if (strlen(next) >= PATH_MAX) break;
    strcpy(at, next);
  }
  errno = ELOOP;
  return NULL;
}

// --- life

// The mode of a new file, as open() would give it.
static mode_t usual_mode(void)
{
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static int create_temporary(lwAtomicFile* whole, mode_t mode)
{
  whole->slot = free_slot();
  if (whole->slot < 0) return EMFILE;
  char* temporary = temporaries[whole->slot];
  int length =
      snprintf(temporary, PATH_MAX, "%.*s" TEMPORARY_NAME, folder_length(whole->path), whole->path);
  errno       = ENAMETOOLONG;
  whole->file = length < PATH_MAX ? mkstemp(temporary) : -1;
  if (whole->file >= 0)
  {
    if (fchmod(whole->file, mode) != 0) errno = 0;  // a file system without modes
    return 0;
  }
  temporary[0] = 0;
  return errno;
}

int lw_atomic_file_open(lwAtomicFile* whole, const char* path)
{
  struct stat old;
  bool exists = stat(path, &old) == 0;
  if (!exists && errno != ENOENT) return errno;
  if (exists && access(path, W_OK) != 0) return errno;
  whole->path = follow_links(path);
  if (!whole->path) return errno;
  lw_atomic_file_watch_signals(false);
  lw_atomic_file_hold_signals(true);
  int error = create_temporary(whole, exists ? old.st_mode & 0777 : usual_mode());
  lw_atomic_file_hold_signals(false);
  if (error) free(whole->path);
  return error;
}

// Some file systems cannot say when the bytes are on the disk.
static int make_durable(int file)
{
  while (fsync(file) != 0)
  {
    if (errno == EINVAL || errno == ENOTSUP || errno == ENOSYS) return 0;
    if (errno != EINTR) return errno;
  }
  return 0;
}

// Gives the temporary file its name, or removes it if that is not possible or `name` is NULL.
static int end_temporary(lwAtomicFile* whole, const char* name)
{
  char* temporary = temporaries[whole->slot];
  assert(whole->slot >= 0 && whole->slot < MOST_OPEN && temporary[0]);
  lw_atomic_file_hold_signals(true);
  int error = name && rename(temporary, name) != 0 ? errno : 0;
  if (!name || error) unlink(temporary);
  lw_atomic_file_release(whole->slot);
  lw_atomic_file_hold_signals(false);
  free(whole->path);
  return error;
}

int lw_atomic_file_keep(lwAtomicFile* whole, const char* ending)
{
  // one that becomes too long for the file system loses its last letters before the ending
  char name[PATH_MAX + 16];
  int folder = folder_length(whole->path), longest = NAME_MAX - (int)strlen(ending);
  snprintf(name, sizeof name, "%.*s%.*s%s", folder, whole->path, longest, whole->path + folder,
           ending);
  int error = make_durable(whole->file);
  if (close(whole->file) != 0 && !error && errno != EINTR) error = errno;
  int ended = end_temporary(whole, error ? NULL : name);
  return error ? error : ended;
}

void lw_atomic_file_drop(lwAtomicFile* whole)
{
  close(whole->file);
  end_temporary(whole, NULL);
}
