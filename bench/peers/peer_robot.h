// SPDX-License-Identifier: MIT
// Converts a model to the form for peers.
#ifndef BENCH_PEERS_PEER_ROBOT_H
#define BENCH_PEERS_PEER_ROBOT_H

#include "linkwork/model.h"
#include "peer.h"

// The robot in canonical form, which every peer supports: one body per joint, axes along z, no
// fixed joints. Mimic joints become independent. False: out of memory. Free it with
// peer_robot_free().
bool peer_robot_make(const lwModel* model, PeerRobot* robot);
void peer_robot_free(PeerRobot* robot);

// A robot with loops in the frames of its file. False: out of memory, joints other than revolute,
// prismatic, universal, ball and fixed ones, or loops that constrain anything but positions. Free
// it with peer_linkage_free().
bool peer_linkage_make(const lwModel* model, PeerLinkage* linkage);
void peer_linkage_free(PeerLinkage* linkage);

// robots/stewart.yaml
lwStatus peer_stewart_create(lwModel** model);

// An arm with the proportions of the PUMA 560, whose products of inertia are all non-zero.
lwStatus peer_puma_create(lwModel** model);

// robots/panda.yaml
lwStatus peer_panda_create(lwModel** model);

#endif
