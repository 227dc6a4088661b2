// SPDX-License-Identifier: MIT
// Arbitrary bytes as a work cycle of a PUMA: it is refused with a message, or every section has a
// path whose positions are finite, along which the fastest motion is found or refused.
#include <math.h>

#include "checks.h"
#include "linkwork/cycle.h"
#include "linkwork/read.h"

enum
{
  MOST_SECTIONS = 3,  // that are paced: further ones only take longer
  JOINTS        = 6
};

static const lwModel* puma(void)
{
  static lwModel* model;
  if (!model) lw_robot_read_file(FUZZ_FOLDER "/../robots/puma560.yaml", NULL, NULL, &model);
  require(model != NULL);
  return model;
}

static void check_path(const lwCycleSection* section)
{
  double q[JOINTS], qd[JOINTS], qdd[JOINTS], end = lw_trajectory_duration(section->path);
  require(isfinite(end) && end >= 0 && section->move_count > 0);
  require(section->wait >= 0 && section->dwell >= 0);
  for (int i = 0; i <= 4; ++i)
  {
    lw_trajectory_at(section->path, end * i / 4, q, qd, qdd);
    for (int k = 0; k < JOINTS; ++k) require(isfinite(q[k]) && isfinite(qd[k]));
  }
}

static void pace(const lwCycle* cycle, const lwCycleSection* section)
{
  lwRetimeDef def       = lw_cycle_limits(cycle);
  lwRetime* retime      = NULL;
  lwRetimeResult result = {0};
  def.grid              = 8;
  def.refine            = 1;
  def.tightenings       = 2;
  if (lw_retime_create(section->model, &def, NULL, &retime) == LW_OK &&
      lw_retime(retime, section->path, &section->ends, &result) == LW_OK)
    require(isfinite(result.time) && result.time >= 0);
  lw_retime_destroy(retime);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  lwDiag* diag   = lw_diag_create();
  lwCycle* cycle = NULL;
  if (!diag) return 0;
  lwStatus status = lw_cycle_read_text("fuzz.yaml", (const char*)data, size, puma(), diag, &cycle);
  check_reading(status, cycle != NULL, diag);
  for (int i = 0; cycle && i < lw_cycle_count(cycle); ++i)
  {
    check_path(lw_cycle_section(cycle, i));
    if (i < MOST_SECTIONS) pace(cycle, lw_cycle_section(cycle, i));
  }
  lw_cycle_destroy(cycle);
  lw_diag_destroy(diag);
  return 0;
}
