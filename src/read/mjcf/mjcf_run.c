// SPDX-License-Identifier: MIT
// What moves a robot of an MJCF file, as a scenario: springs of joints, fixed tendons, actuators
// with the control of the keyframe, gravity compensation, and the keyframe as the start.
//
//   spring    f = -stiffness (q - springref)
//   tendon    l = sum coef q; f = -stiffness (l beyond springlength) - damping l'
//   actuator  l = gear q (or gear l of a tendon); f = gain c + b0 + b1 l + b2 l', in forcerange,
//             c: control, or with a filter the activation c + (a0 - c) exp(-t / T)
//
// The names of the terms are those of MuJoCo's documentation, chapter Computation, Actuation model.
#include "read/mjcf/mjcf_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "read/mjcf/mjcf.h"

// A combination of joints.
typedef struct Length
{
  const lwMjcfTendon* tendon;  // or NULL
  int joint;                   // where there is no tendon
  double gear;
} Length;

// --- text

static void put_factor(lwOut* out, const lwMjcf* mjcf, int joint, double factor, bool first)
{
  if (!first) lw_out_text(out, ", ");
  lw_out_json(out, mjcf->list.joints[joint].name);
  lw_out_text(out, ": ");
  lw_out_number(out, factor);
}

static void begin_force(lwMjcfRun* run, const lwMjcf* mjcf, const char* name, const Length* length)
{
  lwOut* out = &run->forces;
  lw_out_text(out, "  - {name: ");
  lw_out_json(out, name ? name : "force");
  lw_out_text(out, ", joints: {");
  if (length->tendon)
    for (int k = 0; k < length->tendon->count; ++k)
      put_factor(out, mjcf, length->tendon->joints[k], length->gear * length->tendon->coef[k],
                 k == 0);
  else
    put_factor(out, mjcf, length->joint, length->gear, true);
  lw_out_text(out, "},\n     law: ");
}

// "value term + value term", without those of value zero.
static void put_law_term(lwOut* out, bool* any, double value, const char* term)
{
  if (value == 0) return;
  if (*any)
    lw_out_text(out, value < 0 ? " - " : " + ");
  else if (value < 0)
    lw_out_text(out, "-");
  *any = true;
  lw_out_number(out, fabs(value));
  if (*term) lw_out_format(out, "*%s", term);
}

// --- springs of joints

void lw_mjcf_run_spring(lwMjcf* mjcf, int joint, double stiffness)
{
  if (!mjcf->run || stiffness == 0) return;
  lwOut* out    = &mjcf->run->forces;
  double rest   = mjcf->springs[joint];
  Length length = {NULL, joint, 1};
  begin_force(mjcf->run, mjcf, mjcf->list.joints[joint].name, &length);
  bool any = false;
  put_law_term(out, &any, -stiffness, "q");
  put_law_term(out, &any, stiffness * rest, "");
  lw_out_text(out, "}\n");
}

// --- fixed tendons

// How far the length is beyond [low, high], as a law: MuJoCo's dead band.
static void put_beyond(lwOut* out, const double band[2])
{
  static const char* const sign[] = {" - ", " + "};
  bool more                       = true;
  if (band[0] == band[1])
  {
    lw_out_text(out, "(q");
    put_law_term(out, &more, -band[0], "");
    lw_out_text(out, ")");
    return;
  }
  lw_out_text(out, "(q");
  put_law_term(out, &more, -(band[0] + band[1]) / 2, "");
  for (int k = 0; k < 2; ++k)
  {
    lw_out_format(out, "%sabs(q", sign[k]);
    put_law_term(out, &more, -band[k], "");
    lw_out_text(out, ")/2");
  }
  lw_out_text(out, ")");
}

static void put_tendon_spring(lwMjcf* mjcf, lwMjcfItem item, const lwMjcfTendon* tendon)
{
  double stiffness = lw_mjcf_number(mjcf, item, "stiffness", 0), band[2] = {-1, -1};
  double damping = lw_mjcf_number(mjcf, item, "damping", 0);
  if (stiffness == 0 && damping == 0) return;
  int given = lw_mjcf_numbers(mjcf, item, "springlength", 1, 2, band);
  if (given == 1) band[1] = band[0];
  if (band[0] == -1 && band[1] == -1)
  {
    band[0] = 0;
    for (int k = 0; k < tendon->count; ++k)
      band[0] += tendon->coef[k] * mjcf->springs[tendon->joints[k]];
    band[1] = band[0];
  }
  lwOut* out    = &mjcf->run->forces;
  Length length = {tendon, 0, 1};
  begin_force(mjcf->run, mjcf, tendon->name, &length);
  bool any = false;
  put_law_term(out, &any, -damping, "qd");
  put_law_term(out, &any, -stiffness, "");
  if (stiffness != 0) lw_out_text(out, "*"), put_beyond(out, band);
  lw_out_text(out, "}\n");
}

// False: out of memory.
static bool take_tendon(lwMjcf* mjcf, const lwXml* element)
{
  lwMjcfRun* run       = mjcf->run;
  lwMjcfItem item      = {element, lw_mjcf_class(mjcf, element, "class", 0)};
  lwMjcfTendon* tendon = &run->tendons[run->tendon_count];
  int count            = 0;
  for (const lwXml* child = element->children; child; child = child->next) ++count;
  *tendon        = (lwMjcfTendon){.name = lw_mjcf_text(mjcf, item, "name")};
  tendon->joints = lw_arena_take(&mjcf->document->arena, (size_t)count + 1, sizeof(int));
  tendon->coef   = lw_arena_take(&mjcf->document->arena, (size_t)count + 1, sizeof(double));
  if (!tendon->joints || !tendon->coef) return false;
  for (const lwXml* child = element->children; child; child = child->next)
  {
    lwMjcfItem part = {child, -1};
    int joint       = lw_mjcf_look_up(mjcf, part, "joint", &mjcf->joint_names);
    if (joint < 0 || !lw_mjcf_is_single(&mjcf->list.joints[joint])) continue;
    tendon->joints[tendon->count] = joint;
    tendon->coef[tendon->count++] = lw_mjcf_number(mjcf, part, "coef", 1);
  }
  ++run->tendon_count;
  if (lw_mjcf_number(mjcf, item, "frictionloss", 0) != 0)
    lw_mjcf_leave(mjcf, element, "friction of tendons", true);
  if (lw_mjcf_number(mjcf, item, "armature", 0) != 0)
    lw_mjcf_leave(mjcf, element, "armature of tendons", true);
  if (lw_mjcf_limited(mjcf, item, "limited", "range"))
    lw_mjcf_leave(mjcf, element, "limits of tendons", true);
  if (tendon->count > 0) put_tendon_spring(mjcf, item, tendon);
  return true;
}

bool lw_mjcf_run_tendons(lwMjcf* mjcf)
{
  size_t most    = 1;
  lwMjcfRun* run = mjcf->run;
  for (int pass = 0; pass < 2; ++pass)
  {
    for (const lwXml* section = mjcf->root->children; section; section = section->next)
      for (const lwXml* e = lw_mjcf_is(section, "tendon") ? section->children : NULL; e;
           e              = e->next)
        if (!lw_mjcf_is(e, "fixed"))
          continue;
        else if (pass == 0)
          ++most;
        else if (!take_tendon(mjcf, e))
          return false;
    if (pass == 0) run->tendons = lw_arena_take(&mjcf->document->arena, most, sizeof *run->tendons);
    if (!run->tendons) return false;
  }
  return true;
}

// --- actuators

// Force and control of an actuator.
typedef struct Actuation
{
  double gain, bias[3];  // of the control; constant, per length, per rate
  double time;           // of the filter, s; 0: none
  bool integrates;
} Actuation;

static void take_general(lwMjcf* mjcf, lwMjcfItem item, Actuation* a, const char** left)
{
  static const char* const gains[]    = {"fixed", "affine", "muscle", "user", "dcmotor", NULL};
  static const char* const biases[]   = {"none", "affine", "muscle", "user", "dcmotor", NULL};
  static const char* const dynamics[] = {"none",   "integrator", "filter",  "filterexact",
                                         "muscle", "user",       "dcmotor", NULL};
  double gain[10] = {1}, bias[10] = {0}, time[10] = {1};
  lw_mjcf_numbers(mjcf, item, "gainprm", 1, 10, gain);
  lw_mjcf_numbers(mjcf, item, "biasprm", 1, 10, bias);
  lw_mjcf_numbers(mjcf, item, "dynprm", 1, 10, time);
  int dynamic = lw_mjcf_word(mjcf, item, "dyntype", dynamics, 0);
  int biased  = lw_mjcf_word(mjcf, item, "biastype", biases, 0);
  if (lw_mjcf_word(mjcf, item, "gaintype", gains, 0) != 0) *left = "actuators whose gain varies";
  if (biased > 1 || dynamic > 3) *left = "muscles and actuators of users";
  a->gain       = gain[0];
  a->integrates = dynamic == 1;
  a->time       = dynamic > 1 ? time[0] : 0;
  for (int k = 0; k < 3 && biased == 1; ++k) a->bias[k] = bias[k];
}

// NULL, or what is left out.
static const char* take_actuation(lwMjcf* mjcf, lwMjcfItem item, Actuation* a)
{
  const char* left = NULL;
  *a               = (Actuation){.gain = 1};
  if (lw_mjcf_is(item.element, "general"))
    take_general(mjcf, item, a, &left);
  else if (lw_mjcf_is(item.element, "position"))
  {
    a->gain    = lw_mjcf_number(mjcf, item, "kp", 1);
    a->bias[1] = -a->gain;
    a->bias[2] = -lw_mjcf_number(mjcf, item, "kv", 0);
    a->time    = lw_mjcf_number(mjcf, item, "timeconst", 0);
    if (lw_mjcf_number(mjcf, item, "dampratio", 0) != 0)
      lw_mjcf_leave(mjcf, item.element, "damping ratios of actuators (dampratio)", true);
  }
  else if (lw_mjcf_is(item.element, "velocity"))
  {
    a->gain    = lw_mjcf_number(mjcf, item, "kv", 1);
    a->bias[2] = -a->gain;
  }
  else if (!lw_mjcf_is(item.element, "motor"))
    left = "actuators that are no motor, position, velocity or general";
  return left;
}

// The force that the joint takes from its actuators is limited, too.
static void narrow_range(lwMjcf* mjcf, int joint, double gear, double range[2])
{
  const double* most = mjcf->run->efforts + 2 * joint;
  if (!(most[0] < most[1]) || gear == 0) return;
  double low = most[0] / gear, high = most[1] / gear;
  range[0] = fmax(range[0], fmin(low, high));
  range[1] = fmin(range[1], fmax(low, high));
}

static void put_law(lwOut* out, const Actuation* a, double control, double start)
{
  bool any = false;
  put_law_term(out, &any, a->gain * (a->integrates ? start : control), "");
  if (a->integrates) put_law_term(out, &any, a->gain * control, "t");
  if (a->time > 0 && start != control)
  {
    put_law_term(out, &any, a->gain * (start - control), "exp(-t/");
    lw_out_number(out, a->time);
    lw_out_text(out, ")");
  }
  put_law_term(out, &any, a->bias[0], "");
  put_law_term(out, &any, a->bias[1], "q");
  put_law_term(out, &any, a->bias[2], "qd");
  if (!any) lw_out_text(out, "0");
}

// The control of actuator k and, if it has one, its activation, of the keyframe.
static void take_control(lwMjcf* mjcf, lwMjcfItem item, const Actuation* a, double* control,
                         double* start)
{
  lwMjcfRun* run = mjcf->run;
  double range[2];
  int k    = run->actuators++;
  *control = k < run->control_count ? run->controls[k] : 0;
  *start   = 0;
  if (a->time > 0 || a->integrates)
  {
    *start = run->activations < run->act_count ? run->acts[run->activations] : 0;
    ++run->activations;
  }
  if (lw_mjcf_limited(mjcf, item, "ctrllimited", "ctrlrange") &&
      lw_mjcf_numbers(mjcf, item, "ctrlrange", 2, 2, range))
    *control = fmin(fmax(*control, range[0]), range[1]);
}

static bool take_length(lwMjcf* mjcf, lwMjcfItem item, Length* length)
{
  double gear[6]     = {1, 0, 0, 0, 0, 0};
  const char* tendon = lw_mjcf_text(mjcf, item, "tendon");
  bool in_parent     = lw_mjcf_text(mjcf, item, "jointinparent") != NULL;
  *length            = (Length){NULL, -1, 1};
  lw_mjcf_numbers(mjcf, item, "gear", 1, 6, gear);
  length->gear = gear[0];
  for (int k = 0; tendon && k < mjcf->run->tendon_count; ++k)
  {
    const lwMjcfTendon* one = &mjcf->run->tendons[k];
    if (one->name && one->count > 0 && strcmp(one->name, tendon) == 0) length->tendon = one;
  }
  if (lw_mjcf_text(mjcf, item, "joint") || in_parent)
    length->joint =
        lw_mjcf_look_up(mjcf, item, in_parent ? "jointinparent" : "joint", &mjcf->joint_names);
  return length->tendon ||
         (length->joint >= 0 && lw_mjcf_is_single(&mjcf->list.joints[length->joint]));
}

void lw_mjcf_run_actuator(lwMjcf* mjcf, const lwXml* element)
{
  lwMjcfItem item = {element, lw_mjcf_class(mjcf, element, "class", 0)};
  double range[2] = {-INFINITY, INFINITY}, control, start;
  Actuation actuation;
  Length length;
  const char* left = take_actuation(mjcf, item, &actuation);
  take_control(mjcf, item, &actuation, &control, &start);
  if (left) return lw_mjcf_leave(mjcf, element, left, true);
  if (!take_length(mjcf, item, &length))
    return lw_mjcf_leave(mjcf, element, "actuators of spatial tendons, sites and bodies", true);
  if (lw_mjcf_limited(mjcf, item, "forcelimited", "forcerange"))
    lw_mjcf_numbers(mjcf, item, "forcerange", 2, 2, range);
  if (!length.tendon) narrow_range(mjcf, length.joint, length.gear, range);
  const char* name = lw_mjcf_text(mjcf, item, "name");
  lwOut* out       = &mjcf->run->forces;
  begin_force(mjcf->run, mjcf, name ? name : element->name, &length);
  put_law(out, &actuation, control, start);
  if (isfinite(range[0]) && isfinite(range[1]))
  {
    lw_out_text(out, ", range: [");
    lw_out_number(out, range[0]);
    lw_out_text(out, ", ");
    lw_out_number(out, range[1]);
    lw_out_text(out, "]");
  }
  lw_out_text(out, "}\n");
}

// --- the keyframe

// Numbers of an attribute into the arena, however many there are.
static const double* numbers_of(lwMjcf* mjcf, const lwXml* key, const char* name, int* count)
{
  const lwXmlAttribute* found = lw_xml_attribute(key, name);
  size_t most                 = found ? strlen(found->value) / 2 + 1 : 0;
  double* numbers = most ? lw_arena_take(&mjcf->document->arena, most, sizeof *numbers) : NULL;
  *count          = 0;
  if (numbers && found->value[strspn(found->value, " \t\r\n")])
    *count = lw_mjcf_numbers(mjcf, (lwMjcfItem){key, -1}, name, 1, (int)most, numbers);
  return numbers;
}

void lw_mjcf_run_keyframe(lwMjcf* mjcf, const lwXml* key)
{
  mjcf->run->controls = numbers_of(mjcf, key, "ctrl", &mjcf->run->control_count);
  mjcf->run->acts     = numbers_of(mjcf, key, "act", &mjcf->run->act_count);
}

// --- the scenario

static void put_compensation(lwMjcf* mjcf, lwOut* out)
{
  bool any = false;
  for (int i = 0; i < mjcf->body_count; ++i)
  {
    const lwMjcfBody* body = &mjcf->bodies[i];
    if (body->gravcomp == 0 || !body->moves || body->joint < 0) continue;
    const lwJointDef* joint = &mjcf->list.joints[body->joint];
    if (!any) lw_out_text(out, "wrench:  # gravity compensation\n");
    any = true;
    lw_out_text(out, "  - {link: ");
    lw_out_json(out, joint->link.name ? joint->link.name : joint->name);
    lw_json(out, ", frame: base, point: $v,", joint->link.com, 3);
    double force[3];
    for (int k = 0; k < 3; ++k)
      force[k] = -body->gravcomp * joint->link.mass * mjcf->gravity[k] + 0.0;
    lw_json(out, " force: $v}\n", force, 3);
  }
}

static void put_start(const lwModel* model, lwOut* out)
{
  const lwRobotDef* robot = lw_model_robot(model);
  bool any                = false;
  for (int i = 0; i < lw_model_nq(model); ++i)
  {
    lwCoordinate entry = lw_model_position(model, i);
    double q           = robot->joints[entry.joint].start[entry.part];
    if (q == 0 && lw_joint_size(robot->joints[entry.joint].type).nq < 2) continue;
    lw_out_text(out, any ? ", " : "initial: {q: {");
    any = true;
    lw_out_json(out, entry.name);
    lw_out_text(out, ": ");
    lw_out_number(out, q);
  }
  if (any) lw_out_text(out, "}}\n");
}

static void put_notes(const char* notes, lwOut* out)
{
  while (notes && *notes)
  {
    int length = (int)strcspn(notes, "\n");
    lw_out_format(out, "# %.*s\n", length, notes);
    notes += length + (notes[length] != 0);
  }
}

void lw_mjcf_run_finish(lwMjcf* mjcf, const lwModel* model)
{
  lwMjcfRun* run = mjcf->run;
  lwOut* out     = run->text;
  lw_out_text(out, "linkwork: 1\nname: ");
  lw_out_json(out, lw_model_name(model));
  lw_out_text(out, "\nrobot: ");
  lw_out_json(out, run->robot);
  lw_out_text(out, "\n");
  put_notes(lw_mjcf_notes(mjcf), out);
  put_start(model, out);
  put_compensation(mjcf, out);
  if (!lw_out_finish(&run->forces) || run->forces.length == 0) return;
  lw_out_text(out, "forces:\n");
  lw_out_text(out, run->forces.text);
}

lwStatus lw_mjcf_scenario(const char* path, const char* robot, const lwModelOptions* options,
                          lwDiag* diag, lwOut* text)
{
  lwDocument* document = calloc(1, sizeof *document);
  lwMjcfRun* run       = calloc(1, sizeof *run);
  lwModel* model       = NULL;
  lwStatus status = document && run ? lw_document_open_file(document, path, diag) : LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    run->forces.in_memory = true;
    run->robot            = robot;
    run->text             = text;
    status                = lw_mjcf_read_run(document, options, run, &model);
  }
  lw_model_destroy(model);
  if (run) lw_out_free(&run->forces);
  if (document) lw_document_free(document);
  free(document);
  free(run);
  return status;
}
