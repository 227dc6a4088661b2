// SPDX-License-Identifier: MIT
#include "report/robot/parts_table.h"

#include <math.h>

#include "text/table_writer.h"

// --- rows

static void put_body(lwCell* cells, double mass, const double com[3], const double inertia[6])
{
  cells[0] = lw_cell_number(mass);
  lw_cells_numbers(cells + 1, com, 3);
  lw_cells_numbers(cells + 4, inertia, 6);
}

#define BODY_COLUMNS                                                                               \
  ",mass,x=com.x,y=com.y,z=com.z,xx=inertia.xx,yy=inertia.yy,zz=inertia.zz,xy=inertia.xy,"         \
  "xz=inertia.xz,yz=inertia.yz"

static const char LINK_COLUMNS[] = "link,computed" BODY_COLUMNS;

static void link_row(const void* context, int i, lwCell* cells)
{
  const lwPartsShown* shown = context;
  const lwPartsLink* link   = lw_parts_link(shown->parts, shown->first + i);
  cells[0]                  = lw_cell_text(link->body.name);
  cells[1]                  = lw_cell_number(link->computed);
  put_body(cells + 2, link->body.mass, link->body.com, link->body.inertia);
}

static const char PIECE_COLUMNS[] =
    "part,copy,section,shape,hole,material,volume,density" BODY_COLUMNS;

static void put_piece(const lwPiece* piece, lwCell* cells)
{
  bool solid = piece->volume != 0;
  cells[0]   = lw_cell_text(piece->part);
  cells[1]   = lw_cell_number(piece->copy);
  cells[2]   = lw_cell_text(piece->section);
  cells[3]   = lw_cell_text(piece->section ? lw_solid_info(piece->shape)->name : NULL);
  cells[4]   = lw_cell_flag(piece->hole);
  cells[5]   = lw_cell_text(piece->material);
  cells[6]   = lw_cell_number(solid ? piece->volume : NAN);
  cells[7]   = lw_cell_number(solid ? piece->density : NAN);
  put_body(cells + 8, piece->mass, piece->com, piece->inertia);
}

static void piece_row(const void* context, int i, lwCell* cells)
{
  const lwPartsLink* link = context;
  put_piece(&link->pieces[i], cells);
}

// Below the names in tables.
#define BODY_UNITS "kg", "m", "m", "m", "kg m^2", "kg m^2", "kg m^2", "kg m^2", "kg m^2", "kg m^2"

static const char* const LINK_UNITS[]  = {"", "kg", BODY_UNITS};
static const char* const PIECE_UNITS[] = {"", "", "", "", "", "", "m^3", "kg/m^3", BODY_UNITS};

static lwSheet pieces_sheet(const lwPartsLink* link)
{
  return (lwSheet){.columns = PIECE_COLUMNS,
                   .unit    = PIECE_UNITS,
                   .rows    = link->count,
                   .row     = piece_row,
                   .context = link};
}

// --- formats

static void write_parts_table(lwOut* out, const lwPartsShown* shown)
{
  lwSheet links = {.columns = LINK_COLUMNS,
                   .unit    = LINK_UNITS,
                   .rows    = shown->count,
                   .row     = link_row,
                   .context = shown};
  lw_sheet_write(out, LW_FORMAT_TABLE, &links);
  lw_out_text(out,
              "computed: mass before weighing, without payload; x y z: centre of mass; xx to yz: "
              "inertia about it;\nall in link axes\n");
  for (int i = 0; i < shown->count; ++i)
  {
    const lwPartsLink* link = lw_parts_link(shown->parts, shown->first + i);
    lwSheet pieces          = pieces_sheet(link);
    lw_out_format(out, "\n%s\n", link->body.name);
    lw_sheet_write(out, LW_FORMAT_TABLE, &pieces);
  }
  lw_out_text(
      out, "x y z: centre of mass; xx to yz: share of the inertia about that of the link; all in "
           "link axes\n");
}

// All rows of all links in one list: each link is followed by its pieces.
static const char LINE_COLUMNS[] =
    "link,part,copy,section,shape,hole,material,volume,density" BODY_COLUMNS;

static void line_row(const void* context, int i, lwCell* cells)
{
  const lwPartsShown* shown = context;
  int k                     = shown->first;
  for (int rows; i >= (rows = lw_parts_link(shown->parts, k)->count + 1); ++k) i -= rows;
  const lwPartsLink* link = lw_parts_link(shown->parts, k);
  cells[0]                = lw_cell_text(link->body.name);
  if (i > 0)
    put_piece(&link->pieces[i - 1], cells + 1);
  else
    put_body(cells + 9, link->body.mass, link->body.com, link->body.inertia);
}

static void write_parts_csv(lwOut* out, const lwPartsShown* shown)
{
  lwSheet sheet = {.columns = LINE_COLUMNS, .row = line_row, .context = shown};
  for (int i = 0; i < shown->count; ++i)
    sheet.rows += lw_parts_link(shown->parts, shown->first + i)->count + 1;
  lw_sheet_write(out, LW_FORMAT_CSV, &sheet);
}

static void write_parts_json(lwOut* out, const lwPartsShown* shown)
{
  for (int i = 0; i < shown->count; ++i)
  {
    const lwPartsLink* link = lw_parts_link(shown->parts, shown->first + i);
    lwSheet pieces          = pieces_sheet(link);
    lw_out_text(out, i > 0 ? ",\n" : "[");
    lw_json(out,
            "{'link': $s,\n 'mass': $n, 'computed': $n,\n 'com': $v,\n 'inertia': $v,\n "
            "'sections': ",
            link->body.name, link->body.mass, link->computed, link->body.com, 3, link->body.inertia,
            6);
    lw_sheet_write(out, LW_FORMAT_JSON, &pieces);
    lw_out_text(out, "}");
  }
  lw_out_text(out, "]\n");
}

void lw_parts_write(lwOut* out, lwFormat format, const lwPartsShown* shown)
{
  static void (*const writers[])(lwOut*,
                                 const lwPartsShown*) = {[LW_FORMAT_TABLE] = write_parts_table,
                                                         [LW_FORMAT_CSV]   = write_parts_csv,
                                                         [LW_FORMAT_JSON]  = write_parts_json};
  writers[format](out, shown);
}
