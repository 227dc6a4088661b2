// SPDX-License-Identifier: MIT
// What the controller of a scenario follows: laws, or a motion from a file.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scenario/scenario_internal.h"
#include "trajectory/samples.h"

// --- laws

// A law for each joint.
typedef struct ReferenceLaws
{
  int n;
  const lwLaw** laws;   // (n) or NULL: the joint stays where it begins
  const double* start;  // (nq)
  const lwScenario* scenario;
} ReferenceLaws;

static void by_laws(void* context, double t, double* q, double* qd, double* qdd)
{
  const ReferenceLaws* laws = context;
  memcpy(q, laws->start, (size_t)lw_model_nq(laws->scenario->model) * sizeof *q);
  for (int k = 0; k < laws->n; ++k)
  {
    int at = lw_model_velocity(laws->scenario->model, k).other;
    qd[k] = qdd[k] = 0;
    if (at < 0) continue;
    double jet[3]    = {laws->start[at], 0, 0};
    lwLawPoint point = {.t = t, .k = k + 1, .n = laws->n};
    if (laws->laws[k]) lw_law_jet(laws->laws[k], &point, jet);
    q[at]  = jet[0];
    qd[k]  = jet[1];
    qdd[k] = jet[2];
  }
}

static void read_laws(lwScenarioReader* reader, lwNode* node)
{
  lwScenario* scenario = reader->scenario;
  ReferenceLaws* laws  = lw_keep_take(reader->keep, 1, sizeof *laws);
  const lwLaw** each   = lw_keep_take(reader->keep, (size_t)scenario->n + 1, sizeof(void*));
  if (!laws || !each) return;
  *laws = (ReferenceLaws){scenario->n, each, scenario->arm.q, scenario};
  lw_scenario_laws(reader, "q", node, each);
  for (int k = 0; k < scenario->n; ++k)
    if (each[k] && lw_model_velocity(scenario->model, k).other < 0)
    {
      lw_document_error(&reader->document, node->place, "name the joints that have laws",
                        "joint '%s' has a quaternion, which stays where it begins",
                        lw_model_joint_name(scenario->model, k));
      break;
    }
  scenario->arm.controller.reference = by_laws;
  scenario->arm.controller.context   = laws;
}

// --- a trajectory from a file

static void by_samples(void* context, double t, double* q, double* qd, double* qdd)
{
  lw_samples_at(context, t, q, qd, qdd);
}

static void read_samples(lwScenarioReader* reader, const char* file, lwPlace place)
{
  lwScenario* scenario = reader->scenario;
  const char* path     = lw_keep_path(reader->keep, &reader->document, file);
  lwSamples* samples   = lw_keep_take(reader->keep, 1, sizeof *samples);
  if (!path || !samples) return;
  lwStatus status =
      lw_samples_read(path, scenario->model, &scenario->keep.arena, reader->document.diag, samples);
  lw_keep_file(reader->keep, &reader->document, status, path, place);
  if (status != LW_OK) return;
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
    LW_KEY(ReferenceText, file, .kind = LW_VALUE_NAME, .slot = 1),
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
