// SPDX-License-Identifier: MIT
// The table of commands. To add one: a row here, its function cmd_NAME in a file NAME.c, declared
// in app.h; options that it alone takes go into OPTION_LIST (options.h). A name of two words is
// given as two arguments.
#include <string.h>

#include "app.h"
#include "command/details.h"
#include "kernels/questions.h"

#define COMMON_OPTIONS (with(QUIET) | with(HELP))
#define OUTPUT_OPTIONS (with(FORMAT) | with(OUT) | COMMON_OPTIONS)
#define FILE_OPTIONS                                                                               \
  (with(JOINTS) | with(AT) | with(ALLOW_BAD_INERTIA) | with(STRICT) | with(ACCEPT) |               \
   with(ALLOW_INERT) | with(FIX) | with(MIMIC) | with(ESTIMATE_INERTIA) | with(DENSITY) |          \
   with(PACKAGE_PATH) | with(GRAVITY) | with(BASE_RPY) | with(BASE))
#define ROBOT_OPTIONS (FILE_OPTIONS | with(PAYLOAD))
// Of commands that treat every joint as free and refuse robots with closed loops without the
// option.
#define TREE_OPTIONS   (ROBOT_OPTIONS | with(OPEN_TREE))
#define FOLLOW_OPTIONS (with(CONTROL) | with(KP) | with(KD) | with(COLUMNS) | with(NAMES))
#define STATE_OPTIONS                                                                              \
  (with(IN) | with(KEEP) | with(THREADS) | with(NAMES) | with(PRECISION) | TREE_OPTIONS |          \
   OUTPUT_OPTIONS)

// Those that ask a question about states come before them.
static const Command OTHERS[] = {
    {"info", "joints, masses, limits and methods of a robot", "ROBOT", true,
     ROBOT_OPTIONS | OUTPUT_OPTIONS, -1,
     "output: name, source, gravity, joints, masses, methods, and everything that was ignored,\n"
     "with the reason. A table, also when not on a terminal, unless --format is given. csv: one\n"
     "line per joint. json: one object.\n",
     "linkwork info robots/puma560.yaml", cmd_info},
    {"lint", "errors and doubtful values of a file", "ROBOT|SNAKE|PARTS|SCENARIO|STUDY|CYCLE", true,
     FILE_OPTIONS | OUTPUT_OPTIONS, -1,
     "A study is read with everything that it names; it is not run.\n"
     "output: all errors and warnings in full, and how many there are; also when not on a\n"
     "terminal, unless --format is given. csv and json: severity, file, line, column, message,\n"
     "hint, id.\n"
     "To silence a known warning, list its id (in brackets in the message) in the robot, snake\n"
     "or parts file: 'accept: [triangle-rule trunk]'. For URDF files use --accept. Exit 0\n"
     "without errors, 3 with errors.\n"
     "Hints name the likely fix: units (g, mm, degrees), signs, placeholders. Shapes of URDF\n"
     "links are compared with their mass properties, meshes included (--package-path).\n",
     "linkwork lint robots/puma560.yaml --strict", cmd_lint},
    {"convert", "a robot file in another format, checked against the original", "IN OUT", true,
     with(DH) | with(DROP) | with(STATES) | with(SEED) | ROBOT_OPTIONS | OUTPUT_OPTIONS, -1,
     "The extension of OUT selects the format: .yaml or .yml is a robot file, .urdf is URDF, .xml\n"
     "is MJCF; - is a robot file on standard output. Without --dh joints are written with\n"
     "origin and axis.\n"
     "Joints keep their names, the meaning of q, limits and friction. Link frames move where the\n"
     "new form requires it, and centres of mass and inertias move with them; frames of fixed\n"
     "joints and of links at the end of a branch stay where they are. If one joint cannot\n"
     "describe a frame, fixed joints are added. docs/conventions.md has the rules.\n"
     "\n"
     "Before OUT is written, it is read back and compared with IN in random states within the\n"
     "joint limits. It is written only if nothing differs by more than rounding.\n"
     "columns: quantity,worst,bound,absolute,state,ok. worst and bound are relative to the\n"
     "largest size of the quantity in any state.\n"
     "  torque         inverse dynamics, the largest over the joints\n"
     "  inertia        the inertia matrix (robots of up to 2000 moving joints)\n"
     "  acceleration   forward dynamics, as the torque needed for the difference\n"
     "  energy         kinetic and potential\n"
     "  pose           frames of the links that do not move, positions relative to the reach\n"
     "  loops          how open every row of the closed loops is, for robots that have some\n"
     "Limits, friction, motors, mimic, passive and start of every joint must be equal. If\n"
     "something differs, the exit code is 1 and OUT is not written. What the format of OUT cannot\n"
     "hold is listed on standard error; it is left out only if --drop names it, else the exit\n"
     "code is 2: loops (with start and passive), cylinders, motors (all but the gear), limits\n"
     "(missing ones, which URDF demands, become 1e9), gravity, shapes.\n",
     "linkwork convert robots/puma560.yaml puma560_standard.yaml --dh standard", cmd_convert},
    {"methods", "the methods that can be named by --method", NULL, false, OUTPUT_OPTIONS, -1,
     "columns: question,method,aliases,year,source,order,joints. The methods of a question are in\n"
     "the order of their years: who published them first. order is the growth with the number of\n"
     "joints; joints says which joints the method supports.\n",
     "linkwork methods --format json", cmd_methods},
    {"count", "measured operation counts of every method", "ROBOT", false,
     with(DOF) | with(METHOD) | with(GENERATED) | TREE_OPTIONS | OUTPUT_OPTIONS, WITH_LOOPS,
     "Counts are for ROBOT, for a generic chain (--dof N), or without either as polynomials in\n"
     "the number of joints n. --method NAME measures only methods of that name.\n"
     "With closed loops: forward dynamics by every formulation, equations and rows included.\n"
     "\n"
     "columns: question,method,mul,add,div,sqrt,executed_mul,executed_add,printed_mul,\n"
     "printed_add,printed_source.\n"
     "For any n: question,method,mul,add,div,from_n,executed_mul,executed_add,printed_mul,\n"
     "printed_add,printed_source, with texts like 23/2 n^2 + 15/2 n - 25. They are fitted\n"
     "exactly to the counts of generic chains, verified on longer ones, and hold from from_n\n"
     "joints on; 'none' if no polynomial fits.\n"
     "--generated, with ROBOT or --dof: also counts the code that linkwork generate writes for\n"
     "inverse, inertia, forward, bias, gravity, coriolis and inertia+bias; its method is\n"
     "'generated'.\n"
     "mul to sqrt are folded counts, as in the papers: arithmetic among constants of the robot\n"
     "and with a structural 0 or +-1 is free. executed_ counts every operation performed.\n"
     "printed_ is what the literature gives for a serial chain of that length; empty if it gives\n"
     "nothing or the robot is not a serial chain.\n",
     "linkwork count --dof 7", cmd_count},
    {"generate", "straight-line code for one robot: C, Python, MATLAB, JavaScript, Rust; or LaTeX",
     "ROBOT|SNAKE", true,
     with(QUESTION) | with(METHOD) | with(LANGUAGE) | with(PRECISION) | with(LANES) |
         with(ARGUMENTS) | with(NAME) | with(SINCOS) | with(SYMBOLS) | with(FMA) | with(TEST) |
         with(OUT) | TREE_OPTIONS | COMMON_OPTIONS,
     WITH_LOOPS,
     "The code needs no library, allocates nothing and has no loops. The kernels' computation is\n"
     "recorded as a graph, simplified with the numbers of this robot, and written as code. See\n"
     "docs/generate.md.\n"
     "\n"
     "--question: inverse, forward, inertia, bias, gravity, coriolis, energy, pose, jacobian,\n"
     "reactions, inverse-derivatives, forward-derivatives, inertia-inverse, coriolis-matrix,\n"
     "centroidal, jacobian-rate, regressor, gibbs, poses, velocities, accelerations, control. A\n"
     "comma starts another function; a plus puts two questions into one function that shares\n"
     "intermediate results: inertia+bias.\n"
     "--method best (default) tries every method, with the links' own parameters and with\n"
     "grouped ones, and keeps the one with the fewest operations.\n"
     "--arguments makes these arguments of the functions: wrench on the last link (6), gravity\n"
     "in the base frame (3), payload on the last link (10: mass, centre of mass, inertia about\n"
     "it).\n"
     "--sincos given: the caller passes cosines and sines of q. vector: the library's own sine,\n"
     "all angles of a state at once, for GCC and clang.\n"
     "With --out arm.c, arm.h has the declarations and, with --test, arm_test.c is a program\n"
     "that compares answers with those of the library and exits with 0 if they agree.\n"
     "Robots of more than 64 moving joints are refused: the library is faster for them.\n"
     "Questions for a snake: forward (default), inverse, V, omega, theta_ddot, lambda, rates,\n"
     "rates_dot, M, bias, force, partial, kinetic, power. Arguments are theta, u and torque;\n"
     "inverse takes udot instead of torque.\n"
     "--language latex writes equations instead of code, for arms of up to 8 joints: inertia,\n"
     "coriolis (the matrix of Christoffel symbols), gravity, bias, inverse, energy, pose,\n"
     "jacobian. --symbols uses letters such as m_1, l_1, I_1zz and adds a table of their values.\n",
     "linkwork generate robots/puma560.yaml --question inverse --out puma.c", cmd_generate},
    {"check", "compare all methods with each other, or with torques of another program", "ROBOT",
     true,
     with(STATES) | with(SEED) | with(STATE) | with(PRECISION) | with(IN) | with(TOLERANCE) |
         TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS,
     "Asks every question by every method in random states within the joint limits, half of them\n"
     "with a wrench. The reference is newton-euler, and the default method for the inertia "
     "matrix,\n"
     "in double precision. Methods that would take very long are skipped, with a note.\n"
     "columns: check,question,method,worst,bound,absolute,state,ok. worst and bound are in units\n"
     "of rounding: |difference| / (epsilon times the size of the terms that make up the answer).\n"
     "  agreement              torques and inertia matrix equal those of the reference\n"
     "  symmetric, positive definite   the inertia matrix M\n"
     "  equation of motion     residual of M qdd = tau - C qd - g + J^T w\n"
     "  forward after inverse  the same residual, of the accelerations given to inverse dynamics\n"
     "  kinetic energy         qd^T M qd / 2\n"
     "  power balance          tau qd + w V = dE/dt; d/dt is always by differences\n"
     "  c + g; dV/dt; dT/dt    bias, gravity . qd = dV/dt, coriolis . qd = dT/dt - qd^T M qdd\n"
     "  rotation; d pose/dt    R R^T = 1; velocity of the last link = J qd\n"
     "  dJ/dt qd               jacobian-rate: velocity J qd, and (dJ/dt) qd\n"
     "  power of joints        sum of reaction . relative velocity of its links = tau . qd\n"
     "  power of wrenches      on each link: it is what they take off tau . qd; and forward\n"
     "                         after inverse dynamics with them\n"
     "  momentum; net force    centroidal: p = m dc/dt, rate = d(p, k)/dt; rate = gravity, wrench\n"
     "                         and reactions at the base, moments about the centre of mass\n"
     "  Hessian and gradient   of gibbs: M, and torques\n"
     "  W M = 1; Y pi = tau    inertia-inverse; regressor\n"
     "  C qd and dM/dt         coriolis-matrix: C qd = coriolis, C + C^T = dM/dt\n"
     "  d tau/dt; M d qdd/dt   inverse-derivatives, forward-derivatives along the motion\n"
     "A robot with closed loops is asked in states that keep them closed, in the speeds u of its\n"
     "driven joints, qd = N u; --open-tree checks the tree. f: forces in the cuts, J: the rows of\n"
     "the loops, v: velocities.\n"
     "  loops closed           the frames of each loop meet, by poses of links alone; --all too\n"
     "  d row/dt               gaps of loops along any v: J v; and d(J v)/dt = dJ/dt v\n"
     "  J qd = 0               velocities and accelerations that follow\n"
     "  openings seen          states that open a loop are refused, closed ones are not\n"
     "  projection; tangent    q and qd beside the loops come back; least changes of v\n"
     "  work of torques        qd . tau = qd . tau of the tree; none where no drive is\n"
     "  forces in the cuts     tau + J^T f = tau of the tree\n"
     "  equation of motion     residual of M qdd + C qd + g - J_w^T w = tau + J^T f, and of J\n"
     "  N^T g; N^T M N; J N    and the like: answers of the tree, projected by an N found anew\n"
     "  quadratic in u         C u = coriolis, (d tau/d u) u = 2 C u\n"
     "  along axes             what a joint transmits along its axis is the torque of its drive\n"
     "Exit 1 if one of them exceeds its bound; commands that reproduce the state are printed (on\n"
     "standard error for csv and json).\n"
     "\n"
     "--in FILE compares the torques in a file with ours: columns as for inverse, and tau.. (see\n"
     "'linkwork help inverse'). The difference of a joint is relative to its largest torque in\n"
     "the file (at least a thousandth of the largest of all). If they disagree, the usual\n"
     "suspects are tried, one by one and then in pairs: gravity, missing Coriolis terms, the\n"
     "reference point and signs of inertias or none at all, the other DH convention, friction,\n"
     "rotor inertia, degrees, the wrench, order and signs of joints, units of mass; then causes\n"
     "whose size is fitted and printed: the zero of a joint, a payload, the mass of a link,\n"
     "missing friction or rotors; and what is left, rounding or noise. What no robot can have (a\n"
     "negative mass, friction or rotor, an inertia of no body) is never a cause. Rows in which\n"
     "friction may hold a joint (it stands) cannot decide for that joint: with friction among\n"
     "the causes they are left out, and counted. A suspect explains the difference if what\n"
     "remains is below the tolerance, or noise; it explains it in part if what remains is a\n"
     "hundredth of it and below 1 % of the torques. What no torque depends on, as the zero of a\n"
     "vertical first joint, cannot be seen.\n"
     "columns: suspect,before,after,absolute,row,joint,explains,detail. The first line, 'none',\n"
     "is the comparison itself. Exit 1 if the torques disagree, explained or not.\n",
     "linkwork check robots/puma560.yaml --states 1000", cmd_check},
    {"study", "bands and probabilities when parameters are uncertain", "STUDY", true,
     with(SAMPLES) | with(SAMPLE) | with(RESUME) | with(PART) | with(THREADS) |
         with(ALLOW_COMMANDS) | OUTPUT_OPTIONS,
     -1, STUDY_DETAILS, "linkwork study studies/puma_payload.yaml --out puma.db --samples 256",
     cmd_study},
    {"study report", "results of a study: quantiles, worst cases, which parameters matter",
     "DATABASE", true, with(TABLE) | with(LEVEL) | with(PLOT) | with(PAGE) | OUTPUT_OPTIONS, -1,
     STUDY_REPORT_DETAILS, "linkwork study report puma.db --table summary", cmd_study_report},
    {"study merge", "one database from several of the same study", "DATABASE..", true,
     with(OUT) | COMMON_OPTIONS, -1,
     "For studies that were computed in parts: copies the samples and measures of all DATABASES\n"
     "of one study and one version into the new --out FILE.db, and adds up their bands. Each is\n"
     "validated, and the new file appears when it is whole.\n",
     "linkwork study merge a.db b.db --out all.db", cmd_study_merge},
    {"prove", "prove that all methods are the same functions", "ROBOT|SNAKE", false,
     with(DOF) | with(RANDOM) | with(POINTS) | with(SEED) | TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS,
     "Evaluates all methods exactly, over the integers modulo the prime 2^61 - 1, at random\n"
     "points: for the structure of ROBOT (its tree and joint types, with unknowns in place of\n"
     "its numbers), of a snake with as many links as SNAKE, of a generic chain (--dof N) or of\n"
     "random structures (--random K). Joints that mimic others count as independent.\n"
     "docs/proof.md explains it. With closed loops: the formulations of forward dynamics, for\n"
     "unknown places of the loops.\n"
     "columns: about,left,right,points,degree,probability,holds,structure,witness,entry.\n"
     "  left, right      the two sides: names of methods, or formulas\n"
     "  points           how many points both were evaluated at, over all structures\n"
     "  degree           a bound on the degree of the polynomial that is zero if they are equal\n"
     "  probability      a bound on the probability that a false identity was overlooked\n"
     "  structure, witness, entry   where the sides differ first: random structure, point, entry\n"
     "Exit 1 if an identity does not hold; the witness is printed on standard error.\n",
     "linkwork prove robots/puma560.yaml --points 2", cmd_prove},
    {"accuracy", "true error of every method in double and single precision", "ROBOT", false,
     with(DOF) | with(STATES) | with(SEED) | with(METHOD) | with(QUESTION) | with(PLOT) |
         TREE_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "Compares the answers of every method in double and in single precision with the answer in\n"
     "113 bits, in random states within the joint limits. The error of an answer is that of its\n"
     "worst entry, in units in the last place (ulp) of the largest entry: 2^-52 or 2^-23 of the\n"
     "power of two below it. Rounding of the robot's constants counts as error; rounding of the\n"
     "state does not, because the state is exact in the given precision. The torques for forward\n"
     "dynamics are those of a random motion. Without ROBOT and --dof: generic chains of 1 to 64\n"
     "joints. A table ends with the worst states, in a form that other commands accept. Methods\n"
     "that would take very long are skipped.\n"
     "--plot FILE: worst error in double over the number of joints (needs gnuplot).\n"
     "columns: robot,n,question,method,precision,worst_ulp,median_ulp,states,worst_state,entry,\n"
     "state. state is the worst one, in a form that other commands accept. docs/accuracy.md\n"
     "explains it.\n",
     "linkwork accuracy robots/puma560.yaml --states 1000", cmd_accuracy},
    {"sensitivity", "how much each constant of a robot affects each torque", "ROBOT", true,
     with(Q) | with(QD) | with(QDD) | with(TAU) | with(WRENCH) | with(IN) | with(WITH) |
         with(QUESTION) | with(TOLERANCE) | with(METHOD) | with(NAMES) | TREE_OPTIONS |
         OUTPUT_OPTIONS,
     WITH_LOOPS,
     "Derivatives of the torques, or of the answer to another --question, with respect to\n"
     "constants of the robot file, exact up to rounding (dual numbers): --with mass,com,length\n"
     "(default), inertia, angle, gravity. Lengths are a and d, or x, y, z of an origin; angles\n"
     "alpha and theta, or roll, pitch and yaw. The state is given by --q, --qd and --qdd, or by\n"
     "a trajectory, --in FILE; then the largest effect over the trajectory is shown, with its\n"
     "time.\n"
     "--tolerance mass=5%,length=0.5mm: the effect of each tolerance, and the band of all\n"
     "together, the sum of |derivative| times tolerance. The band is exact for masses and\n"
     "inertias, because torques are linear in them, and for gravity alone; otherwise it is first\n"
     "order.\n"
     "columns: parameter,of (link or joint),value,unit,output,per_unit,per_cent (of the\n"
     "value),tolerance,effect (of the tolerance),state,t; with tolerances a row 'band, exact'\n"
     "or 'band, first order' follows for each output: value of the answer and effect. Rows are\n"
     "sorted by effect, then by per_cent; rows without effect are left out. docs/sensitivity.md\n"
     "explains it.\n",
     "linkwork sensitivity robots/planar2r.yaml --with mass,length --q 0.1,0.2", cmd_sensitivity},
    {"excite", "a trajectory that excites the parameters well, to record for identify", "ROBOT",
     true,
     with(DURATION) | with(DT) | with(VELOCITY) | with(ACCELERATION) | with(SEED) | with(NAMES) |
         TREE_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "columns: t,q1..qn,qd1..qdn,qdd1..qddn. The trajectory is a Fourier series of ten\n"
     "harmonics, at rest at both ends. It stays within 95 % of the limits of position, velocity,\n"
     "acceleration and torque (friction and rotors included) and, if ROBOT has shapes, keeps the\n"
     "links above the floor. Standard error shows the condition number of identify before and\n"
     "after the search. The same seed gives the same trajectory. Exit 2 if --duration is too\n"
     "short: fewer than 50 samples, or a joint could swing less than 5 % of its range to either\n"
     "side; exit 4 if no trajectory stays within the limits. Needs LAPACK. 'linkwork simulate "
     "ROBOT --in excite.csv' moves the robot along it.\n",
     "linkwork excite robots/panda.yaml --duration 20 --out excite.csv", cmd_excite},
    {"parameters", "which combinations of the links' parameters torques depend on", "ROBOT", true,
     TREE_OPTIONS | OUTPUT_OPTIONS, WITH_LOOPS,
     "Every link has ten parameters: m, mx my mz (mass times centre of mass), xx yy zz xy xz yz\n"
     "(inertia about the origin of its frame). Torques depend only on certain combinations of\n"
     "them, the base parameters; no motion can reveal more. They are found in two ways: by\n"
     "rules, joint by joint (Gautier & Khalil 1990, Wensing et al. 2017), and from the rank of\n"
     "the regressor at random states. Exit 4 if the two differ. With closed loops they are those\n"
     "of the driven joints, by rank.\n"
     "csv columns: parameter,unit,value,column. The torque of a joint is the sum of the\n"
     "regressor's columns Y.JOINT.column times the values. json also has the factors of every\n"
     "parameter.\n",
     "linkwork parameters robots/puma560.yaml", cmd_parameters},
    {"identify", "parameters of this robot from a log of its motion", "ROBOT", true,
     with(IN) | with(FRICTION) | with(ROTORS) | with(CURRENT) | with(CUTOFF) | with(UNEXPLAINED) |
         with(PLOT) | TREE_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "The log has t in equal steps, q1.. and the torques tau1.. of the drives, or with --current\n"
     "the currents i1..; qd and qdd are taken from it, or computed from q by a zero-phase\n"
     "filter. The last quarter is kept back to test the result. Joints that did not move are not\n"
     "identified; a message names them.\n"
     "1. Base parameters (the combinations that torques depend on), rotors and friction, by\n"
     "   weighted least squares (QR), with standard errors, correlation and condition number.\n"
     "2. A physically consistent robot: every link has positive mass and a positive definite\n"
     "   pseudo-inertia, with a margin, near ROBOT where the log does not determine it. --out\n"
     "   writes it.\n"
     "3. The prediction error on the last quarter: N m (or N), and per cent of the rms torque.\n"
     "Currents alone do not determine the scale: the mean ratio of the torque constants to those\n"
     "of ROBOT is kept at 1.\n"
     "Exit 1 if more than 20 % of a joint's torque stays unexplained in the last quarter, or more\n"
     "than --unexplained; noise of the measured torque does not count. Exit 3 if the log cannot\n"
     "be used, 4 if it does not determine the parameters. Nothing is written then.\n"
     "csv columns: parameter,unit,file,estimate,standard_error,possible. docs/identification.md\n"
     "has the equations. Needs LAPACK.\n",
     "linkwork identify robots/panda.yaml --data log.csv --friction viscous,coulomb --out "
     "found.yaml",
     cmd_identify},
    {"linearise", "linear state equations A, B around a motion; eigenvalues, modes, stability",
     "ROBOT|SCENARIO", true,
     with(Q) | with(QD) | with(QDD) | with(WRENCH) | with(IN) | with(DRIVES) | TREE_OPTIONS |
         OUTPUT_OPTIONS,
     WITH_LOOPS,
     "xdot = A x + B u for small changes around q, qd, qdd and the torques that sustain them. x:\n"
     "q1..qn, qd1..qdn. u: torques (N m) or forces (N).\n"
     "--drives includes rotors, viscous friction and motors: u is then the voltage for joints\n"
     "with a motor, and the current of a motor with inductance is one more state. The cylinders\n"
     "of ROBOT then have closed valves, and their oil acts as a spring. A SCENARIO adds springs\n"
     "and dampers (for each joint the last one that its drives or events give) and the oil of\n"
     "cylinders whose valves an event closes.\n"
     "columns: A11,A12,.., B11,B12,.. row by row (A1_1,.. with more than 9 states), re1.., im1..\n"
     "(the eigenvalues, 1/s, slowest first), and stable: 1, or 0 if a mode does not decay.\n"
     "table and json: each mode with natural frequency, damping ratio, time constant, and which\n"
     "joints take part. matlab: A, B, x0, lambda as text for MATLAB or Octave. Eigenvalues need\n"
     "LAPACK. docs/identification.md has the equations.\n",
     "linkwork linearise robots/puma560.yaml --q 0,0.1,0,0,0,0 --drives", cmd_linearise},
    {"drives", "motor sizing: torque, current and voltage along a trajectory", "ROBOT", true,
     with(IN) | with(WRENCH) | with(KEEP) | with(SERIES) | with(CYLINDERS) | with(METHOD) |
         TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS, DRIVES_DETAILS,
     "linkwork drives robots/puma560.yaml --in motion.csv --series voltages.csv", cmd_drives},
    {"cylinders", "hydraulic cylinders of a robot: moment arms, forces, oil", "ROBOT", true,
     with(Q) | with(QD) | with(QDD) | with(IN) | with(WRENCH) | TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS,
     "Shows the cylinders of the robot file in one state, with the forces that this state needs:\n"
     "the torques of inverse dynamics, distributed by least squares where cylinders span several\n"
     "joints. With closed loops joints are those whose speeds describe the motion.\n"
     "--in FILE, with columns t, q, qd and qdd: t, and NAME.length, .speed, .force,\n"
     ".pressure_bore, .pressure_rod and .flow of each cylinder, row by row.\n"
     "columns, one line for each cylinder and joint that it turns: cylinder,joint and\n"
     "  arm               moment arm dL/dq, m: torque divided by force\n"
     "  length, stroke, speed   pin to pin, m; of the piston, m and m/s\n"
     "  force, torque     N, positive if the cylinder pushes; N m on the joint\n"
     "  pressure_bore, pressure_rod, flow   of the two chambers, Pa; into the filling one, m^3/s\n"
     "  stiffness, joint_stiffness   of the oil with closed valves, N/m; of all cylinders at the\n"
     "                    joint, N m/rad, including the change of the force's direction\n"
     "  buckling_force    push at which the rod buckles, N\n"
     "Exit 1 if a stroke, pressure or flow exceeds its limit, or the rod would buckle.\n",
     "linkwork cylinders robots/hydraulic5.yaml --q boom=0.9,arm=-1.4", cmd_cylinders},
    {"loads", "largest joint reactions along a trajectory", "ROBOT", true,
     with(IN) | with(AXES) | with(PLOT) | with(WRENCH) | TREE_OPTIONS | OUTPUT_OPTIONS, WITH_LOOPS,
     "--trajectory FILE, or --in FILE, has columns t (s, increasing), q1..qn, qd1..qdn,\n"
     "qdd1..qddn or q.NAME and so on, as 'linkwork plan' writes them, and perhaps\n"
     "fx,fy,fz,nx,ny,nz (see 'linkwork help inverse').\n"
     "columns, one line for each component of each joint of the file:\n"
     "joint,component,peak,time,rms,unit. Components are rfx,rfy,rfz,rnx,rny,rnz as for\n"
     "'linkwork reactions', and the resultants rf and rn. Peaks keep their sign; time is that of\n"
     "the first peak, s. The rms is over time, by the trapezoidal rule.\n"
     "--plot FILE: a panel for each component, with a curve for each joint.\n",
     "linkwork loads robots/puma560.yaml --trajectory motion.csv --plot loads.svg", cmd_loads},
    {"bench", "time per call of every method", "ROBOT", false,
     with(DOF) | with(METHOD) | with(PLOT) | with(QUESTION) | with(PRECISION) | with(QUICK) |
         with(CROSSOVER) | with(LATENCY) | with(CALLS) | with(PEERS) | with(GENERATED) |
         TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS,
     "Generic chains of 2 to 1000 joints unless ROBOT or --dof is given; --dof also takes a\n"
     "list, 2,4,7.\n"
     "--method, --question, --precision: only those. Methods slower than 20 ms per call are\n"
     "skipped.\n"
     "--plot FILE: time over the number of joints, as .svg, .png or .pdf (needs gnuplot).\n"
     "--generated compiles the code that linkwork generate writes, compares it with the kernels\n"
     "and times it in the same rounds; its method is 'generated'. Needs a C compiler. With\n"
     "--dof LIST, the table ends with the number of joints from which it stops paying.\n"
     "columns: robot,n,question,method,precision,mode,threads,ns. ns is nanoseconds per state,\n"
     "the best of many rounds; mode single has one state per call, batch up to 1024, on one\n"
     "thread and on all. csv adds median_ns,ratio (to the fastest of the question on that\n"
     "robot),rounds,isa. The environment variable LINKWORK_ISA chooses the instruction set:\n"
     "baseline, avx2 or avx512.\n"
     "With closed loops: forward dynamics by every formulation of 'linkwork methods', which share\n"
     "one text of the equations; auto is what 'linkwork forward' asks.\n"
     "\n"
     "--latency, for ROBOT or --dof N: times every call of inverse and forward dynamics by\n"
     "itself.\n"
     "columns: robot,n,question,method,precision,isa,calls,mean_ns,p50_ns,p99_ns,p9999_ns,\n"
     "max_ns,page_faults,allocations,preemptions,clock_ns,clock_resolution_ns,memory_locked.\n"
     "Times include one reading of the clock, which takes clock_ns. Exit 1 if a call allocated\n"
     "memory.\n"
     "\n"
     "--peers: times the same robots in other programs, which 'bench/peers/setup' installs. They\n"
     "are searched for in the folder peers beside the program, or in the folder named by the\n"
     "environment variable LINKWORK_PEERS. Nothing is timed unless all answers agree to 1e-9. A\n"
     "PUMA-like arm, a Panda and generic chains of 10 to 1000 joints unless ROBOT or --dof is\n"
     "given.\n"
     "columns: robot,n,question,program,method,mode,threads,ns,median_ns,ratio (to one state per\n"
     "call by our default method),difference (of the answers, relative),rounds.\n"
     "\n"
     "--truth: motions whose truth is known, simulated here and, if it is installed as for\n"
     "--peers, by MuJoCo from the same text, with its settings as they come and with careful\n"
     "ones.\n"
     "columns: motion,what,linkwork,peer_defaults,peer_careful,unit,program.\n",
     "linkwork bench --dof 7", cmd_bench},
    {"simulate", "simulate an arm from a scenario file, or along a trajectory", "SCENARIO|ROBOT",
     true,
     with(DURATION) | with(INTEGRATOR) | with(BUDGET) | with(SAVE) | with(FROM) | with(DT) |
         with(PLOT) | with(AUDIT) | with(IN) | FOLLOW_OPTIONS | with(LINK) | with(TOOL) |
         with(WRENCH) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1, SIMULATE_DETAILS,
     "linkwork simulate scenarios/puma_fall.yaml --out fall.csv --plot fall.svg", cmd_simulate},
    {"paper", "recompute the tables and figures of a paper, beside the printed numbers", "NAME",
     true, with(QUICK) | OUTPUT_OPTIONS, -1,
     "NAME is nia2005, mata2002, silver1981, swartz1982, grigorov2013 or all. Recomputes\n"
     "everything that the document reports, as far as its data allow.\n"
     "\n"
     "--out DIR: a folder, created if needed. It gets DIR/NAME/README.md (printed, corrected and\n"
     "measured values side by side), verdicts.csv (all of these values), a CSV file for every\n"
     "figure and, if gnuplot is installed, the figures as SVG. Without --out only the verdicts\n"
     "are printed.\n"
     "columns: paper,section,claim,verdict,erratum,says,why. A verdict is 'reproduced',\n"
     "'reproduced with correction' (the erratum is named), 'in part', 'refuted' or 'not\n"
     "reproducible'; why gives the cases, what was found instead, or why it cannot be tested.\n"
     "--quick takes less time and reaches the same verdicts.\n",
     "linkwork paper nia2005 --out papers", cmd_paper},
    {"shell", "interactive shell for one arm, also for scripts", "ROBOT", false,
     with(INTEGRATOR) | ROBOT_OPTIONS | COMMON_OPTIONS, -1,
     "Reads commands from the terminal or from standard input. Without ROBOT the arm is the\n"
     "direct-drive arm of swartz1982, which is built in.\n"
     "Variables: gravity force moment DACTimePeriod theta (or q) omega (qd) alpha (qdd) torque\n"
     "(tau) voltage (v) DACOut. NAME shows one, NAME = V1 V2 .. sets it, NAME.JOINT = V sets one\n"
     "joint.\n"
     "Commands: inverse_arm forward_arm simulate plot_simulation print_simulation\n"
     "write_graphic_file open_output_file close_output_file database_read check count lint help\n"
     "exit quit, and every command of the program that takes a robot, applied to the robot and\n"
     "the variables of the session: pose, jacobian --link hand, ik --pose .. 'help' and 'help\n"
     "NAME' explain them. The shell is modelled on the program sim of swartz1982; see\n"
     "docs/shell.md.\n"
     "\n"
     "At a terminal the history is kept for the next session in $XDG_STATE_HOME/linkwork/history\n"
     "(~/.local/state), which only you can read; LINKWORK_HISTORY names another file; if it is\n"
     "empty, no history is kept.\n"
     "\n"
     "--integrator: the integrator of simulations (default kutta3:1e-3).\n"
     "Answers to questions are read from the same input. An error does not end the session.\n"
     "Exit 0, or 1 if a command of a script failed.\n",
     "printf 'alpha = 1 0 0 0 0 0\\ninverse_arm\\n' | linkwork shell robots/ddarm.yaml", cmd_shell},
    {"sim", "the program sim of swartz1982, as it was in 1982", NULL, false, COMMON_OPTIONS, -1,
     "A strict mode of the shell with what the document lists under \"Programs Available\".\n"
     "Variables: gravity (one number, the acceleration of the base along z, -9.80621 at first)\n"
     "DACTimePeriod theta omega alpha torque voltage DACOut; NAME = V1 .. VN sets one.\n"
     "Commands: inverse_arm forward_arm simulate plot.simulation print.simulation\n"
     "write.graphic.file open.output.file close.output.file database.read help, and quit. Names\n"
     "may be abbreviated: 'for' is forward_arm. simulate asks for a number of timesteps of 1 ms,\n"
     "or for a voltage schedule; voltages drive the motors and are held between. With an output\n"
     "file open, print.simulation prints to it and not to the screen.\n"
     "The database of the direct-drive arm is read at the start; its dimensions and motors are\n"
     "invented, for the document prints none. A script from standard input prints as the session.\n"
     "Exit 0, or 1 if a command of a script failed.\n",
     "printf 'theta = 0 1 0 0 0 0\\ninverse_arm\\n' | linkwork sim", cmd_sim},
    {"page", "a page that shows the robot and plays its runs", "INPUT..", true,
     with(OUT) | with(PNG) | with(ANONYMOUS) | ROBOT_OPTIONS | COMMON_OPTIONS, -1, PAGE_DETAILS,
     "linkwork page scenarios/puma_pd.yaml --out page.html", cmd_page},
    {"view", "the same page, opened in the browser", "INPUT..", true,
     with(ANONYMOUS) | ROBOT_OPTIONS | COMMON_OPTIONS, -1, PAGE_DETAILS,
     "linkwork view robots/puma560.yaml", cmd_view},
    {"plot", "plot of the columns of a recording", "RUN", true,
     with(PLOT_X) | with(PLOT_Y) | with(ROBOT) | with(OUT) | COMMON_OPTIONS, -1,
     "RUN is a CSV file with a header, - for standard input, as simulate, snake simulate and\n"
     "plan write it. Each of GROUPS is a panel: q plots all of q1,q2,.. or q.waist,q.elbow,..; a\n"
     "full name plots one column; kinetic+potential plots both in one panel. Curves with\n"
     "different units never share a panel. Without --y: positions, tracking errors, velocities,\n"
     "torques and voltages, as far as the file has them, and S - S(0) if it exceeds a millionth\n"
     "of the kinetic energy. References are pale bands behind their curves. From 9 joints on,\n"
     "each row of panels shows some of the joints.\n"
     "\n"
     "--robot FILE: axes are labelled rad or m, N m or N by joint type, limits are dotted lines,\n"
     "legends show joint names. --out FILE ends with .svg, .png or .pdf. Needs gnuplot.\n",
     "linkwork plot fall.csv --y q,kinetic+potential --out fall.svg", cmd_plot},
    {"draw", "a drawing of a robot or a snake, as SVG", "ROBOT|SNAKE", true,
     with(Q) | with(THETA) | with(IN) | with(VIEW) | with(SHOW) | with(LINK) | with(TOOL) |
         with(OUT) | ROBOT_OPTIONS | COMMON_OPTIONS,
     -1,
     "--q is the configuration of a robot (default: zero, or where its loops are closed; passive\n"
     "joints follow), --theta that of a snake (default: as in 'snake simulate'). --in FILE has\n"
     "many of them, a recording or a trajectory with columns q1..qn or q.NAME, or theta1..thetan\n"
     "and perhaps x,y. Six are drawn, the last in full and the others pale, with the path of the\n"
     "last link, or of the frame of --link and --tool. A run of simulate with x,y,z is refused if\n"
     "that point is fixed to no link of ROBOT; columns q alone do not tell whose they are.\n"
     "Links are drawn with their shapes (visual or collision shapes of URDF, solids of parts\n"
     "files, meshes as outlines); links without shapes are bars from joint to joint.\n"
     "Everything is to one scale. No other program is needed.\n"
     "\n"
     "--view: front (x to the right, z up), side (y, z), top (x, y), iso, or the direction of\n"
     "view: azimuth from x towards y, elevation above the plane of x and y. Default:\n"
     "perpendicular to the plane of a planar arm, otherwise iso.\n"
     "--show: frames are numbered, the base is 0, x red, y green, z blue; dimensions are lengths\n"
     "in m between axes; masses are at the centres of mass; forces are weights and joint\n"
     "reactions at rest, on the outer link, N. Default: links and joints; names for up to 24\n"
     "joints; frames and dimensions for up to 8 joints if only one pose is drawn.\n",
     "linkwork draw robots/puma560.yaml --q 0,-0.8,0.5,0,0.9,0 --out arm.svg", cmd_draw},
    {"parts", "mass properties of links from shapes and densities", "FILE", true,
     with(LINK) | with(STRICT) | with(ACCEPT) | OUTPUT_OPTIONS, -1,
     "FILE is a parts file (YAML or JSON): a link consists of parts, a part of sections, and a\n"
     "section is a shape with a density or a mass; see docs/formats.md. 'parts: FILE#LINK' in a\n"
     "robot file takes a link from it instead of mass, com and inertia.\n"
     "\n"
     "table: mass, centre of mass and inertia about it of every link, followed by the\n"
     "contribution of every section: part, copy, section, shape, hole, material, volume,\n"
     "density, mass, centre of mass, and share of the inertia about the LINK's centre of mass.\n"
     "Masses and shares add up to those of the link. A hole is negative. SI units, link axes.\n"
     "csv columns: link,part,copy,section,shape,hole,material,volume,density,mass,x,y,z,xx,yy,\n"
     "zz,xy,xz,yz; the line of a link itself has no part. json: a list of {link, mass, computed,\n"
     "com, inertia, sections}. computed: the mass before weighing, without payload.\n",
     "linkwork parts parts/ddarm.yaml --link forearm", cmd_parts},
    {"snake", "snake robots: state, inverse, simulate, check, bench", NULL, false, with(HELP), -1,
     "  linkwork snake state SNAKE     accelerations, speeds and wheel forces of states\n"
     "  linkwork snake inverse SNAKE   torques for desired accelerations\n"
     "  linkwork snake simulate SNAKE  motion over time\n"
     "  linkwork snake check SNAKE     all methods against each other\n"
     "  linkwork snake bench SNAKE     how long every method takes\n"
     "\n"
     "SNAKE is a snake file (YAML or JSON): a chain of links on passive wheels that roll along\n"
     "their link and do not slip sideways, as in nia2005. theta1..thetan are the directions of\n"
     "the links in the plane, u1 the speed of link 1 along itself, u2 its angular velocity;\n"
     "torque T_k of joint k acts with +T_k on link k+1 and with -T_k on link k. Link n is the\n"
     "head.\n",
     "linkwork help snake simulate", cmd_snake},
    {"snake state", "accelerations, speeds and wheel forces of a snake", "SNAKE", true,
     with(THETA) | with(U) | with(TORQUE) | with(IN) | with(KEEP) | with(METHOD) | with(PRECISION) |
         with(STRICT) | with(ACCEPT) | OUTPUT_OPTIONS,
     -1,
     "columns: udot1,udot2,V1..Vn,w1..wn,lambda1..lambdan,kinetic,power. udot: m/s^2 and\n"
     "rad/s^2. V, w: speed of each link along itself and angular velocity. lambda: sideways\n"
     "force of each wheel on the ground, to the left of its link, N. kinetic: J. power: of the\n"
     "torques, W. Wheels that would slip because their force exceeds friction_limit are marked\n"
     "in the table of a single state; otherwise their number is printed on standard error.\n"
     "\n"
     "--in FILE: a CSV file with columns theta1..thetan, u1,u2, T1..Tn-1 in any order; u and T\n"
     "may be absent and are then zero. Other columns are ignored, so a recording of 'snake\n"
     "simulate' can be used; t, or with --keep every column, is copied to the output. States are\n"
     "streamed in constant memory.\n",
     "linkwork snake state robots/snakes/table2_n3.yaml --theta -0.5,0.5,-0.5 --u 1,0 --torque 1,2",
     cmd_snake_state},
    {"snake inverse", "joint torques of a snake for desired accelerations", "SNAKE", true,
     with(THETA) | with(U) | with(UDOT) | with(IN) | with(KEEP) | with(STRICT) | with(ACCEPT) |
         OUTPUT_OPTIONS,
     -1,
     "The torques of least norm that give link 1 the accelerations udot1 along itself and udot2\n"
     "about its middle. In most postures the n-1 torques can produce any two accelerations: rank\n"
     "2. A straight snake cannot push itself forward, and a snake in an arc of equal angles\n"
     "cannot move along the arc; the rank is then lower, and the torques are those that come\n"
     "nearest, measured by kinetic energy.\n"
     "columns: T1..Tn-1,udot1,udot2,rank. T: N m. udot: the accelerations that these torques\n"
     "produce.\n"
     "\n"
     "--in FILE: a CSV file with columns theta1..thetan, u1,u2, udot1,udot2 in any order; u may\n"
     "be absent and is then zero. t, or with --keep every column, is copied to the output.\n",
     "linkwork snake inverse robots/snakes/table2_n3.yaml --theta -0.5,0.5,-0.5 --udot 1,0",
     cmd_snake_inverse},
    {"snake simulate", "simulation of a snake", "SNAKE", true,
     with(TORQUE_LAW) | with(IN) | with(GAIT) | with(DURATION) | with(INTEGRATOR) | with(BUDGET) |
         with(SAVE) | with(FROM) | with(DT) | with(THETA0) | with(U0) | with(SLIP) | with(STOPS) |
         with(STABILISE) | with(PLOT) | with(AUDIT) | with(METHOD) | with(PRECISION) |
         with(STRICT) | with(ACCEPT) | OUTPUT_OPTIONS,
     -1, SNAKE_SIMULATE_DETAILS,
     "linkwork snake simulate robots/snakes/table2_n6.yaml --torque-law \"sin(t)/(n-k)\"",
     cmd_snake_simulate},
    {"snake check", "compare all snake methods with each other", "SNAKE", true,
     with(STATES) | with(SEED) | with(PRECISION) | with(STRICT) | with(ACCEPT) | OUTPUT_OPTIONS, -1,
     "Runs every method on random states; every fourth is nearly straight. The reference is\n"
     "kane-linear in double precision. Methods that would take very long are skipped, with a\n"
     "note.\n"
     "columns: check,question,method,worst,bound,absolute,state,ok. worst and bound are in units\n"
     "of rounding: |difference| / (epsilon times the size of the terms that make up the answer).\n"
     "  equation of motion     residual of M udot + bias = force\n"
     "  speeds, wheel forces   V, w; lambda equal those of the reference\n"
     "  circle                 |V + i h w| is the same for all links (wheels in the middle)\n"
     "  mass                   M11 + M22 / h1^2 is constant (wheels in the middle)\n"
     "  constraint, constraint rate   no wheel slips or begins to slip\n"
     "  kinetic energy         u^T M u / 2\n"
     "  energy balance         d kinetic / dt, differentiated numerically, is the power\n"
     "Exit 1 if one of them exceeds its bound; commands that reproduce the state are printed (on\n"
     "standard error for csv and json).\n",
     "linkwork snake check robots/snakes/table2_n6.yaml --states 1000", cmd_snake_check},
    {"snake bench", "time per call of every snake method", "SNAKE", false,
     with(LINKS) | with(QUICK) | with(PRECISION) | with(STRICT) | with(ACCEPT) | OUTPUT_OPTIONS, -1,
     "Every method computes what a simulation needs, udot and the angular velocities: one state\n"
     "per call (single) and 64 states in lanes (batch). They are timed in turn, so that other\n"
     "load on the machine affects all of them alike. Without SNAKE and --links: a generic snake\n"
     "of 20 links.\n"
     "columns: robot,n,question,method,precision,mode,threads,ns,median_ns,ratio,rounds,isa. ns\n"
     "is the best time per state, ratio is relative to the fastest method of the same mode.\n",
     "linkwork snake bench --links 20", cmd_snake_bench},
    {"plan", "a trajectory through waypoints, or along a line", "ROBOT", true,
     with(FROM) | with(TO) | with(VIA) | with(IN) | with(PROFILE) | with(JOIN) | with(FROM_QD) |
         with(TO_QD) | with(FROM_QDD) | with(TO_QDD) | with(DURATION) | with(VELOCITY) |
         with(ACCELERATION) | with(JERK) | with(DT) | with(POSE) | with(POSITION) | with(LINK) |
         with(TOOL) | with(SIMULATE) | FOLLOW_OPTIONS | with(INTEGRATOR) | with(PLOT) |
         with(AUDIT) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1, PLAN_DETAILS,
     "linkwork plan robots/puma560.yaml --from 0,0,0,0,0,0 --to 1,-1,1,0,0,0 --profile trapezoid "
     "--acceleration 5",
     cmd_plan},
    {"clearance", "least distances between links, floor and boxes along a trajectory", "ROBOT",
     true, with(IN) | ROBOT_OPTIONS | OUTPUT_OPTIONS, -1,
     "columns: a,b,distance,t,ax,ay,az,bx,by,bz: for each pair of links with shapes the least\n"
     "distance in any row of --in, m, when, and the nearest points of both, base frame. 0: they\n"
     "touch. Links that a joint connects are left out. Shapes are those of the robot file, or of\n"
     "URDF: collision shapes if a link has any, else visual ones; a mesh counts as its convex\n"
     "hull. Distances are those at the rows; nothing is planned around.\n"
     "--floor and --box: obstacles, named floor, box1, box2, .. --least D: exit 1 if a distance "
     "is\n"
     "smaller.\n",
     "linkwork clearance robots/ur5.yaml --in cycle.csv --floor 0 --least 10mm", cmd_clearance},
    {"frames", "position and orientation of the links that are named", "ROBOT", true,
     STATE_OPTIONS | with(LINKS), LW_QUESTION_POSES,
     "columns: x.LINK,y.LINK,z.LINK,r11.LINK,..r33.LINK, position in m and rotation matrix row by\n"
     "row, for each link of --links in its order: those of 'linkwork poses'. A link is named, or\n"
     "the joint that carries it. Base frame.\n",
     "linkwork frames robots/panda.yaml --links link4,flange --q 0,0,0,-1,0,1,0", cmd_state},
    {"ik", "joint positions that reach a pose: inverse kinematics", "ROBOT", true,
     with(POSE) | with(POSITION) | with(IN) | with(KEEP) | with(NAMES) | with(Q) | with(DIRECTION) |
         with(WEIGHTS) | with(ALL) | with(ARM_ANGLE) | with(RESTARTS) | with(SEED) |
         with(IGNORE_LIMITS) | with(LINK) | with(TOOL) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1, IK_DETAILS, "linkwork ik robots/puma560.yaml --pose 0.5,0.1,0.3,0,3.1,0 --all", cmd_ik},
    {"close", "joint positions that close the loops of a robot", "ROBOT", true,
     with(Q) | with(QD) | with(QDD) | with(IN) | with(KEEP) | with(ALL) | with(NAMES) |
         ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "columns: q1..qn,gap,angle_gap,closed; with velocities also qd1.., with accelerations\n"
     "qdd1.. Driven joints stay where --q puts them. Passive joints start from --q, or else from\n"
     "the file's configuration, and move until the loops are closed (Newton's method with\n"
     "damping). gap (m) and angle_gap (rad) are the remaining errors; closed is 1 if both are\n"
     "rounding, otherwise q is the nearest solution found. Exit 1 if a state cannot be closed.\n"
     "Joint limits are ignored.\n"
     "\n"
     "--qd, --qdd: for the driven joints; those of all others follow from the loops.\n"
     "--all: searches from many starting positions and lists all solutions found; a four-bar has\n"
     "two. Angles are those nearest to --q, or to the file's configuration without --q.\n",
     "linkwork close robots/four_bar.yaml --q crank=30deg --all", cmd_close},
    {"examples", "the robots, scenarios and studies that come with linkwork", "NAME", false,
     OUTPUT_OPTIONS, -1,
     "columns: file,about. With NAME, puma560 or scenarios/puma_fall.yaml, every example of that\n"
     "name and the files that these name are copied into folders here, robots/, scenarios/, ..,\n"
     "and listed. A file that is there with other content is not replaced: exit 2, nothing is\n"
     "copied.\n",
     "linkwork examples", cmd_examples},
    {"doctor", "what is installed, and which commands miss what is not", NULL, false,
     OUTPUT_OPTIONS, -1,
     "columns: what,there,without,remedy: libraries that this program was built with, and other\n"
     "programs that some commands start; which commands need them and how to get them.\n",
     "linkwork doctor --format table", cmd_doctor},
    {"help", "the help of a command", "COMMAND", false, with(AS) | with(HELP), -1,
     "output: usage, options, columns and an example of COMMAND; without COMMAND, the list of\n"
     "commands.\n"
     "--as man: a man page of COMMAND or of the program. --as markdown: docs/commands.md.\n"
     "--as bash, zsh, fish: completion, for example: source <(linkwork help --as bash)\n",
     "linkwork help inverse", cmd_help},
};

enum
{
  OTHER_COUNT = sizeof OTHERS / sizeof *OTHERS
};

static Command commands[LW_QUESTION_COUNT + OTHER_COUNT];
const Command* const COMMANDS = commands;
const int COMMAND_COUNT       = LW_QUESTION_COUNT + OTHER_COUNT;

void commands_open(void)
{
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    const lwQuestionInfo* info = lw_question_info((lwQuestion)k);
    commands[k] = (Command){info->name, info->summary, "ROBOT",       true,     STATE_OPTIONS,
                            k,          info->details, info->example, cmd_state};
  }
  memcpy(commands + LW_QUESTION_COUNT, OTHERS, sizeof OTHERS);
}

const Command* command_find(const char* name)
{
  for (int i = 0; i < COMMAND_COUNT; ++i)
    if (!strcmp(COMMANDS[i].name, name)) return &COMMANDS[i];
  return NULL;
}

// The options of a set of flags, in the order of their bits.
static OptionSet options_of(unsigned flags, const OptionSet* options)
{
  OptionSet set = 0;
  for (int i = 0; flags >> i; ++i)
    if (flags >> i & 1) set |= options[i];
  return set;
}

OptionSet question_options(lwQuestion question)
{
  static const OptionSet options[] = {with(Q), with(QD), with(QDD), with(TAU), with(WRENCH)};
  return options_of(lw_question_info(question)->inputs, options);
}

bool command_closes_loops(const Command* command)
{
  if (command->question == WITH_LOOPS) return true;
  if (command->question < 0) return !(command->options & with(OPEN_TREE));
  unsigned takes = lw_question_info((lwQuestion)command->question)->takes;
  return takes & (LW_TAKES_LOOPS | LW_TAKES_CLOSING);
}

// Options from OPTION_FASTEST on, which do not fit into the set of a Command.
static const struct
{
  const char* command;
  OptionSet options;
} LATER_OPTIONS[] = {
    {"bench", later(TRUTH)},
    {"clearance", later(FLOOR) | later(BOX) | later(ALLOW) | later(LEAST)},
    {"inverse", later(CONTACT)},
    {"forward", later(CONTACT)},
    {"plan", later(FASTEST) | later(GRID) | later(CYCLE) | later(PACE) | later(CONTINUOUS) |
                 later(RESERVE) | later(COMPARE)},
    {"simulate", later(TRACE) | later(REPLAY)},
    {"snake simulate", later(ROLLING) | later(TRACE) | later(REPLAY)},
};

bool command_takes(const Command* command, Option option)
{
  if (option < OPTION_FASTEST) return command_options(command) >> option & 1;
  for (size_t i = 0; i < sizeof LATER_OPTIONS / sizeof *LATER_OPTIONS; ++i)
    if (!strcmp(LATER_OPTIONS[i].command, command->name))
      return LATER_OPTIONS[i].options >> (option - OPTION_FASTEST) & 1;
  return false;
}

OptionSet command_options(const Command* command)
{
  if (command->question < 0) return command->options;
  static const OptionSet choices[] = {with(LINK) | with(TOOL), with(AXES), with(REFINE),
                                      with(ROTORS), with(ROTORS) | with(FRICTION)};
  lwQuestion question              = (lwQuestion)command->question;
  OptionSet method                 = lw_question_has_methods(question) ? with(METHOD) : 0;
  if (question == LW_QUESTION_INVERSE) method |= with(FRICTION);  // of contacts
  return command->options | method | question_options(question) |
         options_of(lw_question_info(question)->chooses, choices);
}
