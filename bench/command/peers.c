// SPDX-License-Identifier: MIT
// linkwork bench --peers: times linkwork and other programs in one race.
#include "peers.h"
#include "io/note.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/output.h"
#include "linkwork/loop.h"
#include "peer_robot.h"
#include "text/table_writer.h"

enum
{
  MAX_ROBOTS = 64,
  COLUMNS    = 12,
  MESSAGE    = 1000,
  MOST       = 64  // trials on one robot
};

#define AGREEMENT       1e-9  // relative; peers differ by rounding and by how they store inertias
#define SLOWEST_OF_OURS 1e-3  // s; slower methods of the registry are skipped
#define SLOWEST_PEER    1.0   // s
#define SLOW_ROUNDS     12    // the slowest get time for this many rounds

static const int CHAINS[]                     = {10, 30, 100, 300, 1000};
static const lwQuestion ASKED[PEER_QUESTIONS] = {[PEER_INVERSE] = LW_QUESTION_INVERSE,
                                                 [PEER_INERTIA] = LW_QUESTION_INERTIA,
                                                 [PEER_FORWARD] = LW_QUESTION_FORWARD};

const char* trial_program(const Peers* peers, const BenchTrial* trial)
{
  for (int i = 0; i < peers->count; ++i)
    for (int k = 0; k < peers->peer[i]->method_count; ++k)
      if (trial->peer &&
          (trial->peer == &peers->peer[i]->methods[k] || trial->peer == peers->peer[i]->with_loops))
        return peers->peer[i]->program;
  return "linkwork";
}

// The name of its method.
static const char* trial_way(const BenchTrial* trial)
{
  return trial->peer ? trial->peer->name : trial_method(trial);
}

bool is_default(const BenchTrial* trial)
{
  if (trial->peer) return is_ours_with_loops(trial);
  return !strcmp(lw_method_auto(trial->model, trial_question(trial)), trial_method(trial));
}

// The time of our default method, one state per call, on the same robot and question; NAN if not
// measured.
static double our_ns(const Peers* peers, const BenchTrial* trial)
{
  for (int i = 0; i < peers->bench.count; ++i)
  {
    const BenchTrial* other = &peers->bench.trials[i];
    if (other->model == trial->model && trial_question(other) == trial_question(trial) &&
        is_default(other) && other->mode == TRIAL_SINGLE)
      return other->best;
  }
  return NAN;
}

static const char COLUMN[] =
    "robot,n,question,program,method,mode,threads,ns,median_ns,ratio,difference,"
    "rounds";

static const char* mode_name(const BenchTrial* trial)
{
  return trial->mode == TRIAL_PACKED ? "packed" : trial->mode == TRIAL_BATCH ? "batch" : "single";
}

static void peer_row(const void* context, int i, lwCell* cells)
{
  const Peers* peers        = context;
  const BenchTrial* trial   = &peers->bench.trials[i];
  const lwCell all[COLUMNS] = {lw_cell_text(lw_model_name(trial->model)),
                               lw_cell_number(trial_joints(trial)),
                               lw_cell_text(lw_question_info(trial_question(trial))->name),
                               lw_cell_text(trial_program(peers, trial)),
                               lw_cell_text(trial_way(trial)),
                               lw_cell_text(mode_name(trial)),
                               lw_cell_number(trial->threads),
                               lw_cell_number(trial->best),
                               lw_cell_number(trial->median),
                               lw_cell_number(trial->best / our_ns(peers, trial)),
                               lw_cell_number(peers->difference[i]),
                               lw_cell_number(trial->rounds)};
  memcpy(cells, all, sizeof all);
}

static void write_line(lwOut* out, const Peers* peers, int i)
{
  const BenchTrial* trial = &peers->bench.trials[i];
  bool first              = i == 0 || trial_question(trial - 1) != trial_question(trial) ||
               trial[-1].model != trial->model;
  lw_out_format(out, "%-9s %-9s %-25s %-6s %7d",
                first ? lw_question_info(trial_question(trial))->name : "",
                trial_program(peers, trial), trial_way(trial), mode_name(trial), trial->threads);
  out_ns(out, 10, trial->best);
  out_ns(out, 10, trial->median);
  lw_out_format(out, "%9.2f", trial->best / our_ns(peers, trial));
  if (isfinite(peers->difference[i])) lw_out_format(out, "%12.1e", peers->difference[i]);
  lw_out_text(out, "\n");
}

static void write_peer_table(lwOut* out, const Peers* peers)
{
  const Bench* bench = &peers->bench;
  double load[1]     = {NAN};
  lw_out_text(out, "ours and peers, ns per state");
  for (int i = 0; i < peers->count; ++i)
    lw_out_format(out, ", %s %s", peers->peer[i]->program, peers->peer[i]->version);
  if (getloadavg(load, 1) == 1) lw_out_format(out, "; load average %.1f", load[0]);
  for (int i = 0; i < bench->count; ++i)
  {
    if (i == 0 || bench->trials[i - 1].model != bench->trials[i].model)
      lw_out_format(out, "\n\n%s\n%-9s %-9s %-25s %-6s %7s%10s%10s%9s%12s\n",
                    lw_model_name(bench->trials[i].model), "question", "program", "method", "mode",
                    "threads", "best", "median", "ratio", "difference");
    write_line(out, peers, i);
  }
  lw_out_text(out,
              "\nratio: to our default method, one state per call; difference: of the answers, "
              "relative to their size\n");
}

void add_peer_row(Peers* peers, BenchTrial trial, double difference)
{
  peers->difference[peers->bench.count]     = difference;
  peers->bench.trials[peers->bench.count++] = trial;
}

// Adds each of our methods with one state per call, the default methods in batches, too, and
// inertia matrices as packed triangles.
static void add_ours(Peers* peers, const lwModel* model, lwQuestion question)
{
  Bench* bench = &peers->bench;
  for (int i = 0; i < lw_method_count(); ++i)
  {
    BenchTrial trial = {.model = model, .method = i, .threads = 1};
    if (trial_question(&trial) != question) continue;
    if (!is_default(&trial) && bench_is_slow(bench, model, i)) continue;
    add_peer_row(peers, trial, NAN);
    trial.mode = TRIAL_PACKED;
    if (is_default(&trial) && question == LW_QUESTION_INERTIA) add_peer_row(peers, trial, NAN);
    trial.mode = TRIAL_BATCH;
    if (is_default(&trial)) add_peer_row(peers, trial, NAN);
    trial.threads = bench->threads;
    if (is_default(&trial) && trial.threads > 1) add_peer_row(peers, trial, NAN);
  }
}

// Adds a method of a peer after checking that its answers agree with ours.
static int add_peer(Peers* peers, BenchTrial trial, double* seconds)
{
  double call = bench_call_seconds(&trial);
  if (call > SLOWEST_PEER)
  {
    note("bench: %s is skipped on %s: one call takes %.2g s", trial.peer->name,
         lw_model_name(trial.model), call);
    return DONE;
  }
  double difference = call < 0 ? -1 : peers_difference(&trial);
  if (difference < 0) return no_memory();
  if (difference > AGREEMENT)
    return fail(NO,
                "bench: %s and linkwork disagree about %s of %s by %.2g, expected at most %g; "
                "nothing is timed",
                trial.peer->name, lw_question_info(trial_question(&trial))->name,
                lw_model_name(trial.model), difference, AGREEMENT);
  *seconds += call * SLOW_ROUNDS;
  add_peer_row(peers, trial, difference);
  return DONE;
}

static int add_peers(Peers* peers, const lwModel* model, void* const arms[MAX_PEERS], int asked,
                     double* seconds)
{
  int status = DONE;
  int method = lw_method_find(ASKED[asked], lw_method_auto(model, ASKED[asked]));
  for (int i = 0; i < peers->count; ++i)
    for (int k = 0; arms[i] && status == DONE && k < peers->peer[i]->method_count; ++k)
    {
      const PeerMethod* way = &peers->peer[i]->methods[k];
      BenchTrial trial      = {
               .model = model, .method = method, .threads = 1, .peer = way, .peer_arm = arms[i]};
      if ((int)way->question == asked) status = add_peer(peers, trial, seconds);
    }
  return status;
}

static void make_arms(const Peers* peers, const lwModel* model, const PeerRobot* robot,
                      void* arms[MAX_PEERS])
{
  for (int i = 0; i < peers->count; ++i)
  {
    char message[MESSAGE]           = "";
    arms[i]                         = peers->peer[i]->create(robot, message, sizeof message);
    message[strcspn(message, "\n")] = 0;
    if (!arms[i])
      note("bench: %s is skipped on %s: %s", peers->peer[i]->program, lw_model_name(model),
           message);
  }
}

// Each question is a separate race, so that a slow answer to one does not cost the others rounds.
static int race_robot(Peers* peers, const lwModel* model, void* const arms[MAX_PEERS])
{
  Bench* bench = &peers->bench;
  for (int asked = 0; asked < PEER_QUESTIONS; ++asked)
  {
    if (bench->question >= 0 && bench->question != (int)ASKED[asked]) continue;
    BenchLimits limits = bench->limits;
    int first          = bench->count;
    add_ours(peers, model, ASKED[asked]);
    int status = add_peers(peers, model, arms, asked, &limits.seconds);
    if (status != DONE) return status;
    lwStatus run = bench_run(&limits, bench->count - first, bench->trials + first);
    if (run != LW_OK) return fail(INPUT, "%s", lw_status_text(run));
  }
  return DONE;
}

static int measure_robot(Peers* peers, const lwModel* model)
{
  PeerRobot robot       = {0};
  void* arms[MAX_PEERS] = {NULL};
  if (lw_model_loop_count(model) > 0) return peers_with_loops(peers, model);
  if (!peer_robot_make(model, &robot)) return no_memory();
  int status = DONE;
  if (robot.n != lw_model_dof(model))
    status = fail(INPUT, "bench: --peers takes no robot with joints that mimic others");
  if (status == DONE) make_arms(peers, model, &robot, arms);
  if (status == DONE) status = race_robot(peers, model, arms);
  for (int i = 0; i < peers->count; ++i)
    if (arms[i]) peers->peer[i]->destroy(arms[i]);
  peer_robot_free(&robot);
  return status;
}

static int time_peers(Peers* peers)
{
  Bench* bench      = &peers->bench;
  size_t trials     = (size_t)bench->robots * MOST;
  bench->threads    = bench_threads();
  bench->slow_from  = calloc((size_t)lw_method_count(), sizeof *bench->slow_from);
  bench->trials     = calloc(trials, sizeof *bench->trials);
  peers->difference = calloc(trials, sizeof *peers->difference);
  if (!bench->slow_from || !bench->trials || !peers->difference) return no_memory();
  int status = DONE;
  for (int i = 0; i < bench->robots && status == DONE; ++i)
  {
    bench_show_progress(bench, i);
    status = measure_robot(peers, bench->models[i]);
  }
  bench_show_progress(bench, bench->robots);
  return status;
}

static int make_robots(const Options* options, Bench* bench)
{
  if (options->operand || options->value[OPTION_DOF]) return bench_make_robots(options, bench);
  bench->models   = calloc(MAX_ROBOTS, sizeof(lwModel*));
  lwStatus status = bench->models ? peer_puma_create(&bench->models[0]) : LW_ERROR_MEMORY;
  if (status == LW_OK) bench->robots = 1, status = peer_panda_create(&bench->models[1]);
  if (status == LW_OK) bench->robots = 2, status = peer_stewart_create(&bench->models[2]);
  if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
  bench->robots = 3;
  return bench_add_chains(bench, sizeof CHAINS / sizeof *CHAINS, CHAINS);
}

static void write_peers(lwOut* out, lwFormat format, const Peers* peers)
{
  const lwSheet sheet = {
      .columns = COLUMN, .rows = peers->bench.count, .row = peer_row, .context = peers};
  if (format == LW_FORMAT_TABLE)
    write_peer_table(out, peers);
  else
    lw_sheet_write(out, format, &sheet);
}

static void release_peers(void* context)
{
  Peers* peers = context;
  bench_free(&peers->bench);
  free(peers->difference);
  peers_unload(peers);
}

int bench_peers(const Options* options)
{
  lwFormat format  = format_of(options);
  Peers* peers     = hold(allocate(1, sizeof *peers), release_peers);
  const char* plot = options->value[OPTION_PLOT];
  need(bench_choose(options, &peers->bench));
  peers->bench.limits.call = SLOWEST_OF_OURS;
  need(peers_load(peers));
  need(make_robots(options, &peers->bench));
  lwOut* out = output_of(options);
  need(time_peers(peers));
  write_peers(out, format, peers);
  int status = output_end(out, DONE);
  return status == DONE && plot ? peers_plot(peers, plot) : status;
}
