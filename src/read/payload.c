// SPDX-License-Identifier: MIT
#include "read/payload.h"

#include <math.h>

#include "model/lint/lint.h"

// Places of the keys.
enum
{
  AT_MASS = 1,
  AT_COM,
  AT_INERTIA,
  AT_COUNT
};

static const lwKey keys[] = {
    LW_KEY(lwLinkDef, mass, .required = true, .slot = AT_MASS, .measure = LW_MEASURE_MASS),
    LW_KEY(lwLinkDef, com, .slot = AT_COM, .size = 3, .measure = LW_MEASURE_LENGTH),
    LW_KEY(lwLinkDef, inertia, .slot = AT_INERTIA, .size = 6, .unit = "kg m^2"),
};
static const lwTable table = LW_TABLE("a payload", keys);

// Moments in files carry six digits or so, as in model/lint/check_link.c.
static const double rounding = 1e-6;

static void check_inertia(lwDocument* document, const double I[6], lwPlace at)
{
  double moments[3];
  lw_principal_moments(I, moments);
  double trace = fabs(moments[0]) + fabs(moments[1]) + fabs(moments[2]);
  if (moments[0] + moments[1] >= moments[2] - rounding * trace) return;
  lw_document_error(document, at, "it is about the payload's own centre of mass, xx yy zz xy xz yz",
                    "no rigid body has these principal moments: %.6g, %.6g, %.6g kg m^2",
                    moments[0], moments[1], moments[2]);
}

static bool within(const double* x, int count)
{
  for (int i = 0; i < count; ++i)
    if (!(fabs(x[i]) <= 1e30)) return false;
  return true;
}

bool lw_payload_read(lwDocument* document, lwNode* node, lwLinkDef* payload)
{
  lwPlace places[AT_COUNT] = {{0}};
  *payload                 = (lwLinkDef){0};
  if (!lw_document_fill(document, node, &table, payload, places)) return false;
  int before = document->errors;
  if (!(payload->mass > 0 && payload->mass <= 1e30))
    lw_document_error(document, places[AT_MASS], NULL,
                      "'mass' must be positive and at most 1e30 kg (%g kg)", payload->mass);
  if (!within(payload->com, 3))
    lw_document_error(document, places[AT_COM], NULL, "'com' must be within +-1e30 m");
  if (!within(payload->inertia, 6))
    lw_document_error(document, places[AT_INERTIA], NULL, "'inertia' must be within +-1e30 kg m^2");
  else
    check_inertia(document, payload->inertia, places[AT_INERTIA]);
  return document->errors == before;
}
