// SPDX-License-Identifier: MIT
// A Panda on a floating base against the results of an independent library
// (tests/data/floating/panda.json).
#include <string.h>

#include "linkwork/dynamics.h"
#include "linkwork/read.h"
#include "support/check.h"
#include "support/json.h"
#include "support/testing.h"

enum
{
  NQ  = 16,
  DOF = 15
};

// Both sides have rounding errors, amplified by a condition number of about 1e3.
static const double TOLERANCE = 1e-10;

typedef struct Fixture
{
  lwModel* model;
  lwWorkspace* ws;
  Json* json;
} Fixture;

static int begin(void** state)
{
  static Fixture fixture;
  lwModelOptions options = {.joints.free_mimics = true, .mount.floating = true};
  lwDiag* diag           = lw_diag_create();
  lwStatus status =
      lw_robot_read_file(LW_TEST_DATA "/floating/panda.urdf", &options, diag, &fixture.model);
  assert_int_equal(status, LW_OK);
  lw_diag_destroy(diag);
  assert_int_equal(lw_workspace_create(fixture.model, NULL, NULL, &fixture.ws), LW_OK);
  fixture.json = json_read(LW_TEST_DATA "/floating/panda.json");
  *state       = &fixture;
  return 0;
}

static int end(void** state)
{
  Fixture* f = *state;
  json_free(f->json);
  lw_workspace_destroy(f->ws);
  lw_model_destroy(f->model);
  return 0;
}

static void assert_all_near(const double* got, const double* expected, size_t count)
{
  double scale = largest_of(expected, count);
  for (size_t i = 0; i < count; ++i) assert_near(got[i], expected[i], TOLERANCE * scale);
}

typedef struct Sample
{
  const Json* json;
  double q[NQ], v[DOF], a[DOF], expected[DOF * DOF], got[DOF * DOF];
} Sample;

static int read_sample(const Fixture* f, int i, Sample* s)
{
  const Json* states = json_get(f->json, "states");
  if (i >= states->count) return 0;
  s->json = &states->items[i];
  json_numbers(s->json, "q", NQ, s->q);
  json_numbers(s->json, "v", DOF, s->v);
  json_numbers(s->json, "a", DOF, s->a);
  return 1;
}

static void has_sizes_and_names(void** state)
{
  const Fixture* f = *state;
  assert_int_equal(lw_model_nq(f->model), NQ);
  assert_int_equal(lw_model_dof(f->model), DOF);
  assert_string_equal(lw_model_position(f->model, 0).name, "base.x");
  assert_string_equal(lw_model_position(f->model, 6).name, "base.qw");
  assert_string_equal(lw_model_position(f->model, 7).name, "panda_joint1");
  assert_string_equal(lw_model_velocity(f->model, 0).name, "base.vx");
  assert_string_equal(lw_model_velocity(f->model, 5).name, "base.wz");
  assert_string_equal(lw_model_effort(f->model, 0).name, "base.fx");
  assert_string_equal(lw_model_effort(f->model, 14).name, "panda_finger_joint2");
  assert_int_equal(lw_model_joint_type(f->model, 5), LW_JOINT_FLOATING);
}

static void inverse_bias_and_gravity(void** state)
{
  const Fixture* f = *state;
  Sample s;
  for (int i = 0; read_sample(f, i, &s); ++i)
  {
    json_numbers(s.json, "tau", DOF, s.expected);
    lw_inverse_dynamics(f->model, f->ws, s.q, s.v, s.a, s.got);
    assert_all_near(s.got, s.expected, DOF);
    json_numbers(s.json, "nle", DOF, s.expected);
    lw_bias(f->model, f->ws, s.q, s.v, s.got);
    assert_all_near(s.got, s.expected, DOF);
    json_numbers(s.json, "gravity_torque", DOF, s.expected);
    lw_gravity(f->model, f->ws, s.q, s.got);
    assert_all_near(s.got, s.expected, DOF);
  }
}

static void inertia_and_energy(void** state)
{
  const Fixture* f = *state;
  Sample s;
  for (int i = 0; read_sample(f, i, &s); ++i)
  {
    double kinetic, potential;
    json_numbers(s.json, "M", DOF * DOF, s.expected);
    lw_inertia_matrix(f->model, f->ws, s.q, s.got);
    assert_all_near(s.got, s.expected, DOF * DOF);
    lw_energy(f->model, f->ws, s.q, s.v, &kinetic, &potential);
    assert_near(kinetic, json_number(s.json, "kinetic_energy"), TOLERANCE * kinetic);
    assert_near(potential, json_number(s.json, "potential_energy"), TOLERANCE * fabs(potential));
  }
}

static void forward_by_every_method(void** state)
{
  const Fixture* f                   = *state;
  static const char* const methods[] = {"articulated-body", "composite-body", "common-frame"};
  Sample s;
  for (int i = 0; read_sample(f, i, &s); ++i)
  {
    const Json* fd = json_get(s.json, "fd");
    for (int m = 0; m < 3; ++m)
    {
      lwWorkspace* ws;
      lwWorkspaceDef def = lw_workspace_def();
      def.forward        = methods[m];
      assert_int_equal(lw_workspace_create(f->model, &def, NULL, &ws), LW_OK);
      for (int k = 0; k < fd->count; ++k)
      {
        double tau[DOF];
        json_numbers(&fd->items[k], "tau", DOF, tau);
        json_numbers(&fd->items[k], "qdd", DOF, s.expected);
        lw_forward_dynamics(f->model, ws, s.q, s.v, tau, s.got);
        assert_all_near(s.got, s.expected, DOF);
      }
      lw_workspace_destroy(ws);
    }
  }
}

static void poses_of_links(void** state)
{
  const Fixture* f = *state;
  Sample s;
  for (int i = 0; read_sample(f, i, &s); ++i)
  {
    const Json* poses = json_get(s.json, "link_poses");
    for (int k = 0; k < poses->count; ++k)
    {
      lwFrame frame = {0};
      const char* name =
          poses->items[k].key ? poses->items[k].key : json_text(&poses->items[k], "link");
      assert_int_equal(lw_model_find_link(f->model, name, &frame.joint), LW_OK);
      assert_int_equal(lw_workspace_set_frame(f->ws, f->model, &frame, NULL), LW_OK);
      json_numbers(&poses->items[k], "p", 3, s.expected);
      json_numbers(&poses->items[k], "R", 9, s.expected + 3);
      lw_pose(f->model, f->ws, s.q, s.got, s.got + 3);
      assert_all_near(s.got, s.expected, 12);
    }
    lw_workspace_set_frame(f->ws, f->model, NULL, NULL);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(has_sizes_and_names), cmocka_unit_test(inverse_bias_and_gravity),
      cmocka_unit_test(inertia_and_energy),  cmocka_unit_test(forward_by_every_method),
      cmocka_unit_test(poses_of_links),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
