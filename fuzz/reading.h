// SPDX-License-Identifier: MIT
// Shared by the targets of robot readers: reads a text and checks what must hold for any text.
#ifndef FUZZ_READING_H
#define FUZZ_READING_H

#include "checks.h"
#include "linkwork/read.h"

// Checks that there is a model if and only if the status is LW_OK, and an error message otherwise.
// Returns the model or NULL.
static inline lwModel* read_model(const char* name, const char* text, size_t size,
                                  const lwModelOptions* options)
{
  lwDiag* diag   = lw_diag_create();
  lwModel* model = NULL;
  if (!diag) return NULL;
  lwStatus status = lw_robot_read_text(name, text, size, options, diag, &model);
  check_reading(status, model != NULL, diag);
  lw_diag_destroy(diag);
  return model;
}

static inline void read_robot(const char* name, const uint8_t* data, size_t size,
                              const lwModelOptions* options)
{
  lwModel* model = read_model(name, (const char*)data, size, options);
  if (!model) return;
  int dof = lw_model_dof(model);
  require(dof > 0 && dof <= 6 * lw_model_joint_count(model) && dof <= lw_model_nq(model));
  for (int i = 0; i < dof; ++i) require(lw_model_joint(model, i) < lw_model_joint_count(model));
  require(lw_model_inert(model) < lw_model_joint_count(model));
  lw_model_destroy(model);
}

#endif
