// SPDX-License-Identifier: MIT
// Equations (1) to (26) as swartz1982 writes them: standard Denavit-Hartenberg frames at the far
// ends of the links, one equation after the other. Slow and plain; the library's kernels do the
// same in other frames.
//
//   document   here     meaning                                             frame
//   A_i^{i+1}  A[i+1]   turns vectors of frame i+1 into frame i
//   p_i        p        origin i-1 to origin i                              i
//   s*_i       s        origin i to the centre of mass of link i            i
//   J*_i       J        inertia about the centre of mass                    i
//
// Links and joints count from 1, as there; 0 is the base, N + 1 the hand,
// whose frame is that of link N.
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/vec.h"

#include <math.h>
#include <string.h>

#include "swartz1982.h"

enum
{
  N = JOINTS
};

typedef struct SwartzLink
{
  V3 p, s;
  double m;
  S3 J;
} SwartzLink;

// The arm at a position.
typedef struct SwartzChain
{
  M3 A[N + 2];  // A[i]: from frame i to frame i - 1
  SwartzLink link[N + 1];
  V3 base;  // acceleration of link 0
} SwartzChain;

static const V3 Z0 = {0, 0, 1};

// A^T b: from frame i - 1 to frame i.
static V3 back(M3 A, V3 b)
{
  return add(add(scale(b.x, A.x), scale(b.y, A.y)), scale(b.z, A.z));
}

static M3 transposed(M3 A)
{
  return (M3){v3(A.x.x, A.y.x, A.z.x), v3(A.x.y, A.y.y, A.z.y), v3(A.x.z, A.y.z, A.z.z)};
}

static M3 product(M3 A, M3 B)
{
  M3 columns = transposed(B);
  return (M3){m3_apply(columns, A.x), m3_apply(columns, A.y), m3_apply(columns, A.z)};
}

static V3 vector(const double a[3])
{
  return v3(a[0], a[1], a[2]);
}

static void put_literal(V3 a, double out[3])
{
  out[0] = a.x, out[1] = a.y, out[2] = a.z;
}

// "Given:", the matrix of Denavit and Hartenberg and the vector p
static SwartzChain chain_at(const lwRobotDef* robot, const double* q)
{
  SwartzChain chain = {.base = neg(vector(robot->gravity))};
  chain.A[N + 1]    = (M3){v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
  for (int i = 1; i <= N; ++i)
  {
    const lwJointDef* joint = &robot->joints[i - 1];
    const double* J         = joint->link.inertia;
    double ct = cos(q[i - 1] + joint->theta), st = sin(q[i - 1] + joint->theta);
    double ca = cos(joint->alpha), sa = sin(joint->alpha), r = joint->d;
    chain.A[i]    = (M3){v3(ct, -ca * st, sa * st), v3(st, ca * ct, -sa * ct), v3(0, sa, ca)};
    chain.link[i] = (SwartzLink){.p = v3(joint->a, r * sa, r * ca),
                                 .s = vector(joint->link.com),
                                 .m = joint->link.mass,
                                 .J = {J[0], J[1], J[2], J[3], J[4], J[5]}};
  }
  return chain;
}

void literal_pose(const lwRobotDef* robot, const double q[JOINTS], int k, double p[3], double R[9])
{
  SwartzChain chain = chain_at(robot, q);
  M3 turned         = chain.A[N + 1];
  V3 origin         = v3(0, 0, 0);
  for (int i = 1; i <= k + 1; ++i)
  {
    turned = product(turned, chain.A[i]);
    origin = add(origin, m3_apply(turned, chain.link[i].p));
  }
  put_literal(origin, p);
  put_literal(turned.x, R);
  put_literal(turned.y, R + 3);
  put_literal(turned.z, R + 6);
}

// --- Inverse Arm

typedef struct SwartzMotion
{
  V3 w, wd, v, vd, vd_centre, F, N;
} SwartzMotion;

// Link i from link i - 1, base to hand.
static SwartzMotion next_link(const SwartzLink* link, M3 A, const SwartzMotion* from, double qd,
                              double qdd, unsigned printed)
{
  SwartzMotion to;
  V3 p = link->p, s = link->s;
  to.w         = back(A, add(from->w, scale(qd, Z0)));                                        // (1)
  to.wd        = back(A, add(add(from->wd, scale(qdd, Z0)), cross(from->w, scale(qd, Z0))));  // (2)
  to.v         = add(cross(printed & PRINTED_VELOCITY ? to.wd : to.w, p), back(A, from->v));  // (3)
  to.vd        = add(add(cross(to.wd, p), cross(to.w, cross(to.w, p))), back(A, from->vd));   // (4)
  to.vd_centre = add(add(cross(to.wd, s), cross(to.w, cross(to.w, s))), to.vd);               // (5)
  to.F         = scale(link->m, to.vd_centre);                                                // (6)
  to.N         = add(s3_apply(link->J, to.wd), cross(to.w, s3_apply(link->J, to.w)));         // (7)
  return to;
}

// Hand to base. hand: exerted on it.
static void joint_torques(const SwartzChain* chain, const SwartzMotion* motion, const double* hand,
                          unsigned printed, double* tau)
{
  double sign = printed & PRINTED_HAND ? 1 : -1;
  V3 f = scale(sign, vector(hand)), n = scale(sign, vector(hand + 3));
  for (int i = N; i >= 1; --i)
  {
    V3 p = chain->link[i].p, s = chain->link[i].s, F = motion[i].F;
    V3 f_next  = m3_apply(chain->A[i + 1], f);
    V3 n_next  = m3_apply(chain->A[i + 1], n);
    f          = add(f_next, F);                                                             // (8)
    n          = add(add(add(n_next, cross(p, f_next)), cross(add(p, s), F)), motion[i].N);  // (9)
    tau[i - 1] = dot(n, back(chain->A[i], Z0));                                              // (10)
  }
  if (printed & PRINTED_LAST_TORQUE) tau[N - 1] = 0;
}

void literal_inverse_arm(const lwRobotDef* robot, unsigned printed, const State* state,
                         LinkMotion* motion, double tau[JOINTS])
{
  SwartzChain chain = chain_at(robot, state->q);
  SwartzMotion at[N + 1];
  at[0]    = (SwartzMotion){0};
  at[0].vd = chain.base;
  for (int i = 1; i <= N; ++i)
    at[i] = next_link(&chain.link[i], chain.A[i], &at[i - 1], state->qd[i - 1], state->qdd[i - 1],
                      printed);
  joint_torques(&chain, at, state->hand, printed, tau);
  for (int i = 0; i < N && motion; ++i)
  {
    put_literal(at[i + 1].w, motion->w[i]);
    put_literal(at[i + 1].wd, motion->wd[i]);
    put_literal(at[i + 1].v, motion->v[i]);
    put_literal(at[i + 1].vd, motion->vd[i]);
    put_literal(at[i + 1].vd_centre, motion->vd_centre[i]);
  }
}

// --- H matrix

// Links j to N as one body.
typedef struct OuterLinks
{
  double M;
  V3 c;
  M3 E;  // symmetric, but where (18) is taken as printed
} OuterLinks;

static M3 full(S3 J)
{
  return (M3){v3(J.xx, J.xy, J.xz), v3(J.xy, J.yy, J.yz), v3(J.xz, J.yz, J.zz)};
}

// m (R^2 1 - R R^T), what the parallel axis theorem adds
static M3 steiner_literal(double m, V3 R)
{
  double square = dot(R, R);
  return (M3){scale(m, sub(v3(square, 0, 0), scale(R.x, R))),
              scale(m, sub(v3(0, square, 0), scale(R.y, R))),
              scale(m, sub(v3(0, 0, square), scale(R.z, R)))};
}

static OuterLinks grown_hand(const SwartzChain* chain, int j, const OuterLinks* next)
{
  const SwartzLink* link = &chain->link[j];
  M3 A                   = chain->A[j + 1];
  OuterLinks hand        = {.M = next->M + link->m};  // (16)
  V3 far                 = m3_apply(A, add(next->c, chain->link[j + 1].p));
  hand.c    = scale(1 / hand.M, add(scale(link->m, link->s), scale(next->M, far)));  // (17)
  M3 turned = product(product(A, next->E), transposed(A));
  hand.E    = add(add(turned, steiner_literal(next->M, sub(far, hand.c))),
                  add(full(link->J), steiner_literal(link->m, sub(link->s, hand.c))));  // (18)
  return hand;
}

// Z of frame i - 1, about which joint i turns, in frame i;
// as printed in the summary Z of frame i + 1.
static V3 axis_of(const SwartzChain* chain, int i, unsigned printed)
{
  return printed & PRINTED_AXIS ? m3_apply(chain->A[i + 1], Z0) : back(chain->A[i], Z0);
}

// As (26) is printed: Z of frame j - 1, in frame i < j.
static V3 axis_printed(const SwartzChain* chain, int i, int j)
{
  V3 z = Z0;
  for (int k = j - 1; k > i; --k) z = m3_apply(chain->A[k], z);
  return z;
}

static void fill_column(const SwartzChain* chain, int j, const OuterLinks* hand, unsigned printed,
                        double* H)
{
  V3 z = axis_of(chain, j, printed), arm = add(hand->c, chain->link[j].p);
  V3 F                   = scale(hand->M, cross(z, arm));                              // (19)
  V3 f                   = F;                                                          // (21)
  V3 n                   = add(m3_apply(hand->E, z), cross(arm, F));                   // (20), (22)
  H[(j - 1) * N + j - 1] = j == N && printed & PRINTED_LAST_DIAGONAL ? 0 : dot(n, z);  // (23)
  for (int i = j - 1; i >= 1; --i)
  {
    V3 p = printed & PRINTED_LEVER ? chain->link[i + 1].p : chain->link[i].p;
    f    = m3_apply(chain->A[i + 1], f);                    // (24)
    n    = add(m3_apply(chain->A[i + 1], n), cross(p, f));  // (25)
    z    = printed & PRINTED_OFF_DIAGONAL ? axis_printed(chain, i, j) : axis_of(chain, i, printed);
    H[(i - 1) * N + j - 1] = H[(j - 1) * N + i - 1] = dot(n, z);  // (26)
  }
}

void literal_h_matrix(const lwRobotDef* robot, unsigned printed, const double q[JOINTS],
                      double H[JOINTS * JOINTS])
{
  SwartzChain chain = chain_at(robot, q);
  OuterLinks hand[N + 1];
  hand[N] = (OuterLinks){chain.link[N].m, chain.link[N].s, full(chain.link[N].J)};
  for (int j = N - 1; j >= 1; --j) hand[j] = grown_hand(&chain, j, &hand[j + 1]);
  for (int j = N; j >= 1; --j) fill_column(&chain, j, &hand[j], printed, H);
}
