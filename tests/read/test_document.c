// SPDX-License-Identifier: MIT
// The document layer: encodings, YAML, aliases, limits, files, and tables of keys.
#include "read/document/document.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/reader_findings.h"
#include "support/testing.h"

// --- a small kind of file

typedef struct Box
{
  double width;    // m
  double turn;     // rad
  double spin;     // rad/s
  double size[3];  // m
  const char* name;
  const char* note;
  int colour;
  struct Inner
  {
    double depth;
  } inner;
  int custom_calls;
} Box;

static void count_call(const lwFill* fill, const lwKey* key, lwNode* value)
{
  (void)key, (void)value;
  ++((Box*)fill->target)->custom_calls;
}

enum
{
  AT_WIDTH = 1,
  AT_SIZE,
  AT_COUNT
};

static const char* const colours[] = {"red", "green", "blue", NULL};
static const lwKey inner_keys[]    = {
       {.name = "depth", .required = true, .offset = offsetof(struct Inner, depth)}};
static const lwTable inner_table = LW_TABLE("an inner box", inner_keys);
static const lwKey box_keys[]    = {
       {.name = "width", .offset = offsetof(Box, width), .unit = "m", .slot = AT_WIDTH},
       {.name = "turn", .offset = offsetof(Box, turn), .measure = LW_MEASURE_ANGLE},
       {.name = "spin", .offset = offsetof(Box, spin), .measure = LW_MEASURE_ANGULAR_SPEED},
       {.name = "size", .offset = offsetof(Box, size), .size = 3, .slot = AT_SIZE},
       {.name = "name", .kind = LW_VALUE_NAME, .offset = offsetof(Box, name)},
       {.name = "note", .kind = LW_VALUE_TEXT, .offset = offsetof(Box, note)},
       {
           .name   = "colour",
           .offset = offsetof(Box, colour),
           .words  = colours,
    },
       {.name = "inner", .offset = offsetof(Box, inner), .table = &inner_table},
       {.name = "custom", .read = count_call},
};
static const lwTable box_table = LW_TABLE("a box", box_keys);

typedef struct Reading
{
  lwDiag* diag;
  lwDocument document;
  lwStatus status;  // of reading
  bool filled;
  Box box;
  lwPlace places[AT_COUNT];
} Reading;

static void fill(Reading* reading)
{
  if (reading->status == LW_OK)
    reading->filled = lw_document_fill(&reading->document, reading->document.root, &box_table,
                                       &reading->box, reading->places);
}

static Reading read_bytes(const char* text, size_t length)
{
  Reading reading = {.diag = lw_diag_create()};
  reading.status = lw_document_read_text(&reading.document, "box.yaml", text, length, reading.diag);
  fill(&reading);
  return reading;
}

static Reading read_path(const char* path)
{
  Reading reading = {.diag = lw_diag_create()};
  reading.status  = lw_document_read_file(&reading.document, path, reading.diag);
  fill(&reading);
  return reading;
}

static void forget(Reading* reading)
{
  lw_document_free(&reading->document);
  lw_diag_destroy(reading->diag);
}

// --- what is accepted

static void every_kind_of_value_is_read(void** state)
{
  (void)state;
  const char text[] = "width: 1.5e-1\n"
                      "turn: 90 deg\n"
                      "spin: -180 deg/s\n"
                      "size: [1, +.5, -2.]\n"
                      "name: 'a b'\n"
                      "note: |\n  two\n  lines\n"
                      "colour: green\n"
                      "inner: {depth: 3}\n"
                      "custom: [anything]\n";
  Reading r         = read_bytes(text, strlen(text));
  assert_true(r.filled);
  assert_int_equal(lw_diag_size(r.diag), 0);
  assert_same(r.box.width, 0.15);
  assert_same(r.box.turn, 1.5707963267948966);
  assert_same(r.box.spin, -3.141592653589793);
  assert_same(r.box.size[0], 1);
  assert_same(r.box.size[1], 0.5);
  assert_same(r.box.size[2], -2);
  assert_string_equal(r.box.name, "a b");
  assert_string_equal(r.box.note, "two\nlines");
  assert_int_equal(r.box.colour, 1);
  assert_same(r.box.inner.depth, 3);
  assert_int_equal(r.box.custom_calls, 1);
  assert_int_equal(r.places[AT_WIDTH].line, 1);
  assert_int_equal(r.places[AT_WIDTH].column, 8);
  assert_int_equal(r.places[AT_SIZE].line, 4);
  forget(&r);
}

static void harmless_forms_are_accepted(void** state)
{
  (void)state;
  const char* const texts[] = {
      "\xEF\xBB\xBFwidth: 2\n",             // byte order mark
      "# c\r\nwidth: 2\r\n",                // CR LF
      "width: 2",                           // no line feed at the end
      "{\"width\": 2, \"size\": [1,2,3]}",  // JSON
      "%YAML 1.1\n---\nwidth: 2\n...\n",    // directives and markers
      "width: 2 # comment\n",
      "turn: &t 1\nspin: *t\nwidth: 2\n",
      "turn: 1.57 rad\nspin: 3rad/s\nwidth: 2\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
  {
    Reading r = read_bytes(texts[i], strlen(texts[i]));
    if (!r.filled) findings_print(r.diag);
    assert_true(r.filled);
    assert_same(r.box.width, 2);
    forget(&r);
  }
}

// In JSON, numbers with units are strings, and characters beyond 16 bits are surrogate pairs.
static void json_is_read(void** state)
{
  (void)state;
  const char text[] =
      "{\"name\": \"a\\ud83d\\ude00\\\\ud83d \\u00e9\", \"turn\": \"180 deg\", \"width\": 2}";
  Reading r = read_bytes(text, strlen(text));
  if (!r.filled) findings_print(r.diag);
  assert_true(r.filled);
  assert_string_equal(r.box.name, "a\xF0\x9F\x98\x80\\ud83d \xC3\xA9");
  assert_same(r.box.turn, 3.14159265358979323846);
  assert_int_equal(lw_node_find(r.document.root, "width")->place.column,
                   (int)(strstr(text, "2}") - text) + 1);
  forget(&r);
  const char half[] = "{\"name\": \"\\ud83d\", \"width\": 2}";
  r                 = read_bytes(half, strlen(half));
  assert_false(r.filled);
  forget(&r);
}

static void an_alias_shares_the_node(void** state)
{
  (void)state;
  const char text[] = "size: &s [1, 2, 3]\ncustom: *s\n";
  Reading r         = read_bytes(text, strlen(text));
  assert_true(r.filled);
  assert_ptr_equal(lw_node_find(r.document.root, "size"), lw_node_find(r.document.root, "custom"));
  forget(&r);
}

static void the_latest_anchor_of_a_name_counts(void** state)
{
  (void)state;
  const char text[] = "width: &a 1\nturn: &a 2\nspin: *a\n";
  Reading r         = read_bytes(text, strlen(text));
  assert_true(r.filled);
  assert_same(r.box.spin, 2);
  forget(&r);
}

// --- errors and their places

typedef struct Refused
{
  const char* text;
  size_t length;  // 0: up to the terminating zero
  Finding finding;
} Refused;

static const Refused refused[] = {
    // encodings
    {"", 0, {0, 0, "the file is empty", NULL}},
    {"\xEF\xBB\xBF", 0, {0, 0, "the file is empty", NULL}},
    {"# only\n\n  # comments\n", 0, {0, 0, "nothing but comments", NULL}},
    {"width: 1\nname: Z\xFCrich\n", 0, {2, 8, "not UTF-8", "save the file as UTF-8"}},
    {"\xFF\xFEw\0i\0", 6, {1, 1, "not UTF-8", "UTF-16"}},
    {"name: \xC3\xBC\xC3\xBC\xFF\n", 0, {1, 9, "not UTF-8", "UTF-8"}},
    {"width: 1\nname: a\0b\n", 19, {2, 8, "NUL byte", "UTF-8"}},
    {"name: a\x1B[2J\n", 0, {1, 8, "control character", "UTF-8"}},
    {"width: 1\rname: a\n", 0, {1, 9, "carriage return without", "UTF-8"}},
    {"width: 1 \xE2\x80\xA8\n", 0, {1, 10, "line separator", "UTF-8"}},
    {"name: a\xEF\xBB\xBF\n", 0, {1, 8, "byte order mark", "UTF-8"}},
    // structure of the file
    {"- 1\n", 0, {1, 1, "must be a mapping, 'key: value' on each line; found a list", NULL}},
    {"just text\n", 0, {1, 1, "found 'just text'", NULL}},
    {"---\n", 0, {2, 1, "found nothing", NULL}},
    {"width: 1\n---\nwidth: 2\n", 0, {2, 1, "second document", "file of its own"}},
    // syntax
    {"width: 1\n  turn: 2\n", 0, {2, 7, "':' is not allowed here", "indentation"}},
    {"size: [1, 2\nwidth: 1\n",
     0,
     {2, 6,
      "expected ',' or ']' here, while parsing a flow sequence that begins at line 1, column 7",
      NULL}},
    {"inner: {depth: 1\nwidth\n", 0, {3, 1, "expected ',' or '}' here", NULL}},
    {"width: 1\n\tturn: 2\n", 0, {2, 1, "a tab in the indentation", "indent with spaces"}},
    {"inner:\n\tdepth: 2\n", 0, {2, 1, "no value can begin with this character", "spaces"}},
    {"name: 'abc\nwidth: 1\n", 0, {1, 7, "quotes are not closed", NULL}},
    {"name: \"a\\q\"\n", 0, {1, 9, "unknown escape", "single quotes"}},
    {"width: @1\n", 0, {1, 8, "no value can begin with this character", "quotes"}},
    {"width: 1\nturn\n", 0, {2, 1, "expected ':' after this key", NULL}},
    {"size:\n  - 1\n  2: 3\n", 0, {3, 3, "expected '- '", "indentation"}},
    {"width: 1\n}\n", 0, {2, 1, "expected a key here", "indentation"}},
    {"name: - a\n", 0, {1, 7, "'- ' is not allowed here", "lines of their own"}},
    {"width: %%\n", 0, {1, 8, "no value can begin with this character", "quotes"}},
    // aliases, tags, keys that are not plain words
    {"custom: *nobody\n", 0, {1, 9, "alias '*nobody' stands for nothing", "must come before"}},
    {"custom: &a [1, *a]\n", 0, {1, 16, "inside the value that it stands for, from line 1", NULL}},
    {"custom: &a {b: {c: *a}}\n", 0, {1, 20, "inside the value", NULL}},
    {"width: !!float 1\n", 0, {1, 8, "tags like", "leave it out"}},
    {"? [1]\n: 2\n", 0, {1, 3, "a key must be a word, found a list", NULL}},
    {"<<: {width: 1}\n", 0, {1, 1, "merge keys '<<' are not supported", "alias"}},
    // keys
    {"widht: 1\n", 0, {1, 1, "unknown key 'widht' in a box", "did you mean 'width'?"}},
    {"weight: 1\n", 0, {1, 1, "unknown key 'weight'", NULL}},
    {"kilograms: 1\n", 0, {1, 1, "unknown key 'kilograms'", NULL}},
    {"\"width\\0\": 1\n", 0, {1, 1, "unknown key", "width"}},
    {"width: 1\nturn: 1\nwidth: 2\n",
     0,
     {3, 1, "key 'width' is given twice in a box, first in line 1", NULL}},
    {"inner: {}\n", 0, {1, 8, "an inner box needs the key 'depth'", NULL}},
    {"inner: 3\n", 0, {1, 8, "an inner box must be a mapping of keys to values, found '3'", NULL}},
    {"inner: {dpeth: 3}\n",
     0,
     {1, 9, "unknown key 'dpeth' in an inner box", "did you mean 'depth'?"}},
    // numbers
    {"width:\n", 0, {1, 7, "'width' must be a number, in m, found nothing", NULL}},
    {"width: ~\n", 0, {1, 8, "found nothing", NULL}},
    {"width: wide\n", 0, {1, 8, "must be a number, in m, found 'wide'", NULL}},
    {"width: '1'\n", 0, {1, 8, "found '1'", "without quotes"}},
    {"width: [1]\n", 0, {1, 8, "found a list", NULL}},
    {"width: {a: 1}\n", 0, {1, 8, "found a mapping", NULL}},
    {"width: nan\n", 0, {1, 8, "must be a finite number", NULL}},
    {"width: .NaN\n", 0, {1, 8, "must be a finite number", NULL}},
    {"width: -.inf\n", 0, {1, 8, "must be a finite number", NULL}},
    {"width: Infinity\n", 0, {1, 8, "must be a finite number", NULL}},
    {"width: 1e999\n", 0, {1, 8, "below 1.8e308", NULL}},
    {"width: 1,5\n", 0, {1, 8, "must be a number", "decimal mark is a point"}},
    {"width: 0x10\n", 0, {1, 8, "must be a number", "number alone"}},
    {"width: 1_000\n", 0, {1, 8, "must be a number", "number alone"}},
    {"width: 3 m\n", 0, {1, 8, "must be a number, in m, found '3 m'", "number alone, in SI units"}},
    {"width: 90 deg\n", 0, {1, 8, "must be a number", "number alone"}},
    {"width: .\n", 0, {1, 8, "must be a number", NULL}},
    {"width: 1e\n", 0, {1, 8, "must be a number", "number alone"}},
    {"width: --1\n", 0, {1, 8, "must be a number", NULL}},
    {"turn: 90 grad\n", 0, {1, 7, "must be a number", "'90 deg'"}},
    {"spin: 90 deg\n", 0, {1, 7, "must be a number", "'90 deg/s'"}},
    {"size: 1\n", 0, {1, 7, "'size' must be a list of 3 numbers, found '1'", NULL}},
    {"size: [1, 2]\n", 0, {1, 7, "a list of 3 numbers, found 2", NULL}},
    {"size: [1, x, 3]\n", 0, {1, 11, "item 2 of 'size' must be a number, found 'x'", NULL}},
    {"size: [1, 2, *x]\n", 0, {1, 14, "stands for nothing", "before"}},
    // text and choices
    {"name:\n", 0, {1, 6, "'name' must be a text, found nothing", NULL}},
    {"name: ''\n", 0, {1, 7, "must be a text, found ''", NULL}},
    {"name: '  '\n", 0, {1, 7, "must be a text", NULL}},
    {"name: [a]\n", 0, {1, 7, "must be a text, found a list", NULL}},
    {"name: \"a\\0b\"\n", 0, {1, 7, "'name' contains a control character", NULL}},
    {"name: \"a\\nb\"\n", 0, {1, 7, "'name' contains a control character", NULL}},
    {"note: \"a\\eb\"\n", 0, {1, 7, "'note' contains a control character", NULL}},
    {"colour: rde\n",
     0,
     {1, 9, "'colour' must be red, green or blue, found 'rde'", "did you mean 'red'?"}},
    {"colour: [red]\n", 0, {1, 9, "must be red, green or blue, found a list", NULL}},
    // columns count characters
    {"{name: \"\xC3\xBC\xE2\x82\xAC\", width: x}\n", 0, {1, 21, "must be a number", NULL}},
};

static void what_is_wrong_is_said_once_and_in_its_place(void** state)
{
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
  {
    const Refused* bad = &refused[i];
    Reading r          = read_bytes(bad->text, bad->length ? bad->length : strlen(bad->text));
    wrong += r.document.errors == 0;
    wrong += !finding_is_only(r.diag, &bad->finding);
    forget(&r);
  }
  assert_int_equal(wrong, 0);
}

static void all_errors_of_a_file_are_reported(void** state)
{
  (void)state;
  const char text[]        = "widht: 1\nturn: x\nsize: [a, 2, b]\ninner: {dept: 1}\n";
  const Finding expected[] = {{1, 1, "unknown key", "width"},
                              {2, 7, "'turn'", NULL},
                              {3, 8, "item 1 of 'size'", NULL},
                              {3, 14, "item 3 of 'size'", NULL},
                              {4, 9, "unknown key 'dept'", "depth"}};
  Reading r                = read_bytes(text, strlen(text));
  assert_false(r.filled);
  assert_true(findings_are(r.diag, expected, 5));
  forget(&r);
}

static void nobody_needs_to_listen(void** state)
{
  (void)state;
  lwDocument document;
  assert_int_equal(lw_document_read_text(&document, NULL, "a: [", 4, NULL), LW_ERROR_INPUT);
  assert_int_equal(document.errors, 1);
  lw_document_free(&document);
}

// --- limits

static char* repeated(const char* before, const char* part, int count, const char* after)
{
  size_t size = strlen(part);
  char* text  = malloc(strlen(before) + size * (size_t)count + strlen(after) + 1);
  char* end   = text + strlen(strcpy(text, before));
  for (int i = 0; i < count; ++i, end += size) memcpy(end, part, size);
  strcpy(end, after);
  return text;
}

static void read_repeated(const char* before, const char* part, int count, Finding expected)
{
  char* text = repeated(before, part, count, "");
  Reading r  = read_bytes(text, strlen(text));
  assert_true(finding_is_only(r.diag, &expected));
  forget(&r);
  free(text);
}

static void nesting_has_a_limit(void** state)
{
  (void)state;
  char* open = repeated("custom: ", "[", 63, "");
  char* text = repeated(open, "]", 63, "");  // 64 with the file's mapping
  Reading r  = read_bytes(text, strlen(text));
  assert_true(r.filled);
  forget(&r);
  free(text);
  free(open);
  const char* what = "more than 64 lists and mappings inside each other";
  read_repeated("custom: ", "[", 64, (Finding){1, 72, what, NULL});
  read_repeated("custom: ", "[", 100000, (Finding){1, 72, what, NULL});
  read_repeated("custom: ", "{a: ", 100000, (Finding){1, 9 + 4 * 63, what, NULL});
  read_repeated("", "- ", 100000, (Finding){1, 129, what, NULL});
}

static void long_values_have_limits(void** state)
{
  (void)state;
  read_repeated("name: ", "x", 5000, (Finding){1, 7, "'name' is longer than 4096 bytes", NULL});
  read_repeated("width: ", "1", 101, (Finding){1, 8, "at most 100 characters", NULL});
}

// 2^60 values in 60 lines take only a few nodes per line.
static void a_bomb_of_aliases_costs_nothing(void** state)
{
  (void)state;
  char text[4000] = "custom:\n  - &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i)
    sprintf(text + strlen(text), "  - &a%d [*a%d, *a%d]\n", i, i - 1, i - 1);
  Reading r = read_bytes(text, strlen(text));
  assert_true(r.filled);
  assert_less(r.document.arena.total, 1000000);
  forget(&r);
}

static void a_shared_mistake_is_reported_once(void** state)
{
  (void)state;
  const char text[] = "- &m {colur: red, width: x}\n- *m\n";
  lwDocument document;
  lwDiag* diag = lw_diag_create();
  lw_document_read_text(&document, "box.yaml", text, strlen(text),
                        diag);  // root is a list: refused
  Box box;
  for (const lwItem* item = document.root->items; item; item = item->next)
    assert_false(lw_document_fill(&document, item->value, &box_table, &box, NULL));
  const Finding expected[] = {
      {1, 1, "must be a mapping", NULL}, {1, 7, "'colur'", "colour"}, {1, 26, "'width'", NULL}};
  assert_true(findings_are(diag, expected, 3));
  assert_int_equal(document.errors, 4);
  lw_document_free(&document);
  lw_diag_destroy(diag);
}

static void memory_is_in_proportion_to_the_nodes(void** state)
{
  (void)state;
  char* text = repeated("custom: [", "a,", 300000, "a]");
  Reading r  = read_bytes(text, strlen(text));
  assert_true(r.filled);
  assert_less(r.document.arena.total, 300000 * 300u);
  forget(&r);
  free(text);
}

// --- files

typedef struct Folder
{
  char path[64];
  char file[128];
} Folder;

static Folder make_folder(void)
{
  Folder folder = {.path = "/tmp/linkwork-test-XXXXXX"};
  assert_non_null(mkdtemp(folder.path));
  snprintf(folder.file, sizeof folder.file, "%s/box.yaml", folder.path);
  return folder;
}

static void remove_folder(const Folder* folder)
{
  unlink(folder->file);
  rmdir(folder->path);
}

static void expect_file(const char* path, lwStatus status, const char* fragment)
{
  Reading r = read_path(path);
  assert_int_equal(r.status, status);
  assert_true(finding_is_only(r.diag, &(Finding){0, 0, fragment, NULL}));
  assert_string_equal(lw_diag_message(r.diag, 0)->file, path);
  forget(&r);
}

static void files_are_read(void** state)
{
  (void)state;
  Folder folder = make_folder();
  FILE* file    = fopen(folder.file, "w");
  fputs("width: 4\nturn: x\n", file);
  fclose(file);
  Reading r = read_path(folder.file);
  assert_same(r.box.width, 4);
  assert_true(finding_is_only(r.diag, &(Finding){2, 7, "'turn'", NULL}));
  assert_string_equal(lw_diag_message(r.diag, 0)->source, "turn: x");
  forget(&r);
  remove_folder(&folder);
}

static void what_cannot_be_read_is_said(void** state)
{
  (void)state;
  Folder folder = make_folder();
  expect_file(folder.path, LW_ERROR_FILE, "cannot be read: Is a directory");
  expect_file(folder.file, LW_ERROR_FILE, "cannot be opened: No such file");
  expect_file("/dev/zero", LW_ERROR_FILE, "larger than 64 MB");
  expect_file("/dev/null", LW_ERROR_INPUT, "the file is empty");
  remove_folder(&folder);
}

static void a_pipe_is_read_when_its_writer_comes(void** state)
{
  (void)state;
  Folder folder = make_folder();
  assert_int_equal(mkfifo(folder.file, 0600), 0);
  alarm(60);
  pid_t writer = fork();
  if (writer == 0)
  {
    usleep(200000);
    int pipe = open(folder.file, O_WRONLY);
    _exit(write(pipe, "# late\n", 7) != 7);
  }
  expect_file(folder.file, LW_ERROR_INPUT, "nothing but comments");
  alarm(0);
  assert_int_equal(waitpid(writer, NULL, 0), writer);
  remove_folder(&folder);
}

// A sparse file, which takes no disk space; it is refused by its size before a byte is read.
static void a_huge_file_is_refused(void** state)
{
  (void)state;
  Folder folder = make_folder();
  FILE* file    = fopen(folder.file, "w");
  assert_int_equal(ftruncate(fileno(file), 1 << 30), 0);
  fclose(file);
  expect_file(folder.file, LW_ERROR_FILE, "larger than 64 MB");
  assert_int_equal(truncate(folder.file, (64 << 20) + 1), 0);
  expect_file(folder.file, LW_ERROR_FILE, "larger than 64 MB");
  remove_folder(&folder);
  lwDocument document;
  assert_int_equal(lw_document_read_text(&document, "t", "", (64 << 20) + 1, NULL), LW_ERROR_FILE);
  lw_document_free(&document);
}

static void standard_input_is_a_file(void** state)
{
  (void)state;
  int ends[2], old = dup(STDIN_FILENO);
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(write(ends[1], "width: 5\nturn: x\n", 17), 17);
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  Reading r = read_path("-");
  dup2(old, STDIN_FILENO);
  close(old);
  assert_same(r.box.width, 5);
  assert_string_equal(lw_diag_message(r.diag, 0)->file, "<stdin>");
  forget(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_value_is_read),
      cmocka_unit_test(harmless_forms_are_accepted),
      cmocka_unit_test(json_is_read),
      cmocka_unit_test(an_alias_shares_the_node),
      cmocka_unit_test(the_latest_anchor_of_a_name_counts),
      cmocka_unit_test(what_is_wrong_is_said_once_and_in_its_place),
      cmocka_unit_test(all_errors_of_a_file_are_reported),
      cmocka_unit_test(nobody_needs_to_listen),
      cmocka_unit_test(nesting_has_a_limit),
      cmocka_unit_test(long_values_have_limits),
      cmocka_unit_test(a_bomb_of_aliases_costs_nothing),
      cmocka_unit_test(a_shared_mistake_is_reported_once),
      cmocka_unit_test(memory_is_in_proportion_to_the_nodes),
      cmocka_unit_test(files_are_read),
      cmocka_unit_test(what_cannot_be_read_is_said),
      cmocka_unit_test(a_pipe_is_read_when_its_writer_comes),
      cmocka_unit_test(a_huge_file_is_refused),
      cmocka_unit_test(standard_input_is_a_file),
  };
  return cmocka_run_group_tests_name("document", tests, NULL, NULL);
}
