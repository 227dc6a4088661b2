// SPDX-License-Identifier: MIT
// Audits of runs, in words and as json, from numbers that are known.
#include "report/audit/audit.h"

#include <stdio.h>
#include <string.h>

#include "support/testing.h"

static char text[4000];

static void collect(void* to, const char* more)
{
  strncat(to, more, sizeof text - strlen(to) - 1);
}

static const lwRunFacts FACTS = {.source     = {"file", "s.yaml"},
                                 .robot      = {"snake", "a \"snake\""},
                                 .method     = "kane",
                                 .integrator = "rk4",
                                 .outcome    = "complete",
                                 .reached    = 2,
                                 .seconds    = 0.5};

static const lwNote NOTES[] = {{.t = 0.25, .kind = LW_NOTE_SLIP, .which = 2},
                               {.t = 0.5, .kind = LW_NOTE_HIT, .which = 0}};

static lwAudit snake_audit(void)
{
  lwAudit audit = {
      .steps = {.steps = 100, .rejected = 3, .smallest = 0.01, .largest = 0.02, .evaluations = 412},
      .events        = 4,
      .worst_S       = 1e-6,
      .peak_kinetic  = 2,
      .bound         = 1e-3,
      .trusted       = true,
      .drive_work    = 5,
      .friction_work = -0.5,
      .notes         = NOTES,
      .note_count    = 2};
  audit.counts[LW_NOTE_SLIP] = 3;
  audit.first[LW_NOTE_SLIP]  = 0.25;
  audit.counts[LW_NOTE_HIT]  = 1;
  audit.first[LW_NOTE_HIT]   = 0.5;
  return audit;
}

static void snakes_in_words(void** unused)
{
  (void)unused;
  lwAudit audit = snake_audit();
  text[0]       = 0;
  lw_snake_audit_text(&FACTS, &audit, &(lwAuditPrinter){collect, text});
  assert_string_equal(text,
                      "run: complete; 2 s in 0.5 s, 4 times real time\n"
                      "steps by rk4: 100 taken, 3 rejected, 0.01 to 0.02 s; 412 evaluations\n"
                      "S = kinetic - work + losses moved by 1e-06 J, 5e-07 of the largest kinetic "
                      "energy, 2 J\n"
                      "work: torques 5 J, lost by slip 0.5 J, lost at stops 0 J\n"
                      "wheels: sideways speed at most 0 m/s; events: 4\n"
                      "  t = 0.25      wheel 3 began to slip first, 3 times in all\n"
                      "  t = 0.5       joint 1 hit a stop\n");
}

static void snakes_as_json(void** unused)
{
  (void)unused;
  lwAudit audit = snake_audit();
  lwOut out     = {.in_memory = true};
  lw_snake_audit_json(&FACTS, &audit, &out);
  assert_true(lw_out_finish(&out));
  assert_contains(out.text, "{\"file\": \"s.yaml\",\n \"snake\": \"a \\\"snake\\\"\"");
  assert_contains(out.text, "\"method\": \"kane\"");
  assert_contains(out.text, "\"real_time_factor\": 4,");
  assert_contains(out.text, "\"energy_error\": 5e-07,\n \"bound\": 0.001,\n \"trusted\": true");
  assert_contains(out.text, "\"counts\": {\"slip\": 3, \"hold\": 0, \"hit\": 1");
  assert_contains(out.text, "{\"t\": 0.25, \"what\": \"slip\", \"who\": \"wheel 3\"},\n"
                            "  {\"t\": 0.5, \"what\": \"hit\", \"who\": \"joint 1\"}\n ]}\n");
  lw_out_free(&out);
}

static void outcomes_and_notes_have_names(void** unused)
{
  (void)unused;
  assert_string_equal(lw_outcome_text(LW_OUTCOME_ARRIVED), "complete");
  assert_string_equal(lw_outcome_text(LW_OUTCOME_LIMIT), "ended by a joint at its limit");
  assert_string_equal(lw_note_what(LW_NOTE_UPPER), "upper limit");
  char buffer[LW_NOTE_WHO];
  lwArmEventDef events[2] = {{.name = "door"}, {0}};
  lwArmDef arm            = {.events = events, .event_count = 2};
  lwNote note             = {.kind = LW_NOTE_EVENT, .which = 0};
  assert_string_equal(lw_note_who(&arm, &note, buffer), "door");
  note.which = 1;
  assert_string_equal(lw_note_who(&arm, &note, buffer), "event 2");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(snakes_in_words),
      cmocka_unit_test(snakes_as_json),
      cmocka_unit_test(outcomes_and_notes_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
