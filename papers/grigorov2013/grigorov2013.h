// SPDX-License-Identifier: MIT
// grigorov2013 in parts: each function fills sections of the page.
//
//   equations.c    (5)-(13), corrected, on generic arms                    grigorov_literal.c, bed.c
//   any_link.c     (12) with forces on every link
//   errata.c       what each erratum costs
//   growth.c       operation counts, and the introduction's statements about other methods
//   manipulator.c  the arm of section 3 with its load, and its motion
//   figure3.c      the motion: positions, velocities, accelerations
//   figure4.c      driving torques
//   figure5.c      what happens when the valves close                      valves.c
//   bands.c        the same with parameters that are known roughly, by a study
//   integrators.c  the same by several integrators
//   packages.c     other programs that compute the same
#ifndef PAPERS_GRIGOROV2013_GRIGOROV2013_H
#define PAPERS_GRIGOROV2013_GRIGOROV2013_H

#include "linkwork/scenario.h"
#include "linkwork/trajectory.h"
#include "papers.h"
#include "words.h"

enum
{
  JOINTS = 5,  // of the manipulator
  POINTS = 3   // of its motion: start, middle, end
};

// The manipulator of section 3.
typedef struct Manipulator
{
  lwModel* model;            // with the load on its hook
  lwWorkspace* closed_form;  // computes by grigorov2013 (10)-(13), corrected
  lwWorkspace* usual;        // by RNEA, CRBA, ABA; its frame is the load's centre of mass
  lwTarget target[POINTS];
  lwIkResult reached[POINTS];
  double q[POINTS][JOINTS];  // rad
  double t[POINTS];          // s
  lwTrajectory* trajectory;  // of third order through the points
} Manipulator;

// Fills in as much as it can; a failure is in page->status. Must be closed either way.
void manipulator_open(Manipulator* manipulator, Page* page);
void manipulator_close(Manipulator* manipulator);

// A trajectory through the same points at the same times, joined differently. NULL after a failure.
lwTrajectory* manipulator_move(const Manipulator* manipulator, Page* page, lwJoin join);

// A description of a model whose joints, (count) of the caller's, may be changed.
lwRobotDef robot_copy(const lwModel* model, lwJointDef* joints);

void write_equations(Page* page);
void write_errata(Page* page);
void write_growth(Page* page);
void write_figure3(Page* page, const Manipulator* manipulator);
void write_figure4(Page* page, const Manipulator* manipulator);
void write_figure5(Page* page, const Manipulator* manipulator);
void write_expected(Page* page);
void write_integrators(Page* page, const Manipulator* manipulator);
void write_packages(Page* page, const Manipulator* manipulator);

// --- shared by the parts

extern const char* const JOINT_TITLES[JOINTS];  // of curves

// Numbers of the page under this id; false, with the failure noted, if there are not as many.
bool data_take(Page* page, const char* id, int count, double* numbers);

#endif
