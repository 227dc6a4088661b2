// SPDX-License-Identifier: MIT
// Runs as tables in memory: read from a file, or simulated.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/ranges.h"
#include "page.h"
#include "simulate/simulate.h"
#include "states/states.h"

enum
{
  LONGEST_LINE = 1 << 22,  // bytes
  BLOCK_ROWS   = 256
};

static const size_t MOST_VALUES = (size_t)1 << 26;  // of 8 bytes

void run_free(RunTable* run)
{
  for (size_t c = 0; c < run->width && run->names; ++c) free(run->names[c]);
  free(run->names);
  free(run->values);
  free(run->notes);
}

static int add_recorded_rows(RunTable* run, const double* rows, size_t count)
{
  if (run->width == 0) return DONE;
  if ((run->rows + count) * run->width > MOST_VALUES)
    return fail(USAGE, "%s: more than %zu values are too many for a page", run->name, MOST_VALUES);
  if (run->rows + count > run->capacity)
  {
    size_t capacity = 2 * run->capacity + count + 1024;
    double* values  = realloc(run->values, capacity * run->width * sizeof *values);
    if (!values) return no_memory();
    run->values   = values;
    run->capacity = capacity;
  }
  memcpy(run->values + run->rows * run->width, rows, count * run->width * sizeof *rows);
  run->rows += count;
  return DONE;
}

// --- files

typedef struct RunReader
{
  lwLines lines;
  lwCsvHeader header;
  lwCsvBlock block;
} RunReader;

static int wrong_run(const RunReader* reader)
{
  return lines_report(&reader->lines);
}

// All columns, in their order, as one group. The time is the column that every run has, by which a
// table with other separators than commas is recognised.
static int take_names(RunReader* reader, RunTable* run)
{
  static const lwColumnGroup time = {.symbol = "t", .width = 1, .single = true};
  lwCsvHeader* header             = &reader->header;
  size_t fields                   = 1;
  lwColumnFinding finding;
  for (const char* s = reader->lines.line; *s; ++s) fields += *s == ',';
  *header    = (lwCsvHeader){.groups = 0, .increasing = -1};
  run->names = calloc(fields, sizeof *run->names);
  if (!run->names || !lw_columns_begin(&header->columns, &time, 1, fields, &header->arena))
    return no_memory();
  for (char* cursor = reader->lines.line; cursor; ++run->width)
  {
    char* at         = cursor;
    const char* name = lw_field_take(&cursor);
    if (!name)
    {
      exit_of(lw_lines_fail(&reader->lines, at, "a quote that is not closed, expected \"name\""));
      return wrong_run(reader);
    }
    run->names[run->width] = strdup(name);
    if (!run->names[run->width] || !lw_columns_take(&header->columns, name, &finding))
      return no_memory();
    if (finding.fault == LW_COLUMN_BAD_NAME)
    {
      exit_of(lw_lines_fail(&reader->lines, at, "%s", finding.text));
      return wrong_run(reader);
    }
    header->columns.targets[run->width] = (lwColumnTarget){0, (int)run->width};
  }
  header->group[0].width = (int)run->width;
  return DONE;
}

static int read_run_header(RunReader* reader, RunTable* run)
{
  if (exit_of(lw_lines_next(&reader->lines)) != DONE) return wrong_run(reader);
  if (!reader->lines.line || !*lw_skip_spaces(reader->lines.line))
  {
    exit_of(lw_lines_fail(&reader->lines, reader->lines.line, "nothing here, expected a header"));
    return wrong_run(reader);
  }
  int status = take_names(reader, run);
  if (status != DONE) return status;
  for (size_t c = 0; c < run->width; ++c)
    if (run->names && run->names[c] && !strcmp(run->names[c], "t")) return DONE;
  exit_of(
      lw_lines_fail(&reader->lines, reader->lines.line, "no column 't', expected the time in s"));
  return wrong_run(reader);
}

static int read_run_rows(RunReader* reader, RunTable* run)
{
  lwCsvBlock* block = &reader->block;
  int status        = DONE;
  *block            = (lwCsvBlock){.capacity = BLOCK_ROWS, .first = 1};
  block->values[0]  = calloc(BLOCK_ROWS * run->width, sizeof(double));
  if (!block->values[0]) return no_memory();
  do
  {
    if (exit_of(lw_csv_rows(&reader->header, &reader->lines, block)) != DONE)
      return wrong_run(reader);
    status = add_recorded_rows(run, block->values[0], (size_t)block->count);
  } while (status == DONE && block->count > 0);
  return status;
}

int run_read(RunTable* run, const char* path)
{
  RunReader reader = {0};
  *run             = (RunTable){.name = path};
  int status       = lines_open(&reader.lines, path, LONGEST_LINE);
  if (status != DONE) return status;
  status = read_run_header(&reader, run);
  if (status == DONE) status = read_run_rows(&reader, run);
  if (status == DONE && run->rows == 0) status = fail(INPUT, "%s: no rows", path);
  lw_csv_block_destroy(&reader.block);
  lw_csv_header_destroy(&reader.header);
  lw_lines_close(&reader.lines);
  return status;
}

// --- whose run it is

enum
{
  ARM_GROUPS   = 5,
  ARM_Q        = 0,  // the group of positions
  SNAKE_GROUPS = 2
};

// The columns that a recording of this arm has, each group completely or not at all.
static bool arm_groups(const lwModel* model, lwArena* arena, lwColumnGroup groups[ARM_GROUPS])
{
  static const struct
  {
    const char* symbol;
    Group like;
  } known[ARM_GROUPS] = {
      {"q", GROUP_Q}, {"qd", GROUP_QD}, {"qdd", GROUP_QDD}, {"tau", GROUP_TAU}, {"q_ref", GROUP_Q}};
  bool named = true;
  for (int g = 0; g < ARM_GROUPS; ++g)
  {
    groups[g] = (lwColumnGroup){.symbol = known[g].symbol,
                                .width  = group_width(model, known[g].like),
                                .need   = LW_COLUMNS_ALL_OR_NONE,
                                .names  = joint_names(model, known[g].like, arena)};
    named     = named && groups[g].names;
  }
  return named;
}

static int not_its_run(const RunTable* run, const PageInputs* page, const lwColumnFinding* finding)
{
  return fail(USAGE, "%s is not a recording of %s: %s%s%s", run->name, page->file, finding->text,
              finding->hint[0] ? "; " : "", finding->hint);
}

// Positions of a run, if it has them, as the robot can have: closed loops; those outside limits are
// reported.
static int check_run_positions(const RunTable* run, const lwModel* model, const lwColumns* columns)
{
  size_t nq = (size_t)lw_model_nq(model);
  double* q = calloc(run->rows * nq + 1, sizeof *q);
  if (!q) return no_memory();
  for (size_t c = 0; c < run->width; ++c)
    for (size_t row = 0; row < run->rows && columns->targets[c].group == ARM_Q; ++row)
      q[row * nq + (size_t)columns->targets[c].index] = run->values[row * run->width + c];
  int status = closed_check(model, run->name, q, run->rows);
  if (status == DONE) ranges_positions(model, run->name, 2, q, (int)run->rows, true);
  free(q);
  return status;
}

// model: of an arm, else NULL
static int check_run_columns(const RunTable* run, const PageInputs* page, const lwModel* model,
                             const lwColumnGroup* groups, int count, lwArena* arena)
{
  lwColumns columns;
  lwColumnFinding finding = {0};
  if (!lw_columns_begin(&columns, groups, count, run->width, arena)) return no_memory();
  for (size_t c = 0; c < run->width; ++c)
  {
    if (!lw_columns_take(&columns, run->names[c], &finding)) return no_memory();
    if (finding.fault != LW_COLUMN_FINE) return not_its_run(run, page, &finding);
  }
  bool any = false;
  for (int g = 0; g < count; ++g)
  {
    if (lw_columns_check(&columns, g, &finding) != LW_COLUMN_FINE)
      return not_its_run(run, page, &finding);
    any = any || lw_columns_has(&columns, g);
  }
  snprintf(finding.text, sizeof finding.text, "no columns of its joints, expected %s1, ..",
           groups[0].symbol);
  if (!any) return not_its_run(run, page, &finding);
  return model && lw_columns_has(&columns, ARM_Q) ? check_run_positions(run, model, &columns)
                                                  : DONE;
}

int run_fits(const RunTable* run, const PageInputs* page)
{
  lwArena arena = {0};
  lwColumnGroup groups[ARM_GROUPS];
  const lwModel* model = page->scenario ? lw_scenario_model(page->scenario) : page->model;
  int count            = page->snake ? SNAKE_GROUPS : ARM_GROUPS;
  bool listed          = page->snake || arm_groups(model, &arena, groups);
  if (page->snake)
  {
    groups[0] = (lwColumnGroup){.symbol = "theta", .width = lw_snake_count(page->snake)};
    groups[1] = (lwColumnGroup){.symbol = "u", .width = 2, .need = LW_COLUMNS_ALL_OR_NONE};
  }
  int status = listed
                   ? check_run_columns(run, page, page->snake ? NULL : model, groups, count, &arena)
                   : no_memory();
  lw_arena_free(&arena);
  return status;
}

// --- simulation

typedef struct Keeper
{
  RunTable* run;
  int status;
} Keeper;

static void keep_row(void* to, const double* values)
{
  Keeper* keeper = to;
  if (keeper->status == DONE) keeper->status = add_recorded_rows(keeper->run, values, 1);
}

static int name_columns(RunTable* run, const Simulation* sim)
{
  run->width = sim->columns;
  run->names = calloc(run->width, sizeof *run->names);
  for (size_t c = 0; c < run->width && run->names; ++c)
  {
    char name[LW_ROW_NAME];
    simulation_column(sim, c, name);
    run->names[c] = strdup(name);
    if (!run->names[c]) return no_memory();
  }
  return run->names ? DONE : no_memory();
}

static int keep_notes(RunTable* run, const Simulation* sim)
{
  char buffer[LW_NOTE_WHO];
  const lwArmAudit audit = lw_arm_run_audit(sim->run);
  lwOut out              = {.in_memory = true};
  lw_out_char(&out, '[');
  for (int i = 0; i < audit.note_count; ++i)
    lw_json(&out, i > 0 ? ",\n{'t':$n,'what':$s,'who':$s}" : "{'t':$n,'what':$s,'who':$s}",
            audit.notes[i].t, lw_note_what(audit.notes[i].kind),
            lw_note_who(&sim->arm, &audit.notes[i], buffer));
  lw_out_char(&out, ']');
  bool done  = lw_out_finish(&out);
  run->notes = out.text;
  return done ? DONE : no_memory();
}

int run_simulate(RunTable* run, const PageInputs* page)
{
  lwOut none     = {.file = -1};  // nothing is written on the way
  Keeper keeper  = {.run = run};
  Simulation sim = {.options           = page->options,
                    .scenario          = page->scenario,
                    .model             = lw_scenario_model(page->scenario),
                    .name              = lw_scenario_name(page->scenario),
                    .arm               = *lw_scenario_arm(page->scenario),
                    .run_loop.duration = lw_scenario_duration(page->scenario),
                    .run_loop.record   = lw_scenario_record(page->scenario),
                    .keep              = keep_row,
                    .to                = &keeper};
  *run           = (RunTable){.name = sim.name};
  int status     = simulation_choose_columns(&sim, NULL);
  if (status == DONE) status = simulation_begin(&sim, page->scenario_file);
  if (status == DONE) status = name_columns(run, &sim);
  if (status == DONE) status = run_loop_run(&sim.run_loop, &none, simulation_step, &sim);
  if (status == NO) status = DONE;  // an event that ends the run is part of the scenario
  if (status == DONE) status = keeper.status;
  if (status == DONE) status = keep_notes(run, &sim);
  simulation_end(&sim);
  return status;
}
