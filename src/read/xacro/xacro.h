// SPDX-License-Identifier: MIT
// Xacro, macros for URDF, as far as robot descriptions use it (wiki.ros.org/xacro). Nothing is
// executed: expressions are numbers, texts, comparisons and a fixed list of functions.
//
//   elements --xacro.c--> properties, macros, conditions --xacro_value.c--> values --> URDF text
#ifndef LW_READ_XACRO_XACRO_H
#define LW_READ_XACRO_XACRO_H

#include "base/text.h"
#include "read/urdf/xml.h"

enum
{
  LW_XACRO_MAX_FILES    = 300,
  LW_XACRO_MAX_DEPTH    = 60,      // macros, conditions, includes inside each other
  LW_XACRO_MAX_ELEMENTS = 500000,  // that are looked at
  LW_XACRO_PATH         = 4096
};

typedef enum lwXacroKind
{
  LW_XACRO_NONE,
  LW_XACRO_BOOL,
  LW_XACRO_INT,
  LW_XACRO_FLOAT,
  LW_XACRO_TEXT,
  LW_XACRO_NODE,  // of a YAML file
  LW_XACRO_FAULT  // there is no value; text says why
} lwXacroKind;

typedef struct lwXacroValue
{
  lwXacroKind kind;
  double number;
  const char* text;
  const lwNode* node;
} lwXacroValue;

// A property, a parameter of a macro, or a block of elements.
typedef struct lwXacroProperty
{
  const char* name;
  const char* text;  // as written, until it is needed
  bool known, busy;
  lwXacroValue value;
  const lwXml* block;               // or NULL: its children,
  bool whole;                       // or itself
  struct lwXacroScope* block_from;  // where it is expanded
  struct lwXacroProperty* next;
} lwXacroProperty;

typedef struct lwXacroScope
{
  struct lwXacroScope* parent;
  lwXacroProperty* properties;  // the latest first
} lwXacroScope;

typedef struct lwXacro lwXacro;

// Names that $(..) and functions ask for; xacro.c.
lwXacroValue lw_xacro_substitute(lwXacro* xacro, const char* text, size_t length,
                                 lwXacroScope* scope);
lwXacroValue lw_xacro_load(lwXacro* xacro, const char* name);
void* lw_xacro_take(lwXacro* xacro, size_t size);

// The value of a text with ${..} and $(..): of the expression itself if it is all of the text.
lwXacroValue lw_xacro_text(lwXacro* xacro, const char* text, lwXacroScope* scope);
// Of one expression.
lwXacroValue lw_xacro_expression(lwXacro* xacro, const char* text, size_t length,
                                 lwXacroScope* scope);
// As it is written into a file; NULL: out of memory, or a fault.
const char* lw_xacro_print(lwXacro* xacro, const lwXacroValue* value);
// 1, 0, or -1: it is neither true nor false.
int lw_xacro_truth(const lwXacroValue* value);
__attribute__((format(printf, 2, 3))) lwXacroValue lw_xacro_fault(lwXacro* xacro,
                                                                  const char* format, ...);
// A number or truth value that is written as text.
lwXacroValue lw_xacro_literal(const char* text);

// Expands the document, whose elements are parsed, into URDF text, which the caller frees.
// packages: folders separated by colons, or NULL.
lwStatus lw_xacro_expand(lwDocument* document, const lwXml* root, const char* packages, char** text,
                         size_t* length);

#endif
