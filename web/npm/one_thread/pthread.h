// SPDX-License-Identifier: MIT
// WebAssembly has one thread here: what read/urdf/xml.c needs of pthread.h.
#ifndef ONE_THREAD_PTHREAD_H
#define ONE_THREAD_PTHREAD_H

#define PTHREAD_ONCE_INIT 0

typedef int pthread_once_t;

static inline int pthread_once(pthread_once_t* once, void (*work)(void))
{
  if (!*once) work();
  *once = 1;
  return 0;
}

#endif
