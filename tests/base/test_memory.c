// SPDX-License-Identifier: MIT
// A program's own allocator, and findings as they are reported: linkwork/host.h.
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "linkwork/core.h"
#include "support/testing.h"

// An allocator that counts, and fails from a certain call on. Each block is after a header of 64
// bytes with its own address, so that a block that came from somewhere else is noticed.
typedef struct
{
  int taken, given, most;  // most: calls that succeed
} Counts;

enum
{
  HEADER = 64
};

static void* counting(void* context, void* memory, size_t bytes, size_t alignment)
{
  Counts* counts = context;
  if (bytes == 0)
  {
    char* block = (char*)memory - HEADER;
    void* kept;
    memcpy(&kept, block, sizeof kept);
    assert_ptr_equal(kept, memory);
    ++counts->given;
    free(block);
    return NULL;
  }
  assert_null(memory);
  assert_true(alignment >= 16 && alignment <= HEADER && (alignment & (alignment - 1)) == 0);
  if (counts->taken == counts->most) return NULL;
  char* block = aligned_alloc(HEADER, (bytes + 2 * HEADER - 1) / HEADER * HEADER);
  if (!block) return NULL;
  ++counts->taken;
  memset(block, 0x5A, bytes + HEADER);  // not zeros, as memory may be
  char* given = block + HEADER;
  memcpy(block, &given, sizeof given);
  assert_int_equal((uintptr_t)given % alignment, 0);
  return given;
}

// Uses every kind of object of the core. LW_OK, or why there was none.
static lwStatus use_all(double tau[7])
{
  const double q[7]          = {0.1, -0.4, 0.3, -1.8, 0.2, 1.5, 0.8};
  lwDiag* diag               = lw_diag_create();
  lwModel* arm               = NULL;
  lwWorkspace* ws            = NULL;
  lwSnake* snake             = NULL;
  lwSnakeWorkspace* snake_ws = NULL;
  lwDifferentiator* slopes   = NULL;
  lwProof* proof             = NULL;
  lwStatus status            = diag ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_model_create_generic(7, &arm);
  if (status == LW_OK) status = lw_workspace_create(arm, NULL, diag, &ws);
  if (status == LW_OK) status = lw_differentiator_create(arm, NULL, NULL, 0, diag, &slopes);
  if (status == LW_OK) status = lw_proof_create(arm, NULL, &proof);
  if (status == LW_OK) status = lw_snake_create_generic(5, &snake);
  if (status == LW_OK) status = lw_snake_workspace_create(snake, NULL, diag, &snake_ws);
  if (status == LW_OK) lw_inverse_dynamics(arm, ws, q, q, q, tau);
  lw_proof_destroy(proof);
  lw_differentiator_destroy(slopes);
  lw_snake_workspace_destroy(snake_ws);
  lw_snake_destroy(snake);
  lw_workspace_destroy(ws);
  lw_model_destroy(arm);
  lw_diag_destroy(diag);
  return status;
}

static void objects_of_the_core_come_from_the_allocator(void** state)
{
  (void)state;
  Counts counts = {.most = 1000000};
  double usual[7], own[7];
  assert_int_equal(use_all(usual), LW_OK);
  lw_memory_set_allocator(counting, &counts);
  lwStatus status = use_all(own);
  lw_memory_set_allocator(NULL, NULL);
  assert_int_equal(status, LW_OK);
  assert_true(counts.taken >= 7);
  assert_int_equal(counts.taken, counts.given);
  assert_memory_equal(own, usual, sizeof own);
}

static void an_allocator_may_fail_at_any_call(void** state)
{
  (void)state;
  double tau[7];
  Counts all = {.most = 1000000};
  lw_memory_set_allocator(counting, &all);
  lwStatus status = use_all(tau);
  for (int most = 0; most < all.taken && status == LW_OK; ++most)
  {
    Counts counts = {.most = most};
    lw_memory_set_allocator(counting, &counts);
    lwStatus failed = use_all(tau);
    if (failed != LW_ERROR_MEMORY || counts.taken != counts.given) status = LW_ERROR_INPUT;
  }
  lw_memory_set_allocator(NULL, NULL);
  assert_int_equal(status, LW_OK);
  assert_int_equal(all.taken, all.given);
}

static void keep_text(void* context, const lwMessage* message)
{
  char* texts = context;
  strcat(strcat(texts, message->text), "; ");
}

static void findings_are_handed_over_when_they_are_reported(void** state)
{
  (void)state;
  char texts[200] = "";
  lwDiag* diag    = lw_diag_create();
  LW_REFUSE(diag, NULL, "before");
  lw_diag_watch(diag, keep_text, texts);
  LW_REFUSE(diag, NULL, "first");
  lw_diag_report(diag, LW_SEVERITY_WARNING, NULL, (lwPlace){0}, NULL, "second %d", 2);
  lw_diag_watch(diag, NULL, NULL);
  LW_REFUSE(diag, NULL, "after");
  assert_string_equal(texts, "first; second 2; ");
  assert_int_equal(lw_diag_size(diag), 4);
  lw_diag_watch(NULL, keep_text, texts);  // as every function takes no list
  lw_diag_destroy(diag);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(objects_of_the_core_come_from_the_allocator),
      cmocka_unit_test(an_allocator_may_fail_at_any_call),
      cmocka_unit_test(findings_are_handed_over_when_they_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
