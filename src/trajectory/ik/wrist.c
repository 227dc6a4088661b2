// SPDX-License-Identifier: MIT
// Six joints of which the axes of the last three meet in one point, the wrist centre (Pieper 1968).
//
// The last three leave the wrist centre c where it is, so screw_1 screw_2 screw_3 c = G c: the
// position problem of three joints. The rotation that is left belongs to the last three: screw_4
// screw_5 screw_6 = (screw_1 screw_2 screw_3)^-1 G.
#include <string.h>

#include "trajectory/ik/ik_closed_form.h"

static bool has_spherical_wrist(lwClosedForm* form, char why[LW_WHY_NOT])
{
  return lw_axes_meet(form, 3, form->wrist, why);
}

static int wrist_candidates(const lwClosedForm* form, const lwGoal* goal,
                            lwIkSolution found[LW_MAX_CANDIDATES])
{
  const lwScrew* screw = form->screw;
  double centre[3];
  lwThree first[LW_MAX_THREE];
  int count = 0;
  lw_goal_move(goal, form->wrist, centre);
  int threes = lw_three_joints(screw, form->wrist, centre, form->size, goal->guess, first);
  for (int k = 0; k < threes; ++k)
  {
    double left[9], last[2][3];
    bool free = false;
    memcpy(left, goal->G, sizeof left);
    lw_undo_rotations(screw, 3, first[k].q, left);
    int pairs = lw_turn_three(screw + 3, left, goal->guess[3], last, &free);
    for (int j = 0; j < pairs; ++j, ++count)
    {
      found[count] = (lwIkSolution){.free_joint = free ? 3 : first[k].free_joint};
      memcpy(found[count].q, first[k].q, sizeof first[k].q);
      memcpy(found[count].q + 3, last[j], sizeof last[j]);
    }
  }
  return count;
}

const lwArmKind lw_spherical_wrist = {6, has_spherical_wrist, wrist_candidates};
