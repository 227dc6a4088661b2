// SPDX-License-Identifier: MIT
// MuJoCo as a peer. Times everything from q, qd, qdd or tau to the answer and nothing else: no
// contacts, limits, sensors, actuators or passive forces, which a MuJoCo step would include.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

// Index of the first entries of q and qd of a MuJoCo joint.
typedef struct MujocoSeat
{
  int q, v;              // ours
  int their_q, their_v;  // MuJoCo's
  bool ball;
} MujocoSeat;

typedef struct MujocoArm
{
  mjModel* model;
  mjData* data;
  MujocoSeat* seats;  // (njnt) for a robot with loops
} MujocoArm;

// A growing text buffer.
typedef struct MujocoText
{
  char* bytes;
  size_t length, size;
  bool full;  // out of memory
} MujocoText;

__attribute__((format(printf, 2, 3))) static void add(MujocoText* text, const char* format, ...)
{
  char line[1024];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (length < 0 || (size_t)length >= sizeof line) text->full = true;
  if (!text->full && text->length + (size_t)length + 1 > text->size)
  {
    size_t size = 2 * text->size + (size_t)length + 1;
    char* bytes = realloc(text->bytes, size);
    text->full  = !bytes;
    if (bytes) text->bytes = bytes, text->size = size;
  }
  if (text->full) return;
  memcpy(text->bytes + text->length, line, (size_t)length + 1);
  text->length += (size_t)length;
}

static void add_long(MujocoText* text, const char* words)
{
  for (size_t at = 0, length = strlen(words); at < length; at += 1000)
    add(text, "%.1000s", words + at);
}

// One Jacobi rotation in the plane of axes i and j: I becomes V^T I V with I_ij = 0,
// and E becomes E V.
static void jacobi_rotation(double I[3][3], double E[3][3], int i, int j)
{
  if (I[i][j] == 0) return;
  double half = (I[j][j] - I[i][i]) / (2 * I[i][j]);
  double t    = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(half * half + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; ++k)
  {
    double a = I[k][i], b = I[k][j], e = E[k][i], f = E[k][j];
    I[k][i] = c * a - s * b, I[k][j] = s * a + c * b;
    E[k][i] = c * e - s * f, E[k][j] = s * e + c * f;
  }
  for (int k = 0; k < 3; ++k)
  {
    double a = I[i][k], b = I[j][k];
    I[i][k] = c * a - s * b, I[j][k] = s * a + c * b;
  }
}

// Principal moments and, as a quaternion, their axes. MuJoCo would find them itself, but only to
// 1e-12 kg m^2, and that is not enough for small bodies to agree to 1e-9.
static void principal(const double inertia[6], double moments[3], double quaternion[4])
{
  double I[3][3] = {{inertia[0], inertia[3], inertia[4]},
                    {inertia[3], inertia[1], inertia[5]},
                    {inertia[4], inertia[5], inertia[2]}};
  double E[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 12; ++sweep)
  {
    jacobi_rotation(I, E, 0, 1);
    jacobi_rotation(I, E, 0, 2);
    jacobi_rotation(I, E, 1, 2);
  }
  for (int k = 0; k < 3; ++k) moments[k] = I[k][k];
  const double axes[9] = {E[0][0], E[0][1], E[0][2], E[1][0], E[1][1],
                          E[1][2], E[2][0], E[2][1], E[2][2]};
  mju_mat2Quat(quaternion, axes);
}

static void add_body(MujocoText* text, const PeerJoint* joint)
{
  const double *R = joint->R, *p = joint->p, *c = joint->com;
  double I[3], e[4];
  principal(joint->inertia, I, e);
  add(text, "<body pos='%.17g %.17g %.17g' xyaxes='%.17g %.17g %.17g %.17g %.17g %.17g'>\n", p[0],
      p[1], p[2], R[0], R[3], R[6], R[1], R[4], R[7]);
  add(text, "<joint type='%s' axis='0 0 1'/>\n", joint->slides ? "slide" : "hinge");
  add(text,
      "<inertial pos='%.17g %.17g %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g' "
      "quat='%.17g %.17g %.17g %.17g'/>\n",
      c[0], c[1], c[2], joint->mass, I[0], I[1], I[2], e[0], e[1], e[2], e[3]);
  add(text, "</body>\n");
}

// Writes all bodies side by side, because the XML reader accepts at most a hundred nested elements.
static MujocoText write_model(const PeerRobot* robot)
{
  MujocoText text = {0};
  const double* g = robot->gravity;
  add(&text,
      "<mujoco>\n<compiler angle='radian' boundmass='0' boundinertia='0'/>\n"
      "<option gravity='%.17g %.17g %.17g'/>\n<worldbody>\n",
      g[0], g[1], g[2]);
  for (int i = 0; i < robot->n; ++i) add_body(&text, &robot->joints[i]);
  add(&text, "</worldbody>\n</mujoco>\n");
  return text;
}

static mjModel* load_mujoco(const MujocoText* text, char* message, size_t size)
{
  static const char name[] = "robot.xml";
  mjVFS* vfs               = malloc(sizeof *vfs);  // too large for the stack
  mjModel* model           = NULL;
  if (!vfs) return NULL;
  mj_defaultVFS(vfs);
  if (mj_makeEmptyFileVFS(vfs, name, (int)text->length) == 0)
  {
    memcpy(vfs->filedata[mj_findFileVFS(vfs, name)], text->bytes, text->length);
    model = mj_loadXML(name, vfs, message, (int)size);
  }
  mj_deleteVFS(vfs);
  free(vfs);
  return model;
}

// Sets the parents in the compiled model as if the bodies had been nested: body i + 1 and degree of
// freedom i belong to joint i. Nothing else that the dynamics uses depends on the parents, as the
// comparison of the answers confirms.
static void connect(mjModel* m, const PeerRobot* robot)
{
  m->nM = 0;
  for (int i = 0; i < robot->n; ++i)
  {
    int parent              = robot->joints[i].parent;
    m->body_parentid[i + 1] = parent + 1;
    m->body_rootid[i + 1]   = parent < 0 ? i + 1 : m->body_rootid[parent + 1];
    m->body_simple[i + 1]   = 0;
    m->dof_parentid[i]      = parent;
    m->dof_simplenum[i]     = 0;
    m->dof_Madr[i]          = m->nM;
    for (int k = i; k >= 0; k = robot->joints[k].parent) ++m->nM;
  }
  m->nD = 2 * m->nM - m->nv;
  for (int i = m->nbody - 1; i > 0; --i)
    if (m->body_parentid[i] > 0) m->body_subtreemass[m->body_parentid[i]] += m->body_subtreemass[i];
}

static void destroy(void* context)
{
  MujocoArm* arm = context;
  if (arm->data) mj_deleteData(arm->data);
  if (arm->model) mj_deleteModel(arm->model);
  free(arm->seats);
  free(arm);
}

static void* create(const PeerRobot* robot, char* message, size_t size)
{
  snprintf(message, size, "out of memory");
  MujocoArm* arm  = calloc(1, sizeof *arm);
  MujocoText text = write_model(robot);
  if (arm && !text.full) arm->model = load_mujoco(&text, message, size);
  free(text.bytes);
  if (arm && arm->model && arm->model->nv == robot->n)
  {
    connect(arm->model, robot);
    arm->data = mj_makeData(arm->model);
  }
  if (arm && arm->data) return arm;
  if (arm) destroy(arm);
  return NULL;
}

// The first steps of every answer: the poses of the bodies.
static void place(MujocoArm* arm, const double* q)
{
  memcpy(arm->data->qpos, q, (size_t)arm->model->nv * sizeof *q);
  mj_kinematics(arm->model, arm->data);
  mj_comPos(arm->model, arm->data);
}

static void inverse(void* context, const double* q, const double* qd, const double* qdd,
                    double* tau)
{
  MujocoArm* arm = context;
  place(arm, q);
  memcpy(arm->data->qvel, qd, (size_t)arm->model->nv * sizeof *qd);
  memcpy(arm->data->qacc, qdd, (size_t)arm->model->nv * sizeof *qdd);
  mj_comVel(arm->model, arm->data);
  mj_rne(arm->model, arm->data, 1, tau);
}

static void inertia_by_mujoco(void* context, const double* q, const double* qd, const double* x,
                              double* M)
{
  (void)qd, (void)x, (void)M;
  MujocoArm* arm = context;
  place(arm, q);
  mj_crb(arm->model, arm->data);
}

static void read_inertia(void* context, double* M)
{
  MujocoArm* arm = context;
  mj_fullM(arm->model, M, arm->data->qM);
}

static void full_inertia(void* context, const double* q, const double* qd, const double* x,
                         double* M)
{
  inertia_by_mujoco(context, q, qd, x, M);
  read_inertia(context, M);
}

static void forward(void* context, const double* q, const double* qd, const double* tau,
                    double* qdd)
{
  MujocoArm* arm = context;
  mjData* d      = arm->data;
  const int n    = arm->model->nv;
  inertia_by_mujoco(arm, q, qd, tau, NULL);
  mj_factorM(arm->model, d);
  memcpy(d->qvel, qd, (size_t)n * sizeof *qd);
  mj_comVel(arm->model, d);
  mj_rne(arm->model, d, 0, d->qfrc_bias);
  for (int i = 0; i < n; ++i) qdd[i] = tau[i] - d->qfrc_bias[i];
  mj_solveM(arm->model, d, qdd, qdd, 1);
}

// --- robots with loops

// MuJoCo's soft constraint at its hardest: impedance 0.9999, the largest allowed, so that the force
// is 1e-4 short of a rigid constraint; and a critically damped time constant of two steps.
static const char HARD[] = "solref='0.004 1' solimp='0.9999 0.9999 0.001 0.5 2'";

static void add_move(MujocoText* text, const PeerBody* body, int index, int move)
{
  const double* z = body->axis[move < 0 ? 0 : move];
  if (move < 0)
    add(text, "<joint name='j%d.0' type='ball'/>\n", index);
  else
    add(text, "<joint name='j%d.%d' type='%s' axis='%.17g %.17g %.17g'/>\n", index, move,
        body->slides ? "slide" : "hinge", z[0], z[1], z[2]);
}

// Writes a body with its children nested inside.
static void add_tree(MujocoText* text, const PeerLinkage* linkage, int index)
{
  const PeerBody* body = &linkage->body[index];
  const double *R = body->R, *p = body->p, *c = body->com;
  double I[3], e[4];
  principal(body->inertia, I, e);
  add(text,
      "<body name='b%d' pos='%.17g %.17g %.17g' xyaxes='%.17g %.17g %.17g %.17g %.17g %.17g'>\n",
      index, p[0], p[1], p[2], R[0], R[3], R[6], R[1], R[4], R[7]);
  for (int move = 0; move < body->moves; ++move) add_move(text, body, index, move);
  if (body->moves < 0) add_move(text, body, index, -1);
  add(text,
      "<inertial pos='%.17g %.17g %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g' "
      "quat='%.17g %.17g %.17g %.17g'/>\n",
      c[0], c[1], c[2], body->mass, I[0], I[1], I[2], e[0], e[1], e[2], e[3]);
  for (int i = index + 1; i < linkage->bodies; ++i)
    if (linkage->body[i].parent == index) add_tree(text, linkage, i);
  add(text, "</body>\n");
}

static void body_name(int body, char name[16])
{
  snprintf(name, 16, body < 0 ? "world" : "b%d", body);
}

static MujocoText write_linkage(const PeerLinkage* linkage)
{
  MujocoText text = {0};
  const double* g = linkage->gravity;
  add(&text,
      "<mujoco>\n<compiler angle='radian' boundmass='0' boundinertia='0'/>\n"
      "<option gravity='%.17g %.17g %.17g'><flag contact='disable' limit='disable' "
      "passive='disable' actuation='disable'/></option>\n<worldbody>\n",
      g[0], g[1], g[2]);
  for (int i = 0; i < linkage->bodies; ++i)
    if (linkage->body[i].parent < 0) add_tree(&text, linkage, i);
  add(&text, "</worldbody>\n<equality>\n");
  for (int i = 0; i < linkage->pins; ++i)
  {
    char first[16], second[16];
    body_name(linkage->pin[i].body[0], first);
    body_name(linkage->pin[i].body[1], second);
    add(&text, "<connect body1='%s' body2='%s' anchor='0 0 0' %s/>\n", first, second, HARD);
  }
  add(&text, "</equality>\n</mujoco>\n");
  return text;
}

// Finds the joints in MuJoCo's order, and sets the pins' points as given, not as they are at q = 0.
static bool set_joint_frames(MujocoArm* arm, const PeerLinkage* linkage)
{
  mjModel* m = arm->model;
  int count  = 0;
  arm->seats = calloc((size_t)m->njnt + 1, sizeof *arm->seats);
  for (int i = 0; i < linkage->bodies && arm->seats; ++i)
  {
    const PeerBody* body = &linkage->body[i];
    for (int move = 0; move < abs(body->moves); ++move)
    {
      char name[32];
      snprintf(name, sizeof name, "j%d.%d", i, move);
      int id = mj_name2id(m, mjOBJ_JOINT, name);
      if (id < 0 || count == m->njnt) return false;
      arm->seats[count++] = (MujocoSeat){body->q + move, body->v + move, m->jnt_qposadr[id],
                                         m->jnt_dofadr[id], body->moves < 0};
    }
  }
  for (int i = 0; i < linkage->pins; ++i)
    for (int side = 0; side < 2; ++side)
      memcpy(m->eq_data + i * mjNEQDATA + 3 * side, linkage->pin[i].at[side], 3 * sizeof(double));
  return arm->seats && count == m->njnt;
}

static void* create_linkage(const PeerLinkage* linkage, char* message, size_t size)
{
  snprintf(message, size, "out of memory");
  MujocoArm* arm  = calloc(1, sizeof *arm);
  MujocoText text = write_linkage(linkage);
  if (arm && !text.full) arm->model = load_mujoco(&text, message, size);
  free(text.bytes);
  if (arm && arm->model && arm->model->nv == linkage->dof && set_joint_frames(arm, linkage))
    arm->data = mj_makeData(arm->model);
  if (arm && arm->data) return arm;
  if (arm) destroy(arm);
  return NULL;
}

static void forward_with_loops(void* context, const double* q, const double* qd, const double* tau,
                               double* qdd)
{
  MujocoArm* arm = context;
  mjData* d      = arm->data;
  for (int i = 0; i < arm->model->njnt; ++i)
  {
    const MujocoSeat* seat = &arm->seats[i];
    int width              = seat->ball ? 3 : 1;
    d->qpos[seat->their_q] = q[seat->ball ? seat->q + 3 : seat->q];
    for (int k = 0; k < 3 && seat->ball; ++k) d->qpos[seat->their_q + 1 + k] = q[seat->q + k];
    memcpy(d->qvel + seat->their_v, qd + seat->v, (size_t)width * sizeof *qd);
    memcpy(d->qfrc_applied + seat->their_v, tau + seat->v, (size_t)width * sizeof *tau);
  }
  mj_forward(arm->model, d);
  for (int i = 0; i < arm->model->njnt; ++i)
  {
    const MujocoSeat* seat = &arm->seats[i];
    memcpy(qdd + seat->v, d->qacc + seat->their_v, (seat->ball ? 3 : 1) * sizeof *qdd);
  }
}

static const PeerMethod WITH_LOOPS = {PEER_FORWARD, "mj_forward, connect", forward_with_loops,
                                      NULL};

static bool run_mujoco(const PeerRun* run, char* message, size_t size)
{
  MujocoText text = {0};
  snprintf(message, size, "out of memory");
  add_long(&text, run->model);
  mjModel* m = text.full ? NULL : load_mujoco(&text, message, size);
  mjData* d  = m ? mj_makeData(m) : NULL;
  free(text.bytes);
  for (int k = 0; d && k < m->nv; ++k)
    d->qpos[k] = run->q[k], d->qvel[k] = run->qd[k], d->qfrc_applied[k] = run->force[k];
  for (int k = 0; d && run->command && k < m->nu; ++k) d->ctrl[k] = run->command[k];
  if (d) mj_forward(m, d);
  while (d)
  {
    mj_energyPos(m, d);
    mj_energyVel(m, d);
    run->watch(run->context, d->time, d->qpos, d->qvel, d->energy[0] + d->energy[1]);
    if (d->time >= run->end - 1e-9) break;
    mj_step(m, d);
    mj_fwdPosition(m, d);
  }
  bool done = d != NULL;
  if (d) mj_deleteData(d);
  if (m) mj_deleteModel(m);
  return done;
}

static const PeerMethod METHODS[] = {
    {PEER_INVERSE, "mj_rne", inverse, NULL},
    {PEER_INERTIA, "mj_crb", inertia_by_mujoco, read_inertia},
    {PEER_INERTIA, "mj_crb+mj_fullM", full_inertia, NULL},
    {PEER_FORWARD, "mj_factorM+mj_solveM", forward, NULL},
};

const Peer* peer_interface(void)
{
  static Peer peer = {.interface    = PEER_INTERFACE,
                      .program      = "MuJoCo",
                      .create       = create,
                      .destroy      = destroy,
                      .method_count = sizeof METHODS / sizeof *METHODS,
                      .methods      = METHODS,

                      .create_linkage = create_linkage,
                      .with_loops     = &WITH_LOOPS,
                      .run            = run_mujoco};
  peer.version     = mj_versionString();
  return &peer;
}
