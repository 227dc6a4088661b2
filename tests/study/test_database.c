// SPDX-License-Identifier: MIT
// Databases from anybody: report, resume and merge share one reader, which takes a database only
// if it is whole and ours, and changes none. Known attacks first, then hundreds of seeded ones:
// each must be refused, or read to exactly the numbers of the good one.
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "study/store.h"
#include "support/studies.h"
#include "support/testing.h"

#if defined(LW_TEST_SANITIZED)
enum
{
  DAMAGES = 120
};
#else
enum
{
  DAMAGES = 300
};
#endif

static const char STUDY[] =
    "linkwork: 1\n"
    "study: a database\n"
    "sampling: {method: latin-hypercube, samples: 64, seed: 3}\n"
    "run: {inverse: {robot: " LW_ROBOTS "/planar2r.yaml, duration: 2, dt: 0.1, "
    "waypoints: [[0, 0], [1, 2]]}}\n"
    "vary:\n"
    "  mass: {set: links.upper_rod.mass, uniform: [-0.2, 1]}\n"
    "  tool: {choice: {small: {joints.shoulder.effort: 3}, large: {joints.shoulder.effort: 30}}}\n"
    "measure: {peak: {peak: torque1, below: 15}, last: {final: torque2}}\n"
    "bands: {columns: [torque1, torque2], steps: 3}\n";

static char folder[] = "/tmp/lw-database-XXXXXX";
static char good[64], bad[64], out[64];

// --- files

typedef struct Bytes
{
  unsigned char* at;
  size_t count;
} Bytes;

static Bytes read_bytes(const char* path)
{
  Bytes bytes = {0};
  struct stat about;
  int file = open(path, O_RDONLY);
  assert_true(file >= 0 && fstat(file, &about) == 0);
  bytes.count = (size_t)about.st_size;
  bytes.at    = malloc(bytes.count + 1);
  assert_non_null(bytes.at);
  assert_int_equal(read(file, bytes.at, bytes.count), bytes.count);
  close(file);
  return bytes;
}

static void write_bytes(const char* path, const Bytes* bytes)
{
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes->at, 1, bytes->count, file), bytes->count);
  assert_int_equal(fclose(file), 0);
}

static bool exists(const char* path, const char* ending)
{
  char name[400];
  snprintf(name, sizeof name, "%s%s", path, ending);
  return access(name, F_OK) == 0;
}

static void remove_database(const char* path)
{
  static const char* const endings[] = {"", "-wal", "-shm", "-journal"};
  for (int i = 0; i < 4; ++i)
  {
    char name[400];
    snprintf(name, sizeof name, "%s%s", path, endings[i]);
    unlink(name);
  }
}

static void assert_unchanged(const char* path, const Bytes* before)
{
  Bytes now = read_bytes(path);
  assert_int_equal(now.count, before->count);
  assert_memory_equal(now.at, before->at, before->count);
  assert_false(exists(path, "-wal") || exists(path, "-shm") || exists(path, "-journal"));
  free(now.at);
}

// --- a study and its results

static void compute(const char* text, const char* path, int part, int parts)
{
  lwStudy* study     = study_of(text);
  lwResults* results = NULL;
  assert_int_equal(lw_results_open(study, path, false, NULL, &results), LW_OK);
  assert_int_equal(lw_results_only(results, part, parts, NULL), LW_OK);
  assert_int_equal(lw_study_run(study, results, 1, NULL, NULL, NULL, NULL), LW_OK);
  lw_results_close(results);
  lw_study_destroy(study);
}

// Everything that a reader gives, as bytes: by this alone two databases are compared.
typedef struct Dump
{
  FILE* file;
  char* text;
  size_t size;
  const lwContents* contents;
  long rows, cells;
} Dump;

static lwStatus dump_begin(void* context, const lwContents* contents, long rows)
{
  Dump* dump     = context;
  dump->contents = contents;
  fprintf(dump->file, "%s|%s|%s|%s|%s|%s|%s|%ld|%ld|%ld|%a|%ld\n", contents->version,
          contents->name, contents->file, contents->text, contents->fingerprint, contents->design,
          contents->isa, contents->points, contents->samples, contents->band_steps,
          contents->band_end, rows);
  for (int i = 0; i < contents->parameter_count; ++i)
    fprintf(dump->file, "%s ", contents->parameters[i]);
  for (int i = 0; i < contents->measure_count; ++i)
    fprintf(dump->file, "%s %a %a ", contents->measures[i].name, contents->measures[i].below,
            contents->measures[i].above);
  for (int i = 0; i < contents->choice_count; ++i)
    fprintf(dump->file, "%d %d %s ", contents->choices[i].parameter, contents->choices[i].value,
            contents->choices[i].name);
  for (long i = 0; i < contents->band_count; ++i) fprintf(dump->file, "%s ", contents->bands[i]);
  return LW_OK;
}

static lwStatus dump_row(void* context, const lwStudyRow* row)
{
  Dump* dump = context;
  int count  = dump->contents->parameter_count + dump->contents->measure_count;
  fprintf(dump->file, "\n%ld %d %d %s", row->sample, row->state, row->pass, row->why);
  for (int i = 0; i < count; ++i) fprintf(dump->file, " %a", lw_row_numbers(row)[i]);
  ++dump->rows;
  return LW_OK;
}

static lwStatus dump_cell(void* context, long band, long step, const lwBandCell* cell)
{
  Dump* dump = context;
  fprintf(dump->file, "\n%ld %ld %a %ld %a %a", band, step, cell->nominal, (long)cell->count,
          cell->low, cell->high);
  for (int i = 0; i < cell->sketch.count; ++i)
    fprintf(dump->file, " %d:%ld", cell->sketch.key[i], (long)cell->sketch.times[i]);
  ++dump->cells;
  return LW_OK;
}

static lwStatus dump_database(const char* path, lwDiag* diag, Dump* dump)
{
  lwArena arena     = {0};
  lwReading reading = {dump, dump_begin, dump_row, dump_cell};
  *dump             = (Dump){0};
  dump->file        = open_memstream(&dump->text, &dump->size);
  assert_non_null(dump->file);
  lwStatus status = lw_results_read(path, -1, &arena, &reading, diag);
  fclose(dump->file);
  lw_arena_free(&arena);
  return status;
}

static bool same_as_good(const char* path)
{
  Dump a, b;
  bool same = dump_database(good, NULL, &a) == LW_OK && dump_database(path, NULL, &b) == LW_OK &&
              a.size == b.size && !memcmp(a.text, b.text, a.size);
  free(a.text);
  free(b.text);
  return same;
}

static bool run_sql(const char* path, const char* sql)
{
  sqlite3* database = NULL;
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
  sqlite3_exec(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL);
  bool done = sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
  sqlite3_close(database);
  return done;
}

// What SQLite itself says of a file.
static bool is_sound(const char* path)
{
  sqlite3* database   = NULL;
  sqlite3_stmt* check = NULL;
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  bool sound =
      sqlite3_prepare_v2(database, "PRAGMA integrity_check", -1, &check, NULL) == SQLITE_OK &&
      sqlite3_step(check) == SQLITE_ROW &&
      !strcmp((const char*)sqlite3_column_text(check, 0), "ok");
  sqlite3_finalize(check);
  sqlite3_close(database);
  return sound;
}

// --- what must hold of any file

// Returns the status of the reader. Nothing but a resumed good database changes.
static lwStatus try_all(const char* path, lwDiag* diag)
{
  Bytes before = read_bytes(path);
  Dump dump;
  lwStatus status = dump_database(path, diag, &dump);
  free(dump.text);
  assert_unchanged(path, &before);
  assert_int_equal(status == LW_OK, lw_diag_size(diag) == 0);
  if (status == LW_OK) assert_true(same_as_good(path) && is_sound(path));

  const char* const from[] = {path};
  lwStatus merged          = lw_results_merge(out, 1, from, NULL, NULL);
  assert_int_equal(merged, status);
  assert_int_equal(exists(out, ""), status == LW_OK);
  assert_unchanged(path, &before);
  if (merged == LW_OK) assert_true(same_as_good(out));
  remove_database(out);

  lwStudy* study     = study_of(STUDY);
  lwResults* results = NULL;
  lwStatus resumed   = lw_results_open(study, path, true, NULL, &results);
  assert_int_equal(resumed, status);
  lw_results_close(results);
  lw_study_destroy(study);
  if (resumed != LW_OK)
    assert_unchanged(path, &before);
  else
    assert_true(same_as_good(path));
  free(before.at);
  return status;
}

static void refused(const char* what, const char* sql, const char* reason)
{
  Bytes bytes  = read_bytes(good);
  lwDiag* diag = lw_diag_create();
  remove_database(bad);
  write_bytes(bad, &bytes);
  assert_true(run_sql(bad, sql));
  lwStatus status = try_all(bad, diag);
  if (status == LW_OK) print_error("accepted: %s\n", what);
  assert_int_not_equal(status, LW_OK);
  if (reason) assert_contains(lw_diag_message(diag, 0)->text, reason);
  lw_diag_destroy(diag);
  free(bytes.at);
}

// --- tests

static void test_good(void** state)
{
  (void)state;
  lwDiag* diag = lw_diag_create();
  Dump dump;
  assert_int_equal(dump_database(good, diag, &dump), LW_OK);
  assert_int_equal(dump.rows, 64);
  assert_int_equal(dump.cells, 8);
  assert_non_null(strstr(dump.text, "mass"));
  free(dump.text);
  assert_int_equal(try_all(good, diag), LW_OK);
  lw_diag_destroy(diag);
}

static void test_attacks(void** state)
{
  (void)state;
  refused("half of the measures", "DELETE FROM measures WHERE sample < 32",
          "measures of sample 0 are missing");
  refused("half of the samples", "DELETE FROM samples WHERE sample < 32", NULL);
  refused("both", "DELETE FROM samples WHERE sample<32; DELETE FROM measures WHERE sample<32",
          "samples from 0 on are missing");
  refused("a chunk with its checksum",
          "DELETE FROM samples WHERE sample >= (SELECT max(first) FROM checksums);"
          "DELETE FROM measures WHERE sample >= (SELECT max(first) FROM checksums);"
          "DELETE FROM checksums WHERE first = (SELECT max(first) FROM checksums) AND "
          "part = 'samples'",
          "are expected");
  refused("a step below zero", "UPDATE bands SET step = -5 WHERE step = 1", NULL);
  refused("a step far above", "UPDATE bands SET step = 2000000000 WHERE step = 1", NULL);
  refused("another band", "UPDATE bands SET band = 1000000 WHERE band = 1", NULL);
  refused("no bands", "DELETE FROM bands", "bands are missing");
  refused("one band less", "DELETE FROM bands WHERE band = 1", "bands are missing");
  refused("more steps", "UPDATE about SET value = 1999999999 WHERE key = 'steps'", NULL);
  refused("more samples", "UPDATE about SET value = 9e18 WHERE key = 'samples'", "'samples'");
  refused(
      "a key without a name",
      "DROP TABLE about; CREATE TABLE about(key TEXT, value); INSERT INTO about VALUES(NULL, 1)",
      "its tables are not those");
  refused("no description", "DELETE FROM about WHERE key = 'design'", "'design'");
  refused("counts that are no counts", "UPDATE bands SET counts = zeroblob(12000000)", NULL);
  refused("counts of another type", "UPDATE bands SET counts = 'text'", NULL);
  refused("a number that is a text", "UPDATE measures SET peak = 'large' WHERE sample = 7",
          "sample 7 ");
  refused("a number changed", "UPDATE measures SET peak = peak * 1.0000001 WHERE sample = 7",
          "the checksum of samples");
  refused("a criterion changed", "UPDATE criteria SET below = 16", "the checksum");
  refused("a choice changed", "UPDATE choices SET name = 'tiny' WHERE value = 1", "the checksum");
  refused("an unknown state", "UPDATE samples SET state = 'fine' WHERE sample = 3", "sample 3 ");
  refused("a view", "CREATE VIEW more AS SELECT 1", "its tables are not those");
  refused("a trigger", "CREATE TRIGGER t AFTER INSERT ON samples BEGIN DELETE FROM bands; END",
          "its tables are not those");
  refused("an index", "CREATE INDEX i ON samples(mass)", "its tables are not those");
  refused("another table", "CREATE TABLE guests(a)", "its tables are not those");
  refused("a checksum of nothing", "INSERT INTO checksums VALUES('samples', 64, 0, 0)", NULL);
  refused("a column more", "ALTER TABLE measures ADD COLUMN more REAL", NULL);
}

// The schema of a file was executed: it could write to any other database.
static void test_schema_is_not_executed(void** state)
{
  (void)state;
  char victim[80], sql[600];
  snprintf(victim, sizeof victim, "%s/victim.db", folder);
  assert_true(run_sql(victim, "CREATE TABLE precious(a); INSERT INTO precious VALUES(1), (2)"));
  Bytes before = read_bytes(victim);
  snprintf(sql, sizeof sql,
           "UPDATE sqlite_master SET sql = 'CREATE TABLE criteria(a); ATTACH ''%s'' AS v; "
           "DELETE FROM v.precious' WHERE name = 'criteria'",
           victim);
  refused("SQL in the schema", sql, NULL);
  assert_unchanged(victim, &before);
  remove_database(victim);
  free(before.at);
}

static void refused_file(const char* path, lwStatus expected, const char* reason)
{
  lwDiag* diag = lw_diag_create();
  assert_int_equal(try_all(path, diag), expected);
  assert_contains(lw_diag_message(diag, 0)->text, reason);
  assert_int_equal(strstr(reason, "schema") != NULL, lw_diag_message(diag, 0)->id != NULL);
  lw_diag_destroy(diag);
}

static void test_other_versions(void** state)
{
  (void)state;
  Bytes bytes  = read_bytes(good);
  bytes.at[63] = LW_STORE_SCHEMA + 1;  // user_version
  write_bytes(bad, &bytes);
  refused_file(bad, LW_ERROR_INPUT, "with schema 3; this version reads schema 2");
  memset(bytes.at + 60, 0, 4);
  memset(bytes.at + 68, 0, 4);  // application_id
  write_bytes(bad, &bytes);
  refused_file(bad, LW_ERROR_INPUT, "with schema 1; this version reads schema 2");
  free(bytes.at);
}

static void test_foreign_files(void** state)
{
  (void)state;
  remove_database(bad);
  assert_true(run_sql(bad, "CREATE TABLE music(title); INSERT INTO music VALUES('Also sprach')"));
  refused_file(bad, LW_ERROR_INPUT, "no database with results of a study");
  remove_database(bad);
  Bytes empty = {(unsigned char*)"", 0}, text = {(unsigned char*)"linkwork: 1\n", 12};
  write_bytes(bad, &empty);
  refused_file(bad, LW_ERROR_INPUT, "not a database");
  write_bytes(bad, &text);
  refused_file(bad, LW_ERROR_INPUT, "not a database");
}

// A name changed so that its row is out of order: a search by the name of its neighbour finds it.
static void test_row_out_of_order(void** state)
{
  (void)state;
  static const char row[] = "tool\002large";
  Bytes bytes             = read_bytes(good);
  size_t at               = 0;
  while (at + sizeof row <= bytes.count && memcmp(bytes.at + at, row, sizeof row - 1) != 0) ++at;
  assert_true(at + sizeof row <= bytes.count);
  bytes.at[at + 3] = ',';
  remove_database(bad);
  write_bytes(bad, &bytes);
  refused_file(bad, LW_ERROR_FILE, "the results are damaged");
  free(bytes.at);
}

static void test_merge(void** state)
{
  (void)state;
  char parts[3][80];
  const char* from[] = {parts[2], parts[0], parts[1]};
  for (int i = 0; i < 3; ++i)
  {
    snprintf(parts[i], sizeof parts[i], "%s/part%d.db", folder, i);
    compute(STUDY, parts[i], i + 1, 3);
  }
  assert_int_equal(lw_results_merge(out, 3, from, NULL, NULL), LW_OK);
  assert_true(same_as_good(out));
  assert_int_equal(lw_results_merge(out, 3, from, NULL, NULL), LW_ERROR_FILE);  // it exists
  assert_true(same_as_good(out));
  remove_database(out);
  volatile sig_atomic_t stop = 1;
  assert_int_equal(lw_results_merge(out, 3, from, &stop, NULL), LW_ERROR_FILE);
  assert_false(exists(out, ""));
  from[1] = from[0];
  assert_int_equal(lw_results_merge(out, 3, from, NULL, NULL), LW_ERROR_INPUT);
  assert_false(exists(out, ""));
  for (int i = 0; i < 3; ++i) remove_database(parts[i]);
}

// The parts of one study, one of them by another version with checksums of its own.
static void test_merge_of_two_versions(void** state)
{
  (void)state;
  Bytes bytes      = read_bytes(good);
  lwArena arena    = {0};
  lwContents about = {0};
  lwStudy* study   = study_of(STUDY);
  char sql[200];
  assert_true(lw_contents_of_study(study, &arena, &about));
  about.version = "9.9.9";
  write_bytes(bad, &bytes);
  snprintf(sql, sizeof sql,
           "UPDATE about SET value = '9.9.9' WHERE key = 'linkwork';"
           "UPDATE checksums SET sum = %lld WHERE part = 'about'",
           (long long)lw_contents_sum(&about));
  assert_true(run_sql(bad, sql));
  const char* from[] = {good, bad};
  lwDiag* diag       = lw_diag_create();
  assert_int_equal(lw_results_merge(out, 2, from, NULL, diag), LW_ERROR_INPUT);
  assert_contains(lw_diag_message(diag, 0)->text, "results of linkwork 9.9.9");
  assert_false(exists(out, ""));
  lw_diag_destroy(diag);
  lw_study_destroy(study);
  lw_arena_free(&arena);
  free(bytes.at);
}

static void test_no_rows_no_file(void** state)
{
  (void)state;
  lwStudy* study     = study_of(STUDY);
  lwResults* results = NULL;
  assert_int_equal(lw_results_open(study, out, false, NULL, &results), LW_OK);
  assert_int_equal(lw_results_only(results, 2, 1, NULL), LW_ERROR_INPUT);
  lw_results_close(results);
  assert_false(exists(out, "") || exists(out, "-wal") || exists(out, "-shm"));
  lw_study_destroy(study);
}

// --- the class: seeded damages

static size_t below(lwRandom* random, size_t count)
{
  return (size_t)(lw_random_bits(random) % (count ? count : 1));
}

// Swaps two neighbouring rows of a page: its cell pointers are behind a header of 8 bytes, and the
// first page has 100 bytes more.
static void swap_rows(lwRandom* random, unsigned char* page, bool first)
{
  unsigned char* header = page + (first ? 100 : 0);
  size_t cells          = (size_t)header[3] << 8 | header[4];
  if (cells < 2) return;
  unsigned char* at       = header + 8 + 2 * below(random, cells - 1);
  unsigned char pointer[] = {at[0], at[1]};
  memcpy(at, at + 2, 2);
  memcpy(at + 2, pointer, 2);
}

static void damage_bytes(lwRandom* random, Bytes* bytes, int kind)
{
  enum
  {
    PAGE = 4096
  };
  size_t pages = bytes->count / PAGE, page = below(random, pages), other = below(random, pages);
  switch (kind)
  {
    case 0:  // bits
      for (size_t i = below(random, 4) + 1; i > 0; --i)
        bytes->at[below(random, bytes->count)] ^= (unsigned char)(1u << below(random, 8));
      break;
    case 1:
      memset(bytes->at + page * PAGE, 0, PAGE);
      break;
    case 2:
      bytes->count = below(random, bytes->count);
      break;
    case 3:
      memmove(bytes->at + page * PAGE, bytes->at + other * PAGE, PAGE);
      break;
    case 4:  // a few bytes as large as they can be, in the used part at the end of a page
      memset(bytes->at + page * PAGE + PAGE - 1 - below(random, 300), 0xFF, 1);
      break;
    case 5:
      swap_rows(random, bytes->at + page * PAGE, page == 0);
      break;
    default:  // headers and cell pointers of a page
      bytes->at[page * PAGE + below(random, page ? 40 : 140)] = (unsigned char)below(random, 256);
  }
}

static void damage_rows(lwRandom* random, const char* path)
{
  static const struct
  {
    const char *table, *columns[5];
  } tables[]                        = {{"samples", {"sample", "state", "pass", "mass", "tool"}},
                                       {"measures", {"sample", "peak", "last", "peak", "last"}},
                                       {"bands", {"band", "step", "count", "low", "counts"}},
                                       {"checksums", {"part", "first", "count", "sum", "sum"}},
                                       {"about", {"key", "value", "value", "value", "value"}},
                                       {"criteria", {"measure", "below", "above", "below", "above"}},
                                       {"choices", {"parameter", "value", "name", "value", "name"}}};
  static const char* const values[] = {"NULL",
                                       "-1",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "9e999",
                                       "-9e999",
                                       "1e-320",
                                       "'text'",
                                       "x'00FF00'",
                                       "zeroblob(100)",
                                       "'done'",
                                       "0",
                                       "1",
                                       "64",
                                       "4096.5",
                                       "''"};
  size_t t                          = below(random, sizeof tables / sizeof *tables);
  const char* name                  = tables[t].table;
  const char* column                = tables[t].columns[below(random, 5)];
  const char* value                 = values[below(random, sizeof values / sizeof *values)];
  char sql[300];
  if (below(random, 3) == 0)
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE %s = (SELECT %s FROM %s LIMIT 1 OFFSET %zu)",
             name, column, column, name, below(random, 8));
  else
    snprintf(sql, sizeof sql,
             "UPDATE OR IGNORE %s SET %s = %s WHERE %s %s (SELECT %s FROM %s LIMIT 1 OFFSET %zu)",
             name, column, value, column, below(random, 2) ? "=" : ">=", column, name,
             below(random, 8));
  run_sql(path, sql);  // some values do not fit their column, and then nothing changes
}

static void test_seeded_damages(void** state)
{
  (void)state;
  Bytes whole  = read_bytes(good);
  int accepted = 0;
  for (unsigned seed = 0; seed < DAMAGES; ++seed)
  {
    lwRandom random = {seed};
    Bytes bytes     = {malloc(whole.count + 1), whole.count};
    int kind        = (int)below(&random, 10);
    memcpy(bytes.at, whole.at, whole.count);
    if (kind < 7) damage_bytes(&random, &bytes, kind);
    remove_database(bad);
    write_bytes(bad, &bytes);
    if (kind >= 7) damage_rows(&random, bad);
    lwDiag* diag = lw_diag_create();
    accepted += try_all(bad, diag) == LW_OK;  // and its numbers are the good ones
    lw_diag_destroy(diag);
    free(bytes.at);
  }
  print_message("%d of %d damages are in unused bytes\n", accepted, DAMAGES);
  assert_less(accepted, DAMAGES / 2);
  free(whole.at);
}

static int make_good(void** state)
{
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(good, sizeof good, "%s/good.db", folder);
  snprintf(bad, sizeof bad, "%s/bad.db", folder);
  snprintf(out, sizeof out, "%s/out.db", folder);
  compute(STUDY, good, 1, 1);
  return 0;
}

static int remove_all(void** state)
{
  (void)state;
  remove_database(good);
  remove_database(bad);
  remove_database(out);
  return rmdir(folder);  // no temporary file is left
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_good),
                                     cmocka_unit_test(test_attacks),
                                     cmocka_unit_test(test_schema_is_not_executed),
                                     cmocka_unit_test(test_other_versions),
                                     cmocka_unit_test(test_foreign_files),
                                     cmocka_unit_test(test_row_out_of_order),
                                     cmocka_unit_test(test_merge),
                                     cmocka_unit_test(test_merge_of_two_versions),
                                     cmocka_unit_test(test_no_rows_no_file),
                                     cmocka_unit_test(test_seeded_damages)};
  return cmocka_run_group_tests(tests, make_good, remove_all);
}
