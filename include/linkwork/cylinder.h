// SPDX-License-Identifier: MIT
/// @file cylinder.h Hydraulic cylinders between two points of a robot: moment arms, oil, closed
/// valves, sizing. Not part of the core library; docs/drives.md has the equations.
///
/// A cylinder pushes its two pins apart with the force F along the line between them. With L(q) the
/// distance of the pins, the torque on joint j is F dL/dq_j: dL/dq_j is its moment arm, and there
/// may be several joints between the links. The stroke is s = L - closed_length, 0 to stroke.
/// Chamber 0 is behind the piston, area pi bore^2 / 4; chamber 1 has the rod, area pi (bore^2 -
/// rod^2) / 4: F = A_0 p_0 - A_1 p_1. SI units.
#ifndef LINKWORK_CYLINDER_H
#define LINKWORK_CYLINDER_H

#include "linkwork/drive.h"
#include "linkwork/dynamics.h"

/// Where a cylinder is fixed.
typedef struct lwPin
{
  /// Name of the link, as lw_model_find_link() takes it. NULL: the base.
  const char* link;
  /// (3) The point in the frame of that link, m.
  double at[3];
} lwPin;

/// A cylinder as a person describes it. Start from lw_cylinder_def().
typedef struct lwCylinderDef
{
  /// Its name.
  const char* name;
  /// Pin of the barrel.
  lwPin from;
  /// Pin of the rod.
  lwPin to;
  /// Diameter of the piston, m, > 0.
  double bore;
  /// Diameter of the rod, m, > 0 and less than the bore.
  double rod;
  /// How far it extends, m, > 0.
  double stroke;
  /// Length from pin to pin when fully retracted, m, > 0.
  double closed_length;
  /// Largest pressure in a chamber, Pa; infinite: no limit.
  double pressure;
  /// Largest flow into a chamber, m^3/s; infinite: no limit.
  double flow;
  /// Bulk modulus of the oil, Pa, > 0.
  double bulk_modulus;
  /// Oil of each chamber that the piston does not displace, rigid pipes included, m^3. Negative:
  /// 5 % of the volume that the piston sweeps.
  double dead_volume;
  /// Oil in the hoses of each chamber, m^3, >= 0.
  double hose_volume;
  /// Effective bulk modulus of a hose with the oil in it, Pa, > 0: its walls stretch.
  double hose_modulus;
  /// Pressure in the chamber that does not push, Pa, >= 0.
  double back_pressure;
  /// Damping of the piston, N s/m, >= 0: seals and leaks.
  double damping;
  /// Young's modulus of the rod, Pa, > 0, against buckling.
  double rod_modulus;
  /// Set by lw_cylinder_def(); leave it as it is.
  unsigned cookie;
} lwCylinderDef;

/// Oil of 1.4 GPa, hoses of 0.3 GPa and no volume, no limits, a rod of steel (210 GPa); all else 0.
LW_API lwCylinderDef lw_cylinder_def(void);

/// LW_OK, LW_ERROR_DEF, or LW_ERROR_INPUT and what is wrong with the numbers in diag (or NULL).
LW_API lwStatus lw_cylinder_check(const lwCylinderDef* def, lwDiag* diag);

/// Area of chamber 0 or 1, m^2.
LW_API double lw_cylinder_area(const lwCylinderDef* def, int chamber);

/// Compliance of chamber 0 or 1 at stroke s, m^3/Pa: how much oil enters per pressure. Oil and
/// hoses: (dead_volume + area x) / bulk_modulus + hose_volume / hose_modulus, where x is the
/// piston's distance from the end of the chamber.
LW_API double lw_cylinder_compliance(const lwCylinderDef* def, int chamber, double s);

/// Stiffness of the piston at stroke s with both chambers closed, N/m: sum of area^2 / compliance.
LW_API double lw_cylinder_stiffness(const lwCylinderDef* def, double s);

/// Pressures (2) of the chambers, Pa, that give this force (N): one of them is back_pressure, the
/// other is not below it.
LW_API void lw_cylinder_pressures(const lwCylinderDef* def, double force, double pressure[2]);

/// Flow into the chamber that fills at this speed of the piston, m^3/s, not negative.
LW_API double lw_cylinder_flow(const lwCylinderDef* def, double speed);

/// Force at which the rod buckles at stroke s, N: Euler's, hinged at both pins, pi^2 E I /
/// length^2, with the cross-section of the rod over the whole length.
LW_API double lw_cylinder_buckling(const lwCylinderDef* def, double s);

/// Length from pin to pin at which a push (N) has this safety against buckling, m.
LW_API double lw_cylinder_buckling_length(const lwCylinderDef* def, double force, double safety);

// --- closed valves

/// The oil when the valves close.
typedef struct lwClosedOil
{
  /// Stroke at that time, m.
  double stroke;
  /// (2) Pressures of the chambers then, Pa.
  double pressure[2];
} lwClosedOil;

/// Pressures (2) at stroke s behind closed valves, Pa: p - bulk_modulus ln(C(s) / C(s0)) with the
/// compliance C of each chamber. Below 0 the oil would cavitate; that is not modelled.
LW_API void lw_closed_oil_pressures(const lwCylinderDef* def, const lwClosedOil* oil, double s,
                                    double pressure[2]);

/// Force of the oil at stroke s behind closed valves, N.
LW_API double lw_closed_oil_force(const lwCylinderDef* def, const lwClosedOil* oil, double s);

/// Energy stored since the valves closed, J: its derivative in s is the negative force.
LW_API double lw_closed_oil_energy(const lwCylinderDef* def, const lwClosedOil* oil, double s);

// --- all cylinders of a robot

/// The cylinders of a robot, and the memory to compute with them. For one thread.
typedef struct lwCylinders lwCylinders;

/// Checks and copies the descriptions. The model must outlive them. LW_ERROR_FRAME: a link that the
/// model does not have; LW_ERROR_INPUT: numbers that lw_cylinder_check() refuses, both pins on one
/// link, two of one name.
LW_API lwStatus lw_cylinders_create(const lwModel* model, int count, const lwCylinderDef* defs,
                                    lwDiag* diag, lwCylinders** cylinders);

/// Reads `cylinders` of a robot file, for a model made of the same file. There may be none.
/// Everything wrong is in diag.
LW_API lwStatus lw_cylinders_read_file(const char* path, const lwModel* model, lwDiag* diag,
                                       lwCylinders** cylinders);

/// Reads them from text in memory; name stands for the file in diagnostics.
LW_API lwStatus lw_cylinders_read_text(const char* name, const char* text, size_t length,
                                       const lwModel* model, lwDiag* diag, lwCylinders** cylinders);

/// Frees them. NULL is allowed.
LW_API void lw_cylinders_destroy(lwCylinders* cylinders);

/// How many there are.
LW_API int lw_cylinders_count(const lwCylinders* cylinders);

/// Description of cylinder k, 0 <= k < lw_cylinders_count().
LW_API const lwCylinderDef* lw_cylinders_get(const lwCylinders* cylinders, int k);

/// Lengths (count), m, from pin to pin at q (nq), moment arms (count, dof), m or 1, and if ends is
/// not NULL the pins (count, 6), m, in the base frame: x, y, z of `from`, then of `to`.
LW_API void lw_cylinders_pose(lwCylinders* cylinders, const double* q, double* length, double* arms,
                              double* ends);

/// The forces (count) that give the torques tau (dof) as nearly as possible, by least squares, and
/// what is left for other drives, rest (dof), if not NULL. Cylinders that are linearly dependent on
/// those before them get 0; returns how many are independent.
LW_API int lw_cylinders_forces(lwCylinders* cylinders, const double* arms, const double* tau,
                               double* force, double* rest);

/// Stiffness K (dof, dof) at the joints, N m/rad, with all valves closed and the cylinders pushing
/// with these forces (count; NULL: 0): K_ij = sum k dL/dq_i dL/dq_j - F d^2 L / dq_i dq_j. For
/// joints with one freedom each.
LW_API void lw_cylinders_stiffness(lwCylinders* cylinders, const double* q, const double* force,
                                   double* K);

// --- closed valves of a robot over time

/// Closes all valves at q: the oil then holds the forces that the torques tau (dof) require of the
/// cylinders. rest (dof), if not NULL, is what they cannot hold. LW_ERROR_INPUT, with the reason in
/// diag, if a stroke is outside its cylinder.
LW_API lwStatus lw_cylinders_close(lwCylinders* cylinders, const double* q, const double* tau,
                                   double* rest, lwDiag* diag);

/// Torques tau (dof) of the closed cylinders, with their damping, at q and qd;
/// forces (count) if not NULL.
LW_API void lw_cylinders_closed_torque(lwCylinders* cylinders, const double* q, const double* qd,
                                       double* tau, double* force);

/// Energy in the oil since the valves closed, J.
LW_API double lw_cylinders_closed_energy(lwCylinders* cylinders, const double* q);

// --- sizing: what a motion demands of a cylinder

/// A value of largest magnitude, and when.
typedef struct lwPeak
{
  /// The value.
  double value;
  /// Time, s.
  double t;
} lwPeak;

/// What a motion demanded of a cylinder. Start with all zero.
typedef struct lwCylinderSizing
{
  /// Number of samples.
  long count;
  /// Force, N, with its sign: positive pushes.
  lwPeak force;
  /// Largest push, N; 0 if it only pulls.
  lwPeak push;
  /// Pressure in the chamber that pushes, Pa.
  lwPeak pressure;
  /// Speed of the piston, m/s, with its sign.
  lwPeak speed;
  /// Flow into the chamber that fills, m^3/s.
  lwPeak flow;
  /// Force times speed, W.
  lwPeak power;
  /// Least stroke, m.
  lwPeak shortest;
  /// Largest stroke, m.
  lwPeak longest;
  /// Least safety against buckling, buckling force / push; infinite if it never pushes.
  lwPeak buckling;
  /// Least stiffness with closed valves, N/m.
  lwPeak softest;
} lwCylinderSizing;

/// Adds a sample at time t: length from pin to pin (m), its rate (m/s), force (N).
LW_API void lw_cylinder_sizing_add(lwCylinderSizing* sizing, const lwCylinderDef* def, double t,
                                   double length, double speed, double force);

/// The limit that is exceeded, as a word: "stroke", "pressure", "flow", "buckling"; NULL: nothing.
/// The safety against buckling must be 1 at least.
LW_API const char* lw_cylinder_sizing_beyond(const lwCylinderSizing* sizing,
                                             const lwCylinderDef* def);

#endif
