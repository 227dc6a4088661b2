// SPDX-License-Identifier: MIT
// "DAC Output" and "Motor Dynamics": equations (11) and (12), and the mechanical time constants
// that determine the step.
#include <math.h>

#include "block_diagram.h"
#include "math/svd.h"
#include "swartz1982.h"

static double voltage_of(const lwMotor* motor, double tau, double qd)
{
  double K = motor->torque_constant;
  return motor->resistance * tau / K + K * qd;  // (11)
}

static double torque_of(const lwMotor* motor, double voltage, double qd)
{
  double K = motor->torque_constant;
  return K * (voltage - K * qd) / motor->resistance;  // (12)
}

// (11), then (12), relative to the largest intermediate number;
// and the library's motor for comparison.
static void measure_motors(SwartzStudy* study)
{
  lwRandom random = {1982};
  double inverse = 0, library = 0;
  for (int i = 0; i < (int)page_number(study->page, "states") * JOINTS; ++i)
  {
    lwMotor motor = *arm_motor(&study->arm, i % JOINTS);
    double qd = lw_random_between(&random, -8, 8), tau = lw_random_between(&random, -100, 100);
    double voltage = voltage_of(&motor, tau, qd);
    motor.voltage = motor.current = INFINITY;  // (11) and (12) have no limits
    double size  = fabs(tau) + motor.torque_constant * fabs(voltage) / motor.resistance;
    double need  = lw_motor_need(&motor, qd, tau, 0).voltage;
    double drive = lw_motor_drive(&motor, qd, voltage).joint_torque;
    inverse      = fmax(inverse, fabs(torque_of(&motor, voltage, qd) - tau) / size);
    library      = fmax(library, fabs(need - voltage) / (fabs(voltage) + 1));
    library      = fmax(library, fabs(drive - tau) / size);
  }
  page_measure_one(study->page, "drives/inverse", inverse);
  page_require(study->page, "the library's motors against (11) and (12)", library, 1e-14);
}

// Without gravity and velocity products H qdd = -K^2/R qd: the smallest time constant is the
// smallest eigenvalue of H with row and column k divided by K_k / sqrt(R_k). s.
static double smallest_time_constant(const SwartzArm* arm, const double* q)
{
  double H[JOINTS * JOINTS];
  lwSvd svd = {.rows = JOINTS, .columns = JOINTS, .B = H};
  lw_inertia_matrix(arm->model, arm->ws, q, H);
  for (int i = 0; i < JOINTS; ++i)
    for (int j = 0; j < JOINTS; ++j)
    {
      const lwMotor *a = arm_motor(arm, i), *b = arm_motor(arm, j);
      H[i * JOINTS + j] *=
          sqrt(a->resistance * b->resistance) / (a->torque_constant * b->torque_constant);
    }
  lw_svd(&svd);
  return lw_svd_smallest(&svd);
}

static void measure_time_constants(SwartzStudy* study)
{
  Page* page  = study->page;
  double step = page_number(page, "step"), smallest = INFINITY, single = INFINITY;
  int states      = (int)page_number(page, "states");
  lwRandom random = {1982};
  for (int i = 0; i < states; ++i)
  {
    State state = state_draw(&random);
    double H[JOINTS * JOINTS];
    smallest = fmin(smallest, smallest_time_constant(&study->arm, state.q));
    lw_inertia_matrix(study->arm.model, study->arm.ws, state.q, H);
    for (int k = 0; k < JOINTS; ++k)
    {
      const lwMotor* motor = arm_motor(&study->arm, k);
      double damping       = motor->torque_constant * motor->torque_constant / motor->resistance;
      single               = fmin(single, H[k * JOINTS + k] / damping);
    }
  }
  page_measure_one(page, "drives/time-constant", smallest / step);
  page_note(page, "drives",
            "The smallest mechanical time constant of this arm, with its invented motors, over %d "
            "positions: %.3g ms with all joints free, %.3g ms with all joints but one held.",
            states, 1e3 * smallest, 1e3 * single);
}

// --- accuracy of the chosen step, for any motor

// T speed' = -speed, with T = 1 s
static void decay(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  rates[0] = -y[0];
}

// The relative error of a speed that decays over one time constant,
// with so many steps of Kutta's method.
static double decay_error(Page* page, double steps)
{
  double y                 = 1;
  lwIntegrator* integrator = NULL;
  lwIntegratorDef def      = lw_integrator_def();
  def.method               = "kutta3";
  def.step                 = 1 / steps;
  if (page_check(page, lw_integrator_create(&def, 1, decay, NULL, NULL, &integrator)) != DONE)
    return NAN;
  lw_integrator_start(integrator, 0, &y);
  lw_integrator_advance(integrator, 1, &y, NULL);
  lw_integrator_destroy(integrator);
  return fabs(y * exp(1) - 1);
}

static void note_step(SwartzStudy* study)
{
  Values steps = page_printed(study->page, "drives/time-constant");
  if (steps.count > 0)
    page_note(
        study->page, "drives",
        "With the printed step, 1/%g of a time constant, Kutta's method follows the decay of a "
        "motor's speed over one time constant with a relative error of %.2g, which is ample.",
        steps.at[0], decay_error(study->page, steps.at[0]));
}

// --- figure 2

// Voltage less back EMF, times K/R, is the torque (12); the arm turns it into a velocity,
// which is fed back.
static void draw_motor(Page* page)
{
  static const double in[][2] = {{0, 0}, {1.3, 0}}, sum[][2] = {{1.7, 0}, {2.6, 0}},
                      torque[][2] = {{3.8, 0}, {5.4, 0}}, speed[][2] = {{6.6, 0}, {8.2, 0}},
                      back[][2] = {{7.4, 0}, {7.4, -1.5}, {5.6, -1.5}},
                      emf[][2]  = {{4.4, -1.5}, {1.5, -1.5}, {1.5, -0.2}};
  static const double node[3] = {1.5, 0, 0}, minus[3] = {1.3, -0.42, 0};
  lwScene scene = {.plain = true};
  lw_view_named("top", &scene.view);
  lw_scene_disc(&scene, node, 0.2, (lwPaint){.colour = LW_COLOUR_BASE, .outline = true});
  draw_block(&scene, 3.2, 0, 1.2, "K / R");
  draw_block(&scene, 6, 0, 1.2, "arm");
  draw_block(&scene, 5, -1.5, 1.2, "K");
  draw_signal(&scene, in, 2, "V");
  draw_signal(&scene, sum, 2, NULL);
  draw_signal(&scene, torque, 2, "torque");
  draw_signal(&scene, speed, 2, "velocity");
  draw_signal(&scene, back, 3, NULL);
  draw_signal(&scene, emf, 3, "back EMF");
  lw_scene_mark(&scene, LW_MARK_NAMES, LW_MARK_CAPTION, "n", minus, NULL, "−");
  if (scene.failed) page_check(page, LW_ERROR_MEMORY);
  page_drawing(page, "drives", "figure-2", "Figure 2: a motor as a control system, (12).",
               &(lwDrawing){.scene = &scene, .title = "A motor and its joint"});
  lw_scene_free(&scene);
}

void report_drives(SwartzStudy* study)
{
  draw_motor(study->page);
  page_progress(study->page, "drives");
  measure_motors(study);
  measure_time_constants(study);
  note_step(study);
}
