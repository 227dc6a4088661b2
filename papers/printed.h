// SPDX-License-Identifier: MIT
// What a document prints: papers/NAME/printed.yaml, the only place where its numbers are typed in.
#ifndef PAPERS_PRINTED_H
#define PAPERS_PRINTED_H

#include "read/document/document.h"

// Numbers in a row; NAN where nothing is printed.
typedef struct Values
{
  int count;
  double* at;
} Values;

typedef struct PrintedNames
{
  int count;
  const char** at;
} PrintedNames;

// Input of a computation: data that the document gives, or from elsewhere; `where` says from where.
typedef struct Datum
{
  const char* id;
  const char* where;  // in the document: "Table II"
  const char* says;
  const char* unit;  // or NULL
  Values values;
} Datum;

typedef struct Erratum
{
  const char* id;  // "0-5"
  const char* where;
  int kind;  // index of ERRATUM_CLASSES
  const char* printed;
  const char* corrected;
} Erratum;

typedef enum Relation
{
  RELATION_EQUAL,
  RELATION_AT_LEAST,
  RELATION_AT_MOST
} Relation;

typedef enum Verdict
{
  VERDICT_REPRODUCED,
  VERDICT_CORRECTED,
  VERDICT_IN_PART,           // holds for some of its cases: the section has them as columns
  VERDICT_REFUTED,           // tested, and false
  VERDICT_NOT_REPRODUCIBLE,  // cannot be tested
  VERDICT_COUNT
} Verdict;

// One claim: a number, or the numbers of one row of a table.
typedef struct Claim
{
  const char* id;
  const char* says;
  const char* unit;      // NULL: that of the section
  Values printed;        // none: nothing is printed
  Values corrected;      // none: there is no correction
  const char* errata;    // ids of the errata that the correction follows, or NULL
  int relation;          // Relation of the measured to the printed numbers
  double tolerance;      // relative
  double absolute;       // in the unit of the claim
  const char* registry;  // "inverse/gibbs-appell": printed in the registry; see page_print()
  const char* as;        // "section/claim": what is printed there is claimed here, too; or NULL
  const char* why;       // why it cannot be tested; a mismatch then says nothing about the document
  const char* but;       // what was found instead; {1}: the first measured number

  Values measured;  // by the run; none: nothing was measured
  Verdict verdict;
} Claim;

typedef struct Section
{
  const char* id;
  const char* title;
  const char* text;      // Markdown, or NULL
  const char* unit;      // or NULL
  PrintedNames columns;  // what the numbers of a claim are; none: each has one number
  int cases;             // 1: the columns are cases, and a claim may hold for some of them only
  int count;
  Claim* claims;           // (count)
  struct Remark* remarks;  // by the run, in their order
  struct Remark** last;    // where the next one goes
} Section;

typedef struct Printed
{
  lwDocument document;
  const char *paper, *title, *authors, *source, *about;
  const char* moves;  // command that makes its animated page
  int data_count, errata_count, section_count;
  Datum* data;
  Erratum* errata;
  Section* sections;
} Printed;

extern const char* const ERRATUM_CLASSES[];

// Reads the text. Errors are in diag. Must be freed either way.
lwStatus printed_read(Printed* printed, const char* name, const char* text, size_t length,
                      lwDiag* diag);
void printed_free(Printed* printed);

#endif
