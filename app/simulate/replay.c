// SPDX-License-Identifier: MIT
#include "replay.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/state.h"
#include "io/files.h"
#include "io/note.h"

static const char MAGIC[] = "linkwork replay 1";

enum
{
  MOST_FIELD = 64,  // bytes of a number, a hash or a column's name, and what stands between
  MOST_HEAD  = 4096
};

// --- lines

static void line_begin(Replay* replay)
{
  replay->used    = 0;
  replay->line[0] = 0;
}

static void line_add(Replay* replay, const char* text)
{
  size_t length = strlen(text), room = MOST_HEAD + MOST_FIELD * replay->rows->columns;
  if (replay->used + length + 2 > room) return;  // of a head: its beginning tells it from others
  if (replay->used > 0) replay->line[replay->used++] = ' ';
  memcpy(replay->line + replay->used, text, length + 1);
  replay->used += length;
}

// Bytes of the line that is compared with next.
static size_t recorded_length(const Replay* replay)
{
  return strcspn(replay->next, "\n");
}

static _Noreturn void replay_wrong(const Replay* replay, const char* what)
{
  stop(INPUT, "%s: this is no whole recording of --trace: %s", replay->path, what);
}

// Writes the line, or takes the recorded one; true if they are the same.
static bool line_end(Replay* replay, const char** recorded, size_t* length)
{
  if (replay->out) lw_out_format(replay->out, "%s\n", replay->line);
  if (!replay->path) return true;
  *recorded = replay->next;
  *length   = recorded_length(replay);
  if (!replay->next[*length]) replay_wrong(replay, "it ends too early");
  replay->next += *length + 1;
  return *length == replay->used && !memcmp(*recorded, replay->line, *length);
}

static void head_line(Replay* replay, const char* word, const char* a, const char* b, bool compared)
{
  const char* recorded;
  size_t length;
  line_begin(replay);
  line_add(replay, word);
  line_add(replay, a);
  if (b && *b) line_add(replay, b);
  if (line_end(replay, &recorded, &length) || !compared) return;
  stop(NO, "%s: the run is another one: it was '%.*s', now it is '%s'", replay->path,
       (int)(length < 200 ? length : 200), recorded, replay->line);
}

// --- what a run is computed from

// A line for each file: its name, and a hash of what it holds.
static void head_files(Replay* replay, const char* operand)
{
  bool noted = !strcmp(operand, "-");
  for (int i = 0; input_path(i); ++i) noted = noted || !strcmp(input_path(i), operand);
  if (!noted) leave(no_memory());  // it was read, but could not be kept in the list
  for (int i = 0; input_path(i); ++i)
  {
    unsigned char bytes[1 << 12];
    char text[20];
    int first = 0;
    while (strcmp(input_path(first), input_path(i)) != 0) ++first;
    if (first < i) continue;  // it was read twice
    uint64_t hash    = LW_STATE_HASH;
    size_t got       = 0;
    const char* name = strrchr(input_path(i), '/');
    FILE* file       = fopen(input_path(i), "rb");
    if (!file && errno == ENOMEM) leave(no_memory());
    if (!file) stop(INPUT, "%s: %s", input_path(i), strerror(errno));
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0) hash = lw_state_hash(hash, bytes, got);
    fclose(file);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    head_line(replay, "file", name ? name + 1 : input_path(i), text, true);
  }
}

// A line for each option but those that say where to read and write.
static void head_options(Replay* replay, const Options* options)
{
  static const char elsewhere[] =
      "--out --save --plot --audit --format --quiet --from --in --trace "
      "--replay --rolling-resistance";
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (options->value[i] && !option_listed(elsewhere, OPTIONS[i].name))
      head_line(replay, "option", OPTIONS[i].name, options->value[i], true);
  for (int i = 0; i < options->wrench_count; ++i)
    head_line(replay, "option", "--wrench", options->wrenches[i], true);
}

static void read_recorded(Replay* replay, const char* path)
{
  size_t size;
  char* text   = (char*)file_bytes(path, &size);
  replay->path = path;
  replay->next = text;
  if (strlen(text) != size) replay_wrong(replay, "it is not a text");
  if (strncmp(text, MAGIC, sizeof MAGIC - 1) != 0 || text[sizeof MAGIC - 1] != '\n')
    replay_wrong(replay, "expected 'linkwork replay 1' as its first line");
}

void replay_begin(Replay* replay, const Options* options, const lwRows* rows)
{
  const char *trace = options->value[OPTION_TRACE], *path = options->value[OPTION_REPLAY];
  const char* recorded;
  size_t length;
  if (!trace && !path) return;
  replay->rows  = rows;
  replay->line  = allocate(MOST_HEAD + MOST_FIELD * rows->columns, 1);
  replay->input = allocate(rows->columns, sizeof *replay->input);
  if (path) read_recorded(replay, path);
  if (trace) replay->out = output(trace);
  head_line(replay, "linkwork", "replay", "1", true);
  head_line(replay, "version", lw_version(), NULL, false);
  head_files(replay, options->operand);
  head_options(replay, options);
  line_begin(replay);
  line_add(replay, "columns");
  for (size_t c = 0; c < rows->columns; ++c)
  {
    char name[LW_ROW_NAME];
    rows->name(rows->context, c, name);
    replay->input[c] = c == 0 || !strncmp(name, "tau", 3) || (name[0] == 'v' && name[1]);
    line_add(replay, name);
  }
  if (line_end(replay, &recorded, &length)) return;
  stop(NO, "%s: the run is another one: it recorded other columns, '%.*s'", path,
       (int)(length < 200 ? length : 200), recorded);
}

// --- records

static void write_field(const Replay* replay, size_t c, double value, char text[LW_NUMBER_SIZE])
{
  if (replay->input[c])
    lw_number_write(value, text);
  else
  {
    uint64_t hash = lw_state_hash(LW_STATE_HASH, &value, sizeof value);
    snprintf(text, LW_NUMBER_SIZE, "%08x", (unsigned)(hash ^ hash >> 32));
  }
}

// Names the first column in which the recorded line differs.
static void say_difference(const Replay* replay, const double* values, const char* recorded,
                           size_t length)
{
  char name[LW_ROW_NAME], text[LW_NUMBER_SIZE];
  const char* end = recorded + length;
  for (size_t c = 0; c < replay->rows->columns; ++c)
  {
    size_t field = 0;
    while (recorded + field < end && recorded[field] != ' ') ++field;
    write_field(replay, c, values[c], text);
    if (strlen(text) != field || memcmp(recorded, text, field) != 0)
    {
      replay->rows->name(replay->rows->context, c, name);
      fail(NO, "%s: record %ld, t = %.9g s: %s differs first: it is %.17g, as %s, and was %.*s",
           replay->path, replay->records + 1, values[0], name, values[c], text,
           (int)(field < 40 ? field : 40), recorded);
      return;
    }
    recorded += field + (recorded + field < end);
  }
  fail(NO, "%s: record %ld has more columns", replay->path, replay->records + 1);
}

void replay_record(Replay* replay, const double* values)
{
  const char* recorded;
  size_t length;
  if (!replay->line || replay->differs) return;
  line_begin(replay);
  for (size_t c = 0; c < replay->rows->columns; ++c)
  {
    char text[LW_NUMBER_SIZE];
    write_field(replay, c, values[c], text);
    line_add(replay, text);
  }
  if (line_end(replay, &recorded, &length))
    ++replay->records;
  else
  {
    if (length > 4 && !strncmp(recorded, "end ", 4))
      fail(NO, "%s: the recorded run has ended after record %ld", replay->path, replay->records);
    else
      say_difference(replay, values, recorded, length);
    replay->differs = true;
  }
}

int replay_end(Replay* replay, bool partial, int status)
{
  const char* recorded;
  size_t length;
  char count[24];
  if (!replay->line) return status;
  snprintf(count, sizeof count, "%ld", replay->records);
  line_begin(replay);
  line_add(replay, "end");
  line_add(replay, count);
  bool same = replay->differs || line_end(replay, &recorded, &length);
  if (!same) fail(NO, "%s: the recorded run goes on after record %s", replay->path, count);
  if (replay->path && same && !replay->differs)
    note("%s: the run is the same in all of its %s records", replay->path, count);
  if (replay->out)
  {
    unhold(replay->out);
    int written =
        partial ? out_close_partial(replay->out, DONE) : out_close(replay->out, DONE, false);
    if (status == DONE) status = written;
  }
  return status == DONE && (!same || replay->differs) ? NO : status;
}
