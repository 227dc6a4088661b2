// SPDX-License-Identifier: MIT
// grigorov2013 (1)-(13) as printed, matrix by matrix; every correction can be switched off.
//
// The fast versions are src/kernels/closed_form.h and src/kernels/inverse/closed_form.c. Here
// nothing is shared, factored or left out, to show what each erratum changes and to count the
// operations of a literal program.
#ifndef PAPERS_GRIGOROV2013_GRIGOROV_LITERAL_H
#define PAPERS_GRIGOROV2013_GRIGOROV_LITERAL_H

#include "linkwork/methods.h"

// A set of things computed as PRINTED; everything else is corrected.
enum
{
  PRINTED_FRAMES  = 1,   // erratum 4-1: frames of the classical Denavit-Hartenberg notation
  PRINTED_MASS    = 2,   // erratum 4-2: m_j in the first sum of (5)
  PRINTED_INERTIA = 4,   // erratum 4-3: I_i jR_i in the second sum of (5)
  PRINTED_TURN    = 8,   // erratum 4-4: jR_j-1 (w x thd) in (6) and (8), read from the right
  PRINTED_START   = 16,  // erratum 4-6: (8) "for j > 1", C_VC = 0 on the first link
  PRINTED_ARM     = 32   // erratum 4-9: jP_Ci x C_VCi, without jR_i, in (12)
};

// Equations that can be solved for the torque of joint j.
typedef enum Equation
{
  EQUATION_5,   // moments about joint j, accelerations by (6)
  EQUATION_10,  // (5) with accelerations by (7) and (8), cross products
  EQUATION_12,  // (10) with matrices for the cross products (11)
  EQUATION_COUNT
} Equation;

// What (7) expresses in closed form and (6) by recursion.
enum
{
  LITERAL_W,    // angular velocity
  LITERAL_WD,   // angular acceleration
  LITERAL_VD,   // acceleration of the link's origin
  LITERAL_VDC,  // acceleration of its centre of mass
  LITERAL_MOTIONS
};

typedef struct LiteralArm LiteralArm;

// The joints of the robot must be revolute, in a row,
// and placed by DH parameters. LW_ERROR_MEMORY, or LW_OK.
lwStatus literal_create(const lwRobotDef* robot, unsigned printed, LiteralArm** literal);
void literal_destroy(LiteralArm* literal);

// Sets the state of the arm: (1), (6), (8). A wrench in it is as in linkwork/dynamics.h.
void literal_move(LiteralArm* literal, const lwStates* state);

// The torque of joint j alone, N m.
double literal_torque(const LiteralArm* literal, Equation equation, int j);

// M of (9), (n x n) row by row: the left side of (12) dotted with z_j.
void literal_matrix(const LiteralArm* literal, double* M);

// The largest difference between (7) and (6) over all links, relative to the size of the vector.
void literal_compare_motions(const LiteralArm* literal, double difference[LITERAL_MOTIONS]);

// Operations of (1), (6), (8), and of (12) for all torques of a state.
lwCount literal_count(LiteralArm* literal, const lwStates* state);

#endif
