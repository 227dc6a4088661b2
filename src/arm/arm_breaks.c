// SPDX-License-Identifier: MIT
// Times at which rates jump: events at given times, loads that begin and end,
// commands that are sampled.
//
// Times known beforehand are sorted once and passed one after the other.
#include <math.h>
#include <stdlib.h>

#include "arm/arm_internal.h"

static int compare_breaks(const void* first, const void* second)
{
  const lwBreak *a = first, *b = second;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  if (a->event != b->event)
    return a->event < b->event ? -1 : 1;  // loads first, then in their order
  return (a->load > b->load) - (a->load < b->load);
}

static void add_break(lwArmRun* run, lwBreak one)
{
  if (one.t < INFINITY) run->breaks[run->break_count++] = one;
}

bool lw_arm_breaks_create(lwArmRun* run)
{
  size_t most = (size_t)run->event_count + 2 * (size_t)run->load_count;
  run->breaks = lw_arena_take(&run->arena, most + 1, sizeof *run->breaks);
  if (!run->breaks) return false;
  for (int i = 0; i < run->event_count; ++i) add_break(run, (lwBreak){run->events[i].at, i, -1});
  for (int i = 0; i < run->load_count; ++i)
  {
    add_break(run, (lwBreak){run->loads[i].from, -1, i});
    add_break(run, (lwBreak){run->loads[i].to, -1, i});
  }
  qsort(run->breaks, (size_t)run->break_count, sizeof *run->breaks, compare_breaks);
  return true;
}

double lw_arm_next_break(const lwArmRun* run)
{
  double command = run->timed ? lw_arm_next_command(run) : (double)INFINITY;
  double known =
      run->break_next < run->break_count ? run->breaks[run->break_next].t : (double)INFINITY;
  return fmin(command, known);
}

lwOutcome lw_arm_breaks(lwArmRun* run)
{
  while (run->break_next < run->break_count && run->breaks[run->break_next].t <= run->t)
  {
    const lwBreak* now = &run->breaks[run->break_next++];
    if (now->load >= 0)
    {
      const lwLoadDef* load  = &run->loads[now->load];
      run->acting[now->load] = load->from <= run->t && run->t < load->to;
      continue;
    }
    ++run->audit.events;
    lwOutcome outcome = lw_arm_apply(run, now->event);
    if (outcome != LW_OUTCOME_ARRIVED) return outcome;
  }
  return lw_arm_go_on(run, -1);
}
