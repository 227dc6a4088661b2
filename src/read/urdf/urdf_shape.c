// SPDX-License-Identifier: MIT
// The shapes of the links of a URDF file, their volumes, and mass properties estimated from them.
//
// The dynamics does not use shapes. They are kept to write them back, to compare them with the mass
// properties of their link, and to estimate missing mass properties on request. Collision shapes
// are used; visual shapes only if there are no others.
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "linkwork/parts.h"
#include "model/transform.h"
#include "parts/solids.h"
#include "read/urdf/urdf_shape.h"

// --- reading

#define AT(i) ((i) * sizeof(double))
static const lwUrdfNumbers box_numbers[]      = {{"size", AT(0), 3, "m", true, false}};
static const lwUrdfNumbers cylinder_numbers[] = {{"radius", AT(0), 1, "m", true, false},
                                                 {"length", AT(1), 1, "m", true, false}};
static const lwUrdfNumbers sphere_numbers[]   = {{"radius", AT(0), 1, "m", true, false}};
static const lwUrdfNumbers mesh_numbers[]     = {{"scale", AT(0), 3, NULL, false, false}};
#undef AT

static const struct
{
  const char* name;
  const lwUrdfNumbers* numbers;
  int count;
  const char* also;  // attribute
  lwSolidKind solid;
} kinds[] = {
    [LW_SHAPE_BOX]      = {"box", box_numbers, 1, NULL, LW_SOLID_BOX},
    [LW_SHAPE_CYLINDER] = {"cylinder", cylinder_numbers, 2, NULL, LW_SOLID_CYLINDER},
    [LW_SHAPE_SPHERE]   = {"sphere", sphere_numbers, 1, NULL, LW_SOLID_SPHERE},
    [LW_SHAPE_MESH]     = {"mesh", mesh_numbers, 1, "filename", LW_SOLID_MESH},
};

static bool is_shape(const lwXml* element)
{
  return strcmp(element->name, "visual") == 0 || strcmp(element->name, "collision") == 0;
}

// The numbers of a shape. Errors in them are not reported, because the dynamics does not use them.
static bool read_shape_numbers(lwUrdf* urdf, const lwXml* element, const lwXml* geometry, int kind,
                               lwShape* shape)
{
  lwDocument* document = urdf->document;
  lwDiag* diag         = document->diag;
  int errors           = document->errors;
  lwPlace place;
  document->diag = NULL;
  bool sound     = lw_urdf_origin(urdf, element, shape->xyz, shape->rpy, &place);
  sound &= lw_urdf_numbers(urdf, geometry, kinds[kind].numbers, kinds[kind].count, kinds[kind].also,
                           shape->size);
  document->diag   = diag;
  document->errors = errors;
  for (int i = 0; i < 3; ++i)
    sound &= isfinite(shape->size[i]) && isfinite(shape->xyz[i]) && isfinite(shape->rpy[i]);
  return sound;
}

// The colour that a visual names, in its own <material> or in one of the robot.
static void read_color(const lwUrdf* urdf, const lwXml* element, double color[4])
{
  const lwXml* material      = lw_xml_child(element, "material");
  const lwXmlAttribute* name = material ? lw_xml_attribute(material, "name") : NULL;
  const lwXml* own           = material ? lw_xml_child(material, "color") : NULL;
  for (const lwXml* one = urdf->root->children; one && name && !own; one = one->next)
  {
    const lwXmlAttribute* other = lw_xml_attribute(one, "name");
    if (!strcmp(one->name, "material") && other && !strcmp(other->value, name->value))
      own = lw_xml_child(one, "color");
  }
  const lwXmlAttribute* rgba = own ? lw_xml_attribute(own, "rgba") : NULL;
  const char* s              = rgba ? rgba->value : "";
  double found[4];
  for (int i = 0; i < 4; ++i)
  {
    s += strspn(s, " ");
    if (!lw_number_read(&s, &found[i]) || !(found[i] >= 0 && found[i] <= 1)) return;
  }
  memcpy(color, found, sizeof found);
}

static bool read_shape(lwUrdf* urdf, const lwXml* element, lwShape* shape)
{
  const lwXml* geometry = lw_xml_child(element, "geometry");
  const lwXml* solid    = geometry ? geometry->children : NULL;
  int kind              = 0;
  while (solid && kind <= LW_SHAPE_MESH && strcmp(solid->name, kinds[kind].name) != 0) ++kind;
  if (!solid || kind > LW_SHAPE_MESH) return false;  // capsules, for example, are not in URDF
  const lwXmlAttribute* file = lw_xml_attribute(solid, "filename");
  bool mesh                  = kind == LW_SHAPE_MESH;
  *shape = (lwShape){.kind = (lwShapeKind)kind, .visual = strcmp(element->name, "visual") == 0};
  for (int i = 0; i < 3 && mesh; ++i) shape->size[i] = 1;
  if (mesh) shape->mesh = file ? file->value : NULL;
  read_color(urdf, element, shape->color);
  if (read_shape_numbers(urdf, element, solid, kind, shape) && (!mesh || shape->mesh)) return true;
  lw_urdf_warn(urdf, "shape-size", NULL, solid->place, "it is left out",
               "the numbers of this %s are wrong, or one of its attributes is missing",
               solid->name);
  return false;
}

void lw_urdf_read_shapes(lwUrdf* urdf, lwUrdfLink* link)
{
  size_t count = 0;
  for (const lwXml* child = link->element->children; child; child = child->next)
    count += is_shape(child);
  if (count == 0) return;
  lwShape* shapes = lw_arena_take(&urdf->document->arena, count, sizeof *shapes);
  if (!shapes) return;  // the robot is the same without them
  for (const lwXml* child = link->element->children; child; child = child->next)
    if (is_shape(child) && read_shape(urdf, child, &shapes[link->def.shape_count]))
      ++link->def.shape_count;
  link->def.shapes = shapes;
}

// --- volumes of shapes

// Lengths times the scales, which may differ:
// second moments S = tr(I)/2 1 - I get one factor for each index.
static void scale_solid(lwSolid* solid, const double scale[3])
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double* I     = solid->inertia;
  double half   = (I[0] + I[1] + I[2]) / 2, S[6];
  double volume = fabs(scale[0] * scale[1] * scale[2]);
  for (int k = 0; k < 6; ++k)
    S[k] = (k < 3 ? half - I[k] : -I[k]) * scale[row[k]] * scale[column[k]] * volume;
  for (int k = 0; k < 3; ++k) solid->com[k] *= scale[k];
  for (int k = 0; k < 6; ++k) I[k] = k < 3 ? S[0] + S[1] + S[2] - S[k] : -S[k];
  solid->volume *= volume;
}

// Half the sides of the bounding box of a shape are about its centre of mass. For a mesh they are
// not known; no usual body extends farther than sqrt(6) times its radius of gyration in a direction
// (a box sqrt(3), an ellipsoid sqrt(5)).
static void widen_bulk(lwBulk* bulk, const lwTransform* place, const lwShape* shape,
                       const lwSolid* solid)
{
  const double* I = solid->inertia;
  double half[3], centre[3], sum = (I[0] + I[1] + I[2]) / 2;
  for (int i = 0; i < 3; ++i)
    half[i] = shape->kind == LW_SHAPE_MESH  ? sqrt(6 * fmax(0, sum - I[i]) / solid->volume)
              : shape->kind == LW_SHAPE_BOX ? shape->size[i] / 2
                                            : shape->size[0];
  if (shape->kind == LW_SHAPE_CYLINDER) half[2] = shape->size[1] / 2;
  lw_transform_point(place, solid->com, centre);
  for (int i = 0; i < 3; ++i)
  {
    double reach = 0;
    for (int j = 0; j < 3; ++j) reach += fabs(place->R[i][j]) * half[j];
    bulk->low[i]  = fmin(bulk->low[i], centre[i] - reach);
    bulk->high[i] = fmax(bulk->high[i], centre[i] + reach);
  }
}

// The body of a shape; NULL, or why there is none.
static const char* solid_of(lwUrdf* urdf, const lwShape* shape, lwSolid* solid)
{
  const char* fault = shape->kind == LW_SHAPE_MESH
                          ? lw_urdf_mesh(urdf, shape->mesh, solid)
                          : lw_solid_make(kinds[shape->kind].solid, shape->size, solid);
  if (fault || shape->kind != LW_SHAPE_MESH) return fault;
  scale_solid(solid, shape->size);
  return solid->volume > 0 && isfinite(solid->volume) ? NULL : "its scale is 0 or too large";
}

// All shapes of one use together; NULL, or why they cannot be measured.
static const char* measure_shape(lwUrdf* urdf, const lwLinkDef* link, bool visual, lwBulk* bulk)
{
  lwLinkDef sum = {0};  // of density 1 kg/m^3
  *bulk =
      (lwBulk){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
  for (int i = 0; i < link->shape_count; ++i)
  {
    const lwShape* shape = &link->shapes[i];
    lwSolid solid;
    double com[3], inertia[6];
    if (shape->visual != visual) continue;
    const char* fault = solid_of(urdf, shape, &solid);
    if (fault) return fault;
    lwTransform place = lw_origin(shape->xyz, shape->rpy);
    lw_transform_point(&place, solid.com, com);
    lw_inertia_rotate(place.R, solid.inertia, inertia);
    lw_link_def_add(&sum, solid.volume, com, inertia);
    widen_bulk(bulk, &place, shape, &solid);
  }
  bulk->volume = sum.mass;
  memcpy(bulk->com, sum.com, sizeof bulk->com);
  memcpy(bulk->inertia, sum.inertia, sizeof bulk->inertia);
  return NULL;
}

static bool has_use(const lwLinkDef* link, bool visual)
{
  for (int i = 0; i < link->shape_count; ++i)
    if (link->shapes[i].visual == visual) return true;
  return false;
}

// Collision shapes, or visual shapes if there are none or if the former cannot be measured.
static const char* measure_any(lwUrdf* urdf, const lwLinkDef* link, lwBulk* bulk, bool* visual)
{
  const char* fault = NULL;
  *visual           = !has_use(link, false);
  if (!*visual) fault = measure_shape(urdf, link, false, bulk);
  if (!*visual && (!fault || !has_use(link, true))) return fault;
  const char* other = measure_shape(urdf, link, true, bulk);
  if (!other) *visual = true;
  return *visual ? other : fault;
}

// --- estimates

#define say(urdf, link, hint, ...)                                                                 \
  do                                                                                               \
  {                                                                                                \
    if (!lw_warning_accepted((urdf)->options.lint.accept, "estimated", (link)->def.name, NULL))    \
      lw_diag_report_id((urdf)->document->diag, LW_SEVERITY_WARNING, "estimated",                  \
                        &(urdf)->document->source, (link)->places[LW_FIELD_LINK], hint,            \
                        __VA_ARGS__);                                                              \
  } while (0)

// The name of the shapes: "box", or "shapes" of several kinds.
static const char* shapes_name(const lwLinkDef* link, bool visual)
{
  const char* name = NULL;
  for (int i = 0; i < link->shape_count; ++i)
  {
    if (link->shapes[i].visual != visual) continue;
    if (name) return "shapes";
    name = kinds[link->shapes[i].kind].name;
  }
  return name ? name : "shapes";
}

static void fill_in(lwUrdf* urdf, lwUrdfLink* link, const lwBulk* bulk, bool visual)
{
  const char *use = visual ? "visual" : "collision", *name = shapes_name(&link->def, visual);
  double density = urdf->options.read.density > 0 ? urdf->options.read.density : LW_URDF_DENSITY;
  bool weighed   = link->def.mass > 0;
  if (weighed) density = link->def.mass / bulk->volume;
  if (!weighed) link->def.mass = density * bulk->volume;
  if (!weighed) memcpy(link->def.com, bulk->com, sizeof link->def.com);
  for (int i = 0; i < 6; ++i) link->def.inertia[i] = density * bulk->inertia[i];
  if (weighed)
    say(urdf, link, NULL,
        "link '%.60s': the inertia is estimated from its %s %s, for its mass of %.6g kg",
        link->def.name, use, name, link->def.mass);
  else
    say(urdf, link, "lwReadOptions.density says how dense such links are",
        "link '%.60s': mass, %.6g kg, centre of mass and inertia are estimated from its %s %s, at "
        "%.6g kg/m^3",
        link->def.name, link->def.mass, use, name, density);
  lw_urdf_note(urdf, "mass properties of link '%.60s' are estimated from its %s %s", link->def.name,
               use, name);
}

void lw_urdf_measure(lwUrdf* urdf, lwUrdfLink* link)
{
  bool visual, wanted = urdf->options.read.estimate_inertia;
  for (int i = 0; i < 6; ++i) wanted = wanted && link->def.inertia[i] == 0;
  bool meshes = wanted || urdf->options.lint.pedantic;
  if (link->wrong || link->def.shape_count == 0) return;
  for (int i = 0; i < link->def.shape_count && !meshes; ++i)
    if (link->def.shapes[i].kind == LW_SHAPE_MESH) return;
  lwBulk* bulk = lw_arena_take(&urdf->document->arena, 1, sizeof *bulk);
  if (!bulk) return;
  const char* fault = measure_any(urdf, &link->def, bulk, &visual);
  if (!fault && wanted) fill_in(urdf, link, bulk, visual);
  if (!fault) link->def.bulk = bulk;
  if (fault && wanted)
    say(urdf, link, "lwReadOptions.packages says where package:// is",
        "link '%.60s': its %s cannot be estimated: %s", link->def.name,
        link->def.mass > 0 ? "inertia" : "mass", fault);
  else if (fault)
    ++urdf->unmeasured;
}

void lw_urdf_note_measured(lwUrdf* urdf)
{
  if (urdf->unmeasured > 0)
    lw_urdf_note(urdf,
                 "shapes of %d links were not compared with their masses: a mesh is missing, "
                 "cannot be read, or is not closed",
                 urdf->unmeasured);
}
