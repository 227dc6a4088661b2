// SPDX-License-Identifier: MIT
// The audit of a simulated snake: how it went, and whether to believe it.
#ifndef LW_REPORT_SNAKE_AUDIT_H
#define LW_REPORT_SNAKE_AUDIT_H

#include <stdbool.h>

#include "linkwork/arm.h"

// What the run itself does not know.
typedef struct lwSnakeFacts
{
  const char* file;        // of the snake
  const char* snake;       // its name
  const char* method;      // of the equations
  const char* integrator;  // name of the method
  const char* outcome;     // "complete"
  bool partial;            // it did not get to its end
  double reached;          // s, simulated
  double seconds;          // s, of the clock
} lwSnakeFacts;

typedef void lwPrint(void* to, const char* text);

// In words.
void lw_snake_audit_text(const lwSnakeFacts* facts, const lwSnakeAudit* audit, lwPrint* print,
                         void* to);

// As json.
void lw_snake_audit_json(const lwSnakeFacts* facts, const lwSnakeAudit* audit, lwPrint* print,
                         void* to);

#endif
