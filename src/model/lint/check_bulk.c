// SPDX-License-Identifier: MIT
// Could the shapes of a link, as the file shows them, have its mass properties?
//
// With the box around the shapes, D its diagonal, and V their volume, for mass m and principal
// moments I1 <= I2 <= I3:
//   sqrt(I3 / m) <= D/2          no body inside the box has more
//   centre of mass in the box    or no farther from it than D
//   50 <= m / V <= 25000 kg/m^3  hollow to platinum
//   products of inertia          of the same sign as those of the filled shapes
#include <math.h>

#include "math/elementary.h"
#include "model/lint/check_mass.h"

static const double lightest = 50, heaviest = LW_HEAVIEST;  // kg/m^3
static const double slack = 1.05;                           // shapes are drawn roughly
static const double dummy = 0.01;  // m; smaller bounding boxes are placeholders

static double diagonal(const lwBulk* bulk)
{
  return lw_hypot(lw_hypot(bulk->high[0] - bulk->low[0], bulk->high[1] - bulk->low[1]),
                  bulk->high[2] - bulk->low[2]);
}

static bool check_radius(lwCheck* check, int joint, const double moments[3])
{
  char buffer[LW_HINT_SIZE];
  const lwLinkDef* link = &lw_check_def(check, joint)->link;
  double radius = sqrt(moments[2] / link->mass), D = diagonal(link->bulk);
  if (radius <= slack * D / 2) return false;
  const char* hint = lw_slip_hint(link->mass, moments, D, buffer);
  lw_check_warn(check, "shape-radius", joint, LW_FIELD_INERTIA,
                hint ? hint : "inertia is in kg m^2, about the centre of mass",
                "radius of gyration %.4g m is more than half the diagonal of its shapes, %.4g m "
                "(moment %.4g kg m^2, mass %.4g kg)",
                radius, D / 2, moments[2], link->mass);
  return true;
}

// How far a point is from the box, each coordinate times factor.
static double distance(const lwBulk* bulk, const double com[3], double factor)
{
  double sum = 0;
  for (int i = 0; i < 3; ++i)
  {
    double x   = factor * com[i];
    double out = fmax(0, fmax(bulk->low[i] - x, x - bulk->high[i]));
    sum += out * out;
  }
  return sqrt(sum);
}

static void check_com(lwCheck* check, int joint)
{
  const lwLinkDef* link = &lw_check_def(check, joint)->link;
  double away = distance(link->bulk, link->com, 1), D = diagonal(link->bulk);
  if (away <= D) return;
  bool millimetres = distance(link->bulk, link->com, 1e-3) <= D / 4;
  lw_check_warn(check, "shape-com", joint, LW_FIELD_COM,
                millimetres
                    ? "it looks as if it were in mm; lengths are in m"
                    : "it is from the origin of the link, in its axes; check its sign and frame",
                "centre of mass (%.4g, %.4g, %.4g) m is %.4g m outside of its shapes, whose "
                "diagonal is %.4g m",
                link->com[0], link->com[1], link->com[2], away, D);
}

static const char* density_hint(const lwLinkDef* link, double density)
{
  bool grams = density / 1e3 > 200 && density / 1e3 < heaviest;
  bool large = density * 1e9 > 200 && density * 1e9 < heaviest;
  bool small = density / 1e9 > 200 && density / 1e9 < heaviest;
  bool mesh  = link->shape_count > 0 && link->shapes[0].kind == LW_SHAPE_MESH;
  if (large)
    return mesh ? "the mesh looks as if it were in mm: give it scale=\"0.001 0.001 0.001\""
                : "the shapes look as if they were in mm; lengths are in m";
  if (grams) return "the mass looks as if it were in g";
  if (small) return "the mesh is scaled by 0.001 though it is in m already";
  return "mass is in kg, lengths are in m";
}

static bool check_density(lwCheck* check, int joint)
{
  const lwLinkDef* link = &lw_check_def(check, joint)->link;
  double density        = link->mass / link->bulk->volume;
  if (density >= lightest && density <= heaviest) return false;
  lw_check_warn(check, "shape-density", joint, LW_FIELD_MASS, density_hint(link, density),
                "its shapes would have the density %.4g kg/m^3 (%.4g kg in %.4g m^3; plausible "
                "is %g to %g kg/m^3)",
                density, link->mass, link->bulk->volume, lightest, heaviest);
  return true;
}

// Distance of the products from those of the filled shapes; sign -1: after flipping them.
static double products_off(const double I[6], const double B[6], double density, double sign)
{
  double sum = 0;
  for (int i = 3; i < 6; ++i) sum += lw_pow(sign * I[i] - density * B[i], 2);
  return sqrt(sum);
}

// Only where the shapes say much about products, and agree with the moments otherwise.
static void check_products(lwCheck* check, int joint)
{
  const lwLinkDef* link = &lw_check_def(check, joint)->link;
  const double *I = link->inertia, *B = link->bulk->inertia;
  double density = link->mass / link->bulk->volume, trace = density * (B[0] + B[1] + B[2]);
  double size = products_off((const double[6]){0}, B, density, 1);
  if (size < 0.05 * trace) return;
  for (int i = 0; i < 3; ++i)
    if (fabs(I[i] - density * B[i]) > 0.3 * density * B[i]) return;
  if (products_off(I, B, density, 1) < 3 * products_off(I, B, density, -1)) return;
  lw_check_warn(check, "product-signs", joint, LW_FIELD_INERTIA,
                "they are elements of the tensor, with their minus sign: xy is -integral of x y dm",
                "products of inertia have the wrong sign (xy %.4g, xz %.4g, yz %.4g kg m^2; those "
                "of its shapes are %.4g, %.4g, %.4g)",
                I[3], I[4], I[5], density * B[3], density * B[4], density * B[5]);
}

bool lw_check_bulk(lwCheck* check, int joint, const double* moments)
{
  const lwLinkDef* link = &lw_check_def(check, joint)->link;
  if (!link->bulk || !(link->mass > 0) || !(diagonal(link->bulk) > dummy)) return false;
  bool reported = moments && check_radius(check, joint, moments);
  check_com(check, joint);
  if (reported || !(link->bulk->volume > 0)) return reported;
  if (check_density(check, joint)) return true;
  if (moments) check_products(check, joint);
  return reported;
}
