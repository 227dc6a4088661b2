// SPDX-License-Identifier: MIT
// Whether forward dynamics of a robot is possible, and if not, which joint prevents it.
#include <string.h>

#include "app.h"

bool has_followers(const lwModel* model)
{
  const lwRobotDef* robot = lw_model_robot(model);
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    if (joint->type == LW_JOINT_SCREW || (joint->mimic.given && joint->type != LW_JOINT_FIXED))
      return true;
  }
  return false;
}

void forward_check(const lwModel* model, const char* path, const lwWorkspaceDef* def)
{
  int inert    = def->rotors ? lw_model_inert_driven(model) : lw_model_inert(model);
  bool couples = !strcmp(def->forward, "auto") ||
                 lw_method_find(LW_QUESTION_INERTIA, def->forward) >= 0 || !has_followers(model);
  if (inert >= 0)
  {
    const lwJointDef* joint = &lw_model_robot(model)->joints[inert];
    stop(USAGE,
         "%s:%d: forward dynamics is impossible: joint '%s' moves link '%s' and, alone or with "
         "joints "
         "further out, no %s its axis; give the link one%s",
         path, joint->line, joint->name, link_name(joint),
         joint->type == LW_JOINT_PRISMATIC ? "mass along" : "inertia about",
         def->rotors ? ", or the joint a motor with rotor_inertia"
                     : ", or add that of a motor's rotor by --rotors");
  }
  if (!couples)
    stop(USAGE,
         "--method: %s cannot couple the mimic joints and screws of %s; use auto or an inertia "
         "method, or --mimic independent",
         def->forward, lw_model_name(model));
}
