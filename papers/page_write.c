// SPDX-License-Identifier: MIT
// The files of a page: README.md, verdicts.csv and a CSV file for every series.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/output.h"
#include "io/progress.h"
#include "paper_page.h"

int page_path(const Page* page, const char* file, const char* end, char* path, size_t size)
{
  int length = snprintf(path, size, "%s/%s%s", page->folder, file, end);
  if (length < (int)size) return DONE;
  return fail(INPUT, "cannot write %s/%s%s: %s", page->folder, file, end, strerror(ENAMETOOLONG));
}

// --- numbers as people read them

static void write_number(lwOut* out, double v)
{
  if (isnan(v))
    lw_out_text(out, "–");
  else if (v == floor(v) && fabs(v) < 1e9)
    lw_out_format(out, "%.0f", v);
  else
    lw_out_format(out, "%.6g", v);
}

static const char* unit_of(const Section* section, const Claim* claim)
{
  return claim->unit ? claim->unit : section->unit;
}

static const char* sign_of(const Claim* claim)
{
  static const char* const signs[] = {"", "≥ ", "≤ "};
  return signs[claim->relation];
}

// A text on one line, without characters that would end a table cell.
static void write_cell(lwOut* out, const char* text)
{
  for (; *text; ++text)
  {
    if (*text == '|') lw_out_text(out, "\\");
    lw_out_bytes(out, *text == '\n' ? " " : text, 1);
  }
}

static void write_judgement(lwOut* out, const Claim* claim)
{
  lw_out_format(out, "**%s**", VERDICTS[claim->verdict]);
  if (claim_errata(claim)) lw_out_format(out, " (erratum %s)", claim_errata(claim));
}

static void write_verdict(lwOut* out, const Claim* claim)
{
  write_judgement(out, claim);
  if (!claim_reason(claim)) return;
  lw_out_text(out, ": ");
  write_cell(out, claim_reason(claim));
}

// --- tables of claims

// One number per claim: a line for each.
static void write_list(lwOut* out, const Section* section)
{
  lw_out_text(out, "| claim | printed | corrected | measured | unit | verdict |\n"
                   "|---|---:|---:|---:|---|---|\n");
  for (int i = 0; i < section->count; ++i)
  {
    const Claim* claim      = &section->claims[i];
    const Values* columns[] = {&claim->printed, &claim->corrected, &claim->measured};
    const char* unit        = unit_of(section, claim);
    lw_out_text(out, "| ");
    write_cell(out, claim->says);
    for (int k = 0; k < 3; ++k)
    {
      lw_out_format(out, " | %s", k < 2 && columns[k]->count > 0 ? sign_of(claim) : "");
      write_number(out, columns[k]->count > 0 ? columns[k]->at[0] : NAN);
    }
    lw_out_format(out, " | %s | ", unit ? unit : "");
    write_verdict(out, claim);
    lw_out_text(out, " |\n");
  }
}

// Does the claim have a line of its own below the table: a reason, or no number at all?
static bool has_remark(const Claim* claim)
{
  return claim_reason(claim) || claim->printed.count + claim->measured.count == 0;
}

static void write_row(lwOut* out, const Section* section, const Claim* claim, int which)
{
  static const char* const names[] = {"printed", "corrected", "**measured**"};
  const Values* rows[]             = {&claim->printed, &claim->corrected, &claim->measured};
  bool last                        = which == (claim->measured.count > 0 ? 2 : 0);
  if (rows[which]->count == 0) return;
  lw_out_text(out, "| ");
  write_cell(out, claim->says);
  if (claim->unit) lw_out_format(out, " (%s)", claim->unit);
  lw_out_format(out, ", %s", names[which]);
  for (int k = 0; k < section->columns.count; ++k)
  {
    double v = k < rows[which]->count ? rows[which]->at[k] : NAN;
    lw_out_format(out, " | %s", which == 2 || isnan(v) ? "" : sign_of(claim));
    write_number(out, v);
  }
  lw_out_text(out, " | ");
  if (last) write_judgement(out, claim);
  lw_out_text(out, last ? " |\n" : "|\n");
}

// Several numbers per claim: lines for the printed, corrected and measured numbers, the verdict
// beside the last; reasons below.
static void write_grid(lwOut* out, const Section* section)
{
  bool remarks = false;
  lw_out_text(out, "|");
  if (section->unit) lw_out_format(out, " %s", section->unit);
  for (int k = 0; k < section->columns.count; ++k)
  {
    lw_out_text(out, " | ");
    write_cell(out, section->columns.at[k]);
  }
  lw_out_text(out, " | verdict |\n|---");
  for (int k = 0; k < section->columns.count; ++k) lw_out_text(out, "|---:");
  lw_out_text(out, "|---|\n");
  for (int i = 0; i < section->count; ++i)
    for (int which = 0; which < 3; ++which) write_row(out, section, &section->claims[i], which);
  for (int i = 0; i < section->count; ++i)
  {
    if (!has_remark(&section->claims[i])) continue;
    lw_out_text(out, remarks ? "- " : "\n- ");
    write_cell(out, section->claims[i].says);
    lw_out_text(out, ": ");
    write_verdict(out, &section->claims[i]);
    lw_out_text(out, "\n");
    remarks = true;
  }
}

static void write_section(lwOut* out, const Section* section)
{
  lw_out_format(out, "\n## %s\n\n", section->title);
  if (section->text) lw_out_format(out, "%s\n\n", section->text);
  if (section->count > 0 && section->columns.count > 1)
    write_grid(out, section);
  else if (section->count > 0)
    write_list(out, section);
  for (const Remark* remark = section->remarks; remark; remark = remark->next)
    lw_out_format(out, "\n%s\n", remark->text ? remark->text : "");
}

// --- the rest of the page

static void write_summary(lwOut* out, const Printed* printed)
{
  int count[VERDICT_COUNT] = {0}, all = 0, copies = 0;
  for (int i = 0; i < printed->section_count; ++i)
    for (int k = 0; k < printed->sections[i].count; ++k, ++all)
    {
      const Claim* claim = &printed->sections[i].claims[k];
      const char* fault  = claim_fault(printed, claim);
      ++count[claim->verdict];
      copies += fault && !strcmp(fault, "copy");
    }
  lw_out_format(out, "%d claims. %d could be tested:", all, all - count[VERDICT_NOT_REPRODUCIBLE]);
  for (int v = 0; v < VERDICT_NOT_REPRODUCIBLE; ++v)
    lw_out_format(out, " %d %s%s", count[v], VERDICTS[v],
                  v + 1 < VERDICT_NOT_REPRODUCIBLE ? "," : ".");
  lw_out_format(out, " %d %s.", count[VERDICT_NOT_REPRODUCIBLE],
                VERDICTS[VERDICT_NOT_REPRODUCIBLE]);
  lw_out_format(out,
                " Of the corrections %d %s what is, or may be, damage of our copy only, %d what is "
                "printed.\n",
                copies, copies == 1 ? "concerns" : "concern", count[VERDICT_CORRECTED] - copies);
}

static void write_head(lwOut* out, const Page* page)
{
  const Printed* printed = &page->printed;
  lw_out_format(out, "# %s: %s\n\n%s, *%s*.\n\n%s\n\n", printed->paper, printed->title,
                printed->authors, printed->source, printed->about);
  lw_out_format(out, "Made by `linkwork paper %s%s --out papers`. ", printed->paper,
                page->quick ? " --quick" : "");
  lw_out_text(out, "Printed numbers come from `printed.yaml`, measured ones from the run; "
                   "[verdicts.csv](verdicts.csv) has them all.\n\n");
  lw_out_format(out,
                "See it move: `%s` ([its animated run](../../docs/papers.md#see-them-move)).\n\n",
                printed->moves);
  write_summary(out, printed);
}

static void write_data(lwOut* out, const Printed* printed)
{
  if (printed->data_count == 0) return;
  lw_out_text(out, "\n## Data\n\n| what | value | unit | from |\n|---|---|---|---|\n");
  for (int i = 0; i < printed->data_count; ++i)
  {
    const Datum* datum = &printed->data[i];
    lw_out_text(out, "| ");
    write_cell(out, datum->says);
    lw_out_text(out, " | ");
    for (int k = 0; k < datum->values.count; ++k)
    {
      if (k > 0) lw_out_text(out, ", ");
      write_number(out, datum->values.at[k]);
    }
    lw_out_format(out, " | %s | ", datum->unit ? datum->unit : "");
    write_cell(out, datum->where);
    lw_out_text(out, " |\n");
  }
}

// What the run found about the erratum, "; " between facts.
static void write_facts(lwOut* out, const Page* page, const char* erratum)
{
  bool first = true;
  for (const ErratumFact* fact = page->facts; fact; fact = fact->next)
    if (!strcmp(fact->erratum, erratum))
    {
      lw_out_text(out, first ? "" : "; ");
      write_cell(out, fact->text);
      first = false;
    }
}

static void write_errata(lwOut* out, const Page* page)
{
  const Printed* printed = &page->printed;
  if (printed->errata_count == 0) return;
  lw_out_text(out, "\n## Errata\n\n| | where | class | printed | corrected | measured |\n"
                   "|---|---|---|---|---|---|\n");
  for (int i = 0; i < printed->errata_count; ++i)
  {
    const Erratum* erratum = &printed->errata[i];
    const char* cells[]    = {erratum->id, erratum->where, ERRATUM_CLASSES[erratum->kind],
                              erratum->printed, erratum->corrected};
    for (int k = 0; k < 5; ++k)
    {
      lw_out_text(out, "| ");
      write_cell(out, cells[k]);
      lw_out_text(out, " ");
    }
    lw_out_text(out, "| ");
    write_facts(out, page, erratum->id);
    lw_out_text(out, " |\n");
  }
}

static void write_files(lwOut* out, const Page* page)
{
  if (!page->series) return;
  lw_out_text(out, "\n## Data of the run\n\n");
  for (const PageSeries* series = page->series; series; series = series->next)
  {
    lw_out_format(out, "- [%s.csv](%s.csv): ", series->name, series->name);
    for (int c = 0; c < series->columns; ++c)
      lw_out_format(out, "%s%s", c > 0 ? ", " : "", series->column[c]);
    lw_out_text(out, "\n");
  }
}

static void write_page(lwOut* out, const Page* page)
{
  write_head(out, page);
  write_data(out, &page->printed);
  for (int i = 0; i < page->printed.section_count; ++i)
    write_section(out, &page->printed.sections[i]);
  write_errata(out, page);
  write_files(out, page);
}

// --- CSV

static void write_value(lwOut* out, const Values* values, int k)
{
  lw_out_text(out, ",");
  if (k < values->count && !isnan(values->at[k])) lw_out_number(out, values->at[k]);
}

static void write_claim(lwOut* out, const Printed* printed, const Section* section,
                        const Claim* claim)
{
  const char* fault = claim_fault(printed, claim);
  int columns       = section->columns.count > 0 ? section->columns.count : 1;
  for (int k = 0; k < columns; ++k)
  {
    const char* texts[] = {section->id, claim->id, VERDICTS[claim->verdict],
                           section->columns.count > 0 ? section->columns.at[k] : "",
                           unit_of(section, claim)};
    for (int t = 0; t < 5; ++t)
    {
      if (t > 0) lw_out_text(out, ",");
      lw_out_csv(out, texts[t] ? texts[t] : "");
    }
    write_value(out, &claim->printed, k);
    write_value(out, &claim->corrected, k);
    write_value(out, &claim->measured, k);
    lw_out_text(out, ",");
    lw_out_csv(out, claim_errata(claim) ? claim_errata(claim) : "");
    lw_out_text(out, ",");
    lw_out_csv(out, claim_reason(claim) ? claim_reason(claim) : "");
    lw_out_format(out, ",%s\n", fault ? fault : "");
  }
}

static void write_verdicts(lwOut* out, const Page* page)
{
  lw_out_text(out, "section,claim,verdict,quantity,unit,printed,corrected,measured,erratum,why,"
                   "fault\n");
  for (int i = 0; i < page->printed.section_count; ++i)
    for (int k = 0; k < page->printed.sections[i].count; ++k)
      write_claim(out, &page->printed, &page->printed.sections[i],
                  &page->printed.sections[i].claims[k]);
}

static void write_fact_list(lwOut* out, const Page* page)
{
  lw_out_text(out, "erratum,measured\n");
  for (const ErratumFact* fact = page->facts; fact; fact = fact->next)
  {
    lw_out_format(out, "%s,", fact->erratum);
    lw_out_csv(out, fact->text);
    lw_out_text(out, "\n");
  }
}

static void write_series(lwOut* out, const PageSeries* series)
{
  for (int c = 0; c < series->columns; ++c)
  {
    if (c > 0) lw_out_text(out, ",");
    lw_out_csv(out, series->column[c]);
  }
  lw_out_text(out, "\n");
  for (size_t row = 0; row < series->rows; ++row)
    for (int c = 0; c < series->columns; ++c)
    {
      double v = series_value(series, row, c);
      if (!isnan(v)) lw_out_number(out, v);
      lw_out_text(out, c + 1 < series->columns ? "," : "\n");
    }
}

// --- files

static int write_page_part(const Page* page, const char* name, const char* end, lwOut* out)
{
  char path[PATH_MAX];
  int status = page_path(page, name, end, path, sizeof path);
  return status == DONE ? out_open(out, path) : status;
}

int page_write(Page* page)
{
  if (page->status != DONE || !page->folder) return page->status;
  static const struct
  {
    const char *name, *end;
    void (*write)(lwOut* out, const Page* page);
  } parts[]  = {{"README", ".md", write_page},
                {"verdicts", ".csv", write_verdicts},
                {"facts", ".csv", write_fact_list}};
  lwOut* out = malloc(sizeof *out);
  int status = DONE;
  if (!out) return page_check(page, LW_ERROR_MEMORY);
  for (size_t k = 0; k < sizeof parts / sizeof *parts && status == DONE; ++k)
  {
    status = write_page_part(page, parts[k].name, parts[k].end, out);
    if (status != DONE) break;
    parts[k].write(out, page);
    status = out_close(out, DONE, false);
  }
  for (const PageSeries* series = page->series; series && status == DONE; series = series->next)
  {
    status = write_page_part(page, series->name, ".csv", out);
    if (status != DONE) break;
    write_series(out, series);
    status = out_close(out, DONE, false);
  }
  free(out);
  page->status = status;
  return status;
}

void page_progress(const Page* page, const char* what)
{
  progress_wait("%s: %s", page->printed.paper, what);
}
