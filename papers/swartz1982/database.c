// SPDX-License-Identifier: MIT
// "Arm Description": the arm's structure, and the steps from the Parts Database
// to the Manipulator Database.
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "swartz1982.h"

// --- structure

// The number of joints first, first + 2, .. whose axes have this cosine with the vertical
// when the arm hangs.
static int count_axes(const SwartzArm* arm, int first, double cosine)
{
  double q[JOINTS] = {0}, J[6 * JOINTS];
  int count        = 0;
  lw_jacobian(arm->model, arm->ws, q, J);
  for (int k = first; k < JOINTS; k += 2) count += fabs(fabs(J[5 * JOINTS + k]) - cosine) < 1e-12;
  return count;
}

void report_description(SwartzStudy* study)
{
  static const double q[JOINTS] = {0, 0, 0, 0, 0, 0};
  Page* page                    = study->page;
  page_drawing(
      page, "arm", "figure-1",
      "Figure 1: the direct-drive arm, made of the solids of its "
      "Parts Database, with the frames of its links; x red, y green, "
      "z blue.",
      &(lwDrawing){.model = study->arm.model,
                   .parts = study->parts,
                   .count = 1,
                   .poses = q,
                   .shown = LW_SHOW_LINKS | LW_SHOW_JOINTS | LW_SHOW_FRAMES | LW_SHOW_DIMENSIONS});
  page_require(page, "odd joints that are not rotational", 3 - count_axes(&study->arm, 0, 1), 0);
  page_require(page, "even joints that are not pivotal", 3 - count_axes(&study->arm, 1, 0), 0);
}

// --- mass properties

// I0 = I* + M (R^2 1 - R R^T), or back with sign -1
static void steiner(double inertia[6], double sign, double mass, const double R[3])
{
  double m = sign * mass, square = R[0] * R[0] + R[1] * R[1] + R[2] * R[2];
  for (int i = 0; i < 3; ++i) inertia[i] += m * (square - R[i] * R[i]);
  inertia[3] -= m * R[0] * R[1];
  inertia[4] -= m * R[0] * R[2];
  inertia[5] -= m * R[1] * R[2];
}

typedef struct DatabaseBody
{
  double mass, moment[3], inertia[6];  // kg, kg m, kg m^2 about the link's centre of mass
} DatabaseBody;

static void body_add(DatabaseBody* body, const lwPiece* piece)
{
  body->mass += piece->mass;
  for (int i = 0; i < 3; ++i) body->moment[i] += piece->mass * piece->com[i];
  for (int i = 0; i < 6; ++i) body->inertia[i] += piece->inertia[i];
}

// The link from its parts, each first combined about its own centre of mass and then moved
// to that of the link: "can then be determined for each part using the formulas for
// transforming moments of inertia".
static lwLinkDef by_parts(const lwPartsLink* link)
{
  lwLinkDef sum = {0};
  for (int i = 0; i < link->count;)
  {
    const lwPiece* first = &link->pieces[i];
    DatabaseBody part    = {0};
    double centre[3], R[3];
    for (; i < link->count && link->pieces[i].copy == first->copy &&
           !strcmp(link->pieces[i].part, first->part);
         ++i)
      body_add(&part, &link->pieces[i]);
    for (int k = 0; k < 3; ++k) centre[k] = part.moment[k] / part.mass;
    for (int k = 0; k < 3; ++k) R[k] = centre[k] - link->body.com[k];
    steiner(part.inertia, -1, part.mass, R);
    lw_link_def_add(&sum, part.mass, centre, part.inertia);
  }
  return sum;
}

// Mass, centre of mass and inertia, relative to the largest of each kind.
static double body_error(const lwLinkDef* got, const lwLinkDef* wanted)
{
  double mass = fabs(got->mass - wanted->mass) / wanted->mass;
  double com  = largest_difference(3, got->com, wanted->com) / largest(3, wanted->com);
  double inertia =
      largest_difference(6, got->inertia, wanted->inertia) / largest(6, wanted->inertia);
  return fmax(mass, fmax(com, inertia));
}

static int known_shapes(void)
{
  static const char* const named[] = {"cylinder", "semi-cylinder", "cone", "sphere"};
  int count                        = 0;
  for (size_t i = 0; i < sizeof named / sizeof *named; ++i)
    for (int shape = 0; shape < LW_SOLID_COUNT; ++shape)
      count += !strcmp(lw_solid_info((lwSolidKind)shape)->name, named[i]);
  return count;
}

static void note_links(SwartzStudy* study)
{
  PaperText text = {.length = 0};
  text_add(&text, "The result in Denavit-Hartenberg frames (all dimensions are "
                  "invented; com in m, inertia in kg m^2 about the centre of mass):\n\n"
                  "| link | sections | mass, kg | com x | y | z | Ixx | Iyy | Izz |\n"
                  "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (int i = 0; i < lw_parts_count(study->parts); ++i)
  {
    const lwPartsLink* link = lw_parts_link(study->parts, i);
    const double *com = link->body.com, *I = link->body.inertia;
    text_add(&text, "| %d %s | %d | %.4f | %.4f | %.4f | %.4f | %.3g | %.3g | %.3g |\n", i + 1,
             link->body.name, link->count, link->body.mass, com[0], com[1], com[2], I[0], I[1],
             I[2]);
  }
  text_note(study->page, "database", &text);
}

static void note_joints(SwartzStudy* study)
{
  const double degrees = 180 / LW_PI;
  PaperText text       = {.length = 0};
  text_add(&text, "| joint | α, deg | a, m | r, m | resistance, ohm | torque constant, N m/A |\n"
                  "|---|---:|---:|---:|---:|---:|\n");
  for (int k = 0; k < JOINTS; ++k)
  {
    const lwJointDef* joint = &arm_robot(&study->arm)->joints[k];
    text_add(&text, "| %d %s | %g | %g | %g | %g | %g |\n", k + 1, joint->name,
             joint->alpha * degrees, joint->a, joint->d, joint->motor.resistance,
             joint->motor.torque_constant);
  }
  text_note(study->page, "database", &text);
}

static void list_links(SwartzStudy* study)
{
  static const char* const columns[] = {"link",
                                        "alpha_rad",
                                        "a_m",
                                        "r_m",
                                        "mass_kg",
                                        "x_m",
                                        "y_m",
                                        "z_m",
                                        "ixx",
                                        "iyy",
                                        "izz",
                                        "ixy",
                                        "ixz",
                                        "iyz",
                                        "resistance_ohm",
                                        "torque_constant"};
  PageSeries* series = page_series(study->page, "manipulator-database", 16, columns);
  for (int k = 0; k < JOINTS; ++k)
  {
    const lwJointDef* joint = &arm_robot(&study->arm)->joints[k];
    double row[16]          = {k + 1, joint->alpha, joint->a, joint->d, joint->link.mass};
    memcpy(row + 5, joint->link.com, sizeof joint->link.com);
    memcpy(row + 8, joint->link.inertia, sizeof joint->link.inertia);
    row[14] = joint->motor.resistance;
    row[15] = joint->motor.torque_constant;
    series_add(series, row);
  }
}

void report_database(SwartzStudy* study)
{
  double steps = 0, links = 0;
  page_progress(study->page, "parts");
  for (int i = 0; i < lw_parts_count(study->parts); ++i)
  {
    const lwPartsLink* link = lw_parts_link(study->parts, i);
    lwLinkDef sum           = by_parts(link);
    const lwLinkDef* used   = &arm_robot(&study->arm)->joints[i].link;
    steps                   = fmax(steps, body_error(&sum, &link->body));
    links                   = fmax(links, body_error(used, &link->body));
  }
  page_require(study->page, "named shapes that a parts file lacks", 4 - known_shapes(), 0);
  page_measure_one(study->page, "database/parallel-axis", steps);
  page_require(study->page, "robots/ddarm.yaml against parts/ddarm.yaml", links, 1e-12);
  list_links(study);
  note_links(study);
  note_joints(study);
}
