// SPDX-License-Identifier: MIT
// The table of commands. To add one: a row here, its function cmd_NAME in a file NAME.c, declared
// in app.h; options that it alone takes go into OPTION_LIST (options.h). A name of two words is
// given as two arguments.
#include <string.h>

#include "app.h"
#include "command/details.h"

#define COMMON_OPTIONS (option_bit(QUIET) | option_bit(HELP))
#define OUTPUT_OPTIONS (option_bit(FORMAT) | option_bit(OUT) | COMMON_OPTIONS)
#define FILE_OPTIONS                                                                               \
  (option_bit(JOINTS) | option_bit(AT) | option_bit(ALLOW_BAD_INERTIA) | option_bit(STRICT) |      \
   option_bit(ACCEPT) | option_bit(ALLOW_INERT) | option_bit(FIX) | option_bit(MIMIC) |            \
   option_bit(ESTIMATE_INERTIA) | option_bit(DENSITY) | option_bit(PACKAGE_PATH) |                 \
   option_bit(GRAVITY) | option_bit(BASE_RPY) | option_bit(BASE))
#define ROBOT_OPTIONS (FILE_OPTIONS | option_bit(PAYLOAD))
#define FOLLOW_OPTIONS                                                                             \
  (option_bit(CONTROL) | option_bit(KP) | option_bit(KD) | option_bit(COLUMNS) | option_bit(NAMES))
#define STATE_OPTIONS                                                                              \
  (option_bit(IN) | option_bit(KEEP) | option_bit(THREADS) | option_bit(NAMES) |                   \
   option_bit(PRECISION) | ROBOT_OPTIONS | OUTPUT_OPTIONS)

#define STATE_COMMAND(name, question, summary, details, example)                                   \
  {                                                                                                \
    name, summary, "ROBOT", true, STATE_OPTIONS, question, details, example, cmd_state             \
  }

#define PUMA "robots/puma560.yaml --q 0,0.1,0,0,0,0"

const Command COMMANDS[] = {
#include "command/state_commands.h"
    {"info", "joints, masses, limits and methods of a robot", "ROBOT", true,
     ROBOT_OPTIONS | OUTPUT_OPTIONS, -1,
     "output: name, source, gravity, joints, masses, methods, and everything that was left out, "
     "with\n"
     "the reason. A table, even if not on a terminal, unless --format is given. csv: a line for "
     "each\n"
     "joint. json: one object.\n",
     "linkwork info robots/puma560.yaml", cmd_info},
    {"lint", "errors and doubtful values of a file", "ROBOT|SNAKE|PARTS|SCENARIO", true,
     FILE_OPTIONS | OUTPUT_OPTIONS, -1,
     "output: all errors and warnings in full, and how many there are; even if not on a terminal,\n"
     "unless --format is given. csv and json: severity, file, line, column, message, hint, id.\n"
     "To silence a known warning, list its id (in brackets in the message) in the robot, snake or\n"
     "parts file: 'accept: [triangle-rule trunk]'. For URDF files use --accept. Exit 0 without\n"
     "errors, 3 with errors.\n"
     "Hints name the likely fix: units (g, mm, degrees), signs, placeholders. Shapes of URDF "
     "links\n"
     "are compared with their mass properties, STL meshes included (--package-path).\n",
     "linkwork lint robots/puma560.yaml --strict", cmd_lint},
    {"convert", "a robot file in another format, checked against the original", "IN OUT", true,
     option_bit(DH) | option_bit(STATES) | option_bit(SEED) | ROBOT_OPTIONS | OUTPUT_OPTIONS, -1,
     "The extension of OUT selects the format: .yaml or .yml is a robot file, .urdf is URDF; - is "
     "a\n"
     "robot file on standard output. Without --dh joints are written with origin and axis.\n"
     "Joints keep their names, the meaning of q, limits and friction. Link frames move where the\n"
     "new form requires it, and centres of mass and inertias move with them; frames of fixed "
     "joints\n"
     "and of links at the end of a branch stay. If one joint cannot describe a frame, fixed "
     "joints\n"
     "are added. docs/conventions.md has the rules.\n"
     "\n"
     "Before OUT is written, it is read back and compared with IN in random states within the "
     "joint\n"
     "limits. It is written only if nothing differs by more than rounding.\n"
     "columns: quantity,worst,bound,absolute,state,ok. worst and bound are relative to the size "
     "of\n"
     "the quantity in that state.\n"
     "  torque         inverse dynamics, the largest over the joints\n"
     "  inertia        the inertia matrix (robots of up to 2000 moving joints)\n"
     "  acceleration   forward dynamics, as the torque needed for the difference\n"
     "  energy         kinetic and potential\n"
     "  pose           frames of the links that stay, positions relative to the reach\n"
     "If one of them exceeds its bound, the exit code is 1 and OUT is not written. Whatever the\n"
     "format of OUT cannot hold is listed on standard error.\n",
     "linkwork convert robots/puma560.yaml puma560_standard.yaml --dh standard", cmd_convert},
    {"methods", "the methods that can be named by --method", NULL, false, OUTPUT_OPTIONS, -1,
     "columns: question,method,source,order (of growth with the number of joints).\n",
     "linkwork methods --format json", cmd_methods},
    {"count", "measured operation counts of every method", "ROBOT", false,
     option_bit(DOF) | option_bit(METHOD) | option_bit(GENERATED) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "For ROBOT, for a generic chain (--dof N), or without either as polynomials in the number n "
     "of\n"
     "joints. With --method NAME only methods of that name are measured.\n"
     "\n"
     "columns: question,method,mul,add,div,sqrt,executed_mul,executed_add,printed_mul,\n"
     "printed_add,printed_source.\n"
     "For any n: question,method,mul,add,div,from_n,executed_mul,executed_add,printed_mul,\n"
     "printed_add,printed_source, texts like 23/2 n^2 + 15/2 n - 25: fitted exactly through the\n"
     "counts of generic chains, verified on longer ones, holding from from_n joints on; 'none'\n"
     "where no polynomial fits.\n"
     "--generated, with ROBOT or --dof: also what linkwork generate makes of inverse, inertia,\n"
     "forward, bias, gravity, coriolis and inertia+bias; method 'generated'.\n"
     "mul to sqrt are folded: arithmetic among constants of the robot and with a structural 0\n"
     "or +-1 is free, as in the papers. executed_: every operation performed. printed_: what the\n"
     "literature gives for a serial chain with as many joints; empty if it gives nothing or the\n"
     "robot is not a serial chain.\n",
     "linkwork count --dof 7", cmd_count},
    {"generate", "straight-line code for one robot: C, Python, MATLAB, JavaScript, Rust; or LaTeX",
     "ROBOT|SNAKE", true,
     option_bit(QUESTION) | option_bit(METHOD) | option_bit(LANGUAGE) | option_bit(PRECISION) |
         option_bit(LANES) | option_bit(ARGUMENTS) | option_bit(NAME) | option_bit(SINCOS) |
         option_bit(SYMBOLS) | option_bit(FMA) | option_bit(TEST) | option_bit(OUT) |
         ROBOT_OPTIONS | COMMON_OPTIONS,
     -1,
     "The code needs no library, allocates nothing and has no loops: what the kernels compute is\n"
     "recorded as a graph, simplified for the numbers of this robot, and written out. See\n"
     "docs/generate.md.\n"
     "\n"
     "--question: inverse, forward, inertia, bias, gravity, coriolis, energy, pose, jacobian,\n"
     "reactions, inverse-derivatives, forward-derivatives, inertia-inverse, coriolis-matrix,\n"
     "centroidal, jacobian-rate, regressor, gibbs. A comma begins another function; a plus makes\n"
     "one function answer both and share work: inertia+bias.\n"
     "--method best (default) tries every method, with the links' own and with grouped\n"
     "parameters, and keeps the one with the fewest operations.\n"
     "--arguments: wrench on the last link (6), gravity in the base frame (3), payload on the\n"
     "last link (10: mass, centre of mass, inertia about it) become arguments of the functions.\n"
     "--sincos given: the caller passes cosines and sines of q. vector: the library's own sine,\n"
     "all angles of a state at once, for GCC and clang.\n"
     "With --out arm.c, arm.h has the declarations and, with --test, arm_test.c is a program that\n"
     "compares answers with those of the library and ends with 0 if they agree.\n"
     "Robots of more than 64 moving joints are refused: the library is faster for them.\n"
     "For a snake: forward (default), inverse, V, omega, theta_ddot, lambda, rates, rates_dot, M,\n"
     "bias, force, partial, kinetic, power; functions of theta, u and torque, inverse of udot.\n"
     "--language latex writes equations for a text instead, for arms of up to 8 joints: inertia,\n"
     "coriolis (the matrix of Christoffel's symbols), gravity, bias, inverse, energy, pose,\n"
     "jacobian; with --symbols in letters, m_1, l_1, I_1zz, with a table of their values.\n",
     "linkwork generate robots/puma560.yaml --question inverse --out puma.c", cmd_generate},
    {"check", "compare all methods with each other, or with torques of another program", "ROBOT",
     true,
     option_bit(STATES) | option_bit(SEED) | option_bit(STATE) | option_bit(PRECISION) |
         option_bit(IN) | option_bit(TOLERANCE) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "Runs every method of inverse, inertia and forward dynamics on random states within the "
     "joint\n"
     "limits, half of them with a wrench. The reference is the default method in double "
     "precision.\n"
     "Methods that would take very long are skipped, with a note.\n"
     "columns: check,question,method,worst,bound,absolute,state,ok. worst and bound are in units\n"
     "of rounding: |difference| / (epsilon times the size of the terms that make up the answer).\n"
     "  agreement              torques, inertia matrix as by the reference\n"
     "  symmetric, positive definite   the inertia matrix M\n"
     "  equation of motion     residual of M qdd = tau - C qd - g + J^T w\n"
     "  forward after inverse  the same residual, for the accelerations given to inverse dynamics\n"
     "  kinetic energy         qd^T M qd / 2\n"
     "  power balance          tau qd + w V = dE/dt, E differentiated numerically\n"
     "Exit 1 when one of them is beyond its bound; the commands that show the state are printed\n"
     "(on standard error for csv and json).\n"
     "\n"
     "--in FILE compares the torques in a file with ours: columns as for inverse, and tau..\n"
     "(see 'linkwork help inverse'). The difference of a joint is relative to its largest torque "
     "in\n"
     "the file (at least a thousandth of the largest of all). If they disagree, the usual "
     "suspects\n"
     "are tried, one by one and then in pairs: gravity, the reference point and signs of "
     "inertias,\n"
     "the other DH convention, friction, rotor inertia, degrees, the wrench, order and signs of\n"
     "joints, units of mass; a payload, a link's mass, exchanged joints, missing rotors, which "
     "are\n"
     "found by least squares or a search and told with their size; rounding. A suspect explains "
     "the difference if it falls below the tolerance, "
     "and\n"
     "explains it in part if it falls to a hundredth and below 1 % of the torques.\n"
     "columns: suspect,before,after,absolute,row,joint,explains,detail. The first line, 'none', "
     "is\n"
     "the comparison itself. Exit 1 if the torques disagree, explained or not.\n",
     "linkwork check robots/puma560.yaml --states 1000", cmd_check},
    {"study", "bands and probabilities when parameters are not known exactly", "STUDY", true,
     option_bit(SAMPLES) | option_bit(SAMPLE) | option_bit(RESUME) | option_bit(PART) |
         option_bit(THREADS) | OUTPUT_OPTIONS,
     -1, STUDY_DETAILS, "linkwork study studies/puma_payload.yaml --out puma.db --samples 256",
     cmd_study},
    {"study report", "quantiles, worst cases, what matters: the results of a study", "DATABASE",
     true,
     option_bit(TABLE) | option_bit(LEVEL) | option_bit(PLOT) | option_bit(PAGE) | OUTPUT_OPTIONS,
     -1, STUDY_REPORT_DETAILS, "linkwork study report puma.db --table summary", cmd_study_report},
    {"study merge", "one database from several of the same study", "DATABASE..", true,
     option_bit(OUT) | COMMON_OPTIONS, -1,
     "Copies the samples and measures of all DATABASES of one study into the new --out FILE.db, "
     "and adds\n"
     "up their bands: for studies that were computed in parts.\n",
     "linkwork study merge a.db b.db --out all.db", cmd_study_merge},
    {"prove", "prove that all methods are the same functions", "ROBOT|SNAKE", false,
     option_bit(DOF) | option_bit(RANDOM) | option_bit(POINTS) | option_bit(SEED) | ROBOT_OPTIONS |
         OUTPUT_OPTIONS,
     -1,
     "All methods are evaluated exactly, over the integers modulo the prime 2^61 - 1, at random\n"
     "points: for the structure of ROBOT (its tree and kinds of joints, with unknowns for its\n"
     "numbers), of a snake with as many links as SNAKE, of a generic chain (--dof N) or of random\n"
     "structures (--random K). Joints that mimic others count as independent ones. docs/proof.md\n"
     "explains it.\n"
     "columns: about,left,right,points,degree,probability,holds,structure,witness,entry.\n"
     "  left, right      the two sides: names of methods, or formulas\n"
     "  points           at which both were evaluated, of all structures\n"
     "  degree           a bound on the degree of the polynomial that is zero if they are equal\n"
     "  probability      a bound on the probability that a false identity was overlooked\n"
     "  structure, witness, entry   where the sides differ first: random structure, point, entry\n"
     "Exit 1 when an identity does not hold; the witness is printed on standard error.\n",
     "linkwork prove robots/puma560.yaml --points 2", cmd_prove},
    {"accuracy", "true error of every method in double and single precision", "ROBOT", false,
     option_bit(DOF) | option_bit(STATES) | option_bit(SEED) | option_bit(METHOD) |
         option_bit(QUESTION) | option_bit(PLOT) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "Compares the answers of every method in double and in single precision with the answer in "
     "113\n"
     "bits, in random states within the joint limits. An error is that of the worst entry, in "
     "units\n"
     "in the last place (ulp) of the largest entry: 2^-52 or 2^-23 of the power of two below it.\n"
     "Rounding of the robot's own constants counts as error; rounding of the state does not, "
     "because\n"
     "the state is exact in the given precision. forward: torques are those of a random motion.\n"
     "Without ROBOT and --dof: generic chains of 1 to 64 joints. A table ends with the worst "
     "states,\n"
     "as other commands take them. Methods that would take very long are skipped.\n"
     "--plot FILE: worst error in double over the number of joints (needs gnuplot).\n"
     "columns: robot,n,question,method,precision,worst_ulp,median_ulp,states,worst_state,entry,\n"
     "state: the worst one, as other commands take it.\n"
     "docs/accuracy.md explains it.\n",
     "linkwork accuracy robots/puma560.yaml --states 1000", cmd_accuracy},
    {"sensitivity", "how much each constant of a robot affects each torque", "ROBOT", true,
     option_bit(Q) | option_bit(QD) | option_bit(QDD) | option_bit(TAU) | option_bit(WRENCH) |
         option_bit(IN) | option_bit(WITH) | option_bit(QUESTION) | option_bit(TOLERANCE) |
         option_bit(METHOD) | option_bit(NAMES) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "Derivatives of the torques, or of the answer to another --question, with respect to "
     "constants\n"
     "of the robot file, exact up to rounding (dual numbers): --with mass,com,length (default),\n"
     "inertia, angle, gravity. Lengths are a and d, or x, y, z of an origin; angles alpha and "
     "theta, or\n"
     "roll, pitch and yaw. The state is --q .. --qd .. --qdd .., or a trajectory --in FILE, of "
     "which the\n"
     "largest effects are shown, and when they are.\n"
     "--tolerance mass=5%,length=0.5mm: the effect of each tolerance, and the band of all "
     "together,\n"
     "the sum of |derivative| tolerance. It is exact for masses and inertias, in which torques "
     "are\n"
     "linear, and for gravity alone; for others it is first order.\n"
     "columns: parameter,of (link or joint),value,unit,output,per_unit,per_cent (of the "
     "value),tolerance,\n"
     "effect (of the tolerance),state,t; with tolerances a row 'band, exact' or 'band, first "
     "order'\n"
     "follows for each output: value of the answer and effect. Sorted by effect, then by "
     "per_cent.\n"
     "Effects that are zero are left out. docs/sensitivity.md explains it.\n",
     "linkwork sensitivity robots/planar2r.yaml --with mass,length --q 0.1,0.2", cmd_sensitivity},
    {"excite", "a motion from whose log identify finds the parameters well", "ROBOT", true,
     option_bit(DURATION) | option_bit(DT) | option_bit(VELOCITY) | option_bit(ACCELERATION) |
         option_bit(SEED) | option_bit(NAMES) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "columns: t,q1..qn,qd1..qdn,qdd1..qddn. Fourier series of ten harmonics, at rest at both "
     "ends,\n"
     "within 95 % of the limits of position, speed, acceleration and torque (friction and rotors\n"
     "included), and with the shapes of the links above the floor, where ROBOT has shapes. The\n"
     "condition number of identify, before and after the search, is printed on standard error. "
     "The\n"
     "same seed gives the same motion. Exit 4 if none keeps the limits. Needs LAPACK.\n"
     "'linkwork simulate ROBOT --in excite.csv' moves the robot along it.\n",
     "linkwork excite robots/panda.yaml --duration 20 --out excite.csv", cmd_excite},
    {"parameters", "which combinations of the links' parameters torques depend on", "ROBOT", true,
     ROBOT_OPTIONS | OUTPUT_OPTIONS, -1,
     "Every link has ten: m, mx my mz (mass times centre of mass), xx yy zz xy xz yz (inertia "
     "about "
     "the\n"
     "origin of its frame). Torques depend on fewer combinations of them, the base parameters, and "
     "no\n"
     "motion can tell more. They are found twice: by rules, joint by joint (Gautier & Khalil "
     "1990,\n"
     "Wensing et al. 2017), and as the rank of the regressor at random states; exit 4 if these "
     "differ.\n"
     "csv columns: parameter,unit,value,column. Torque is the sum of the regressor's columns "
     "Y.JOINT.column\n"
     "times the values. json has the factors of every parameter too.\n",
     "linkwork parameters " PUMA, cmd_parameters},
    {"identify", "parameters of this robot from a log of its motion", "ROBOT", true,
     option_bit(IN) | option_bit(FRICTION) | option_bit(ROTORS) | option_bit(CURRENT) |
         option_bit(CUTOFF) | option_bit(PLOT) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "The log has t in equal steps, q1.. and the torques tau1.. of the drives, or with --current "
     "the\n"
     "currents i1..; qd and qdd are taken from it or made by a zero-phase filter. The last quarter "
     "is\n"
     "held back to test the result. Joints that did not move are left alone, and named.\n"
     "1. Base parameters, the combinations that torques depend on, rotors and friction by "
     "weighted\n"
     "   least squares (QR), with standard errors, correlation and condition number.\n"
     "2. A robot that can exist: every link with positive mass and positive definite "
     "pseudo-inertia,\n"
     "   near ROBOT where the log says nothing. --out writes it.\n"
     "3. What is left of the torques that were held back: N m (or N) and per cent of their rms.\n"
     "Currents determine no scale: the mean of torque constants over those of ROBOT is kept.\n"
     "csv columns: parameter,unit,file,estimate,standard_error,possible. docs/identification.md "
     "has\n"
     "the equations. Exit 3 if the log is of no use, 4 if it does not determine the parameters or\n"
     "does not fit the robot; nothing is written then. Needs LAPACK.\n",
     "linkwork identify robots/panda.yaml --data log.csv --friction viscous,coulomb --out "
     "found.yaml",
     cmd_identify},
    {"linearise", "linear state equations A, B around a motion; eigenvalues, modes, stability",
     "ROBOT|SCENARIO", true,
     option_bit(Q) | option_bit(QD) | option_bit(QDD) | option_bit(WRENCH) | option_bit(IN) |
         option_bit(DRIVES) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "xdot = A x + B u for small changes around q, qd, qdd and the torques that sustain them.\n"
     "x: q1..qn, qd1..qdn. u: torques (N m) or forces (N). --drives: rotors, viscous friction and\n"
     "motors take part; u is then the voltage of joints that have a motor, and the current i of "
     "one\n"
     "with inductance is a state; cylinders of ROBOT hold it by their oil, valves closed. A "
     "SCENARIO\n"
     "gives springs and dampers, of every joint the last that its drives or events name, and the\n"
     "oil of cylinders whose valves an event closes.\n"
     "columns: A11,A12,.., B11,B12,.. row by row (A1_1,.. with more than 9 states), re1.., im1..,\n"
     "the eigenvalues, 1/s, slowest first, and stable: 1, or 0 if a mode does not fade.\n"
     "table and json: each mode with natural frequency, damping ratio, time constant, and which\n"
     "joints take part. matlab: A, B, x0, lambda as text for MATLAB or Octave. Eigenvalues need\n"
     "LAPACK. docs/identification.md has the equations.\n",
     "linkwork linearise robots/puma560.yaml --q 0,0.1,0,0,0,0 --drives", cmd_linearise},
    {"drives", "what a trajectory asks of the motors", "ROBOT", true,
     option_bit(IN) | option_bit(WRENCH) | option_bit(KEEP) | option_bit(SERIES) |
         option_bit(CYLINDERS) | option_bit(METHOD) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1, DRIVES_DETAILS,
     "linkwork drives robots/puma560.yaml --in motion.csv --series voltages.csv", cmd_drives},
    {"cylinders", "hydraulic cylinders of a robot: moment arms, forces, oil", "ROBOT", true,
     option_bit(Q) | option_bit(QD) | option_bit(QDD) | ROBOT_OPTIONS | OUTPUT_OPTIONS, -1,
     "For the cylinders of the robot file in one state, with the forces that hold or move the arm "
     "so:\n"
     "torques of inverse dynamics, shared by least squares where cylinders span several joints.\n"
     "columns, a line for each cylinder and joint that it turns: cylinder,joint and\n"
     "  arm               dL/dq, m: torque over force\n"
     "  length, stroke, speed   from pin to pin, of the piston, m and m/s\n"
     "  force, torque     of the cylinder, N, positive pushes; of it on the joint, N m\n"
     "  pressure_bore, pressure_rod, flow   of the chambers, Pa; into the one that fills, m^3/s\n"
     "  stiffness, joint_stiffness   of the oil with closed valves, N/m; of all cylinders at the\n"
     "                    joint, N m/rad, the force's change of direction included\n"
     "  buckling_force    at which the rod would bend, N\n"
     "Exit 1 if a stroke, pressure or flow is beyond its limit, or the rod would buckle.\n",
     "linkwork cylinders robots/hydraulic5.yaml --q boom=0.9,arm=-1.4", cmd_cylinders},
    {"loads", "what the joints of a robot carry along a trajectory", "ROBOT", true,
     option_bit(IN) | option_bit(AXES) | option_bit(PLOT) | option_bit(WRENCH) | ROBOT_OPTIONS |
         OUTPUT_OPTIONS,
     -1,
     "--trajectory FILE, or --in FILE, has columns t (s, increasing), q1..qn, qd1..qdn,\n"
     "qdd1..qddn or q.NAME and so on, as 'linkwork plan' writes them, and perhaps\n"
     "fx,fy,fz,nx,ny,nz (see 'linkwork help inverse').\n"
     "columns, a line for each component of each joint of the file: joint,component,peak,time,\n"
     "rms,unit. Components are rfx,rfy,rfz,rnx,rny,rnz as for 'linkwork reactions', and the\n"
     "resultants rf and rn. Peaks keep their sign; time is that of the first peak, s. Means are "
     "over\n"
     "time, by the trapezoidal rule.\n"
     "--plot FILE: a panel for each component, with a curve for each joint.\n",
     "linkwork loads robots/puma560.yaml --trajectory motion.csv --plot loads.svg", cmd_loads},
    {"bench", "time per call of every method", "ROBOT", false,
     option_bit(DOF) | option_bit(METHOD) | option_bit(PLOT) | option_bit(QUESTION) |
         option_bit(PRECISION) | option_bit(QUICK) | option_bit(CROSSOVER) | option_bit(LATENCY) |
         option_bit(CALLS) | option_bit(PEERS) | option_bit(GENERATED) | ROBOT_OPTIONS |
         OUTPUT_OPTIONS,
     -1,
     "Generic chains of 2 to 1000 joints unless ROBOT or --dof is given; --dof also takes a list, "
     "2,4,7.\n"
     "--method, --question, --precision: only those. Methods slower than 20 ms per call are "
     "skipped.\n"
     "--plot FILE: time over the number of joints, as .svg, .png or .pdf (needs gnuplot).\n"
     "--generated: code that linkwork generate makes is compiled, compared with the kernels and\n"
     "timed in the same rounds; its method is 'generated'. Needs a C compiler. With --dof LIST,\n"
     "the table ends with where it stops paying.\n"
     "columns: robot,n,question,method,precision,mode,threads,ns: nanoseconds per state, the best "
     "of many\n"
     "rounds; single asks about one state per call, batch about up to 1024, by one thread and by "
     "all. csv adds "
     "median_ns,ratio (to the\n"
     "fastest of the question on that robot),rounds,isa. The environment variable LINKWORK_ISA "
     "chooses the\n"
     "instruction set: baseline, avx2 or avx512.\n"
     "\n"
     "--latency, for ROBOT or --dof N: every call of inverse and forward dynamics by itself.\n"
     "columns: robot,n,question,method,precision,isa,calls,mean_ns,p50_ns,p99_ns,p9999_ns,max_ns,\n"
     "page_faults,allocations,preemptions,clock_ns,clock_resolution_ns,memory_locked. Times "
     "include\n"
     "one reading of the clock, which takes clock_ns. Exit 1 if something was allocated.\n"
     "\n"
     "--peers: the same robots in other programs, which 'bench/peers/setup' installs; they are "
     "looked\n"
     "for in the folder peers beside the program, or in that of the variable LINKWORK_PEERS. "
     "Nothing is\n"
     "timed unless all answers agree to 1e-9. A PUMA-like arm, a Panda and generic chains of 10 "
     "to 1000\n"
     "joints unless ROBOT or --dof is given.\n"
     "columns: robot,n,question,program,method,mode,threads,ns,median_ns,ratio (to one state per\n"
     "call by our default method),difference (of the answers, relative),rounds.\n",
     "linkwork bench --dof 7", cmd_bench},
    {"simulate", "simulation of an arm by a scenario file, or along a trajectory", "SCENARIO|ROBOT",
     true,
     option_bit(DURATION) | option_bit(INTEGRATOR) | option_bit(DT) | option_bit(PLOT) |
         option_bit(AUDIT) | option_bit(IN) | FOLLOW_OPTIONS | option_bit(LINK) | option_bit(TOOL) |
         option_bit(WRENCH) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1, SIMULATE_DETAILS,
     "linkwork simulate scenarios/puma_fall.yaml --out fall.csv --plot fall.svg", cmd_simulate},
    {"paper", "every table and figure of a document, beside what it prints", "NAME", true,
     option_bit(QUICK) | OUTPUT_OPTIONS, -1,
     "NAME is nia2005, mata2002, silver1981, swartz1982, grigorov2013 or all. Recomputes "
     "everything\n"
     "that the document reports, as far as its data allow.\n"
     "\n"
     "--out DIR: a folder, created if needed. It gets DIR/NAME/README.md (printed, corrected and\n"
     "measured values side by side), verdicts.csv (all of them), a CSV file for every table or\n"
     "figure of its own and, where gnuplot is installed, the figures as SVG. Without --out only "
     "the\n"
     "verdicts are printed.\n"
     "columns: paper,section,claim,verdict,erratum,says,why. A verdict is 'reproduced', "
     "'reproduced with\n"
     "correction' (of which erratum), 'in part' (for which cases), 'refuted' (what was found) or "
     "'not\n"
     "reproducible' (why it cannot be tested).\n"
     "--quick takes less time and reaches the same verdicts.\n",
     "linkwork paper nia2005 --out papers", cmd_paper},
    {"shell", "interactive shell for one arm, also for scripts", "ROBOT", false,
     option_bit(INTEGRATOR) | ROBOT_OPTIONS | COMMON_OPTIONS, -1,
     "Reads commands from the terminal or from standard input; without ROBOT about the "
     "direct-drive "
     "arm\n"
     "of swartz1982, which is built in. Variables gravity force moment DACTimePeriod theta (or q)\n"
     "omega (qd) alpha (qdd) torque (tau) voltage (v) DACOut: NAME shows one, NAME = V1 V2 .. "
     "sets\n"
     "it, NAME.JOINT = V sets one joint. Commands inverse_arm forward_arm simulate "
     "plot_simulation\n"
     "print_simulation write_graphic_file open_output_file close_output_file database_read check "
     "count\n"
     "lint help exit quit, and every command of the program that takes a robot, with the robot and "
     "the\n"
     "variables of the session: pose, jacobian --link hand, ik --pose .. 'help' and 'help NAME' "
     "explain\n"
     "them. It follows the program `sim` of swartz1982; see docs/shell.md.\n"
     "\n"
     "At a terminal the lines are kept for the next session in $XDG_STATE_HOME/linkwork/history\n"
     "(~/.local/state), which only you can read; LINKWORK_HISTORY names another file, or none if "
     "empty.\n"
     "\n"
     "--integrator: of its simulations (default kutta3:1e-3).\n"
     "Questions of commands are answered from the same input. An error does not end the session.\n"
     "Exit 0, or 1 if a command of a script failed.\n",
     "printf 'alpha = 1 0 0 0 0 0\\ninverse_arm\\n' | linkwork shell robots/ddarm.yaml", cmd_shell},
    {"page", "a page that shows the robot and plays its runs", "INPUT..", true,
     option_bit(OUT) | option_bit(PNG) | ROBOT_OPTIONS | COMMON_OPTIONS, -1, PAGE_DETAILS,
     "linkwork page scenarios/puma_pd.yaml --out page.html", cmd_page},
    {"view", "the same page, opened in the browser", "INPUT..", true,
     ROBOT_OPTIONS | COMMON_OPTIONS, -1, PAGE_DETAILS, "linkwork view robots/puma560.yaml",
     cmd_view},
    {"plot", "plot of the columns of a recording", "RUN", true,
     option_bit(PLOT_X) | option_bit(PLOT_Y) | option_bit(ROBOT) | option_bit(OUT) | COMMON_OPTIONS,
     -1,
     "RUN is a CSV file with a header, - for standard input: what simulate, snake simulate or "
     "plan\n"
     "write. GROUPS are panels: q draws all of q1,q2,.. or q.waist,q.elbow,..; a whole name draws\n"
     "one column; kinetic+potential draws both into one panel. Curves of different units never\n"
     "share one. Without --y: positions, tracking errors, velocities, torques, voltages and, "
     "beyond\n"
     "a millionth of the kinetic energy, S - S(0), if the file has them. References are pale "
     "bands\n"
     "behind their curves. From 9 joints on every row of panels shows some of them.\n"
     "\n"
     "--robot FILE: axes are labelled rad or m, N m or N by joint type, limits are dotted lines,\n"
     "legends show joint names. --out FILE ends with .svg, .png or .pdf. Needs gnuplot.\n",
     "linkwork plot fall.csv --y q,kinetic+potential --out fall.svg", cmd_plot},
    {"draw", "a drawing of a robot or a snake, as SVG", "ROBOT|SNAKE", true,
     option_bit(Q) | option_bit(THETA) | option_bit(IN) | option_bit(VIEW) | option_bit(SHOW) |
         option_bit(LINK) | option_bit(TOOL) | option_bit(OUT) | ROBOT_OPTIONS | COMMON_OPTIONS,
     -1,
     "The pose is --q of a robot (default zero, or where its loops are closed; joints that loops "
     "move\n"
     "follow), --theta of a snake (default that of 'snake simulate'). --in FILE has many, a "
     "recording\n"
     "or a trajectory: columns q1..qn or q.NAME,\n"
     "theta1..thetan and perhaps x,y; six of them are drawn, the last in full and the others "
     "pale,\n"
     "and the path of the last link, or of the frame of --link and --tool.\n"
     "Links are drawn by their shapes (visual or collision shapes of URDF, solids of parts files, "
     "STL\n"
     "meshes as outlines), and without any as bars from joint to joint; all to one scale. No "
     "other\n"
     "program is needed.\n"
     "\n"
     "--view: front (x to the right, z up), side (y, z), top (x, y), iso, or where the eye "
     "stands:\n"
     "azimuth from x towards y, elevation above the plane of x and y. Default: across the plane "
     "of a\n"
     "planar arm, else iso.\n"
     "--show: frames are numbered, the base is 0, x red, y green, z blue; dimensions are lengths "
     "in m\n"
     "between axes; masses are at the centres of mass; forces are weights and what the joints "
     "carry at\n"
     "rest, on the outer link, N. Default: links and joints, names of up to 24 joints, frames and\n"
     "dimensions of up to 8 if one pose is drawn.\n",
     "linkwork draw robots/puma560.yaml --q 0,-0.8,0.5,0,0.9,0 --out arm.svg", cmd_draw},
    {"parts", "mass properties of links from shapes and densities", "FILE", true,
     option_bit(LINK) | option_bit(STRICT) | option_bit(ACCEPT) | OUTPUT_OPTIONS, -1,
     "FILE is a parts file (YAML or JSON): links of parts, parts of sections, each a shape with a\n"
     "density or a mass; see docs/formats.md. A robot file takes a link from it by\n"
     "'parts: FILE#LINK' in place of mass, com and inertia.\n"
     "\n"
     "table: mass, centre of mass and inertia about it of every link, followed by where every\n"
     "kilogram comes from: part, copy, section, shape, hole, material, volume, density, mass,\n"
     "centre of mass, and share of the inertia about the LINK's centre of mass. Masses and shares\n"
     "add up to those of the link. A hole is negative. SI units, link axes.\n"
     "csv columns: link,part,copy,section,shape,hole,material,volume,density,mass,x,y,z,xx,yy,zz,\n"
     "xy,xz,yz; the line of a link itself has no part. json: a list of {link, mass, computed, "
     "com,\n"
     "inertia, sections}. computed: the mass before weighing, without payload.\n",
     "linkwork parts parts/ddarm.yaml --link forearm", cmd_parts},
    {"snake", "snake robots: state, inverse, simulate, check, bench", NULL, false, option_bit(HELP),
     -1,
     "  linkwork snake state SNAKE     accelerations, speeds and wheel forces of states\n"
     "  linkwork snake inverse SNAKE   torques for wanted accelerations\n"
     "  linkwork snake simulate SNAKE  motion over time\n"
     "  linkwork snake check SNAKE     all methods against each other\n"
     "  linkwork snake bench SNAKE     how long every method takes\n"
     "\n"
     "SNAKE is a snake file (YAML or JSON): links in a row on passive wheels that roll along "
     "their\n"
     "link and do not slip sideways, as in nia2005. theta1..thetan are the directions of the "
     "links\n"
     "in the plane, u1 the speed of link 1 along itself, u2 its angular velocity; torque T_k of\n"
     "joint k acts with +T_k on link k+1 and with -T_k on link k. Link n is the head.\n",
     "linkwork help snake simulate", cmd_snake},
    {"snake state", "accelerations, speeds and wheel forces of a snake", "SNAKE", true,
     option_bit(THETA) | option_bit(U) | option_bit(TORQUE) | option_bit(IN) | option_bit(KEEP) |
         option_bit(METHOD) | option_bit(PRECISION) | option_bit(STRICT) | option_bit(ACCEPT) |
         OUTPUT_OPTIONS,
     -1,
     "columns: udot1,udot2,V1..Vn,w1..wn,lambda1..lambdan,kinetic,power. udot: m/s^2 and rad/s^2.\n"
     "V, w: speed of each link along itself and angular velocity. lambda: sideways force of each\n"
     "wheel on the ground, to the left of its link, N. kinetic: J. power: of the torques, W.\n"
     "Wheels that would slip because their force exceeds friction_limit are marked in the table "
     "of\n"
     "a single state; otherwise their number is printed on standard error.\n"
     "\n"
     "--in FILE: a CSV file with columns theta1..thetan, u1,u2, T1..Tn-1 in any order; u and T "
     "may\n"
     "be absent and are then zero. Other columns are ignored, so a recording of 'snake simulate' "
     "can\n"
     "be used; t, or with --keep every column, is copied to the output. States are streamed in\n"
     "constant memory.\n",
     "linkwork snake state robots/snakes/table2_n3.yaml --theta -0.5,0.5,-0.5 --u 1,0 --torque 1,2",
     cmd_snake_state},
    {"snake inverse", "joint torques of a snake for wanted accelerations", "SNAKE", true,
     option_bit(THETA) | option_bit(U) | option_bit(UDOT) | option_bit(IN) | option_bit(KEEP) |
         option_bit(STRICT) | option_bit(ACCEPT) | OUTPUT_OPTIONS,
     -1,
     "The torques of least norm that give link 1 the accelerations udot1 along itself and udot2\n"
     "about its middle. n-1 torques, two accelerations: in most postures any can be had, rank 2. "
     "A\n"
     "straight snake cannot push itself forward and an arc of equal angles cannot move along "
     "itself;\n"
     "the rank is then lower, and the torques are those that come nearest, measured by kinetic "
     "energy.\n"
     "columns: T1..Tn-1,udot1,udot2,rank. T: N m. udot: what these torques give.\n"
     "\n"
     "--in FILE: a CSV file with columns theta1..thetan, u1,u2, udot1,udot2 in any order; u may "
     "be\n"
     "absent and is then zero. t, or with --keep every column, is copied to the output.\n",
     "linkwork snake inverse robots/snakes/table2_n3.yaml --theta -0.5,0.5,-0.5 --udot 1,0",
     cmd_snake_inverse},
    {"snake simulate", "simulation of a snake", "SNAKE", true,
     option_bit(TORQUE_LAW) | option_bit(IN) | option_bit(GAIT) | option_bit(DURATION) |
         option_bit(INTEGRATOR) | option_bit(DT) | option_bit(THETA0) | option_bit(U0) |
         option_bit(SLIP) | option_bit(STOPS) | option_bit(STABILISE) | option_bit(PLOT) |
         option_bit(AUDIT) | option_bit(METHOD) | option_bit(PRECISION) | option_bit(STRICT) |
         option_bit(ACCEPT) | OUTPUT_OPTIONS,
     -1, SNAKE_SIMULATE_DETAILS,
     "linkwork snake simulate robots/snakes/table2_n6.yaml --torque-law \"sin(t)/(n-k)\"",
     cmd_snake_simulate},
    {"snake check", "compare all snake methods with each other", "SNAKE", true,
     option_bit(STATES) | option_bit(SEED) | option_bit(PRECISION) | option_bit(STRICT) |
         option_bit(ACCEPT) | OUTPUT_OPTIONS,
     -1,
     "Runs every method on random states, every fourth nearly straight. The reference is\n"
     "kane-linear in double precision. Methods that would take very long are skipped, with a "
     "note.\n"
     "columns: check,question,method,worst,bound,absolute,state,ok. worst and bound are in units\n"
     "of rounding: |difference| / (epsilon times the size of the terms that make up the answer).\n"
     "  equation of motion     residual of M udot + bias = force\n"
     "  speeds, wheel forces   V, w; lambda as by the reference\n"
     "  circle                 |V + i h w| is the same for all links (wheels in the middle)\n"
     "  mass                   M11 + M22 / h1^2 is constant (wheels in the middle)\n"
     "  constraint, constraint rate   no wheel slips or begins to slip\n"
     "  kinetic energy         u^T M u / 2\n"
     "  energy balance         d kinetic / dt, differentiated numerically, is the power\n"
     "Exit 1 when one of them is beyond its bound; the commands that show the state are printed\n"
     "(on standard error for csv and json).\n",
     "linkwork snake check robots/snakes/table2_n6.yaml --states 1000", cmd_snake_check},
    {"snake bench", "time per call of every snake method", "SNAKE", false,
     option_bit(LINKS) | option_bit(QUICK) | option_bit(PRECISION) | option_bit(STRICT) |
         option_bit(ACCEPT) | OUTPUT_OPTIONS,
     -1,
     "Every method answers what a simulation asks for, udot and the angular velocities: one state "
     "per\n"
     "call (single) and 64 states in lanes (batch), all in turn, so that other load on the "
     "machine\n"
     "affects all alike. Without SNAKE and --links: a generic snake of 20 links.\n"
     "columns: robot,n,question,method,precision,mode,threads,ns,median_ns,ratio,rounds,isa. ns is "
     "the\n"
     "best time of a state, ratio that over the fastest of the same mode.\n",
     "linkwork snake bench --links 20", cmd_snake_bench},
    {"plan", "a trajectory through waypoints, or along a line", "ROBOT", true,
     option_bit(FROM) | option_bit(TO) | option_bit(VIA) | option_bit(IN) | option_bit(PROFILE) |
         option_bit(JOIN) | option_bit(FROM_QD) | option_bit(TO_QD) | option_bit(FROM_QDD) |
         option_bit(TO_QDD) | option_bit(DURATION) | option_bit(VELOCITY) |
         option_bit(ACCELERATION) | option_bit(JERK) | option_bit(DT) | option_bit(POSE) |
         option_bit(POSITION) | option_bit(LINK) | option_bit(TOOL) | option_bit(SIMULATE) |
         FOLLOW_OPTIONS | option_bit(INTEGRATOR) | option_bit(PLOT) | option_bit(AUDIT) |
         ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1, PLAN_DETAILS,
     "linkwork plan robots/puma560.yaml --from 0,0,0,0,0,0 --to 1,-1,1,0,0,0 --profile trapezoid "
     "--acceleration 5",
     cmd_plan},
    {"ik", "joint positions that reach a pose: inverse kinematics", "ROBOT", true,
     option_bit(POSE) | option_bit(POSITION) | option_bit(IN) | option_bit(KEEP) |
         option_bit(NAMES) | option_bit(Q) | option_bit(DIRECTION) | option_bit(WEIGHTS) |
         option_bit(ALL) | option_bit(ARM_ANGLE) | option_bit(RESTARTS) | option_bit(SEED) |
         option_bit(IGNORE_LIMITS) | option_bit(LINK) | option_bit(TOOL) | ROBOT_OPTIONS |
         OUTPUT_OPTIONS,
     -1, IK_DETAILS, "linkwork ik robots/puma560.yaml --pose 0.5,0.1,0.3,0,3.1,0 --all", cmd_ik},
    {"close", "joint positions that close the loops of a robot", "ROBOT", true,
     option_bit(Q) | option_bit(QD) | option_bit(QDD) | option_bit(IN) | option_bit(KEEP) |
         option_bit(ALL) | option_bit(NAMES) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "columns: q1..qn,gap,angle_gap,closed; with velocities also qd1.., with accelerations qdd1..\n"
     "Driven joints stay where --q has them; the passive ones move, from where --q or else the\n"
     "file's start has them, until the loops are closed (Newton's method with damping). gap is\n"
     "what is left, m, and angle_gap rad; closed is 1 if both are rounding, otherwise q is the\n"
     "nearest found. Exit 1 if a state cannot be closed. Limits of joints are not looked at.\n"
     "\n"
     "--qd, --qdd: those of the driven joints; all others are replaced by what the loops demand.\n"
     "--all: from many starts, everything that is found; a four-bar has two branches. Angles are\n"
     "next to --q. Without --q: the file's own configuration.\n",
     "linkwork close robots/four_bar.yaml --q crank=30deg --all", cmd_close},
    {"help", "the help of a command", "COMMAND", false, option_bit(AS) | option_bit(HELP), -1,
     "output: usage, options, columns and an example of COMMAND, or the list of commands.\n"
     "--as man: a man page of COMMAND or of the program. --as markdown: docs/commands.md.\n"
     "--as bash, zsh, fish: completion, for example: source <(linkwork help --as bash)\n",
     "linkwork help inverse", cmd_help},
};

const int COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0];

const Command* command_find(const char* name)
{
  for (int i = 0; i < COMMAND_COUNT; ++i)
    if (!strcmp(COMMANDS[i].name, name)) return &COMMANDS[i];
  return NULL;
}

OptionSet question_options(lwQuestion question)
{
  static const struct
  {
    unsigned input;
    OptionSet option;
  } pairs[]     = {{LW_INPUT_Q, option_bit(Q)},
                   {LW_INPUT_QD, option_bit(QD)},
                   {LW_INPUT_QDD, option_bit(QDD)},
                   {LW_INPUT_TAU, option_bit(TAU)},
                   {LW_INPUT_WRENCH, option_bit(WRENCH)}};
  OptionSet set = 0;
  for (int i = 0; i < (int)(sizeof pairs / sizeof pairs[0]); ++i)
    if (lw_question_info(question)->inputs & pairs[i].input) set |= pairs[i].option;
  return set;
}

OptionSet command_options(const Command* command)
{
  if (command->question < 0) return command->options;
  lwQuestion question = (lwQuestion)command->question;
  OptionSet method    = question_has_method(question) ? option_bit(METHOD) : 0;
  if (question == LW_QUESTION_FORWARD) method |= option_bit(REFINE);
  if (question_solves(question)) method |= option_bit(ROTORS);
  if (question == LW_QUESTION_REGRESSOR) method |= option_bit(ROTORS) | option_bit(FRICTION);
  if (question == LW_QUESTION_POSE || question == LW_QUESTION_JACOBIAN ||
      question == LW_QUESTION_JACOBIAN_RATE)
    method |= option_bit(LINK) | option_bit(TOOL);
  if (question == LW_QUESTION_REACTIONS) method |= option_bit(AXES);
  return command->options | method | question_options(question);
}
