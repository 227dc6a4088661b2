// SPDX-License-Identifier: MIT
// The list of identities, and how each is checked.
#include <math.h>

#include "answer/prove/prove.h"
#include "base/memory.h"
#include "math/elementary.h"

lwProofDef lw_proof_def(void)
{
  return (lwProofDef){.points = 1, .seed = 1, .cookie = LW_COOKIE};
}

lwStatus lw_proof_open(const lwProofDef* def, int capacity, lwProof** proof)
{
  lwProofDef given = def ? *def : lw_proof_def();
  *proof           = NULL;
  lwStatus status  = lw_def_check(given.cookie, "lw_proof_def()", NULL);
  if (status != LW_OK) return status;
  if (given.points < 1) return LW_ERROR_INPUT;
  lwProof* made = lw_memory_zeros(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  made->def        = given;
  made->capacity   = capacity;
  made->identities = lw_arena_take(&made->arena, (size_t)capacity, sizeof *made->identities);
  if (!made->identities)
  {
    lw_proof_destroy(made);
    return LW_ERROR_MEMORY;
  }
  *proof = made;
  return LW_OK;
}

void lw_proof_destroy(lwProof* proof)
{
  if (!proof) return;
  lw_arena_free(&proof->arena);
  lw_memory_give(proof);
}

lwRandom lw_proof_random(const lwProof* proof, int point)
{
  lwRandom random = {proof->def.seed * 0x9E3779B97F4A7C15u + (uint64_t)point};
  random.state    = lw_random_bits(&random);
  return random;
}

void lw_proof_random_values(lwRandom* random, lwPrime* values, int count)
{
  for (int i = 0; i < count; ++i) values[i] = lw_prime_random(random);
}

static lwIdentity* next_identity(lwProof* proof, const char* about, const char* left,
                                 const char* right, int entries)
{
  lwIdentity* identity = &proof->identities[proof->next++];
  if (proof->next > proof->count)
  {
    proof->count = proof->next;
    *identity    = (lwIdentity){.about   = about,
                                .left    = left,
                                .right   = right,
                                .entries = entries,
                                .holds   = true,
                                .witness = -1,
                                .entry   = -1};
  }
  ++identity->points;
  return identity;
}

static void judge_entry(const lwProof* proof, lwIdentity* identity, int i, bool equal,
                        double degree)
{
  identity->degree = fmax(identity->degree, degree);
  if (equal || !identity->holds) return;
  identity->holds   = false;
  identity->witness = proof->point;
  identity->entry   = i;
}

// Each entry may hide with degree / p at each point, and the points are independent of each other.
static void judge_probability(lwIdentity* identity)
{
  double one            = fmin(1, identity->degree / (double)LW_PRIME_MODULUS);
  identity->probability = fmin(1, identity->entries * lw_pow(one, identity->points));
}

static void compare_entries(lwProof* proof, const char* about, const char* left, const char* right,
                            int entries, const lwPrime* a, const lwPrime* b, bool slope)
{
  lwIdentity* identity = next_identity(proof, about, left, right, entries);
  for (int i = 0; i < entries; ++i)
  {
    lwPrime found = slope ? lw_prime_slope(a[i]) : a[i];
    judge_entry(proof, identity, i, found.value == b[i].value,
                lw_prime_degree(found, b[i]) + (slope ? proof->substitute : 0));
  }
  judge_probability(identity);
}

void lw_proof_compare(lwProof* proof, const char* about, const char* left, const char* right,
                      int entries, const lwPrime* a, const lwPrime* b)
{
  compare_entries(proof, about, left, right, entries, a, b, false);
}

void lw_proof_compare_slope(lwProof* proof, const char* about, const char* left, const char* right,
                            int entries, const lwPrime* a, const lwPrime* b)
{
  compare_entries(proof, about, left, right, entries, a, b, true);
}

int lw_proof_count(const lwProof* proof)
{
  return proof->count;
}

const lwIdentity* lw_proof_identity(const lwProof* proof, int i)
{
  return &proof->identities[i];
}
