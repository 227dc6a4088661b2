/* How often the allocator was called. */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

extern long allocations;

#endif
