// SPDX-License-Identifier: MIT
// Measurements and output of `linkwork bench`.
#ifndef BENCH_COMMAND_BENCH_H
#define BENCH_COMMAND_BENCH_H

#include "app.h"
#include "io/output.h"
#include "measure.h"

enum
{
  BENCH_ROBOTS  = 64,  // at most
  BENCH_COLUMNS = 12
};

typedef struct Bench
{
  BenchLimits limits;
  const char* method;  // measure only this one; NULL: all
  int question;        // measure only this one; -1: all
  bool precisions[2];  // which to measure
  bool crossover;      // compare only articulated-body and composite-body forward dynamics
  int threads;         // of multi-threaded batches; 1: no such batches
  bool chains;         // the robots are generic chains
  int robots;
  lwModel** models;  // (robots), fewer joints first if they are chains
  int* slow_from;    // (methods) number of joints from which one call takes too long; 0: none
  int count;
  BenchTrial* trials;        // (count) those of one robot are adjacent
  bool generated;            // measure generated code, too
  lwSpecialised** specials;  // (robots)
} Bench;

lwQuestion trial_question(const BenchTrial* trial);
const char* trial_method(const BenchTrial* trial);
int trial_joints(const BenchTrial* trial);

// The fastest trial on the same robot that answers the same question; on a snake, in the same mode.
double fastest_ns(const Bench* bench, const BenchTrial* trial);

// All trials as a sheet of so many columns, at most BENCH_COLUMNS.
void bench_write_sheet(lwOut* out, const Bench* bench, lwFormat format, int columns);

// Tables: a robot's trials, grouped by question; ns per joint over n; the number of joints up to
// which generated code pays; the number from which articulated-body is faster than composite-body.
void bench_write_robot(lwOut* out, const Bench* bench, const lwModel* model);
void bench_write_growth(lwOut* out, const Bench* bench);
void bench_write_generated(lwOut* out, const Bench* bench);
void bench_write_crossover(lwOut* out, const Bench* bench);

// Plots time over the number of joints, one line per method. DONE or INPUT.
int bench_plot(const Bench* bench, const char* path);

// Makes the robots named on the command line; the default chains without ROBOT and --dof. DONE or
// an exit code.
int bench_make_robots(const Options* options, Bench* bench);

// Numbers of joints or links, "2,4,7", from `least` to `most`, in increasing order. DONE or USAGE.
int bench_sizes(Option option, const char* text, int least, int most, int sizes[BENCH_ROBOTS],
                int* count);

// The question given by --question: inverse, inertia, forward, or -1. DONE or USAGE.
int bench_question(const Options* options, int* question);

// Reads --quick and, if the command has it, --question. DONE or USAGE.
int bench_choose(const Options* options, Bench* bench);

// Appends generic chains with these numbers of joints to the robots. DONE or INPUT.
int bench_add_chains(Bench* bench, int count, const int* joints);

// True if one call of the method takes too long on a chain as long as this model, or shorter; says
// so on standard error.
bool bench_is_slow(Bench* bench, const lwModel* model, int method);
void bench_show_progress(const Bench* bench, int robot);
void bench_free(void* bench);  // a Bench, for hold()

// Writes 3 significant digits, or all digits before the point; - if not finite.
void out_ns(lwOut* out, int width, double ns);

// Forward dynamics of a robot with closed loops, by every formulation beside lw_loops_forward().
int bench_closed(const Options* options, Bench* bench, lwFormat format);
bool bench_names_formulation(const char* name);

// linkwork bench --latency, --truth and --peers
int bench_latency(const Options* options);
int bench_truth(const Options* options);
int bench_peers(const Options* options);

#endif
