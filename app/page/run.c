// SPDX-License-Identifier: MIT
// Runs as tables in memory: read from a file, or simulated.
#include <stdio.h>
#include <string.h>

#include "command/ranges.h"
#include "page_command.h"
#include "simulate/recorded.h"
#include "simulate/simulate.h"
#include "states/states.h"

static const size_t MOST_VALUES = (size_t)1 << 26;  // of 8 bytes

static void add_recorded_rows(RunTable* run, const double* rows, size_t count)
{
  if (count == 0) return;
  if ((run->rows + count) * run->width > MOST_VALUES)
    stop(USAGE, "%s: more than %zu values are too many for a page", run->name, MOST_VALUES);
  if (!run->values || run->rows + count > run->capacity)
  {
    run->capacity = 2 * run->capacity + count + 1024;
    run->values   = reallocate(run->values, run->capacity * run->width, sizeof *rows);
  }
  memcpy(run->values + run->rows * run->width, rows, count * run->width * sizeof *rows);
  run->rows += count;
}

// Columns of `plan --fastest` with words: the limit that is reached, and whose it is.
enum
{
  LIMIT,
  LIMIT_JOINT,
  WORDS
};

static const char* const word_columns[WORDS] = {"limit", "limit_joint"};

static bool has_numbers(const void* context, const char* name)
{
  (void)context;
  return strcmp(name, word_columns[LIMIT]) != 0 && strcmp(name, word_columns[LIMIT_JOINT]) != 0;
}

// Notes of the limits that are reached, one where that changes.
typedef struct LimitNotes
{
  size_t field[WORDS];  // of a row
  char last[2 * LW_ROW_NAME];
  lwOut* out;  // NULL: there are none
} LimitNotes;

static void note_limit(LimitNotes* notes, const char* line, double t)
{
  const char* word[WORDS] = {"", ""};
  char now[sizeof notes->last], *cursor = text_copy(line);
  for (size_t c = 0; cursor; ++c)
  {
    const char* field = lw_field_take(&cursor);
    for (int k = 0; k < WORDS && field; ++k)
      if (c == notes->field[k]) word[k] = field;
  }
  snprintf(now, sizeof now, "limit: %.40s %.40s", word[LIMIT], word[LIMIT_JOINT]);
  if (!strcmp(now, notes->last)) return;
  bool first = !notes->last[0];
  memcpy(notes->last, now, sizeof now);
  snprintf(now, sizeof now, "limit: %.40s", word[LIMIT]);
  lw_json(notes->out, first ? "{'t':$n,'what':$s,'who':$s}" : ",\n{'t':$n,'what':$s,'who':$s}", t,
          now, word[LIMIT_JOINT]);
}

RunTable run_read(const char* path)
{
  Recorded recorded = recorded_open(path);
  RunTable run      = {.name = path, .names = allocate(recorded.fields, sizeof *run.names)};
  LimitNotes notes  = {.field = {recorded.fields, recorded.fields}};
  size_t time       = recorded.fields;
  recorded_select(&recorded, has_numbers, NULL);
  for (size_t c = 0; c < recorded.fields; ++c)
  {
    for (int k = 0; k < WORDS; ++k)
      if (!strcmp(recorded.names[c], word_columns[k])) notes.field[k] = c;
    if (!has_numbers(NULL, recorded.names[c])) continue;
    if (!strcmp(recorded.names[c], "t")) time = run.width;
    run.names[run.width++] = recorded.names[c];
  }
  if (time == recorded.fields)
    recorded_wrong(&recorded, recorded.csv->lines.line, "no column 't', expected the time in s");
  lwCsvBlock* block = &recorded.csv->block;
  if (notes.field[LIMIT] < recorded.fields)
  {
    notes.out = hold_file();
    if (!lw_csv_block_keep_text(block)) leave(no_memory());
    lw_out_char(notes.out, '[');
  }
  while (csv_more(recorded.csv))
  {
    add_recorded_rows(&run, block->values[0], (size_t)block->count);
    for (int row = 0; row < block->count && notes.out; ++row)
      note_limit(&notes, block->text[row], block->values[0][(size_t)row * run.width + time]);
  }
  if (run.rows == 0) stop(INPUT, "%s: no rows", path);
  if (!notes.out) return run;
  lw_out_char(notes.out, ']');
  file_flush(notes.out);
  run.notes = notes.out->text;
  return run;
}

// --- whose run it is

enum
{
  ARM_GROUPS   = 5,
  ARM_Q        = 0,  // the group of positions
  SNAKE_GROUPS = 2
};

// The columns that a recording of this arm has, each group completely or not at all.
static void arm_groups(const lwModel* model, lwColumnGroup groups[ARM_GROUPS])
{
  static const struct
  {
    const char* symbol;
    Group like;
  } known[ARM_GROUPS] = {
      {"q", GROUP_Q}, {"qd", GROUP_QD}, {"qdd", GROUP_QDD}, {"tau", GROUP_TAU}, {"q_ref", GROUP_Q}};
  for (int g = 0; g < ARM_GROUPS; ++g)
    groups[g] = (lwColumnGroup){.symbol = known[g].symbol,
                                .width  = group_width(model, known[g].like),
                                .need   = LW_COLUMNS_ALL_OR_NONE,
                                .names  = joint_names(model, known[g].like)};
}

static _Noreturn void not_its_run(const RunTable* run, const PageInputs* page,
                                  const lwColumnFinding* finding)
{
  stop(USAGE, "%s is not a recording of %s: %s%s%s", run->name, page->file, finding->text,
       finding->hint[0] ? "; " : "", finding->hint);
}

// Positions of a run, if it has them, as the robot can have: closed loops; those outside limits are
// reported.
static void check_run_positions(const RunTable* run, const PageInputs* page, const lwModel* model,
                                const lwColumns* columns)
{
  size_t nq   = (size_t)lw_model_nq(model);
  int found   = 0;
  double* xyz = allocate(run->rows * 3, sizeof *xyz);
  double* q   = allocate(run->rows * nq, sizeof *q);
  for (size_t c = 0; c < run->width; ++c)
    for (size_t row = 0; row < run->rows && columns->targets[c].group == ARM_Q; ++row)
      q[row * nq + (size_t)columns->targets[c].index] = run->values[row * run->width + c];
  for (size_t c = 0; c < run->width; ++c)
  {
    const char* axis = strlen(run->names[c]) == 1 ? strchr("xyz", run->names[c][0]) : NULL;
    if (!axis) continue;
    ++found;
    for (size_t row = 0; row < run->rows; ++row)
      xyz[3 * row + (size_t)(*axis - 'x')] = run->values[row * run->width + c];
  }
  for (size_t row = 0; row < run->rows; ++row)
    positions_check(model, run->name, INPUT, q + row * nq);
  closed_check(model, run->name, 1, q, run->rows);
  if (found == 3) carried_check(model, run->name, page->file, q, xyz, run->rows);
  ranges_positions(model, run->name, 2, q, (int)run->rows, true);
}

void run_fits(const RunTable* run, const PageInputs* page)
{
  lwColumnGroup groups[ARM_GROUPS];
  lwColumns columns;
  lwColumnFinding finding = {0};
  lwArena* arena          = hold_arena(allocate(1, sizeof *arena));
  int count               = page->snake ? SNAKE_GROUPS : ARM_GROUPS;
  bool any                = false;
  const lwModel* model    = page->scenario ? lw_scenario_model(page->scenario) : page->model;
  if (!page->snake)
    arm_groups(model, groups);
  else
  {
    groups[0] = (lwColumnGroup){.symbol = "theta", .width = lw_snake_count(page->snake)};
    groups[1] = (lwColumnGroup){.symbol = "u", .width = 2, .need = LW_COLUMNS_ALL_OR_NONE};
  }
  if (!lw_columns_begin(&columns, groups, count, run->width, arena)) leave(no_memory());
  for (size_t c = 0; c < run->width; ++c)
  {
    if (!lw_columns_take(&columns, run->names[c], &finding)) leave(no_memory());
    if (finding.fault != LW_COLUMN_FINE) not_its_run(run, page, &finding);
  }
  for (int g = 0; g < count; ++g)
  {
    if (lw_columns_check(&columns, g, &finding) != LW_COLUMN_FINE) not_its_run(run, page, &finding);
    any = any || lw_columns_has(&columns, g);
  }
  snprintf(finding.text, sizeof finding.text, "no columns of its joints, expected %s1, ..",
           groups[0].symbol);
  if (!any) not_its_run(run, page, &finding);
  if (!page->snake && lw_columns_has(&columns, ARM_Q))
    check_run_positions(run, page, model, &columns);
}

// --- simulation

static void keep_row(void* to, const double* values)
{
  add_recorded_rows(to, values, 1);
}

static const char* notes_of(const Simulation* sim)
{
  char buffer[LW_NOTE_WHO];
  const lwAudit audit = lw_arm_run_audit(sim->run);
  lwOut* out          = hold_file();
  lw_out_char(out, '[');
  for (int i = 0; i < audit.note_count; ++i)
    lw_json(out, i > 0 ? ",\n{'t':$n,'what':$s,'who':$s}" : "{'t':$n,'what':$s,'who':$s}",
            audit.notes[i].t, lw_note_what(audit.notes[i].kind),
            lw_note_who(&sim->arm, &audit.notes[i], buffer));
  lw_out_char(out, ']');
  file_flush(out);
  return out->text;
}

void run_simulate(RunTable* run, const PageInputs* page)
{
  lwOut* none     = allocate(1, sizeof *none);
  Simulation* sim = allocate(1, sizeof *sim);
  none->file      = -1;  // nothing is written on the way
  *sim            = scenario_simulation(page->options, page->scenario);
  sim->keep       = keep_row;
  sim->to         = run;
  simulation_choose_columns(sim, NULL);
  simulation_begin(sim, page->scenario_file);
  *run = (RunTable){.name  = sim->name,
                    .width = sim->columns,
                    .names = allocate(sim->columns, sizeof *run->names)};
  for (size_t c = 0; c < run->width; ++c)
  {
    run->names[c] = allocate(LW_ROW_NAME, 1);
    simulation_column(sim, c, run->names[c]);
  }
  int status = run_loop_run(&sim->timed.loop, none, simulation_step, sim);
  if (status != NO) need(status);  // an event that ends the run is part of the scenario
  run->notes = notes_of(sim);
}
