// SPDX-License-Identifier: MIT
// The identities as people and programs read them, and the witness of one that does not hold.
#include <stdio.h>

#include "io/note.h"
#include "io/sheet.h"
#include "prove_command.h"

static const SheetColumn COLUMNS[] = {
    {"about", NULL, NULL},  {"left", NULL, NULL},      {"right", NULL, NULL},
    {"points", NULL, NULL}, {"degree", NULL, NULL},    {"probability", NULL, NULL},
    {"holds", NULL, NULL},  {"structure", NULL, NULL}, {"witness", NULL, NULL},
    {"entry", NULL, NULL},
};

static Cell cell_ordinal(int i)
{
  return i < 0 ? cell_text(NULL) : cell_number(i + 1);
}

static void proven_row(const void* context, int i, Cell* cells)
{
  const Proofs* proofs       = context;
  const Proven* proven       = &proofs->proven[i];
  const lwIdentity* identity = &proven->identity;
  cells[0]                   = cell_text(identity->about);
  cells[1]                   = cell_text(identity->left);
  cells[2]                   = cell_text(identity->right);
  cells[3]                   = cell_number(identity->points);
  cells[4]                   = cell_number(identity->degree);
  cells[5]                   = cell_number(identity->probability);
  cells[6]                   = cell_flag(identity->holds);
  cells[7]                   = cell_ordinal(proven->structure);
  cells[8]                   = cell_ordinal(identity->witness);
  cells[9]                   = cell_ordinal(identity->entry);
}

static void write_subject(const Proofs* proofs, Out* out)
{
  if (proofs->name)
    out_format(out, "%s, %d %s: its structure, with unknowns for its numbers\n", proofs->name,
               proofs->moving, proofs->snake ? "links" : "moving joints");
  else
    out_format(out, "%d random structures of 1 to %d joints, seed %llu\n", proofs->structures,
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
  lwModel* model             = NULL;
  if (!proofs->name && structure_make(proofs->def.seed, proven->structure, &model) == DONE)
    structure_text(model, structure, sizeof structure);
  lw_model_destroy(model);
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
  Out out;
  int failed = count_failed(proofs);
  int status = out_open(&out, proofs->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  Sheet sheet = {.columns = sizeof COLUMNS / sizeof COLUMNS[0],
                 .column  = COLUMNS,
                 .rows    = proofs->count,
                 .row     = proven_row,
                 .context = proofs};
  if (proofs->format == FORMAT_TABLE)
  {
    write_subject(proofs, &out);
    sheet.columns = 7;  // the witness stands below
  }
  sheet_write(&out, proofs->format, &sheet);
  if (proofs->format == FORMAT_TABLE && failed == 0)
    out_format(&out,
               "all %d identities hold; probability: that a false one was overlooked. Proven are "
               "the formulas, not their rounding.\n",
               proofs->count);
  report_failures(proofs);
  return out_close(&out, failed == 0 ? DONE : NO, true);
}
