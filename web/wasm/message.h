// SPDX-License-Identifier: MIT
// Functions that the page calls by name, and what they say when they refuse.
#ifndef WASM_MESSAGE_H
#define WASM_MESSAGE_H

#include "linkwork/base.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

// Keeps the errors of diag, or else the text of the status, for
// session_message(). diag may be NULL.
void message_keep(const lwDiag* diag, lwStatus status);

#endif
