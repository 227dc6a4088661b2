// SPDX-License-Identifier: MIT
// The volume inside a closed mesh is the sum of the tetrahedra between its triangles and any fixed
// point, those whose triangle faces the point counted negative. With corners a, b, c seen from that
// point and D = a . (b x c):
//   integral of dV     = D / 6
//   integral of r dV   = D / 24  (a + b + c)
//   integral of r r^T  = D / 120 (a a^T + b b^T + c c^T + s s^T),  s = a + b + c
// The point is the middle of the vertices, so that a mesh far from its origin loses no digits.
#include "parts/mesh.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"

void lw_mesh_free(lwMesh* mesh)
{
  free(mesh->corners);
  free(mesh->points);
  free(mesh->table);
  free(mesh->parts);
  *mesh = (lwMesh){0};
}

// --- vertices

static uint64_t hash(const double point[3])
{
  uint64_t sum = 0;
  for (int i = 0; i < 3; ++i)
  {
    uint64_t bits;
    memcpy(&bits, &point[i], sizeof bits);
    sum = (sum ^ bits) * 0x9E3779B97F4A7C15u;
    sum ^= sum >> 32;
  }
  return sum;
}

// Where the point is in the table, or where it belongs.
static int find_slot(const lwMesh* mesh, const double point[3])
{
  int mask = mesh->table_size - 1;
  int slot = (int)(hash(point) & (uint64_t)mask);
  for (;; slot = (slot + 1) & mask)
  {
    if (mesh->table[slot] < 0) return slot;
    const double* other = mesh->points[mesh->table[slot]];
    if (other[0] == point[0] && other[1] == point[1] && other[2] == point[2]) return slot;
  }
}

static bool grow_table(lwMesh* mesh)
{
  int size   = mesh->table_size ? 2 * mesh->table_size : 1024;
  int* table = malloc((size_t)size * sizeof *table);
  if (!table) return false;
  for (int i = 0; i < size; ++i) table[i] = -1;
  free(mesh->table);
  mesh->table      = table;
  mesh->table_size = size;
  for (int i = 0; i < mesh->vertices; ++i) table[find_slot(mesh, mesh->points[i])] = i;
  return true;
}

// The number of the vertex at a point; -1 when out of memory.
static int vertex_at(lwMesh* mesh, const double at[3])
{
  double point[3];
  for (int i = 0; i < 3; ++i) point[i] = at[i] + 0.0;  // -0 becomes 0: the bits are hashed
  if (2 * mesh->vertices >= mesh->table_size && !grow_table(mesh)) return -1;
  int slot = find_slot(mesh, point);
  if (mesh->table[slot] >= 0) return mesh->table[slot];
  void* points =
      lw_array_grow(mesh->points, mesh->vertices + 1, &mesh->point_capacity, sizeof(double[3]));
  if (!points) return -1;
  mesh->points = points;
  memcpy(mesh->points[mesh->vertices], point, sizeof point);
  mesh->table[slot] = mesh->vertices;
  return mesh->vertices++;
}

bool lw_mesh_add(lwMesh* mesh, const double corner[3][3])
{
  int v[3];
  for (int i = 0; i < 3; ++i)
  {
    v[i] = vertex_at(mesh, corner[i]);
    if (v[i] < 0) return false;
  }
  if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) return true;
  void* corners =
      lw_array_grow(mesh->corners, 3 * mesh->triangles + 3, &mesh->corner_capacity, sizeof(int));
  if (!corners) return false;
  mesh->corners = corners;
  memcpy(mesh->corners + 3 * mesh->triangles++, v, sizeof v);
  return true;
}

bool lw_mesh_part(lwMesh* mesh, const double color[4])
{
  bool last = mesh->part_count > 0 && mesh->parts[mesh->part_count - 1].first == mesh->triangles;
  void* parts =
      lw_array_grow(mesh->parts, mesh->part_count + 1, &mesh->part_capacity, sizeof *mesh->parts);
  if (!parts) return false;
  mesh->parts      = parts;
  lwMeshPart* part = &mesh->parts[last ? mesh->part_count - 1 : mesh->part_count++];
  part->first      = mesh->triangles;
  memcpy(part->color, color, sizeof part->color);
  return true;
}

// --- fewer triangles, by clustering vertices (J. Rossignac, P. Borrel, Multi-resolution 3D
// approximations for rendering complex scenes, 1993)

// Puts every vertex where the first one in its cell of a grid is. False when out of memory.
static bool cluster(const lwMesh* mesh, double cell, double (*points)[3])
{
  lwMesh cells = {0};
  int* first   = malloc((size_t)mesh->vertices * sizeof *first + 1);
  bool enough  = first != NULL;
  for (int i = 0; i < mesh->vertices && enough; ++i)
  {
    double corner[3];
    for (int k = 0; k < 3; ++k) corner[k] = floor(mesh->points[i][k] / cell);
    int before = cells.vertices, at = vertex_at(&cells, corner);
    enough = at >= 0;
    if (enough && at == before) first[at] = i;
    if (enough) memcpy(points[i], mesh->points[first[at]], sizeof *points);
  }
  lw_mesh_free(&cells);
  free(first);
  return enough;
}

// The mesh with its vertices at other points.
static bool add_moved(lwMesh* thin, const lwMesh* mesh, double (*points)[3])
{
  int part = 0;
  for (int t = 0; t < mesh->triangles; ++t)
  {
    double corner[3][3];
    for (; part < mesh->part_count && mesh->parts[part].first <= t; ++part)
      if (!lw_mesh_part(thin, mesh->parts[part].color)) return false;
    for (int i = 0; i < 3; ++i)
      memcpy(corner[i], points[mesh->corners[3 * t + i]], sizeof corner[i]);
    if (!lw_mesh_add(thin, corner)) return false;
  }
  return true;
}

bool lw_mesh_thin(lwMesh* mesh, int most)
{
  double size        = 0;
  double(*points)[3] = malloc((size_t)mesh->vertices * sizeof *points + 1);
  bool enough        = points != NULL;
  for (int i = 1; i < mesh->vertices; ++i)
    for (int k = 0; k < 3; ++k) size = fmax(size, fabs(mesh->points[i][k] - mesh->points[0][k]));
  for (double cells = 400; mesh->triangles > most && size > 0 && cells > 4 && enough; cells *= 0.8)
  {
    lwMesh thin = {0};
    enough      = cluster(mesh, size / cells, points) && add_moved(&thin, mesh, points);
    if (enough && thin.triangles <= most)
    {
      lw_mesh_free(mesh);
      *mesh = thin;
      break;
    }
    lw_mesh_free(&thin);
  }
  free(points);
  return enough;
}

// --- edges

typedef struct Edge
{
  int low, high;  // vertices
  int direction;  // +1: from low to high
} Edge;

static int compare_edges(const void* a, const void* b)
{
  const Edge *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return (x->high > y->high) - (x->high < y->high);
}

static void judge_edge(const Edge* edge, int uses, int balance, lwMeshEdges* edges)
{
  bool open = uses % 2 != 0, turned = !open && balance != 0;
  if ((open && edges->open == 0) || (turned && edges->open == 0 && edges->turned == 0))
  {
    edges->first[0] = edge->low;
    edges->first[1] = edge->high;
  }
  edges->open += open;
  edges->turned += turned;
  edges->crowded += balance == 0 && uses > 2;
}

bool lw_mesh_edges(const lwMesh* mesh, lwMeshEdges* edges)
{
  *edges     = (lwMeshEdges){0};
  int count  = 3 * mesh->triangles;
  Edge* list = malloc((size_t)(count ? count : 1) * sizeof *list);
  if (!list) return false;
  for (int i = 0; i < count; ++i)
  {
    int from = mesh->corners[i], to = mesh->corners[i % 3 == 2 ? i - 2 : i + 1];
    list[i] = from < to ? (Edge){from, to, 1} : (Edge){to, from, -1};
  }
  qsort(list, (size_t)count, sizeof *list, compare_edges);
  for (int i = 0, next; i < count; i = next)
  {
    int balance = 0;
    for (next = i; next < count && compare_edges(&list[i], &list[next]) == 0; ++next)
      balance += list[next].direction;
    judge_edge(&list[i], next - i, balance, edges);
  }
  free(list);
  return true;
}

// --- volume

// 6 V, 24 times the first and 120 times the second moments xx yy zz xy xz yz, about the point m.
typedef struct Moments
{
  double D, first[3], second[6];
} Moments;

static void add_triangle(const lwMesh* mesh, const int* corner, const double m[3], double scale,
                         Moments* sum)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double r[4][3];  // a, b, c and their sum
  for (int i = 0; i < 3; ++i)
  {
    for (int k = 0; k < 3; ++k) r[k][i] = scale * (mesh->points[corner[k]][i] - m[i]);
    r[3][i] = r[0][i] + r[1][i] + r[2][i];
  }
  const double *a = r[0], *b = r[1], *c = r[2];
  double D = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
             a[2] * (b[0] * c[1] - b[1] * c[0]);
  sum->D += D;
  for (int i = 0; i < 3; ++i) sum->first[i] += D * r[3][i];
  for (int j = 0; j < 6; ++j)
    for (int k = 0; k < 4; ++k) sum->second[j] += D * r[k][row[j]] * r[k][column[j]];
}

lwSolid lw_mesh_solid(const lwMesh* mesh, double scale)
{
  double m[3] = {0};  // the middle of the vertices
  Moments sum = {0};
  for (int k = 0; k < mesh->vertices; ++k)
    for (int i = 0; i < 3; ++i) m[i] += mesh->points[k][i] / mesh->vertices;
  for (int i = 0; i < mesh->triangles; ++i)
    add_triangle(mesh, mesh->corners + 3 * i, m, scale, &sum);

  lwSolid solid = {.volume = sum.D / 6};
  if (sum.D == 0) return solid;
  double c[3], *I = solid.inertia, P[6];  // P: second moments about the centre
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 3; ++i) c[i] = sum.first[i] / (4 * sum.D);
  for (int i = 0; i < 3; ++i) solid.com[i] = scale * m[i] + c[i];
  for (int j = 0; j < 6; ++j) P[j] = sum.second[j] / 120 - solid.volume * c[row[j]] * c[column[j]];
  I[0] = P[1] + P[2];
  I[1] = P[0] + P[2];
  I[2] = P[0] + P[1];
  for (int j = 3; j < 6; ++j) I[j] = -P[j];
  return solid;
}
