// SPDX-License-Identifier: MIT
// Manuals in all forms: what has a meaning there is escaped, and every command and option is there.
#include "report/manual_writer.h"

#include <string.h>

#include "support/testing.h"

static const lwManualOption OPTIONS[] = {
    {"--out", 'o', "FILE", "a file's name, [or] -"},
    {"--all", 0, NULL, "all of <them> | or none"},
};
static const lwManualCommand COMMANDS[] = {
    {.name           = "inverse",
     .summary        = "torques: 'tau'",
     .operand        = "ROBOT",
     .operand_needed = true,
     .example        = "linkwork inverse arm.yaml\n",
     .options        = 2,
     .option         = OPTIONS,
     .sections       = 1,
     .section        = {".dots begin a line\nback\\slash\n"}},
    {.name = "snake state", .summary = "one state", .operand = "FILE", .example = "x\n"},
};
static const lwManual MANUAL = {"SI units\n", "0 done\n", 2, COMMANDS};

static lwOut out;

static const char* manual_as(const char* form, const lwManualCommand* about)
{
  lw_out_free(&out);
  out = (lwOut){.in_memory = true};
  assert_true(lw_manual_write(&out, form, &MANUAL, about));
  assert_true(lw_out_finish(&out));
  return out.text;
}

static void man_pages(void** unused)
{
  (void)unused;
  const char* text = manual_as("man", &COMMANDS[0]);
  assert_contains(text, ".TH \"linkwork-inverse\" 1");
  assert_contains(text, "\nlinkwork\\-inverse \\- torques: 'tau'\n");
  assert_contains(text, ".B linkwork inverse\n\\fR ROBOT [options]\n");
  assert_contains(text, ".TP\n.B \\-o, \\-\\-out \\fIFILE\\fR\na file's name, [or] \\-\n");
  assert_contains(text, ".nf\n\\&.dots begin a line\nback\\eslash\n.fi\n");
  assert_contains(manual_as("man", &COMMANDS[1]), "linkwork-snake-state");
  text = manual_as("man", NULL);
  assert_contains(text, ".TP\n.B snake state\none state\n");
  assert_contains(text, ".SH EXIT STATUS\n.PP\n.nf\n0 done\n.fi\n");
}

static void markdown(void** unused)
{
  (void)unused;
  const char* text = manual_as("markdown", NULL);
  assert_contains(text, "| [`snake state`](#snake-state) | one state |\n");
  assert_contains(text, "| `-o`, `--out FILE` | a file's name, [or] - |\n");
  assert_contains(text, "| `--all` | all of \\<them> \\| or none |\n");
  assert_contains(text, "`linkwork snake state [FILE] [options]`");
}

static void completion(void** unused)
{
  (void)unused;
  const char* text = manual_as("bash", NULL);
  assert_contains(text, "compgen -W \"inverse --help --version\"");
  assert_contains(text, "compgen -W \"state\"");
  assert_contains(text, "'inverse') options='--out --all' ;;");
  text = manual_as("zsh", NULL);
  assert_contains(text, "'inverse:torques\\: '\\''tau'\\'''");
  assert_contains(text, "'--out[a file'\\''s name, \\[or\\] -]:FILE:_files' \\\n");
  assert_contains(text, "'--all[all of <them> | or none]' \\\n");
  text = manual_as("fish", NULL);
  assert_contains(text, "-a inverse -d 'torques: \\'tau\\''\n");
  assert_contains(text, "-l out -s o -r -d 'a file\\'s name, [or] -'\n");
  assert_contains(text, "__fish_seen_subcommand_from snake' -a state");
}

static void other_forms_are_unknown(void** unused)
{
  (void)unused;
  assert_false(lw_manual_write(&out, "html", &MANUAL, NULL));
  lw_out_free(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(man_pages),
      cmocka_unit_test(markdown),
      cmocka_unit_test(completion),
      cmocka_unit_test(other_forms_are_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
