// SPDX-License-Identifier: MIT
// The audit of a simulated arm or snake: how the run went, and whether to believe it.
#ifndef LW_REPORT_AUDIT_AUDIT_H
#define LW_REPORT_AUDIT_AUDIT_H

#include "linkwork/arm.h"
#include "text/out.h"

// A name and what it is the name of: {"scenario", "swing"}.
typedef struct lwAuditName
{
  const char *key, *name;
} lwAuditName;

// What the run itself does not know.
typedef struct lwRunFacts
{
  lwAuditName source;      // what describes the run: its scenario, or the file of the snake
  lwAuditName robot;       // what moves
  const char* method;      // of the equations; NULL: not told
  const char* integrator;  // name of the method
  const char* outcome;     // "complete"
  bool partial;            // it did not get to its end
  double reached;          // s, simulated
  double seconds;          // s, of the clock
} lwRunFacts;

// Takes a text, part by part.
typedef void lwPrint(void* to, const char* text);

typedef struct lwAuditPrinter
{
  lwPrint* print;
  void* to;
} lwAuditPrinter;

// --- arms

enum
{
  LW_NOTE_WHO = 32  // room for the number of an event, wheel or joint
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

// --- snakes

// In words.
void lw_snake_audit_text(const lwRunFacts* facts, const lwAudit* audit,
                         const lwAuditPrinter* printer);

// As json.
void lw_snake_audit_json(const lwRunFacts* facts, const lwAudit* audit, lwOut* out);

#endif
