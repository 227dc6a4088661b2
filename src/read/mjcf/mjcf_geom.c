// SPDX-License-Identifier: MIT
// Mass properties of bodies: <inertial>, or the geoms.
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "math/elementary.h"
#include "read/mjcf/mjcf.h"

static const double DENSITY  = 1000;   // kg/m^3, of geoms that say nothing
static const double NO_MASS  = 1e-14;  // kg; geoms below have none
static const double SHORTEST = 1e-14;  // m

enum
{
  PLANE,
  HFIELD,
  SPHERE,
  CAPSULE,
  ELLIPSOID,
  CYLINDER,
  BOX,
  MESH,
  SDF
};
static const char* const geom_types[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                         "cylinder", "box",    "mesh",   "sdf",     NULL};
static const int geom_sizes[]         = {0, 0, 1, 2, 3, 2, 3, 0, 0};

// --- solids

// A cylinder along z between two half spheres.
static lwSolid capsule(double r, double half)
{
  double h = 2 * half, cylinder = LW_PI * r * r * h, sphere = 4 * LW_PI * r * r * r / 3;
  double along = cylinder * r * r / 2 + sphere * 2 * r * r / 5;
  double across =
      cylinder * (3 * r * r + h * h) / 12 + sphere * (2 * r * r / 5 + h * (3 * r + 2 * h) / 8);
  return (lwSolid){cylinder + sphere, {0, 0, 0}, {across, across, along, 0, 0, 0}};
}

// Of density 1, about its centre. Sizes of boxes and ellipsoids are half their lengths.
static lwSolid primitive(int type, const double s[3])
{
  double a = s[0] * s[0], b = s[1] * s[1], c = s[2] * s[2];
  if (type == CAPSULE) return capsule(s[0], s[1]);
  double m = type == SPHERE      ? 4 * LW_PI * a * s[0] / 3
             : type == CYLINDER  ? 2 * LW_PI * a * s[1]
             : type == ELLIPSOID ? 4 * LW_PI * s[0] * s[1] * s[2] / 3
                                 : 8 * s[0] * s[1] * s[2];
  double k = type == BOX ? m / 3 : m / 5;
  if (type == SPHERE) return (lwSolid){m, {0}, {2 * k * a, 2 * k * a, 2 * k * a, 0, 0, 0}};
  if (type == CYLINDER)
    return (lwSolid){m, {0}, {m * (a / 4 + b / 3), m * (a / 4 + b / 3), m * a / 2, 0, 0, 0}};
  return (lwSolid){m, {0}, {k * (b + c), k * (a + c), k * (a + b), 0, 0, 0}};
}

// Sizes and place from two end points.
static bool read_ends(lwMjcf* mjcf, lwMjcfItem item, int type, double size[3], lwTransform* place)
{
  double e[6], z[3], length;
  if (!lw_mjcf_numbers(mjcf, item, "fromto", 6, 6, e)) return false;
  for (int i = 0; i < 3; ++i) z[i] = e[i] - e[i + 3];
  length = sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
  if (length < SHORTEST)
    lw_mjcf_error(mjcf, item.element, item.element->place, NULL,
                  "'fromto': both ends are one point");
  else
  {
    double s = sqrt(z[0] * z[0] + z[1] * z[1]);
    *place   = s > 1e-10 * length ? lw_mjcf_turn((double[3]){-z[1], z[0], 0}, lw_atan2(s, z[2]))
               : z[2] > 0         ? lw_identity
                                  : lw_mjcf_turn((double[3]){1, 0, 0}, LW_PI);
  }
  for (int i = 0; i < 3; ++i) place->p[i] = (e[i] + e[i + 3]) / 2;
  size[1] = length / 2;
  if (type == ELLIPSOID || type == BOX) size[2] = size[1];
  if (type == ELLIPSOID || type == BOX) size[1] = size[0];
  return true;
}

static const char geom_attributes[] =
    "name class type contype conaffinity condim group priority size material friction mass density "
    "shellinertia solmix solref solimp margin gap fromto pos quat axisangle euler xyaxes zaxis "
    "hfield mesh fitscale rgba fluidshape fluidcoef user surfacevel";

static lwMjcfMesh* mesh_of(lwMjcf* mjcf, lwMjcfItem item, const char* name)
{
  int k = lw_name_map_find(&mjcf->mesh_names, name);
  if (k < 0)
    lw_mjcf_error(mjcf, item.element, item.element->place, NULL, "there is no mesh '%.60s'", name);
  return k < 0 ? NULL : &mjcf->meshes[k];
}

// The body of a geom, of density 1, in its own frame, at *place. False: it has none, or it is
// reported that it cannot be known.
static bool solid_of(lwMjcf* mjcf, lwMjcfItem item, int type, bool moves, lwTransform* place,
                     lwSolid* solid)
{
  double size[3]    = {0, 0, 0};
  const char* mesh  = lw_mjcf_text(mjcf, item, "mesh");
  const char* shell = lw_mjcf_text(mjcf, item, "shellinertia");
  const char* fault = NULL;
  if (type <= HFIELD) return false;
  int given = lw_mjcf_numbers(mjcf, item, "size", 1, 3, size);
  if (type < MESH && !mesh && read_ends(mjcf, item, type, size, place)) given = 3;
  if (type == MESH && mesh)
  {
    lwMjcfMesh* found = mesh_of(mjcf, item, mesh);
    if (!found) return false;
    fault = lw_mjcf_mesh(mjcf, found, solid);
  }
  else if (type >= MESH || mesh)
    fault = mesh ? "a shape that is fitted to a mesh" : "a shape without a known volume";
  else if (shell && strcmp(shell, "true") == 0)
    fault = "its mass is that of a shell (shellinertia)";
  else if (given < geom_sizes[type] || size[0] <= 0 || size[1] < 0 || size[2] < 0)
    fault = "its size is missing or not positive";
  else
    *solid = primitive(type, size);
  if (!fault) return true;
  if (!moves)
    return lw_mjcf_leave(mjcf, item.element, "unknown masses of bodies that do not move", false),
           false;
  lw_mjcf_error(mjcf, item.element, item.element->place,
                "give the body an <inertial>, or the geom mass=\"0\"",
                "the mass of this geom cannot be found: %.300s", fault);
  return false;
}

void lw_mjcf_add_geom(lwMjcf* mjcf, lwMjcfItem item, const lwTransform* frame, bool moves,
                      lwLinkDef* link)
{
  const lwXml* owner;
  bool weighed  = lw_mjcf_find(mjcf, item, "mass", &owner);
  double mass   = lw_mjcf_number(mjcf, item, "mass", 0);
  double dense  = lw_mjcf_number(mjcf, item, "density", DENSITY);
  double group  = lw_mjcf_number(mjcf, item, "group", 0), com[3], I[6], unit[6];
  int type      = lw_mjcf_word(mjcf, item, "type", geom_types, SPHERE);
  lwSolid solid = {0};
  lw_mjcf_check(mjcf, item.element, geom_attributes);
  if ((weighed ? mass : dense) == 0 || group < mjcf->groups[0] || group > mjcf->groups[1]) return;
  lwTransform place = lw_mjcf_place(mjcf, item);
  if (!solid_of(mjcf, item, type, moves, &place, &solid)) return;
  if (mass < 0 || dense < 0)
    lw_mjcf_error(mjcf, item.element, item.element->place, NULL,
                  "mass and density must not be negative");
  if (!weighed) mass = dense * solid.volume;
  if (mass <= NO_MASS || !(solid.volume > NO_MASS)) return;
  place = lw_compose(frame, &place);
  lw_transform_point(&place, solid.com, com);
  lw_inertia_rotate(place.R, solid.inertia, unit);
  for (int k = 0; k < 6; ++k) I[k] = unit[k] * (mass / solid.volume);
  lw_link_def_add(link, mass, com, I);
}

// --- <inertial>

void lw_mjcf_read_inertial(lwMjcf* mjcf, const lwXml* element, lwLinkDef* link)
{
  lwMjcfItem item   = {element, -1};
  lwTransform place = lw_mjcf_place(mjcf, item);
  double I[6]       = {0};
  lw_mjcf_check(mjcf, element,
                "pos quat axisangle euler xyaxes zaxis mass diaginertia fullinertia");
  for (int i = 0; i < 3; ++i) link->com[i] = place.p[i];
  link->mass = lw_mjcf_number(mjcf, item, "mass", 0);
  if (!lw_xml_attribute(element, "mass"))
    lw_mjcf_error(mjcf, element, element->place, NULL, "<inertial> needs the attribute 'mass'");
  bool full = lw_mjcf_numbers(mjcf, item, "fullinertia", 6, 6, I);
  if (full && lw_xml_attribute(element, "diaginertia"))
    lw_mjcf_error(mjcf, element, element->place, NULL, "give diaginertia or fullinertia, not both");
  if (!full) lw_mjcf_numbers(mjcf, item, "diaginertia", 3, 3, I);
  double sum = (I[0] + I[1] + I[2]) / 3;
  bool shown = I[0] + I[1] < I[2] || I[0] + I[2] < I[1] || I[1] + I[2] < I[0];
  for (int k = 0; k < 3 && !full && mjcf->balance && shown; ++k) I[k] = sum;
  if (full)
    memcpy(link->inertia, I, sizeof I);
  else
    lw_inertia_rotate(place.R, I, link->inertia);
}

void lw_mjcf_bound_mass(lwMjcf* mjcf, const lwXml* element, lwLinkDef* link)
{
  double* I  = link->inertia;
  link->mass = fmax(link->mass, mjcf->least_mass);
  if (mjcf->least_inertia <= 0) return;
  // A sphere of the least inertia is enough where there is none; otherwise the principal moments
  // would be needed, of which the least is at most the least on the diagonal.
  bool none = I[0] == 0 && I[1] == 0 && I[2] == 0;
  for (int k = 0; k < 3 && none; ++k) I[k] = mjcf->least_inertia;
  double spread = fabs(I[3]) + fabs(I[4]) + fabs(I[5]);
  for (int k = 0; k < 3 && !none; ++k)
    if (I[k] - spread < mjcf->least_inertia)
      return lw_mjcf_error(mjcf, element, element->place, "raise the inertia in the file",
                           "'boundinertia' may change the inertia of this body, which is not "
                           "supported");
}
