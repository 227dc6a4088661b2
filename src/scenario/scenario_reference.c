// SPDX-License-Identifier: MIT
// What the controller of a scenario follows: laws, or a motion from a file.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "read/csv_series.h"
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
  ReferenceLaws* laws  = lw_scenario_take(reader, 1, sizeof *laws);
  const lwLaw** each   = lw_scenario_take(reader, (size_t)scenario->n + 1, sizeof(void*));
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

// Names of the entries of q, or of qd.
static const char* const* motion_names(lwScenarioReader* reader, bool positions)
{
  const lwModel* model = reader->scenario->model;
  int count            = positions ? lw_model_nq(model) : lw_model_dof(model);
  const char** names   = lw_scenario_take(reader, (size_t)count + 1, sizeof *names);
  for (int i = 0; names && i < count; ++i)
    names[i] = (positions ? lw_model_position(model, i) : lw_model_velocity(model, i)).name;
  return names;
}

static lwStatus check_quaternions(const lwModel* model, lwDocument* document, const double* q,
                                  long rows)
{
  for (long k = 0; k < rows; ++k)
  {
    lwDiag* diag = lw_diag_create();
    lwStatus status =
        lw_model_check_positions(model, q + (size_t)k * (size_t)lw_model_nq(model), diag);
    if (status != LW_OK)
      lw_document_error(document, ((lwPlace){(int)k + 2, 1}), NULL, "%s",
                        lw_diag_size(diag) ? lw_diag_message(diag, 0)->text : "wrong positions");
    lw_diag_destroy(diag);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

static void read_samples(lwScenarioReader* reader, const char* file, lwPlace place)
{
  lwScenario* scenario = reader->scenario;
  const char* path     = lw_scenario_path(reader, file);
  lwSamples* samples   = lw_scenario_take(reader, 1, sizeof *samples);
  lwCsvGroup groups[]  = {
       {.columns = {.symbol = "t", .single = true, .width = 1}, .increasing = true},
       {.columns = {.symbol = "q", .need = LW_COLUMNS_ALL}},
       {.columns = {.symbol = "qd", .need = LW_COLUMNS_ALL_OR_NONE}},
       {.columns = {.symbol = "qdd", .need = LW_COLUMNS_ALL_OR_NONE}}};
  lwDocument document;
  if (!path || !samples) return;
  lwTurns* turns = lw_scenario_take(reader, 1, sizeof *turns);
  if (!turns || !lw_turns_take(turns, &scenario->arena, scenario->model, scenario->n)) return;
  for (int i = 1; i < 4; ++i)
  {
    groups[i].columns.width = i == 1 ? turns->nq : scenario->n;
    groups[i].columns.names = motion_names(reader, i == 1);
  }
  lwStatus status = lw_document_open_file(&document, path, reader->document.diag);
  if (status == LW_OK) status = lw_csv_read(&document, groups, 4, &scenario->arena, &samples->rows);
  if (status == LW_OK && samples->rows == 0)
  {
    lw_document_error(&document, ((lwPlace){1, 1}), NULL, "no motion below the header");
    status = LW_ERROR_INPUT;
  }
  if (status == LW_OK)
    status = check_quaternions(scenario->model, &document, groups[1].values, samples->rows);
  lw_document_free(&document);
  lw_scenario_file_read(reader, status, path, place);
  if (status != LW_OK) return;
  samples->n     = scenario->n;
  samples->turns = turns;
  samples->t     = groups[0].values;
  samples->q     = groups[1].values;
  samples->qd    = groups[2].values;
  samples->qdd   = groups[3].values;

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
