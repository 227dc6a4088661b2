// SPDX-License-Identifier: MIT
// A snake of Table II over time, by one of the methods and in one precision.
#ifndef PAPERS_NIA2005_TRACK_H
#define PAPERS_NIA2005_TRACK_H

#include "table2.h"

// How a motion is computed.
typedef struct TrackWay
{
  const char* method;     // whose state is (theta, u); NULL: Lagrange's, in all coordinates
  lwPrecision precision;  // of the rates, and of the state between steps
  bool stabilised;  // in all coordinates: after every step the rates satisfy the constraints again
} TrackWay;

// How long, and in which steps of rk4. Every record comes after a whole number of steps.
typedef struct TrackSpan
{
  double duration;  // s
  double step;      // s
  int records;      // besides the one at t = 0
} TrackSpan;

enum
{
  TRACK_T,        // s
  TRACK_THETA,    // rad, direction of link 1
  TRACK_X,        // m, its middle along the ground
  TRACK_KINETIC,  // J
  TRACK_S,        // J, kinetic energy less work of the torques
  TRACK_SLIP,     // m/s, largest sideways speed of a wheel
  TRACK_COLUMNS
};

typedef struct Track
{
  int count;       // records
  double* values;  // (count x TRACK_COLUMNS)
} Track;

// DONE, or the status of the page. Must be freed either way.
int track_run(Page* page, const Table2* table, const TrackWay* way, const TrackSpan* span,
              Track* track);
void track_free(Track* track);

double track_at(const Track* track, int record, int column);

// The largest |a - b| of two tracks over the same times, and the largest |a - a(0)| of one.
double track_gap(const Track* a, const Track* b, int column);
double track_drift(const Track* track, int column);
double track_peak(const Track* track, int column);

#endif
