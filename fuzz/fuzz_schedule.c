// SPDX-License-Identifier: MIT
// Arbitrary bytes through the reader of schedules: no crash, no leak, and a schedule that can be
// evaluated if and only if the status is LW_OK.
#include <math.h>
#include <string.h>

#include "checks.h"
#include "linkwork/drive.h"

static void ask(const lwSchedule* schedule)
{
  double values[3], t = -INFINITY;
  require(lw_schedule_rows(schedule) > 0 && lw_schedule_width(schedule) == 3);
  for (int k = 0; k < 10 && t < INFINITY; ++k, t = lw_schedule_next(schedule, t))
  {
    lw_schedule_values(schedule, t, values);
    for (int i = 0; i < 3; ++i) require(lw_schedule_value(schedule, i, t) == values[i]);
  }
}

static void read_with(const uint8_t* data, size_t size, const lwScheduleDef* def)
{
  lwDiag* diag         = lw_diag_create();
  lwSchedule* schedule = NULL;
  if (!diag) return;
  lwStatus status =
      lw_schedule_read_text("fuzz.csv", (const char*)data, size, def, diag, &schedule);
  check_reading(status, schedule != NULL, diag);
  if (schedule) ask(schedule);
  lw_schedule_destroy(schedule);
  lw_diag_destroy(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static const char* const names[] = {"waist", "elbow", "wrist"};
  lwScheduleDef all                = {.symbol = "v", .width = 3, .names = names};
  lwScheduleDef some               = {.symbol = "tau", .width = 3, .names = names, .partial = true};
  some.between                     = LW_BETWEEN_LINEAR;
  read_with(data, size, way_of(data, size, 2) ? &all : &some);
  return 0;
}
