// SPDX-License-Identifier: MIT
// URDF files: the parts of the reader.
//
//   elements --urdf_link.c, urdf_joint.c--> links and joints in the order of the file
//            --urdf_tree.c--> joints depth first from the root --urdf.c--> lwRobotDef
//
// The order of the joints does not depend on the order in the file: depth first from the root link,
// the joints of a link sorted by the bytes of their names.
#ifndef LW_READ_URDF_URDF_H
#define LW_READ_URDF_URDF_H

#include "base/text.h"
#include "linkwork/parts.h"
#include "model/lint/lint.h"
#include "read/robot_joints.h"
#include "read/urdf/xml.h"

enum
{
  LW_URDF_MAX_TALLY = 48,  // kinds of elements that are counted one by one
  LW_URDF_MAX_NOTES = 200  // lines
};

typedef struct lwUrdfLink
{
  const lwXml* element;
  lwLinkDef def;
  lwPlace places[LW_FIELD_COUNT];
  int joint;  // of the file, whose child it is, or -1
  bool wrong;
  bool unnamed;  // or has the name of an earlier one: no joint can refer to it
} lwUrdfLink;

typedef struct lwUrdfJoint
{
  const lwXml* element;
  lwJointDef def;
  lwPlace places[LW_FIELD_COUNT];
  int parent, child;    // links, or -1: not known
  const char* leader;   // that it mimics, or NULL
  const char* freedom;  // "floating" or "planar", or NULL
  bool wrong;
} lwUrdfJoint;

// How often an unused element or attribute was seen.
typedef struct lwUrdfTally
{
  const char* name;
  const char* owner;  // of an attribute: its element; NULL: it is an element
  int count;
} lwUrdfTally;

// A mesh that the file refers to.
typedef struct lwUrdfMesh
{
  struct lwUrdfMesh* next;
  int number;
  lwSolid solid;
  const char* fault;  // why it has none, or NULL
} lwUrdfMesh;

typedef struct lwUrdf
{
  lwDocument* document;
  lwModelOptions options;
  const lwXml* root;
  int link_count, joint_count;
  lwUrdfLink* links;     // in the order of the file
  lwUrdfJoint* joints;   // in the order of the file
  lwNameMap link_names;  // to the first link of that name
  lwNameMap joint_names;
  int root_link;  // or -1
  int* order;     // (joint_count) joints of the file in the order of the description
  lwJointList list;
  lwUrdfTally unused[LW_URDF_MAX_TALLY];
  int unused_kinds;
  const char* notes[LW_URDF_MAX_NOTES];
  int note_count;
  lwUrdfMesh* meshes;    // the latest first
  lwNameMap mesh_names;  // to their numbers
  int mesh_count;
  int unmeasured;  // links whose shapes could not be measured
} lwUrdf;

// --- urdf_values.c: attributes

// An attribute that holds numbers, separated by spaces.
typedef struct lwUrdfNumbers
{
  const char* name;
  size_t offset;  // of the first in the target
  int size;       // how many, doubles one after the other
  const char* unit;
  bool required;
  bool infinite;  // inf is accepted
} lwUrdfNumbers;

// Fills target from the attributes of an element, which may be NULL; those that are
// absent leave it as it is. False after reporting what is wrong. `also` is an attribute
// that is read elsewhere, or NULL.
bool lw_urdf_numbers(lwUrdf* urdf, const lwXml* element, const lwUrdfNumbers* table, int count,
                     const char* also, void* target);

// Numbers in the text of the attribute key->name.
bool lw_urdf_number_text(lwUrdf* urdf, const char* text, lwPlace place, const lwUrdfNumbers* key,
                         double* numbers);

// An attribute as a name; NULL after reporting that it is missing or not a name.
const char* lw_urdf_name(lwUrdf* urdf, const lwXml* element, const char* attribute, lwPlace* place);

// The child of a name; a second one is reported. NULL: there is none.
const lwXml* lw_urdf_only(lwUrdf* urdf, const lwXml* element, const char* name);

// The number of a link by the attribute `link` of an element, which may be NULL;
// -1 after reporting what is wrong.
int lw_urdf_link_of(lwUrdf* urdf, const lwXml* owner, const char* role, lwPlace* place);

// xyz and rpy of <origin>; zeros where it is absent.
bool lw_urdf_origin(lwUrdf* urdf, const lwXml* owner, double xyz[3], double rpy[3], lwPlace* place);

// A warning about this joint or link: an error if warnings are errors,
// and nothing if it is accepted.
#define lw_urdf_warn(urdf, id, about, place, hint, ...)                                            \
  do                                                                                               \
  {                                                                                                \
    bool strict = (urdf)->options.lint.strict;                                                     \
    if (lw_warning_accepted((urdf)->options.lint.accept, id, about, NULL)) break;                  \
    (urdf)->document->errors += strict;                                                            \
    lw_diag_report_id((urdf)->document->diag, strict ? LW_SEVERITY_ERROR : LW_SEVERITY_WARNING,    \
                      id, &(urdf)->document->source, place, hint, __VA_ARGS__);                    \
  } while (0)

// --- urdf_notes.c: what is left out

// Counts an unused element, or an unused attribute of the element owner.
// The names live as long as the document.
void lw_urdf_unused(lwUrdf* urdf, const char* name, const char* owner);

// Counts the children that are in none of the names, which end with NULL.
void lw_urdf_unused_children(lwUrdf* urdf, const lwXml* element, const char* const* names);

void lw_urdf_note(lwUrdf* urdf, const char* format, ...) __attribute__((format(printf, 2, 3)));

// All notes as one text; NULL: there are none.
const char* lw_urdf_notes(lwUrdf* urdf);

// --- links, joints, transmissions, tree

void lw_urdf_read_link(lwUrdf* urdf, lwUrdfLink* link);
void lw_urdf_read_joint(lwUrdf* urdf, lwUrdfJoint* joint);
void lw_urdf_read_transmission(lwUrdf* urdf, const lwXml* element);

// Finds the root and the order; false after reporting why there is none,
// or with LW_ERROR_MEMORY in *status.
bool lw_urdf_sort(lwUrdf* urdf, lwStatus* status);

// --- urdf.c

// True for the name or the text of a URDF file: it ends with .urdf or .xml, or begins with '<'.
bool lw_urdf_is(const lwSource* source);

// Builds a model from a document whose text is loaded.
lwStatus lw_urdf_read(lwDocument* document, const lwModelOptions* options, lwModel** model);

#endif
