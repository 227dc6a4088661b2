// SPDX-License-Identifier: MIT
// Threads that wait for work. If a thread cannot be created, the others do its share.
#ifndef LW_FLEET_THREAD_POOL_H
#define LW_FLEET_THREAD_POOL_H

enum
{
  LW_MAX_THREADS = 4096
};

typedef struct lwThreadPool lwThreadPool;

// Runs task `task` on worker thread `worker`; worker 0 is the calling thread.
typedef void lwPoolTask(void* context, int task, int worker);

// The number of threads that a caller's number means; 0 from the caller: as many as this process
// has processors. Returns 0 if the number is wrong.
int lw_thread_count(int asked);

// Starts the threads, as many as can be made, beside the caller's own. NULL: out of memory.
lwThreadPool* lw_pool_create(int threads);
void lw_pool_destroy(lwThreadPool* pool);

// Threads that there are, the caller's own included.
int lw_pool_size(const lwThreadPool* pool);

// Runs tasks 0 .. count - 1, each once, and returns when all are done. Neighbouring tasks are
// handed out in runs that become shorter. Allocates nothing.
void lw_pool_run(lwThreadPool* pool, int count, lwPoolTask* work, void* context);

#endif
