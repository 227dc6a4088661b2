// SPDX-License-Identifier: MIT
// What a fleet can be made of.
#include <math.h>

#include "base/diag.h"
#include "fleet/fleet_internal.h"
#include "fleet/thread_pool.h"

static const char* type_of(const lwModel* model, int i)
{
  return model->kind[i] & LW_KIND_PRISMATIC ? "prismatic" : "revolute";
}

// Equal joints in equal order on equal links; dimensions may differ.
static bool is_alike(const lwModel* first, const lwModel* model, int arm, lwDiag* diag)
{
  const char* hint = "arms of a fleet have the same structure; make a fleet for each";
  if (model->n != first->n)
  {
    LW_REFUSE(diag, hint, "arm %d has %d moving joints, expected %d as the first has", arm + 1,
              model->n, first->n);
    return false;
  }
  for (int i = 0; i < first->n; ++i)
  {
    if (model->parent[i] != first->parent[i])
      LW_REFUSE(diag, hint,
                "arm %d: joint %d rides on joint %d, expected %d as in the first (0: base)",
                arm + 1, i + 1, model->parent[i] + 1, first->parent[i] + 1);
    else if (type_of(model, i) != type_of(first, i))
      LW_REFUSE(diag, hint, "arm %d: joint %d is %s, expected %s as in the first", arm + 1, i + 1,
                type_of(model, i), type_of(first, i));
    else
      continue;
    return false;
  }
  return true;
}

// Can be moved by articulated bodies.
static bool can_move(const lwModel* model, bool rotors, int arm, lwDiag* diag)
{
  int inert = rotors ? model->inert_driven : model->inert;
  if (model->coupled)
    LW_REFUSE(diag, "lwJointChoice.free_mimics lets them move by themselves",
              "arm %d has joints that mimic others, which a fleet cannot couple", arm + 1);
  else if (!model->direct)
    LW_REFUSE(diag, NULL, "arm %d has ball or floating joints, which a fleet cannot move", arm + 1);
  else if (model->loops)
    LW_REFUSE(diag, NULL, "arm %d has closed loops, which a fleet cannot keep closed", arm + 1);
  else if (inert >= 0)
    LW_REFUSE(diag, NULL, "arm %d: nothing resists joint '%.60s', so it has no acceleration",
              arm + 1, model->robot.joints[inert].name);
  else
    return true;
  return false;
}

static bool check_models(const lwFleetDef* def, lwDiag* diag)
{
  const lwModel* first = lw_fleet_model(def, 0);
  bool right           = true;
  int different        = def->model ? 1 : def->count;
  for (int arm = 0; arm < different; ++arm)
  {
    const lwModel* model = lw_fleet_model(def, arm);
    right = is_alike(first, model, arm, diag) && can_move(model, def->rotors, arm, diag) && right;
  }
  return right;
}

lwStatus lw_fleet_check(const lwFleetDef* def, lwDiag* diag)
{
  lwStatus made = lw_def_check(def->cookie, "lw_fleet_def()", diag);
  if (made != LW_OK) return made;
  const lwIntegratorMethod* method = lw_integrator_method_find(def->method);
  if (!method || method->adaptive)
    return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                     "'%.60s' is no method of fixed steps, expected kutta3 or rk4", def->method);
  bool steps = isfinite(def->step) && def->step > 0, fast = def->fastest > 0;
  bool ends    = def->end >= 0;
  bool threads = lw_thread_count(def->threads) > 0;
  bool arms    = def->count > 0 && (def->model || def->models);
  if (!steps) LW_REFUSE(diag, NULL, "the step is %g s, expected a positive number", def->step);
  if (!ends) LW_REFUSE(diag, NULL, "the end is %g s, expected a time or 0", def->end);
  if (!fast) LW_REFUSE(diag, NULL, "fastest is %g, expected a positive speed", def->fastest);
  if (!threads) LW_REFUSE(diag, NULL, "%d threads, expected 0 to %d", def->threads, LW_MAX_THREADS);
  if (!arms) LW_REFUSE(diag, NULL, "the fleet has no arms");
  return arms && check_models(def, diag) && steps && ends && fast && threads ? LW_OK
                                                                             : LW_ERROR_INPUT;
}
