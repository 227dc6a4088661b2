// SPDX-License-Identifier: MIT
// "Runge-Kutta Integration": the order of the method with c3 as printed and as
// corrected, and its cost.
#include <math.h>
#include <string.h>

#include "swartz1982.h"

enum
{
  STEPS = 7  // lengths of steps, halved from the first to the last
};

void forward_arm(const SwartzArm* arm, const double* q, const double* qd, const double* voltage,
                 double* qdd)
{
  double tau[JOINTS];
  for (int k = 0; k < JOINTS; ++k)
  {
    const lwMotor* motor = arm_motor(arm, k);
    double K             = motor->torque_constant;
    tau[k]               = K * (voltage[k] - K * qd[k]) / motor->resistance;  // (12)
  }
  lw_forward_dynamics(arm->model, arm->ws, q, qd, tau, qdd);  // (15)
}

void kutta_step(const SwartzArm* arm, bool c3_printed, double h, const double* voltage, double* q,
                double* qd)
{
  double c1[JOINTS], c2[JOINTS], c3[JOINTS], k1[JOINTS], k2[JOINTS], k3[JOINTS], at[JOINTS];
  for (int i = 0; i < JOINTS; ++i) c1[i] = qd[i];
  forward_arm(arm, q, qd, voltage, k1);
  for (int i = 0; i < JOINTS; ++i) c2[i] = qd[i] + h / 2 * k1[i];
  for (int i = 0; i < JOINTS; ++i) at[i] = q[i] + h / 2 * c1[i];
  forward_arm(arm, at, c2, voltage, k2);
  for (int i = 0; i < JOINTS; ++i) c3[i] = qd[i] + 2 * h * k2[i] - h * (c3_printed ? c1[i] : k1[i]);
  for (int i = 0; i < JOINTS; ++i) at[i] = q[i] + 2 * h * c2[i] - h * c1[i];
  forward_arm(arm, at, c3, voltage, k3);
  for (int i = 0; i < JOINTS; ++i) q[i] += h / 6 * (c1[i] + 4 * c2[i] + c3[i]);
  for (int i = 0; i < JOINTS; ++i) qd[i] += h / 6 * (k1[i] + 4 * k2[i] + k3[i]);
}

// --- the fall that is integrated: from rest at a position, under constant voltages

typedef struct Fall
{
  const SwartzArm* arm;
  const double *q, *voltage;  // (JOINTS)
  double duration;            // s
  bool swapped;               // the two differential equations as printed (erratum 3-17)
} Fall;

static void fall_rates(void* context, double t, const double* y, double* rates)
{
  const Fall* fall = context;
  int slope        = fall->swapped ? JOINTS : 0;  // where the velocities go
  (void)t;
  memcpy(rates + slope, y + JOINTS, JOINTS * sizeof *rates);
  forward_arm(fall->arm, y, y + JOINTS, fall->voltage, rates + JOINTS - slope);
}

// The end of the fall by a method of the library. Returns the number of evaluations,
// -1 after a failure.
static long fall_by(const Fall* fall, const lwIntegratorDef* def, double y[2 * JOINTS])
{
  lwIntegrator* integrator = NULL;
  Fall context             = *fall;
  long evaluations         = -1;
  if (lw_integrator_create(def, 2 * JOINTS, fall_rates, &context, NULL, &integrator) != LW_OK)
    return -1;
  memcpy(y, fall->q, JOINTS * sizeof *y);
  memset(y + JOINTS, 0, JOINTS * sizeof *y);
  lw_integrator_start(integrator, 0, y);
  if (lw_integrator_advance(integrator, fall->duration, y, NULL) == LW_PROGRESS_ARRIVED)
    evaluations = lw_integrator_stats(integrator).evaluations;
  lw_integrator_destroy(integrator);
  return evaluations;
}

static long fall_fixed(const Fall* fall, const char* method, double h, double* y)
{
  lwIntegratorDef def = lw_integrator_def();
  def.method          = method;
  def.step            = h;
  return fall_by(fall, &def, y);
}

static long fall_adaptive(const Fall* fall, const char* method, double tolerance, double* y)
{
  lwIntegratorDef def = lw_integrator_def();
  def.method          = method;
  def.relative = def.absolute = tolerance;
  return fall_by(fall, &def, y);
}

// The end of the fall by the steps of the document.
static void fall_literal(const Fall* fall, bool c3_printed, double h, double y[2 * JOINTS])
{
  long steps = lround(fall->duration / h);
  memcpy(y, fall->q, JOINTS * sizeof *y);
  memset(y + JOINTS, 0, JOINTS * sizeof *y);
  for (long i = 0; i < steps; ++i)
    kutta_step(fall->arm, c3_printed, h, fall->voltage, y, y + JOINTS);
}

// --- errors over steps

// Columns of the series.
enum
{
  H_MS,
  EVALUATIONS,
  E_PRINTED,
  E_CORRECTED,
  E_RK4,
  RK4_EVALUATIONS,
  COLUMNS
};

typedef struct RunTruth
{
  double y[2 * JOINTS];
} RunTruth;

static double error_at(const RunTruth* truth, const double* y)
{
  return largest_difference(JOINTS, y, truth->y);
}

static void fill_steps(const Fall* fall, const RunTruth* truth, double first, PageSeries* series)
{
  double y[2 * JOINTS], row[COLUMNS];
  for (int i = 0; i < STEPS; ++i)
  {
    double h         = first / (double)(1 << i);
    row[H_MS]        = 1e3 * h;
    row[EVALUATIONS] = 3 * fall->duration / h;
    fall_literal(fall, true, h, y);
    row[E_PRINTED] = error_at(truth, y);
    fall_literal(fall, false, h, y);
    row[E_CORRECTED]     = error_at(truth, y);
    row[RK4_EVALUATIONS] = (double)fall_fixed(fall, "rk4", h, y);
    row[E_RK4]           = error_at(truth, y);
    series_add(series, row);
  }
}

// The evaluations that other methods need for the error of this method with the document's step.
static void compare_step_control(SwartzStudy* study, const Fall* fall, const RunTruth* truth,
                                 double h)
{
  static const char* const methods[] = {"bogacki-shampine", "dormand-prince", "dop853"};
  static const char* const columns[] = {"tolerance", "evaluations", "error_rad"};
  Page* page                         = study->page;
  double y[2 * JOINTS];
  fall_literal(fall, false, h, y);
  double wanted  = error_at(truth, y);
  PaperText text = {.length = 0};
  text_add(
      &text,
      "The document says that step size control was not implemented. With it, the error of Kutta's "
      "method at %g ms, %.2g rad after %.0f evaluations of the Forward Arm, is reached with:\n\n"
      "| method | tolerance | evaluations | error, rad |\n|---|---:|---:|---:|\n",
      1e3 * h, wanted, 3 * fall->duration / h);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i)
  {
    PageSeries* series = page_series(page, methods[i], 3, columns);
    double best[3]     = {NAN, NAN, NAN};
    for (int k = 8; k <= 44 && series; ++k)
    {
      double tolerance = pow(10, -k / 4.0);
      double row[3]    = {tolerance};
      row[1]           = (double)fall_adaptive(fall, methods[i], tolerance, y);
      row[2]           = error_at(truth, y);
      if (row[2] <= wanted && !(best[1] <= row[1])) memcpy(best, row, sizeof best);
      series_add(series, row);
    }
    text_add(&text, "| %s | %.1e | %.0f | %.2g |\n", methods[i], best[0], best[1], best[2]);
  }
  text_note(page, "runge-kutta", &text);
}

static void draw_convergence(Page* page, const PageSeries* series)
{
  Figure figure = {
      .name    = "runge-kutta",
      .caption = "Error of the joint angles after the fall, over the step and over the number of "
                 "evaluations of the Forward Arm.",
      .count   = 2,
      .panel   = {{.x_label = "step (ms)",
                   .y_label = "largest error of an angle (rad)",
                   .log_x   = true,
                   .log_y   = true,
                   .count   = 3,
                   .curve   = {{series, H_MS, E_PRINTED, "c3 as printed", false},
                               {series, H_MS, E_CORRECTED, "c3 corrected", false},
                               {series, H_MS, E_RK4, "rk4", false}}},
                  {.x_label = "evaluations of the Forward Arm",
                   .y_label = "largest error of an angle (rad)",
                   .log_x   = true,
                   .log_y   = true,
                   .count   = 3,
                   .curve   = {{series, EVALUATIONS, E_PRINTED, "c3 as printed", false},
                               {series, EVALUATIONS, E_CORRECTED, "c3 corrected", false},
                               {series, RK4_EVALUATIONS, E_RK4, "rk4", false}}}}};
  for (const PageSeries* other = page->series; other; other = other->next)
    if (lw_integrator_method_find(other->name) && figure.panel[1].count < PANEL_CURVES)
      figure.panel[1].curve[figure.panel[1].count++] = (Curve){other, 1, 2, other->name, false};
  page_figure(page, "runge-kutta", &figure);
}

// The document's steps, with c3 corrected, against the library's method of the same name.
static double library_error(const Fall* fall, double h)
{
  double literal[2 * JOINTS], library[2 * JOINTS];
  fall_literal(fall, false, h, literal);
  if (fall_fixed(fall, "kutta3", h, library) < 0) return NAN;
  return largest_difference(2 * JOINTS, literal, library);
}

static void measure_kutta(SwartzStudy* study, const Fall* fall, const RunTruth* truth,
                          const PageSeries* series)
{
  Page* page       = study->page;
  double h         = page_number(page, "step"), y[2 * JOINTS];
  double orders[2] = {order_of(series, E_PRINTED), order_of(series, E_CORRECTED)};
  page_measure(page, "runge-kutta/order", 2, orders);
  page_fact(page, "3-18", "measured order: %.2f as printed, %.2f corrected", orders[0], orders[1]);

  double errors[2];
  fall_literal(fall, true, h, y);
  errors[0] = error_at(truth, y);
  fall_literal(fall, false, h, y);
  errors[1] = error_at(truth, y);
  page_measure(page, "runge-kutta/accuracy", 2, errors);

  Fall swapped    = *fall;
  swapped.swapped = true;
  fall_adaptive(&swapped, "dormand-prince", 1e-6, y);
  errors[0] = error_at(truth, y);
  page_measure(page, "runge-kutta/equations", 2, errors);

  page_require(page, "the library's kutta3 against the corrected steps", library_error(fall, h),
               1e-11);
}

void report_kutta(SwartzStudy* study)
{
  static const char* const columns[COLUMNS] = {
      "h_ms",          "evaluations",    "error_printed_rad", "error_corrected_rad",
      "error_rk4_rad", "evaluations_rk4"};
  Page* page = study->page;
  RunTruth truth;
  Values q = page_data(page, "fall-from"), voltage = page_data(page, "fall-voltage");
  if (q.count != JOINTS || voltage.count != JOINTS) return;
  Fall fall = {&study->arm, q.at, voltage.at, page_number(page, "fall-duration"), false};
  page_progress(page, "Runge-Kutta");
  if (fall_adaptive(&fall, "dop853", 1e-14, truth.y) < 0)
  {
    page_fail(page, NUMERICAL, "the fall cannot be integrated");
    return;
  }
  PageSeries* series = page_series(page, "runge-kutta", COLUMNS, columns);
  fill_steps(&fall, &truth, page_number(page, "first-step"), series);
  if (page->status != DONE) return;
  measure_kutta(study, &fall, &truth, series);
  compare_step_control(study, &fall, &truth, page_number(page, "step"));
  draw_convergence(page, series);
}
