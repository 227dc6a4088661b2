// SPDX-License-Identifier: MIT
// The audit of a simulated arm: how it went, and whether to believe it.
#ifndef LW_REPORT_AUDIT_ARM_AUDIT_H
#define LW_REPORT_AUDIT_ARM_AUDIT_H

#include "linkwork/arm.h"
#include "report/audit/audit.h"

enum
{
  LW_NOTE_WHO = 32  // room for the number of an event
};

// What a note is about: "upper limit".
const char* lw_note_what(lwNoteKind kind);

// Whose it is: the name of a joint or of an event of the arm. buffer: for an event without a name.
const char* lw_note_who(const lwArmDef* arm, const lwNote* note, char buffer[LW_NOTE_WHO]);

// "complete", or what ended the run.
const char* lw_outcome_text(lwOutcome outcome);

// In words.
void lw_arm_audit_text(const lwRunFacts* facts, const lwArmDef* arm, const lwArmRun* run,
                       const lwAuditPrinter* printer);

// As json.
void lw_arm_audit_json(const lwRunFacts* facts, const lwArmDef* arm, const lwArmRun* run,
                       lwOut* out);

#endif
