// SPDX-License-Identifier: MIT
// Answers to questions as people and programs read them: names, units and layouts.
#include "report/answer_writer.h"

#include <string.h>

#include "report/robot/robot_text.h"
#include "support/robots.h"
#include "support/testing.h"

// A joint that turns and one that slides.
static Robot* arm(void)
{
  Robot* robot = robot_start();
  for (int i = 0; i < 2; ++i)
  {
    lwJointDef* joint = robot_add(robot, i ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1);
    joint->name       = i ? "slide" : "waist";
    joint->limits     = (lwLimits){-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    joint->link       = (lwLinkDef){
              .name = i ? "tray" : "post", .mass = 1, .com = {1, 0, 0}, .inertia = {1, 1, 1, 0, 0, 0}};
  }
  robot_build(robot);
  return robot;
}

static lwOut out;

static const char* written(lwAnswers answers, lwQuestion question, lwFormat format,
                           const double* values)
{
  lw_out_free(&out);
  out              = (lwOut){.in_memory = true};
  answers.out      = &out;
  answers.format   = format;
  answers.question = question;
  assert_true(lw_answers_begin(&answers));
  lw_answers_row(&answers, NULL, values, NULL);
  lw_answers_end(&answers);
  assert_true(lw_out_finish(&out));
  return out.text;
}

static void vectors_and_matrices(void** unused)
{
  (void)unused;
  Robot* robot              = arm();
  static const double tau[] = {1.5, -0.25}, M[] = {2, 0.5, 0.5, 10};
  lwAnswers answers = {.model = robot->model, .method = "newton-euler"};
  assert_string_equal(written(answers, LW_QUESTION_INVERSE, LW_FORMAT_TABLE, tau) +
                          strcspn(out.text, ":"),
                      ": inverse by newton-euler, double precision\n"
                      "  tau1  waist    1.5 N m\n"
                      "  tau2  slide  -0.25 N\n");
  assert_string_equal(written(answers, LW_QUESTION_INVERSE, LW_FORMAT_CSV, tau),
                      "tau1,tau2\n1.5,-0.25\n");
  assert_string_equal(written(answers, LW_QUESTION_INERTIA, LW_FORMAT_CSV, M),
                      "M11,M12,M21,M22\n2,0.5,0.5,10\n");
  assert_contains(written(answers, LW_QUESTION_INERTIA, LW_FORMAT_TABLE, M),
                  "         waist  slide\n"
                  "  waist      2    0.5\n"
                  "  slide    0.5     10\n");
  answers.names = true;
  assert_string_equal(written(answers, LW_QUESTION_INERTIA, LW_FORMAT_JSON, M),
                      "[\n {\"M.waist.waist\": 2, \"M.waist.slide\": 0.5, \"M.slide.waist\": 0.5, "
                      "\"M.slide.slide\": 10}\n]\n");
  lw_out_free(&out);
  robot_free(robot);
}

static void reactions_have_a_line_for_each_joint(void** unused)
{
  (void)unused;
  Robot* robot            = arm();
  static const double r[] = {1, 2, 3, 4, 5, 6, 0, 0, -100.5, 0, 0, 0};
  lwAnswers answers       = {.model = robot->model, .base_axes = true};
  assert_contains(written(answers, LW_QUESTION_REACTIONS, LW_FORMAT_TABLE, r),
                  "in the axes of the base\n"
                  "            rfx     rfy     rfz     rnx     rny     rnz\n"
                  "  waist       1       2       3       4       5       6\n"
                  "  slide       0       0  -100.5       0       0       0\n");
  assert_contains(written(answers, LW_QUESTION_REACTIONS, LW_FORMAT_CSV, r),
                  "rfx.waist,rfy.waist,");
  lw_out_free(&out);
  robot_free(robot);
}

// The rotation in three forms.
static void poses_are_written_in_full(void** unused)
{
  (void)unused;
  Robot* robot               = arm();
  static const double pose[] = {1, 2, 3, 0, -1, 0, 1, 0, 0, 0, 0, 1};  // a quarter turn about z
  lwAnswers answers          = {.model = robot->model, .frame = "tray"};
  assert_contains(written(answers, LW_QUESTION_POSE, LW_FORMAT_CSV, pose),
                  "\n1,2,3,0,-1,0,1,0,0,0,0,1,0,0,1.5707963267948966,0,0,0.7071067811865475");
  assert_contains(written(answers, LW_QUESTION_POSE, LW_FORMAT_TABLE, pose),
                  "frame of tray in the base frame\n");
  lw_out_free(&out);
  robot_free(robot);
}

static void names_of_regressor_columns(void** unused)
{
  (void)unused;
  Robot* robot = arm();
  char name[200];
  lwAnswers answers = {.model    = robot->model,
                       .question = LW_QUESTION_REGRESSOR,
                       .terms    = LW_HAS_TERM(LW_TERM_VISCOUS)};
  lw_answer_parameter(&answers, 0, name);
  assert_contains(name, "post.");
  lw_answer_parameter(&answers, lw_regressor_columns(robot->model, 0) + 1, name);
  assert_string_equal(name, "slide.viscous");
  robot_free(robot);
}

// What URDF, and what a robot file, cannot hold.
static void losses_are_told(void** unused)
{
  (void)unused;
  Robot* robot = arm();
  lwJointDef joints[2];
  memcpy(joints, lw_model_robot(robot->model)->joints, sizeof joints);
  lwRobotDef def       = *lw_model_robot(robot->model);
  def.joints           = joints;
  joints[0].motor      = (lwMotor){.given           = true,
                                   .resistance      = 1,
                                   .torque_constant = 1,
                                   .gear            = 50,
                                   .efficiency      = 1,
                                   .voltage         = INFINITY,
                                   .current         = INFINITY};
  joints[1].motor.gear = 3;
  def.gravity[2]       = -1.62;
  out                  = (lwOut){.in_memory = true};
  unsigned lost        = lw_robot_write_losses(&out, &def, LW_ROBOT_FORMAT_URDF);
  assert_true(lw_out_finish(&out));
  assert_int_equal(lost, 1u << LW_LOSS_GRAVITY | 1u << LW_LOSS_LIMITS | 1u << LW_LOSS_MOTORS);
  assert_contains(out.text, "gravity 0 0 -1.62 m/s^2: URDF has none");
  assert_contains(out.text, "joint slide: a position limit is missing, which URDF demands");
  assert_contains(out.text, "joint waist: of the motor only the gear stays");
  lw_out_free(&out);
  out  = (lwOut){.in_memory = true};
  lost = lw_robot_write_losses(&out, &def, LW_ROBOT_FORMAT_YAML);
  assert_true(lw_out_finish(&out));
  assert_int_equal(lost, 1u << LW_LOSS_MOTORS);
  assert_contains(out.text, "joint slide: the gear of a transmission");
  lw_out_free(&out);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_and_matrices),
      cmocka_unit_test(reactions_have_a_line_for_each_joint),
      cmocka_unit_test(poses_are_written_in_full),
      cmocka_unit_test(names_of_regressor_columns),
      cmocka_unit_test(losses_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
