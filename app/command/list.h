// SPDX-License-Identifier: MIT
// Values of options: numbers, "90 deg", lists of them, and names. What is wrong ends the command.
#ifndef APP_LIST_H
#define APP_LIST_H

#include "command/options.h"

int list_count(const char* list);  // how many values it has

// Takes value k, counted from 0, at *cursor and moves *cursor behind its comma. unit: the SI
// unit it is in, another one may be written after it; NULL: none may.
double list_take(Option option, const char** cursor, int k, const char* unit);

// A value that is given by name and fills the text: "elbow=90 deg".
double list_take_named(Option option, const char* name, const char* text, const char* unit);

// The values of a list that must have `needed` of them; each says what they are, "one for each
// joint". The option says which units they have.
void list_parse(Option option, const char* list, int needed, const char* each, double* values);

// --- one value; the default if the option is not given

// A number from low to high, which `expected` says in words.
double number_in(const Options* options, Option option, double low, double high,
                 const char* expected, double usual);

// An integer from low to high.
long integer_of(const Options* options, Option option, long low, long high, long usual);

// A positive number in an SI unit, or in another one that is written after it.
double positive_of(const Options* options, Option option, const char* unit, double usual);

// Which of the names, ended by NULL, the option gives.
int choice_of(const Options* options, Option option, const char* const* names, int usual);

// The names, ended by NULL, that a list separated by commas gives, as a set of bits. guess: of a
// wrong name the nearest one is offered, if there is one, instead of all.
unsigned set_of(const Options* options, Option option, const char* const* names, bool guess);

// --- names

// Reads a list into memory of the scope; ends the command if it is wrong, naming the option.
NameList names_of(const char* option, const char* text, bool with_values);
NameList names_held(const char* option, const char* text);  // positions where joints are held

#endif
