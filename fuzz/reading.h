// SPDX-License-Identifier: MIT
// What the targets of robot readers share: a text is read, and what must hold whatever is in it is demanded.
#ifndef FUZZ_READING_H
#define FUZZ_READING_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/read.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void require(int condition)
{
  if (!condition) abort();
}

// Every message can be shown, in a buffer of any size, and is free of control characters.
static void show(const lwMessage* message)
{
  char small[16], text[8192];
  size_t length = lw_message_format(message, text, sizeof text);
  require(length == lw_message_format(message, small, sizeof small));
  require(strlen(small) < sizeof small && strncmp(small, text, strlen(small)) == 0);
  require(length < sizeof text && strlen(text) == length && text[length - 1] == '\n');
  for (size_t i = 0; i < length; ++i) require((unsigned char)text[i] >= ' ' || text[i] == '\n');
  require(message->place.line >= 0 && (message->place.line == 0 || message->place.column > 0));
}

// A model if and only if the status is LW_OK, and an error said otherwise.
static void read_robot(const char* name, const uint8_t* data, size_t size,
                       const lwModelOptions* options)
{
  lwDiag* diag   = lw_diag_create();
  lwModel* model = NULL;
  if (!diag) return;
  lwStatus status = lw_robot_read_text(name, (const char*)data, size, options, diag, &model);
  require((status == LW_OK) == (model != NULL));
  require(status == LW_OK || lw_diag_count(diag, LW_SEVERITY_ERROR) > 0);
  for (int i = 0; i < lw_diag_size(diag); ++i) show(lw_diag_message(diag, i));
  if (model)
  {
    int dof = lw_model_dof(model);
    require(dof > 0 && dof <= lw_model_joint_count(model));
    for (int i = 0; i < dof; ++i) require(lw_model_joint(model, i) < lw_model_joint_count(model));
    require(lw_model_inert(model) < lw_model_joint_count(model));
  }
  lw_model_destroy(model);
  lw_diag_destroy(diag);
}

#endif
