// SPDX-License-Identifier: MIT
// What decides whether a URDF file is taken: xacro is recognised by elements and attributes,
// wherever they are in the file, and an impossible inertia counts where something depends on it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "linkwork/read.h"
#include "read/kind.h"
#include "support/testing.h"

enum
{
  LOOKED_AT = 1 << 16,  // bytes: where files were once cut
  ROOM      = 1 << 18
};

#define MASS                                                                                       \
  "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' "                \
  "iyz='0'/></inertial>"
#define BAD_MASS                                                                                   \
  "<inertial><mass value='1'/><inertia ixx='-3.5e-8' iyy='1e-5' izz='1e-5' ixy='0' ixz='0' "       \
  "iyz='0'/></inertial>"

// --- xacro

// A robot with `piece` between its links, beginning at byte `at` of the file.
static size_t padded_robot(char* text, size_t at, const char* piece)
{
  size_t used = (size_t)sprintf(text, "<robot name='r'>\n<link name='base'/>\n<!-- ");
  for (; used + 4 < at; ++used) text[used] = used % 80 ? 'x' : '\n';
  used += (size_t)sprintf(text + used, "-->\n%s<link name='arm'>" MASS "</link>\n", piece);
  used += (size_t)sprintf(text + used, "<joint name='j' type='continuous'><parent link='base'/>"
                                       "<child link='arm'/></joint>\n</robot>\n");
  return used;
}

static lwFileKind kind_of(const char* text, size_t size)
{
  char path[] = "/tmp/linkwork-kind-XXXXXX";
  int file    = mkstemp(path);
  assert_true(file >= 0 && write(file, text, size) == (ssize_t)size);
  close(file);
  lwFileKind kind = lw_file_kind(path, LW_FILE_KIND_ROBOT).kind;
  unlink(path);
  return kind;
}

static lwStatus reads(const char* text, size_t size)
{
  lwModel* model  = NULL;
  lwStatus status = lw_robot_read_text("r.urdf", text, size, NULL, NULL, &model);
  assert_true((status == LW_OK) == (model != NULL));
  lw_model_destroy(model);
  return status;
}

static void check_piece(char* text, size_t at, const char* piece, bool xacro, bool sound)
{
  size_t size = padded_robot(text, at, piece);
  assert_int_equal(kind_of(text, size), xacro ? LW_FILE_KIND_XACRO : LW_FILE_KIND_URDF);
  assert_int_equal(reads(text, size), sound ? LW_OK : LW_ERROR_INPUT);
}

// Comments and the like that only mention xacro, and xacro itself, cut at each of their bytes by
// the boundary of 64 KiB.
static void xacro_by_elements(void** state)
{
  static const struct
  {
    const char* text;
    bool xacro, sound;
  } pieces[] = {{"<!-- ${name} of <xacro:include filename='a'/> -->\n", false, true},
                {"<?xml-note ${a} <xacro:b/> ?>\n", false, true},
                {"<gazebo><![CDATA[ <xacro:a b='${c}'/> ]]></gazebo>\n", false, true},
                {"<gazebo a='$ { }' b=\"$\" xmlns:xacro='http://a/${b}'/>\n", false, true},
                {"<xacro:property name='a' value='1'/>\n", true, true},
                {"<gazebo><a b='<!-- ' c='x${d}'/></gazebo>\n", true, false},
                {"<!-- a --><gazebo a = \"${b}\" /><!-- b -->\n", true, false}};
  (void)state;
  char* text = malloc(ROOM);
  assert_non_null(text);
#ifdef LW_TEST_SANITIZED
  const size_t step = 7;
#else
  const size_t step = 1;
#endif
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; ++i)
  {
    size_t length = strlen(pieces[i].text);
    for (size_t before = 0; before <= length + 4; before += step)
      check_piece(text, LOOKED_AT - before, pieces[i].text, pieces[i].xacro, pieces[i].sound);
    check_piece(text, 60, pieces[i].text, pieces[i].xacro, pieces[i].sound);
    check_piece(text, 3 * LOOKED_AT, pieces[i].text, pieces[i].xacro, pieces[i].sound);
  }
  free(text);
}

// --- inertia

enum
{
  LINKS = 8
};

// A random tree whose link `bad` has an impossible inertia. Returns whether that link moves.
static bool random_tree(lwRandom* random, int bad, bool bad_base, char* text)
{
  bool moves[LINKS + 1] = {false};
  text += sprintf(text, "<robot name='r'><link name='l0'>%s</link>", bad_base ? BAD_MASS : MASS);
  for (int i = 1; i <= LINKS; ++i)
  {
    int parent = (int)lw_random_between(random, 0, i - 1e-9);
    bool turns = i == LINKS || lw_random_between(random, 0, 1) < 0.4;
    bool wrong = i == bad && !bad_base;
    moves[i]   = moves[parent] || turns;
    text += sprintf(text,
                    "<link name='l%d'>%s</link><joint name='j%d' type='%s'><parent link='l%d'/>"
                    "<child link='l%d'/></joint>",
                    i, wrong ? BAD_MASS : MASS, i, turns ? "continuous" : "fixed", parent, i);
  }
  sprintf(text, "</robot>");
  return !bad_base && moves[bad];
}

static int warnings_about(const lwDiag* diag, const char* id)
{
  int count = 0;
  for (int i = 0; i < lw_diag_size(diag); ++i)
    count += lw_diag_message(diag, i)->id && !strcmp(lw_diag_message(diag, i)->id, id);
  return count;
}

static void check_tree(const char* text, bool moves, bool floating)
{
  lwModel* model         = NULL;
  lwDiag* diag           = lw_diag_create();
  lwModelOptions options = {.mount.floating = floating};
  lwStatus status        = lw_robot_read_text("r.urdf", text, strlen(text), &options, diag, &model);
  bool refused           = moves || floating;
  assert_int_equal(status, refused ? LW_ERROR_INPUT : LW_OK);
  assert_int_equal(warnings_about(diag, "base-inertia"), refused ? 0 : 1);
  assert_true((lw_diag_count(diag, LW_SEVERITY_ERROR) > 0) == refused);
  lw_model_destroy(model);
  lw_diag_destroy(diag);
}

// Of 300 random trees: refused if the link moves, or the base floats; else a warning.
static void inertia_of_what_never_moves(void** state)
{
  lwRandom random = {31};
  char text[8192];
  int refused = 0, taken = 0;
  (void)state;
  for (int k = 0; k < 300; ++k)
  {
    int bad    = 1 + k % LINKS;
    bool moves = random_tree(&random, bad, k % 10 == 0, text);
    refused += moves;
    taken += !moves;
    check_tree(text, moves, false);
    check_tree(text, moves, true);
  }
  assert_true(refused > 50 && taken > 50);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(xacro_by_elements),
                                     cmocka_unit_test(inertia_of_what_never_moves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
