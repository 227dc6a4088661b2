// SPDX-License-Identifier: MIT
// The equations of a document on its page: set as a picture, and tried against the kernels.
#include <stdlib.h>

#include "formulas.h"
#include "io/output.h"
#include "page_formulas.h"

static void write_picture(Page* page, const char* section, const Formulas* formulas)
{
  char path[4096];
  char* svg = formulas_svg(formulas);
  if (!svg) page_check(page, LW_ERROR_MEMORY);
  if (svg && page->folder && page->status == DONE &&
      page_path(page, "equations", ".svg", path, sizeof path) == DONE)
  {
    lwOut* out = malloc(sizeof *out);
    int status = out ? out_open(out, path) : page_check(page, LW_ERROR_MEMORY);
    if (status == DONE)
    {
      lw_out_text(out, svg);
      status = out_close(out, DONE, false);
    }
    if (status != DONE) page->status = status;
    free(out);
  }
  free(svg);
  note_figure(page, section, "equations",
              "The equations of this page with their numbers in the document, from equations.txt; "
              "red: corrected, with the number of the erratum.");
}

void page_formulas(Page* page, const PageFormulas* def)
{
  Formulas formulas;
  FormulaTrial trial = {0};
  if (page->status != DONE) return;
  if (!formulas_read(&formulas, "equations.txt", def->text, def->length))
    page_fail(page, INPUT, "%s", formulas.wrong);
  else if (!formulas_try_double(&formulas, def->frames, def->count, def->answers, &trial) ||
           !formulas_try_prime(&formulas, def->frames, def->count, def->answers, &trial))
    page_check(page, LW_ERROR_MEMORY);
  else if (trial.wrong)
    page_fail(page, INPUT, "equations.txt: '%s' has no value", trial.wrong);
  if (page->status == DONE)
  {
    page_require(page, "equations.txt against the kernels, in doubles", trial.error, 1e-11);
    page_require(page, "equations.txt against the kernels, entries that differ modulo 2^61 - 1",
                 trial.different, 0);
    write_picture(page, def->section, &formulas);
    page_note(page, def->section,
              "These equations are evaluated as they stand there: in doubles they agree with the "
              "kernels to %.0e of the largest answer, and in integers modulo 2^61 - 1 %d of %d "
              "entries are equal: those that the kernels answer, and the sides of equations that "
              "are no assignments.",
              1e-11, trial.entries - trial.different, trial.entries);
  }
  formulas_free(&formulas);
}
