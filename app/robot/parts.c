// SPDX-License-Identifier: MIT
// linkwork parts: what links weigh, and where every kilogram comes from.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "io/files.h"
#include "io/sheet.h"
#include "io/text.h"
#include "linkwork/parts.h"

// The links that are shown.
typedef struct Shown
{
  const lwParts* parts;
  int first, count;
} Shown;

// --- rows

static void put_body(Cell* cells, double mass, const double com[3], const double inertia[6])
{
  cells[0] = cell_number(mass);
  for (int k = 0; k < 3; ++k) cells[1 + k] = cell_number(com[k]);
  for (int k = 0; k < 6; ++k) cells[4 + k] = cell_number(inertia[k]);
}

#define BODY_COLUMNS                                                                               \
  {"mass", NULL, NULL}, {"x", "com", NULL}, {"y", "com", NULL}, {"z", "com", NULL},                \
      {"xx", "inertia", NULL}, {"yy", "inertia", NULL}, {"zz", "inertia", NULL},                   \
      {"xy", "inertia", NULL}, {"xz", "inertia", NULL},                                            \
  {                                                                                                \
    "yz", "inertia", NULL                                                                          \
  }

static const SheetColumn LINK_COLUMNS[] = {
    {"link", NULL, NULL}, {"computed", NULL, NULL}, BODY_COLUMNS};

static void link_row(const void* context, int i, Cell* cells)
{
  const Shown* shown      = context;
  const lwPartsLink* link = lw_parts_link(shown->parts, shown->first + i);
  cells[0]                = cell_text(link->body.name);
  cells[1]                = cell_number(link->computed);
  put_body(cells + 2, link->body.mass, link->body.com, link->body.inertia);
}

static const SheetColumn PIECE_COLUMNS[] = {
    {"part", NULL, NULL},   {"copy", NULL, NULL},    {"section", NULL, NULL},
    {"shape", NULL, NULL},  {"hole", NULL, NULL},    {"material", NULL, NULL},
    {"volume", NULL, NULL}, {"density", NULL, NULL}, BODY_COLUMNS};

static void put_piece(const lwPiece* piece, Cell* cells)
{
  bool solid = piece->volume != 0;
  cells[0]   = cell_text(piece->part);
  cells[1]   = cell_number(piece->copy);
  cells[2]   = cell_text(piece->section);
  cells[3]   = cell_text(piece->section ? lw_solid_info(piece->shape)->name : NULL);
  cells[4]   = cell_flag(piece->hole);
  cells[5]   = cell_text(piece->material);
  cells[6]   = cell_number(solid ? piece->volume : NAN);
  cells[7]   = cell_number(solid ? piece->density : NAN);
  put_body(cells + 8, piece->mass, piece->com, piece->inertia);
}

static void piece_row(const void* context, int i, Cell* cells)
{
  const lwPartsLink* link = context;
  put_piece(&link->pieces[i], cells);
}

enum
{
  LINK_WIDTH  = sizeof LINK_COLUMNS / sizeof LINK_COLUMNS[0],
  PIECE_WIDTH = sizeof PIECE_COLUMNS / sizeof PIECE_COLUMNS[0]
};

// Below the names in tables.
#define BODY_UNITS "kg", "m", "m", "m", "kg m^2", "kg m^2", "kg m^2", "kg m^2", "kg m^2", "kg m^2"

static const char* const LINK_UNITS[LINK_WIDTH]   = {"", "kg", BODY_UNITS};
static const char* const PIECE_UNITS[PIECE_WIDTH] = {"", "",    "",       "",        "",
                                                     "", "m^3", "kg/m^3", BODY_UNITS};

static Sheet pieces_sheet(const lwPartsLink* link)
{
  return (Sheet){.columns = PIECE_WIDTH,
                 .column  = PIECE_COLUMNS,
                 .unit    = PIECE_UNITS,
                 .rows    = link->count,
                 .row     = piece_row,
                 .context = link};
}

// --- formats

static void write_parts_table(Out* out, const Shown* shown)
{
  Sheet links = {.columns = LINK_WIDTH,
                 .column  = LINK_COLUMNS,
                 .unit    = LINK_UNITS,
                 .rows    = shown->count,
                 .row     = link_row,
                 .context = shown};
  sheet_write(out, FORMAT_TABLE, &links);
  out_text(out, "computed: mass before weighing, without payload; x y z: centre of mass; xx to yz: "
                "inertia about it;\nall in link axes\n");
  for (int i = 0; i < shown->count; ++i)
  {
    const lwPartsLink* link = lw_parts_link(shown->parts, shown->first + i);
    Sheet pieces            = pieces_sheet(link);
    out_format(out, "\n%s\n", link->body.name);
    sheet_write(out, FORMAT_TABLE, &pieces);
  }
  out_text(out,
           "x y z: centre of mass; xx to yz: share of the inertia about that of the link; all in "
           "link axes\n");
}

// All rows of all links in one list: each link is followed by its pieces.
typedef struct Lines
{
  const Shown* shown;
  int* links;   // (rows)
  int* pieces;  // (rows) -1: the link itself
  int rows;
} Lines;

static const SheetColumn LINE_COLUMNS[] = {{"link", NULL, NULL},     {"part", NULL, NULL},
                                           {"copy", NULL, NULL},     {"section", NULL, NULL},
                                           {"shape", NULL, NULL},    {"hole", NULL, NULL},
                                           {"material", NULL, NULL}, {"volume", NULL, NULL},
                                           {"density", NULL, NULL},  BODY_COLUMNS};

static void line_row(const void* context, int i, Cell* cells)
{
  const Lines* lines      = context;
  const lwPartsLink* link = lw_parts_link(lines->shown->parts, lines->links[i]);
  cells[0]                = cell_text(link->body.name);
  for (int k = 1; k <= PIECE_WIDTH; ++k) cells[k] = cell_text(NULL);
  if (lines->pieces[i] >= 0)
    put_piece(&link->pieces[lines->pieces[i]], cells + 1);
  else
    put_body(cells + 9, link->body.mass, link->body.com, link->body.inertia);
}

static void list_lines(const Shown* shown, Lines* lines)
{
  for (int i = 0; i < shown->count; ++i)
  {
    const lwPartsLink* link = lw_parts_link(shown->parts, shown->first + i);
    for (int k = -1; k < link->count; ++k, ++lines->rows)
    {
      lines->links[lines->rows]  = shown->first + i;
      lines->pieces[lines->rows] = k;
    }
  }
}

static void write_csv(Out* out, const Shown* shown)
{
  size_t room = 0;
  for (int i = 0; i < shown->count; ++i)
    room += (size_t)lw_parts_link(shown->parts, shown->first + i)->count + 1;
  Lines lines  = {.shown = shown};
  lines.links  = malloc(room * sizeof *lines.links);
  lines.pieces = malloc(room * sizeof *lines.pieces);
  if (lines.links && lines.pieces)
    list_lines(shown, &lines);
  else
    out->error = ENOMEM;
  Sheet sheet = {.columns = PIECE_WIDTH + 1,
                 .column  = LINE_COLUMNS,
                 .rows    = lines.rows,
                 .row     = line_row,
                 .context = &lines};
  sheet_write(out, FORMAT_CSV, &sheet);
  free(lines.links);
  free(lines.pieces);
}

static void json_numbers(Out* out, const char* key, const double* x, int count)
{
  out_format(out, ",\n \"%s\": [", key);
  for (int k = 0; k < count; ++k)
  {
    if (k > 0) out_text(out, ", ");
    out_number(out, x[k]);
  }
  out_text(out, "]");
}

static void write_json(Out* out, const Shown* shown)
{
  for (int i = 0; i < shown->count; ++i)
  {
    const lwPartsLink* link = lw_parts_link(shown->parts, shown->first + i);
    Sheet pieces            = pieces_sheet(link);
    out_text(out, i > 0 ? ",\n{\"link\": " : "[{\"link\": ");
    out_json(out, link->body.name);
    out_text(out, ",\n \"mass\": ");
    out_number(out, link->body.mass);
    out_text(out, ", \"computed\": ");
    out_number(out, link->computed);
    json_numbers(out, "com", link->body.com, 3);
    json_numbers(out, "inertia", link->body.inertia, 6);
    out_text(out, ",\n \"sections\": ");
    sheet_write(out, FORMAT_JSON, &pieces);
    out_text(out, "}");
  }
  out_text(out, "]\n");
}

// --- the command

static int choose_parts(const Options* options, const lwParts* parts, Shown* shown)
{
  const char* name = options->value[OPTION_LINK];
  *shown           = (Shown){parts, 0, lw_parts_count(parts)};
  if (!name) return DONE;
  shown->first = lw_parts_find(parts, name);
  shown->count = 1;
  if (shown->first >= 0) return DONE;
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; i < lw_parts_count(parts); ++i)
    nearest_offer(&nearest, lw_parts_link(parts, i)->body.name);
  if (nearest_found(&nearest))
    return fail(USAGE, "--link: the file has no link '%s'; did you mean '%s'?", name, nearest.best);
  return fail(USAGE, "--link: the file has no link '%s'; the first is '%s'", name,
              lw_parts_link(parts, 0)->body.name);
}

static int print_parts(const Options* options, Format format, const Shown* shown)
{
  static void (*const writers[])(Out*, const Shown*) = {
      [FORMAT_TABLE] = write_parts_table, [FORMAT_CSV] = write_csv, [FORMAT_JSON] = write_json};
  Out out;
  int status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  writers[format](&out, shown);
  return out_close(&out, DONE, true);
}

// Findings in full, warnings too: this is the command that looks at such a file.
static int read_parts(const Options* options, lwParts** parts)
{
  lwDiag* diag = lw_diag_create();
  if (!diag) return no_memory();
  lwLint lint     = robot_options(options).lint;
  lwStatus status = lw_parts_read_file(options->operand, &lint, diag, parts);
  messages_print(diag);
  if (status != LW_OK && lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(INPUT, "%s: %s", options->operand, lw_status_text(status));
  inputs_add(diag);
  lw_diag_destroy(diag);
  return status == LW_OK ? DONE : INPUT;
}

int cmd_parts(const Command* command, const Options* options)
{
  (void)command;
  Format format;
  Shown shown;
  lwParts* parts = NULL;
  int status     = format_choose(options, &format);
  if (status == DONE) status = read_parts(options, &parts);
  if (status == DONE) status = choose_parts(options, parts, &shown);
  if (status == DONE) status = print_parts(options, format, &shown);
  lw_parts_destroy(parts);
  return status;
}
