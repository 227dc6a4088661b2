// SPDX-License-Identifier: MIT
// MJCF files: the parts of the reader.
//
//   files --mjcf_files.c--> one tree of elements, classes of defaults
//         --mjcf_values.c--> attributes with their defaults, orientations
//         --mjcf_body.c, mjcf_geom.c, mjcf_mesh.c--> joints and links in the order of the file
//         --mjcf_rest.c--> loops, mimic joints, efforts, start --mjcf.c--> lwRobotDef
//         --mjcf_run.c--> springs, tendons, actuators: a scenario
//
// Joints are numbered as MuJoCo numbers them: depth first, in the order of the file. The frame of a
// link is that of its body. A body with several joints is a chain whose inner links have no mass;
// where the last joint is not at the body's origin, a fixed joint leads there. Sites are fixed
// joints, too. The meaning of elements and defaults is that of the XML reference of MuJoCo
// (mujoco.readthedocs.io, XMLreference), checked against its compiler.
#ifndef LW_READ_MJCF_MJCF_H
#define LW_READ_MJCF_MJCF_H

#include "base/text.h"
#include "linkwork/parts.h"
#include "model/transform.h"
#include "read/robot_joints.h"
#include "read/urdf/xml.h"
#include "text/out.h"

enum
{
  LW_MJCF_MAX_FILES   = 200,   // with those that are included
  LW_MJCF_MAX_CLASSES = 1000,  // of defaults
  LW_MJCF_MAX_DEPTH   = 200,   // bodies and frames inside each other
  LW_MJCF_MAX_LEFT    = 80,    // kinds of things that are left out
  LW_MJCF_PATH        = 4096
};

// An element, and the class that its defaults come from.
typedef struct lwMjcfItem
{
  const lwXml* element;
  int class;
} lwMjcfItem;

typedef struct lwMjcfClass
{
  const char* name;
  int parent;            // or -1
  const lwXml* element;  // <default>, or NULL
  int number;            // of the class that it belongs to: the outermost may be written twice
} lwMjcfClass;

typedef struct lwMjcfBody
{
  const char* name;   // or NULL
  int joint;          // whose link it is, or LW_BASE
  lwTransform world;  // its place where every joint is at its reference
  bool moves;         // it, or a body that carries it, has a joint
  bool mocap;         // people move it
  double gravcomp;    // part of its weight that is compensated
} lwMjcfBody;

typedef struct lwMjcfSite
{
  const char* name;
  int body;
  lwTransform place;
} lwMjcfSite;

typedef struct lwMjcfMesh
{
  const char* name;
  lwMjcfItem item;
  bool read;
  const char* fault;  // why it has no volume, or NULL
  lwSolid solid;
} lwMjcfMesh;

// A fixed tendon: its length is a linear combination of joints.
typedef struct lwMjcfTendon
{
  const char* name;  // or NULL
  int count;
  int* joints;   // (count) of the description
  double* coef;  // (count)
} lwMjcfTendon;

// What drives the robot, for a scenario.
typedef struct lwMjcfRun
{
  const char* robot;  // its name in the scenario
  lwOut* text;        // the scenario
  lwOut forces;       // its list of forces
  lwMjcfTendon* tendons;
  int tendon_count;
  double* efforts;         // (joints, 2) range of what actuators exert; equal: no limit
  const double* controls;  // of the keyframe
  const double* acts;
  int control_count, act_count;
  int actuators, activations;  // so far
} lwMjcfRun;

// Something that the description does not hold, and where it is for the first time.
typedef struct lwMjcfLeft
{
  const char* what;
  bool matters;  // for the motion
  int count;
  const lwXml* first;
} lwMjcfLeft;

typedef struct lwMjcf
{
  lwDocument* document;  // the first file
  lwDocument* files;     // (LW_MJCF_MAX_FILES) the others
  int file_count;
  lwModelOptions options;
  const lwXml* root;
  lwMjcfClass classes[LW_MJCF_MAX_CLASSES];
  int class_count;
  lwNameMap class_names;
  // the compiler's settings
  bool degrees, autolimits, balance;
  int inertia_from_geom;  // 0 never, 1 always, 2 where there is no <inertial>
  int groups[2];          // of geoms that have mass
  double least_mass, least_inertia, total_mass;
  char order[4];  // of Euler angles
  const char* mesh_folder;
  // what is read
  lwJointList list;
  int capacity;        // of the list
  double* references;  // (capacity) q at which the joint is as it is drawn
  double* springs;     // (capacity) q at which its spring is at rest
  lwMjcfBody* bodies;  // the first is the world
  lwMjcfSite* sites;
  lwMjcfMesh* meshes;
  int body_count, site_count, mesh_count, depth;
  lwNameMap names;        // of joints of the description
  lwNameMap joint_names;  // of the file, to joints of the description
  lwNameMap body_names, site_names, mesh_names;
  lwLoopDef* loops;
  int loop_count;
  double gravity[3];
  lwMjcfLeft left[LW_MJCF_MAX_LEFT];
  int left_count;
  lwMjcfRun* run;  // or NULL: only the robot is read
} lwMjcf;

// Reports an error at an element or attribute, in the file that it is in.
#define lw_mjcf_error(mjcf, element, place, hint, ...)                                             \
  ((mjcf)->document->errors++,                                                                     \
   lw_diag_report((mjcf)->document->diag, LW_SEVERITY_ERROR, &(element)->document->source, place,  \
                  hint, __VA_ARGS__))

// --- mjcf_files.c

// Parses the document and the files that it includes, and collects the classes of defaults.
lwStatus lw_mjcf_open(lwMjcf* mjcf, lwXml** root);
void lw_mjcf_close(lwMjcf* mjcf);

// The class of an element of a body whose children are of the class `inherited`.
int lw_mjcf_class(lwMjcf* mjcf, const lwXml* element, const char* attribute, int inherited);

// --- mjcf_values.c

bool lw_mjcf_is(const lwXml* element, const char* name);

// The attribute of an element or of its defaults, or NULL; *owner: the element that has it.
const lwXmlAttribute* lw_mjcf_find(const lwMjcf* mjcf, lwMjcfItem item, const char* name,
                                   const lwXml** owner);
const char* lw_mjcf_text(const lwMjcf* mjcf, lwMjcfItem item, const char* name);

// Up to `most` numbers, at least `least`; how many there are, 0 after reporting what is wrong.
int lw_mjcf_numbers(lwMjcf* mjcf, lwMjcfItem item, const char* name, int least, int most,
                    double* numbers);
double lw_mjcf_number(lwMjcf* mjcf, lwMjcfItem item, const char* name, double otherwise);

// Index of a word of a list that ends with NULL.
int lw_mjcf_word(lwMjcf* mjcf, lwMjcfItem item, const char* name, const char* const* words,
                 int otherwise);

// Place and orientation of a body, frame, geom, site or inertia.
lwTransform lw_mjcf_place(lwMjcf* mjcf, lwMjcfItem item);
lwTransform lw_mjcf_rotation(const double quaternion[4]);  // w x y z, of any length but 0
lwTransform lw_mjcf_turn(const double axis[3], double angle);

// Counts something that is left out. Texts live as long as the document.
void lw_mjcf_leave(lwMjcf* mjcf, const lwXml* element, const char* what, bool matters);

// Counts attributes of an element that are not in a list of words separated by spaces.
void lw_mjcf_check(lwMjcf* mjcf, const lwXml* element, const char* known);

// All that is left out, as lines of text; NULL: nothing.
const char* lw_mjcf_notes(lwMjcf* mjcf);

// --- bodies, masses, the rest

bool lw_mjcf_read_bodies(lwMjcf* mjcf);  // false: out of memory
// Adds a geom to a link, which moves or not: where not, an unknown mass does not matter.
void lw_mjcf_add_geom(lwMjcf* mjcf, lwMjcfItem item, const lwTransform* frame, bool moves,
                      lwLinkDef* link);
void lw_mjcf_read_inertial(lwMjcf* mjcf, const lwXml* element, lwLinkDef* link);
void lw_mjcf_bound_mass(lwMjcf* mjcf, const lwXml* element, lwLinkDef* link);
bool lw_mjcf_collect_meshes(lwMjcf* mjcf);
const char* lw_mjcf_mesh(lwMjcf* mjcf, lwMjcfMesh* mesh, lwSolid* solid);  // or why there is none
bool lw_mjcf_read_rest(lwMjcf* mjcf);

// The number that a name stands for; -1 after reporting that there is none.
int lw_mjcf_look_up(lwMjcf* mjcf, lwMjcfItem item, const char* attribute, const lwNameMap* names);
bool lw_mjcf_is_single(const lwJointDef* joint);  // a hinge or a slide
// Whether a range counts, by the word beside it.
bool lw_mjcf_limited(lwMjcf* mjcf, lwMjcfItem item, const char* name, const char* range);

// --- mjcf_run.c: where mjcf->run is not NULL

void lw_mjcf_run_spring(lwMjcf* mjcf, int joint, double stiffness);
bool lw_mjcf_run_tendons(lwMjcf* mjcf);  // false: out of memory
void lw_mjcf_run_actuator(lwMjcf* mjcf, const lwXml* element);
void lw_mjcf_run_keyframe(lwMjcf* mjcf, const lwXml* key);
void lw_mjcf_run_finish(lwMjcf* mjcf, const lwModel* model);

// --- mjcf.c

// True for XML whose outermost element is <mujoco>.
bool lw_mjcf_is_file(const lwSource* source);

// Builds a model from a document whose text is loaded.
lwStatus lw_mjcf_read(lwDocument* document, const lwModelOptions* options, lwModel** model);

// The same and, if run is not NULL, the scenario that it describes.
lwStatus lw_mjcf_read_run(lwDocument* document, const lwModelOptions* options, lwMjcfRun* run,
                          lwModel** model);

#endif
