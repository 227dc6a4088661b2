// SPDX-License-Identifier: MIT
// Shared by the tests of the URDF reader: reading a text, and building blocks of texts.
#ifndef LW_TESTS_READ_URDF_TEXTS_H
#define LW_TESTS_READ_URDF_TEXTS_H

#include <string.h>

#include "linkwork/linkwork.h"
#include "linkwork/read.h"
#include "support/testing.h"

typedef struct Reading
{
  lwDiag* diag;
  lwModel* model;
  lwStatus status;
} Reading;

static inline Reading read_bytes(const char* text, size_t length, const lwModelOptions* options)
{
  Reading r = {.diag = lw_diag_create()};
  r.status  = lw_robot_read_text("arm.urdf", text, length, options, r.diag, &r.model);
  assert_int_equal(r.status == LW_OK, r.model != NULL);
  return r;
}

static inline Reading read_with(const char* text, const lwModelOptions* options)
{
  return read_bytes(text, strlen(text), options);
}

static inline void forget(Reading* r)
{
  lw_model_destroy(r->model);
  lw_diag_destroy(r->diag);
}

// --- building blocks, on one line each

#define INERTIAL                                                                                   \
  "<inertial><origin xyz='0 0 0.1'/><mass value='1'/>"                                             \
  "<inertia ixx='.01' iyy='.01' izz='.004' ixy='0' ixz='0' iyz='0'/></inertial>"
#define LINK(name) "<link name='" name "'>" INERTIAL "</link>\n"
#define JOINT(name, type, parent, child, more)                                                     \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child          \
  "'/>" more "</joint>\n"
#define ROBOT(inside) "<robot name='arm'>\n" inside "</robot>\n"
#define ARM(more)     ROBOT(LINK("base") LINK("arm") JOINT("j", "continuous", "base", "arm", more))

// A palm and three fingers; the first slides, and tests add the joints of the other two.
#define FINGERS(follower)                                                                          \
  ROBOT(LINK("palm") LINK("one") LINK("two") LINK("three")                                         \
            JOINT("m", "prismatic", "palm", "one", "") follower)

#endif
