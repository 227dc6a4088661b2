// SPDX-License-Identifier: MIT
// OpenMP, or the one thread of a build without it.
#ifndef LW_BATCH_THREADS_H
#define LW_BATCH_THREADS_H

#include <stdbool.h>

#if defined(_OPENMP)
#include <omp.h>
#define LW_HAS_THREADS true
#else
#define LW_HAS_THREADS false
static inline int omp_get_max_threads(void)
{
  return 1;
}

static inline int omp_get_thread_num(void)
{
  return 0;
}
#endif

enum
{
  LW_MAX_THREADS = 4096
};

// How many threads are meant by a number that a caller gave, 0 being all of the machine; 0: the number is wrong.
static inline int lw_thread_count(int asked)
{
  int most =
      omp_get_max_threads();  // also for one thread: OpenMP takes memory when it is first called
  if (asked < 0 || asked > LW_MAX_THREADS) return 0;
  return asked == 0 || !LW_HAS_THREADS ? most : asked;
}

#endif
