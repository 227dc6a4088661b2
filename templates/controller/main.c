/* The loop in real time. Every period it wakes at its time, reads the arm, computes torques, and hands them over; what it
   saw goes into a log in memory, which is written when the loop has ended.

     controller [--seconds T] [--rate HZ] [--log FILE]

   Memory is locked and touched before the loop. With the right to do so (root, or CAP_SYS_NICE), it runs with the
   real-time priority SCHED_FIFO. Exit code 0: it followed the motion without an allocation; 1: it did not. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "allocations.h"
#include "control.h"
#include "plant.h"

enum
{
  MOST = 200000 /* records of the log */
};

static const double LARGEST_ERROR = 0.01; /* rad or m, of the joint that is farthest from its place */

typedef struct Record
{
  double t;       /* s */
  double late;    /* s, from the time to wake to waking */
  double busy;    /* s, from waking to the torques */
  double error;   /* rad or m, the largest of the joints */
  double q[ARM_JOINTS];
  double tau[ARM_JOINTS];
} Record;

static Record records[MOST];

static double seconds_between(const struct timespec* from, const struct timespec* to)
{
  return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

static void add_time(struct timespec* t, long nanoseconds)
{
  t->tv_nsec += nanoseconds;
  while (t->tv_nsec >= 1000000000)
  {
    t->tv_nsec -= 1000000000;
    ++t->tv_sec;
  }
}

static void prepare(void)
{
  const struct sched_param priority = {.sched_priority = 80};
  volatile char stack[64 << 10];
  for (size_t i = 0; i < sizeof stack; i += 1024) stack[i] = 0;
  memset(records, 1, sizeof records); /* every page is there before the loop */
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) fprintf(stderr, "memory is not locked: %s\n", strerror(errno));
  if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0)
    fprintf(stderr, "no real-time priority: %s\n", strerror(errno));
}

static void run(Arm* arm, Control* control, long period, int count)
{
  struct timespec due, woken, done;
  double h = 1e-9 * (double)period;
  clock_gettime(CLOCK_MONOTONIC, &due);
  for (int i = 0; i < count; ++i)
  {
    Record* record = &records[i];
    add_time(&due, period);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR) {}
    clock_gettime(CLOCK_MONOTONIC, &woken);
    control_step(control, i * h, arm->q, arm->qd, record->tau);
    clock_gettime(CLOCK_MONOTONIC, &done);
    record->t     = i * h;
    record->late  = seconds_between(&due, &woken);
    record->busy  = seconds_between(&woken, &done);
    record->error = 0;
    for (int k = 0; k < ARM_JOINTS; ++k) record->error = fmax(record->error, fabs(control->wanted[k] - arm->q[k]));
    memcpy(record->q, arm->q, sizeof record->q);
    plant_step(arm, record->tau, h);
  }
}

static int by_size(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Median, 99 % and largest of what the records hold at an offset, in microseconds. */
static void report(const char* what, size_t offset, int count)
{
  double* values = malloc((size_t)count * sizeof *values);
  if (!values) return;
  for (int i = 0; i < count; ++i) memcpy(&values[i], (const char*)&records[i] + offset, sizeof(double));
  qsort(values, (size_t)count, sizeof *values, by_size);
  printf("%-10s median %8.1f us, 99 %% %8.1f us, largest %8.1f us\n", what, 1e6 * values[count / 2],
         1e6 * values[count * 99 / 100], 1e6 * values[count - 1]);
  free(values);
}

static int write_log(const char* path, int count)
{
  FILE* file = fopen(path, "w");
  if (!file) return 0;
  fprintf(file, "t,late,busy,error");
  for (int k = 1; k <= ARM_JOINTS; ++k) fprintf(file, ",q%d", k);
  for (int k = 1; k <= ARM_JOINTS; ++k) fprintf(file, ",tau%d", k);
  for (int i = 0; i < count; ++i)
  {
    const Record* r = &records[i];
    fprintf(file, "\n%.9g,%.9g,%.9g,%.9g", r->t, r->late, r->busy, r->error);
    for (int k = 0; k < ARM_JOINTS; ++k) fprintf(file, ",%.9g", r->q[k]);
    for (int k = 0; k < ARM_JOINTS; ++k) fprintf(file, ",%.9g", r->tau[k]);
  }
  fprintf(file, "\n");
  return fclose(file) == 0;
}

int main(int count, char** words)
{
  double seconds = 10, rate = 1000, worst = 0;
  const char* log = "log.csv";
  Control control;
  Arm arm;
  for (int i = 1; i + 1 < count; i += 2)
  {
    if (!strcmp(words[i], "--seconds")) seconds = strtod(words[i + 1], NULL);
    if (!strcmp(words[i], "--rate")) rate = strtod(words[i + 1], NULL);
    if (!strcmp(words[i], "--log")) log = words[i + 1];
  }
  int samples = (int)lrint(seconds * rate), missed = 0;
  if (!(rate >= 1 && rate <= 1e5) || samples < 1 || samples > MOST)
  {
    fprintf(stderr, "expected --rate 1 to 100000 and at most %d samples\n", MOST);
    return 2;
  }
  plant_begin(&arm);
  control_begin(&control, arm.q);
  prepare();
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  long allocated = allocations;
  run(&arm, &control, lrint(1e9 / rate), samples);
  allocated = allocations - allocated;
  getrusage(RUSAGE_SELF, &after);
  for (int i = 0; i < samples; ++i)
  {
    worst = fmax(worst, records[i].error);
    missed += records[i].late + records[i].busy > 1 / rate;
  }
  report("late", offsetof(Record, late), samples);
  report("computing", offsetof(Record, busy), samples);
  printf("samples %d at %g Hz, too late %d, allocations %ld, page faults %ld, largest error %.3g\n", samples, rate, missed,
         allocated, after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt, worst);
  if (!write_log(log, samples)) fprintf(stderr, "cannot write %s\n", log);
  return allocated == 0 && worst <= LARGEST_ERROR ? 0 : 1;
}
