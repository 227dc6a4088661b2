// SPDX-License-Identifier: MIT
// Arbitrary bytes as a table of states (CSV) of a robot with two joints: header and rows are read,
// or there is a one-line message. All numbers read are finite, and t increases where it must.
#include <math.h>

#include "states/states.h"
#include "tables.h"

// The columns that commands require.
static const StateNeeds NEEDS[] = {
    {LW_INPUT_Q, 0, false},
    {LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD | LW_INPUT_WRENCH | INPUT_TIME, 0, false},
    {LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_TAU | INPUT_TIME, INPUT_TIME, false},
};

enum
{
  NEED_COUNT = sizeof NEEDS / sizeof NEEDS[0],
  ROWS       = 3  // of a block
};

static void check_message(const lwLines* lines)
{
  size_t length = strlen(lines->message);
  require(length > 0 && !strchr(lines->message, '\n'));
  require_text(lines->message, length);
}

static void check_block(const lwCsvBlock* block, const lwModel* model)
{
  require(block->count <= ROWS);
  for (int g = 0; g < GROUP_LINKS; ++g)
    for (int i = 0; block->values[g] && i < block->count * group_width(model, (Group)g); ++i)
      require(isfinite(block->values[g][i]));
}

// All rows, block by block.
static void read_rows(const lwCsvHeader* header, lwLines* lines, const lwModel* model, bool keep)
{
  lwCsvBlock block;
  double last = -INFINITY;
  int status  = DONE;
  block_create(&block, model, header->present, ROWS);
  if (keep) require(lw_csv_block_keep_text(&block));
  while (status == DONE)
  {
    status = exit_of(lw_csv_rows(header, lines, &block));
    check_block(&block, model);
    if (status != DONE) check_message(lines);
    for (int i = 0; header->increasing >= 0 && i < block.count; ++i)
    {
      require(block.values[GROUP_T][i] > last);
      last = block.values[GROUP_T][i];
    }
    if (block.count == 0) break;
  }
  lw_csv_block_destroy(&block);
}

typedef struct Input
{
  const uint8_t* data;
  size_t size;
} Input;

static int read_table(void* context)
{
  const Input* input = context;
  lwModel* model     = small_robot();
  lwLines lines      = lines_of(input->data, input->size);
  int way            = way_of(input->data, input->size, 2 * NEED_COUNT);
  lwCsvHeader header;
  if (states_header(&header, &lines, model, NEEDS[way / 2]) == DONE)
    read_rows(&header, &lines, model, way % 2);
  else
    check_message(&lines);
  lw_csv_header_destroy(&header);
  lw_lines_close(&lines);
  return DONE;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  return scope_run(read_table, &(Input){data, size});
}
