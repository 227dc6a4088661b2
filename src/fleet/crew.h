// SPDX-License-Identifier: MIT
// Threads that wait for work. If a thread cannot be created, the others do its share.
#ifndef LW_FLEET_CREW_H
#define LW_FLEET_CREW_H

enum
{
  LW_MAX_THREADS = 4096
};

typedef struct lwCrew lwCrew;

// Does a piece of work, on thread `hand` of the crew, 0 being the caller's own.
typedef void lwCrewWork(void* context, int piece, int hand);

// The number of threads that a caller's number means; 0 from the caller: as many as this process
// has processors. Returns 0 if the number is wrong.
int lw_thread_count(int asked);

// Starts the threads, as many as can be made, beside the caller's own. NULL: out of memory.
lwCrew* lw_crew_create(int threads);
void lw_crew_destroy(lwCrew* crew);

// Threads that there are, the caller's own included.
int lw_crew_size(const lwCrew* crew);

// Does pieces 0 .. count - 1, each once, and returns when all are done. Neighbouring pieces are
// handed out in runs that become shorter. Allocates nothing.
void lw_crew_run(lwCrew* crew, int count, lwCrewWork* work, void* context);

#endif
