// SPDX-License-Identifier: MIT
// mata2002, 5.2: the path with figure 3, Tables 6 and 7.
#include <math.h>
#include <stdlib.h>

#include "math/rotation.h"
#include "measure.h"
#include "puma.h"
#include "words.h"

enum
{
  CRBA,
  ABA,
  GA,
  METHODS
};

static const char* const METHOD[METHODS] = {"walker-orin-3", "articulated-body", "gibbs-appell"};
static const char* const JOINT_CLAIMS[PUMA_JOINTS] = {"table-6/joint-1", "table-6/joint-2",
                                                      "table-6/joint-3", "table-6/joint-4",
                                                      "table-6/joint-5", "table-6/joint-6"};

// All runs that the tables are about.
typedef struct Runs
{
  PumaRun by_method[METHODS];  // 5 s
  PumaRun by_speed;            // 0.1 m/s
  PumaRun sampled[TORQUES_COUNT];
} Runs;

// --- the path

// Deviation of the hand from its path at time t: position (m), orientation (rad), speed (m/s).
static void deviate(const Puma* puma, Reading reading, double t, double deviation[3])
{
  double q[PUMA_JOINTS], qd[PUMA_JOINTS], J[6 * PUMA_JOINTS], p[3], R[9], back[9], turn[9], e[3];
  double duration = lw_trajectory_duration(puma->trajectory[reading]);
  double off[3], along[3], velocity[3] = {0};
  lw_trajectory_at(puma->trajectory[reading], t, q, qd, NULL);
  lw_pose(puma->model, puma->ws, q, p, R);
  lw_jacobian(puma->model, puma->ws, q, J);
  for (int k = 0; k < 3; ++k)
  {
    along[k] = puma->to[k] - puma->from[k];
    off[k]   = p[k] - (puma->from[k] + along[k] * t / duration);
    for (int i = 0; i < PUMA_JOINTS; ++i) velocity[k] += J[k * PUMA_JOINTS + i] * qd[i];
  }
  lw_rotation_transpose(puma->rotation, back);
  lw_rotation_product(back, R, turn);
  lw_rotation_log(turn, e);
  deviation[0] = lw_length(off);
  deviation[1] = lw_length(e);
  deviation[2] = fabs(lw_length(velocity) - lw_length(along) / duration);
}

static void measure_path(Page* page, const Puma* puma)
{
  enum
  {
    POINTS = 50
  };
  double worst[3] = {0}, along[3];
  for (int reading = 0; reading < READINGS; ++reading)
    for (int k = 0; k < POINTS; ++k)  // not at the end, where it is at rest
    {
      double at[3];
      deviate(puma, (Reading)reading,
              lw_trajectory_duration(puma->trajectory[reading]) * k / POINTS, at);
      for (int d = 0; d < 3; ++d) worst[d] = at[d] <= worst[d] ? worst[d] : at[d];
    }
  for (int k = 0; k < 3; ++k) along[k] = puma->to[k] - puma->from[k];
  page_print(page, "path/length", 1,
             (double[]){page_number(page, "speed") * page_number(page, "duration")});
  page_measure_one(page, "path/length", lw_length(along));
  page_require(page, "distance of the planned path from the line", worst[0], 1e-9);
  page_require(page, "rotation along the planned path", worst[1], 1e-9);
  page_require(page, "change of speed along the planned path", worst[2], 1e-9);
  page_fact(page, "1-26", "%.4g m apart: %.3g m/s over 5 s, or %.4g s at 0.1 m/s", lw_length(along),
            lw_length(along) / page_number(page, "duration"),
            lw_trajectory_duration(puma->trajectory[BY_SPEED]));
  page_note(page, "path",
            "At the printed speed the line takes %.4g s; in the printed time the speed is %.4g "
            "m/s. Its first pose has %d solutions, all in closed form; the run "
            "starts at q = (%.6g, %.6g, %.6g, %.6g, %.6g, %.6g) rad, the first solution that stays "
            "within "
            "the joint limits along the whole line.",
            lw_trajectory_duration(puma->trajectory[BY_SPEED]),
            lw_length(along) / page_number(page, "duration"), puma->solutions, puma->q[0],
            puma->q[1], puma->q[2], puma->q[3], puma->q[4], puma->q[5]);
}

// --- Table 6

static void note_row(PaperText* note, const char* what, const PumaRun* run)
{
  text_add(note, "| %s | %.2g | %.2g | %.2g | %ld |\n", what, largest(PUMA_JOINTS, run->mean[0]),
           largest(PUMA_JOINTS, run->mean[1]), largest(PUMA_JOINTS, run->mean[2]),
           run->evaluations);
}

static void note_readings(Page* page, const Runs* runs)
{
  PaperText note = {0};
  text_add(&note, "Other readings of the document (method GA), average differences of the worst "
                  "joint:\n\n| | q (rad) | qd (rad/s) | qdd (rad/s²) | evaluations "
                  "|\n|---|---:|---:|---:|---:|\n");
  note_row(&note, "printed time, torques at every instant", &runs->by_method[GA]);
  note_row(&note, "printed speed, torques at every instant", &runs->by_speed);
  note_row(&note, "printed time, torques held over each interval", &runs->sampled[TORQUES_HELD]);
  note_row(&note, "printed time, torques interpolated linearly over each interval",
           &runs->sampled[TORQUES_LINEAR]);
  text_note(page, "table-6", &note);
}

// Without feedback the motion is unstable: errors grow by a factor every second.
static void note_growth(Page* page, const Puma* puma, const PumaRun* run)
{
  int early = run->samples / 5, late = 3 * run->samples / 5;
  double seconds = (late - early) * puma->interval;
  page_note(
      page, "table-6",
      "There is no feedback that keeps the arm on its path. From t = %.3g s to %.3g s the largest "
      "difference grows from %.2g to %.2g rad, a factor of %.3g every second: the printed numbers "
      "are the amplified error of the first integration steps. The amplification depends on the "
      "masses and on the time, so the two readings differ a lot and the printed numbers lie "
      "between them.",
      (early + 1) * puma->interval, (late + 1) * puma->interval,
      largest(PUMA_JOINTS, run->error[early]), largest(PUMA_JOINTS, run->error[late]),
      pow(largest(PUMA_JOINTS, run->error[late]) / largest(PUMA_JOINTS, run->error[early]),
          1 / seconds));
}

static void measure_table_6(Page* page, const Puma* puma, const Runs* runs)
{
  const PumaRun* run = &runs->by_method[GA];
  for (int i = 0; i < PUMA_JOINTS; ++i)
    page_measure(page, JOINT_CLAIMS[i], 3,
                 (double[]){run->mean[0][i], run->mean[1][i], run->mean[2][i]});
  note_readings(page, runs);
  note_growth(page, puma, run);
}

// --- Table 7

// ns of one evaluation of forward dynamics of this robot, by each method.
static void time_methods(Page* page, const Puma* puma, double ns[METHODS])
{
  BenchTrial trials[METHODS];
  BenchLimits limits = {.seconds = page->quick ? 0.05 : 1.0, .call = 1e-3};
  for (int k = 0; k < METHODS; ++k)
    trials[k] = (BenchTrial){.model     = puma->model,
                             .method    = lw_method_find(LW_QUESTION_FORWARD, METHOD[k]),
                             .precision = LW_PRECISION_DOUBLE,
                             .mode      = TRIAL_SINGLE};
  if (page->status == DONE) page_check(page, bench_run(&limits, METHODS, trials));
  for (int k = 0; k < METHODS; ++k) ns[k] = page->status == DONE ? trials[k].best : NAN;
}

static void measure_times(Page* page, const Puma* puma, const Runs* runs)
{
  double ns[METHODS], seconds[METHODS];
  time_methods(page, puma, ns);
  for (int k = 0; k < METHODS; ++k)
    seconds[k] = ns[k] * 1e-9 * (double)runs->by_method[k].evaluations;
  page_measure(page, "table-7/time", METHODS, seconds);
  page_measure_one(page, "same/shortest", fmin(seconds[CRBA], seconds[ABA]) / seconds[GA]);
  page_note(
      page, "table-7",
      "The measured time covers all forward dynamics evaluations: %.0f, %.0f and %.0f ns each, "
      "in the order of the columns, on the machine of this run. On such a machine the time "
      "depends not only on the number of operations but as much on how many run in parallel.",
      ns[CRBA], ns[ABA], ns[GA]);
}

// Times of Table 7 and operations of Table 4, both relative to GA; ours beside them.
static void compare_operations(Page* page, const Chains* chains)
{
  static const char* const rows[METHODS] = {"table-4/walker-orin", "table-4/articulated-body",
                                            "table-4/this-work"};
  Values times                           = page_printed(page, "table-7/time");
  double printed[METHODS], table_4[METHODS], counted[METHODS];
  if (times.count != METHODS) return;
  for (int k = 0; k < METHODS; ++k)
  {
    Operations all = kernel_operations(page, chains, PUMA_JOINTS, LW_QUESTION_FORWARD, METHOD[k]);
    Values row     = page_printed(page, rows[k]);
    printed[k]     = times.at[k] / times.at[GA];
    table_4[k]     = row.count == 2 ? row.at[0] + row.at[1] : NAN;
    counted[k]     = (double)(all.mul + all.add);
  }
  for (int k = 0; k < METHODS; ++k)  // GA is the last
  {
    table_4[k] /= table_4[GA];
    counted[k] /= counted[GA];
  }
  page_print(page, "table-7/operations", METHODS, printed);
  page_measure(page, "table-7/operations", METHODS, table_4);
  page_fact(page, "1-30", "%.2f and %.2f in operations, %.2f and %.2f in time", table_4[CRBA],
            table_4[ABA], printed[CRBA], printed[ABA]);
  page_note(page, "table-7",
            "The kernels of linkwork take %.2f and %.2f times the operations of GA: in them CRBA "
            "is the dearest, in Table 4 ABA is.",
            counted[CRBA], counted[ABA]);
}

// Largest difference of any joint at any sample between two methods, rad.
static double run_difference(const PumaRun* a, const PumaRun* b)
{
  return largest_difference(a->samples * PUMA_JOINTS, a->q[0], b->q[0]);
}

static void measure_table_7(Page* page, const Puma* puma, const Chains* chains, const Runs* runs)
{
  const PumaRun* run = runs->by_method;
  double counts[METHODS];
  for (int k = 0; k < METHODS; ++k) counts[k] = (double)run[k].evaluations;
  page_measure(page, "table-7/evaluations", METHODS, counts);
  measure_times(page, puma, runs);
  compare_operations(page, chains);

  page_measure_one(page, "same/results",
                   fmax(run_difference(&run[GA], &run[CRBA]), run_difference(&run[GA], &run[ABA])));
}

// --- all of it

static void run_puma(Page* page, Puma* puma, Runs* runs)
{
  RunDef def = {BY_DURATION, METHOD[GA], page_number(page, "tolerance"), TORQUES_EXACT};
  for (int k = 0; k < METHODS; ++k)
  {
    def.forward = METHOD[k];
    puma_run(page, puma, &def, &runs->by_method[k]);
  }
  def.reading = BY_SPEED;
  puma_run(page, puma, &def, &runs->by_speed);
  def.reading = BY_DURATION;
  for (int k = TORQUES_HELD; k < TORQUES_COUNT; ++k)
  {
    def.torques = (PumaTorques)k;
    puma_run(page, puma, &def, &runs->sampled[k]);
  }
}

void mata2002_puma(Page* page, const Chains* chains)
{
  Puma puma;
  Runs* runs = calloc(1, sizeof *runs);
  puma_open(page, &puma);
  if (!runs) page_check(page, LW_ERROR_MEMORY);
  if (runs && page->status == DONE)
  {
    measure_path(page, &puma);
    run_puma(page, &puma, runs);
    measure_table_6(page, &puma, runs);
    measure_table_7(page, &puma, chains, runs);
    puma_figures(page, &puma, &runs->by_method[GA], &runs->by_speed);
  }
  puma_close(&puma);
  free(runs);
}
