// SPDX-License-Identifier: MIT
// What all readers of files share: text to nodes with positions, tables of keys to structs.
//
//   bytes --document_text.c--> UTF-8 text --document_yaml.c--> nodes --document_table.c--> struct
//
// Whatever is wrong is reported in the lwDiag with its place,
// and reading continues as far as it makes sense.
#ifndef LW_READ_DOCUMENT_DOCUMENT_H
#define LW_READ_DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

enum
{
  LW_DOCUMENT_MAX_DEPTH = 64,        // lists and mappings inside each other
  LW_DOCUMENT_MAX_NODES = 10000000,  // about 100 bytes each
  LW_DOCUMENT_MAX_BYTES = 64 << 20,  // of a file
  LW_TABLE_MAX_BYTES    = 1 << 30,   // of a file of numbers
  LW_TABLE_MAX_KEYS     = 64
};

typedef enum lwNodeKind
{
  LW_NODE_SCALAR,
  LW_NODE_LIST,
  LW_NODE_MAPPING,
  LW_NODE_BROKEN  // something was wrong with it and has been reported
} lwNodeKind;

typedef struct lwNode lwNode;

// An item of a list, or an entry of a mapping.
typedef struct lwItem
{
  const lwNode* key;  // mapping only
  lwNode* value;
  struct lwItem* next;
} lwItem;

// An alias shares the node of its anchor, so nodes form a graph without cycles.
struct lwNode
{
  lwPlace place;
  lwNodeKind kind : 8;
  bool plain : 1;     // scalar without quotes
  bool open : 1;      // its end is not read yet
  bool reported : 1;  // mapping with unknown or repeated keys: not looked at again
  bool degrees : 1;   // scalar with the tag !degrees
  int count;          // bytes of a scalar, items of a list, entries of a mapping
  union
  {
    const char* text;  // scalar, ended by a 0
    lwItem* items;     // list, mapping; NULL when empty
  };
};

typedef struct lwDocument
{
  lwSource source;  // the text, owned, ended by a 0
  lwDiag* diag;     // or NULL
  size_t most;      // bytes that a file may have
  bool units;       // scalars may have the tags !radians and !degrees
  int errors;       // found so far; those of a shared node are counted at every use, reported once
  lwNode* root;     // NULL if there is none to be read
  lwArena arena;    // nodes, texts, and whatever the reader keeps until the document is freed
  char* chunk;      // the rest of a piece of the arena, from which nodes are cut
  size_t chunk_left;
  char* buffer;  // where source.text lives
} lwDocument;

// Read a file ("-": standard input) or a text into nodes. LW_ERROR_FILE,
// LW_ERROR_INPUT or LW_ERROR_MEMORY if there is no root to continue with. Free the
// document in any case. diag may be NULL.
lwStatus lw_document_read_file(lwDocument* document, const char* path, lwDiag* diag);
lwStatus lw_document_read_text(lwDocument* document, const char* name, const char* text,
                               size_t length, lwDiag* diag);
void lw_document_free(lwDocument* document);

// Read a file or a text without making nodes: it is checked and in document->source.
lwStatus lw_document_open_file(lwDocument* document, const char* path, lwDiag* diag);
lwStatus lw_document_open_text(lwDocument* document, const char* name, const char* text,
                               size_t length, lwDiag* diag);
lwStatus lw_document_open_table(lwDocument* document, const char* path, lwDiag* diag);  // larger

// A file of another format: its bytes as they are, in document->source; or those of the caller,
// which must outlive the document and need no final 0. There is no root.
lwStatus lw_document_read_bytes(lwDocument* document, const char* path, lwDiag* diag);
lwStatus lw_document_borrow_bytes(lwDocument* document, const char* name, const char* bytes,
                                  size_t length, lwDiag* diag);

// The path of a file that is named in the document: from the folder of the document, if it is not
// absolute. NULL when out of memory.
const char* lw_document_relative(lwDocument* document, const char* path);

// False, and reported at `place`, if the path is not a regular file but a folder, a device or a
// pipe: a file named in a document must not make its reader wait.
bool lw_document_may_open(lwDocument* document, lwPlace place, const char* path);

// Reports an error at a place; the arguments after the hint (or NULL) are those of printf.
#define lw_document_error(document, place, hint, ...)                                              \
  ((document)->errors++, lw_diag_report((document)->diag, LW_SEVERITY_ERROR, &(document)->source,  \
                                        place, hint, __VA_ARGS__))

// Report an error and are LW_ERROR_INPUT, or false, to be returned by whoever found it.
#define lw_document_refuse(...) (lw_document_error(__VA_ARGS__), LW_ERROR_INPUT)
#define lw_document_reject(...) (lw_document_error(__VA_ARGS__), false)

// --- tables of keys

typedef enum lwValueKind
{
  LW_VALUE_NUMBER,  // double, or with a size double[size], a list of that many
  LW_VALUE_NAME,    // const char*, one line, not empty, lives as long as the document
  LW_VALUE_TEXT,    // const char*, any number of lines, not empty
  LW_VALUE_NODE     // lwNode*, to be read when all keys are known
} lwValueKind;

// What a number measures: which units may be written after it. Without one it is in SI.
typedef enum lwMeasure
{
  LW_MEASURE_OTHER,          // no unit may be written
  LW_MEASURE_ANGLE,          // rad, deg
  LW_MEASURE_ANGULAR_SPEED,  // rad/s, deg/s
  LW_MEASURE_LENGTH,         // m, cm, mm
  LW_MEASURE_MASS,           // kg, g
  LW_MEASURE_DENSITY,        // kg/m^3, g/cm^3
} lwMeasure;

typedef struct lwKey lwKey;
typedef struct lwTable lwTable;

// What a function that reads a value gets.
typedef struct lwFill
{
  lwDocument* document;
  const lwNode* mapping;  // that the key is in
  void* target;           // the struct that the mapping fills
  lwPlace* places;        // or NULL
} lwFill;

typedef void lwReadValue(const lwFill* fill, const lwKey* key, lwNode* value);

struct lwKey
{
  const char* name;
  lwValueKind kind;  // of a value that words, table and read say nothing about
  bool required;
  size_t offset;             // of the value in the target
  int slot;                  // where its place goes in places, or 0
  int size;                  // numbers: how many
  lwMeasure measure;         // number, numbers
  const char* unit;          // number, numbers: for people; NULL: that of the measure; "": none
  const char* const* words;  // an int, the index of one of these words, ended by NULL; or NULL
  const lwTable* table;      // a mapping, by another table, whose offsets are added; or NULL
  lwReadValue* read;         // reads the value; or NULL
};

struct lwTable
{
  const char* what;  // "a joint"
  const lwKey* keys;
  int count;  // at most LW_TABLE_MAX_KEYS
};

#define LW_TABLE(what, keys)                                                                       \
  {                                                                                                \
    what, keys, (int)(sizeof(keys) / sizeof *(keys))                                               \
  }

// Rows of a table: the key of a member under another name or its own, and what else it has; a node
// to be read later; one of some words.
#define LW_KEY_AS(key, type, member, ...)                                                          \
  {                                                                                                \
    .name = key, .offset = offsetof(type, member), __VA_ARGS__                                     \
  }
#define LW_KEY(type, member, ...)         LW_KEY_AS(#member, type, member, __VA_ARGS__)
#define LW_NODE_KEY(type, member)         LW_KEY(type, member, .kind = LW_VALUE_NODE)
#define LW_CHOICE_KEY(type, member, list) LW_KEY(type, member, .words = list)

// Fills target from a mapping by a table; false if anything was wrong. Keys that are absent leave
// the target as it is. places[slot] of every key that is present becomes the place of its value.
// places may be NULL.
bool lw_document_fill(lwDocument* document, lwNode* node, const lwTable* table, void* target,
                      lwPlace* places);

// The key `linkwork` of every kind of file: the version of the format, which is 1.
lwReadValue lw_read_version;

// True for a scalar that is exactly this word.
bool lw_node_is_word(const lwNode* node, const char* word);

// The value of a key, or NULL.
const lwNode* lw_node_find(const lwNode* mapping, const char* key);

// A scalar as text: not null, not empty, no control characters, line feeds only if key is of that
// kind, no space at its end. NULL after reporting what is wrong.
const char* lw_node_text(lwDocument* document, const lwNode* node, const lwKey* key);

// A scalar as a finite number; false after reporting what is wrong. item: which of a list, or 0.
bool lw_node_number(lwDocument* document, const lwNode* node, const lwKey* key, int item,
                    double* number);

// What a node is, for a sentence "expected .., found ..": a word in quotes, "a list", "nothing".
// The result lives as long as the buffer.
enum
{
  LW_DESCRIPTION_SIZE = 128
};
const char* lw_node_describe(const lwNode* node, char buffer[LW_DESCRIPTION_SIZE]);
#define LW_FOUND(node) lw_node_describe(node, (char[LW_DESCRIPTION_SIZE]){""})

// True for a list; otherwise reports that `key` must be "a list", `of`, " of two joints" or "".
bool lw_node_is_list(lwDocument* document, const lwNode* node, const char* key, const char* of);

// True for a list of at least one item, "at least one joint" being the text of `of`.
bool lw_node_is_filled(lwDocument* document, const lwNode* node, const char* key, const char* of);

// True for an empty plain scalar, ~ and null.
bool lw_node_is_null(const lwNode* node);

// --- between the parts of the layer

// Memory for a node, an item or a text, packed closer than the arena does; NULL when there is none.
void* lw_document_take(lwDocument* document, size_t size);

// Makes nodes of the text in document->source.
lwStatus lw_document_parse(lwDocument* document);

#endif
