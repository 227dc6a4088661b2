// SPDX-License-Identifier: MIT
// Exports functions to the page, and keeps the message of the last error.
#ifndef WASM_MESSAGE_H
#define WASM_MESSAGE_H

#include "linkwork/base.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

// Keeps the errors in diag, or the text of the status if there are none, for session_message().
// diag may be NULL.
void message_keep(const lwDiag* diag, lwStatus status);

#endif
