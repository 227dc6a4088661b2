// SPDX-License-Identifier: MIT
// linkwork bench --peers: other programs on the same robots and states, in the same run.
//
//   shared objects --load--> Peer --prove--> answers agree --race--> table, csv, json, plot
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
  void* object[MAX_PEERS];  // the shared objects they are in
  double* difference;       // (bench.count) from our answers, relative; NAN for ours
} Peers;

// Finds the peers' shared objects, which may be none; peers->count tells.
void peers_find(Peers* peers);

// The same where they are needed. Prints what is wrong and returns INPUT if there
// are none, or DONE.
int peers_load(Peers* peers);
void peers_unload(Peers* peers);

// The largest difference between a peer's answers and ours, relative to the size of the answer,
// over random states; accelerations by the torque that their difference takes. Infinite if an
// answer is not finite, negative: out of memory.
double peers_difference(const BenchTrial* trial);

const char* trial_program(const Peers* peers, const BenchTrial* trial);
const char* trial_way(const BenchTrial* trial);  // the name of its method

// A row of the table, measured or to be measured.
void add_peer_row(Peers* peers, BenchTrial trial, double difference);

// A robot with loops: forward dynamics of ours and of the peers that have loops. DONE, or why not.
int peers_with_loops(Peers* peers, const lwModel* model);
bool is_ours_with_loops(const BenchTrial* trial);

// True for the methods of ours that answer by default.
bool is_default(const BenchTrial* trial);

// The time of our default method, one state per call, on the same robot and question; NAN:
// it was not measured.
double our_ns(const Peers* peers, const BenchTrial* trial);

// Time over the number of joints on one core,
// a line for each program and for our batches. DONE or INPUT.
int peers_plot(const Peers* peers, const char* path);

#endif
