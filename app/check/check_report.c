// SPDX-License-Identifier: MIT
// The comparison of torques and its explanation, as people and programs read it.
#include "check_against.h"

static const int TABLE_ROWS = 12;  // suspects shown to people

static const double FEW_DIGITS = 1e-4;  // a relative difference that rounding in a file may cause

static const char* const EXPLAINS_TEXT[] = {"yes", "in part", "no"};

static const char COLUMNS[] = "suspect,before,after,absolute,row,joint,explains,detail";

static void misfit_cells(const Against* against, const lwMisfit* misfit, lwCell* cells)
{
  cells[2] = lw_cell_number(misfit->relative);
  cells[3] = lw_cell_number(misfit->absolute);
  cells[4] = lw_cell_number(misfit->row + 1);
  cells[5] = lw_cell_text(joint_name(against->model, misfit->joint));
}

// Row 0 is the comparison itself.
static void candidate_row(const void* context, int i, lwCell* cells)
{
  const Against* against       = context;
  const lwCandidate* candidate = i > 0 ? &against->why.candidates[i - 1] : NULL;
  bool agrees                  = against->misfit.relative <= against->tolerance;
  cells[0]                     = lw_cell_text(candidate ? candidate->name : "none");
  cells[1] = lw_cell_number(candidate ? against->why.before : against->misfit.relative);
  misfit_cells(against, candidate ? &candidate->after : &against->misfit, cells);
  if (candidate && against->sample.count < against->file.count) cells[4] = lw_cell_text(NULL);
  cells[6] = lw_cell_text(EXPLAINS_TEXT[candidate ? candidate->explains
                                        : agrees  ? LW_EXPLAINS
                                                  : LW_EXPLAINS_NOT]);
  cells[7] =
      lw_cell_text(candidate && candidate->detail[0] && candidate->explains != LW_EXPLAINS_NOT
                       ? candidate->detail
                       : NULL);
}

static void write_comparison(const Against* against, lwOut* out)
{
  const lwMisfit* misfit = &against->misfit;
  bool agrees            = misfit->relative <= against->tolerance;
  lw_out_format(out, "%s and %s %s: %d row%s, tolerance %g\n", lw_model_name(against->model),
                against->name, agrees ? "agree" : "disagree", against->file.count,
                against->file.count == 1 ? "" : "s", against->tolerance);
  lw_out_format(
      out, "worst difference %.3g %s, %.3g of the joint's largest torque: row %d, joint %d (%s)\n",
      misfit->absolute, joint_slides(against->model, misfit->joint) ? "N" : "N m", misfit->relative,
      misfit->row + 1, misfit->joint + 1, joint_name(against->model, misfit->joint));
}

// As good and as simple as the best one, so that the file cannot tell them apart.
static bool is_equal(const lwCandidate* best, const lwCandidate* other)
{
  return other->explains == best->explains && !lw_candidate_is_noise(best) &&
         !lw_candidate_is_noise(other) &&
         lw_candidate_is_pair(other) == lw_candidate_is_pair(best) &&
         lw_candidate_is_fit(other) == lw_candidate_is_fit(best) &&
         lw_candidate_freedom(other) == lw_candidate_freedom(best) &&
         other->after.relative <= 10 * best->after.relative + 1e-13;
}

static void write_candidate(const Against* against, lwOut* out, const lwCandidate* candidate)
{
  lw_out_format(out, "%s\n", candidate->name);
  for (int k = 0; k < LW_TRIAL_SUSPECTS && candidate->suspect[k]; ++k)
    lw_out_format(out, "  the file %s\n", candidate->suspect[k]->meaning);
  if (candidate->detail[0]) lw_out_format(out, "  %s\n", candidate->detail);
  if (candidate->held > 0)
    lw_out_format(
        out,
        "  %d of %d rows have a joint that stands: friction may hold it with any torque, which "
        "cannot decide and is left out\n",
        candidate->held, against->sample.count);
}

static void write_no_explanation(const Against* against, lwOut* out)
{
  lw_out_text(out, "not explained: no suspect, alone or with another, makes it much smaller\n");
  if (against->misfit.relative < FEW_DIGITS)
    lw_out_format(
        out, "it is small, as if from too few digits in the file: --tolerance %.1g allows it\n",
        2 * against->misfit.relative);
}

static void write_explanation(const Against* against, lwOut* out)
{
  const lwCandidate* best = against->why.count > 0 ? &against->why.candidates[0] : NULL;
  if (!best || best->explains == LW_EXPLAINS_NOT) return write_no_explanation(against, out);
  lw_out_text(out, best->explains == LW_EXPLAINS ? "explained by: " : "explained in part by: ");
  write_candidate(against, out, best);
  for (int i = 1; i < against->why.count && is_equal(best, &against->why.candidates[i]); ++i)
  {
    lw_out_text(out, "or, as well, by: ");
    write_candidate(against, out, &against->why.candidates[i]);
  }
}

// Candidates worth showing: they come first, and reduce the difference.
static int count_shown(const Against* against)
{
  int shown = 0;
  while (shown < against->why.count && shown < TABLE_ROWS &&
         against->why.candidates[shown].after.relative < 0.99 * against->why.before)
    ++shown;
  return shown;
}

static void write_suspects(const Against* against, lwOut* out)
{
  lwSheet sheet = {.columns = COLUMNS,
                   .most    = 7,  // the details stand below

                   .rows    = count_shown(against) + 1,
                   .row     = candidate_row,
                   .context = against};
  if (against->sample.count < against->file.count)
    lw_out_format(out, "the suspects were tried on %d of the rows\n", against->sample.count);
  lw_sheet_write(out, FORMAT_TABLE, &sheet);
  write_explanation(against, out);
}

int against_print(const Against* against, lwFormat format)
{
  bool agrees   = against->misfit.relative <= against->tolerance;
  lwOut* out    = output_of(against->options);
  lwSheet sheet = {
      .columns = COLUMNS, .rows = against->why.count + 1, .row = candidate_row, .context = against};
  if (format != FORMAT_TABLE)
    lw_sheet_write(out, format, &sheet);
  else
    write_comparison(against, out);
  if (format == FORMAT_TABLE && !agrees) write_suspects(against, out);
  return output_end(out, agrees ? DONE : NO);
}
