// SPDX-License-Identifier: MIT
// What the controller of a scenario follows: laws, or a motion from a file.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "read/csv.h"
#include "scenario/scenario.h"

// --- laws

// A law for each joint.
typedef struct Laws
{
  int n;
  const lwLaw** laws;   // (n) or NULL: the joint stays where it begins
  const double* start;  // (n)
} Laws;

static void by_laws(void* context, double t, double* q, double* qd, double* qdd)
{
  const Laws* laws = context;
  for (int k = 0; k < laws->n; ++k)
  {
    double jet[3]    = {laws->start[k], 0, 0};
    lwLawPoint point = {.t = t, .k = k + 1, .n = laws->n};
    if (laws->laws[k]) lw_law_jet(laws->laws[k], &point, jet);
    q[k]   = jet[0];
    qd[k]  = jet[1];
    qdd[k] = jet[2];
  }
}

static void read_laws(lwScenarioReader* reader, lwNode* node)
{
  lwScenario* scenario = reader->scenario;
  Laws* laws           = lw_scenario_take(reader, 1, sizeof *laws);
  const lwLaw** each   = lw_scenario_take(reader, (size_t)scenario->n + 1, sizeof(void*));
  if (!laws || !each) return;
  *laws = (Laws){scenario->n, each, scenario->arm.q};
  lw_scenario_laws(reader, "q", node, each);
  scenario->arm.controller.reference = by_laws;
  scenario->arm.controller.context   = laws;
}

// --- a motion from a file

// Rows of a file; between them polynomials that have the values of both ends: of fifth order where accelerations are
// given, of third order where velocities are, of first order otherwise.
typedef struct Samples
{
  int n;
  long rows;
  const double *t, *q;     // (rows), (rows, n)
  const double *qd, *qdd;  // (rows, n) or NULL
} Samples;

// The last row that is not after t.
static long row_at(const Samples* samples, double t)
{
  long low = 0, high = samples->rows;
  while (low + 1 < high)
  {
    long middle = low + (high - low) / 2;
    if (samples->t[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// Position, velocity and acceleration of one joint at both ends of a piece; NAN: not given.
typedef struct Ends
{
  double q[2], qd[2], qdd[2];
} Ends;

// The polynomial in s = t - t0 through both ends of a piece of length h, into c.
static void polynomial(const Ends* e, double h, double c[6])
{
  memset(c, 0, 6 * sizeof *c);
  c[0] = e->q[0];
  c[1] = (e->q[1] - e->q[0]) / h;
  if (isnan(e->qd[0])) return;
  c[1] = e->qd[0];
  if (isnan(e->qdd[0]))
  {
    double slope = (e->q[1] - e->q[0]) / h;
    c[2]         = (3 * slope - 2 * e->qd[0] - e->qd[1]) / h;
    c[3]         = (e->qd[0] + e->qd[1] - 2 * slope) / (h * h);
    return;
  }
  // what is missing at the end of the piece, in units of position
  double p  = e->q[1] - (e->q[0] + h * (e->qd[0] + 0.5 * h * e->qdd[0]));
  double pd = (e->qd[1] - (e->qd[0] + h * e->qdd[0])) * h;
  double a  = (e->qdd[1] - e->qdd[0]) * h * h;
  c[2]      = 0.5 * e->qdd[0];
  c[3]      = (10 * p - 4 * pd + 0.5 * a) / (h * h * h);
  c[4]      = (-15 * p + 7 * pd - a) / (h * h * h * h);
  c[5]      = (6 * p - 3 * pd + 0.5 * a) / (h * h * h * h * h);
}

static Ends ends_of(const Samples* samples, long row, int k)
{
  Ends ends = {.qd = {NAN, NAN}, .qdd = {NAN, NAN}};
  for (int i = 0; i < 2; ++i)
  {
    size_t at = (size_t)(row + i) * (size_t)samples->n + (size_t)k;
    ends.q[i] = samples->q[at];
    if (samples->qd) ends.qd[i] = samples->qd[at];
    if (samples->qd && samples->qdd) ends.qdd[i] = samples->qdd[at];
  }
  return ends;
}

// Before the first row and after the last the arm is to stand where it is.
static void by_samples(void* context, double t, double* q, double* qd, double* qdd)
{
  const Samples* samples = context;
  long row               = row_at(samples, t);
  bool inside            = row + 1 < samples->rows && t >= samples->t[0];
  for (int k = 0; k < samples->n; ++k)
  {
    double c[6] = {samples->q[(size_t)row * (size_t)samples->n + (size_t)k]};
    double s    = inside ? t - samples->t[row] : 0;
    if (inside)
    {
      Ends ends = ends_of(samples, row, k);
      polynomial(&ends, samples->t[row + 1] - samples->t[row], c);
    }
    q[k]   = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
    qd[k]  = c[1] + s * (2 * c[2] + s * (3 * c[3] + s * (4 * c[4] + s * 5 * c[5])));
    qdd[k] = 2 * c[2] + s * (6 * c[3] + s * (12 * c[4] + s * 20 * c[5]));
  }
}

static void read_samples(lwScenarioReader* reader, const char* file, lwPlace place)
{
  lwScenario* scenario = reader->scenario;
  const char* path     = lw_scenario_path(reader, file);
  Samples* samples     = lw_scenario_take(reader, 1, sizeof *samples);
  lwCsvGroup groups[]  = {
       {.columns = {.symbol = "t", .single = true, .width = 1}, .increasing = true},
       {.columns = {.symbol = "q", .need = LW_COLUMNS_ALL}},
       {.columns = {.symbol = "qd", .need = LW_COLUMNS_ALL_OR_NONE}},
       {.columns = {.symbol = "qdd", .need = LW_COLUMNS_ALL_OR_NONE}}};
  lwDocument document;
  if (!path || !samples) return;
  for (int i = 1; i < 4; ++i)
  {
    groups[i].columns.width = scenario->n;
    groups[i].columns.names = lw_scenario_names(reader);
  }
  lwStatus status = lw_document_open_file(&document, path, reader->document.diag);
  if (status == LW_OK) status = lw_csv_read(&document, groups, 4, &scenario->arena, &samples->rows);
  if (status == LW_OK && samples->rows == 0)
  {
    lw_document_error(&document, ((lwPlace){1, 1}), NULL, "no motion below the header");
    status = LW_ERROR_INPUT;
  }
  lw_document_free(&document);
  lw_scenario_file_read(reader, status, path, place);
  if (status != LW_OK) return;
  samples->n   = scenario->n;
  samples->t   = groups[0].values;
  samples->q   = groups[1].values;
  samples->qd  = groups[2].values;
  samples->qdd = groups[3].values;

  scenario->arm.controller.reference = by_samples;
  scenario->arm.controller.context   = samples;
}

// --- any of them

typedef struct ReferenceText
{
  lwNode* q;
  const char* file;
  lwPlace places[2];
} ReferenceText;

static const lwKey reference_keys[] = {
    {.name = "file", .kind = LW_VALUE_NAME, .offset = offsetof(ReferenceText, file), .slot = 1},
    LW_NODE_KEY(ReferenceText, q),
};
static const lwTable reference_table = LW_TABLE("a reference", reference_keys);

void lw_scenario_reference(lwScenarioReader* reader, lwNode* node)
{
  ReferenceText text = {0};
  if (!lw_document_fill(&reader->document, node, &reference_table, &text, text.places)) return;
  if ((text.q != NULL) == (text.file != NULL))
    lw_document_error(&reader->document, node->place, "q: [0.5*sin(t), 0], or file: motion.csv",
                      "a reference has either 'q', laws in t, or 'file', a motion");
  else if (text.q)
    read_laws(reader, text.q);
  else
    read_samples(reader, text.file, text.places[1]);
}
