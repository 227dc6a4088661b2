// SPDX-License-Identifier: MIT
// The core without a heap, as on a controller: everything that it needs comes from one array, given
// out from one end to the other. Findings are printed when they are reported.
#include <stdint.h>
#include <stdio.h>

#include "linkwork/core.h"

#define N 6  // joints

static _Alignas(64) unsigned char memory[1 << 20];

// Gives out the next piece of the array. Nothing is taken back: robots stay as long as the
// controller runs.
static void* next_piece(void* context, void* old, size_t bytes, size_t alignment)
{
  size_t* used = context;
  if (old) return NULL;
  size_t begin = (*used + alignment - 1) / alignment * alignment;
  if (bytes > sizeof memory - begin) return NULL;
  *used = begin + bytes;
  return memory + begin;
}

static void print_finding(void* context, const lwMessage* message)
{
  char text[500];
  (void)context;
  lw_message_format(message, text, sizeof text);
  fputs(text, stderr);
}

int main(void)
{
  const double q[N] = {0.1, -0.8, 0.6, 0.3, 0.9, -0.4};
  double tau[N], sum = 0;
  size_t used        = 0;
  lwModel* arm       = NULL;
  lwWorkspace* ws    = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_GRAVITY);
  lw_memory_set_allocator(next_piece, &used);
  lwDiag* diag = lw_diag_create();
  lw_diag_watch(diag, print_finding, NULL);
  if (lw_model_create_generic(N, &arm) != LW_OK ||
      lw_workspace_create(arm, &def, diag, &ws) != LW_OK)
    return 3;
  size_t made = used;
  for (int k = 0; k < 1000; ++k)
  {
    lw_inverse_dynamics(arm, ws, q, q, q, tau);
    sum += tau[0];
  }
  printf("%zu bytes for a model and a workspace, %zu for 1000 calls; mean torque %.6f N m\n", made,
         used - made, sum / 1000);
  return used == made ? 0 : 1;
}
