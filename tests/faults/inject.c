// SPDX-License-Identifier: MIT
// inject PROGRAM LIBRARY ROBOTS FOLDER KIND...: runs every command line of the list below while one
// thing fails. The program must report the failure, and its output file must be intact: the old or
// the new one.
//
//   memory    one allocation fails: each in turn, or a sample (FAULTS_ALL=1: all;
//             FAULTS_SAMPLE=N: the first N, the last N/2 and N/2 others of each command line)
//   disk      the disk is full from one write, fsync or rename on
//   signals   a signal arrives at a random time
//   threads   no thread can be created: one thread must give the same answer
//
// LIBRARY is preloaded, see faults.c. If PROGRAM was built with sanitizers, they must find nothing,
// and no memory may leak. The last line of the output is the number of runs.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"

enum
{
  MOST_ARGUMENTS = 16,
  MOST_TEXT      = 1 << 22,
  SIGNALS        = 12,  // per command line
  HUNG           = 60   // s
};

// Command lines; ROBOTS/ stands for the folder of robots, OUT for the output file.
static const char* const COMMANDS[] = {
    "info ROBOTS/puma560.yaml --out OUT",
    "lint ROBOTS/panda.yaml --out OUT",
    "inverse ROBOTS/puma560.yaml --in states.csv --out OUT",
    "inverse ROBOTS/puma560.yaml --in states.csv --threads 2 --out OUT",
    "forward ROBOTS/puma560.yaml --in states.csv --out OUT",
    "inertia ROBOTS/stanford.yaml --q 0.1,0.2,0.3,0.4,0.5,0.6 --format json --out OUT",
    "pose ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --out OUT",
    "convert ROBOTS/puma560.yaml OUT.yaml",
    "convert ROBOTS/puma560.yaml OUT.urdf --drop motors",
    "convert ROBOTS/panda.yaml OUT.yaml --dh standard",
    "check ROBOTS/planar2r.yaml --states 2 --out OUT",
    "check ROBOTS/puma560.yaml --in torques.csv --out OUT",
    "count ROBOTS/puma560.yaml --out OUT",
    "parts ROBOTS/../parts/ddarm.yaml --out OUT",
    "simulate scenario.yaml --out OUT",
    "simulate scenario.yaml --format json --audit audit.json --out OUT",
    "snake simulate ROBOTS/snakes/table2_n3.yaml --duration 0.2 --out OUT",
    "plot run.csv --out OUT.svg",
    "plan ROBOTS/puma560.yaml --from 0,0,0,0,0,0 --to 1,1,1,1,1,1 --duration 1 --dt 0.1 --out OUT",
    "ik ROBOTS/puma560.yaml --position 0.4,0.1,0.3 --out OUT",
    "methods --out OUT",
    "reactions ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --wrench 1,2,3,4,5,6 --out OUT",
    "gibbs ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --out OUT",
    "gravity ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --precision quad --out OUT",
    "info ROBOTS/two_arms.urdf --out OUT",
    "convert ROBOTS/gripper_arm.urdf OUT.yaml --drop motors,shapes",
    "info ROBOTS/free_flyer.yaml --format json --out OUT",
    "inertia ROBOTS/puma560.yaml --joints elbow,flange --payload flange=1 --q 1,2 --out OUT",
    "generate ROBOTS/planar2r.yaml --question inverse,forward --test --out OUT.c",
    "prove ROBOTS/planar2r.yaml --out OUT",
    "accuracy ROBOTS/planar2r.yaml --states 2 --out OUT",
    "sensitivity ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --tolerance mass=5% --out OUT",
    "drives ROBOTS/puma560.yaml --in motion.csv --out OUT",
    "loads ROBOTS/puma560.yaml --in motion.csv --out OUT",
    "simulate ROBOTS/../scenarios/puma_computed_torque.yaml --out OUT",
    "simulate ROBOTS/../scenarios/hydraulic_valve.yaml --out OUT",
    "snake state ROBOTS/snakes/table2_n3.yaml --theta 0,0.1,0.2 --out OUT",
    "snake check ROBOTS/snakes/table2_n3.yaml --out OUT",
    "page scenario.yaml --out OUT.html",
    "close ROBOTS/four_bar.yaml --out OUT",
    "cylinders ROBOTS/hydraulic5.yaml --q 0,0.1,0.2,0,0 --out OUT",
    "draw ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --out OUT.svg",
    "linearise ROBOTS/planar2r.yaml --q 0.1,0.2 --out OUT",
    "parameters ROBOTS/planar2r.yaml --out OUT",
    "control ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --out OUT",
    "regressor ROBOTS/planar2r.yaml --q 0.1,0.2 --out OUT",
    "snake inverse ROBOTS/snakes/table2_n3.yaml --theta 0,0.1,0.2 --udot 1,0 --out OUT",
    "simulate scenario.yaml --trace OUT --quiet",
    "simulate scenario.yaml --duration 0.05 --save OUT --quiet",
    "help inverse --as man",
    "shell ROBOTS/puma560.yaml",
    "sim",
    "bias ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --qd 1,1,1,1,1,1 --out OUT",
    "coriolis ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --qd 1,1,1,1,1,1 --out OUT",
    "energy ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --out OUT",
    "jacobian ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --out OUT",
    "jacobian-rate ROBOTS/puma560.yaml --q 0,1,2,0,1,2 --qd 1,1,1,1,1,1 --out OUT",
    "inverse-derivatives ROBOTS/four_bar.yaml --q crank=0.5 --qd crank=1 --qdd crank=1 --out OUT",
    "forward-derivatives ROBOTS/planar2r.yaml --q 0.1,0.2 --out OUT",
    "inertia-inverse ROBOTS/four_bar.yaml --q crank=0.5 --out OUT",
    "coriolis-matrix ROBOTS/planar2r.yaml --q 0.1,0.2 --qd 1,2 --out OUT",
    "centroidal ROBOTS/planar2r.yaml --q 1,2 --qd 1,1 --qdd 1,1 --out OUT",
    "poses ROBOTS/two_arms.urdf --q 0,0,0,0,0,0,0,0,0 --out OUT",
    "velocities ROBOTS/mobile_arm.yaml --q 0,0,0,0,0,0,0 --out OUT",
    "accelerations ROBOTS/planar2r.yaml --q 0.1,0.2 --qd 1,1 --qdd 1,1 --out OUT",
    "frames ROBOTS/puma560.yaml --links elbow,flange_plate --in motion.csv --keep --out OUT",
    "clearance ROBOTS/ur5.yaml --in still.csv --floor 0 --out OUT",
    ("plan ROBOTS/puma560.yaml --cycle ROBOTS/../examples/cycles/pick_and_place.yaml --grid 20 "
     "--out OUT"),
    "plan ROBOTS/puma560.yaml --from 0,-1,1,0,0,0 --to 1,-1,1,1,1,1 --fastest --grid 20 --out OUT",
    "excite ROBOTS/planar2r.yaml --duration 5 --dt 0.1 --out OUT",
    "identify ROBOTS/planar2r.yaml --in log.csv --out OUT.yaml",
    "study study.yaml --samples 8 --out OUT.db",
    "study report input.db --out OUT",
    "study report input.db --page OUT.html",
    "study merge input.db --out OUT.db",
    "bench ROBOTS/planar2r.yaml --quick --question inverse --method rnea",
    "snake bench --links 3 --quick",
    "examples --out OUT",
    "doctor --out OUT",
    "export ROBOTS/planar2r.yaml --fmu OUT.fmu",
    "simulate scenario.yaml --from state --out OUT",
    "simulate scenario.yaml --replay trace --quiet",
};

// Commands that are not in the list, each with the reason.
static const char* const OTHERS[] = {
    "snake",  // prints its help
    "paper",  // starts linkwork-paper, as tests/app/cases_paper.sh does
    "view",   // is page, with a browser
    "new",    // writes files of given names, as examples does
};

static const char *program, *library, *robots;
static long sample = 24;  // failing allocations per command line, besides the first ones
static long runs, failures;

static void complain(const char* command, const char* fault, const char* what)
{
  if (++failures <= 60) printf("FAILED: %s: linkwork %s: %s\n", fault, command, what);
}

// --- files

static size_t read_whole(const char* path, char* text)
{
  FILE* file  = fopen(path, "rb");
  size_t size = file ? fread(text, 1, MOST_TEXT - 1, file) : 0;
  if (file) fclose(file);
  text[size] = 0;
  return file ? size : (size_t)-1;
}

static bool temporary_is_left(void)
{
  bool left   = false;
  DIR* folder = opendir(".");
  struct dirent* entry;
  while (folder && (entry = readdir(folder)))
    if (!strncmp(entry->d_name, ".lw", 3))
    {
      left = true;
      unlink(entry->d_name);
    }
  if (folder) closedir(folder);
  return left;
}

// --- one run

typedef struct Run
{
  char words[1024];
  char* arguments[MOST_ARGUMENTS + 1];
  char out[64];  // the output file; empty: none
} Run;

// Replaces ROBOTS/ in the words by the folder.
static void make_run(const char* command, Run* run)
{
  char* to                = run->words;
  int count               = 0;
  run->out[0]             = 0;
  run->arguments[count++] = (char*)program;
  for (const char* s = command; *s;)
  {
    size_t length           = strcspn(s, " ");
    run->arguments[count++] = to;
    if (!strncmp(s, "ROBOTS", 6))
      to += sprintf(to, "%s%.*s", robots, (int)length - 6, s + 6) + 1;
    else
      to += sprintf(to, "%.*s", (int)length, s) + 1;
    if (!strncmp(s, "OUT", 3)) snprintf(run->out, sizeof run->out, "%.*s", (int)length, s);
    s += length + (s[length] == ' ');
  }
  run->arguments[count] = NULL;
}

static pid_t start(const Run* run, const char* fault, bool preload)
{
  char preloaded[512], number[64] = "FAULT_NONE=1";
  char* environment[] = {
      preloaded,
      number,
      "FAULT_COUNTS=counts",
      "PATH=/usr/bin:/bin:/usr/local/bin",
      "OMP_NUM_THREADS=2",
      "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=1",  // LIBRARY is loaded before it
      "LSAN_OPTIONS=suppressions=leaks.txt:print_suppressions=0",
      NULL};
  snprintf(preloaded, sizeof preloaded, "%s=%s", preload ? "LD_PRELOAD" : "UNUSED", library);
  if (fault) snprintf(number, sizeof number, "%s", fault);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "commands.txt", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_addopen(&files, 2, "stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  pid_t child = -1;
  if (posix_spawn(&child, program, &files, NULL, run->arguments, environment) != 0) child = -1;
  posix_spawn_file_actions_destroy(&files);
  if (child < 0)
  {
    perror(program);
    exit(2);
  }
  return child;
}

static int wait_for(pid_t child)
{
  int how = 0;
  alarm(HUNG);  // ends this process if the command hangs
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
  alarm(0);
  ++runs;
  return how;
}

// --- checks

// The results of the command when nothing fails.
typedef struct Expected
{
  int code;
  long allocations, writes;
  char* text;  // of the file
  size_t size;
  double seconds;
} Expected;

// Commands whose output must not exist beforehand: databases of studies.
static bool is_database(const char* command)
{
  return !strncmp(command, "study ", 6) && strstr(command, "OUT.db");
}

static bool write_old(const char* command, const Run* run)
{
  static const char* const parts[] = {"OUT.db", "OUT.db-wal", "OUT.db-shm", "OUT.db-journal"};
  for (size_t i = 0; is_database(command) && i < sizeof parts / sizeof *parts; ++i)
    unlink(parts[i]);
  FILE* file = run->out[0] && !is_database(command) ? fopen(run->out, "w") : NULL;
  if (!file) return false;
  fputs("old\n", file);
  fclose(file);
  return true;
}

static bool succeeds(const char* command)
{
  Run run;
  make_run(command, &run);
  int how = wait_for(start(&run, NULL, false));
  return WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

// There is no database, or a whole one; that of a study may be what --resume continues.
static void check_database(const char* command, const char* fault, bool done)
{
  bool there = access("OUT.db", F_OK) == 0, merged = strstr(command, "merge") != NULL;
  if (!there && done) complain(command, fault, "it ended well without its database");
  if (!there) return;
  if ((done || merged) && !succeeds("study report OUT.db"))
    complain(command, fault, "the database is not whole");
  if (!done && !merged && !succeeds("study study.yaml --samples 8 --resume --out OUT.db"))
    complain(command, fault, "the database cannot be resumed");
}

// The file is the old or the new one, according to the exit code, and no other file is left.
static void check_file(const char* command, const char* fault, const Run* run,
                       const Expected* expected, bool done)
{
  static char text[MOST_TEXT];
  if (temporary_is_left()) complain(command, fault, "a temporary file is left");
  if (!run->out[0]) return;
  if (is_database(command))
  {
    check_database(command, fault, done);
    return;
  }
  size_t size = read_whole(run->out, text);
  bool old    = size == 4 && !memcmp(text, "old\n", 4);
  bool whole  = size == expected->size && !memcmp(text, expected->text, size);
  if (!old && !whole) complain(command, fault, "the file is neither the old one nor the new one");
  if (done && !whole) complain(command, fault, "it ended well without its file");
}

static bool stderr_has(const char* words)
{
  static char text[MOST_TEXT];
  read_whole("stderr", text);
  return strstr(text, words) != NULL;
}

// Prints the whole message of a sanitizer, which names the source line.
static void check_sanitizers(const char* command, const char* fault)
{
  static char text[MOST_TEXT];
  if (!stderr_has("Sanitizer") && !stderr_has("runtime error:")) return;
  complain(command, fault, "a sanitizer has found something");
  read_whole("stderr", text);
  printf("%.3000s\n", text);
}

// A shell continues after a failed command, and exits with 1.
static bool is_told(const char* command, int code, const char* words)
{
  bool told = stderr_has(words);
  if (!strcmp(words, "No space left"))  // SQLite has its own words
    told = told || stderr_has("disk is full") || stderr_has("disk I/O error");
  return (code == 3 || (code == 1 && !strncmp(command, "shell", 5))) && told;
}

static void check_end(const char* command, const char* fault, int how, const Expected* expected,
                      const char* words)
{
  char what[128];
  check_sanitizers(command, fault);
  if (stderr_has("Memory allocation failed")) complain(command, fault, "libxml2 has printed");
  if (WIFSIGNALED(how))
    snprintf(what, sizeof what, "signal %d", WTERMSIG(how));
  else if (WEXITSTATUS(how) == expected->code || is_told(command, WEXITSTATUS(how), words))
    return;
  else
    snprintf(what, sizeof what, "exit %d and not \"%s\"", WEXITSTATUS(how), words);
  complain(command, fault, what);
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool find_expected(const char* command, const Run* run, bool preload, Expected* expected)
{
  static char text[MOST_TEXT];
  unlink(run->out);
  double began      = now();
  int how           = wait_for(start(run, NULL, preload));
  expected->seconds = now() - began;
  expected->code    = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
  if (expected->code != 0 && expected->code != 1)
  {
    read_whole("stderr", text);
    // an optional part that is missing cannot fail
    if (strstr(text, "built without") || strstr(text, "is not installed")) return false;
    printf("FAILED: linkwork %s: ends with %d\n%s", command, expected->code, text);
    ++failures;
    return false;
  }
  read_whole("counts", text);
  if (sscanf(text, "%ld %ld", &expected->allocations, &expected->writes) != 2)
    expected->allocations = 0;
  expected->size = run->out[0] ? read_whole(run->out, text) : 0;
  expected->text = malloc(expected->size + 1);
  if (!expected->text || expected->size == (size_t)-1) return false;
  memcpy(expected->text, text, expected->size);
  return true;
}

static void run_once(const char* command, const Run* run, const Expected* expected,
                     const char* fault, const char* words)
{
  write_old(command, run);
  int how = wait_for(start(run, fault, true));
  check_end(command, fault, how, expected, words);
  check_file(command, fault, run, expected, WIFEXITED(how) && WEXITSTATUS(how) == expected->code);
}

// --- kinds of faults

// The i-th allocation to fail in a sample: the first ones, the last ones, when answers are written,
// then random ones.
static long sampled(long i, long count, lwRandom* random)
{
  if (i < sample) return i;
  if (i < sample + sample / 2) return count - 1 - (i - sample);
  return sample + (long)(lw_random_bits(random) % (uint64_t)(count - sample));
}

static void fail_allocations(const char* command, const Run* run, const Expected* expected,
                             lwRandom* random)
{
  char fault[64];
  long count = expected->allocations;
  bool all   = getenv("FAULTS_ALL") || count < 2 * sample;
  for (long i = 0; i < (all ? count : 2 * sample); ++i)
  {
    long n = all ? i : sampled(i, count, random);
    snprintf(fault, sizeof fault, "FAULT_ALLOCATION=%ld", n + 1);
    run_once(command, run, expected, fault, "out of memory");
  }
}

static void fill_disk(const char* command, const Run* run, const Expected* expected,
                      lwRandom* random)
{
  (void)random;
  char fault[64];
  for (long n = 1; n <= expected->writes; ++n)
  {
    snprintf(fault, sizeof fault, "FAULT_WRITE=%ld", n);
    run_once(command, run, expected, fault, "No space left");
  }
}

static void send_signals(const char* command, const Run* run, const Expected* expected,
                         lwRandom* random)
{
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ, SIGUSR1};
  char fault[64];
  for (int i = 0; i < SIGNALS; ++i)
  {
    int number = signals[i % (int)(sizeof signals / sizeof *signals)];
    write_old(command, run);
    pid_t child  = start(run, NULL, false);
    double delay = 1.2 * expected->seconds * lw_random_between(random, 0, 1);
    nanosleep(&(struct timespec){(time_t)delay, (long)(1e9 * (delay - (double)(time_t)delay))},
              NULL);
    kill(child, number);
    int how   = wait_for(child);
    bool done = WIFEXITED(how) && WEXITSTATUS(how) == expected->code;
    snprintf(fault, sizeof fault, "signal %d after %.4f s", number, delay);
    bool told =
        WIFSIGNALED(how) ? WTERMSIG(how) == number : done || WEXITSTATUS(how) == 128 + number;
    if (!told) complain(command, fault, "a wrong exit code");
    check_file(command, fault, run, expected, done);
  }
}

static void refuse_threads(const char* command, const Run* run, const Expected* expected,
                           lwRandom* random)
{
  (void)random;
  write_old(command, run);
  int how = wait_for(start(run, "FAULT_THREADS=1", true));
  check_sanitizers(command, "no threads");
  if (!WIFEXITED(how) || WEXITSTATUS(how) != expected->code)
    complain(command, "no threads", "ended otherwise");
  check_file(command, "no threads", run, expected, true);
}

static const struct
{
  const char* name;
  void (*run)(const char* command, const Run* run, const Expected* expected, lwRandom* random);
} KINDS[] = {{"memory", fail_allocations},
             {"disk", fill_disk},
             {"signals", send_signals},
             {"threads", refuse_threads}};

// --- all

static void write_file(const char* path, const char* text)
{
  FILE* file = fopen(path, "w");
  if (!file || fputs(text, file) < 0 || fclose(file) != 0)
  {
    perror(path);
    exit(2);
  }
}

// More states than one thread takes at a time.
static void write_states(const char* path, bool times)
{
  FILE* file = fopen(path, "w");
  if (!file) exit(2);
  if (times) fputs("t,", file);
  for (int k = 0; k < 24; ++k)
    fprintf(file, "%s%s%d", k ? "," : "",
            k < 6    ? "q"
            : k < 12 ? "qd"
            : k < 18 ? "qdd"
                     : "tau",
            k % 6 + 1);
  for (int i = 0; i < 300; ++i)
  {
    fputs("\n", file);
    if (times) fprintf(file, "%d,", i);
    for (int k = 0; k < 24; ++k) fprintf(file, "%s%d.%d", k ? "," : "", (i + k) % 3, i);
  }
  fputs("\n", file);
  fclose(file);
}

static void write_inputs(void)
{
  char text[1024];
  write_states("states.csv", false);
  write_states("motion.csv", true);
  write_file("torques.csv",
             "q1,q2,q3,q4,q5,q6,tau1,tau2,tau3,tau4,tau5,tau6\n0,1,2,0,1,2,0,30,-2,0,0,0\n"
             "1,1,0,0,1,0,0,40,4,0,0.1,0\n");
  // xmlParserInputBufferCreateMem() of libxml2 2.9 leaks its buffer if it cannot fill it
  write_file("leaks.txt", "leak:xmlBufCreateSize\n");
  write_file("run.csv", "t,q1,q2,tau1\n0,1,2,3\n1,2,3,4\n2,0,1,2\n");
  write_file("commands.txt", "help\nalpha = 1 0 0 0 0 0\ninverse_arm\nforward_arm\nlint\nquit\n");
  snprintf(text, sizeof text,
           "linkwork: 1\nname: fall\nrobot: %s/puma560.yaml\nduration: 0.1\nrecord: 0.01\n",
           robots);
  write_file("scenario.yaml", text);
  write_file("still.csv", "t,q1,q2,q3,q4,q5,q6\n0,0,-1,1,0,1,0\n1,0,-1,1.1,0,1,0\n");
  snprintf(text, sizeof text,
           "linkwork: 1\nstudy: payloads\nrun: {inverse: {robot: %s/planar2r.yaml, waypoints: [[0, "
           "0], [1, 1]], duration: 1, dt: 0.1}}\nvary: {mass: {scale: links.*.mass, uniform: "
           "[0.9, 1.1]}}\nmeasure: {peak: {peak: tau1}}\nbands: {columns: [tau1], steps: 4}\n",
           robots);
  write_file("study.yaml", text);
}

// Runs a command that makes an input of others.
static void make_input(const char* command, const char* path)
{
  Run run;
  unlink(path);
  make_run(command, &run);
  int how = wait_for(start(&run, NULL, false));
  if (!WIFEXITED(how) || WEXITSTATUS(how) != 0) complain(command, "no fault", "makes no input");
}

// Every command of the program is in one of the lists.
static void check_commands(void)
{
  static char text[MOST_TEXT];
  Run run;
  char name[64];
  int found = 0;
  make_run("help --as markdown", &run);
  wait_for(start(&run, NULL, false));
  read_whole("stdout", text);
  for (const char* at = text; (at = strstr(at, "\n| [`"));)
  {
    size_t length = strcspn(at += 5, "`");
    bool listed   = false;
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; ++i)
      listed |= !strncmp(COMMANDS[i], name, length) && !(COMMANDS[i][length] & ~' ');
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; ++i) listed |= !strcmp(OTHERS[i], name);
    if (!listed) complain(name, "no fault", "is not in the list of commands");
    ++found;
  }
  if (found < 60) complain("help --as markdown", "no fault", "does not list the commands");
}

static void try_command(const char* command, int kinds, char** kind)
{
  Run run;
  Expected expected = {0};
  lwRandom random   = {11};
  make_run(command, &run);
  if (find_expected(command, &run, true, &expected))
    for (int k = 0; k < kinds; ++k)
      for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; ++i)
        if (!strcmp(kind[k], KINDS[i].name)) KINDS[i].run(command, &run, &expected, &random);
  if (run.out[0]) unlink(run.out);
  free(expected.text);
}

int main(int count, char** arguments)
{
  if (count < 6 || chdir(arguments[4]) != 0)
  {
    fprintf(stderr, "usage: inject PROGRAM LIBRARY ROBOTS FOLDER KIND...\n");
    return 2;
  }
  program = arguments[1];
  library = arguments[2];
  robots  = arguments[3];
  write_inputs();
  const char *only = getenv("FAULTS_COMMAND"), *some = getenv("FAULTS_SAMPLE");
  if (some) sample = strtol(some, NULL, 10);
  check_commands();
  make_input("excite ROBOTS/planar2r.yaml --duration 5 --dt 0.05 --out excited.csv", "excited.csv");
  make_input("inverse ROBOTS/planar2r.yaml --in excited.csv --keep --out log.csv", "log.csv");
  make_input("study study.yaml --samples 8 --out input.db", "input.db");
  make_input("simulate scenario.yaml --duration 0.05 --save state --quiet", "state");
  make_input("simulate scenario.yaml --trace trace --quiet", "trace");
  for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; ++i)
    if (!only || strstr(COMMANDS[i], only)) try_command(COMMANDS[i], count - 5, arguments + 5);
  printf("%ld runs, %ld failures\n", runs, failures);
  return failures > 0;
}
