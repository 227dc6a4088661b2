// SPDX-License-Identifier: MIT
#include "paper_page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/plot.h"

const char* const VERDICTS[VERDICT_COUNT] = {
    [VERDICT_REPRODUCED]       = "reproduced",
    [VERDICT_CORRECTED]        = "reproduced with correction",
    [VERDICT_IN_PART]          = "in part",
    [VERDICT_REFUTED]          = "refuted",
    [VERDICT_NOT_REPRODUCIBLE] = "not reproducible",
};

int page_fail(Page* page, int code, const char* format, ...)
{
  if (page->status != DONE) return page->status;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  page->status = code;
  return fail(code, "%s: %s", page->printed.paper, text);
}

int page_check(Page* page, lwStatus status)
{
  return status == LW_OK ? page->status : page_fail(page, INPUT, "%s", lw_status_text(status));
}

static int out_of_memory(Page* page)
{
  return page_check(page, LW_ERROR_MEMORY);
}

int page_open(Page* page, const char* name, const char* text, size_t length)
{
  lwDiag* diag    = lw_diag_create();
  page->last      = &page->series;
  page->last_fact = &page->facts;
  lwStatus status = printed_read(&page->printed, name, text, length, diag);
  if (diag) errors_print(diag);
  lw_diag_destroy(diag);
  if (status != LW_OK)
  {
    page->printed.paper = name;
    return page_check(page, status);
  }
  page->drawn = page->folder && lw_plot_has_gnuplot();
  return DONE;
}

static void free_remarks(Section* section)
{
  while (section->remarks)
  {
    Remark* remark   = section->remarks;
    section->remarks = remark->next;
    free(remark->text);
    free(remark);
  }
}

void page_close(Page* page)
{
  for (int i = 0; i < page->printed.section_count; ++i) free_remarks(&page->printed.sections[i]);
  while (page->series)
  {
    PageSeries* series = page->series;
    page->series       = series->next;
    free(series->values);
    free(series);
  }
  printed_free(&page->printed);
}

// --- what is printed

Values page_data(Page* page, const char* id)
{
  for (int i = 0; i < page->printed.data_count; ++i)
    if (!strcmp(page->printed.data[i].id, id)) return page->printed.data[i].values;
  page_fail(page, INPUT, "printed.yaml has no data '%s'", id);
  return (Values){0};
}

double page_number(Page* page, const char* id)
{
  Values values = page_data(page, id);
  return values.count > 0 ? values.at[0] : NAN;
}

static Section* find_section(Page* page, const char* id, size_t length)
{
  for (int i = 0; i < page->printed.section_count; ++i)
  {
    Section* section = &page->printed.sections[i];
    if (strlen(section->id) == length && !strncmp(section->id, id, length)) return section;
  }
  page_fail(page, INPUT, "printed.yaml has no section '%.*s'", (int)length, id);
  return NULL;
}

// By "section/claim".
static Claim* find_claim(Page* page, const char* path, int* columns)
{
  size_t length    = strcspn(path, "/");
  Section* section = find_section(page, path, length);
  if (!section) return NULL;
  *columns = section->columns.count > 0 ? section->columns.count : 1;
  for (int i = 0; i < section->count && path[length]; ++i)
    if (!strcmp(section->claims[i].id, path + length + 1)) return &section->claims[i];
  page_fail(page, INPUT, "printed.yaml has no claim '%s'", path);
  return NULL;
}

Values page_printed(Page* page, const char* claim)
{
  int columns;
  const Claim* found = find_claim(page, claim, &columns);
  return found ? found->printed : (Values){0};
}

// --- what is measured, or printed in the registry

// Copies as many numbers as the section has columns.
static void put_values(Page* page, const char* claim, Values* values, int columns, int count,
                       const double* from)
{
  if (count != columns)
  {
    page_fail(page, INPUT, "%d numbers for claim '%s', which has %d", count, claim, columns);
    return;
  }
  values->at = lw_arena_take(&page->printed.document.arena, (size_t)count, sizeof *from);
  if (!values->at)
  {
    out_of_memory(page);
    return;
  }
  values->count = count;
  memcpy(values->at, from, (size_t)count * sizeof *from);
}

void page_measure(Page* page, const char* claim, int count, const double* values)
{
  int columns;
  Claim* found = find_claim(page, claim, &columns);
  if (found) put_values(page, claim, &found->measured, columns, count, values);
}

void page_measure_one(Page* page, const char* claim, double value)
{
  page_measure(page, claim, 1, &value);
}

void page_print(Page* page, const char* claim, int count, const double* values)
{
  int columns;
  Claim* found = find_claim(page, claim, &columns);
  if (found) put_values(page, claim, &found->printed, columns, count, values);
}

void page_correct(Page* page, const char* claim, int count, const double* values)
{
  int columns;
  Claim* found = find_claim(page, claim, &columns);
  if (found) put_values(page, claim, &found->corrected, columns, count, values);
}

// The method of "question/method"; NULL: there is none.
static const lwMethod* find_method(const char* path)
{
  size_t length = strcspn(path, "/");
  for (int i = 0; i < lw_method_count() + lw_snake_method_count(); ++i)
  {
    bool snake             = i >= lw_method_count();
    const lwMethod* method = snake ? lw_snake_method(i - lw_method_count()) : lw_method(i);
    const char* question   = lw_question_info(method->question)->name;
    if (strlen(question) == length && !strncmp(question, path, length) && path[length] &&
        !strcmp(method->name, path + length + 1))
      return method;
  }
  return NULL;
}

static double polynomial_at(const double c[4], double n)
{
  return c[0] + n * (c[1] + n * (c[2] + n * c[3]));
}

void page_registry(Page* page, const char* claim, double n, double values[2])
{
  int columns;
  const Claim* found     = find_claim(page, claim, &columns);
  const lwMethod* method = found && found->registry ? find_method(found->registry) : NULL;
  values[0] = values[1] = NAN;
  if (found && (!method || !method->printed.source))
    page_fail(page, INPUT, "claim '%s' names no count of the registry", claim);
  if (!method || !method->printed.source) return;
  values[0] = polynomial_at(method->printed.mul, n);
  values[1] = polynomial_at(method->printed.add, n);
}

static bool holds(const Claim* claim, double expected, double measured)
{
  if (isnan(expected)) return true;
  double slack = claim->tolerance * fabs(expected) + claim->absolute;
  if (claim->relation == RELATION_AT_LEAST) return measured >= expected - slack;
  if (claim->relation == RELATION_AT_MOST) return measured <= expected + slack;
  return fabs(measured - expected) <= slack;
}

void page_require(Page* page, const char* what, double value, double most)
{
  if (!(value <= most)) page_fail(page, NUMERICAL, "%s: %.3g, more than %.3g", what, value, most);
}

static bool all_hold(const Claim* claim, const Values* expected)
{
  if (expected->count == 0 || claim->measured.count != expected->count) return false;
  for (int i = 0; i < expected->count; ++i)
    if (!holds(claim, expected->at[i], claim->measured.at[i])) return false;
  return true;
}

static bool some_hold(const Claim* claim)
{
  for (int i = 0; i < claim->printed.count; ++i)
    if (!isnan(claim->printed.at[i]) && holds(claim, claim->printed.at[i], claim->measured.at[i]))
      return true;
  return false;
}

// Whether there is a number for everything that is printed.
static bool is_measured(const Claim* claim)
{
  if (claim->measured.count == 0 || claim->measured.count != claim->printed.count) return false;
  for (int i = 0; i < claim->printed.count; ++i)
    if (!isnan(claim->printed.at[i]) && isnan(claim->measured.at[i])) return false;
  return true;
}

// A claim with an erratum but without corrected numbers was measured with the corrected equations.
// A claim that cannot be tested for a reason that it names is not refuted by a number that differs.
static Verdict judge_value(const Claim* claim, bool cases)
{
  bool corrected = claim->corrected.count > 0;
  if (all_hold(claim, &claim->printed))
    return claim->errata && !corrected ? VERDICT_CORRECTED : VERDICT_REPRODUCED;
  if (corrected && all_hold(claim, &claim->corrected)) return VERDICT_CORRECTED;
  if (claim->why || !is_measured(claim)) return VERDICT_NOT_REPRODUCIBLE;
  return cases && some_hold(claim) ? VERDICT_IN_PART : VERDICT_REFUTED;
}

const char* claim_errata(const Claim* claim)
{
  bool used = claim->verdict != VERDICT_REPRODUCED && claim->verdict != VERDICT_NOT_REPRODUCIBLE;
  return used ? claim->errata : NULL;
}

const char* claim_reason(const Claim* claim)
{
  if (claim->verdict == VERDICT_NOT_REPRODUCIBLE) return claim->why;
  return claim->verdict == VERDICT_IN_PART || claim->verdict == VERDICT_REFUTED ? claim->but : NULL;
}

static const Erratum* find_erratum(const Printed* printed, const char* id, size_t length)
{
  for (int i = 0; i < printed->errata_count; ++i)
    if (strlen(printed->errata[i].id) == length && !strncmp(printed->errata[i].id, id, length))
      return &printed->errata[i];
  return NULL;
}

const char* claim_fault(const Printed* printed, const Claim* claim)
{
  if (claim->verdict != VERDICT_CORRECTED) return NULL;
  for (const char* id = claim->errata; *id; id += strspn(id, ", "))
  {
    size_t length          = strcspn(id, ",");
    const Erratum* erratum = find_erratum(printed, id, length);
    if (!erratum || !strstr(ERRATUM_CLASSES[erratum->kind], "damaged copy")) return "document";
    id += length;
  }
  return "copy";
}

// What was found instead, with the claim's k-th measured number for each {k}.
static const char* tell_measured(Page* page, const Claim* claim)
{
  char text[512] = "";
  for (const char* at = claim->but; *at;)
  {
    size_t length = strlen(text), plain = strcspn(at, "{");
    int column = at[plain] ? at[plain + 1] - '0' : 0;
    snprintf(text + length, sizeof text - length, "%.*s", (int)plain, at);
    at += plain;
    if (!*at) break;
    if (column < 1 || column > claim->measured.count || at[2] != '}')
    {
      page_fail(page, NUMERICAL, "claim '%s': '%.3s' is no measured number", claim->id, at);
      break;
    }
    length = strlen(text);
    snprintf(text + length, sizeof text - length, "%.2g", claim->measured.at[column - 1]);
    at += 3;
  }
  return lw_arena_text(&page->printed.document.arena, text, strlen(text));
}

void page_judge(Page* page)
{
  for (int i = 0; i < page->printed.section_count; ++i)
  {
    Section* section = &page->printed.sections[i];
    for (int k = 0; k < section->count; ++k)
    {
      Claim* claim = &section->claims[k];
      if (claim->measured.count == 0 && !claim->why)
        page_fail(page, NUMERICAL, "nothing was measured for claim '%s/%s'", section->id,
                  claim->id);
      claim->verdict = judge_value(claim, section->cases != 0);
      if (claim->but && claim->measured.count > 0) claim->but = tell_measured(page, claim);
    }
  }
}

// --- notes, tables, figures

static Remark* add_remark(Page* page, const char* section)
{
  if (page->status != DONE) return NULL;
  Section* found = find_section(page, section, strlen(section));
  Remark* remark = found ? calloc(1, sizeof *remark) : NULL;
  if (found && !remark) out_of_memory(page);
  if (!remark) return NULL;
  *found->last = remark;
  found->last  = &remark->next;
  return remark;
}

// Adds a remark of this text.
__attribute__((format(printf, 3, 0))) static void add_text(Page* page, const char* section,
                                                           const char* format, va_list arguments)
{
  Remark* remark = add_remark(page, section);
  if (!remark) return;
  va_list again;
  va_copy(again, arguments);
  int length   = vsnprintf(NULL, 0, format, again);
  remark->text = length >= 0 ? malloc((size_t)length + 1) : NULL;
  va_end(again);
  if (remark->text)
    vsnprintf(remark->text, (size_t)length + 1, format, arguments);
  else
    out_of_memory(page);
}

void page_note(Page* page, const char* section, const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  add_text(page, section, format, arguments);
  va_end(arguments);
}

void page_fact(Page* page, const char* erratum, const char* format, ...)
{
  char text[512];
  va_list arguments;
  if (page->status != DONE) return;
  lwArena* arena = &page->printed.document.arena;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!find_erratum(&page->printed, erratum, strlen(erratum)))
    page_fail(page, INPUT, "printed.yaml has no erratum '%s'", erratum);
  ErratumFact* fact = lw_arena_take(arena, 1, sizeof *fact);
  if (fact)
    *fact = (ErratumFact){lw_arena_text(arena, erratum, strlen(erratum)),
                          lw_arena_text(arena, text, strlen(text)), NULL};
  if (!fact || !fact->erratum || !fact->text)
  {
    out_of_memory(page);
    return;
  }
  *page->last_fact = fact;
  page->last_fact  = &fact->next;
}

PageSeries* page_series(Page* page, const char* name, int columns, const char* const* column)
{
  if (page->status != DONE) return NULL;
  lwArena* arena     = &page->printed.document.arena;
  PageSeries* series = calloc(1, sizeof *series);
  if (series) series->column = lw_arena_take(arena, (size_t)columns, sizeof *series->column);
  for (int c = 0; series && series->column && c < columns; ++c)
    series->column[c] = lw_arena_text(arena, column[c], strlen(column[c]));
  if (!series || !series->column || !series->column[columns - 1])
  {
    free(series);
    out_of_memory(page);
    return NULL;
  }
  snprintf(series->name, sizeof series->name, "%s", name);
  series->columns = columns;
  series->page    = page;
  *page->last     = series;
  page->last      = &series->next;
  return series;
}

void series_add(PageSeries* series, const double* values)
{
  if (!series) return;
  size_t columns = (size_t)series->columns;
  if (series->rows == series->capacity)
  {
    size_t capacity = series->capacity ? 2 * series->capacity : 64;
    double* grown   = realloc(series->values, capacity * columns * sizeof *grown);
    if (!grown)
    {
      out_of_memory(series->page);
      return;
    }
    series->values   = grown;
    series->capacity = capacity;
  }
  memcpy(series->values + series->rows++ * columns, values, columns * sizeof *values);
}

double series_value(const PageSeries* series, size_t row, int column)
{
  return series->values[row * (size_t)series->columns + (size_t)column];
}

void note_figure(Page* page, const char* section, const char* name, const char* caption)
{
  page_note(page, section, "![%s](%s.svg)\n\n*%s*", caption, name, caption);
}

void page_figure(Page* page, const char* section, const Figure* figure)
{
  if (!page->drawn || page->status != DONE) return;
  int status = figure_draw(page, figure);
  if (status != DONE)
    page->status = status;
  else
    note_figure(page, section, figure->name, figure->caption);
}
