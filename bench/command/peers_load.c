// SPDX-License-Identifier: MIT
// Finds peers: shared objects in the folder peers beside the program, or in LINKWORK_PEERS.
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/note.h"
#include "peers.h"

static const char* const OBJECTS[MAX_PEERS] = {"mujoco.so", "kdl.so"};

// The folder of the program, or "." if the system does not tell.
static void program_folder(char folder[PATH_MAX])
{
  ssize_t length                  = readlink("/proc/self/exe", folder, PATH_MAX - 1);
  folder[length > 0 ? length : 0] = 0;
  char* slash                     = strrchr(folder, '/');
  if (slash)
    *slash = 0;
  else
    strcpy(folder, ".");
}

// Opens a peer; reports a file that exists but is not a peer.
static void load_peer(Peers* peers, const char* path)
{
  if (access(path, R_OK) != 0) return;
  void* object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object)
  {
    note("bench: %s", dlerror());
    return;
  }
  const Peer* (*interface)(void) = NULL;
  void* symbol                   = dlsym(object, "peer_interface");
  memcpy(&interface, &symbol, sizeof interface);
  const Peer* peer = interface ? interface() : NULL;
  if (!peer || peer->interface != PEER_INTERFACE)
  {
    note("bench: %s is of another version; run bench/peers/setup again", path);
    dlclose(object);
    return;
  }
  peers->object[peers->count] = object;
  peers->peer[peers->count++] = peer;
}

// Where to look for peers.
typedef struct PeerPlace
{
  char program[PATH_MAX];     // folder of the program
  char folder[PATH_MAX + 8];  // of the peers
  const char* named;          // folder given by the environment, or NULL
} PeerPlace;

// Loads the peers found; aloud: reports those that are missing.
static void find_peers(Peers* peers, PeerPlace* place, bool aloud)
{
  char path[PATH_MAX + 24];
  place->named = getenv("LINKWORK_PEERS");
  program_folder(place->program);
  snprintf(place->folder, sizeof place->folder, "%s%s",
           place->named ? place->named : place->program, place->named ? "" : "/peers");
  for (int i = 0; i < MAX_PEERS; ++i)
  {
    int length = snprintf(path, sizeof path, "%s/%s", place->folder, OBJECTS[i]);
    int before = peers->count;
    if (length > 0 && (size_t)length < sizeof path) load_peer(peers, path);
    if (aloud && peers->count == before && i > 0 && peers->count > 0)
      note("bench: %s is missing; continuing without it", path);
  }
}

void peers_find(Peers* peers)
{
  PeerPlace place;
  find_peers(peers, &place, false);
}

int peers_load(Peers* peers)
{
  PeerPlace place;
  find_peers(peers, &place, true);
  if (peers->count > 0) return DONE;
  return fail(
      INPUT,
      "bench: no peers in %s; 'bench/peers/setup %s' installs MuJoCo and KDL and builds them",
      place.folder, place.named ? "FOLDER" : place.program);
}

void peers_unload(Peers* peers)
{
  for (int i = 0; i < peers->count; ++i) dlclose(peers->object[i]);
  peers->count = 0;
}
