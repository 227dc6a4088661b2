// SPDX-License-Identifier: MIT
// What meshes enclose, as MuJoCo counts it.
//
//   exact    the volume inside a closed mesh, by pyramids from any point
//   legacy   the sum of the absolute volumes of pyramids from the centroid of the area, the default
//   shell    an even layer on the surface
//   convex   the convex hull: not supported
//
// Points are single precision, then moved by refpos, turned by refquat and scaled.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "parts/mesh.h"
#include "read/mjcf/mjcf.h"
#include "read/urdf/urdf_shape.h"

enum
{
  CONVEX,
  EXACT,
  LEGACY,
  SHELL
};
static const char* const inertia_words[] = {"convex", "exact", "legacy", "shell", NULL};

static const double LEAST = 1e-15;  // m^3 or m^2: nothing

// --- assets

static bool add_mesh(lwMjcf* mjcf, const lwXml* element)
{
  lwMjcfMesh* mesh           = &mjcf->meshes[mjcf->mesh_count];
  *mesh                      = (lwMjcfMesh){.item = {element, 0}};
  mesh->item.class           = lw_mjcf_class(mjcf, element, "class", 0);
  const lwXmlAttribute* name = lw_xml_attribute(element, "name");
  const lwXmlAttribute* file = lw_xml_attribute(element, "file");
  mesh->name                 = name ? name->value : NULL;
  lw_mjcf_check(mjcf, element,
                "name class content_type file vertex normal texcoord face refpos refquat scale "
                "smoothnormal maxhullvert inertia builtin params material octree_maxdepth");
  if (!name && file)  // the name of the file without its folder and ending
  {
    const char* slash = strrchr(file->value, '/');
    const char* from  = slash ? slash + 1 : file->value;
    const char* dot   = strrchr(from, '.');
    mesh->name =
        lw_arena_text(&mjcf->document->arena, from, dot ? (size_t)(dot - from) : strlen(from));
  }
  int* number = mesh->name ? lw_name_map_put(&mjcf->mesh_names, mesh->name) : NULL;
  if (number && *number < 0) *number = mjcf->mesh_count;
  ++mjcf->mesh_count;
  return !mesh->name || number;
}

bool lw_mjcf_collect_meshes(lwMjcf* mjcf)
{
  size_t count = 1;
  bool enough  = true;
  for (const lwXml* asset = mjcf->root->children; asset; asset = asset->next)
    for (const lwXml* e = lw_mjcf_is(asset, "asset") ? asset->children : NULL; e; e = e->next)
      count += lw_mjcf_is(e, "mesh");
  mjcf->meshes = lw_arena_take(&mjcf->document->arena, count, sizeof *mjcf->meshes);
  if (!mjcf->meshes) return false;
  for (const lwXml* asset = mjcf->root->children; asset; asset = asset->next)
    for (const lwXml* e = lw_mjcf_is(asset, "asset") ? asset->children : NULL; e && enough;
         e              = e->next)
      if (lw_mjcf_is(e, "mesh")) enough = add_mesh(mjcf, e);
  return enough;
}

// --- measures

static double dot3(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Twice the area of a triangle times its normal.
static void normal_of(const double p[3][3], double n[3])
{
  double a[3], b[3];
  for (int i = 0; i < 3; ++i) a[i] = p[1][i] - p[0][i];
  for (int i = 0; i < 3; ++i) b[i] = p[2][i] - p[0][i];
  for (int i = 0; i < 3; ++i)
    n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// What one triangle counts: its area, or the volume of the pyramid from `apex`.
static double weight_of(const double p[3][3], const double apex[3], int kind)
{
  double n[3], d[3];
  normal_of(p, n);
  if (kind == SHELL) return sqrt(dot3(n, n)) / 2;
  for (int i = 0; i < 3; ++i) d[i] = p[0][i] - apex[i];
  double volume = dot3(d, n) / 6;
  return kind == LEGACY ? fabs(volume) : volume;
}

static void triangle_at(const lwMesh* mesh, int i, double p[3][3])
{
  for (int k = 0; k < 3; ++k) memcpy(p[k], mesh->points[mesh->corners[3 * i + k]], sizeof p[k]);
}

// Sum of the weights, and the centre; with `flat`, the centre of the triangles themselves.
static double centre_of_triangles(const lwMesh* mesh, const double apex[3], int kind,
                                  double centre[3])
{
  double sum = 0, share = kind == SHELL ? 0 : 0.25, p[3][3];
  double moment[3] = {0, 0, 0};
  for (int i = 0; i < mesh->triangles; ++i)
  {
    triangle_at(mesh, i, p);
    double weight = weight_of(p, apex, kind);
    sum += weight;
    for (int k = 0; k < 3; ++k)
      moment[k] += weight * ((1 - share) * (p[0][k] + p[1][k] + p[2][k]) / 3 + share * apex[k]);
  }
  for (int k = 0; k < 3; ++k) centre[k] = sum > LEAST ? moment[k] / sum : 0;
  return sum;
}

// Second moments about a centre, by the triangles seen from it.
static lwSolid moments_of(const lwMesh* mesh, const double centre[3], int kind)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  lwSolid solid = {.com = {centre[0], centre[1], centre[2]}};
  double P[6] = {0}, p[3][3], part = kind == SHELL ? 12 : 20;
  for (int i = 0; i < mesh->triangles; ++i)
  {
    triangle_at(mesh, i, p);
    double weight = weight_of(p, centre, kind);
    solid.volume += weight;
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 3; ++c) p[k][c] -= centre[c];
    for (int j = 0; j < 6; ++j)
    {
      int r = row[j], c = column[j];
      double s = (p[0][r] + p[1][r] + p[2][r]) * (p[0][c] + p[1][c] + p[2][c]);
      P[j] += weight / part * (s + p[0][r] * p[0][c] + p[1][r] * p[1][c] + p[2][r] * p[2][c]);
    }
  }
  double sum = P[0] + P[1] + P[2];
  for (int j = 0; j < 6; ++j) solid.inertia[j] = j < 3 ? sum - P[j] : -P[j];
  return solid;
}

// --- one mesh

static void transform_points(lwMjcf* mjcf, lwMjcfItem item, lwMesh* mesh)
{
  double at[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0}, scale[3] = {1, 1, 1}, out[3];
  lw_mjcf_numbers(mjcf, item, "refpos", 3, 3, at);
  lw_mjcf_numbers(mjcf, item, "refquat", 4, 4, q);
  lw_mjcf_numbers(mjcf, item, "scale", 3, 3, scale);
  lwTransform turn = lw_identity;
  if (dot3(q, q) + q[3] * q[3] > 0) turn = lw_mjcf_rotation(q);
  turn = lw_invert(&turn);
  for (int i = 0; i < mesh->vertices; ++i)
  {
    double* p = mesh->points[i];
    for (int k = 0; k < 3; ++k) p[k] = (float)p[k] - at[k];
    lw_transform_point(&turn, p, out);
    for (int k = 0; k < 3; ++k) p[k] = out[k] * scale[k];
  }
  bool mirrored = scale[0] * scale[1] * scale[2] < 0;
  for (int i = 0; i < mesh->triangles && mirrored; ++i)
  {
    int* corner = mesh->corners + 3 * i;
    int other   = corner[1];
    corner[1]   = corner[2];
    corner[2]   = other;
  }
}

static const char* keep_fault(lwMjcf* mjcf, const char* name, const char* why)
{
  char text[300];
  snprintf(text, sizeof text, "mesh '%.120s': %.150s", name, why);
  const char* kept = lw_arena_text(&mjcf->document->arena, text, strlen(text));
  return kept ? kept : "out of memory";
}

// Below the folder of meshes, from the folder of the first file or of the one that names it.
static bool find_mesh_file(lwMjcf* mjcf, const lwXml* element, const char* file,
                           char path[LW_URDF_LONGEST_PATH])
{
  char name[LW_MJCF_PATH];
  const char* folder     = file[0] == '/' ? "" : mjcf->mesh_folder;
  size_t length          = strlen(folder);
  int size               = snprintf(name, sizeof name, "%s%s%s", folder,
                      length > 0 && folder[length - 1] != '/' ? "/" : "", file);
  const char* sources[2] = {mjcf->document->source.file, element->document->source.file};
  for (int k = 0; k < 2 && size < (int)sizeof name; ++k)
    if (lw_urdf_find_mesh(sources[k] ? sources[k] : "", mjcf->options.read.packages, name, path))
      return true;
  return false;
}

// The triangles of the file; NULL, or why there are none.
static const char* read_mesh_file(lwMjcf* mjcf, const lwMjcfMesh* mesh, lwMesh* triangles)
{
  char path[LW_URDF_LONGEST_PATH];
  const lwXmlAttribute* file = lw_xml_attribute(mesh->item.element, "file");
  if (!file) return "only meshes of files can be measured";
  if (!find_mesh_file(mjcf, mesh->item.element, file->value, path)) return "there is no such file";
  lwDiag* diag      = lw_diag_create();
  const char* fault = diag ? NULL : "out of memory";
  if (diag && lw_mesh_read_triangles(path, true, diag, triangles) != LW_OK)
    fault = "it cannot be read";
  for (int i = 0; diag && fault && i < lw_diag_size(diag); ++i)
    if (lw_diag_message(diag, i)->severity == LW_SEVERITY_ERROR)
      fault = keep_fault(mjcf, file->value, lw_diag_message(diag, i)->text);
  lw_diag_destroy(diag);
  return fault;
}

static const char* measure(lwMjcf* mjcf, lwMjcfMesh* mesh, lwMesh* triangles)
{
  static const double origin[3] = {0, 0, 0};
  double centroid[3], centre[3];
  int kind          = lw_mjcf_word(mjcf, mesh->item, "inertia", inertia_words, LEGACY);
  const char* fault = read_mesh_file(mjcf, mesh, triangles);
  if (kind == CONVEX) return "its convex hull would be needed (inertia=\"convex\")";
  if (fault) return fault;
  transform_points(mjcf, mesh->item, triangles);
  if (centre_of_triangles(triangles, origin, SHELL, centroid) < LEAST) return "it has no surface";
  if (centre_of_triangles(triangles, centroid, kind, centre) < LEAST)
    return "it encloses no volume; inertia=\"shell\" needs none";
  mesh->solid = moments_of(triangles, centre, kind);
  return mesh->solid.volume > LEAST && isfinite(mesh->solid.volume) ? NULL : "it has no volume";
}

const char* lw_mjcf_mesh(lwMjcf* mjcf, lwMjcfMesh* mesh, lwSolid* solid)
{
  lwMesh triangles = {0};
  if (!mesh->read) mesh->fault = measure(mjcf, mesh, &triangles);
  mesh->read = true;
  lw_mesh_free(&triangles);
  *solid = mesh->solid;
  return mesh->fault ? keep_fault(mjcf, mesh->name ? mesh->name : "", mesh->fault) : NULL;
}
