// SPDX-License-Identifier: MIT
// From sections to links: swartz1982's parts database, "Dynamic Description". Every section is put
// into the frame of the link, masses and first moments are added, and then the inertias about the
// common centre of mass, each moved there by the parallel axis theorem.
//
//   section: mass m = density V, centre c and inertia I about it
//     --place of section, copy, parts-->  link axes
//   link:    M = sum m,  C = sum m c / M,  J = sum I + m (d^2 1 - d d^T), d = c - C
// A hole is a section of negative density. A weighed part or link has all its densities multiplied
// by the same factor.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/text.h"
#include "model/lint/lint.h"
#include "parts/parts_internal.h"

struct lwParts
{
  const char* name;
  int count;
  lwPartsLink* links;  // (count)
  lwNameMap by_name;
  lwArena arena;
};

typedef struct Assembly
{
  lwParts* parts;
  const lwPartsDef* def;
  lwFindings found;
} Assembly;

// The factor between weighed and computed mass beyond which it is doubtful.
static const double doubtful_factor = 2;

// Rounding of an inertia, relative to the sum of the sizes of its terms.
static const double rounding = 1e-12;

// --- findings

static void check_section_density(Assembly* assembly, const lwPartDef* part,
                                  const lwSectionDef* section)
{
  double density = section->density != 0 ? section->density : section->mass / section->solid.volume;
  if (!section->own_density || !(section->solid.volume > 0)) return;
  if (density >= LW_LIGHTEST && density <= LW_HEAVIEST) return;
  lw_find_warning(
      &assembly->found, "density", part->name, NULL, section->at_density,
      "sizes are in m unless a unit is written, densities in kg/m^3, masses in kg",
      "part '%.60s': a density of %.4g kg/m^3 (%.4g kg in %.4g m^3; plausible is %g to %g)",
      part->name, density, density * section->solid.volume, section->solid.volume, LW_LIGHTEST,
      LW_HEAVIEST);
}

// The factor that brings a computed mass to the weighed one.
static double weighing(Assembly* assembly, const char* what, const char* name, double computed,
                       double weighed, lwPlace at)
{
  if (weighed == 0) return 1;
  double factor = weighed / computed;
  if (!(computed > 0))
    lw_find(&assembly->found, LW_SEVERITY_ERROR, at, "its holes are larger than what they are in",
            "%s '%.60s' is weighed, but its sections have a mass of %.6g kg", what, name, computed);
  else if (factor > doubtful_factor || factor * doubtful_factor < 1)
    lw_find_warning(&assembly->found, "weighing", name, NULL, at,
                    "the inertia is scaled with the mass; is a part missing?",
                    "%s '%.60s' is weighed as %.6g kg, but its sections have %.6g kg", what, name,
                    weighed, computed);
  return computed > 0 ? factor : 1;
}

// --- pieces

// The section in the frame of its part.
static lwPiece piece_of(const lwPartDef* part, const lwSectionDef* section)
{
  const lwSolid* solid = &section->solid;
  double density       = section->density != 0 ? section->density
                         : solid->volume > 0   ? section->mass / solid->volume
                                               : 0;
  double sign          = section->hole ? -1 : 1;
  lwPiece piece        = {.part     = part->name,
                          .section  = section->name ? section->name : lw_solid_info(section->shape)->name,
                          .material = section->material,
                          .shape    = section->shape,
                          .hole     = section->hole,
                          .volume   = sign * solid->volume,
                          .density  = density};
  piece.mass           = sign * (section->density != 0 ? density * solid->volume : section->mass);
  lw_transform_point(&section->place, solid->com, piece.com);
  lw_inertia_rotate(section->place.R, solid->inertia, piece.inertia);
  memcpy(piece.sizes, section->sizes, sizeof piece.sizes);
  memcpy(piece.origin, section->place.p, sizeof piece.origin);
  memcpy(piece.rotation, section->place.R, sizeof piece.rotation);
  for (int i = 0; i < 6; ++i) piece.inertia[i] *= sign * density;
  return piece;
}

static lwPiece piece_moved(const lwPiece* piece, const lwTransform* place)
{
  lwPiece moved = *piece;
  lw_transform_point(place, piece->com, moved.com);
  lw_inertia_rotate(place->R, piece->inertia, moved.inertia);
  lwTransform frame = {.p = {piece->origin[0], piece->origin[1], piece->origin[2]}};
  memcpy(frame.R, piece->rotation, sizeof frame.R);
  frame = lw_compose(place, &frame);
  memcpy(moved.origin, frame.p, sizeof moved.origin);
  memcpy(moved.rotation, frame.R, sizeof moved.rotation);
  return moved;
}

static void scale_pieces(lwPiece* pieces, int count, double factor)
{
  for (int i = 0; i < count; ++i)
  {
    pieces[i].density *= factor;
    pieces[i].mass *= factor;
    for (int k = 0; k < 6; ++k) pieces[i].inertia[k] *= factor;
  }
}

static double mass_of(const lwPiece* pieces, int count)
{
  double mass = 0;
  for (int i = 0; i < count; ++i) mass += pieces[i].mass;
  return mass;
}

// All copies of a part, in the frame of the link. Returns the number of pieces;
// *computed is the mass before weighing.
static int place_part(Assembly* assembly, const lwPartsLinkDef* link, const lwPartDef* part,
                      lwPiece* pieces, double* computed)
{
  int count = part->section_count;
  for (int i = 0; i < count; ++i)
  {
    pieces[i] = piece_of(part, &part->sections[i]);
    check_section_density(assembly, part, &part->sections[i]);
  }
  double mass = mass_of(pieces, count);
  *computed += part->copy_count * mass;
  if (part->weighed == 0 && mass < 0)
    lw_find_warning(&assembly->found, "negative-mass", part->name, NULL, part->at,
                    "put a hole into the part that it is made in",
                    "part '%.60s' has a negative mass, %.6g kg", part->name, mass);
  scale_pieces(pieces, count,
               weighing(assembly, "part", part->name, mass, part->weighed, part->at_weighed));

  // the last copies first: the first one is where the pieces are that all are made of
  for (int k = part->copy_count - 1; k >= 0; --k)
  {
    lwTransform place = lw_compose(&link->place, &part->copies[k]);
    for (int i = 0; i < count; ++i)
    {
      pieces[k * count + i]      = piece_moved(&pieces[i], &place);
      pieces[k * count + i].copy = k + 1;
    }
  }
  return part->copy_count * count;
}

// --- links

// Sets a sum to 0 if it is zero up to the rounding of its terms, whose
// sizes add up to `size`: keeps symmetry.
static double without_noise(double sum, double size)
{
  return fabs(sum) <= 8 * DBL_EPSILON * size ? 0 : sum;
}

// Mass and centre of mass of pieces; false if the mass is not positive.
static bool find_centre(const lwPiece* pieces, int count, lwLinkDef* body)
{
  body->mass = mass_of(pieces, count);
  if (!(body->mass > 0)) return false;
  for (int k = 0; k < 3; ++k)
  {
    double sum = 0, size = 0;
    for (int i = 0; i < count; ++i)
    {
      double term = pieces[i].mass / body->mass * pieces[i].com[k];
      sum += term;
      size += fabs(term);
    }
    body->com[k] = without_noise(sum, size);
  }
  return true;
}

// Moves the inertias of the pieces to the common centre of mass and adds them. Returns the sum of
// sizes of the terms.
static double add_inertias(lwPiece* pieces, int count, lwLinkDef* body)
{
  double size = 0;
  for (int i = 0; i < count; ++i)
  {
    double *I = pieces[i].inertia, m = pieces[i].mass, d[3];
    for (int k = 0; k < 3; ++k) d[k] = pieces[i].com[k] - body->com[k];
    I[0] += m * (d[1] * d[1] + d[2] * d[2]);
    I[1] += m * (d[0] * d[0] + d[2] * d[2]);
    I[2] += m * (d[0] * d[0] + d[1] * d[1]);
    I[3] -= m * d[0] * d[1];
    I[4] -= m * d[0] * d[2];
    I[5] -= m * d[1] * d[2];
    for (int k = 0; k < 6; ++k) body->inertia[k] += I[k];
    size += fabs(I[0]) + fabs(I[1]) + fabs(I[2]);
  }
  for (int k = 0; k < 6; ++k) body->inertia[k] = without_noise(body->inertia[k], size);
  return size;
}

// A body of positive density everywhere has I1 + I2 >= I3, and so I1 >= 0;
// a hole outside the body breaks it.
static void check_inertia(Assembly* assembly, const lwPartsLinkDef* link, const double I[6],
                          double size)
{
  double moments[3];
  lw_principal_moments(I, moments);
  if (moments[0] + moments[1] >= moments[2] - rounding * size) return;
  lw_find(
      &assembly->found, LW_SEVERITY_ERROR, link->at,
      "a hole lies outside the body, or two holes overlap, or a hole is heavier than what it is in",
      "link '%.60s': no rigid body has these principal moments: %.6g, %.6g, %.6g kg m^2",
      link->name, moments[0], moments[1], moments[2]);
}

static int count_pieces(const lwPartsLinkDef* link)
{
  int count = link->has_payload;
  for (int i = 0; i < link->part_count; ++i)
    count += link->parts[i].copy_count * link->parts[i].section_count;
  return count;
}

static lwPiece payload_piece(const lwLinkDef* payload)
{
  lwPiece piece = {.part = "payload", .copy = 1, .shape = LW_SOLID_POINT, .mass = payload->mass};
  memcpy(piece.com, payload->com, sizeof piece.com);
  memcpy(piece.inertia, payload->inertia, sizeof piece.inertia);
  return piece;
}

static void add_up(Assembly* assembly, const lwPartsLinkDef* def, lwPiece* pieces,
                   lwPartsLink* link)
{
  int count = 0;
  for (int i = 0; i < def->part_count; ++i)
    count += place_part(assembly, def, &def->parts[i], pieces + count, &link->computed);
  double mass = mass_of(pieces, count);
  scale_pieces(pieces, count,
               weighing(assembly, "link", def->name, mass, def->weighed, def->at_weighed));
  if (def->has_payload) pieces[count++] = payload_piece(&def->payload);

  link->count  = count;
  link->pieces = pieces;
  if (find_centre(pieces, count, &link->body))
    check_inertia(assembly, def, link->body.inertia, add_inertias(pieces, count, &link->body));
  else if (def->weighed == 0)
    lw_find(&assembly->found, LW_SEVERITY_ERROR, def->at,
            "its holes are larger than what they are in", "link '%.60s' has a mass of %.6g kg",
            def->name, link->body.mass);
}

// --- the whole file

static const char* keep_text(lwParts* parts, const char* text)
{
  return text ? lw_arena_text(&parts->arena, text, strlen(text)) : NULL;
}

static lwStatus assemble_link(Assembly* assembly, const lwPartsLinkDef* def, int index)
{
  lwParts* parts    = assembly->parts;
  lwPartsLink* link = &parts->links[index];
  size_t capacity   = (size_t)count_pieces(def);
  lwPiece* pieces   = lw_arena_take(&parts->arena, capacity ? capacity : 1, sizeof *pieces);
  link->body.name   = keep_text(parts, def->name);
  if (lw_arena_failed(&parts->arena)) return LW_ERROR_MEMORY;
  add_up(assembly, def, pieces, link);
  int* number = lw_name_map_put(&parts->by_name, link->body.name);
  if (number && *number < 0) *number = index;
  for (int i = 0; i < link->count; ++i)  // texts of the description do not outlive it
  {
    pieces[i].part     = keep_text(parts, pieces[i].part);
    pieces[i].section  = keep_text(parts, pieces[i].section);
    pieces[i].material = keep_text(parts, pieces[i].material);
  }
  return lw_arena_failed(&parts->arena) ? LW_ERROR_MEMORY : LW_OK;
}

static lwStatus assemble(Assembly* assembly)
{
  bool all       = true;
  lwParts* parts = assembly->parts;
  int count      = assembly->def->count;
  parts->name    = keep_text(parts, assembly->def->name);
  parts->count   = count;
  parts->links   = lw_arena_take(&parts->arena, (size_t)count, sizeof *parts->links);
  parts->by_name = (lwNameMap){.arena = &parts->arena};
  if (lw_arena_failed(&parts->arena)) return LW_ERROR_MEMORY;
  for (int i = 0; i < count; ++i)
  {
    const lwPartsLinkDef* link = &assembly->def->links[i];
    all                        = all && !link->unread;
    lwStatus status            = link->unread ? LW_OK : assemble_link(assembly, link, i);
    if (status != LW_OK) return status;
  }
  return all && assembly->found.errors == 0 ? LW_OK : LW_ERROR_INPUT;
}

lwStatus lw_parts_create(const lwPartsDef* def, const lwLint* lint, lwDiag* diag, lwParts** parts)
{
  *parts            = NULL;
  Assembly assembly = {
      .def   = def,
      .found = lw_findings(def->source.file, def->source.text, def->accept, lint, diag)};
  assembly.parts = calloc(1, sizeof *assembly.parts);
  if (!assembly.parts) return LW_ERROR_MEMORY;
  lwStatus status = assemble(&assembly);
  if (status == LW_OK)
    *parts = assembly.parts;
  else
    lw_parts_destroy(assembly.parts);
  return status;
}

void lw_parts_destroy(lwParts* parts)
{
  if (!parts) return;
  lw_arena_free(&parts->arena);
  free(parts);
}

const char* lw_parts_name(const lwParts* parts)
{
  return parts->name;
}

int lw_parts_count(const lwParts* parts)
{
  return parts->count;
}

const lwPartsLink* lw_parts_link(const lwParts* parts, int i)
{
  return &parts->links[i];
}

int lw_parts_find(const lwParts* parts, const char* name)
{
  return lw_name_map_find(&parts->by_name, name);
}
