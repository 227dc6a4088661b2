// SPDX-License-Identifier: MIT
// What an option does for one command, where that differs from its general text.
#include <string.h>

#include "app.h"

typedef struct SpecialHelp
{
  const char* command;
  Option option;
  const char* argument;  // NULL: the usual one
  const char* help;
} SpecialHelp;

static const SpecialHelp SPECIAL[] = {
    {"close", OPTION_Q, NULL,
     "driven positions, rad or m: all of q, the driven ones alone, or by name --q crank=30 deg"},
    {"close", OPTION_QD, NULL, "velocities of the driven joints, likewise; the others follow"},
    {"close", OPTION_QDD, NULL, "accelerations of the driven joints, likewise"},
    {"close", OPTION_IN, NULL, "many states, CSV: q.., perhaps qd.., qdd..; - for stdin"},
    {"close", OPTION_ALL, NULL, "all solutions: a row for each, the nearest to --q first"},
    {"convert", OPTION_OUT, NULL,
     "where the table of the comparison goes (default: standard output)"},
    {"convert", OPTION_STATES, NULL, "how many random states to compare (default 100)"},
    {"convert", OPTION_SEED, NULL, "seed of the random states (default 1)"},
    {"count", OPTION_METHOD, NULL, "count only the methods of this name"},
    {"generate", OPTION_QUESTION, "LIST", "what to answer (default inverse); see below"},
    {"generate", OPTION_METHOD, NULL, "a method, or best (default): the fewest operations"},
    {"generate", OPTION_PRECISION, NULL, "double (default) or single: type of all numbers"},
    {"generate", OPTION_OUT, NULL, "the file to write; header and test program go beside it"},
    {"check", OPTION_IN, NULL,
     "compare the torques of this CSV file with ours: q.., qd.., qdd.., tau.."},
    {"check", OPTION_STATES, NULL, "how many random states to try (default 100)"},
    {"check", OPTION_TOLERANCE, NULL,
     "for --in, relative to the largest torque of the joint (default 1e-6)"},
    {"check", OPTION_PRECISION, NULL, "check the methods in double (default) or single precision"},
    {"accuracy", OPTION_DOF, "LIST",
     "generic chains of that many revolute joints instead of ROBOT: 7 or 2,4,7"},
    {"accuracy", OPTION_METHOD, NULL, "only the methods of this name"},
    {"accuracy", OPTION_PLOT, NULL,
     "plot the worst error over the number of joints, .svg, .png or .pdf (needs gnuplot)"},
    {"sensitivity", OPTION_QUESTION, NULL, "inverse (default), forward, bias, gravity or coriolis"},
    {"sensitivity", OPTION_WRENCH, NULL,
     "fx,fy,fz,nx,ny,nz by the environment on the last link, N and N m"},
    {"sensitivity", OPTION_TOLERANCE, "LIST",
     "how far parameters may be off: mass=5%,length=0.5mm,angle=0.1 deg"},
    {"sensitivity", OPTION_IN, NULL,
     "a whole trajectory, CSV: perhaps t, q.., qd.., qdd.. or tau..; - for stdin"},
    {"sensitivity", OPTION_NAMES, NULL, "name outputs by joint: tau.elbow"},
    {"study", OPTION_OUT, "FILE", "the database of the results; with --sample, the table"},
    {"study", OPTION_THREADS, NULL, "threads that compute samples (default: all)"},
    {"study merge", OPTION_OUT, NULL, "the new database"},
    {"study report", OPTION_PLOT, NULL,
     "plot bands, histograms, tornado and convergence, .svg, .png or .pdf (needs gnuplot)"},
    {"prove", OPTION_DOF, NULL,
     "a generic chain of N revolute joints instead of ROBOT, 1 <= N <= 100"},
    {"prove", OPTION_SEED, NULL, "seed of the points and random structures (default 1)"},
    {"prove", OPTION_STRICT, NULL, "every warning about the robot or snake is an error"},
    {"excite", OPTION_DURATION, NULL, "s (default 20)"},
    {"excite", OPTION_DT, NULL, "s between samples (default 0.01)"},
    {"excite", OPTION_SEED, NULL, "seed of the search (default 1)"},
    {"excite", OPTION_VELOCITY, NULL,
     "speed limit besides those of ROBOT, one for all joints or one each"},
    {"excite", OPTION_ACCELERATION, NULL,
     "acceleration limit, one for all joints or one each (default 10)"},
    {"identify", OPTION_IN, NULL,
     "the log, CSV: t, q.., tau.. or i.., perhaps qd.., qdd..; --data is the same; required"},
    {"identify", OPTION_OUT, NULL, "write the identified robot, FILE.yaml or FILE.urdf"},
    {"identify", OPTION_ROTORS, NULL, "also identify rotor inertias, gear^2 rotor_inertia"},
    {"identify", OPTION_FORMAT, NULL,
     "table (default), csv with a line for each estimate, or json"},
    {"identify", OPTION_PLOT, NULL,
     "plot torques, measured (pale) and predicted, .svg, .png or .pdf (needs gnuplot)"},
    {"regressor", OPTION_ROTORS, NULL, "also columns for gear^2 rotor_inertia of every joint"},
    {"regressor", OPTION_FRICTION, NULL, "also columns for friction: viscous, coulomb, offset"},
    {"inverse", OPTION_FRICTION, "MU",
     "coefficient of friction of --contact: which forces are within their cones, exit 1 if not "
     "all"},
    {"linearise", OPTION_WRENCH, NULL,
     "fx,fy,fz,nx,ny,nz by the environment on the last link, N and N m"},
    {"linearise", OPTION_FORMAT, NULL, "table, csv, json or matlab"},
    {"linearise", OPTION_Q, NULL,
     "joint positions, rad or m (default for a scenario: its initial state)"},
    {"linearise", OPTION_IN, NULL,
     "a whole trajectory, CSV: q.., perhaps t, qd.., qdd.., fx..nz; - for stdin"},
    {"drives", OPTION_IN, NULL,
     "the trajectory, CSV: t, q.., qd.., qdd.., perhaps fx..nz; required"},
    {"drives", OPTION_METHOD, NULL, "how to compute the rigid-body torques, for example rnea"},
    {"loads", OPTION_IN, NULL,
     "the trajectory, CSV: t, q.., qd.., qdd.., perhaps fx..nz; required"},
    {"loads", OPTION_PLOT, NULL,
     "plot the reactions over time, .svg, .png or .pdf (needs gnuplot)"},
    {"bench", OPTION_DOF, "LIST",
     "generic chains of that many revolute joints instead of ROBOT: 7 or 2,4,7"},
    {"bench", OPTION_METHOD, NULL, "time only the methods of this name"},
    {"bench", OPTION_PRECISION, NULL, "time only double or single precision (default: both)"},
    {"bench", OPTION_QUICK, NULL, "fewer rounds: takes less time, times vary more"},
    {"bench", OPTION_PLOT, NULL,
     "plot time over the number of joints, .svg, .png or .pdf (needs gnuplot)"},
    {"bench", OPTION_CALLS, NULL,
     "with --latency: calls of each question (default 1e7, 1e5 with --quick)"},
    {"simulate", OPTION_IN, NULL,
     "a trajectory for ROBOT to follow, CSV: t, q.., perhaps qd.., qdd..; - for stdin"},
    {"simulate", OPTION_FROM, "FILE", "go on from a state that --save wrote, to the last bit"},
    {"snake simulate", OPTION_FROM, "FILE",
     "go on from a state that --save wrote, to the last bit"},
    {"simulate", OPTION_LINK, NULL, "the link whose pose is recorded (default: the last one)"},
    {"simulate", OPTION_NAMES, NULL, "name columns by joint: q.elbow, q_err.elbow"},
    {"simulate", OPTION_DURATION, NULL, "s, instead of the duration of the scenario or trajectory"},
    {"simulate", OPTION_DT, NULL, "s between records, instead of those of the scenario"},
    {"simulate", OPTION_INTEGRATOR, NULL,
     "NAME:STEP or NAME:RTOL[,ATOL] instead of the scenario's; see below"},
    {"simulate", OPTION_PLOT, NULL, "plot the run over time, .svg, .png or .pdf (needs gnuplot)"},
    {"paper", OPTION_OUT, "DIR", "folder for pages, tables and figures, created if it is missing"},
    {"paper", OPTION_QUICK, NULL, "take less time; the verdicts are the same"},
    {"shell", OPTION_INTEGRATOR, NULL,
     "integrator of simulations, NAME:STEP or NAME:RTOL[,ATOL] (default kutta3:1e-3)"},
    {"plot", OPTION_OUT, NULL, "the picture to write, FILE.svg, FILE.png or FILE.pdf; required"},
    {"plot", OPTION_PLOT_X, NULL, "the column along the horizontal axis (default t)"},
    {"parts", OPTION_LINK, NULL, "print this link only (default: all links)"},
    {"parts", OPTION_STRICT, NULL, "every warning about the parts is an error"},
    {"snake state", OPTION_IN, NULL,
     "many states, CSV: theta1..thetan,u1,u2,T1..Tn-1; - for stdin"},
    {"snake simulate", OPTION_IN, NULL, "torques over time, CSV: t,T1..Tn-1; - for stdin"},
    {"snake simulate", OPTION_DURATION, NULL, "s (default 10)"},
    {"snake simulate", OPTION_DT, NULL, "s between records (default 0.01)"},
    {"snake simulate", OPTION_INTEGRATOR, NULL,
     "NAME:STEP or NAME:RTOL[,ATOL] (default rk4:1e-3); see below"},
    {"snake simulate", OPTION_PLOT, NULL,
     "plot path, angles and energy, .svg, .png or .pdf (needs gnuplot)"},
    {"snake bench", OPTION_QUICK, NULL, "fewer rounds: takes less time, times vary more"},
    {"snake bench", OPTION_PRECISION, NULL, "time double (default) or single precision"},
    {"snake simulate", OPTION_PRECISION, NULL, "double (default) or single precision"},
    {"snake check", OPTION_PRECISION, NULL,
     "check the methods in double (default) or single precision"},
    {"plan", OPTION_IN, NULL, "all waypoints from a CSV file: q1..qn, and t if times are given"},
    {"plan", OPTION_NAMES, NULL, "name columns by joint: q.elbow, qdd.elbow"},
    {"plan", OPTION_PLOT, NULL,
     "with --simulate or --fastest: plot the run, .svg, .png or .pdf (needs gnuplot)"},
    {"plan", OPTION_DURATION, NULL, "s (default: as short as the limits allow)"},
    {"plan", OPTION_DT, NULL, "s between samples (default 0.001)"},
    {"plan", OPTION_LINK, NULL,
     "with --profile line: the link that follows the line (default: the last one)"},
    {"plan", OPTION_TOOL, NULL,
     "with --profile line: x,y,z[,r,p,y], the frame on that link that follows the line"},
    {"plan", OPTION_POSE, NULL, "with --profile line: x,y,z[,r,p,y] of its end, m and rad"},
    {"plan", OPTION_POSITION, NULL,
     "with --profile line: x,y,z of its end, m; the orientation is free"},
    {"ik", OPTION_IN, NULL, "many poses, CSV: x,y,z and r11..r33 or roll,pitch,yaw; see below"},
    {"ik", OPTION_Q, NULL, "initial guess of the search (default: the middle of the limits)"},
    {"ik", OPTION_SEED, NULL, "seed of the random starting positions (default 1)"},
    {"ik", OPTION_LINK, NULL, "the link that must reach the pose (default: the last one)"},
    {"ik", OPTION_NAMES, NULL, "name columns by joint: q.elbow"},
    {"pose", OPTION_LINK, NULL, "the link whose pose is asked for (default: the last one)"},
    {"jacobian", OPTION_LINK, NULL, "the link whose velocity is asked for (default: the last one)"},
    {"info", OPTION_FORMAT, NULL, "table (default), csv with a line for each joint, or json"},
    {"lint", OPTION_FORMAT, NULL, "table (default), csv with a line for each finding, or json"},
};

static const SpecialHelp* find_special(const Command* command, Option option)
{
  for (size_t i = 0; i < sizeof SPECIAL / sizeof SPECIAL[0]; ++i)
    if (SPECIAL[i].option == option && !strcmp(SPECIAL[i].command, command->name))
      return &SPECIAL[i];
  return NULL;
}

const char* option_help(const Command* command, Option option)
{
  const SpecialHelp* special = find_special(command, option);
  if (special) return special->help;
  bool snake = !strncmp(command->name, "snake ", 6);
  if (snake && option == OPTION_METHOD && !strcmp(command->name, "snake simulate"))
    return "kane-linear (default), kane, lagrange, newton-euler; or lagrange-full, see below";
  if (snake && option == OPTION_METHOD)
    return "how to compute: kane-linear (default), kane, lagrange or newton-euler";
  if (snake && option == OPTION_STRICT) return "every warning about the snake is an error";
  if (command->question >= 0 && option == OPTION_IN)
    return "many states from a CSV file, - for standard input; instead of --q and so on";
  return OPTIONS[option].help;
}

const char* option_argument(const Command* command, Option option)
{
  const SpecialHelp* special = find_special(command, option);
  return special && special->argument ? special->argument : OPTIONS[option].argument;
}
