// SPDX-License-Identifier: MIT
// linkwork check ROBOT --in FILE: torques of another program, compared with ours and explained.
//
//   FILE --lwCsvBlock--> misfit --compare/torques/explain.c--> candidates --> lwOut

#include "check_command.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/torques/suspects.h"
#include "states/states.h"

enum
{
  BLOCK_ROWS = 1024,     // read at once
  MAX_ROWS   = 5000000,  // more are refused
  TRIAL_ROWS = 400,      // that the suspects are tried on,
  LEAST_ROWS = 40        // fewer of large robots, so that
};

static const double TRIAL_VALUES = 4e6;  // is the most numbers that a regression has

typedef struct Against
{
  const Options* options;
  const lwModel* model;
  double tolerance;
  const char* name;   // of the file
  lwCsvBlock file;    // all of it
  lwCsvBlock sample;  // rows that the suspects are tried on
  lwMisfit misfit;    // of all rows
  lwExplanation why;  // of the misfit of the sample
} Against;

// Appends the part; groups that the file does not have are zeros, but a wrench stays absent.
static void append_rows(lwCsvBlock* all, const lwCsvBlock* part, const lwModel* model)
{
  if (all->count + part->count > MAX_ROWS) stop(USAGE, "check: more than %d rows", MAX_ROWS);
  for (int g = 0; g < GROUP_COUNT; ++g)
  {
    size_t width = (size_t)group_width(model, (Group)g);
    size_t old = width * (size_t)all->count, added = width * (size_t)part->count;
    if (g == GROUP_WRENCH && !part->values[g]) continue;
    all->values[g] = reallocate(all->values[g], old + added + 1, sizeof(double));
    if (part->values[g])
      memcpy(all->values[g] + old, part->values[g], added * sizeof(double));
    else
      memset(all->values[g] + old, 0, added * sizeof(double));
  }
  all->count += part->count;
}

static void read_torque_rows(Against* against)
{
  static const StateNeeds needs = {.inputs = LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD |
                                             LW_INPUT_TAU | LW_INPUT_WRENCH,
                                   .required = LW_INPUT_TAU};
  lwCsvFile* csv                = states_file(against->options, against->model, needs, BLOCK_ROWS);
  against->name                 = csv->lines.name;
  while (states_more(csv)) append_rows(&against->file, &csv->block, against->model);
  if (against->file.count == 0) stop(INPUT, "%s: no rows after the header", against->name);
}

static int rows_to_try(const Against* against)
{
  double n = lw_model_dof(against->model), links = lw_model_joint_count(against->model);
  double rows = TRIAL_VALUES / (n * (10 * links + 4 * n + 3));
  rows        = rows < LEAST_ROWS ? LEAST_ROWS : rows > TRIAL_ROWS ? TRIAL_ROWS : rows;
  return against->file.count < (int)rows ? against->file.count : (int)rows;
}

// Rows that are evenly spread over the file.
static void take_rows_sample(Against* against)
{
  int count = against->file.count, rows = rows_to_try(against);
  for (int g = 0; g < GROUP_COUNT; ++g)
  {
    size_t width       = (size_t)group_width(against->model, (Group)g);
    const double* from = against->file.values[g];
    double* to         = from ? allocate((size_t)rows * width + 1, sizeof *to) : NULL;
    for (int k = 0; k < rows && from; ++k)
      memcpy(to + (size_t)k * width, from + (size_t)((long long)k * count / rows) * width,
             width * sizeof *to);
    against->sample.values[g] = to;
  }
  against->sample.count = rows;
}

// Rows of a block as a torque log; the groups of a block stand in the order of the log.
static lwTorqueLog log_of(const lwCsvBlock* block)
{
  lwTorqueLog torque_log = {.count = block->count};
  for (int g = 0; g < LW_LOG_COUNT; ++g) torque_log.values[g] = block->values[g];
  return torque_log;
}

static void compare_file(Against* against)
{
  lwTorqueLog file = log_of(&against->file);
  need_ok(lw_torques_misfit(against->model, &file, &against->misfit));
  if (!isfinite(against->misfit.relative))
    stop(NUMERICAL, "check: our torques of row %d of %s are not finite", against->misfit.row + 1,
         against->name);
  if (against->misfit.relative <= against->tolerance) return;
  take_rows_sample(against);
  lwTorqueLog sample = log_of(&against->sample);
  lwStatus tried = lw_torques_explain(against->model, &sample, against->tolerance, &against->why);
  hold(against->why.candidates, free);
  need_ok(tried);
}

// --- the comparison and its explanation, as people and programs read it

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
  lw_sheet_write(out, LW_FORMAT_TABLE, &sheet);
  write_explanation(against, out);
}

// Writes the findings. DONE, or NO if the torques disagree.
static int against_print(const Against* against, lwFormat format)
{
  bool agrees   = against->misfit.relative <= against->tolerance;
  lwOut* out    = output_of(against->options);
  lwSheet sheet = {
      .columns = COLUMNS, .rows = against->why.count + 1, .row = candidate_row, .context = against};
  if (format != LW_FORMAT_TABLE)
    lw_sheet_write(out, format, &sheet);
  else
    write_comparison(against, out);
  if (format == LW_FORMAT_TABLE && !agrees) write_suspects(against, out);
  return output_end(out, agrees ? DONE : NO);
}

int check_against(const Options* options, lwFormat format, const lwModel* model)
{
  Against against = {.options = options, .model = model};
  against.tolerance =
      number_in(options, OPTION_TOLERANCE, DBL_TRUE_MIN, DBL_MAX, "a number above 0", 1e-6);
  read_torque_rows(&against);
  compare_file(&against);
  return against_print(&against, format);
}
