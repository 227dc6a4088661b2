// SPDX-License-Identifier: MIT
// The manual of a program with commands, made from a description of them:
// man pages, Markdown, shell completion.
#ifndef LW_REPORT_MANUAL_WRITER_H
#define LW_REPORT_MANUAL_WRITER_H

#include "text/out.h"

enum
{
  LW_MANUAL_SECTIONS = 4  // at most, behind the options of a command
};

typedef struct lwManualOption
{
  const char* name;      // --out
  char letter;           // o, or 0
  const char* argument;  // FILE; NULL: it takes none
  const char* help;      // what it does for this command
} lwManualOption;

typedef struct lwManualCommand
{
  const char *name, *summary;
  const char* operand;  // NULL: none is taken
  bool operand_needed;
  const char* example;
  int options;
  const lwManualOption* option;  // (options)
  int sections;
  const char* section[LW_MANUAL_SECTIONS];  // paragraphs behind the options
} lwManualCommand;

typedef struct lwManual
{
  const char* conventions;  // that hold for all commands
  const char* exit_codes;   // a line each
  int count;
  const lwManualCommand* command;  // (count)
} lwManual;

// Writes the manual of a command, NULL: of the program, as man, markdown, bash, zsh or fish. False:
// there is no such form.
bool lw_manual_write(lwOut* out, const char* form, const lwManual* manual,
                     const lwManualCommand* about);

#endif
