// SPDX-License-Identifier: MIT
// Tables of the results of a study, for people, programs and as HTML.
#include "report/study/study_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/testing.h"

enum
{
  ROWS = 128
};

static double x[ROWS], y[ROWS], t[2] = {0, 1}, line[2] = {1, 2};
static long sample[ROWS];
static lwStudyColumn parameter = {"x", x, INFINITY, -INFINITY},
                     measure   = {"y<1", y, 0.75, -INFINITY};
static lwStudyBand band        = {
           "q1", 2, t, {line, line, line, line, line, line, line, line, line, line}};
static lwStudyFault fault        = {"impossible", "a mass <= 0", 3, 5};
static lwStoredChoice choices[2] = {{0, 1, "small"}, {0, 2, "large"}};
static double scratch[2 * (ROWS + 4)];

// y = x = 0, 1/128, ..; the criterion y < 0.75 holds in 96 of 128 samples.
static lwStudyReport* report(void)
{
  lwStudyReport* made = calloc(1, sizeof *made);
  assert_non_null(made);
  for (int i = 0; i < ROWS; ++i)
  {
    x[i] = y[i] = i / (double)ROWS;
    sample[i]   = i;
  }
  made->level = 0.5;
  made->data  = (lwStudyData){.name            = "a & b",
                              .file            = "it's.yaml",
                              .design          = "sobol",
                              .points          = ROWS,
                              .samples         = 256,
                              .rows            = ROWS,
                              .passed          = 96,
                              .done            = ROWS,
                              .sample          = sample,
                              .parameter_count = 1,
                              .measure_count   = 1,
                              .band_count      = 1,
                              .fault_count     = 1,
                              .parameters      = &parameter,
                              .measures        = &measure,
                              .bands           = &band,
                              .faults          = &fault,
                              .choices         = choices,
                              .scratch         = scratch};
  assert_true(lw_study_report_compute(made));
  return made;
}

static void destroy(lwStudyReport* made)
{
  lw_study_report_free(made);
  free(made);
}

static lwOut out;

static const char* table_of(const lwStudyReport* made, lwFormat format, const char* name)
{
  lw_out_free(&out);
  out = (lwOut){.in_memory = true};
  assert_true(lw_study_has_table(name));
  lw_study_table_write(made, &out, format, name);
  assert_true(lw_out_finish(&out));
  return out.text;
}

static void every_table_has_its_rows(void** unused)
{
  (void)unused;
  lwStudyReport* made = report();
  assert_contains(table_of(made, LW_FORMAT_CSV, "summary"), "\ny<1,128,0.49609375,");
  assert_contains(table_of(made, LW_FORMAT_CSV, "holds"), "\n,,all,128,0.75,");
  assert_contains(out.text, ",0.5,yes\n,,y<1,128,0.75,");
  assert_contains(
      table_of(made, LW_FORMAT_CSV, "worst"),
      "y<1,largest,0.9921875,127,linkwork study 'it'\\''s.yaml' --samples 128 --sample 127\n"
      "y<1,smallest,0,0,");
  assert_string_equal(table_of(made, LW_FORMAT_CSV, "impossible"),
                      "state,count,first_sample,why\nimpossible,3,5,a mass <= 0\n");
  assert_contains(table_of(made, LW_FORMAT_CSV, "convergence"), "y<1,4,0.01171875,");
  assert_contains(out.text, "y<1,128,0.49609375,");
  assert_contains(table_of(made, LW_FORMAT_CSV, "tornado"),
                  "y<1,x,0.04296875,0.94921875,0.90625\n");
  assert_contains(table_of(made, LW_FORMAT_CSV, "histogram"), "measure,from,to,count\ny<1,0,");
  assert_string_equal(table_of(made, LW_FORMAT_CSV, "bands"),
                      "column,t,nominal,low,p01,p05,p25,p50,p75,p95,p99,high\n"
                      "q1,0,1,1,1,1,1,1,1,1,1,1\nq1,1,2,2,2,2,2,2,2,2,2,2\n");
  assert_string_equal(table_of(made, LW_FORMAT_CSV, "indices"),
                      "measure,parameter,first,first_low,first_high,total,total_low,total_high\n");
  assert_false(lw_study_has_table("other"));
  lw_out_free(&out);
  destroy(made);
}

static void samples_are_a_table_of_all_columns(void** unused)
{
  (void)unused;
  lwStudyReport* made = report();
  made->data.rows     = 2;
  y[1]                = NAN;
  assert_string_equal(table_of(made, LW_FORMAT_CSV, "samples"),
                      "sample,x,y<1\n0,0,0\n1,0.0078125,\n");
  assert_string_equal(table_of(made, LW_FORMAT_JSON, "samples"),
                      "[{\"sample\": 0, \"x\": 0, \"y<1\": 0},\n"
                      "{\"sample\": 1, \"x\": 0.0078125, \"y<1\": null}]\n");
  lw_out_free(&out);
  destroy(made);
}

// A row for each choice and criterion; whether it holds is decided by the whole interval.
static void choices_are_judged(void** unused)
{
  (void)unused;
  lwStudyReport* made     = report();
  made->data.choice_count = 2;
  for (int i = 0; i < ROWS; ++i) x[i] = i % 2 + 1;
  for (int i = 0; i < ROWS; ++i) y[i] = i % 2;
  made->level = 0.9;
  assert_contains(table_of(made, LW_FORMAT_CSV, "holds"), "x,small,all,64,1,");
  assert_contains(out.text, ",0.9,yes\nx,small,y<1,64,1,");
  assert_contains(out.text, "x,large,all,64,0,0,");
  assert_contains(out.text, ",0.9,no\n");
  lw_out_free(&out);
  destroy(made);
}

static void missing_tables_say_why(void** unused)
{
  (void)unused;
  lwStudyReport* made = report();
  assert_contains(lw_study_table_missing(made, "indices"), "need sampling: {method: saltelli}");
  made->data.design = "saltelli";
  assert_contains(lw_study_table_missing(made, "indices"), "at least two whole blocks");
  assert_null(lw_study_table_missing(made, "bands"));
  made->data.band_count = 0;
  assert_contains(lw_study_table_missing(made, "bands"), "no bands");
  measure.below = INFINITY;
  assert_contains(lw_study_table_missing(made, "holds"), "no criteria");
  measure.below = 0.75;
  assert_null(lw_study_table_missing(made, "summary"));
  destroy(made);
}

static void all_tables_together(void** unused)
{
  (void)unused;
  lwStudyReport* made = report();
  out                 = (lwOut){.in_memory = true};
  lw_study_tables_write(made, &out);
  assert_true(lw_out_finish(&out));
  assert_contains(out.text, "a & b: 128 of 256 samples (sobol), 128 with results, 75 % of these "
                            "meet all criteria\n\nmeasures\n");
  assert_contains(out.text, "\n\nworst cases\n");
  assert_null(strstr(out.text, "histograms"));  // only when asked for
  lw_out_free(&out);
  destroy(made);
}

// Names are data: none of them becomes markup.
static void the_page_is_complete(void** unused)
{
  (void)unused;
  lwStudyReport* made = report();
  size_t length;
  char* page = lw_study_page(made, &length);
  assert_non_null(page);
  assert_int_equal(strlen(page), length);
  assert_contains(page, "<title>a &amp; b</title>");
  assert_contains(page, "<td class=\"text\">y&lt;1</td>");
  assert_contains(page, "histogram of y&lt;1</text>");
  assert_contains(page, "tornado of y&lt;1</text>");
  assert_contains(page, "class=\"median\"");
  assert_null(strstr(page, "y<1"));
  assert_contains(page, "</body>\n</html>\n");
  free(page);
  destroy(made);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_table_has_its_rows),
      cmocka_unit_test(samples_are_a_table_of_all_columns),
      cmocka_unit_test(choices_are_judged),
      cmocka_unit_test(missing_tables_say_why),
      cmocka_unit_test(all_tables_together),
      cmocka_unit_test(the_page_is_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
