// SPDX-License-Identifier: MIT
// The table of commands. To add one: a row here, its text in help.txt, and its function cmd_NAME in
// a file NAME.c, declared in app.h; options that it alone takes go into OPTION_LIST (options.h). A
// name of two words is given as two arguments.
#include <string.h>

#include "app.h"
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
     ROBOT_OPTIONS | OUTPUT_OPTIONS, -1, "linkwork info robots/puma560.yaml", cmd_info},
    {"lint", "errors and doubtful values of a file", "ROBOT|SNAKE|PARTS|SCENARIO|STUDY|CYCLE", true,
     FILE_OPTIONS | OUTPUT_OPTIONS, -1, "linkwork lint robots/puma560.yaml --strict", cmd_lint},
    {"convert", "a robot file in another format, checked against the original", "IN OUT", true,
     with(DH) | with(DROP) | with(STATES) | with(SEED) | ROBOT_OPTIONS | OUTPUT_OPTIONS, -1,
     "linkwork convert robots/puma560.yaml puma560_standard.yaml --dh standard", cmd_convert},
    {"methods", "the methods that can be named by --method", NULL, false, OUTPUT_OPTIONS, -1,
     "linkwork methods --format json", cmd_methods},
    {"count", "measured operation counts of every method", "ROBOT", false,
     with(DOF) | with(METHOD) | with(GENERATED) | TREE_OPTIONS | OUTPUT_OPTIONS, WITH_LOOPS,
     "linkwork count --dof 7", cmd_count},
    {"generate", "straight-line code for one robot: C, Python, MATLAB, JavaScript, Rust; or LaTeX",
     "ROBOT|SNAKE", true,
     with(QUESTION) | with(METHOD) | with(LANGUAGE) | with(PRECISION) | with(LANES) |
         with(ARGUMENTS) | with(NAME) | with(SINCOS) | with(SYMBOLS) | with(FMA) | with(TEST) |
         with(OUT) | TREE_OPTIONS | COMMON_OPTIONS,
     WITH_LOOPS, "linkwork generate robots/puma560.yaml --question inverse --out puma.c",
     cmd_generate},
    {"check", "compare all methods with each other, or with torques of another program", "ROBOT",
     true,
     with(STATES) | with(SEED) | with(STATE) | with(PRECISION) | with(IN) | with(TOLERANCE) |
         TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS, "linkwork check robots/puma560.yaml --states 1000", cmd_check},
    {"study", "bands and probabilities when parameters are uncertain", "STUDY", true,
     with(SAMPLES) | with(SAMPLE) | with(RESUME) | with(PART) | with(THREADS) |
         with(ALLOW_COMMANDS) | OUTPUT_OPTIONS,
     -1, "linkwork study studies/puma_payload.yaml --out puma.db --samples 256", cmd_study},
    {"study report", "results of a study: quantiles, worst cases, which parameters matter",
     "DATABASE", true, with(TABLE) | with(LEVEL) | with(PLOT) | with(PAGE) | OUTPUT_OPTIONS, -1,
     "linkwork study report puma.db --table summary", cmd_study_report},
    {"study merge", "one database from several of the same study", "DATABASE..", true,
     with(OUT) | COMMON_OPTIONS, -1, "linkwork study merge a.db b.db --out all.db",
     cmd_study_merge},
    {"prove", "prove that all methods are the same functions", "ROBOT|SNAKE", false,
     with(DOF) | with(RANDOM) | with(POINTS) | with(SEED) | TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS, "linkwork prove robots/puma560.yaml --points 2", cmd_prove},
    {"accuracy", "true error of every method in double and single precision", "ROBOT", false,
     with(DOF) | with(STATES) | with(SEED) | with(METHOD) | with(QUESTION) | with(PLOT) |
         TREE_OPTIONS | OUTPUT_OPTIONS,
     -1, "linkwork accuracy robots/puma560.yaml --states 1000", cmd_accuracy},
    {"sensitivity", "how much each constant of a robot affects each torque", "ROBOT", true,
     with(Q) | with(QD) | with(QDD) | with(TAU) | with(WRENCH) | with(IN) | with(WITH) |
         with(QUESTION) | with(TOLERANCE) | with(METHOD) | with(NAMES) | TREE_OPTIONS |
         OUTPUT_OPTIONS,
     WITH_LOOPS, "linkwork sensitivity robots/planar2r.yaml --with mass,length --q 0.1,0.2",
     cmd_sensitivity},
    {"excite", "a trajectory that excites the parameters well, to record for identify", "ROBOT",
     true,
     with(DURATION) | with(DT) | with(VELOCITY) | with(ACCELERATION) | with(SEED) | with(NAMES) |
         TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS, "linkwork excite robots/panda.yaml --duration 20 --out excite.csv", cmd_excite},
    {"parameters", "which combinations of the links' parameters torques depend on", "ROBOT", true,
     TREE_OPTIONS | OUTPUT_OPTIONS, WITH_LOOPS, "linkwork parameters robots/puma560.yaml",
     cmd_parameters},
    {"identify", "parameters of this robot from a log of its motion", "ROBOT", true,
     with(IN) | with(FRICTION) | with(ROTORS) | with(CURRENT) | with(CUTOFF) | with(UNEXPLAINED) |
         with(PLOT) | TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS,
     "linkwork identify robots/panda.yaml --data log.csv --friction viscous,coulomb --out "
     "found.yaml",
     cmd_identify},
    {"linearise", "linear state equations A, B around a motion; eigenvalues, modes, stability",
     "ROBOT|SCENARIO", true,
     with(Q) | with(QD) | with(QDD) | with(WRENCH) | with(IN) | with(DRIVES) | TREE_OPTIONS |
         OUTPUT_OPTIONS,
     WITH_LOOPS, "linkwork linearise robots/puma560.yaml --q 0,0.1,0,0,0,0 --drives",
     cmd_linearise},
    {"drives", "motor sizing: torque, current and voltage along a trajectory", "ROBOT", true,
     with(IN) | with(WRENCH) | with(KEEP) | with(SERIES) | with(CYLINDERS) | with(METHOD) |
         TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS, "linkwork drives robots/puma560.yaml --in motion.csv --series voltages.csv",
     cmd_drives},
    {"cylinders", "hydraulic cylinders of a robot: moment arms, forces, oil", "ROBOT", true,
     with(Q) | with(QD) | with(QDD) | with(IN) | with(WRENCH) | TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS, "linkwork cylinders robots/hydraulic5.yaml --q boom=0.9,arm=-1.4", cmd_cylinders},
    {"loads", "largest joint reactions along a trajectory", "ROBOT", true,
     with(IN) | with(AXES) | with(PLOT) | with(WRENCH) | TREE_OPTIONS | OUTPUT_OPTIONS, WITH_LOOPS,
     "linkwork loads robots/puma560.yaml --trajectory motion.csv --plot loads.svg", cmd_loads},
    {"bench", "time per call of every method", "ROBOT", false,
     with(DOF) | with(METHOD) | with(PLOT) | with(QUESTION) | with(PRECISION) | with(QUICK) |
         with(CROSSOVER) | with(LATENCY) | with(CALLS) | with(PEERS) | with(GENERATED) |
         TREE_OPTIONS | OUTPUT_OPTIONS,
     WITH_LOOPS, "linkwork bench --dof 7", cmd_bench},
    {"simulate", "simulate an arm from a scenario file, or along a trajectory", "SCENARIO|ROBOT",
     true,
     with(DURATION) | with(INTEGRATOR) | with(BUDGET) | with(SAVE) | with(FROM) | with(DT) |
         with(PLOT) | with(AUDIT) | with(IN) | FOLLOW_OPTIONS | with(LINK) | with(TOOL) |
         with(WRENCH) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1, "linkwork simulate scenarios/puma_fall.yaml --out fall.csv --plot fall.svg", cmd_simulate},
    {"paper", "recompute the tables and figures of a paper, beside the printed numbers", "NAME",
     true, with(QUICK) | OUTPUT_OPTIONS, -1, "linkwork paper nia2005 --out papers", cmd_paper},
    {"shell", "interactive shell for one arm, also for scripts", "ROBOT", false,
     with(INTEGRATOR) | ROBOT_OPTIONS | COMMON_OPTIONS, -1,
     "printf 'alpha = 1 0 0 0 0 0\\ninverse_arm\\n' | linkwork shell robots/ddarm.yaml", cmd_shell},
    {"sim", "the program sim of swartz1982, as it was in 1982", NULL, false, COMMON_OPTIONS, -1,
     "printf 'theta = 0 1 0 0 0 0\\ninverse_arm\\n' | linkwork sim", cmd_sim},
    {"page", "a page that shows the robot and plays its runs", "INPUT..", true,
     with(OUT) | with(PNG) | with(ANONYMOUS) | ROBOT_OPTIONS | COMMON_OPTIONS, -1,
     "linkwork page scenarios/puma_pd.yaml --out page.html", cmd_page},
    {"view", "the same page, opened in the browser", "INPUT..", true,
     with(ANONYMOUS) | ROBOT_OPTIONS | COMMON_OPTIONS, -1, "linkwork view robots/puma560.yaml",
     cmd_view},
    {"plot", "plot of the columns of a recording", "RUN", true,
     with(PLOT_X) | with(PLOT_Y) | with(ROBOT) | with(OUT) | COMMON_OPTIONS, -1,
     "linkwork plot fall.csv --y q,kinetic+potential --out fall.svg", cmd_plot},
    {"draw", "a drawing of a robot or a snake, as SVG", "ROBOT|SNAKE", true,
     with(Q) | with(THETA) | with(IN) | with(VIEW) | with(SHOW) | with(LINK) | with(TOOL) |
         with(OUT) | ROBOT_OPTIONS | COMMON_OPTIONS,
     -1, "linkwork draw robots/puma560.yaml --q 0,-0.8,0.5,0,0.9,0 --out arm.svg", cmd_draw},
    {"parts", "mass properties of links from shapes and densities", "FILE", true,
     with(LINK) | with(STRICT) | with(ACCEPT) | OUTPUT_OPTIONS, -1,
     "linkwork parts parts/ddarm.yaml --link forearm", cmd_parts},
    {"snake", "snake robots: state, inverse, simulate, check, bench", NULL, false, with(HELP), -1,
     "linkwork help snake simulate", cmd_snake},
    {"snake state", "accelerations, speeds and wheel forces of a snake", "SNAKE", true,
     with(THETA) | with(U) | with(TORQUE) | with(IN) | with(KEEP) | with(METHOD) | with(PRECISION) |
         with(STRICT) | with(ACCEPT) | OUTPUT_OPTIONS,
     -1,
     "linkwork snake state robots/snakes/table2_n3.yaml --theta -0.5,0.5,-0.5 --u 1,0 --torque 1,2",
     cmd_snake_state},
    {"snake inverse", "joint torques of a snake for desired accelerations", "SNAKE", true,
     with(THETA) | with(U) | with(UDOT) | with(IN) | with(KEEP) | with(STRICT) | with(ACCEPT) |
         OUTPUT_OPTIONS,
     -1, "linkwork snake inverse robots/snakes/table2_n3.yaml --theta -0.5,0.5,-0.5 --udot 1,0",
     cmd_snake_inverse},
    {"snake simulate", "simulation of a snake", "SNAKE", true,
     with(TORQUE_LAW) | with(IN) | with(GAIT) | with(DURATION) | with(INTEGRATOR) | with(BUDGET) |
         with(SAVE) | with(FROM) | with(DT) | with(THETA0) | with(U0) | with(SLIP) | with(STOPS) |
         with(STABILISE) | with(PLOT) | with(AUDIT) | with(METHOD) | with(PRECISION) |
         with(STRICT) | with(ACCEPT) | OUTPUT_OPTIONS,
     -1, "linkwork snake simulate robots/snakes/table2_n6.yaml --torque-law \"sin(t)/(n-k)\"",
     cmd_snake_simulate},
    {"snake check", "compare all snake methods with each other", "SNAKE", true,
     with(STATES) | with(SEED) | with(PRECISION) | with(STRICT) | with(ACCEPT) | OUTPUT_OPTIONS, -1,
     "linkwork snake check robots/snakes/table2_n6.yaml --states 1000", cmd_snake_check},
    {"snake bench", "time per call of every snake method", "SNAKE", false,
     with(LINKS) | with(QUICK) | with(PRECISION) | with(STRICT) | with(ACCEPT) | OUTPUT_OPTIONS, -1,
     "linkwork snake bench --links 20", cmd_snake_bench},
    {"plan", "a trajectory through waypoints, or along a line", "ROBOT", true,
     with(FROM) | with(TO) | with(VIA) | with(IN) | with(PROFILE) | with(JOIN) | with(FROM_QD) |
         with(TO_QD) | with(FROM_QDD) | with(TO_QDD) | with(DURATION) | with(VELOCITY) |
         with(ACCELERATION) | with(JERK) | with(DT) | with(POSE) | with(POSITION) | with(LINK) |
         with(TOOL) | with(SIMULATE) | FOLLOW_OPTIONS | with(INTEGRATOR) | with(PLOT) |
         with(AUDIT) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1,
     "linkwork plan robots/puma560.yaml --from 0,0,0,0,0,0 --to 1,-1,1,0,0,0 --profile trapezoid "
     "--acceleration 5",
     cmd_plan},
    {"clearance", "least distances between links, floor and boxes along a trajectory", "ROBOT",
     true, with(IN) | ROBOT_OPTIONS | OUTPUT_OPTIONS, -1,
     "linkwork clearance robots/ur5.yaml --in cycle.csv --floor 0 --least 10mm", cmd_clearance},
    {"frames", "position and orientation of the links that are named", "ROBOT", true,
     STATE_OPTIONS | with(LINKS), LW_QUESTION_POSES,
     "linkwork frames robots/panda.yaml --links link4,flange --q 0,0,0,-1,0,1,0", cmd_state},
    {"ik", "joint positions that reach a pose: inverse kinematics", "ROBOT", true,
     with(POSE) | with(POSITION) | with(IN) | with(KEEP) | with(NAMES) | with(Q) | with(DIRECTION) |
         with(WEIGHTS) | with(ALL) | with(ARM_ANGLE) | with(RESTARTS) | with(SEED) |
         with(IGNORE_LIMITS) | with(LINK) | with(TOOL) | ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1, "linkwork ik robots/puma560.yaml --pose 0.5,0.1,0.3,0,3.1,0 --all", cmd_ik},
    {"close", "joint positions that close the loops of a robot", "ROBOT", true,
     with(Q) | with(QD) | with(QDD) | with(IN) | with(KEEP) | with(ALL) | with(NAMES) |
         ROBOT_OPTIONS | OUTPUT_OPTIONS,
     -1, "linkwork close robots/four_bar.yaml --q crank=30deg --all", cmd_close},
    {"export", "a simulation as a unit for other simulators (FMI 2.0)", "ROBOT|SCENARIO", true,
     FILE_OPTIONS | COMMON_OPTIONS, WITH_LOOPS,
     "linkwork export scenarios/puma_fall.yaml --fmu fall.fmu", cmd_export},
    {"new", "a commented file to begin with, or a project of a controller in real time", "KIND",
     true, with(ROBOT) | FILE_OPTIONS | COMMON_OPTIONS, -1, "linkwork new scenario", cmd_new},
    {"examples", "the robots, scenarios and studies that come with linkwork", "NAME", false,
     OUTPUT_OPTIONS, -1, "linkwork examples", cmd_examples},
    {"doctor", "what is installed, and which commands miss what is not", NULL, false,
     OUTPUT_OPTIONS, -1, "linkwork doctor --format table", cmd_doctor},
    {"help", "the help of a command", "COMMAND", false, with(AS) | with(HELP), -1,
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
    commands[k]                = (Command){info->name, info->summary, "ROBOT",  true, STATE_OPTIONS,
                                           k,          info->example, cmd_state};
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
    {"export", later(FMU) | later(INPUTS)},
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
