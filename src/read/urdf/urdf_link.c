// SPDX-License-Identifier: MIT
// Links of a URDF file: name and mass properties.
#include <string.h>

#include "base/number.h"
#include "model/transform.h"
#include "read/urdf/urdf_shape.h"

typedef struct InertialText
{
  double mass;
  double inertia[6];  // as lwLinkDef: xx yy zz xy xz yz
} InertialText;

#define AT(member) offsetof(InertialText, member)
static const lwUrdfNumbers mass_numbers[]    = {{"value", AT(mass), 1, "kg", true, false}};
static const lwUrdfNumbers inertia_numbers[] = {
    {"ixx", AT(inertia[0]), 1, "kg m^2", true, false},
    {"iyy", AT(inertia[1]), 1, "kg m^2", true, false},
    {"izz", AT(inertia[2]), 1, "kg m^2", true, false},
    {"ixy", AT(inertia[3]), 1, "kg m^2", true, false},
    {"ixz", AT(inertia[4]), 1, "kg m^2", true, false},
    {"iyz", AT(inertia[5]), 1, "kg m^2", true, false},
};

static const char* const link_children[]     = {"inertial", NULL};
static const char* const inertial_children[] = {"origin", "mass", "inertia", NULL};

// The tensor in the file is in axes rotated by rpy relative to those of the link.
static void turn_inertia(const double rpy[3], double inertia[6])
{
  if (rpy[0] == 0 && rpy[1] == 0 && rpy[2] == 0) return;
  lwInertial body   = {0};
  lwTransform place = lw_origin((const double[]){0, 0, 0}, rpy);
  memcpy(body.inertia, inertia, sizeof body.inertia);
  body = lw_inertial_move(&body, &place);
  memcpy(inertia, body.inertia, sizeof body.inertia);
}

static bool need_element(lwUrdf* urdf, const lwXml* inertial, const lwXml* element,
                         const char* name)
{
  if (element) return true;
  return lw_document_reject(urdf->document, inertial->place,
                            "leave <inertial> out for a link without mass", "<inertial> needs <%s>",
                            name);
}

static bool read_inertial(lwUrdf* urdf, lwUrdfLink* link, const lwXml* inertial)
{
  InertialText text    = {0};
  double rpy[3]        = {0};
  const lwXml* mass    = lw_urdf_only(urdf, inertial, "mass");
  const lwXml* inertia = lw_urdf_only(urdf, inertial, "inertia");
  bool sound           = need_element(urdf, inertial, mass, "mass");
  bool estimate        = urdf->options.read.estimate_inertia && link->def.shape_count > 0;
  sound &= estimate || need_element(urdf, inertial, inertia, "inertia");
  sound &= lw_urdf_origin(urdf, inertial, link->def.com, rpy, &link->places[LW_FIELD_COM]);
  sound &= lw_urdf_numbers(urdf, mass, mass_numbers, 1, NULL, &text);
  sound &= lw_urdf_numbers(urdf, inertia, inertia_numbers, 6, NULL, &text);
  lw_urdf_unused_children(urdf, inertial, inertial_children);
  if (mass) link->places[LW_FIELD_MASS] = mass->place;
  if (inertia) link->places[LW_FIELD_INERTIA] = inertia->place;
  if (sound && lw_all_finite(rpy, 3)) turn_inertia(rpy, text.inertia);
  link->def.mass = text.mass;
  memcpy(link->def.inertia, text.inertia, sizeof text.inertia);
  return sound;
}

void lw_urdf_read_link(lwUrdf* urdf, lwUrdfLink* link)
{
  const lwXml* inertial = lw_urdf_only(urdf, link->element, "inertial");
  lw_urdf_unused_children(urdf, link->element, link_children);
  lw_urdf_read_shapes(urdf, link);
  if (inertial && !read_inertial(urdf, link, inertial)) link->wrong = true;
  lw_urdf_measure(urdf, link);
}
