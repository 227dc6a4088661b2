// SPDX-License-Identifier: MIT
// What `linkwork bench` measures, and how it shows it.
#ifndef BENCH_COMMAND_BENCH_H
#define BENCH_COMMAND_BENCH_H

#include "app.h"
#include "io/output.h"
#include "measure.h"

enum
{
  BENCH_ROBOTS = 64  // at most
};

typedef struct Bench
{
  BenchLimits limits;
  const char* method;  // the only one to measure, or NULL: all
  int question;        // the only one, or -1: all
  bool precisions[2];  // those to measure
  bool crossover;      // forward dynamics by the articulated body and by the inertia matrix only
  int threads;         // of the batches that have several; 1: there are none of those
  bool chains;         // the robots are generic chains
  int robots;
  lwModel** models;  // (robots), fewer joints first if they are chains
  int* slow_from;    // (methods) joints from which one call takes too long, 0: none
  int count;
  BenchTrial* trials;        // (count) those of one robot side by side
  bool generated;            // generated code runs, too
  lwSpecialised** specials;  // (robots)
} Bench;

lwQuestion trial_question(const BenchTrial* trial);
const char* trial_method(const BenchTrial* trial);
int trial_joints(const BenchTrial* trial);

// The fastest trial on the same robot that answers the same question.
double fastest_ns(const Bench* bench, const BenchTrial* trial);

// A robot's trials, grouped by question; ns per joint over n;
// where generated code stops paying; where articulated-body overtakes composite-body.
void bench_write_robot(Out* out, const Bench* bench, const lwModel* model);
void bench_write_growth(Out* out, const Bench* bench);
void bench_write_generated(Out* out, const Bench* bench);
void bench_write_crossover(Out* out, const Bench* bench);

// Draws time over the number of joints, one line a method. DONE or INPUT.
int bench_plot(const Bench* bench, const char* path);

// The robots that the command line asks for; without ROBOT and --dof, the default chains.
// DONE, or why not.
int bench_make_robots(const Options* options, Bench* bench);

// Numbers of joints as --dof gives them, smaller ones first. DONE or USAGE.
int bench_joints(const char* text, int joints[BENCH_ROBOTS], int* count);

// What --question says: inverse, inertia or forward, or -1. DONE or USAGE.
int bench_question(const Options* options, int* question);

// What --quick and --question say. DONE or USAGE.
int bench_choose(const Options* options, Bench* bench);

// The generic chain of each of these numbers of joints,
// behind the robots that are there. DONE or INPUT.
int bench_add_chains(Bench* bench, int count, const int* joints);

// False, with a note, if one call of the method takes too long on a chain as long as
// this model, or shorter.
bool bench_is_slow(Bench* bench, const lwModel* model, int method);
void bench_show_progress(const Bench* bench, int robot);
void bench_free(Bench* bench);

// 3 significant digits or all before the point; not finite: -
void out_ns(Out* out, int width, double ns);

// linkwork bench --latency, and --peers
int bench_latency(const Options* options);
int bench_peers(const Options* options);

#endif
