// SPDX-License-Identifier: MIT
// How fast studies are compared with their parts, in one run and on one thread:
// - inverse dynamics and drive loads along a trajectory, another robot in every sample: states/s,
//   against lw_answer_many() of one robot
// - simulations in lanes: arms/s, against a fleet of one robot
// - writing a row to the database
// usage: study_speed STUDIES     the folder with puma_payload.yaml and puma_swing.yaml
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "linkwork/fleet.h"
#include "linkwork/linkwork.h"
#include "linkwork/study.h"

static const double SECONDS = 1;  // of each measurement

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static lwStudy* open_study(const char* folder, const char* name)
{
  char path[4096];
  lwStudy* study = NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (lw_study_read_file(path, NULL, &study) == LW_OK) return study;
  fprintf(stderr, "study_speed: %s cannot be read\n", path);
  exit(1);
}

// Samples per second and thread.
static double sample_rate(const lwStudy* study)
{
  lwStudyWorker* worker = NULL;
  lw_study_worker_create(study, NULL, NULL, &worker);
  int batch   = lw_study_worker_batch(worker);
  int count   = batch > 8 ? batch : 8;
  void* rows  = malloc(lw_study_row_bytes(study) * (size_t)count);
  double done = 0, began = now();
  for (; now() - began < SECONDS; done += count) lw_study_work(worker, (long)done, count, rows);
  double rate = done / (now() - began);
  lw_study_worker_destroy(worker);
  free(rows);
  return rate;
}

// States per second of one robot, as many at once as the trajectory has.
static double state_rate(const lwModel* model, int count)
{
  lwWorkspaceDef def = lw_workspace_def();
  lwWorkspace* ws    = NULL;
  size_t size        = (size_t)lw_model_dof(model) * (size_t)count;
  double* numbers    = malloc(4 * size * sizeof *numbers);
  for (size_t i = 0; i < 3 * size; ++i) numbers[i] = 1e-3 * (double)(i % 1000);
  lwStates states = {.q = numbers, .qd = numbers + size, .qdd = numbers + 2 * size};
  def.layout      = LW_LAYOUT_BY_ENTRY;
  def.questions   = LW_ASKS(LW_QUESTION_INVERSE);
  lw_workspace_create(model, &def, NULL, &ws);
  double done = 0, began = now();
  for (; now() - began < SECONDS; done += count)
    lw_answer_many(model, ws, LW_QUESTION_INVERSE, count, &states, numbers + 3 * size);
  double rate = done / (now() - began);
  lw_workspace_destroy(ws);
  free(numbers);
  return rate;
}

// Arms of one robot that swing for the same time with the same steps,
// records and law: arms per second.
static double fleet_rate(const lwModel* model, int arms, double duration, double record,
                         const lwLaw* law)
{
  lwFleetDef def = lw_fleet_def();
  lwFleet* fleet = NULL;
  def.count      = arms;
  def.model      = model;
  def.threads    = 1;
  def.viscous    = true;
  def.rotors     = true;
  def.law        = law;
  lw_fleet_create(&def, NULL, &fleet);
  double done = 0, began = now();
  for (; now() - began < SECONDS; done += arms)
  {
    lw_fleet_start(fleet, 0, NULL, NULL);
    for (int k = 1; k * record <= duration + 1e-9; ++k) lw_fleet_advance(fleet, k * record);
  }
  double rate = done / (now() - began);
  lw_fleet_destroy(fleet);
  return rate;
}

// Rows per second into a database.
static double row_rate(const lwStudy* study, int count)
{
  char path[]           = "/tmp/linkwork-speed-XXXXXX";
  lwStudyWorker* worker = NULL;
  lwResults* results    = NULL;
  void* rows            = malloc(lw_study_row_bytes(study) * (size_t)count);
  lw_study_worker_create(study, NULL, NULL, &worker);
  int file = mkstemp(path);
  if (file < 0 || lw_results_open(study, path, true, NULL, &results) != LW_OK) return 0;
  double spent = 0;
  long done    = 0;
  for (int i = 0; i < 8; ++i, done += count)
  {
    lw_study_work(worker, done, count, rows);
    double began = now();
    lw_results_put(results, rows, count, NULL);
    spent += now() - began;
  }
  lw_results_close(results);
  lw_study_worker_destroy(worker);
  close(file);
  unlink(path);
  free(rows);
  return (double)done / spent;
}

int main(int count, char** arguments)
{
  const char* folder = count > 1 ? arguments[1] : "studies";
  char path[4096];
  lwModel* model = NULL;
  lwLaw* law     = NULL;
  snprintf(path, sizeof path, "%s/../robots/puma560.yaml", folder);
  lwStudy *payload = open_study(folder, "puma_payload.yaml"),
          *swing   = open_study(folder, "puma_swing.yaml");
  if (lw_robot_read_file(path, NULL, NULL, &model) != LW_OK) return 1;
  lw_law_create_joint("law", "5*sin(t)", NULL, &law);
  double one = state_rate(model, 5001), many = 5001 * sample_rate(payload);
  printf("inverse dynamics: %.4g states/s of one robot, %.4g with drive loads, another robot in "
         "every sample: %.2f\n",
         one, many, many / one);
  double plain = fleet_rate(model, 32, 2, 0.01, law), lanes = sample_rate(swing);
  printf("simulation: %.4g arms/s of a fleet, %.4g samples/s: %.2f\n", plain, lanes, lanes / plain);
  printf("database: %.4g rows/s in chunks of 32, %.4g in chunks of 512\n", row_rate(payload, 32),
         row_rate(payload, 512));
  lw_law_destroy(law);
  lw_model_destroy(model);
  lw_study_destroy(payload);
  lw_study_destroy(swing);
  return 0;
}
