// SPDX-License-Identifier: MIT
// Snake files: their content is read, and errors are reported at exactly their place.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/read.h"
#include "support/reader_findings.h"
#include "support/testing.h"

typedef struct Reading
{
  lwDiag* diag;
  lwSnake* snake;
  lwStatus status;
} Reading;

static Reading read_with(const char* text, bool strict)
{
  Reading r   = {.diag = lw_diag_create()};
  lwLint lint = {.strict = strict};
  r.status    = lw_snake_read_text("snake.yaml", text, strlen(text), &lint, r.diag, &r.snake);
  assert_int_equal(r.status == LW_OK, r.snake != NULL);
  return r;
}

static void forget(Reading* r)
{
  lw_snake_destroy(r->snake);
  lw_diag_destroy(r->diag);
}

static void alike(void** unused)
{
  (void)unused;
  Reading r = read_with("linkwork: 1\nsnake: {name: Table II, source: nia2005, count: 6, "
                        "link: {length: 0.2, mass: 1, inertia: 0.005}}\n",
                        true);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_diag_size(r.diag), 0);
  assert_int_equal(lw_snake_count(r.snake), 6);
  assert_string_equal(lw_snake_name(r.snake), "Table II");
  assert_string_equal(lw_snake_origin(r.snake), "nia2005");
  assert_true(lw_snake_is_uniform(r.snake));
  for (int k = 0; k < 6; ++k)
  {
    lwSnakeLink link = lw_snake_get(r.snake, k);
    assert_same(link.length, 0.2);
    assert_same(link.mass, 1);
    assert_same(link.inertia, 0.005);
    assert_same(link.wheel_offset, 0);
    assert_same(link.friction_limit, INFINITY);
  }
  forget(&r);
}

static void each(void** unused)
{
  (void)unused;
  Reading r = read_with("linkwork: 1\n"
                        "snake:\n"
                        "  links:\n"
                        "    - {length: 0.2, mass: 1, inertia: 0.005, wheel_offset: -0.05}\n"
                        "    - {length: 0.3, mass: 2, inertia: 0, friction_limit: 4}\n",
                        false);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_snake_count(r.snake), 2);
  assert_string_equal(lw_snake_name(r.snake), "snake");
  assert_null(lw_snake_origin(r.snake));
  assert_false(lw_snake_is_uniform(r.snake));
  assert_same(lw_snake_get(r.snake, 0).wheel_offset, -0.05);
  assert_same(lw_snake_get(r.snake, 1).friction_limit, 4);
  assert_same(lw_snake_get(r.snake, 1).mass, 2);
  forget(&r);
  r = read_with(
      "{\"linkwork\": 1, \"snake\": {\"count\": 2, \"link\": {\"length\": 1, \"mass\": 1, "
      "\"inertia\": 0.1}}}",
      false);
  assert_int_equal(r.status, LW_OK);
  forget(&r);
}

#define LINK     "link: {length: 0.2, mass: 1, inertia: 0.005}"
#define HEAD     "linkwork: 1\nsnake:\n"
#define ONE      "  - {length: 0.2, mass: 1, inertia: 0.005}\n"
#define OF(link) HEAD "  count: 3\n  link: {" link "}\n"

// Texts with one mistake each, and the message about it.
static const struct
{
  const char* text;
  Finding finding;
} refused[] = {
    {"", {0, 0, "the file is empty", NULL}},
    {"linkwork: 1\n", {1, 1, "a snake file needs the key 'snake'", NULL}},
    {"linkwork: 2\nsnake: {count: 2, " LINK "}\n", {1, 11, "'linkwork' must be 1", NULL}},
    {"linkwork: 1\nsnake: 3\n", {2, 8, "a snake must be a mapping", NULL}},
    {"linkwork: 1\nsnake: {count: 2}\n",
     {2, 8, "the snake has no links", "either 'count' and 'link'"}},
    {"linkwork: 1\nsnake: {" LINK "}\n",
     {2, 8, "'count', the number of links, is missing", "six links"}},
    {HEAD "  cuont: 2\n  " LINK "\n", {3, 3, "unknown key 'cuont'", "count"}},
    {HEAD "  count: 2\n  lnik: {length: 0.2}\n", {4, 3, "unknown key 'lnik'", "link"}},
    {HEAD "  count: 2.5\n  " LINK "\n",
     {3, 10, "'count' must be a whole number of links, found 2.5", NULL}},
    {HEAD "  count: many\n  " LINK "\n", {3, 10, "'count' must be a number", NULL}},
    {HEAD "  count: 1\n  " LINK "\n", {3, 10, "at least 2 links, this one has 1", NULL}},
    {HEAD "  count: -4\n  " LINK "\n", {3, 10, "at least 2 links, this one has -4", NULL}},
    {HEAD "  count: 2000000\n  " LINK "\n", {3, 10, "at most 100000 are possible", NULL}},
    {HEAD "  count: 1e40\n  " LINK "\n", {3, 10, "'count' must be a whole number of links", NULL}},
    {HEAD "  count: 2\n  " LINK "\n  links: []\n", {5, 10, "both 'link' and 'links'", "either"}},
    {HEAD "  links: []\n", {3, 10, "at least 2 links, this one has 0", NULL}},
    {HEAD "  links: 7\n", {3, 10, "'links' must be a list of links, found '7'", "alike"}},
    {HEAD "  links:\n" ONE, {4, 3, "at least 2 links, this one has 1", NULL}},
    {HEAD "  count: 3\n  links:\n" ONE ONE,
     {3, 10, "'count' is 3, but 'links' has 2 entries", "leave it out"}},
    {HEAD "  links:\n" ONE "  - 5\n", {5, 5, "a link must be a mapping", NULL}},
    {OF("length: 0.2, mass: 1"), {4, 9, "a link needs the key 'inertia'", NULL}},
    {OF("length: 0.2, mass: 1, inertia: 1, wheel_ofset: 3"),
     {4, 44, "unknown key 'wheel_ofset'", "wheel_offset"}},
    {OF("length: 0, mass: 1, inertia: 0.1"),
     {4, 18, "every link: length must be positive (0 m)", NULL}},
    {OF("length: .inf, mass: 1, inertia: 0.1"), {4, 18, "must be a finite number", NULL}},
    {OF("length: 1e31, mass: 1, inertia: 0.1"), {4, 18, "must be within +-1e30", NULL}},
    {OF("length: 1e-31, mass: 1, inertia: 0"), {4, 18, "must be at least 1e-30", NULL}},
    {OF("length: 0.2, mass: -1, inertia: 0.1"),
     {4, 29, "every link: mass must be positive (-1 kg)", NULL}},
    {OF("length: 0.2, mass: 1, inertia: -0.1"),
     {4, 41, "inertia must not be negative (-0.1 kg m^2)", NULL}},
    {OF("length: 0.2, mass: 1, inertia: 0"),
     {3, 10, "no link has an inertia", "mass * length^2 / 12"}},
    {OF("length: 0.2, mass: 1, inertia: 0.005, wheel_offset: 0.1"),
     {4, 62, "must leave the wheel between the joints (|0.1| is not less than half",
      "from the middle"}},
    {OF("length: 0.2, mass: 1, inertia: 0.005, friction_limit: 0"),
     {4, 64, "friction_limit must be positive", NULL}},
    {OF("length: 0.2, mass: 1, inertia: 0.005, lower: 1, upper: -1"),
     {4, 65, "every link: upper must be greater than lower (-1 is not greater than 1 rad)", NULL}},
    {HEAD "  links:\n" ONE "  - {length: 0.2, mass: 1, inertia: 0.1, upper: 1}\n",
     {5, 49, "link 2: upper is the limit of a joint ahead, and the last link has none",
      "leave them out"}},
    {HEAD "  links:\n" ONE "  - {length: 0.2, mass: 0, inertia: 0.1}\n" ONE,
     {5, 25, "link 2: mass must be positive (0 kg)", NULL}},
};

static void refused_at_its_place(void** unused)
{
  (void)unused;
  bool right = true;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
  {
    Reading r = read_with(refused[i].text, false);
    assert_int_equal(r.status, LW_ERROR_INPUT);
    if (!finding_is_only(r.diag, &refused[i].finding))
    {
      print_error("in case %zu:\n%s\n", i, refused[i].text);
      right = false;
    }
    forget(&r);
  }
  assert_true(right);
}

// All errors are reported in one reading; values that could not be read are not checked further.
static void all_findings(void** unused)
{
  (void)unused;
  static const Finding findings[] = {
      {5, 14, "'length' must be a number", NULL},
      {6, 5, "a link needs the key 'mass'", NULL},
      {4, 37, "link 1: inertia must not be negative", NULL},
      {7, 25, "link 4: mass must be positive", NULL},
  };
  Reading r = read_with(HEAD "  links:\n"
                             "  - {length: 0.2, mass: 1, inertia: -1}\n"
                             "  - {length: x, mass: -1, inertia: 1}\n"
                             "  - {length: -1, inertia: 1}\n"
                             "  - {length: 0.2, mass: 0, inertia: 1}\n",
                        false);
  assert_int_equal(r.status, LW_ERROR_INPUT);
  assert_true(findings_are(r.diag, findings, 4));
  forget(&r);
}

// A radius of gyration far beyond the link is a warning, or an error if strict.
static void doubtful(void** unused)
{
  (void)unused;
  const char* text = OF("length: 0.2, mass: 1, inertia: 0.5");
  Finding finding = {4, 41, "radius of gyration 0.7071 m is more than 3 times the length", "units"};
  for (int strict = 0; strict < 2; ++strict)
  {
    Reading r = read_with(text, strict);
    assert_int_equal(r.status, strict ? LW_ERROR_INPUT : LW_OK);
    assert_true(finding_is_only(r.diag, &finding));
    assert_int_equal(lw_diag_count(r.diag, strict ? LW_SEVERITY_ERROR : LW_SEVERITY_WARNING), 1);
    forget(&r);
  }
}

static void without_file_or_diag(void** unused)
{
  (void)unused;
  lwSnake* snake   = NULL;
  const char* text = OF("length: 0.2, mass: 1, inertia: 0.1");
  assert_int_equal(lw_snake_read_file("/nowhere/snake.yaml", NULL, NULL, &snake), LW_ERROR_FILE);
  assert_null(snake);
  assert_int_equal(lw_snake_read_text("s", "snake", 5, NULL, NULL, &snake), LW_ERROR_INPUT);
  assert_int_equal(lw_snake_read_text("s", text, strlen(text), NULL, NULL, &snake), LW_OK);
  lw_snake_destroy(snake);
}

// Descriptions made in C, not read from files.
static void definitions(void** unused)
{
  (void)unused;
  lwSnake* snake       = NULL;
  lwSnakeLink links[2] = {{0.2, 1, 0.005, 0, INFINITY, 0, 0}, {0.2, 1, 0, -0.0, INFINITY, 0, 0}};
  lwSnakeDef def       = lw_snake_def();
  assert_int_equal(lw_snake_create(NULL, NULL, NULL, &snake), LW_ERROR_INPUT);
  assert_int_equal(lw_snake_create(&def, NULL, NULL, &snake), LW_ERROR_INPUT);
  def.count = 2;
  assert_int_equal(lw_snake_create(&def, NULL, NULL, &snake), LW_ERROR_INPUT);
  def.links = links;
  def.name  = NULL;
  assert_int_equal(lw_snake_create(&def, NULL, NULL, &snake), LW_OK);
  assert_string_equal(lw_snake_name(snake), "snake");
  lw_snake_destroy(snake);
  links[1].mass = NAN;
  assert_int_equal(lw_snake_create(&def, NULL, NULL, &snake), LW_ERROR_INPUT);
  assert_int_equal(lw_snake_create_generic(1, &snake), LW_ERROR_INPUT);
  assert_null(snake);
  assert_int_equal(lw_snake_create_generic(3, &snake), LW_OK);
  lwSnakeWorkspace* ws      = NULL;
  lwSnakeWorkspaceDef other = lw_snake_workspace_def();
  other.method              = "newton";
  assert_int_equal(lw_snake_workspace_create(snake, &other, NULL, &ws), LW_ERROR_METHOD);
  assert_null(ws);
  assert_int_equal(lw_snake_workspace_create(snake, NULL, NULL, &ws), LW_OK);
  assert_string_equal(lw_snake_workspace_method(ws), "kane-linear");
  lw_snake_workspace_destroy(ws);
  lw_snake_destroy(snake);
}

// Every number of a link at the ends of its range and beyond: one finding each, or none.
static void numbers_have_ranges(void** unused)
{
  (void)unused;
  const lwSnakeLink plain = {.length = 1, .mass = 1, .inertia = 0.1, .friction_limit = INFINITY};
  static const struct
  {
    size_t offset;
    double value;
    const char* finding;  // NULL: accepted
  } cases[] = {
      {offsetof(lwSnakeLink, length), 0, "link 1: length must be positive (0 m)"},
      {offsetof(lwSnakeLink, length), INFINITY, "link 1: length must be a finite number"},
      {offsetof(lwSnakeLink, length), 1e-31, "link 1: length must be at least 1e-30"},
      {offsetof(lwSnakeLink, length), 2e30, "link 1: length must be within +-1e30"},
      {offsetof(lwSnakeLink, mass), 1e30, NULL},
      {offsetof(lwSnakeLink, mass), 1e-30, "radius of gyration"},
      {offsetof(lwSnakeLink, mass), NAN, "link 1: mass must be a number"},
      {offsetof(lwSnakeLink, mass), -1, "link 1: mass must be positive (-1 kg)"},
      {offsetof(lwSnakeLink, inertia), 0, NULL},
      {offsetof(lwSnakeLink, inertia), -1e-9, "link 1: inertia must not be negative"},
      {offsetof(lwSnakeLink, wheel_offset), -0.4, NULL},
      {offsetof(lwSnakeLink, wheel_offset), 0.5, "wheel between the joints"},
      {offsetof(lwSnakeLink, wheel_offset), INFINITY, "wheel_offset must be a finite number"},
      {offsetof(lwSnakeLink, friction_limit), 5, NULL},
      {offsetof(lwSnakeLink, friction_limit), 0, "friction_limit must be positive (0 N)"},
      {offsetof(lwSnakeLink, friction_limit), -INFINITY, "friction_limit must be positive"},
      {offsetof(lwSnakeLink, upper), 1, NULL},
      {offsetof(lwSnakeLink, upper), INFINITY, NULL},
      {offsetof(lwSnakeLink, upper), -1, "upper must be greater than lower"},
      {offsetof(lwSnakeLink, upper), -2e30, "upper must be within +-1e30"},
      {offsetof(lwSnakeLink, lower), -1, NULL},
      {offsetof(lwSnakeLink, lower), NAN, "lower must be a number"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    lwSnakeLink links[2] = {plain, plain};
    lwSnakeDef def       = lw_snake_def();
    lwDiag* diag         = lw_diag_create();
    lwSnake* snake;
    memcpy((char*)links + cases[i].offset, &cases[i].value, sizeof(double));
    def.count        = 2;
    def.links        = links;
    lwStatus status  = lw_snake_create(&def, NULL, diag, &snake);
    const char* what = lw_diag_size(diag) > 0 ? lw_diag_message(diag, 0)->text : "";
    if (lw_diag_size(diag) != (cases[i].finding ? 1 : 0) ||
        !strstr(what, cases[i].finding ? cases[i].finding : ""))
      fail_msg("case %zu: %d findings, '%s'", i, lw_diag_size(diag), what);
    bool doubtful_only = cases[i].finding && strstr(cases[i].finding, "gyration");
    assert_int_equal(status, cases[i].finding && !doubtful_only ? LW_ERROR_INPUT : LW_OK);
    lw_snake_destroy(snake);
    lw_diag_destroy(diag);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alike),
      cmocka_unit_test(numbers_have_ranges),
      cmocka_unit_test(each),
      cmocka_unit_test(refused_at_its_place),
      cmocka_unit_test(all_findings),
      cmocka_unit_test(doubtful),
      cmocka_unit_test(without_file_or_diag),
      cmocka_unit_test(definitions),
  };
  return cmocka_run_group_tests_name("snake files", tests, NULL, NULL);
}
