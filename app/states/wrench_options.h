// SPDX-License-Identifier: MIT
// Wrenches on links: constant ones of --wrench,
// and those of the columns fx..nz and fx.LINK..nz.LINK.
//
//   --wrench fx,fy,fz,nx,ny,nz               on the last link, at the origin and in axes of it
//   --wrench LINK=fx,..,nz                   on another one
//   --wrench LINK@x,y,z=..                   at a point of it
//   --wrench LINK/base=.., LINK@x,y,z/base=..  in base axes
//   --wrench LINK@x,y,z/base                 without values: where the columns fx.LINK.. act
#ifndef APP_STATES_WRENCH_OPTIONS_H
#define APP_STATES_WRENCH_OPTIONS_H

#include "states.h"

typedef struct Wrenches
{
  int count;              // places, 0: there are no wrenches
  lwWrenchPlace* places;  // (count)
  double* constants;      // (count, 6)
  bool tip;               // the first place is that of the columns fx..nz
  int links;              // places of columns fx.LINK.., after it
  double* values;         // (rows, count, 6)
} Wrenches;

// Reads --wrench, and which columns the header has (NULL: no file), and takes memory for those in
// the block.
Wrenches wrenches_of(const Options* options, const lwModel* model, const lwCsvHeader* header,
                     lwCsvBlock* block);

// True if they are the default of workspaces: one wrench on the last link.
bool wrenches_usual(const Wrenches* wrenches, const lwModel* model);

// Tells a workspace where they act.
void wrenches_place(const Wrenches* wrenches, const lwModel* model, lwWorkspace* ws);

// The wrenches of the rows of a block, in wrenches->values; NULL: none.
const double* wrenches_fill(Wrenches* wrenches, const lwCsvBlock* block);

#endif
