// SPDX-License-Identifier: MIT
// Reads the claims of a document, and checks the verdict on each.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_page.h"
#include "testing.h"

// --- stubs of the program

#undef fail
int fail(int code, const char* format, ...)
{
  (void)format;
  return code;
}

void errors_print(const lwDiag* diag)
{
  (void)diag;
}

int figure_draw(const Page* page, const Figure* figure)
{
  (void)page, (void)figure;
  return DONE;
}

// --- pages

#define HEAD "linkwork: 1\npaper: x\ntitle: t\nauthors: a\nsource: s\nmoves: m\nabout: b\n"

static Page* open_page(Page* page, const char* text)
{
  *page = (Page){.quick = true};
  assert_int_equal(page_open(page, "x", text, strlen(text)), DONE);
  return page;
}

// The verdict on one claim with these keys.
static Verdict verdict_of(const char* keys, double measured)
{
  char text[512];
  Page page;
  snprintf(text, sizeof text,
           HEAD "sections:\n  - {id: s, title: t, claims: [{id: c, says: y, %s}]}\n", keys);
  open_page(&page, text);
  page_measure_one(&page, "s/c", measured);
  page_judge(&page);
  assert_int_equal(page.status, DONE);
  Verdict verdict = page.printed.sections[0].claims[0].verdict;
  page_close(&page);
  return verdict;
}

// Reasons name measured numbers by their column.
static void test_reason(void** state)
{
  (void)state;
  static const char text[] = HEAD "sections:\n  - {id: s, title: t, columns: [a, b], claims: "
                                  "[{id: c, says: y, printed: [9, 9], but: \"{2}, not {1}.\"}]}\n";
  const double measured[]  = {7, 0.124};
  Page page;
  open_page(&page, text);
  page_measure(&page, "s/c", 2, measured);
  page_judge(&page);
  assert_int_equal(page.status, DONE);
  assert_string_equal(claim_reason(&page.printed.sections[0].claims[0]), "0.12, not 7.");
  page_close(&page);
}

static void test_verdicts(void** state)
{
  (void)state;
  assert_int_equal(verdict_of("printed: 5", 5), VERDICT_REPRODUCED);
  assert_int_equal(verdict_of("printed: 5", 5.001), VERDICT_REFUTED);
  assert_int_equal(verdict_of("printed: 5", NAN), VERDICT_NOT_REPRODUCIBLE);
  assert_int_equal(verdict_of("printed: 5, tolerance: 0.1", 5.49), VERDICT_REPRODUCED);
  assert_int_equal(verdict_of("printed: 5, tolerance: 0.1", 4.49), VERDICT_REFUTED);
  assert_int_equal(verdict_of("printed: 0, absolute: 0.5", -0.5), VERDICT_REPRODUCED);
  assert_int_equal(verdict_of("printed: 5, relation: at least", 7), VERDICT_REPRODUCED);
  assert_int_equal(verdict_of("printed: 5, relation: at least", 4.9), VERDICT_REFUTED);
  assert_int_equal(verdict_of("printed: 5, relation: at most", 4.9), VERDICT_REPRODUCED);
  assert_int_equal(verdict_of("printed: 5, relation: at most", 7), VERDICT_REFUTED);
  // with a reason why it cannot be tested: another number does not refute it, the same one
  // reproduces it
  assert_int_equal(verdict_of("printed: 5, why: half of it is lost", 7), VERDICT_NOT_REPRODUCIBLE);
  assert_int_equal(verdict_of("printed: 5, why: half of it is lost", 5), VERDICT_REPRODUCED);
}

static void test_corrections(void** state)
{
  (void)state;
  const char* corrected = "printed: 5, corrected: 6, errata: 0-1";
  assert_int_equal(verdict_of(corrected, 5), VERDICT_REPRODUCED);
  assert_int_equal(verdict_of(corrected, 6), VERDICT_CORRECTED);
  assert_int_equal(verdict_of(corrected, 7), VERDICT_REFUTED);
  // measured with corrected equations, compared with the printed value
  assert_int_equal(verdict_of("printed: 5, errata: 0-1", 5), VERDICT_CORRECTED);
  assert_int_equal(verdict_of("printed: 5, errata: 0-1", 6), VERDICT_REFUTED);
  assert_int_equal(verdict_of("why: it is missing", 5), VERDICT_NOT_REPRODUCIBLE);
}

// Corrections count apart where only our copy is damaged.
static void test_faults(void** state)
{
  (void)state;
  Page page;
  open_page(&page, HEAD "errata:\n"
                        "  - {id: 0-1, class: damaged copy, where: w, printed: p, corrected: c}\n"
                        "  - {id: 0-2, class: wrong, where: w, printed: p, corrected: c}\n"
                        "sections:\n"
                        "  - id: s\n"
                        "    title: t\n"
                        "    claims:\n"
                        "      - {id: a, says: y, printed: 1, errata: 0-1}\n"
                        "      - {id: b, says: y, printed: 1, errata: \"0-1, 0-2\"}\n"
                        "      - {id: c, says: y, printed: 1}\n");
  page_measure_one(&page, "s/a", 1);
  page_measure_one(&page, "s/b", 1);
  page_measure_one(&page, "s/c", 1);
  page_judge(&page);
  const Claim* claims = page.printed.sections[0].claims;
  assert_string_equal(claim_fault(&page.printed, &claims[0]), "copy");
  assert_string_equal(claim_fault(&page.printed, &claims[1]), "document");
  assert_null(claim_fault(&page.printed, &claims[2]));
  page_fact(&page, "0-2", "costs %d", 7);
  assert_string_equal(page.facts->text, "costs 7");
  assert_int_equal(page.status, DONE);
  page_fact(&page, "0-3", "of no erratum of the page");
  assert_int_equal(page.status, INPUT);
  page_close(&page);
}

// A row is reproduced if every printed number in it is.
static void test_rows(void** state)
{
  (void)state;
  Page page;
  const double measured[] = {1, 7, 3}, other[] = {1, 7, 4};
  open_page(&page, HEAD "sections:\n"
                        "  - id: s\n"
                        "    title: t\n"
                        "    columns: [a, b, c]\n"
                        "    claims:\n"
                        "      - {id: one, says: y, printed: [1, ~, 3]}\n"
                        "      - {id: two, says: y, printed: [1, ~, 3]}\n");
  page_measure(&page, "s/one", 3, measured);
  page_measure(&page, "s/two", 3, other);
  page_judge(&page);
  assert_int_equal(page.printed.sections[0].claims[0].verdict, VERDICT_REPRODUCED);
  assert_int_equal(page.printed.sections[0].claims[1].verdict, VERDICT_REFUTED);
  assert_nan(page_printed(&page, "s/one").at[1]);
  page_measure(&page, "s/one", 2, measured);
  assert_int_equal(page.status, INPUT);
  page_close(&page);
}

// If the columns are cases, a claim may hold for some of them; its errata and findings are shown
// with the verdict.
static void test_cases(void** state)
{
  (void)state;
  static const double none[] = {2, 2, 2}, some[] = {2, 7, 2}, all[] = {1, 7, 3};
  Page page;
  open_page(&page,
            HEAD "sections:\n"
                 "  - id: s\n"
                 "    title: t\n"
                 "    cases: yes\n"
                 "    columns: [a, b, c]\n"
                 "    claims:\n"
                 "      - {id: none, says: y, printed: [1, ~, 3], but: no, errata: 0-1}\n"
                 "      - {id: some, says: y, printed: [2, ~, 3], but: b, errata: 0-1}\n"
                 "      - {id: all, says: y, printed: [1, ~, 3], but: b, errata: 0-1}\n"
                 "      - {id: lost, says: y, printed: [2, ~, 3], but: b, why: w, errata: 0-1}\n");
  page_measure(&page, "s/none", 3, none);
  page_measure(&page, "s/some", 3, some);
  page_measure(&page, "s/all", 3, all);
  page_measure(&page, "s/lost", 3, some);
  page_judge(&page);
  const Claim* claims = page.printed.sections[0].claims;
  assert_int_equal(claims[0].verdict, VERDICT_REFUTED);
  assert_string_equal(claim_reason(&claims[0]), "no");
  assert_string_equal(claim_errata(&claims[0]), "0-1");
  assert_int_equal(claims[1].verdict, VERDICT_IN_PART);
  assert_string_equal(claim_reason(&claims[1]), "b");
  assert_int_equal(claims[2].verdict, VERDICT_CORRECTED);
  assert_null(claim_reason(&claims[2]));
  assert_int_equal(claims[3].verdict, VERDICT_NOT_REPRODUCIBLE);
  assert_string_equal(claim_reason(&claims[3]), "w");
  assert_null(claim_errata(&claims[3]));
  page_close(&page);
}

// Values that the run knows to be correct, and requirements on linkwork whatever is printed.
static void test_page_correct_and_require(void** state)
{
  (void)state;
  Page page;
  open_page(&page,
            HEAD "sections:\n"
                 "  - {id: s, title: t, claims: [{id: c, says: y, printed: 1, errata: 0-1}]}\n");
  page_correct(&page, "s/c", 1, (double[]){2});
  page_measure_one(&page, "s/c", 2);
  page_require(&page, "small enough", 1, 1);
  page_judge(&page);
  assert_int_equal(page.status, DONE);
  assert_int_equal(page.printed.sections[0].claims[0].verdict, VERDICT_CORRECTED);
  page_require(&page, "no number", NAN, 1);
  assert_int_equal(page.status, NUMERICAL);
  page_close(&page);
}

// A claim may take its numbers from another claim, before or after it.
static void test_shared_numbers(void** state)
{
  (void)state;
  Page page;
  open_page(&page, HEAD "sections:\n"
                        "  - {id: s, title: t, claims: [{id: a, says: y, as: r/b}]}\n"
                        "  - {id: r, title: t, claims: [{id: b, says: y, printed: 5}]}\n");
  assert_same(page_printed(&page, "s/a").at[0], 5);
  page_measure_one(&page, "s/a", 6);
  page_measure_one(&page, "r/b", 5);
  page_judge(&page);
  assert_int_equal(page.printed.sections[0].claims[0].verdict, VERDICT_REFUTED);
  assert_int_equal(page.printed.sections[1].claims[0].verdict, VERDICT_REPRODUCED);
  page_close(&page);
}

static void test_unmeasured(void** state)
{
  (void)state;
  Page page;
  open_page(&page,
            HEAD "sections:\n  - {id: s, title: t, claims: [{id: c, says: y, printed: 1}]}\n");
  page_judge(&page);
  assert_int_equal(page.status, NUMERICAL);
  page_close(&page);
}

// An unknown name is an error, and nothing is added after it.
static void test_unknown_names(void** state)
{
  (void)state;
  static const char* const columns[] = {"t"};
  Page page;
  open_page(&page, HEAD "data:\n  - {id: h, where: w, says: y, values: [1, 2]}\n"
                        "sections:\n  - {id: s, title: t}\n");
  assert_same(page_number(&page, "h"), 1);
  assert_int_equal(page_data(&page, "h").count, 2);
  PageSeries* series = page_series(&page, "run", 1, columns);
  for (int i = 0; i < 1000; ++i) series_add(series, (double[]){i});
  assert_int_equal(series->rows, 1000);
  assert_same(series_value(series, 999, 0), 999);
  page_note(&page, "s", "%d", 1);
  assert_int_equal(page.status, DONE);
  page_measure_one(&page, "s/none", 1);
  assert_int_equal(page.status, INPUT);
  assert_null(page_series(&page, "more", 1, columns));
  page_note(&page, "s", "%d", 2);
  assert_null(page.printed.sections[0].remarks->next);
  page_close(&page);
}

static void refuse(const char* text, const char* sentence)
{
  Printed printed;
  lwDiag* diag = lw_diag_create();
  assert_int_not_equal(printed_read(&printed, "x", text, strlen(text), diag), LW_OK);
  assert_greater(lw_diag_size(diag), 0);
  assert_contains(lw_diag_message(diag, 0)->text, sentence);
  printed_free(&printed);
  lw_diag_destroy(diag);
}

static void test_wrong_files(void** state)
{
  (void)state;
#define CLAIM(keys) HEAD "sections:\n  - {id: s, title: t, claims: [{id: c, says: y, " keys "}]}\n"
  refuse("linkwork: 1\n", "paper");
  refuse(HEAD "sections: 5\n", "expected a list");
  refuse(CLAIM("printed: [1, 2]"), "2 numbers, the section 1 columns");
  refuse(CLAIM("printed: 1, corrected: 2"), "corrected by no erratum");
  refuse(CLAIM("printed: 1, corrected: [2, 3], errata: 0-1"), "1 printed, but 2 corrected");
  refuse(CLAIM("printed: one"), "one");
  refuse(CLAIM("unit: m"), "neither");
  refuse(CLAIM("as: s/d"), "nothing is printed");
  refuse(CLAIM("as: s/c"), "nothing is printed");
  refuse(HEAD
         "sections:\n"
         "  - {id: s, title: t, claims: [{id: c, says: y, as: r/d}]}\n"
         "  - {id: r, title: t, columns: [u, v], claims: [{id: d, says: y, printed: [1, 2]}]}\n",
         "2 numbers, the section 1 columns");
  refuse(CLAIM("printed: 1, relation: like"), "like");
  refuse(HEAD "errata: [{id: 0-1, where: w, printed: p, corrected: c}]\n", "class");
  refuse(HEAD "errata: [{id: 0-1, class: odd, where: w, printed: p, corrected: c}]\n", "odd");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reason),
      cmocka_unit_test(test_verdicts),
      cmocka_unit_test(test_corrections),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_unmeasured),
      cmocka_unit_test(test_shared_numbers),
      cmocka_unit_test(test_unknown_names),
      cmocka_unit_test(test_wrong_files),
      cmocka_unit_test(test_cases),
      cmocka_unit_test(test_page_correct_and_require),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
