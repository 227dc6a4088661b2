// SPDX-License-Identifier: MIT
// The options of the command line: one list, from which the parser and the help are made.
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "linkwork/dynamics.h"
#include "text/out.h"

// X(enumerator, name, argument or NULL, what it does)
#define OPTION_LIST(X)                                                                             \
  X(Q, "--q", "LIST", "joint positions, rad or m: --q 0.1,-0.2 or by name --q elbow=-0.2")         \
  X(QD, "--qd", "LIST", "joint velocities, rad/s or m/s (default zeros)")                          \
  X(QDD, "--qdd", "LIST", "joint accelerations, rad/s^2 or m/s^2 (default zeros)")                 \
  X(TAU, "--tau", "LIST", "joint torques or forces, N m or N (default zeros)")                     \
  X(WRENCH, "--wrench", "LIST",                                                                    \
    "[LINK[@x,y,z][/base]=]fx,fy,fz,nx,ny,nz by the environment; may be repeated, see below")      \
  X(IN, "--in", "FILE", "a CSV file, - for standard input; see below for its columns")             \
  X(KEEP, "--keep", NULL, "copy the columns of --in to the output, before the answer")             \
  X(LINK, "--link", "NAME", "use this link instead of the last one; see below")                    \
  X(AXES, "--axes", "NAME", "axes of reactions: link (default), each joint's own link, or base")   \
  X(TOOL, "--tool", "LIST", "x,y,z[,r,p,y]: a frame on that link, m and rad (or like 90 deg)")     \
  X(THREADS, "--threads", "N", "threads for the states of --in (default: all)")                    \
  X(DOF, "--dof", "N", "a generic chain of N revolute joints instead of ROBOT, 1 <= N <= 1000")    \
  X(STATES, "--states", "N", "how many random states (default 100)")                               \
  X(SEED, "--seed", "S", "seed of the random states (default 1)")                                  \
  X(POINTS, "--points", "P", "random points at which every identity is evaluated (default 1)")     \
  X(RANDOM, "--random", "K", "K random structures of 1 to 8 joints instead of ROBOT")              \
  X(STATE, "--state", "K", "only random state K, with commands that reproduce it")                 \
  X(SAMPLES, "--samples", "N", "number of samples, instead of that of the study file")             \
  X(SAMPLE, "--sample", "K", "compute sample K alone, from 0, and print it; no database")          \
  X(RESUME, "--resume", NULL, "continue the study in the database of --out")                       \
  X(ALLOW_COMMANDS, "--allow-commands", NULL, "let the study start the program of 'run: command'") \
  X(PART, "--part", "K/N", "only part K of N, from 1; 'study merge' joins the databases of parts") \
  X(LEVEL, "--level", "P", "fraction of samples in which a criterion must hold (default 0.99)")    \
  X(PAGE, "--page", "FILE", "write tables and pictures as one .html page that needs no network")   \
  X(TABLE, "--table", "NAME", "only one table: summary, worst, bands, histogram, ..; see below")   \
  X(TOLERANCE, "--tolerance", "T", "relative to the size of the torques (default 1e-6)")           \
  X(WITH, "--with", "LIST", "what may change: mass, com, inertia, length, angle, gravity")         \
  X(QUESTION, "--question", "Q", "inverse, inertia or forward; all of them by default")            \
  X(LINKS, "--links", "LIST", "generic snakes of 2 to 1000 links instead of SNAKE: 20, or 5,20")   \
  X(QUICK, "--quick", NULL, "take less time; results are less certain")                            \
  X(CROSSOVER, "--crossover", NULL,                                                                \
    "forward dynamics: from how many joints on articulated-body is faster")                        \
  X(LATENCY, "--latency", NULL, "single calls: percentiles, page faults, allocations")             \
  X(CALLS, "--calls", "N", "how many calls per question (default 1e7, 1e5 with --quick)")          \
  X(PEERS, "--peers", NULL, "also time other programs: MuJoCo and Orocos KDL")                     \
  X(THETA, "--theta", "LIST", "directions of the links, rad: theta1,..thetan")                     \
  X(U, "--u", "LIST", "u1,u2: speed of link 1 along itself, m/s; its angular velocity, rad/s")     \
  X(TORQUE, "--torque", "LIST", "joint torques, N m: T1,..Tn-1 (default zeros)")                   \
  X(TORQUE_LAW, "--torque-law", "LAW", "T_k(t) in N m, for example \"sin(t)/(n-k)\"")              \
  X(GAIT, "--gait", "GAIT",                                                                        \
    "serpenoid:ALPHA,BETA,GAMMA.. or head:SPEED,WINDING,LENGTH..; see below")                      \
  X(UDOT, "--udot", "LIST", "udot1,udot2: the desired accelerations, m/s^2 and rad/s^2")           \
  X(SLIP, "--slip", NULL, "wheels slip where holding would exceed their friction_limit")           \
  X(STOPS, "--stops", NULL, "joints hit end stops at their limits lower and upper")                \
  X(STABILISE, "--stabilise", NULL, "lagrange-full: project the rates back onto the constraints")  \
  X(DURATION, "--duration", "T", "s (default 10; for a plan as short as the limits allow)")        \
  X(INTEGRATOR, "--integrator", "NAME", "NAME:STEP or NAME:RTOL[,ATOL]; see below for the names")  \
  X(BUDGET, "--budget", "N", "end after N steps, or like 60s after seconds by the clock (exit 4)") \
  X(SAVE, "--save", "FILE", "write the state at the end, from which --from FILE goes on")          \
  X(THETA0, "--theta0", "LIST",                                                                    \
    "directions of the links at t = 0, rad; see below for the default")                            \
  X(U0, "--u0", "LIST", "u1,u2 at t = 0, m/s and rad/s; see below for the default")                \
  X(PLOT, "--plot", "FILE", "plot the result, .svg, .png or .pdf (needs gnuplot)")                 \
  X(AUDIT, "--audit", "FILE", "write a summary of the run as json: steps, energy, limits, events") \
  X(CONTROL, "--control", "NAME", "computed-torque (default), pd or feed-forward")                 \
  X(KP, "--kp", "LIST", "gains on position errors, one for all joints or one each; see below")     \
  X(KD, "--kd", "LIST", "gains on velocity errors, likewise")                                      \
  X(COLUMNS, "--columns", "LIST", "what to record: q,qd,qdd,tau,v,i,energy,reference,error,pose")  \
  X(SIMULATE, "--simulate", NULL,                                                                  \
    "simulate a controlled arm along the plan, and write that run instead")                        \
  X(PLOT_X, "--x", "COLUMN", "column on the horizontal axis (default t)")                          \
  X(PLOT_Y, "--y", "GROUPS", "what to plot, a panel for each: q,tau,kinetic+potential,S")          \
  X(ROBOT, "--robot", "FILE", "robot of the recording, for units, limits and joint names")         \
  X(CYLINDERS, "--cylinders", NULL,                                                                \
    "list what the hydraulic cylinders must supply, instead of the joints")                        \
  X(SERIES, "--series", "FILE", "torques, voltages, currents and powers over time, as CSV")        \
  X(FROM, "--from", "LIST", "joint positions at the start, rad or m")                              \
  X(TO, "--to", "LIST", "joint positions at the end, rad or m")                                    \
  X(VIA, "--via", "LIST..", "joint positions of a waypoint; may be repeated")                      \
  X(PROFILE, "--profile", "NAME", "cubic, quintic (default), trapezoid, s-curve or line")          \
  X(JOIN, "--join", "NAME", "how cubics join: clamped (default), natural or average")              \
  X(FROM_QD, "--from-qd", "LIST", "joint velocities at the start (default zeros)")                 \
  X(TO_QD, "--to-qd", "LIST", "joint velocities at the end (default zeros)")                       \
  X(FROM_QDD, "--from-qdd", "LIST", "joint accelerations at the start (default zeros)")            \
  X(TO_QDD, "--to-qdd", "LIST", "joint accelerations at the end (default zeros)")                  \
  X(VELOCITY, "--velocity", "LIST",                                                                \
    "velocity limit, one for all joints or one each; for a line, m/s")                             \
  X(ACCELERATION, "--acceleration", "LIST", "acceleration limit, likewise")                        \
  X(JERK, "--jerk", "LIST", "jerk limit, likewise")                                                \
  X(DT, "--dt", "T", "s between samples (default 0.001; for a simulation 0.01)")                   \
  X(POSE, "--pose", "LIST",                                                                        \
    "x,y,z[,r,p,y] of the last link: m; roll, pitch, yaw, rad or like 90 deg")                     \
  X(POSITION, "--position", "LIST", "x,y,z of the last link's origin, m; its orientation is free") \
  X(DIRECTION, "--direction", NULL, "only the direction of z matters, not the full orientation")   \
  X(WEIGHTS, "--weights", "LIST",                                                                  \
    "weights of x,y,z and of rotations about x,y,z of the pose; 0: free")                          \
  X(ALL, "--all", NULL, "all solutions in closed form, for the kinds of arms named below")         \
  X(ARM_ANGLE, "--arm-angle", "A",                                                                 \
    "with --all and seven joints: rad or like 30 deg (default that of --q)")                       \
  X(RESTARTS, "--restarts", "N", "at most N searches from random positions (default 50)")          \
  X(IGNORE_LIMITS, "--ignore-limits", NULL, "ignore joint limits")                                 \
  X(ANONYMOUS, "--anonymous", NULL, "a page without names of files and the command line")          \
  X(PNG, "--png", "FILE", "a picture of the page, as it opens (needs Chromium)")                   \
  X(METHOD, "--method", "NAME",                                                                    \
    "how to compute, for example rnea, crba, aba; 'linkwork methods' lists all")                   \
  X(PRECISION, "--precision", "P", "double (default), single or quad (113 bits, 33 digits)")       \
  X(REFINE, "--refine", "N",                                                                       \
    "0 to 9 steps of iterative refinement after a factorisation (default 0)")                      \
  X(ROTORS, "--rotors", NULL, "include the inertia of the motors' rotors, gear^2 rotor_inertia")   \
  X(FRICTION, "--friction", "LIST", "friction terms to identify: viscous, coulomb, offset")        \
  X(CURRENT, "--current", NULL, "the log has currents i1.. of the motors; find torque constants")  \
  X(CUTOFF, "--cutoff", "F",                                                                       \
    "cutoff of the zero-phase filter, Hz (default: with the smallest standard errors)")            \
  X(UNEXPLAINED, "--unexplained", "P",                                                             \
    "per cent of a joint's torque that may stay unexplained (default 20)")                         \
  X(DRIVES, "--drives", NULL, "include rotors, viscous friction and motors; inputs are voltages")  \
  X(DH, "--dh", "KIND", "modified or standard: write a Denavit-Hartenberg table of that kind")     \
  X(DROP, "--drop", "LIST",                                                                        \
    "leave out what OUT cannot hold: loops,cylinders,motors,limits,gravity,shapes")                \
  X(LANGUAGE, "--language", "L", "c (default), python, matlab, javascript, rust or latex")         \
  X(LANES, "--lanes", "N", "C: N states per call, side by side in vectors: 1, 2, 4, 8 or 16")      \
  X(ARGUMENTS, "--arguments", "LIST",                                                              \
    "arguments to add to the functions: wrench, gravity, payload")                                 \
  X(NAME, "--name", "PREFIX", "prefix of the function names (default arm)")                        \
  X(FMA, "--fma", NULL, "fused multiply-adds, for targets that have them (C, Rust)")               \
  X(SYMBOLS, "--symbols", NULL, "the robot's numbers as letters: m_1, l_1, I_1zz (latex)")         \
  X(SINCOS, "--sincos", "S",                                                                       \
    "where sines come from: math (default), given (by the caller) or vector (C)")                  \
  X(TEST, "--test", NULL, "C: also write a program that tests the code, FILE_test.c")              \
  X(GENERATED, "--generated", NULL, "also measure generated code; see linkwork generate")          \
  X(VIEW, "--view", "V",                                                                           \
    "front, side, top, iso, or azimuth,elevation of the eye, rad or like 30 deg")                  \
  X(SHOW, "--show", "LIST",                                                                        \
    "links,joints,names,frames,dimensions,masses,forces (default: what fits)")                     \
  X(FORMAT, "--format", "F", "table, csv or json")                                                 \
  X(OUT, "--out", "FILE",                                                                          \
    "output file, replaced only when complete; - for standard output (default)")                   \
  X(NAMES, "--names", NULL, "name columns by joint: tau.elbow, M.waist.elbow, J.vx.elbow")         \
  X(OPEN_TREE, "--open-tree", NULL,                                                                \
    "leave out the closed loops of the robot: every joint is free")                                \
  X(JOINTS, "--joints", "LIST", "names of the joints that move; all others are fixed, see --at")   \
  X(AT, "--at", "LIST", "where joints are fixed: NAME=0.5,NAME=30 deg (default at zero)")          \
  X(ALLOW_BAD_INERTIA, "--allow-bad-inertia", NULL,                                                \
    "an inertia that is not positive semidefinite is only a warning")                              \
  X(STRICT, "--strict", NULL, "every warning about the robot is an error")                         \
  X(ACCEPT, "--accept", "IDS",                                                                     \
    "known warnings to ignore, with or without names: \"no-limit,density forearm\"")               \
  X(ALLOW_INERT, "--allow-inert", NULL,                                                            \
    "a moving joint without inertia is only a warning, as for URDF; forward refuses it")           \
  X(FIX, "--fix", "NAMES", "joints to fix at zero, separated by commas")                           \
  X(MIMIC, "--mimic", "M", "follow (default), or independent: mimic joints move by themselves")    \
  X(PAYLOAD, "--payload", "LIST",                                                                  \
    "LINK=MASS[,X,Y,Z]: a point mass on a link, kg and m, link axes")                              \
  X(ESTIMATE_INERTIA, "--estimate-inertia", NULL,                                                  \
    "URDF: compute missing mass properties from the shapes of the link")                           \
  X(DENSITY, "--density", "D", "kg/m^3 of links whose mass is estimated (default 1000)")           \
  X(PACKAGE_PATH, "--package-path", "DIRS",                                                        \
    "folders to search for package://, separated by colons")                                       \
  X(GRAVITY, "--gravity", "LIST", "x,y,z: gravity in m/s^2, overrides the robot file")             \
  X(BASE, "--base", "KIND", "fixed, or floating: the base moves freely on a joint 'base'")         \
  X(BASE_RPY, "--base-rpy", "LIST",                                                                \
    "r,p,y: how the base is mounted, roll, pitch, yaw, rad or like 180 deg (a ceiling)")           \
  X(QUIET, "--quiet", NULL,                                                                        \
    "no notes or progress, no warnings about files; warnings about values stay")                   \
  X(AS, "--as", "FORM", "the manual as man page, markdown, or completion for bash, zsh or fish")   \
  X(HELP, "--help", NULL, "this text")                                                             \
  X(FASTEST, "--fastest", NULL,                                                                    \
    "the fastest motion within every limit of joints, motors, cylinders and tool")                 \
  X(GRID, "--grid", "N", "with --fastest: intervals of each path between stops (default 1000)")    \
  X(CYCLE, "--cycle", "FILE", "a work cycle: points, moves, bodies and limits; see below")         \
  X(PACE, "--pace", "FACTOR", "with --fastest: slow the motion down by this factor, checked")      \
  X(CONTINUOUS, "--continuous", "LIST",                                                            \
    "with --fastest: slow down until rms currents, A, are at most these")                          \
  X(RESERVE, "--reserve", "P", "with --fastest: keep P% of torque, current and force unused")      \
  X(COMPARE, "--compare", "FILE", "with --fastest: the time with this robot file, too")            \
  X(FLOOR, "--floor", "Z", "a floor at this height of the base frame, m")                          \
  X(BOX, "--box", "LIST", "x,y,z,dx,dy,dz: centre and sides of an obstacle; may be repeated")      \
  X(ALLOW, "--allow", "PAIRS", "links that may touch: a:b,c:d; floor and boxes: box1:hand")        \
  X(LEAST, "--least", "D", "smallest distance allowed, m or like 10mm; exit 1 below it")           \
  X(TRUTH, "--truth", NULL, "motions whose truth is known, here and in MuJoCo")                    \
  X(ROLLING, "--rolling-resistance", "C",                                                          \
    "N s/m of each wheel, a force against its speed (default 0)")                                  \
  X(CONTACT, "--contact", "POINT",                                                                 \
    "LINK or LINK@x,y,z: a point of a link that stands on the ground; may be repeated")            \
  X(TRACE, "--trace", "FILE", "write hashes of what the run reads and records, for --replay")      \
  X(REPLAY, "--replay", "FILE",                                                                    \
    "name the first record and column that differ from those of --trace FILE (exit 1)")            \
  X(FMU, "--fmu", "FILE", "write a functional mock-up unit of FMI 2.0, FILE.fmu")                  \
  X(INPUTS, "--inputs", "NAME", "what its inputs are: torque (default), voltage or reference")     \
  X(ABI, "--abi", "NAME", "c (default), or casadi: also what CasADi's external() calls (C)")       \
  X(SCENARIO, "--scenario", NULL,                                                                  \
    "MJCF: OUT.yaml is a scenario with its springs, servos, tendons and start")

#define OPTION_ENUMERATOR(name, text, argument, help) OPTION_##name,
typedef enum Option
{
  OPTION_LIST(OPTION_ENUMERATOR) OPTION_COUNT
} Option;
#undef OPTION_ENUMERATOR
_Static_assert(OPTION_FASTEST <= 128, "an OptionSet has a bit for each option before it");

// A set of options; there are more than 64.
__extension__ typedef unsigned __int128 OptionSet;

#define with(name) ((OptionSet)1 << OPTION_##name)

// The options from FASTEST on have a set of their own, LATER_OPTIONS in commands.c.
#define later(name) ((OptionSet)1 << (OPTION_##name - OPTION_FASTEST))

typedef struct OptionInfo
{
  const char* name;
  const char* argument;  // NULL: it takes none
  const char* help;
} OptionInfo;

extern const OptionInfo OPTIONS[OPTION_COUNT];
extern const char OPTION_LETTERS[OPTION_COUNT];  // 'o' of -o, the short form; 0: it has none

// Another name that an option has in one command.
typedef struct OptionAlias
{
  const char* name;
  Option option;
  const char* command;
} OptionAlias;

extern const OptionAlias OPTION_ALIASES[];
extern const int OPTION_ALIAS_COUNT;

enum
{
  MAX_OPERANDS = 64,
  MAX_VIA = 64,  // times that --via, --box and --contact may be given; a file may have more points
  MAX_WRENCHES = 64  // times that --wrench may be given
};

// Names in an option, with or without values: a,b,c and a=0.1,b=30 deg. A name with a comma is
// quoted together with its value, as in CSV: "left, upper=0.1".
typedef struct NameList
{
  int count;
  const char** names;  // (count)
  const char** texts;  // (count) what follows the "=", or NULL
  lwHold* values;      // (count) names and values of names_held(), or NULL
} NameList;

struct Command;

// What the command line gave. Strings are those of argv.
typedef struct Options
{
  const char* value[OPTION_COUNT];     // NULL: not given; "": given, takes no argument
  const char* operand;                 // NULL: not given
  const char* operands[MAX_OPERANDS];  // of commands that take many; the first is operand, too
  int operand_count;
  const char* via[MAX_VIA];  // of --via, --box or --contact, in order
  int via_count;
  const char* wrenches[MAX_WRENCHES];  // of --wrench, in order
  int wrench_count;
  NameList joints;     // --joints
  NameList at;         // --at, with values
  char* accept;        // --accept, a line for each warning
  double gravity[3];   // --gravity, m/s^2
  double base_rpy[3];  // --base-rpy, rad
  double density;      // --density, kg/m^3; 0: not given
  const char* second;  // operand of commands that take two; NULL: not given
  char** arguments;    // from the command's last word on, ended by NULL
  const struct Command* command;
} Options;

// Reads the arguments behind the command's name; ends the work under way if something is wrong.
void options_parse(const struct Command* command, int count, char** arguments, Options* options);

// The name of the first option of the set that is given; NULL: none is.
const char* first_given(const Options* options, OptionSet set);

#endif
