// SPDX-License-Identifier: MIT
// States of runs as bytes. One function per structure passes every field that outlives a call; the
// same function counts, writes, checks and reads, so that what is read is what was written. Bytes
// may come from a file: ranges are checked before anything of the run is changed.
#ifndef LW_BASE_STATE_H
#define LW_BASE_STATE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum lwStatePass
{
  LW_STATE_COUNT,  // bytes that are needed
  LW_STATE_WRITE,
  LW_STATE_CHECK,  // ranges of what would be read
  LW_STATE_READ
} lwStatePass;

typedef struct lwStateBytes
{
  lwStatePass pass;
  unsigned char* bytes;  // to be written, or
  const unsigned char* from;
  size_t size, at;
  bool wrong;  // a number is out of its range, or bytes are missing
} lwStateBytes;

// Bytes at data, `length` of them; they may have any value.
static inline void lw_state_bytes(lwStateBytes* state, void* data, size_t length)
{
  size_t left = state->size - state->at;
  bool fits   = state->pass == LW_STATE_COUNT || length <= left;
  if (!fits) state->wrong = true;
  if (fits && length > 0 && state->pass == LW_STATE_WRITE)
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): bytes are there when they are written
    memcpy(state->bytes + state->at, data, length);
  if (fits && length > 0 && state->pass == LW_STATE_READ)
    memcpy(data, state->from + state->at, length);
  if (fits) state->at += length;
}

static inline void lw_state_numbers(lwStateBytes* state, double* numbers, size_t count)
{
  lw_state_bytes(state, numbers, count * sizeof *numbers);
}

// A whole number from low to high, 8 bytes; the one read, or the one given.
static inline int64_t lw_state_whole(lwStateBytes* state, int64_t value, int64_t low, int64_t high)
{
  bool reads = state->pass >= LW_STATE_CHECK;
  if (reads && state->size - state->at >= sizeof value)
    memcpy(&value, state->from + state->at, sizeof value);
  if (reads && (value < low || value > high)) state->wrong = true;
  int64_t kept = value;
  lw_state_bytes(state, &kept, sizeof kept);
  return value;
}

// Any number; the one read, or the one given.
static inline double lw_state_number(lwStateBytes* state, double* number)
{
  double value = *number;
  if (state->pass >= LW_STATE_CHECK && state->size - state->at >= sizeof value)
    memcpy(&value, state->from + state->at, sizeof value);
  lw_state_numbers(state, number, 1);
  return value;
}

static inline double lw_state_finite(lwStateBytes* state, double* number)
{
  double value = lw_state_number(state, number);
  if (state->pass == LW_STATE_CHECK && !isfinite(value)) state->wrong = true;
  return value;
}

static inline void lw_state_finites(lwStateBytes* state, double* numbers, size_t count)
{
  for (size_t i = 0; i < count; ++i) lw_state_finite(state, &numbers[i]);
}

// The most that a count may be, so that it can go on counting.
#define LW_STATE_MOST (INT64_C(1) << 62)

// Passes an integer of any type with its range.
#define LW_STATE_INTEGER(state, place, low, high)                                                  \
  do                                                                                               \
  {                                                                                                \
    int64_t passed_ = lw_state_whole(state, (int64_t)(place), low, high);                          \
    if ((state)->pass == LW_STATE_READ) (place) = (__typeof__(place))passed_;                      \
  } while (0)

static inline void lw_state_flags(lwStateBytes* state, bool* flags, size_t count)
{
  for (size_t i = 0; i < count; ++i) LW_STATE_INTEGER(state, flags[i], 0, 1);
}

static inline void lw_state_ints(lwStateBytes* state, int* ints, size_t count, int low, int high)
{
  for (size_t i = 0; i < count; ++i) LW_STATE_INTEGER(state, ints[i], low, high);
}

// Signs, -1 to 1.
static inline void lw_state_signs(lwStateBytes* state, signed char* signs, size_t count)
{
  for (size_t i = 0; i < count; ++i) LW_STATE_INTEGER(state, signs[i], -1, 1);
}

// FNV-1a (Fowler, Noll & Vo), which begins with this.
#define LW_STATE_HASH UINT64_C(0xCBF29CE484222325)
static inline uint64_t lw_state_hash(uint64_t hash, const void* data, size_t length)
{
  const unsigned char* bytes = data;
  for (size_t i = 0; i < length; ++i)
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): all bytes were written
    hash = (hash ^ bytes[i]) * 0x100000001B3u;
  return hash;
}

// A state begins with these: what it is of, how long it is, and a checksum of what follows.
typedef struct lwStateHead
{
  char magic[8];   // "lwstate1"
  uint64_t kind;   // hash of everything that the definition of the run fixes
  uint64_t bytes;  // all of it
  uint64_t sum;
} lwStateHead;

typedef void lwStateFields(void* run, lwStateBytes* state);

static inline size_t lw_state_save(void* run, lwStateFields* fields, uint64_t kind, void* to,
                                   size_t capacity)
{
  lwStateHead head   = {.magic = "lwstate1", .kind = kind};
  lwStateBytes state = {.pass = LW_STATE_COUNT, .at = sizeof head};
  fields(run, &state);
  head.bytes = state.at;
  if (state.at > capacity) return state.at;
  state = (lwStateBytes){LW_STATE_WRITE, to, to, state.at, sizeof head, false};
  fields(run, &state);
  head.sum = lw_state_hash(LW_STATE_HASH, state.bytes + sizeof head, state.size - sizeof head);
  memcpy(to, &head, sizeof head);  // NOLINT(clang-analyzer-core.NonNullParamChecker)
  return state.at;
}

// False, and nothing changed: these are not the bytes of such a run.
static inline bool lw_state_restore(void* run, lwStateFields* fields, uint64_t kind,
                                    const void* from, size_t size)
{
  lwStateHead head;
  if (size < sizeof head) return false;
  memcpy(&head, from, sizeof head);
  lwStateBytes state = {LW_STATE_CHECK, NULL, from, size, sizeof head, false};
  if (memcmp(head.magic, "lwstate1", 8) != 0 || head.kind != kind || head.bytes != size ||
      head.sum != lw_state_hash(LW_STATE_HASH, state.from + sizeof head, size - sizeof head))
    return false;
  fields(run, &state);
  if (state.wrong || state.at != size) return false;
  state.pass = LW_STATE_READ;
  state.at   = sizeof head;
  fields(run, &state);
  return true;
}

#endif
