// SPDX-License-Identifier: MIT
// Checks of questions that have one answer: what must hold between it and the answers to other
// questions.
//
//   bias, gravity, coriolis   b = c + g, g.qd = dV/dt, c.qd = dT/dt - qd.M qdd
//   pose, jacobian            R R^T = 1, d(p, R)/dt = J qd
//   jacobian-rate             V = J qd, (dJ/dt) qd
//   reactions                 sum over joints of wrench . relative velocity = tau.qd; the same in
//                             base axes
//   inverse, forward          with a wrench on each link: tau.qd is less by their power; forward
//                             dynamics with them gives back the accelerations
//   gibbs                     its Hessian is M, G(qdd + e) - G(qdd - e) = 2 tau.e, G = m g^2/2 at rest
//   inertia-inverse           W M = 1
//   coriolis-matrix           C qd = c, C + C^T = dM/dt
//   regressor                 Y pi = tau, for pi of the robot and of other links in its frames
//   centroidal                p = m dc/dt, d(p, k)/dt = rate = net force and moment
//   derivatives               along the motion: d tau/dt; M d qdd = -d tau
//
// Derivatives in time are those of the reference in double, by differences along the motion.
#include <assert.h>
#include <string.h>

#include "compare/method_checks.h"
#include "identify/regressor.h"
#include "math/rotation.h"

// --- parts of a gap

// d/dt of an answer of the reference; also its step.
static double rate_by_reference(lwMethodChecker* checker, lwQuestion question, const double* qdd,
                                double* rate)
{
  lwStates states = lw_checker_states(checker);
  double h        = lw_checker_step(checker, LW_CHECKER_STEP_DOUBLE);
  states.qdd      = qdd;
  lw_checker_rate(checker, checker->reference, question, &states, h, rate);
  return h;
}

// The size of torques that accelerations qdd need.
static double torque_size(const lwMethodChecker* checker, const double* qdd)
{
  double most = 0;
  for (int i = 0; i < checker->n; ++i)
    most = lw_gap_larger(most, lw_checker_inertial_size(checker, i, qdd) + checker->rest[i]);
  return most;
}

// --- bias, gravity, coriolis

lwGap lw_check_bias(lwMethodChecker* checker)
{
  lwGap gap = {0};
  double *b = checker->answer, *c = checker->scratch, *g = c + checker->n;
  lw_checker_ask(checker, LW_QUESTION_BIAS, b);
  lw_checker_reference(checker, LW_QUESTION_CORIOLIS, c);
  lw_checker_reference(checker, LW_QUESTION_GRAVITY, g);
  for (int i = 0; i < checker->n; ++i)
    lw_gap_add(&gap, b[i] - c[i] - g[i], fabs(c[i]) + fabs(g[i]) + checker->rest[i]);
  return gap;
}

lwGap lw_check_gravity(lwMethodChecker* checker)
{
  const double* qd = checker->state.qd;
  double *g        = checker->answer, rate[2];
  double h         = rate_by_reference(checker, LW_QUESTION_ENERGY, NULL, rate);
  lw_checker_ask(checker, LW_QUESTION_GRAVITY, g);
  return (lwGap){fabs(lw_dot_product(checker->n, g, qd) - rate[1]),
                 lw_dot_size(checker->n, checker->rest, qd) + lw_checker_energy_size(checker) / h};
}

lwGap lw_check_coriolis(lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  double *c = checker->answer, rate[2], inertial = 0, size = 0;
  double h = rate_by_reference(checker, LW_QUESTION_ENERGY, NULL, rate);
  lw_checker_ask(checker, LW_QUESTION_CORIOLIS, c);
  for (int i = 0; i < checker->n; ++i)
  {
    inertial += state->qd[i] * lw_checker_inertial(checker, i, state->qdd);
    size += fabs(state->qd[i]) * lw_checker_inertial_size(checker, i, state->qdd);
  }
  size += lw_dot_size(checker->n, checker->rest, state->qd);
  return (lwGap){fabs(lw_dot_product(checker->n, c, state->qd) - (rate[0] - inertial)),
                 size + lw_checker_energy_size(checker) / h};
}

// --- pose, Jacobian and its rate

lwGap lw_check_pose(lwMethodChecker* checker)
{
  lwGap turned = {0, 1}, moved = {0};
  double pose[12], right[12];
  lw_checker_ask(checker, LW_QUESTION_POSE, pose);
  lw_checker_reference(checker, LW_QUESTION_POSE, right);
  lw_checker_reference(checker, LW_QUESTION_JACOBIAN, checker->wide);
  for (int k = 0; k < 9; ++k)
  {
    const double *row = pose + 3 + k / 3 * 3, *other = pose + 3 + k % 3 * 3;
    lw_gap_add(&turned, lw_dot_product(3, row, other) - (k % 4 == 0), 1);
    lw_gap_add(&turned, pose[3 + k] - right[3 + k], 1);
  }
  double reach = 0;  // levers of the joints
  for (int k = 0; k < 3 * checker->n; ++k) reach += fabs(checker->wide[k]);
  for (int k = 0; k < 3; ++k) lw_gap_add(&moved, pose[k] - right[k], fabs(right[k]) + reach);
  return lw_gap_worse(turned, moved);
}

// J x of row i, and its size.
static double row_along(const lwMethodChecker* checker, const double* J, int i, const double* x)
{
  return lw_dot_product(checker->n, J + (size_t)i * (size_t)checker->n, x);
}

static double row_size(const lwMethodChecker* checker, const double* J, int i, const double* x)
{
  return lw_dot_size(checker->n, J + (size_t)i * (size_t)checker->n, x);
}

lwGap lw_check_jacobian(lwMethodChecker* checker)
{
  const double* qd = checker->state.qd;
  lwGap moved = {0}, turned = {0};
  double pose[12], rate[12], w[6], size[6], reach = 0;
  double* J = checker->rates;
  double h  = rate_by_reference(checker, LW_QUESTION_POSE, NULL, rate);
  lw_checker_reference(checker, LW_QUESTION_POSE, pose);
  lw_checker_ask(checker, LW_QUESTION_JACOBIAN, J);
  for (int i = 0; i < 6; ++i)
  {
    w[i]    = row_along(checker, J, i, qd);
    size[i] = row_size(checker, J, i, qd);
  }
  for (int k = 0; k < 3 * checker->n; ++k) reach += fabs(J[k]);
  for (int k = 0; k < 3; ++k)
    lw_gap_add(&moved, rate[k] - w[k], size[k] + (fabs(pose[k]) + reach) / h);
  const double* R = pose + 3;
  for (int k = 0; k < 9; ++k)  // dR/dt = w x R
  {
    int a = (k / 3 + 1) % 3, b = (k / 3 + 2) % 3, column = k % 3;
    double turn = w[3 + a] * R[3 * b + column] - w[3 + b] * R[3 * a + column];
    lw_gap_add(&turned, rate[3 + k] - turn, size[3 + a] + size[3 + b] + 1 / h);
  }
  return lw_gap_worse(moved, turned);
}

lwGap lw_check_jacobian_rate(lwMethodChecker* checker)
{
  const double* qd = checker->state.qd;
  lwGap gap[2]     = {{0}};  // linear, angular
  double found[12], *Jd = checker->rates, *J = checker->wide;
  double h = rate_by_reference(checker, LW_QUESTION_JACOBIAN, NULL, Jd);
  lw_checker_ask(checker, LW_QUESTION_JACOBIAN_RATE, found);
  lw_checker_reference(checker, LW_QUESTION_JACOBIAN, J);
  for (int i = 0; i < 6; ++i)
  {
    double size = row_size(checker, J, i, qd);
    lw_gap_add(&gap[i / 3], (found[i] - row_along(checker, J, i, qd)) / h, size / h);
    lw_gap_add(&gap[i / 3], found[6 + i] - row_along(checker, Jd, i, qd),
               row_size(checker, Jd, i, qd) + size / h);
  }
  return lw_gap_worse(gap[0], gap[1]);
}

// --- links of the description: poses, velocities and what their joints transmit

typedef struct LinkSeen
{
  double pose[12], velocity[6];  // of its frame; linear, angular in base axes
  double reach;                  // m, levers of all joints and its distance
  double speed[2];               // m/s, rad/s, sums over joints of what each contributes
} LinkSeen;

static LinkSeen* seen_links(const lwMethodChecker* checker)
{
  static_assert(sizeof(LinkSeen) == LW_LINK_NUMBERS * sizeof(double), "room for every link");
  return (LinkSeen*)(void*)checker->links;
}

// Every link, by the reference. Uses rates.
static void see_links(lwMethodChecker* checker, LinkSeen* links)
{
  for (int j = 0; j < lw_model_joint_count(checker->model); ++j)
  {
    lwFrame frame = {.joint = j};
    lw_workspace_set_frame(checker->reference, checker->model, &frame, NULL);
    lw_checker_reference(checker, LW_QUESTION_POSE, links[j].pose);
    lw_checker_reference(checker, LW_QUESTION_JACOBIAN, checker->rates);
    links[j].reach    = lw_largest_entry(3, links[j].pose);
    links[j].speed[0] = links[j].speed[1] = 0;
    for (int k = 0; k < 3 * checker->n; ++k) links[j].reach += fabs(checker->rates[k]);
    for (int i = 0; i < 6; ++i)
    {
      links[j].velocity[i] = row_along(checker, checker->rates, i, checker->state.qd);
      links[j].speed[i / 3] += row_size(checker, checker->rates, i, checker->state.qd);
    }
  }
  lw_workspace_set_frame(checker->reference, checker->model, NULL, NULL);
}

// A force and a moment at a link, from the link's axes to those of the base.
static void wrench_in_base(const LinkSeen* link, const double w[6], double out[6])
{
  lw_rotate(link->pose + 3, w, out);
  lw_rotate(link->pose + 3, w + 3, out + 3);
}

// The velocity of a link relative to its parent, both at the link's origin.
static void relative_velocity(const LinkSeen* link, const LinkSeen* parent, double v[6])
{
  memcpy(v, link->velocity, 6 * sizeof *v);
  if (!parent) return;
  double away[3], swept[3];
  for (int k = 0; k < 3; ++k) away[k] = parent->pose[k] - link->pose[k];
  lw_cross(parent->velocity + 3, away, swept);  // - w x (p - p_parent)
  for (int k = 0; k < 6; ++k) v[k] -= parent->velocity[k];
  for (int k = 0; k < 3; ++k) v[k] += swept[k];
}

// In link axes (wide) the work of the motion, and turned to base axes the answer in these.
lwGap lw_check_reactions(lwMethodChecker* checker)
{
  const lwRobotDef* robot = lw_model_robot(checker->model);
  const double* qd        = checker->state.qd;
  LinkSeen* links         = seen_links(checker);
  double power            = lw_dot_product(checker->n, checker->tau, qd);
  double size             = lw_dot_size(checker->n, checker->tau, qd);
  lwGap turned[2]         = {{0}};
  see_links(checker, links);
  lw_checker_ask(checker, LW_QUESTION_REACTIONS, checker->wide);
  lwStates states = lw_checker_states(checker);
  lw_answer(checker->model, checker->in_base, LW_QUESTION_REACTIONS, &states, checker->rates);
  for (int j = 0; j < robot->count; ++j)
  {
    int p = robot->joints[j].parent;
    double v[6], base[6];
    relative_velocity(&links[j], p == LW_BASE ? NULL : &links[p], v);
    wrench_in_base(&links[j], checker->wide + 6 * j, base);
    power -= lw_dot_product(6, base, v);
    size += lw_largest_entry(3, base) * lw_largest_entry(3, links[j].velocity) +
            lw_largest_entry(3, base + 3) * lw_largest_entry(3, links[j].velocity + 3);
    double arm = lw_largest_entry(3, base) *
                 lw_largest_entry(3, links[j].pose);  // of forces about an origin
    for (int k = 0; k < 6; ++k)
      lw_gap_add(&turned[k / 3], base[k] - checker->rates[6 * j + k],
                 fabs(base[k]) + (k < 3 ? 0 : arm));
  }
  return lw_gap_worse((lwGap){fabs(power), size}, lw_gap_worse(turned[0], turned[1]));
}

// --- wrenches on all links

// Power of the wrench w at its place on a link; also adds its size at the joints, N m.
static double push_power(const LinkSeen* link, const lwWrenchPlace* place, const double w[6],
                         double* size)
{
  double base[6], lever[3], v[3];
  memcpy(base, w, sizeof base);
  if (place->axes == LW_AXES_LINK) wrench_in_base(link, w, base);
  lw_rotate(link->pose + 3, place->xyz, lever);
  lw_cross(link->velocity + 3, lever, v);
  for (int k = 0; k < 3; ++k) v[k] += link->velocity[k];
  *size += lw_largest_entry(3, w) * (link->reach + 1) + lw_largest_entry(3, w + 3);
  return lw_dot_product(3, base, v) + lw_dot_product(3, base + 3, link->velocity + 3);
}

lwGap lw_check_wrenches(lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  LinkSeen* links            = seen_links(checker);
  lwStates states            = lw_checker_states(checker);
  int n                      = checker->n;
  double *w = checker->wide, *tau = checker->answer, *found = checker->scratch;
  double power = 0, size = 0;
  see_links(checker, links);
  for (int j = 0; j < lw_model_joint_count(checker->model); ++j)
  {
    lwWrenchPlace place = lw_checker_place(j);
    for (int k = 0; k < 6; ++k) w[6 * j + k] = state->qdd[(6 * j + k) % n];
    power += push_power(&links[j], &place, w + 6 * j, &size);
  }
  states.wrench = w;
  lw_answer(checker->model, checker->pushed, LW_QUESTION_INVERSE, &states, tau);
  states.wrench = NULL;
  lw_answer(checker->model, checker->plain, LW_QUESTION_INVERSE, &states, found);
  double torques = torque_size(checker, state->qdd) + size, speed = 0;
  for (int i = 0; i < n; ++i)
  {
    power += (tau[i] - found[i]) * state->qd[i];
    speed += fabs(state->qd[i]);
  }
  states.wrench = w;
  states.tau    = tau;
  lw_answer(checker->model, checker->pushed, LW_QUESTION_FORWARD, &states, found);
  lwGap undone = lw_checker_undone(checker, found);
  undone.scale = lw_gap_larger(undone.scale, torques);
  return lw_gap_worse((lwGap){fabs(power), torques * speed}, undone);
}

// --- motion of all links

lwGap lw_check_poses(lwMethodChecker* checker)
{
  LinkSeen* links = seen_links(checker);
  lwGap moved = {0}, turned = {0, 1};
  int count = lw_model_joint_count(checker->model);
  see_links(checker, links);
  lw_checker_ask(checker, LW_QUESTION_POSES, checker->wide);
  for (int k = 0; k < 12 * count; ++k)
  {
    const LinkSeen* link = &links[k / 12];
    if (k % 12 < 3)
      lw_gap_add(&moved, checker->wide[k] - link->pose[k % 12], link->reach);
    else
      lw_gap_add(&turned, checker->wide[k] - link->pose[k % 12], 1);
  }
  return lw_gap_worse(moved, turned);
}

lwGap lw_check_velocities(lwMethodChecker* checker)
{
  LinkSeen* links = seen_links(checker);
  lwGap gap[2]    = {{0}};  // linear, angular
  see_links(checker, links);
  lw_checker_ask(checker, LW_QUESTION_VELOCITIES, checker->wide);
  for (int k = 0; k < 6 * lw_model_joint_count(checker->model); ++k)
    lw_gap_add(&gap[k % 6 / 3], checker->wide[k] - links[k / 6].velocity[k % 6],
               links[k / 6].speed[k % 6 / 3]);
  return lw_gap_worse(gap[0], gap[1]);
}

// d velocities/dt, by differences.
lwGap lw_check_accelerations(lwMethodChecker* checker)
{
  LinkSeen* links = seen_links(checker);
  lwGap gap[2]    = {{0}};  // linear, angular
  see_links(checker, links);
  double h = rate_by_reference(checker, LW_QUESTION_VELOCITIES, NULL, checker->rates);
  lw_checker_ask(checker, LW_QUESTION_ACCELERATIONS, checker->wide);
  for (int k = 0; k < 6 * lw_model_joint_count(checker->model); ++k)
    lw_gap_add(&gap[k % 6 / 3], checker->wide[k] - checker->rates[k],
               fabs(checker->rates[k]) + links[k / 6].speed[k % 6 / 3] / h);
  return lw_gap_worse(gap[0], gap[1]);
}

// --- control

// N m, the weights of the links, each by its centre of mass in its link's frame.
static double weight_moments(const lwModel* model)
{
  const lwRobotDef* robot = lw_model_robot(model);
  double sum              = 0;
  for (int j = 0; j < robot->count; ++j)
    sum += robot->joints[j].link.mass * lw_largest_entry(3, robot->joints[j].link.com);
  return sum * lw_largest_entry(3, robot->gravity);
}

// Parts of control from `at` on against the answer to a question of their own, `skip` entries of it
// left out. Returns the first entry behind them.
static size_t check_part(lwMethodChecker* checker, lwQuestion question, size_t skip, size_t at,
                         lwGap* gap)
{
  size_t count    = lw_question_outputs(checker->model, question) - skip;
  lwGap part      = {0};
  double* by_self = checker->rates + skip;
  lw_checker_reference(checker, question, checker->rates);
  for (size_t k = 0; k < count; ++k)
    lw_gap_add(&part, checker->wide[at + k] - by_self[k], by_self[k]);
  // velocity torques and weights may cancel to less than the terms they are made of
  if (question == LW_QUESTION_BIAS)
    for (int i = 0; i < checker->n; ++i) lw_gap_add(&part, 0, checker->rest[i]);
  if (question == LW_QUESTION_BIAS || question == LW_QUESTION_GRAVITY)
    lw_gap_add(&part, 0, weight_moments(checker->model));
  if (question == LW_QUESTION_JACOBIAN_RATE)
    lw_gap_add(&part, 0, lw_checker_pace(checker) * lw_largest_entry(6, checker->rates));
  *gap = lw_gap_worse(*gap, part);
  return at + count;
}

lwGap lw_check_control(lwMethodChecker* checker)
{
  lwGap gap = {0};
  lw_checker_ask(checker, LW_QUESTION_CONTROL, checker->wide);
  size_t at = check_part(checker, LW_QUESTION_BIAS, 0, 0, &gap);
  at        = check_part(checker, LW_QUESTION_GRAVITY, 0, at, &gap);
  at        = check_part(checker, LW_QUESTION_JACOBIAN_RATE, 6, at, &gap);
  at        = check_part(checker, LW_QUESTION_POSE, 0, at, &gap);
  at        = check_part(checker, LW_QUESTION_JACOBIAN, 0, at, &gap);
  check_part(checker, LW_QUESTION_INERTIA, 0, at, &gap);
  return gap;
}

// --- momentum

// What the scale of momentum is made of.
typedef struct WholeRobot
{
  double mass, inertia;  // kg, kg m^2: sums over links
  double reach;          // m, the farthest link
  double speed, spin;    // m/s, rad/s, the fastest
} WholeRobot;

static WholeRobot whole_robot(lwMethodChecker* checker, LinkSeen* links)
{
  const lwRobotDef* robot = lw_model_robot(checker->model);
  WholeRobot whole        = {0};
  see_links(checker, links);
  for (int j = 0; j < robot->count; ++j)
  {
    const lwLinkDef* link = &robot->joints[j].link;
    double com            = lw_largest_entry(3, link->com);
    double spin           = lw_largest_entry(3, links[j].velocity + 3);
    whole.mass += link->mass;
    whole.inertia += lw_largest_entry(6, link->inertia);
    whole.reach = lw_gap_larger(whole.reach, lw_largest_entry(3, links[j].pose) + com);
    whole.speed = lw_gap_larger(whole.speed, lw_largest_entry(3, links[j].velocity) + spin * com);
    whole.spin  = lw_gap_larger(whole.spin, spin);
  }
  return whole;
}

// p = m dc/dt, and d(p, k)/dt are the rates.
lwGap lw_check_momentum(lwMethodChecker* checker)
{
  double found[15], rate[15];
  lwGap moved = {0}, linear = {0}, angular = {0};
  WholeRobot whole = whole_robot(checker, seen_links(checker));
  double h         = rate_by_reference(checker, LW_QUESTION_CENTROIDAL, checker->state.qdd, rate);
  double pace      = lw_checker_pace(checker);
  double p         = whole.mass * (whole.speed + whole.spin * whole.reach);
  double k         = p * whole.reach + whole.inertia * whole.spin;
  lw_checker_ask(checker, LW_QUESTION_CENTROIDAL, found);
  for (int i = 0; i < 3; ++i)
  {
    lw_gap_add(&moved, whole.mass * rate[i] - found[3 + i], p + whole.mass * whole.reach / h);
    lw_gap_add(&linear, rate[3 + i] - found[9 + i], (p + whole.mass * whole.reach * pace) / h);
    lw_gap_add(&angular, rate[6 + i] - found[12 + i],
               (k + (whole.mass * whole.reach * whole.reach + whole.inertia) * pace) / h);
  }
  return lw_gap_worse(moved, lw_gap_worse(linear, angular));
}

// The net force and moment about the centre of mass c, and the size of what they are made of.
typedef struct NetWrench
{
  const double* c;
  double sum[6], size[2];
} NetWrench;

// Adds a wrench at p, both in base axes.
static void add_wrench(NetWrench* net, const double p[3], const double w[6])
{
  double arm[3], moment[3];
  for (int k = 0; k < 3; ++k) arm[k] = p[k] - net->c[k];
  lw_cross(arm, w, moment);
  for (int k = 0; k < 3; ++k) net->sum[k] += w[k], net->sum[3 + k] += w[3 + k] + moment[k];
  double force = lw_largest_entry(3, w);
  net->size[0] += force;
  net->size[1] +=
      lw_largest_entry(3, w + 3) + (lw_largest_entry(3, p) + lw_largest_entry(3, net->c)) * force;
}

// The rates are gravity, the wrench on the last link, and what the base exerts.
lwGap lw_check_net_force(lwMethodChecker* checker)
{
  const lwRobotDef* robot = lw_model_robot(checker->model);
  LinkSeen* links         = seen_links(checker);
  double found[15], w[6] = {0};
  NetWrench net    = {.c = found};
  lwGap gap[2]     = {{0}};
  WholeRobot whole = whole_robot(checker, links);
  lw_checker_ask(checker, LW_QUESTION_CENTROIDAL, found);
  lw_checker_ask(checker, LW_QUESTION_REACTIONS, checker->wide);
  for (int k = 0; k < 3; ++k) w[k] = whole.mass * robot->gravity[k];
  add_wrench(&net, found, w);
  const LinkSeen* last = &links[robot->count - 1];
  wrench_in_base(last, checker->state.wrench, w);
  add_wrench(&net, last->pose, w);
  for (int j = 0; j < robot->count; ++j)
  {
    if (robot->joints[j].parent != LW_BASE) continue;
    wrench_in_base(&links[j], checker->wide + 6 * j, w);
    add_wrench(&net, links[j].pose, w);
  }
  for (int k = 0; k < 6; ++k)
    lw_gap_add(&gap[k / 3], found[9 + k] - net.sum[k], net.size[k / 3] + fabs(found[9 + k]));
  gap[1].scale += whole.reach * gap[0].scale;
  return lw_gap_worse(gap[0], gap[1]);
}

// --- Gibbs' function

// At rest all links accelerate by -g, also those fixed to the base: G = m g^2 / 2.
static lwGap gibbs_at_rest(lwMethodChecker* checker)
{
  const lwRobotDef* robot = lw_model_robot(checker->model);
  lwStates states         = {.q = checker->state.q};
  double mass             = 0;
  for (int j = 0; j < robot->count; ++j) mass += robot->joints[j].link.mass;
  double weight = 0.5 * mass * lw_dot_product(3, robot->gravity, robot->gravity);
  lw_answer(checker->model, checker->ws, LW_QUESTION_GIBBS, &states, checker->wide);
  return (lwGap){fabs(checker->wide[0] - weight), weight};
}

// A quadratic function of accelerations: differences are exact for any step e, here qd.
lwGap lw_check_gibbs(lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  size_t n                   = (size_t)checker->n;
  lwStates states            = lw_checker_states(checker);
  double *tau = checker->answer, *qdd = checker->scratch, G[2];
  lwGap hessian = {0}, gradient;
  for (int side = 0; side < 2; ++side)
  {
    for (size_t i = 0; i < n; ++i) qdd[i] = state->qdd[i] + (side ? -1 : 1) * state->qd[i];
    states.qdd = qdd;
    lw_answer(checker->model, checker->ws, LW_QUESTION_GIBBS, &states, checker->wide);
    G[side] = checker->wide[0];
  }
  for (size_t k = 0; k < n * n; ++k)
    lw_gap_add(&hessian, checker->wide[1 + k] - checker->M[k], checker->M[k]);
  states.qdd    = state->qdd;
  states.wrench = NULL;
  lw_answer(checker->model, checker->reference, LW_QUESTION_INVERSE, &states, tau);
  double along = 2 * lw_dot_product(checker->n, tau, state->qd);
  gradient     = (lwGap){fabs(G[0] - G[1] - along), fabs(G[0]) + fabs(G[1]) + fabs(along)};
  return lw_gap_worse(lw_gap_worse(hessian, gradient), gibbs_at_rest(checker));
}

// --- matrices

// W M = 1, for each row of W
lwGap lw_check_inertia_inverse(lwMethodChecker* checker)
{
  size_t n  = (size_t)checker->n;
  double* W = checker->answer;
  lwGap gap = {0};
  lw_checker_ask(checker, LW_QUESTION_INERTIA_INVERSE, W);
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n; ++k)
    {
      // M is symmetric
      double one = lw_dot_product(checker->n, W + i * n, checker->M + k * n);
      lw_gap_add(&gap, one - (i == k), lw_dot_size(checker->n, W + i * n, checker->M + k * n));
    }
  return gap;
}

lwGap lw_check_coriolis_matrix(lwMethodChecker* checker)
{
  const double* qd = checker->state.qd;
  size_t n         = (size_t)checker->n;
  double *C = checker->answer, *c = checker->scratch, *Md = checker->rates;
  lwGap torque = {0}, skew = {0};
  double h = rate_by_reference(checker, LW_QUESTION_INERTIA, NULL, Md);
  lw_checker_ask(checker, LW_QUESTION_CORIOLIS_MATRIX, C);
  lw_checker_reference(checker, LW_QUESTION_CORIOLIS, c);
  double M = lw_largest_entry((int)(n * n), checker->M);
  for (size_t i = 0; i < n; ++i)
  {
    double sum  = lw_dot_product(checker->n, C + i * n, qd);
    double size = lw_dot_size(checker->n, C + i * n, qd);
    lw_gap_add(&torque, sum - c[i], size + checker->rest[i]);
    for (size_t k = 0; k < n; ++k)
      lw_gap_add(&skew, C[i * n + k] + C[k * n + i] - Md[i * n + k], fabs(Md[i * n + k]) + M / h);
  }
  return lw_gap_worse(torque, skew);
}

// tau of a robot beside Y pi of its links; Y is in checker->wide.
static lwGap regressor_gap(lwMethodChecker* checker, const lwModel* model, lwWorkspace* reference)
{
  const lwRobotDef* robot = lw_model_robot(model);
  int n                   = checker->n;
  lwStates states         = lw_checker_states(checker);
  double *tau = checker->answer, *size = checker->scratch;
  lwGap gap     = {0};
  states.wrench = NULL;
  lw_answer(model, reference, LW_QUESTION_INVERSE, &states, tau);
  for (int i = 0; i < n; ++i) size[i] = fabs(tau[i]);
  for (int j = 0; j < robot->count; ++j)
  {
    double pi[10];
    lw_link_parameters(&robot->joints[j].link, pi);
    for (int i = 0; i < n; ++i)
    {
      const double* Y = checker->wide + 10 * ((size_t)i * (size_t)robot->count + (size_t)j);
      tau[i] -= lw_dot_product(10, Y, pi);
      size[i] += lw_dot_size(10, Y, pi);
    }
  }
  for (int i = 0; i < n; ++i) lw_gap_add(&gap, tau[i], size[i]);
  return gap;
}

// Y does not depend on pi: other links show the columns that this robot has zeros for.
lwGap lw_check_regressor(lwMethodChecker* checker)
{
  lw_checker_ask(checker, LW_QUESTION_REGRESSOR, checker->wide);
  return lw_gap_worse(regressor_gap(checker, checker->model, checker->reference),
                      regressor_gap(checker, checker->filled, checker->of_filled));
}

// --- derivatives

// A x + B y of row i of two matrices (n, n) that follow each other, and its size.
static double row_of_both(const lwMethodChecker* checker, const double* two, int i, double* size)
{
  const lwRandomState* state = &checker->state;
  size_t n                   = (size_t)checker->n;
  const double *A = two + (size_t)i * n, *B = A + n * n;
  *size = lw_dot_size(checker->n, A, state->qd) + lw_dot_size(checker->n, B, state->qdd);
  return lw_dot_product(checker->n, A, state->qd) + lw_dot_product(checker->n, B, state->qdd);
}

// dtau/dq qd + dtau/dqd qdd = d tau/dt at constant qdd
lwGap lw_check_inverse_derivatives(lwMethodChecker* checker)
{
  const double* qdd = checker->state.qdd;
  double* rate      = checker->answer;
  lwGap gap         = {0};
  double h          = rate_by_reference(checker, LW_QUESTION_INVERSE, qdd, rate);
  double tau        = torque_size(checker, qdd);
  lw_checker_ask(checker, LW_QUESTION_INVERSE_DERIVATIVES, checker->wide);
  for (int i = 0; i < checker->n; ++i)
  {
    double size, sum = row_of_both(checker, checker->wide, i, &size);
    lw_gap_add(&gap, sum - rate[i], size + tau / h);
  }
  return gap;
}

// Where inverse dynamics of a is tau: M (dqdd/dq qd + dqdd/dqd qdd) = -d tau/dt at constant a, and
// M dqdd/dtau tau = tau
lwGap lw_check_forward_derivatives(lwMethodChecker* checker)
{
  size_t n          = (size_t)checker->n;
  const double* tau = checker->state.tau;
  double *rate = checker->answer, *a = checker->scratch, *x = a + n, *y = x + n;
  double *xs = y + n, *ys = xs + n, *D = checker->wide;
  lwGap along = {0}, torque = {0};
  lw_checker_ask(checker, LW_QUESTION_FORWARD, a);
  double h = rate_by_reference(checker, LW_QUESTION_INVERSE, a, rate);
  double T = torque_size(checker, a);
  lw_checker_ask(checker, LW_QUESTION_FORWARD_DERIVATIVES, D);
  for (size_t i = 0; i < n; ++i)
  {
    x[i]  = row_of_both(checker, D, (int)i, &xs[i]);
    y[i]  = lw_dot_product(checker->n, D + (2 * n + i) * n, tau);
    ys[i] = lw_dot_size(checker->n, D + (2 * n + i) * n, tau);
  }
  for (int i = 0; i < checker->n; ++i)
  {
    lw_gap_add(&along, lw_checker_inertial(checker, i, x) + rate[i],
               lw_checker_inertial_size(checker, i, xs) + T / h);
    lw_gap_add(&torque, lw_checker_inertial(checker, i, y) - tau[i],
               lw_checker_inertial_size(checker, i, ys) + fabs(tau[i]));
  }
  return lw_gap_worse(along, torque);
}
