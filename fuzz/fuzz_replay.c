// SPDX-License-Identifier: MIT
// Arbitrary bytes as a recording that a run is compared with: it is refused, or differs, with a
// message, and only the recording of this very run is the same.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "checks.h"
#include "command/list.h"
#include "simulate/replay.h"

enum
{
  COLUMNS = 4,
  RECORDS = 3
};

static const char MAGIC[] = "linkwork replay 1\n";

typedef struct Input
{
  const uint8_t* data;
  size_t size;
  int file;
} Input;

static void column_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  static const char* const names[COLUMNS] = {"t", "q1", "tau1", "v1"};
  (void)context;
  snprintf(name, LW_ROW_NAME, "%s", names[k]);
}

static int compare(void* context)
{
  Input* input    = context;
  lwRows rows     = {.columns = COLUMNS, .name = column_name};
  Replay replay   = {0};
  Options options = {.command = command_find("simulate"), .operand = "-"};
  char path[40];
  input->file = memfd_create("fuzz", MFD_CLOEXEC);
  require(input->file >= 0);
  require(write(input->file, input->data, input->size) == (ssize_t)input->size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", input->file);
  options.value[OPTION_DURATION] = "0.5";
  options.value[OPTION_REPLAY]   = path;
  replay_begin(&replay, &options, &rows);
  for (int i = 0; i < RECORDS; ++i)
    replay_record(&replay, (const double[COLUMNS]){0.25 * i, 1.5 * i, -2 * i, 0.1 * i});
  return replay_end(&replay, false, DONE);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  commands_open();
  Input input = {data, size, -1};
  int code    = scope_run(compare, &input);
  close(input.file);
  require(code == DONE || code == NO || code == INPUT);
  require(code != DONE || (size > sizeof MAGIC && !memcmp(data, MAGIC, sizeof MAGIC - 1)));
  return 0;
}
