// SPDX-License-Identifier: MIT
// A page as a text in memory; what is in it, and what is refused.
#include <string.h>

#include "base/diag.h"
#include "linkwork/page.h"
#include "linkwork/read.h"
#include "support/testing.h"

static const char* const COLUMNS[] = {"t", "q.shoulder"};
static const double ROWS[]         = {0, 0.5, 0.1, 0.25};

static lwModel* robot(void)
{
  lwModel* model = NULL;
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/puma560.yaml", NULL, NULL, &model), LW_OK);
  return model;
}

// A library built without the page says what is missing; the definition is right.
static lwStatus expected(void)
{
  return lw_page_available() ? LW_OK : LW_ERROR_METHOD;
}

static void a_robot_with_a_run(void** state)
{
  (void)state;
  const lwPageRun run = {"run", COLUMNS, 2, 2, ROWS, NULL};
  lwModel* model      = robot();
  lwDiag* diag        = lw_diag_create();
  lwPageDef page      = lw_page_def();
  lwText* html        = NULL;
  page.model          = model;
  page.runs           = &run;
  page.run_count      = 1;
  assert_int_equal(lw_page_write(&page, diag, &html), expected());
  if (lw_page_available())
  {
    assert_int_equal(lw_diag_size(diag), 0);
    assert_int_equal(lw_text_length(html), strlen(lw_text_bytes(html)));
    assert_null(strstr(lw_text_bytes(html), "@LINKWORK_PAGE_DATA@"));
  }
  else
  {
    assert_null(html);
    assert_non_null(strstr(lw_diag_message(diag, 0)->text, "built without the page"));
  }
  lw_text_destroy(html);
  lw_diag_destroy(diag);
  lw_model_destroy(model);
}

static void what_is_no_page(void** state)
{
  (void)state;
  lwPageDef page = lw_page_def();
  lwText* html   = NULL;
  lwDiag* diag   = lw_diag_create();
  assert_int_equal(lw_page_write(&(lwPageDef){0}, NULL, &html), LW_ERROR_DEF);
  assert_int_equal(lw_page_write(&page, diag, &html), LW_ERROR_INPUT);
  assert_non_null(strstr(lw_diag_message(diag, 0)->text, "one robot"));
  page.model = robot();
  if (lw_page_available())
  {
    page.scenario = "no such file.yaml";
    assert_int_equal(lw_page_write(&page, diag, &html), LW_ERROR_FILE);
  }
  assert_null(html);
  lw_model_destroy((lwModel*)page.model);
  lw_diag_destroy(diag);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_robot_with_a_run),
                                     cmocka_unit_test(what_is_no_page)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
