// SPDX-License-Identifier: MIT
// The interface of another program for `linkwork bench --peers`: a shared object with one function,
// peer_interface(). It is built by bench/peers/setup and loaded at run time; neither the build nor
// the tests need it.
//
//   PeerRobot --create--> the peer's own robot --run--> torques, inertia matrix, accelerations
#ifndef BENCH_PEERS_PEER_H
#define BENCH_PEERS_PEER_H

#include <stdbool.h>
#include <stddef.h>

enum
{
  PEER_INTERFACE = 3  // increment when something below changes
};

// A joint and the body it carries. The frame of the body has z along the axis of the joint.
typedef struct PeerJoint
{
  // index of the joint whose body carries this one, less than its own index; -1: the base
  int parent;
  bool slides;        // along z, otherwise it turns about z
  double R[9];        // rotation of the frame at q = 0 relative to the parent, row by row
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

// A body of a robot with loops, in the frames of its file, and how it moves on its parent.
typedef struct PeerBody
{
  int parent;         // index of a body, less than its own; -1: the base
  double R[9], p[3];  // its frame at q = 0 in that of the parent
  int moves;    // degrees of freedom: 0 fixed, 1, or 2 for a universal joint; -1: a ball joint
  bool slides;  // its one degree of freedom is prismatic
  double axis[2][3];  // of each degree of freedom, own frame at q = 0
  int q, v;           // index of its first position and velocity
  double mass;        // kg
  double com[3];      // m, own frame
  double inertia[6];  // kg m^2, as in PeerJoint
} PeerBody;

// Two points of two bodies that coincide.
typedef struct PeerPin
{
  int body[2];      // -1: the base
  double at[2][3];  // m, in the frame of each
} PeerPin;

// Quaternions in q are x y z w; angular velocities of ball joints are in axes of their body.
typedef struct PeerLinkage
{
  int bodies, pins, nq, dof;
  double gravity[3];     // m/s^2, frame of the base
  const PeerBody* body;  // (bodies)
  const PeerPin* pin;    // (pins)
} PeerLinkage;

typedef enum PeerQuestion
{
  PEER_INVERSE,  // x is qdd, out (n) tau
  PEER_INERTIA,  // out (n n) M, row by row
  PEER_FORWARD,  // x is tau, out (n) qdd
  PEER_QUESTIONS
} PeerQuestion;

// A method by which the peer answers a question.
typedef struct PeerMethod
{
  PeerQuestion question;
  const char* name;  // the functions of the peer that do the work
  void (*run)(void* arm, const double* q, const double* qd, const double* x, double* out);

  // Converts the result of run() from the peer's own form to `out`; NULL: run() has filled it. Used
  // in the comparison of the answers, but not timed.
  void (*read)(void* arm, double* out);
} PeerMethod;

// A motion over time, of a model in the peer's own format, with its own settings. watch() is called
// at the start and after every step; energy: kinetic and potential, J.
typedef struct PeerRun
{
  const char* model;
  double end;                    // s
  const double *q, *qd, *force;  // of each degree of freedom: at the start; constant
  const double* command;         // of actuators, constant, or NULL
  void (*watch)(void* context, double t, const double* q, const double* qd, double energy);
  void* context;
} PeerRun;

typedef struct Peer
{
  int interface;  // PEER_INTERFACE
  const char* program;
  const char* version;

  // The robot, or NULL and one sentence in message if the peer does not support it.
  void* (*create)(const PeerRobot* robot, char* message, size_t size);
  void (*destroy)(void* arm);
  int method_count;
  const PeerMethod* methods;

  // A robot with loops, and its forward dynamics, out (dof) qdd; NULL: the peer does
  // not support loops. Free it with destroy().
  void* (*create_linkage)(const PeerLinkage* linkage, char* message, size_t size);
  const PeerMethod* with_loops;

  // Simulates; false, with one sentence in message, if the peer cannot. NULL: it never does.
  bool (*run)(const PeerRun* run, char* message, size_t size);
} Peer;

#ifdef __cplusplus
extern "C"
#endif
    __attribute__((visibility("default"))) const Peer*
    peer_interface(void);

#endif
