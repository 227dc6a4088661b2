// SPDX-License-Identifier: MIT
// Runs as tables in memory: read from a file, or simulated.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return fail(INPUT, "%s: more than %zu values are too many for a page", run->name, MOST_VALUES);
  if (run->rows + count > run->room)
  {
    size_t room    = 2 * run->room + count + 1024;
    double* values = realloc(run->values, room * run->width * sizeof *values);
    if (!values) return no_memory();
    run->values = values;
    run->room   = room;
  }
  memcpy(run->values + run->rows * run->width, rows, count * run->width * sizeof *rows);
  run->rows += count;
  return DONE;
}

// --- files

typedef struct RunReader
{
  Lines lines;
  Header header;
  CsvBlock block;
} RunReader;

static int wrong_run(const RunReader* reader)
{
  return lines_report(&reader->lines);
}

// All columns, in their order, as one group.
static int take_names(RunReader* reader, RunTable* run)
{
  Header* header = &reader->header;
  size_t fields  = 1;
  lwColumnFinding finding;
  for (const char* s = reader->lines.line; *s; ++s) fields += *s == ',';
  *header    = (Header){.groups = 0, .increasing = -1};
  run->names = calloc(fields, sizeof *run->names);
  if (!run->names || !lw_columns_begin(&header->columns, header->group, 0, fields, &header->arena))
    return no_memory();
  for (char* cursor = reader->lines.line; cursor; ++run->width)
  {
    char* at         = cursor;
    const char* name = field_take(&cursor);
    if (!name)
    {
      lines_fail(&reader->lines, at, "a quote that is not closed, expected \"name\"");
      return wrong_run(reader);
    }
    run->names[run->width] = strdup(name);
    if (!run->names[run->width] || !lw_columns_take(&header->columns, name, &finding))
      return no_memory();
    header->columns.targets[run->width] = (lwColumnTarget){0, (int)run->width};
  }
  header->group[0].width = (int)run->width;
  return DONE;
}

static int read_run_header(RunReader* reader, RunTable* run)
{
  if (lines_next(&reader->lines) != DONE) return wrong_run(reader);
  if (!reader->lines.line || !*skip_spaces(reader->lines.line))
  {
    lines_fail(&reader->lines, reader->lines.line, "nothing here, expected a header");
    return wrong_run(reader);
  }
  int status = take_names(reader, run);
  if (status != DONE) return status;
  for (size_t c = 0; c < run->width; ++c)
    if (run->names && run->names[c] && !strcmp(run->names[c], "t")) return DONE;
  lines_fail(&reader->lines, reader->lines.line, "no column 't', expected the time in s");
  return wrong_run(reader);
}

static int read_run_rows(RunReader* reader, RunTable* run)
{
  CsvBlock* block  = &reader->block;
  int status       = DONE;
  *block           = (CsvBlock){.capacity = BLOCK_ROWS, .first = 1};
  block->values[0] = calloc(BLOCK_ROWS * run->width, sizeof(double));
  if (!block->values[0]) return no_memory();
  do
  {
    if (rows_read(&reader->header, &reader->lines, block) != DONE) return wrong_run(reader);
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
  block_destroy(&reader.block);
  header_destroy(&reader.header);
  lines_close(&reader.lines);
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
    char name[ROW_NAME];
    simulation_column(sim, c, name);
    run->names[c] = strdup(name);
    if (!run->names[c]) return no_memory();
  }
  return run->names ? DONE : no_memory();
}

static int no_notes(lwMemoryFile* notes)
{
  lw_memory_file_free(notes);
  return no_memory();
}

static int keep_notes(RunTable* run, const Simulation* sim)
{
  char buffer[LW_NOTE_WHO];
  const lwArmAudit audit = lw_arm_run_audit(sim->run);
  lwMemoryFile notes;
  if (!lw_memory_file_open(&notes)) return no_notes(&notes);
  FILE* out = notes.file;
  fputc('[', out);
  for (int i = 0; i < audit.note_count; ++i)
  {
    fputs(i > 0 ? ",\n{\"t\":" : "{\"t\":", out);
    lw_json_number(out, audit.notes[i].t);
    fputs(",\"what\":", out);
    lw_json_text(out, lw_note_what(audit.notes[i].kind));
    fputs(",\"who\":", out);
    lw_json_text(out, lw_note_who(&sim->arm, &audit.notes[i], buffer));
    fputc('}', out);
  }
  fputc(']', out);
  if (!lw_memory_file_flush(&notes)) return no_notes(&notes);
  run->notes = notes.text;
  notes.text = NULL;
  lw_memory_file_free(&notes);
  return DONE;
}

int run_simulate(RunTable* run, const PageInputs* page)
{
  Out none       = {.file = -1};  // nothing is written on the way
  Keeper keeper  = {.run = run};
  Simulation sim = {.options         = page->options,
                    .scenario        = page->scenario,
                    .model           = lw_scenario_model(page->scenario),
                    .name            = lw_scenario_name(page->scenario),
                    .arm             = *lw_scenario_arm(page->scenario),
                    .course.duration = lw_scenario_duration(page->scenario),
                    .course.record   = lw_scenario_record(page->scenario),
                    .keep            = keep_row,
                    .to              = &keeper};
  *run           = (RunTable){.name = sim.name};
  int status     = simulation_choose_columns(&sim, NULL);
  if (status == DONE) status = simulation_begin(&sim, page->scenario_file);
  if (status == DONE) status = name_columns(run, &sim);
  if (status == DONE) status = course_run(&sim.course, &none, simulation_step, &sim);
  if (status == NO) status = DONE;  // an event that ends the run is part of the scenario
  if (status == DONE) status = keeper.status;
  if (status == DONE) status = keep_notes(run, &sim);
  simulation_end(&sim);
  return status;
}
