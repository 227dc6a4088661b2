// SPDX-License-Identifier: MIT
/// @file host.h What a program may provide for the library in it: memory, and a place for findings
/// as they are reported. Both are optional.
#ifndef LINKWORK_HOST_H
#define LINKWORK_HOST_H

#include "linkwork/base.h"

/// Takes, resizes and frees memory. memory NULL: takes bytes bytes, at a multiple of alignment, a
/// power of 2; NULL if there are none. bytes 0: frees memory. Blocks are not asked to change their
/// size.
typedef void* lwAllocator(void* context, void* memory, size_t bytes, size_t alignment);

/// From now on linkwork::core takes its memory from the allocator: models, workspaces, loops,
/// snakes, proofs, lists of findings. NULL: from the C library, as in the beginning. Call it while
/// no object of the library exists and no other thread uses it. Readers, runs and all else beyond
/// the core use the C library, too.
LW_API void lw_memory_set_allocator(lwAllocator* allocator, void* context);

/// Called with a finding when it is reported, on the thread that reports it. The message lives as
/// long as the list. It must not use the list.
typedef void lwFinding(void* context, const lwMessage* message);

/// Calls finding for every message that the list keeps from now on; NULL: for none, as in the
/// beginning.
LW_API void lw_diag_watch(lwDiag* diag, lwFinding* finding, void* context);

#endif
