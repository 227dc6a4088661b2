// SPDX-License-Identifier: MIT
#include "study/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

enum
{
  MOST_OUTPUT = 64 << 20,  // bytes
  LOOK        = 50,        // ms until `stop` is looked at again
  GRACE       = 50,        // times LOOK / 5 between SIGTERM and SIGKILL
  MOST_FILES  = 1 << 16    // descriptors to be closed one by one
};

typedef struct Pipe
{
  int from, to;  // ends for reading and writing
} Pipe;

static bool open_pipe(Pipe* made)
{
  int ends[2];
  if (pipe(ends) != 0) return false;
  made->from = fcntl(ends[0], F_DUPFD_CLOEXEC, LW_CHILD_ABOVE);
  made->to   = fcntl(ends[1], F_DUPFD_CLOEXEC, LW_CHILD_ABOVE);
  close(ends[0]);
  close(ends[1]);
  if (made->from >= 0 && made->to >= 0) return true;
  if (made->from >= 0) close(made->from);
  if (made->to >= 0) close(made->to);
  return false;
}

// --- in the child, between fork() and exec(): async-signal-safe functions only

static void close_from(int first)
{
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0) return;
#endif
  struct rlimit limit;
  int most = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < MOST_FILES
                 ? (int)limit.rlim_cur
                 : MOST_FILES;
  for (int file = first; file < most; ++file) close(file);
}

// The program ends with the study even if that is killed.
static void end_with_parent(pid_t parent)
{
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(127);
}

static _Noreturn void become_program(const lwChild* child, int output, int failed, pid_t parent)
{
  sigset_t none;
  int null = open("/dev/null", O_RDWR);
  setpgid(0, 0);
  end_with_parent(parent);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(child->stderr_text >= 0 ? child->stderr_text : STDIN_FILENO, STDERR_FILENO);
  dup2(failed, STDERR_FILENO + 1);
  fcntl(STDERR_FILENO + 1, F_SETFD, FD_CLOEXEC);
  close_from(STDERR_FILENO + 2);
  execvp(child->program, child->words);
  int error = errno;
  if (write(STDERR_FILENO + 1, &error, sizeof error) != sizeof error) _exit(126);
  _exit(127);
}

// --- in the study

// The errno of a program that could not be started; 0: it was.
static int start_error(int from)
{
  int error   = 0;
  ssize_t got = -1;
  do got = read(from, &error, sizeof error);
  while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

static bool is_stopped(const lwChild* child)
{
  return child->stop && *child->stop;
}

// Makes room for more; NULL: there is none, and the text is freed.
static char* grow_text(lwChild* child, char* text, size_t* capacity)
{
  char* larger    = *capacity < MOST_OUTPUT ? realloc(text, 2 * *capacity) : NULL;
  child->too_long = !larger;
  if (!larger) free(text);
  *capacity *= 2;
  return larger;
}

// All that is printed; NULL: it is too much, or the study is stopped.
static char* read_output(lwChild* child, int from, size_t* length)
{
  size_t capacity = 1 << 16, size = 0;
  char* text      = malloc(capacity);
  child->too_long = !text;
  while (text)
  {
    struct pollfd ready = {.fd = from, .events = POLLIN};
    int some            = poll(&ready, 1, LOOK);
    if (is_stopped(child)) break;
    if (some <= 0) continue;
    if (size + 1 >= capacity && !(text = grow_text(child, text, &capacity))) break;
    ssize_t got = read(from, text + size, capacity - size - 1);
    if (got > 0) size += (size_t)got;
    if (got == 0 || (got < 0 && errno != EINTR))
    {
      text[size] = 0;
      *length    = size;
      return text;
    }
  }
  free(text);
  return NULL;
}

// Whether the leader ends within `rounds` looks; -1: as long as the study is not stopped.
static bool has_ended(const lwChild* child, pid_t leader, int rounds)
{
  long pause = 50000;  // ns, at first
  for (int i = 0; rounds < 0 ? !is_stopped(child) : i < rounds; ++i)
  {
    siginfo_t info               = {0};
    const struct timespec moment = {.tv_nsec = pause};
    const int longest            = LOOK / 5 * 1000000;
    if (waitid(P_PID, (id_t)leader, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno != EINTR)
      return true;
    if (info.si_pid == leader) return true;
    nanosleep(&moment, NULL);
    pause = 2 * pause < longest && rounds < 0 ? 2 * pause : longest;
  }
  return false;
}

// Ends what is left of the group, while its leader, not yet waited for, keeps its number taken.
static void end_group(lwChild* child, pid_t leader, bool wanted)
{
  int status = 0;
  if (wanted || !has_ended(child, leader, -1))
  {
    kill(-leader, SIGTERM);
    has_ended(child, leader, GRACE);
  }
  kill(-leader, SIGKILL);
  while (waitpid(leader, &status, 0) < 0 && errno == EINTR)
    ;
  child->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

char* lw_child_run(lwChild* child, size_t* length)
{
  Pipe output, failed;
  char* text   = NULL;
  pid_t parent = getpid();
  child->error = 0;
  if (is_stopped(child)) return NULL;
  if (!open_pipe(&output))
  {
    child->error = errno;
    return NULL;
  }
  if (!open_pipe(&failed))
  {
    child->error = errno;
    close(output.from);
    close(output.to);
    return NULL;
  }
  pid_t leader = fork();
  if (leader == 0) become_program(child, output.to, failed.to, parent);
  if (leader < 0) child->error = errno;
  if (leader > 0) setpgid(leader, leader);  // whoever comes first
  close(output.to);
  close(failed.to);
  if (leader > 0) child->error = start_error(failed.from);
  if (leader > 0 && !child->error) text = read_output(child, output.from, length);
  if (leader > 0) end_group(child, leader, !text && !child->error);
  close(output.from);
  close(failed.from);
  return text;
}
