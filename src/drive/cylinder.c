// SPDX-License-Identifier: MIT
// One hydraulic cylinder: areas, oil, closed valves, buckling.
//
// Behind closed valves chamber i takes up A_i ds more (0) or less (1) of its oil, and dp = -+ A_i
// ds / C_i(s). With dC_0/ds = A_0 / K and dC_1/ds = -A_1 / K, K the bulk modulus of the oil:
//
//   p_i(s) = p_i(s0) - K ln(C_i(s) / C_i(s0))
//   energy of chamber i: K^2 (C ln(C / C0) - C + C0) - p_i(s0) K (C - C0)
#include "linkwork/cylinder.h"
#include "base/units.h"
#include "math/elementary.h"

#include <math.h>

static double square(double x)
{
  return x * x;
}

// --- oil

double lw_cylinder_area(const lwCylinderDef* def, int chamber)
{
  return LW_PI / 4 * (square(def->bore) - (chamber == 0 ? 0 : square(def->rod)));
}

double lw_cylinder_compliance(const lwCylinderDef* def, int chamber, double s)
{
  double area = lw_cylinder_area(def, chamber), way = chamber == 0 ? s : def->stroke - s;
  double dead = def->dead_volume < 0 ? 0.05 * area * def->stroke : def->dead_volume;
  return (dead + area * way) / def->bulk_modulus + def->hose_volume / def->hose_modulus;
}

double lw_cylinder_stiffness(const lwCylinderDef* def, double s)
{
  double sum = 0;
  for (int i = 0; i < 2; ++i)
    sum += square(lw_cylinder_area(def, i)) / lw_cylinder_compliance(def, i, s);
  return sum;
}

void lw_cylinder_pressures(const lwCylinderDef* def, double force, double pressure[2])
{
  double A0 = lw_cylinder_area(def, 0), A1 = lw_cylinder_area(def, 1), back = def->back_pressure;
  bool pushes = force >= (A0 - A1) * back;  // what back pressure in both chambers gives
  pressure[0] = pushes ? (force + A1 * back) / A0 : back;
  pressure[1] = pushes ? back : (A0 * back - force) / A1;
}

double lw_cylinder_flow(const lwCylinderDef* def, double speed)
{
  return fabs(speed) * lw_cylinder_area(def, speed >= 0 ? 0 : 1);
}

// --- buckling

static double bending_stiffness(const lwCylinderDef* def)
{
  return def->rod_modulus * LW_PI / 64 * square(square(def->rod));
}

double lw_cylinder_buckling(const lwCylinderDef* def, double s)
{
  return square(LW_PI / (def->closed_length + s)) * bending_stiffness(def);
}

double lw_cylinder_buckling_length(const lwCylinderDef* def, double force, double safety)
{
  return LW_PI * sqrt(bending_stiffness(def) / (force * safety));
}

// --- closed valves

void lw_closed_oil_pressures(const lwCylinderDef* def, const lwClosedOil* oil, double s,
                             double pressure[2])
{
  for (int i = 0; i < 2; ++i)
    pressure[i] =
        oil->pressure[i] - def->bulk_modulus * lw_log(lw_cylinder_compliance(def, i, s) /
                                                      lw_cylinder_compliance(def, i, oil->stroke));
}

double lw_closed_oil_force(const lwCylinderDef* def, const lwClosedOil* oil, double s)
{
  double pressure[2];
  lw_closed_oil_pressures(def, oil, s, pressure);
  return lw_cylinder_area(def, 0) * pressure[0] - lw_cylinder_area(def, 1) * pressure[1];
}

double lw_closed_oil_energy(const lwCylinderDef* def, const lwClosedOil* oil, double s)
{
  double K = def->bulk_modulus, sum = 0;
  for (int i = 0; i < 2; ++i)
  {
    double C  = lw_cylinder_compliance(def, i, s);
    double C0 = lw_cylinder_compliance(def, i, oil->stroke), x = (C - C0) / C0;
    // C ln(C / C0) - C + C0 without cancellation for small x
    double bent = C0 * ((1 + x) * lw_log1p(x) - x);
    sum += K * K * bent - oil->pressure[i] * K * (C - C0);
  }
  return sum;
}

// --- sizing

static void keep_peak(lwPeak* peak, bool larger, double value, double t)
{
  if (larger) *peak = (lwPeak){value, t};
}

void lw_cylinder_sizing_add(lwCylinderSizing* sizing, const lwCylinderDef* def, double t,
                            double length, double speed, double force)
{
  bool first = sizing->count++ == 0;
  double s = length - def->closed_length, pressure[2], power = force * speed;
  double flow = lw_cylinder_flow(def, speed), soft = lw_cylinder_stiffness(def, s);
  double safety = force > 0 ? lw_cylinder_buckling(def, s) / force : INFINITY;
  lw_cylinder_pressures(def, force, pressure);
  double high = fmax(pressure[0], pressure[1]);
  keep_peak(&sizing->force, first || fabs(force) > fabs(sizing->force.value), force, t);
  keep_peak(&sizing->push, force > sizing->push.value, force, t);
  keep_peak(&sizing->pressure, first || high > sizing->pressure.value, high, t);
  keep_peak(&sizing->speed, first || fabs(speed) > fabs(sizing->speed.value), speed, t);
  keep_peak(&sizing->flow, first || flow > sizing->flow.value, flow, t);
  keep_peak(&sizing->power, first || fabs(power) > fabs(sizing->power.value), power, t);
  keep_peak(&sizing->shortest, first || s < sizing->shortest.value, s, t);
  keep_peak(&sizing->longest, first || s > sizing->longest.value, s, t);
  keep_peak(&sizing->buckling, first || safety < sizing->buckling.value, safety, t);
  keep_peak(&sizing->softest, first || soft < sizing->softest.value, soft, t);
}

const char* lw_cylinder_sizing_beyond(const lwCylinderSizing* sizing, const lwCylinderDef* def)
{
  double capacity = 1e-9 * def->stroke;  // a motion along a limit is within
  if (sizing->shortest.value < -capacity || sizing->longest.value > def->stroke + capacity)
    return "stroke";
  if (sizing->pressure.value > def->pressure) return "pressure";
  if (sizing->flow.value > def->flow) return "flow";
  return sizing->buckling.value < 1 ? "buckling" : NULL;
}
