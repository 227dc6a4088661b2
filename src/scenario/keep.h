// SPDX-License-Identifier: MIT
// What the readers of scenarios and studies share: what the file keeps, and files that it names.
#ifndef LW_SCENARIO_KEEP_H
#define LW_SCENARIO_KEEP_H

#include "drive/law.h"
#include "read/document/document.h"

typedef struct lwOwned lwOwned;

// Memory and things that live as long as a scenario or study.
typedef struct lwKeep
{
  lwArena arena;
  lwOwned* owned;
  bool failed;  // out of memory
} lwKeep;

// Zeroed memory, or NULL: it ran out, which is recorded.
void* lw_keep_take(lwKeep* keep, size_t count, size_t size);
const char* lw_keep_text(lwKeep* keep, const char* text);  // a copy; "": out of memory
// Registers something to be destroyed with the rest.
void lw_keep_own(lwKeep* keep, void* thing, void (*destroy)(void* thing));
void lw_keep_free(lwKeep* keep);

// The path of a file that the document names, kept; "": out of memory.
const char* lw_keep_path(lwKeep* keep, lwDocument* document, const char* path);

// Takes over the status of reading another file, without repeating what its reader has reported;
// false: it cannot be used.
bool lw_keep_file(lwKeep* keep, lwDocument* document, lwStatus status, const char* path,
                  lwPlace place);

// The law that a node has, or its text if from->text is not NULL; from says what may be named.
// NULL after reporting what is wrong.
const lwLaw* lw_keep_law(lwKeep* keep, lwDocument* document, const char* key, const lwNode* node,
                         lwLawText from);

// The joint that carries the link of a name, -1 after reporting that there is none.
int lw_node_link(lwDocument* document, const lwModel* model, const lwNode* name);

// A payload and the joint that carries it; false after reporting what is wrong.
bool lw_node_payload(lwDocument* document, const lwModel* model, lwNode* node, int* joint,
                     lwLinkDef* payload);

#endif
