// SPDX-License-Identifier: MIT
#include "support/studies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/testing.h"

lwStudy* study_of(const char* text)
{
  lwStudy* study = NULL;
  lwDiag* diag   = lw_diag_create();
  lwStatus read  = lw_study_read_text("test.yaml", text, strlen(text), diag, &study);
  if (read != LW_OK && lw_diag_size(diag) > 0) printf("%s\n", lw_diag_message(diag, 0)->text);
  lw_diag_destroy(diag);
  assert_int_equal(read, LW_OK);
  return study;
}

void study_refused(const char* text, const char* part)
{
  lwStudy* study = NULL;
  lwDiag* diag   = lw_diag_create();
  bool found     = false;
  assert_int_equal(lw_study_read_text("test.yaml", text, strlen(text), diag, &study),
                   LW_ERROR_INPUT);
  assert_null(study);
  for (int i = 0; i < lw_diag_size(diag); ++i)
    found = found || strstr(lw_diag_message(diag, i)->text, part);
  if (!found)
    fail_msg("'%s' is not in '%s'", part,
             lw_diag_size(diag) > 0 ? lw_diag_message(diag, 0)->text : "");
  lw_diag_destroy(diag);
}

void* study_rows(const lwStudy* study, long first, int count)
{
  lwStudyWorker* worker;
  void* rows = calloc((size_t)count, lw_study_row_bytes(study));
  assert_non_null(rows);
  assert_int_equal(lw_study_worker_create(study, NULL, NULL, &worker), LW_OK);
  assert_int_equal(lw_study_work(worker, first, count, rows), LW_OK);
  lw_study_worker_destroy(worker);
  return rows;
}

const lwStudyRow* study_row(const lwStudy* study, const void* rows, int i)
{
  return (const lwStudyRow*)((const char*)rows + (size_t)i * lw_study_row_bytes(study));
}

double study_measure(const lwStudy* study, const lwStudyRow* row, const char* name)
{
  for (int m = 0; m < lw_study_measure_count(study); ++m)
    if (!strcmp(lw_study_measure_name(study, m), name))
      return lw_study_row_numbers(row)[lw_study_parameter_count(study) + m];
  fail_msg("no measure '%s'", name);
  return NAN;
}
