// SPDX-License-Identifier: MIT
// Figure 5: oscillations about the initial positions after the valves close, by ODE23's method,
// with the sign of (14) as printed and corrected.
#include <math.h>

#include "valves.h"

enum
{
  RECORDS = 400,              // kept
  LATE    = RECORDS / 5 * 4,  // start of the last fifth of the time
  FINE    = 10,               // samples per record
  COLUMNS = 1 + 2 * JOINTS
};

// The oscillation of one joint.
typedef struct Swing
{
  double largest;                // rad, distance from the initial position
  double last;                   // rad, the largest distance in the last fifth of the time
  double before;                 // rad, at the previous sample
  int passes;                    // crossings of the initial position
  double first_pass, last_pass;  // s
  double peak_torque;            // N m
} Swing;

static lwIntegratorDef like_ode23(Page* page)
{
  lwIntegratorDef def = lw_integrator_def();
  def.method          = "bogacki-shampine";
  def.relative        = page_number(page, "figure-tolerance");
  def.absolute        = def.relative;
  return def;
}

static void note_swing(Swing* swing, double t, double x, double tau, bool late)
{
  swing->largest = fmax(swing->largest, fabs(x));
  if (late) swing->last = fmax(swing->last, fabs(x));
  swing->peak_torque = fmax(swing->peak_torque, fabs(tau));
  if (swing->before * x < 0)
  {
    if (swing->passes++ == 0) swing->first_pass = t;
    swing->last_pass = t;
  }
  if (x != 0) swing->before = x;
}

// --- the corrected sign

static void oscillation_row(const lwArmSample* sample, const Valves* valves, double row[COLUMNS])
{
  row[0] = sample->t;
  for (int j = 0; j < JOINTS; ++j)
  {
    row[1 + j]          = sample->q[j] - valves->q[j];
    row[1 + JOINTS + j] = sample->tau[j];
  }
}

static PageSeries* swing_out(Page* page, const Valves* valves, lwArmRun* run, Swing swings[JOINTS])
{
  static const char* const columns[COLUMNS] = {"t",    "dq1",  "dq2",  "dq3",  "dq4", "dq5",
                                               "tau1", "tau2", "tau3", "tau4", "tau5"};
  PageSeries* series                        = page_series(page, "figure-5", COLUMNS, columns);
  for (int k = 0; k <= RECORDS * FINE; ++k)
  {
    double row[COLUMNS];
    if (!valves_advance(run, page, valves->duration * k / (RECORDS * FINE))) break;
    lwArmSample sample = lw_arm_run_sample(run);
    oscillation_row(&sample, valves, row);
    for (int j = 0; j < JOINTS; ++j)
      note_swing(&swings[j], row[0], row[1 + j], row[1 + JOINTS + j], k > LATE * FINE);
    if (k % FINE == 0) series_add(series, row);
  }
  return series;
}

// The arm on its springs where the valves close, as `linkwork linearise` sees it: eigenvalues,
// slowest first. Returns how many.
static int find_modes(const Valves* valves, const Manipulator* manipulator,
                      lwMode modes[2 * JOINTS])
{
  double A[4 * JOINTS * JOINTS], B[2 * JOINTS * JOINTS], shapes[8 * JOINTS * JOINTS];
  lwSpring springs[JOINTS] = {{0}};
  lwLinearDef def          = lw_linear_def();
  lwLinear* linear         = NULL;
  int count                = 0;
  def.springs              = springs;
  for (int j = 0; j < JOINTS; ++j)
    springs[j] = (lwSpring){.stiffness = valves->stiffness[j], .damping = valves->damping[j]};
  if (lw_linear_create(manipulator->model, &def, NULL, &linear) == LW_OK &&
      lw_linear_at(linear, &(lwStates){.q = valves->q}, A, B) == LW_OK)
    lw_modes(2 * JOINTS, A, NULL, modes, shapes, &count);
  lw_linear_destroy(linear);
  return count;
}

static void write_swings(Page* page, const Valves* valves, const Swing swings[JOINTS])
{
  PaperText lines = {0};
  text_add(&lines,
           "| joint | largest swing (mrad) | crossings of the initial position | mean "
           "frequency (Hz) | peak torque / "
           "torque of the weight | left in the last fifth of the time (%% of the largest swing) "
           "|\n|---|---:|---:|---:|---:|---:|");
  for (int j = 0; j < JOINTS; ++j)
  {
    const Swing* swing = &swings[j];
    double hertz       = (swing->passes - 1) / (2 * (swing->last_pass - swing->first_pass));
    text_add(&lines, "\n| %d | %.2f | %d | %.2f | ", j + 1, 1e3 * swing->largest, swing->passes,
             hertz);
    if (fabs(valves->weight[j]) > 1e-6 * swing->peak_torque)
      text_add(&lines, "%.2f", swing->peak_torque / fabs(valves->weight[j]));
    else
      text_add(&lines, "–");
    text_add(&lines, " | %.1f |", 100 * swing->last / swing->largest);
  }
  page_note(page, "figure-5", "%s", lines.at);
}

// "2.16, 3.42 and 5.10"
static void list_modes(PaperText* text, const lwMode* modes, int count, bool damping)
{
  for (int m = 0; m < count; ++m)
    text_add(text, damping ? "%s%.3f" : "%s%.2f",
             m == 0           ? ""
             : m == count - 1 ? " and "
                              : ", ",
             damping ? modes[m].damping : modes[m].frequency / (2 * acos(-1)));
}

static void write_frequencies(Page* page, const Valves* valves, const Manipulator* manipulator,
                              const lwArmRun* run)
{
  lwMode modes[2 * JOINTS];
  int count       = find_modes(valves, manipulator, modes);
  lwAudit audit   = lw_arm_run_audit(run);
  PaperText hertz = {0}, damping = {0};
  list_modes(&hertz, modes, count, false);
  list_modes(&damping, modes, count, true);
  if (count > 0)
    page_note(
        page, "figure-5",
        "Linearised there, the arm on its springs and dampers has natural frequencies of %s Hz "
        "with damping ratios of %s. The command that gives them, with the shapes of the modes:\n\n"
        "```sh\nlinkwork linearise scenarios/hydraulic_valve.yaml --q \"0, 50 deg, -80 deg, "
        "30 deg, 0\"\n```",
        hertz.at, damping.at);
  page_note(page, "figure-5",
            "The integrator took %ld steps (%ld rejected) of %.2g to %.2g s; the energy that "
            "drives and damping do not account for stays below %.1e of the largest kinetic energy.",
            audit.steps.steps, audit.steps.rejected, audit.steps.smallest, audit.steps.largest,
            fabs(audit.worst_S) / audit.peak_kinetic);
}

// --- the printed sign

static PageSeries* run_away(Page* page, const Valves* valves, const Manipulator* manipulator)
{
  static const char* const columns[] = {"t", "dq1", "dq2", "dq3", "dq4", "dq5"};
  lwIntegratorDef def                = like_ode23(page);
  double far                         = page_number(page, "far");
  lwArmRun* run                      = valves_close(valves, page, manipulator, SIGN_PRINTED, &def);
  PageSeries* series                 = page_series(page, "figure-5-printed", 1 + JOINTS, columns);
  double most                        = 0;
  for (int k = 0; k <= RECORDS && most < far && page->status == DONE; ++k)
  {
    double row[COLUMNS];
    if (!valves_advance(run, page, valves->duration * k / (RECORDS * FINE))) break;
    lwArmSample sample = lw_arm_run_sample(run);
    oscillation_row(&sample, valves, row);
    most = largest(JOINTS, row + 1);
    series_add(series, row);
  }
  if (page->status == DONE)
  {
    page_fact(page, "4-12", "as printed the arm of figure 5 is %.2g rad away after %.2f s", most,
              lw_arm_run_time(run));
    page_note(
        page, "figure-5",
        "With (14) as printed the elastic torque pushes away from the free position: the same arm, "
        "started in the same state, is %.3g rad away after %.3f s.",
        most, lw_arm_run_time(run));
  }
  lw_arm_run_destroy(run);
  return series;
}

// The distances of all joints, on a logarithmic scale where some run away from the others.
static Panel distance_panel(const PageSeries* series, const char* title, bool away)
{
  Panel panel = {.title     = title,
                 .x_label   = "t after closing (s)",
                 .y_label   = "distance from initial position (rad)",
                 .log_y     = away,
                 .magnitude = away,
                 .count     = JOINTS};
  for (int j = 0; j < JOINTS; ++j)
    panel.curve[j] = (Curve){series, 0, 1 + j, JOINT_TITLES[j], false};
  return panel;
}

// Torques differ by two orders of magnitude between the joints: each has a panel.
static void draw_torques(Page* page, const PageSeries* series)
{
  Figure figure = {.name    = "figure-5-torques",
                   .caption = "The torques of the oscillation of figure 5, joint by joint",
                   .count   = JOINTS};
  for (int j = 0; j < JOINTS; ++j)
    figure.panel[j] = (Panel){.title   = JOINT_TITLES[j],
                              .x_label = "t after closing (s)",
                              .y_label = "torque (N m)",
                              .count   = 1,
                              .curve   = {{series, 0, 1 + JOINTS + j, JOINT_TITLES[j], false}}};
  page_figure(page, "figure-5", &figure);
}

static void draw_figure5(Page* page, const PageSeries* corrected, const PageSeries* printed)
{
  page_figure(
      page, "figure-5",
      &(Figure){"figure-5",
                "Figure 5 of the document with invented dimensions: oscillations about the initial "
                "positions with the corrected sign of (14), and the size of what the printed sign "
                "does",
                2,
                {distance_panel(corrected, "sign of (14) corrected", false),
                 distance_panel(printed, "sign of (14) as printed", true)}});
  draw_torques(page, corrected);
}

void write_figure5(Page* page, const Manipulator* manipulator)
{
  Valves valves;
  Swing swings[JOINTS] = {{0}};
  lwIntegratorDef def  = like_ode23(page);
  if (!valves_read(&valves, page, manipulator)) return;
  lwArmRun* run           = valves_close(&valves, page, manipulator, SIGN_CORRECTED, &def);
  const PageSeries* swung = run ? swing_out(page, &valves, run, swings) : NULL;
  if (page->status == DONE)
  {
    write_swings(page, &valves, swings);
    write_frequencies(page, &valves, manipulator, run);
    const PageSeries* away = run_away(page, &valves, manipulator);
    if (page->status == DONE) draw_figure5(page, swung, away);
  }
  lw_arm_run_destroy(run);
}
