// SPDX-License-Identifier: MIT
// Arbitrary bytes through the reader of studies; studies that can be read are sampled. No crash, no
// leak, and a study if and only if the status is LW_OK. Sampling twice gives the same sample, and
// the same results unless a run could take long or start a program.
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "study/study_internal.h"

static bool is_short(const lwStudy* study)
{
  if (!study->run) return true;
  return study->run == &LW_RUN_INVERSE && study->band_end <= 10 && !strstr(study->text, "dt");
}

static void compute_sample(const lwStudy* study, long k)
{
  lwStudyWorker* worker = NULL;
  lwStudyRow* row       = calloc(1, lw_study_row_bytes(study));
  if (row && lw_study_worker_create(study, NULL, NULL, &worker) == LW_OK)
  {
    lw_study_work(worker, k, 1, row);
    require(row->sample == k && row->state >= 0 && row->state < LW_SAMPLE_STATE_COUNT);
    require((row->state == LW_SAMPLE_STATE_DONE) == (row->why[0] == 0));
  }
  lw_study_worker_destroy(worker);
  free(row);
}

static void draw_sample(const lwStudy* study, long k)
{
  size_t bytes  = (size_t)lw_study_parameter_count(study) * sizeof(double);
  double* twice = calloc(2, bytes + sizeof *twice);
  if (!twice) return;
  double* again = twice + lw_study_parameter_count(study);
  lw_study_draw(study, k, twice);
  lw_study_draw(study, k, again);
  require(memcmp(twice, again, bytes) == 0);
  free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  lwDiag* diag   = lw_diag_create();
  lwStudy* study = NULL;
  if (!diag) return 0;
  lwStatus status =
      lw_study_read_text(FUZZ_FOLDER "/fuzz.yaml", (const char*)data, size, diag, &study);
  check_reading(status, study != NULL, diag);
  lw_diag_destroy(diag);
  if (!study) return 0;
  require(lw_study_samples(study) > 0 && lw_study_samples(study) <= LW_STUDY_MAX_SAMPLES);
  const long samples[] = {-1, 0, lw_study_samples(study) - 1};
  for (int i = 0; i < 3; ++i)
  {
    draw_sample(study, samples[i]);
    if (is_short(study)) compute_sample(study, samples[i]);
  }
  lw_study_destroy(study);
  return 0;
}
