// SPDX-License-Identifier: MIT
// What `linkwork bench --peers` needs of another program: a shared object with one function,
// peer_interface(). It is built by bench/peers/setup and found when the program runs; neither the
// build nor the tests need it.
//
//   PeerRobot --create--> the peer's own robot --run--> torques, inertia matrix, accelerations
#ifndef BENCH_PEERS_PEER_H
#define BENCH_PEERS_PEER_H

#include <stdbool.h>
#include <stddef.h>

enum
{
  PEER_INTERFACE = 1  // to be raised when something below changes
};

// A joint and the body it carries. The frame of the body has z along the axis of the joint.
typedef struct PeerJoint
{
  // index of the joint whose body carries this one, less than the own index; -1: the base
  int parent;
  bool slides;        // along z, otherwise it turns about z
  double R[9];        // axes of the frame at q = 0 in those of the parent, row by row
  double p[3];        // m, its origin at q = 0, in the frame of the parent
  double mass;        // kg
  double com[3];      // m, own frame
  double inertia[6];  // kg m^2, about the centre of mass, own axes, xx yy zz xy xz yz
} PeerJoint;

typedef struct PeerRobot
{
  int n;
  double gravity[3];        // m/s^2, frame of the base
  const PeerJoint* joints;  // (n)
} PeerRobot;

typedef enum PeerQuestion
{
  PEER_INVERSE,  // x is qdd, out (n) tau
  PEER_INERTIA,  // out (n n) M, row by row
  PEER_FORWARD,  // x is tau, out (n) qdd
  PEER_QUESTIONS
} PeerQuestion;

// A way in which the peer answers a question.
typedef struct PeerMethod
{
  PeerQuestion question;
  const char* name;  // the functions of the peer that do the work
  void (*run)(void* arm, const double* q, const double* qd, const double* x, double* out);

  // What run() has left in the peer's own form, as `out`; NULL: run() has filled it. It takes part
  // in the proof that answers are equal, but not in the time.
  void (*read)(void* arm, double* out);
} PeerMethod;

typedef struct Peer
{
  int interface;  // PEER_INTERFACE
  const char* program;
  const char* version;

  // The robot, or NULL and one sentence in message if the peer cannot have it.
  void* (*create)(const PeerRobot* robot, char* message, size_t size);
  void (*destroy)(void* arm);
  int method_count;
  const PeerMethod* methods;
} Peer;

#ifdef __cplusplus
extern "C"
#endif
    __attribute__((visibility("default"))) const Peer*
    peer_interface(void);

#endif
