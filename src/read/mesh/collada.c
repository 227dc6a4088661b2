// SPDX-License-Identifier: MIT
// COLLADA 1.4 (.dae), an XML format: the triangles of its scene in metres, and their colours.
//
//   scene -> visual_scene -> node (matrix, translate, rotate, scale) -> instance_geometry
//   geometry -> triangles, polylist, polygons -> vertices -> positions
//   instance_material -> material -> effect -> diffuse
//
// The axis that points up in the file is not used: programs that show robots, RViz first, take x, y
// and z as they are, and descriptions count on it. Textures are not read.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "math/rotation.h"
#include "read/mesh/mesh_reader.h"
#include "read/urdf/xml.h"

enum
{
  MOST_DEPTH     = 64,  // of nodes in nodes, also by reference
  MOST_INSTANCES = 20000
};

// ElementNumbers of an element's text.
typedef struct ElementNumbers
{
  const lwXml* of;
  double* values;
  size_t count, size;
} ElementNumbers;

typedef struct Collada
{
  lwMeshReader* mesh;
  lwNameMap names;  // of elements by their id
  const lwXml** elements;
  int count, size;
  ElementNumbers positions, indices, counts;
  int instances;
  double unit;  // m
} Collada;

// rows of R, then p
typedef struct Affine
{
  double R[9], p[3];
} Affine;

static bool refuse(Collada* file, const lwXml* at, const char* why)
{
  return lw_mesh_refuse(file->mesh, at->place, NULL, "<%s> %s", at->name, why);
}

static bool no_room(Collada* file)
{
  file->mesh->status = LW_ERROR_MEMORY;
  return false;
}

// --- elements by their id

static bool collect_named(Collada* file, const lwXml* element)
{
  const lwXmlAttribute* id = lw_xml_attribute(element, "id");
  if (id)
  {
    int* number = lw_name_map_put(&file->names, id->value);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the entries are pointers
    void* more = lw_array_grow(file->elements, file->count + 1, &file->size, sizeof(lwXml*));
    if (more) file->elements = more;
    if (!more || !number) return no_room(file);
    if (*number < 0) *number = file->count;
    file->elements[file->count++] = element;
  }
  for (const lwXml* child = element->children; child; child = child->next)
    if (!collect_named(file, child)) return false;
  return true;
}

// The element of this kind that an attribute names as #id; NULL: there is none.
static const lwXml* named(const Collada* file, const lwXml* element, const char* attribute,
                          const char* kind)
{
  const lwXmlAttribute* url = element ? lw_xml_attribute(element, attribute) : NULL;
  if (!url) return NULL;
  int i = lw_name_map_find(&file->names, url->value + (url->value[0] == '#'));
  if (i < 0 || !file->elements) return NULL;
  return !strcmp(file->elements[i]->name, kind) ? file->elements[i] : NULL;
}

static const lwXml* grandchild(const lwXml* element, const char* first, const char* second)
{
  const lwXml* child = element ? lw_xml_child(element, first) : NULL;
  return child && second ? lw_xml_child(child, second) : child;
}

static int whole(const lwXml* element, const char* attribute, int otherwise)
{
  const lwXmlAttribute* found = element ? lw_xml_attribute(element, attribute) : NULL;
  const char* end             = found ? found->value : "";
  double value                = 0;
  if (!found || !lw_number_read(&end, &value)) return otherwise;
  return value >= 0 && value < 1e9 ? (int)value : otherwise;
}

// --- numbers

static bool element_numbers(Collada* file, const lwXml* element, ElementNumbers* numbers)
{
  const char* s = element->text;
  if (numbers->of == element) return true;
  numbers->of    = NULL;
  numbers->count = 0;
  for (s += strspn(s, " \t\r\n"); *s; s += strspn(s, " \t\r\n"))
  {
    if (numbers->count == numbers->size)
    {
      numbers->size = numbers->size ? 2 * numbers->size : 1024;
      void* more    = realloc(numbers->values, numbers->size * sizeof *numbers->values);
      if (!more) return no_room(file);
      numbers->values = more;
    }
    if (!lw_number_read(&s, &numbers->values[numbers->count++]))
      return refuse(file, element, "holds something else than numbers");
  }
  numbers->of = element;
  return true;
}

// Exactly `count` numbers.
static bool exact_numbers(Collada* file, const lwXml* element, double* values, int count)
{
  const char* s = element->text;
  for (int i = 0; i < count; ++i)
  {
    s += strspn(s, " \t\r\n");
    if (!lw_number_read(&s, &values[i])) return refuse(file, element, "has too few numbers");
  }
  return true;
}

// --- colours

static void color_of(Collada* file, const lwXml* primitive, const lwXml* instance, double color[4])
{
  const lwXmlAttribute* symbol = lw_xml_attribute(primitive, "material");
  const lwXml* bind            = grandchild(instance, "bind_material", "technique_common");
  const lwXml* material        = named(file, primitive, "material", "material");
  for (const lwXml* one = bind ? bind->children : NULL; one && symbol; one = one->next)
  {
    const lwXmlAttribute* name = lw_xml_attribute(one, "symbol");
    if (name && !strcmp(name->value, symbol->value))
      material = named(file, one, "target", "material");
  }
  const lwXml* effect = named(file, grandchild(material, "instance_effect", NULL), "url", "effect");
  const lwXml* common = grandchild(effect, "profile_COMMON", "technique");
  for (const lwXml* shading = common ? common->children : NULL; shading; shading = shading->next)
  {
    const lwXml* diffuse = grandchild(shading, "diffuse", "color");
    if (!diffuse || !exact_numbers(file, diffuse, color, 3)) continue;
    color[3] = 1;
  }
}

// --- polygons

typedef struct Primitive
{
  Collada* file;
  const lwXml* element;
  const lwXml* instance;
  const Affine* place;
  int stride, offset;     // of the indices of corners in <p>
  int step, first, most;  // of positions
  bool mirrored;
} Primitive;

static bool find_positions(Primitive* shape, const lwXml* mesh)
{
  Collada* file         = shape->file;
  const lwXml* vertices = NULL;
  for (const lwXml* input = shape->element->children; input; input = input->next)
  {
    const lwXmlAttribute* role = lw_xml_attribute(input, "semantic");
    if (strcmp(input->name, "input") != 0 || !role) continue;
    int offset = whole(input, "offset", 0);
    if (offset >= shape->stride) shape->stride = offset + 1;
    if (strcmp(role->value, "VERTEX") != 0) continue;
    shape->offset = offset;
    vertices      = named(file, input, "source", "vertices");
  }
  for (const lwXml* input = vertices ? vertices->children : NULL; input; input = input->next)
  {
    const lwXmlAttribute* role = lw_xml_attribute(input, "semantic");
    if (!role || strcmp(role->value, "POSITION") != 0) continue;
    const lwXml* source   = named(file, input, "source", "source");
    const lwXml* accessor = grandchild(source, "technique_common", "accessor");
    const lwXml* array    = named(file, accessor, "source", "float_array");
    if (!array || !element_numbers(file, array, &file->positions)) break;
    shape->step  = whole(accessor, "stride", 1);
    shape->first = whole(accessor, "offset", 0);
    double left  = (double)file->positions.count - shape->first;
    shape->most  = shape->step >= 3 && left >= 3 ? (int)((left - 3) / shape->step) + 1 : 0;
    return true;
  }
  return file->mesh->status == LW_OK && refuse(file, mesh, "has a shape without positions");
}

// Corner i of the text of <p>, in the scene; NULL after reporting.
static bool place_corner(const Primitive* shape, size_t i, double out[3])
{
  const ElementNumbers* indices = &shape->file->indices;
  size_t at                     = i * (size_t)shape->stride + (size_t)shape->offset;
  double number                 = at < indices->count ? indices->values[at] : -1;
  if (!(number >= 0 && number < shape->most))
    return refuse(shape->file, shape->element, "names a corner that does not exist");
  const double* p =
      shape->file->positions.values + shape->first + (size_t)number * (size_t)shape->step;
  for (int k = 0; k < 3; ++k)
    out[k] =
        shape->file->unit * (shape->place->p[k] + shape->place->R[3 * k] * p[0] +
                             shape->place->R[3 * k + 1] * p[1] + shape->place->R[3 * k + 2] * p[2]);
  return true;
}

// A polygon as a fan of triangles.
static bool add_fan(const Primitive* shape, size_t first, size_t count)
{
  for (size_t k = 2; k < count; ++k)
  {
    double corners[3][3];
    size_t second = first + (shape->mirrored ? k : k - 1),
           third  = first + (shape->mirrored ? k - 1 : k);
    if (!place_corner(shape, first, corners[0]) || !place_corner(shape, second, corners[1]) ||
        !place_corner(shape, third, corners[2]) ||
        !lw_mesh_take(shape->file->mesh, shape->element->place, corners))
      return false;
  }
  return true;
}

static bool add_polylist(const Primitive* shape)
{
  Collada* file      = shape->file;
  const lwXml* sizes = lw_xml_child(shape->element, "vcount");
  size_t at          = 0;
  if (!sizes) return refuse(file, shape->element, "has no <vcount>");
  if (!element_numbers(file, sizes, &file->counts)) return false;
  for (size_t i = 0; i < file->counts.count; ++i)
  {
    double corners = file->counts.values[i];
    if (!(corners >= 0 && corners < 1e6)) return refuse(file, sizes, "has a wrong number");
    if (!add_fan(shape, at, (size_t)corners)) return false;
    at += (size_t)corners;
  }
  return true;
}

static bool add_primitive(Primitive* shape)
{
  Collada* file = shape->file;
  bool lists    = !strcmp(shape->element->name, "polylist");
  bool fans     = !strcmp(shape->element->name, "polygons");
  for (const lwXml* p = shape->element->children; p; p = p->next)
  {
    if (!strcmp(p->name, "ph")) return refuse(file, shape->element, "has polygons with holes");
    if (strcmp(p->name, "p") != 0) continue;
    if (!element_numbers(file, p, &file->indices)) return false;
    size_t corners = file->indices.count / (size_t)shape->stride;
    if (lists && !add_polylist(shape)) return false;
    if (fans && !add_fan(shape, 0, corners)) return false;
    for (size_t i = 0; !lists && !fans && i + 3 <= corners; i += 3)
      if (!add_fan(shape, i, 3)) return false;
  }
  return true;
}

static bool add_geometry(Collada* file, const lwXml* geometry, const lwXml* instance,
                         const Affine* place)
{
  static const char* const kinds[] = {"triangles", "polylist", "polygons", "trifans", "tristrips"};
  const lwXml* mesh                = geometry ? lw_xml_child(geometry, "mesh") : NULL;
  const double* a                  = place->R;
  double determinant = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
                       a[2] * (a[3] * a[7] - a[4] * a[6]);
  for (const lwXml* one = mesh ? mesh->children : NULL; one; one = one->next)
  {
    int kind        = 0;
    double color[4] = {0};
    while (kind < 5 && strcmp(one->name, kinds[kind]) != 0) ++kind;
    if (kind == 5) continue;  // sources, and lines
    if (kind > 2) return refuse(file, one, "is not read: export triangles");
    Primitive shape = {.file     = file,
                       .element  = one,
                       .instance = instance,
                       .place    = place,
                       .stride   = 1,
                       .mirrored = determinant < 0};
    if (!find_positions(&shape, mesh)) return false;
    color_of(file, one, instance, color);
    if (!lw_mesh_part(&file->mesh->mesh, color)) return no_room(file);
    if (!add_primitive(&shape)) return false;
  }
  return true;
}

// --- the scene

static void affine_move(Affine* a, const Affine* b)
{
  Affine out = *a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
    {
      out.R[3 * i + j] = 0;
      out.p[i] += a->R[3 * i + j] * b->p[j];
      for (int k = 0; k < 3; ++k) out.R[3 * i + j] += a->R[3 * i + k] * b->R[3 * k + j];
    }
  *a = out;
}

// What a child of a node does to the place; false after reporting.
static bool move_place(Collada* file, const lwXml* child, Affine* place)
{
  Affine by    = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double v[16] = {0};
  if (!strcmp(child->name, "matrix"))
  {
    if (!exact_numbers(file, child, v, 16)) return false;
    for (int i = 0; i < 3; ++i) memcpy(by.R + 3 * i, v + 4 * i, 3 * sizeof *v);
    for (int i = 0; i < 3; ++i) by.p[i] = v[4 * i + 3];
  }
  else if (!strcmp(child->name, "translate"))
  {
    if (!exact_numbers(file, child, by.p, 3)) return false;
  }
  else if (!strcmp(child->name, "scale"))
  {
    if (!exact_numbers(file, child, v, 3)) return false;
    for (int i = 0; i < 3; ++i) by.R[4 * i] = v[i];
  }
  else if (!strcmp(child->name, "rotate"))
  {
    if (!exact_numbers(file, child, v, 4)) return false;
    double length = lw_length(v), turn[3] = {0};
    for (int i = 0; i < 3 && length > 0; ++i) turn[i] = v[i] / length * v[3] * (LW_PI / 180);
    lw_rotation_exp(turn, by.R);
  }
  else if (!strcmp(child->name, "skew") || !strcmp(child->name, "lookat"))
    return refuse(file, child, "is not read");
  affine_move(place, &by);
  return true;
}

static bool add_node(Collada* file, const lwXml* node, Affine place, int depth)
{
  if (depth == MOST_DEPTH || ++file->instances > MOST_INSTANCES)
    return refuse(file, node, "has too many nodes in it");
  for (const lwXml* child = node->children; child; child = child->next)
  {
    const lwXml* other = named(file, child, "url", "node");
    if (!move_place(file, child, &place)) return false;
    if (!strcmp(child->name, "instance_controller"))
      return refuse(file, child, "is not read: export without a skin");
    if (!strcmp(child->name, "node") && !add_node(file, child, place, depth + 1)) return false;
    if (!strcmp(child->name, "instance_node") && other && !add_node(file, other, place, depth + 1))
      return false;
    if (!strcmp(child->name, "instance_geometry") &&
        !add_geometry(file, named(file, child, "url", "geometry"), child, &place))
      return false;
  }
  return true;
}

static bool add_scene(Collada* file, const lwXml* root)
{
  const Affine origin = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const lwXml* used   = grandchild(root, "scene", "instance_visual_scene");
  const lwXml* scene  = named(file, used, "url", "visual_scene");
  const lwXml* forms  = lw_xml_child(root, "library_geometries");
  if (!scene) scene = grandchild(root, "library_visual_scenes", "visual_scene");
  if (scene) return add_node(file, scene, origin, 0);
  for (const lwXml* form = forms ? forms->children : NULL; form; form = form->next)
    if (!add_geometry(file, form, form, &origin)) return false;
  return true;
}

void lw_collada_read(lwMeshReader* mesh)
{
  lwXml* root  = NULL;
  Collada file = {.mesh = mesh, .names.arena = &mesh->document.arena, .unit = 1};
  mesh->status = lw_xml_parse_texts(&mesh->document, &root);
  if (mesh->status == LW_OK && strcmp(root->name, "COLLADA") != 0)
    refuse(&file, root, "is no COLLADA");
  const lwXml* unit           = mesh->status == LW_OK ? grandchild(root, "asset", "unit") : NULL;
  const lwXmlAttribute* meter = unit ? lw_xml_attribute(unit, "meter") : NULL;
  const char* end             = meter ? meter->value : "";
  if (meter && (!lw_number_read(&end, &file.unit) || !(file.unit > 0)))
    refuse(&file, unit, "is wrong: 'meter' must be above 0");
  if (mesh->status == LW_OK && collect_named(&file, root)) add_scene(&file, root);
  free(file.elements);
  free(file.positions.values);
  free(file.indices.values);
  free(file.counts.values);
}
