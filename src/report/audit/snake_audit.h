// SPDX-License-Identifier: MIT
// The audit of a simulated snake: how it went, and whether to believe it.
#ifndef LW_REPORT_AUDIT_SNAKE_AUDIT_H
#define LW_REPORT_AUDIT_SNAKE_AUDIT_H

#include "linkwork/arm.h"
#include "report/audit/audit.h"

// In words.
void lw_snake_audit_text(const lwRunFacts* facts, const lwSnakeAudit* audit, lwPrint* print,
                         void* to);

// As json.
void lw_snake_audit_json(const lwRunFacts* facts, const lwSnakeAudit* audit, lwOut* out);

#endif
