// SPDX-License-Identifier: MIT
// Hydraulic cylinders: moment arms against finite differences of the length, torques of the oil
// against finite differences of its energy, a run with closed valves, sizing, and files.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/linkwork.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  DOF = 6
};

static lwCylinderDef plain_cylinder(const char* name)
{
  lwCylinderDef def = lw_cylinder_def();
  def.name          = name;
  def.bore          = 0.08;
  def.rod           = 0.05;
  def.stroke        = 50;  // long enough for every posture of a random robot
  def.closed_length = 1e-3;
  def.hose_volume   = 2e-4;
  def.back_pressure = 5e5;
  return def;
}

// A random serial robot of DOF joints, and two cylinders: from the base to link 4, over four
// joints, and from link 2 to 5.
typedef struct
{
  Robot* robot;
  lwCylinders* cylinders;
  double q[DOF], qd[DOF], tau[DOF];
  lwRandom random;
} Scene;

static Scene scene_of(uint64_t seed)
{
  RobotStyle style      = {.dof = DOF, .prismatic = 0.2, .placement = -1};
  Scene s               = {.robot = random_robot(seed, &style), .random = {seed}};
  lwCylinderDef defs[2] = {plain_cylinder("first"), plain_cylinder("second")};
  defs[0].to.link       = s.robot->joints[3].name;
  defs[1].from.link     = s.robot->joints[1].name;
  defs[1].to.link       = s.robot->joints[4].name;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i)
    {
      defs[k].from.at[i] = lw_random_between(&s.random, -1, 1);
      defs[k].to.at[i]   = lw_random_between(&s.random, -1, 1);
    }
  assert_int_equal(lw_cylinders_create(s.robot->model, 2, defs, NULL, &s.cylinders), LW_OK);
  for (int j = 0; j < DOF; ++j)
  {
    s.q[j]   = lw_random_between(&s.random, -1, 1);
    s.qd[j]  = lw_random_between(&s.random, -1, 1);
    s.tau[j] = lw_random_between(&s.random, -500, 500);
  }
  return s;
}

static void scene_end(Scene* s)
{
  lw_cylinders_destroy(s->cylinders);
  robot_free(s->robot);
}

// dL/dq, by differences accurate to 1e-9 of the lengths, which are a few metres.
static void arms_are_slopes(void** unused)
{
  (void)unused;
  const double h = 1e-5;
  for (uint64_t seed = 1; seed <= 20; ++seed)
  {
    Scene s = scene_of(seed);
    double length[2], arms[2 * DOF], more[2], less[2], other[2 * DOF];
    lw_cylinders_pose(s.cylinders, s.q, length, arms, NULL);
    for (int j = 0; j < DOF; ++j)
    {
      double q[DOF];
      memcpy(q, s.q, sizeof q);
      q[j] = s.q[j] + h;
      lw_cylinders_pose(s.cylinders, q, more, other, NULL);
      q[j] = s.q[j] - h;
      lw_cylinders_pose(s.cylinders, q, less, other, NULL);
      for (int k = 0; k < 2; ++k)
        assert_near(arms[k * DOF + j], (more[k] - less[k]) / (2 * h), 1e-8 * (1 + length[k]));
    }
    for (int j = 4; j < DOF; ++j) assert_near(arms[j], 0, 1e-12 * (1 + length[0]));
    scene_end(&s);
  }
}

// From pin to pin is the length, for each cylinder in its own place.
static void ends_are_apart_by_lengths(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 5; ++seed)
  {
    Scene s = scene_of(seed);
    double length[2], arms[2 * DOF], ends[2][6] = {{0}};
    lw_cylinders_pose(s.cylinders, s.q, length, arms, ends[0]);
    for (int k = 0; k < 2; ++k)
    {
      double square = 0;
      for (int i = 0; i < 3; ++i)
        square += (ends[k][3 + i] - ends[k][i]) * (ends[k][3 + i] - ends[k][i]);
      assert_near(sqrt(square), length[k], 1e-14 * length[k]);
    }
    scene_end(&s);
  }
}

// Torque = - d energy / dq, and stiffness = - d torque / dq, with closed valves.
static void energy_and_torque(void** unused)
{
  (void)unused;
  const double h = 1e-5;
  for (uint64_t seed = 1; seed <= 20; ++seed)
  {
    Scene s = scene_of(seed);
    double tau[DOF], force[2], rest[DOF], K[DOF * DOF], still[DOF] = {0}, at[DOF];
    assert_int_equal(lw_cylinders_close(s.cylinders, s.q, s.tau, rest, NULL), LW_OK);
    lw_cylinders_closed_torque(s.cylinders, s.q, s.qd, tau, force);
    lw_cylinders_stiffness(s.cylinders, s.q, force, K);
    double size = 1;
    for (int i = 0; i < DOF * DOF; ++i) size = fmax(size, fabs(K[i]));
    for (int j = 0; j < DOF; ++j) assert_near(tau[j], s.tau[j] - rest[j], 1e-7 * 500);
    for (int j = 0; j < DOF; ++j)
    {
      double q[DOF], more[DOF], less[DOF];
      memcpy(q, s.q, sizeof q);
      q[j]         = s.q[j] + h;
      double above = lw_cylinders_closed_energy(s.cylinders, q);
      lw_cylinders_closed_torque(s.cylinders, q, still, more, NULL);
      q[j]         = s.q[j] - h;
      double below = lw_cylinders_closed_energy(s.cylinders, q);
      lw_cylinders_closed_torque(s.cylinders, q, still, less, NULL);
      assert_near(-(above - below) / (2 * h), tau[j], 1e-6 * (500 + size * h));
      for (int i = 0; i < DOF; ++i)
        assert_near(-(more[i] - less[i]) / (2 * h), K[i * DOF + j], 1e-5 * size);
    }
    memcpy(at, s.q, sizeof at);
    scene_end(&s);
  }
}

// Computed by hand: areas, pressures, stiffness, flow, buckling.
static void one_cylinder(void** unused)
{
  (void)unused;
  lwCylinderDef def = plain_cylinder("one");
  def.stroke        = 0.5;
  def.closed_length = 0.7;
  def.dead_volume   = 1e-4;
  const double A0 = 3.14159265358979 / 4 * 0.0064, A1 = 3.14159265358979 / 4 * 0.0039;
  double p[2];
  assert_near(lw_cylinder_area(&def, 0), A0, 1e-15);
  assert_near(lw_cylinder_area(&def, 1), A1, 1e-15);
  lw_cylinder_pressures(&def, 5e4, p);
  assert_near(A0 * p[0] - A1 * p[1], 5e4, 1e-8);
  assert_near(p[1], 5e5, 0);
  lw_cylinder_pressures(&def, -5e4, p);
  assert_near(A0 * p[0] - A1 * p[1], -5e4, 1e-8);
  assert_near(p[0], 5e5, 0);
  double C0 = (1e-4 + A0 * 0.2) / 1.4e9 + 2e-4 / 3e8, C1 = (1e-4 + A1 * 0.3) / 1.4e9 + 2e-4 / 3e8;
  assert_near(lw_cylinder_stiffness(&def, 0.2), A0 * A0 / C0 + A1 * A1 / C1, 1e-3);
  assert_near(lw_cylinder_flow(&def, 0.1), A0 * 0.1, 1e-15);
  assert_near(lw_cylinder_flow(&def, -0.1), A1 * 0.1, 1e-15);
  double buckling = pow(3.14159265358979 / 0.9, 2) * 2.1e11 * 3.14159265358979 / 64 * pow(0.05, 4);
  assert_near(lw_cylinder_buckling(&def, 0.2), buckling, 1e-6 * buckling);
  assert_near(lw_cylinder_buckling_length(&def, buckling, 1), 0.9, 1e-9);
  lwClosedOil oil = {0.2, {3e6, 1e6}};
  double h = 1e-6, slope = (lw_closed_oil_force(&def, &oil, 0.2 + h) -
                            lw_closed_oil_force(&def, &oil, 0.2 - h)) /
                           (2 * h);
  assert_near(-slope, lw_cylinder_stiffness(&def, 0.2), 1e-5 * fabs(slope));
  assert_near(lw_closed_oil_energy(&def, &oil, 0.2), 0, 0);
  lw_closed_oil_pressures(&def, &oil, 0.21, p);
  assert_less(p[0], 3e6);
  assert_greater(p[1], 1e6);
}

static void sizing(void** unused)
{
  (void)unused;
  lwCylinderDef def    = plain_cylinder("one");
  def.stroke           = 0.5;
  def.closed_length    = 0.7;
  def.pressure         = 2e7;
  lwCylinderSizing got = {0};
  lw_cylinder_sizing_add(&got, &def, 0, 0.8, 0.1, 1e4);
  lw_cylinder_sizing_add(&got, &def, 1, 1.1, -0.2, -3e4);
  lw_cylinder_sizing_add(&got, &def, 2, 0.9, 0.05, 2e4);
  assert_near(got.force.value, -3e4, 0);
  assert_near(got.force.t, 1, 0);
  assert_near(got.speed.value, -0.2, 0);
  assert_near(got.shortest.value, 0.1, 1e-15);
  assert_near(got.longest.value, 0.4, 1e-15);
  assert_near(got.buckling.value, lw_cylinder_buckling(&def, 0.2) / 2e4, 1e-6);
  assert_null(lw_cylinder_sizing_beyond(&got, &def));
  lw_cylinder_sizing_add(&got, &def, 3, 0.9, 0, 2e5);
  assert_string_equal(lw_cylinder_sizing_beyond(&got, &def), "pressure");
  lw_cylinder_sizing_add(&got, &def, 4, 1.3, 0, 0);
  assert_string_equal(lw_cylinder_sizing_beyond(&got, &def), "stroke");
}

// --- a run: with closed cylinders, the energy of arm and oil is conserved; damping dissipates it

typedef struct
{
  lwCylinders* cylinders;
  double* rest;  // held by the other drives
  int dof;
} Closed;

static void closed_torques(void* context, double t, const double* q, const double* qd, double* tau)
{
  const Closed* closed = context;
  (void)t;
  lw_cylinders_closed_torque(closed->cylinders, q, qd, tau, NULL);
  for (int j = 0; j < closed->dof; ++j) tau[j] += closed->rest[j];
}

static const char arm_text[] =
    "linkwork: 1\nname: crane\ndh: modified\njoints:\n"
    "  - {name: boom, type: revolute, alpha: 90 deg, link: {name: boom, mass: 120, com: [0.8, 0, "
    "0], "
    "inertia: [1, 25, 25, 0, 0, 0]}}\n"
    "  - {name: arm, type: revolute, a: 1.6, link: {name: arm, mass: 90, com: [0.7, 0, 0], "
    "inertia: [1, 15, 15, 0, 0, 0]}}\n"
    "cylinders:\n"
    "  - {name: lift, from: {at: [0.2, 0, -0.7]}, to: {link: boom, at: [0.25, -0.05, 0]}, bore: "
    "0.1, "
    "rod: 0.06, stroke: 0.5, closed_length: 0.5, hose_volume: 4.0e-4, damping: %g}\n"
    "  - {name: crowd, from: {link: boom, at: [0.5, 0.12, 0]}, to: {link: arm, at: [-0.22, 0.11, "
    "0]}, "
    "bore: 0.1, rod: 0.055, stroke: 0.55, closed_length: 0.83, hose_volume: 4.0e-4, damping: %g}\n";

static double total_energy_after(double damping, double* first)
{
  char text[2048];
  snprintf(text, sizeof text, arm_text, damping, damping);
  lwModel* model;
  lwCylinders* cylinders;
  assert_int_equal(lw_robot_read_text("crane.yaml", text, strlen(text), NULL, NULL, &model), LW_OK);
  assert_int_equal(
      lw_cylinders_read_text("crane.yaml", text, strlen(text), model, NULL, &cylinders), LW_OK);
  assert_int_equal(lw_cylinders_count(cylinders), 2);
  double q[2] = {0.6, -1.2}, qd[2] = {0.2, -0.3}, gravity[2], rest[2];
  lwWorkspace* ws;
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  lw_gravity(model, ws, q, gravity);
  assert_int_equal(lw_cylinders_close(cylinders, q, gravity, rest, NULL), LW_OK);
  assert_near(rest[0], 0, 1e-8);  // the cylinders hold the whole load
  assert_near(rest[1], 0, 1e-8);
  Closed closed           = {cylinders, rest, 2};
  lwArmDef def            = lw_arm_def();
  def.model               = model;
  def.q                   = q;
  def.qd                  = qd;
  def.torques             = closed_torques;
  def.context             = &closed;
  def.integrator.method   = "dop853";
  def.integrator.relative = 1e-11;
  def.integrator.absolute = 1e-11;
  lwArmRun* run;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_OK);
  lwArmSample sample = lw_arm_run_sample(run);
  *first             = sample.kinetic + sample.potential;
  assert_int_equal(lw_arm_run_advance(run, 0.3, NULL), LW_OUTCOME_ARRIVED);
  sample = lw_arm_run_sample(run);
  double total =
      sample.kinetic + sample.potential + lw_cylinders_closed_energy(cylinders, sample.q);
  assert_near(sample.S, 0, 1e-6);  // of about 10 J kinetic energy
  lw_arm_run_destroy(run);
  lw_workspace_destroy(ws);
  lw_cylinders_destroy(cylinders);
  lw_model_destroy(model);
  return total;
}

static void closed_valves_keep_energy(void** unused)
{
  (void)unused;
  double first, total = total_energy_after(0, &first);
  assert_near(total, first, 1e-6);
  total = total_energy_after(1e5, &first);
  assert_less(total, first - 1);  // J
}

// --- bad descriptions

// Moment arms are about every joint of the tree, also where loops are closed.
static void loops_are_taken(void** unused)
{
  (void)unused;
  lwModel* model;
  lwCylinders* cylinders;
  lwCylinderDef def = plain_cylinder("crank");
  def.from.at[0]    = -0.3;
  def.to.link       = "crank";
  def.to.at[0]      = 0.1;
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/four_bar.yaml", NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_cylinders_create(model, 1, &def, NULL, &cylinders), LW_OK);
  lw_cylinders_destroy(cylinders);
  lw_model_destroy(model);
}

static void refused(void** unused)
{
  (void)unused;
  static const char head[] =
      "linkwork: 1\njoints: [{name: a, type: revolute, link: {name: boom, mass: 1, com: [1, 0, 0], "
      "inertia: [1, 1, 1, 0, 0, 0]}}]\n";
  static const struct
  {
    const char *text, *message;
    int line, column;
  } cases[] = {
      {"cylinders: 3\n", "'cylinders' must be a list", 3, 12},
      {"cylinders:\n  - {name: c, from: {at: [0, 0, 0]}, to: {link: beam, at: [1, 0, 0]}, bore: "
       "0.1, rod: 0.05, stroke: 1, closed_length: 1}\n",
       "there is no link 'beam'", 4, 42},
      {"cylinders:\n  - {name: c, from: {at: [0, 0, 0]}, to: {link: base, at: [1, 0, 0]}, bore: "
       "0.1, rod: 0.05, stroke: 1, closed_length: 1}\n",
       "both pins are on the same link", 4, 42},
      {"cylinders:\n  - {name: c, from: {at: [0, 0, 0]}, to: {link: boom, at: [1, 0, 0]}, bore: "
       "0.1, rod: 0.2, stroke: 1, closed_length: 1}\n",
       "rod must be thinner than the bore", 4, 5},
      {"cylinders:\n  - {name: c, from: {at: [0, 0, 0]}, to: {link: boom, at: [1, 0, 0]}, bore: "
       "-1, rod: 0.2, stroke: 1, closed_length: 1}\n",
       "bore must be positive (-1 m)", 4, 5},
      {"cylinders:\n  - {name: c, from: {at: [0, 0, 0]}, to: {link: boom, at: [1, 0, 0]}, bore: "
       "1, rod: 0.2, strok: 1, closed_length: 1}\n",
       "strok", 4, 90},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    char text[1024];
    lwModel* model = NULL;
    lwDiag* diag   = lw_diag_create();
    snprintf(text, sizeof text, "%s%s", head, cases[i].text);
    lwStatus status = lw_robot_read_text("r.yaml", text, strlen(text), NULL, diag, &model);
    assert_int_not_equal(status, LW_OK);
    assert_null(model);
    const lwMessage* message = NULL;
    for (int k = 0; k < lw_diag_size(diag) && !message; ++k)
      if (strstr(lw_diag_message(diag, k)->text, cases[i].message))
        message = lw_diag_message(diag, k);
    assert_non_null(message);
    assert_int_equal(message->place.line, cases[i].line);
    assert_int_equal(message->place.column, cases[i].column);
    lw_diag_destroy(diag);
  }
}

// Oil and hose give way together: V / K each, with 5 % of the whole volume behind the piston if the
// dead volume is not given.
static void oil_and_hoses_give_way(void** unused)
{
  (void)unused;
  lwCylinderDef def = plain_cylinder("c");
  double A[]        = {acos(-1) / 4 * 0.0064, acos(-1) / 4 * (0.0064 - 0.0025)};
  def.stroke        = 0.5;
  def.bulk_modulus  = 1.2e9;
  def.hose_modulus  = 4e8;
  for (int given = 0; given < 2; ++given)
    for (int chamber = 0; chamber < 2; ++chamber)
    {
      double way = chamber == 0 ? 0.2 : 0.3, dead = given ? 3e-5 : 0.05 * A[chamber] * 0.5;
      def.dead_volume = given ? 3e-5 : -1;
      double right    = (dead + A[chamber] * way) / 1.2e9 + 2e-4 / 4e8;
      assert_near(lw_cylinder_area(&def, chamber), A[chamber], 1e-15);
      assert_near(lw_cylinder_compliance(&def, chamber, 0.2), right, 1e-12 * right);
    }
}

// dp/ds = -+ A / C(s) behind closed valves, by the midpoint rule.
static void closed_oil_is_compressed(void** unused)
{
  (void)unused;
  enum
  {
    STEPS = 2000
  };
  lwCylinderDef def = plain_cylinder("c");
  def.stroke        = 0.5;
  lwClosedOil oil   = {.stroke = 0.2, .pressure = {3e6, 2e6}};
  double p[] = {3e6, 2e6}, found[2], h = 0.01 / STEPS;
  for (int k = 0; k < STEPS; ++k)
    for (int i = 0; i < 2; ++i)
      p[i] += (i ? 1 : -1) * h * lw_cylinder_area(&def, i) /
              lw_cylinder_compliance(&def, i, 0.2 + (k + 0.5) * h);
  lw_closed_oil_pressures(&def, &oil, 0.21, found);
  for (int i = 0; i < 2; ++i) assert_near(found[i], p[i], 1e-7 * fabs(p[i]));
}

// A motion along a limit is within it; beyond a billionth of the stroke it is not.
static void strokes_have_a_little_room(void** unused)
{
  (void)unused;
  for (int end = 0; end < 2; ++end)
    for (int beyond = 0; beyond < 2; ++beyond)
    {
      lwCylinderDef def       = plain_cylinder("c");
      lwCylinderSizing sizing = {0};
      def.stroke              = 0.5;
      double away = (beyond ? 2e-9 : 0.5e-9) * def.stroke, s = end ? def.stroke + away : -away;
      lw_cylinder_sizing_add(&sizing, &def, 0, def.closed_length + s, 0, 0);
      const char* says = lw_cylinder_sizing_beyond(&sizing, &def);
      if (beyond)
        assert_string_equal(says, "stroke");
      else
        assert_null(says);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oil_and_hoses_give_way),
      cmocka_unit_test(closed_oil_is_compressed),
      cmocka_unit_test(strokes_have_a_little_room),
      cmocka_unit_test(arms_are_slopes),
      cmocka_unit_test(ends_are_apart_by_lengths),
      cmocka_unit_test(energy_and_torque),
      cmocka_unit_test(one_cylinder),
      cmocka_unit_test(sizing),
      cmocka_unit_test(closed_valves_keep_energy),
      cmocka_unit_test(loops_are_taken),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
