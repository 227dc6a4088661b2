// SPDX-License-Identifier: MIT
// The identities as people and programs read them, and the witness of one that does not hold.
#include <stdio.h>

#include "io/note.h"
#include "prove_command.h"

static const char COLUMNS[] =
    "about,left,right,points,degree,probability,holds,structure,witness,entry";

static lwCell cell_ordinal(int i)
{
  return i < 0 ? lw_cell_text(NULL) : lw_cell_number(i + 1);
}

static void proven_row(const void* context, int i, lwCell* cells)
{
  const Proofs* proofs       = context;
  const Proven* proven       = &proofs->proven[i];
  const lwIdentity* identity = &proven->identity;
  cells[0]                   = lw_cell_text(identity->about);
  cells[1]                   = lw_cell_text(identity->left);
  cells[2]                   = lw_cell_text(identity->right);
  cells[3]                   = lw_cell_number(identity->points);
  cells[4]                   = lw_cell_number(identity->degree);
  cells[5]                   = lw_cell_number(identity->probability);
  cells[6]                   = lw_cell_flag(identity->holds);
  cells[7]                   = cell_ordinal(proven->structure);
  cells[8]                   = cell_ordinal(identity->witness);
  cells[9]                   = cell_ordinal(identity->entry);
}

static void write_subject(const Proofs* proofs, lwOut* out)
{
  if (proofs->name)
    lw_out_format(out, "%s, %d %s: its structure, with unknowns for its numbers\n", proofs->name,
                  proofs->moving, proofs->snake ? "links" : "moving joints");
  else
    lw_out_format(out, "%d random structures of 1 to %d joints, seed %llu\n", proofs->structures,
                  MOST_RANDOM_JOINTS, proofs->def.seed);
}

static int count_failed(const Proofs* proofs)
{
  int failed = 0;
  for (int i = 0; i < proofs->count; ++i) failed += !proofs->proven[i].identity.holds;
  return failed;
}

// Where to look: the seed and the number of the point determine it.
static void report_witness(const Proofs* proofs, const Proven* proven)
{
  const lwIdentity* identity = &proven->identity;
  char structure[640]        = "";
  if (!proofs->name)
    structure_text(structure_make(proofs->def.seed, proven->structure), structure,
                   sizeof structure);
  fprintf(
      stderr,
      "linkwork: %s: %s is not %s: seed %llu, point %d, entry %d of %d; of a true identity this "
      "cannot be\n",
      identity->about, identity->left, identity->right, proofs->def.seed, identity->witness + 1,
      identity->entry + 1, identity->entries);
  if (structure[0]) say("linkwork: structure %d: %s\n", proven->structure + 1, structure);
}

static void report_failures(const Proofs* proofs)
{
  for (int i = 0; i < proofs->count; ++i)
    if (!proofs->proven[i].identity.holds) report_witness(proofs, &proofs->proven[i]);
}

int proofs_print(const Proofs* proofs)
{
  int failed    = count_failed(proofs);
  lwOut* out    = output_of(proofs->options);
  bool table    = proofs->format == FORMAT_TABLE;
  lwSheet sheet = {.columns = COLUMNS,
                   .most    = table ? 7 : 0,  // the witness stands below
                   .rows    = proofs->count,
                   .row     = proven_row,
                   .context = proofs};
  if (table) write_subject(proofs, out);
  lw_sheet_write(out, proofs->format, &sheet);
  if (table && failed == 0)
    lw_out_format(out,
                  "all %d identities hold; probability: that a false one was overlooked. Proven "
                  "are the formulas, not their rounding.\n",
                  proofs->count);
  report_failures(proofs);
  return output_end(out, failed == 0 ? DONE : NO);
}
