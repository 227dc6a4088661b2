// SPDX-License-Identifier: MIT
// linkwork bench --peers: other programs on the same robots and states, in the same run.
//
//   shared objects --load--> Peer --compare--> answers agree --race--> table, csv, json, plot
#ifndef BENCH_COMMAND_PEERS_H
#define BENCH_COMMAND_PEERS_H

#include "bench.h"
#include "peer.h"

enum
{
  MAX_PEERS = 2
};

typedef struct Peers
{
  Bench bench;
  int count;
  const Peer* peer[MAX_PEERS];
  void* object[MAX_PEERS];  // handles of their shared objects
  double* difference;       // (bench.count) relative difference from our answers; NAN for ours
} Peers;

// Finds the peers' shared objects and sets peers->count, which may be 0.
void peers_find(Peers* peers);

// Calls peers_find(); prints an error and returns INPUT if there are none; otherwise DONE.
int peers_load(Peers* peers);
void peers_unload(Peers* peers);

// The largest difference between a peer's answers and ours over random states, relative to the size
// of the answer; for accelerations, M times their difference, relative to the torque. Infinite if
// an answer is not finite; negative if out of memory.
double peers_difference(const BenchTrial* trial);

const char* trial_program(const Peers* peers, const BenchTrial* trial);

// Adds a row to the table, measured or to be measured.
void add_peer_row(Peers* peers, BenchTrial trial, double difference);

// Times forward dynamics of a robot with loops, by us and by peers that support loops. DONE or an
// exit code.
int peers_with_loops(Peers* peers, const lwModel* model);
bool is_ours_with_loops(const BenchTrial* trial);

// True for our default methods.
bool is_default(const BenchTrial* trial);

// Plots time over the number of joints on one core, a line for each program and for our batches.
// DONE or INPUT.
int peers_plot(const Peers* peers, const char* path);

#endif
