// SPDX-License-Identifier: MIT
#include "two_links.h"

#include <math.h>

TwoLinks two_links_data(Page* page)
{
  return (TwoLinks){
      .length  = {page_number(page, "length-1"), page_number(page, "length-2")},
      .mass    = {page_number(page, "mass-1"), page_number(page, "mass-2")},
      .width   = page_number(page, "width"),
      .gravity = page_number(page, "gravity"),
  };
}

// Of a bar of square section about its centre, across: kg m^2.
static double bar_inertia(const TwoLinks* links, int i)
{
  double l = links->length[i], w = links->width;
  return links->mass[i] * (l * l + w * w) / 12;
}

// Expresses a bar along x in a frame that is turned about z.
static void twist_frame(lwLinkDef* link, double angle)
{
  double c = cos(angle), s = sin(angle), along = link->inertia[0], across = link->inertia[1];
  link->com[1] = -s * link->com[0];
  link->com[0] *= c;
  link->inertia[0] = c * c * along + s * s * across;
  link->inertia[1] = s * s * along + c * c * across;
  link->inertia[3] = c * s * (across - along);  // xy
}

lwModel* two_links_model(Page* page, const TwoLinks* links)
{
  static const char* const names[] = {"body1", "body2"};
  lwJointDef joints[2];
  lwRobotDef robot = lw_robot_def();
  lwModel* model   = NULL;
  for (int i = 0; i < 2; ++i)
  {
    double across             = bar_inertia(links, i);
    joints[i]                 = lw_joint_def();
    joints[i].name            = names[i];
    joints[i].parent          = i - 1;
    joints[i].a               = i > 0 ? links->length[i - 1] : 0;
    joints[i].link.mass       = links->mass[i];
    joints[i].link.com[0]     = links->length[i] / 2;
    joints[i].link.inertia[0] = links->mass[i] * links->width * links->width / 6;
    joints[i].link.inertia[1] = joints[i].link.inertia[2] = across;
  }
  twist_frame(&joints[1].link, links->twist);
  robot.name       = "two links";
  robot.count      = 2;
  robot.joints     = joints;
  robot.gravity[1] = -links->gravity;
  robot.gravity[2] = 0;
  if (page->status == DONE) page_check(page, lw_model_create(&robot, NULL, NULL, &model));
  return model;
}

void two_links_draw(Page* page, const TwoLinks* links, double q2)
{
  lwJointDef joints[2];
  lwShape bars[2];
  lwModel *plain = two_links_model(page, links), *model = NULL;
  const double pose[2] = {0, q2};
  if (!plain) return;
  lwRobotDef robot = *lw_model_robot(plain);
  for (int i = 0; i < 2; ++i)
  {
    double l = links->length[i], w = links->width;
    bars[i]               = (lwShape){LW_SHAPE_BOX, true, {l, w, w}, {l / 2, 0, 0}, {0}, NULL, {0}};
    joints[i]             = robot.joints[i];
    joints[i].link.shapes = &bars[i];
    joints[i].link.shape_count = 1;
  }
  robot.joints = joints;
  page_check(page, lw_model_create(&robot, NULL, NULL, &model));
  if (page->status == DONE)
    page_drawing(
        page, "stability", "figure-1",
        "Figure 1: the two bars, to scale: the first is as long as it "
        "is wide, the second 100 times as long.",
        &(lwDrawing){.model = model,
                     .count = 1,
                     .poses = pose,
                     .shown = LW_SHOW_LINKS | LW_SHOW_JOINTS | LW_SHOW_NAMES | LW_SHOW_MASSES});
  lw_model_destroy(model);
  lw_model_destroy(plain);
}

void two_links_gauss_jordan(const double D[4], const double b[2], double x[2])
{
  float A[2][3] = {{(float)D[0], (float)D[1], (float)-b[0]},
                   {(float)D[2], (float)D[3], (float)-b[1]}};
  for (int k = 0; k < 2; ++k)
  {
    int other   = 1 - k;
    float pivot = A[k][k];
    for (int c = 0; c < 3; ++c) A[k][c] /= pivot;
    float factor = A[other][k];
    for (int c = 0; c < 3; ++c) A[other][c] -= factor * A[k][c];
  }
  x[0] = (double)A[0][2];
  x[1] = (double)A[1][2];
}

// --- the articulated body in the plane: vectors (turn, x, y) of motion or force, about the base

typedef struct Planar
{
  float at[3];
} Planar;

typedef struct TwoLinkInertia
{
  float at[3][3];
} TwoLinkInertia;

static float planar_dot(Planar a, Planar b)
{
  return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

static Planar apply_plane(const TwoLinkInertia* A, Planar b)
{
  Planar c;
  for (int i = 0; i < 3; ++i)
    c.at[i] = A->at[i][0] * b.at[0] + A->at[i][1] * b.at[1] + A->at[i][2] * b.at[2];
  return c;
}

// Of a body with its centre of mass at (x, y), about the base.
static TwoLinkInertia inertia_at(float mass, float across, float x, float y)
{
  return (TwoLinkInertia){{{across + mass * (x * x + y * y), -mass * y, mass * x},
                           {-mass * y, mass, 0},
                           {mass * x, 0, mass}}};
}

// Unit rotation about (x, y), which moves the base's origin by (y, -x).
static Planar turning(float x, float y)
{
  return (Planar){{1, y, -x}};
}

// I1 + I2 - U U^T / (S.U): articulated inertia of body 1 with body 2, which rotates freely.
static TwoLinkInertia articulate(const TwoLinkInertia* I1, const TwoLinkInertia* I2, Planar U,
                                 float SU)
{
  TwoLinkInertia sum;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      sum.at[i][k] = I1->at[i][k] + (I2->at[i][k] - U.at[i] * (U.at[k] / SU));
  return sum;
}

void two_links_in_base_frame(const TwoLinks* links, const double q[2], double qdd[2])
{
  float l[2] = {(float)links->length[0], (float)links->length[1]};
  float c1 = cosf((float)q[0]), s1 = sinf((float)q[0]);
  float c12 = cosf((float)(q[0] + q[1])), s12 = sinf((float)(q[0] + q[1]));
  float x = l[0] * c1, y = l[0] * s1;  // of joint 2
  TwoLinkInertia I1 = inertia_at((float)links->mass[0], (float)bar_inertia(links, 0), x / 2, y / 2);
  TwoLinkInertia I2 = inertia_at((float)links->mass[1], (float)bar_inertia(links, 1),
                                 x + l[1] * c12 / 2, y + l[1] * s12 / 2);
  Planar S1 = turning(0, 0), S2 = turning(x, y);

  // inward: articulated inertias
  Planar U2         = apply_plane(&I2, S2);
  float SU2         = planar_dot(S2, U2);
  TwoLinkInertia IA = articulate(&I1, &I2, U2, SU2);
  Planar U1         = apply_plane(&IA, S1);
  float SU1         = planar_dot(S1, U1);

  // outward: accelerations; the base accelerates upwards instead of gravity
  Planar a    = {{0, 0, (float)links->gravity}};
  float first = -planar_dot(U1, a) / SU1;
  for (int k = 0; k < 3; ++k) a.at[k] += S1.at[k] * first;
  qdd[0] = (double)first;
  qdd[1] = (double)(-planar_dot(U2, a) / SU2);
}
