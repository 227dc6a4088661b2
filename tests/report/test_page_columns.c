// SPDX-License-Identifier: MIT
// Columns of the page are decoded to the same values, to the last bit or to the quantum; and JSON
// of documents.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "report/page/page_columns.h"
#include "report/page/page_data.h"
#include "testing.h"
#include "text/out.h"

enum
{
  ROWS = 500
};

static void round_trip(const double* values, double first, double quantum, double* back)
{
  unsigned char planes[LW_PAGE_BYTES * ROWS];
  lw_page_column_encode(values, 1, ROWS, first, quantum, planes);
  lw_page_column_decode(planes, ROWS, first, quantum, back);
}

// Any bit pattern: signed zeros, denormals, infinities, NaN.
static void exact_columns_keep_every_bit(void** state)
{
  (void)state;
  lwRandom random = {7};
  double values[ROWS], back[ROWS];
  for (int i = 0; i < ROWS; ++i)
  {
    uint64_t bits = lw_random_bits(&random);
    memcpy(&values[i], &bits, sizeof bits);
  }
  values[0] = -0.0;
  values[1] = INFINITY;
  values[2] = NAN;
  values[3] = 5e-324;
  round_trip(values, 0, 0, back);
  assert_memory_equal(values, back, sizeof values);
}

// Rounding to a multiple of the quantum loses at most half a quantum, plus rounding in first +
// quantum k.
static void quantised_columns_keep_their_bits(void** state)
{
  (void)state;
  double values[ROWS], back[ROWS], first = 0;
  for (int i = 0; i < ROWS; ++i) values[i] = 3 + 1e-3 * sin(0.01 * i);
  for (int bits = 20; bits <= 40; bits += 10)
  {
    double quantum = lw_page_column_quantum(values, 1, ROWS, bits, &first);
    assert_greater(quantum, 0);
    assert_at_most(quantum, 4e-3 * exp2(-bits));
    round_trip(values, first, quantum, back);
    for (int i = 0; i < ROWS; ++i) assert_near(back[i], values[i], quantum / 2 + 4 * 0x1p-52);
  }
}

static void constants_and_infinities_have_no_quantum(void** state)
{
  (void)state;
  double first, constant[] = {2, 2, 2}, open[] = {1, INFINITY, 2};
  assert_same(lw_page_column_quantum(constant, 1, 3, 40, &first), 0);
  assert_same(lw_page_column_quantum(open, 1, 3, 40, &first), 0);
}

static void smooth_columns_have_empty_planes(void** state)
{
  (void)state;
  double values[ROWS], first = 0;
  unsigned char planes[LW_PAGE_BYTES * ROWS];
  for (int i = 0; i < ROWS; ++i) values[i] = sin(0.01 * i);
  double quantum = lw_page_column_quantum(values, 1, ROWS, 40, &first);
  lw_page_column_encode(values, 1, ROWS, first, quantum, planes);
  for (int i = 2; i < ROWS; ++i) assert_int_equal(planes[5 * ROWS + i], 0);
}

// --- documents

// file: the one that the document names, or NULL; robot: it is that of a robot
static void document_becomes(const char* yaml, const char* json, const char* file, bool robot)
{
  lwDocument document = {0};
  lwPageFiles files   = {0};
  lwOut out           = {.in_memory = true};
  assert_int_equal(lw_document_read_text(&document, "test", yaml, strlen(yaml), NULL), LW_OK);
  assert_true(lw_page_document(&out, document.root, &files));
  assert_true(lw_out_finish(&out));
  assert_string_equal(out.text, json);
  assert_int_equal(files.count, file ? 1 : 0);
  if (file) assert_string_equal(files.names[0], file);
  assert_int_equal(files.robots[0], robot);
  lw_out_free(&out);
  lw_document_free(&document);
}

static void documents_become_json(void** state)
{
  (void)state;
  document_becomes("a: [1, 90 deg, .5, 'x\"y']", "{\"a\":[1,\"90 deg\",0.5,\"x\\\"y\"]}", NULL,
                   false);
  document_becomes("a: null\nb: </script>", "{\"a\":null,\"b\":\"</script>\"}", NULL, false);
  document_becomes("robot: r.yaml\nx: {file: ../f.csv}",
                   "{\"robot\":\"robot\",\"x\":{\"file\":\"file1\"}}", "../f.csv", false);
  document_becomes("robot: r.yaml\ncontroller: {robot: ../c.yaml}",
                   "{\"robot\":\"robot\",\"controller\":{\"robot\":\"file1\"}}", "../c.yaml", true);
}

// An output in memory knows its length: the JSON of a page refers to its binary data by offsets.
static void outputs_know_their_length(void** state)
{
  (void)state;
  lwOut out = {.in_memory = true};
  assert_int_equal(lw_out_length(&out), 0);
  for (int i = 1; i <= 30000; ++i)
  {
    lw_out_text(&out, "0123456");
    if (i % 1000 < 2) assert_int_equal(lw_out_length(&out), 7 * i);
  }
  assert_true(lw_out_finish(&out));
  assert_int_equal(out.length, 210000);
  lw_out_free(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_columns_keep_every_bit),
      cmocka_unit_test(quantised_columns_keep_their_bits),
      cmocka_unit_test(constants_and_infinities_have_no_quantum),
      cmocka_unit_test(smooth_columns_have_empty_planes),
      cmocka_unit_test(documents_become_json),
      cmocka_unit_test(outputs_know_their_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
