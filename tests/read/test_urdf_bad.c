// SPDX-License-Identifier: MIT
// URDF files: errors reported at exactly their place, and hostile files.
#include <stdlib.h>

#include "support/reader_findings.h"
#include "urdf_texts.h"

// --- what is refused

typedef struct Bad
{
  const char* text;
  Finding finding;  // the only message
} Bad;

static const Bad bad_files[] = {
    // the file as a whole
    {"", {1, 1, "the file is empty", "begins with '<robot"}},
    {" \n ", {1, 1, "the file is empty", "begins with '<robot"}},
    {"<!-- nothing -->", {1, 17, "the file has no element", "begins with"}},
    {"robot", {1, 1, "the file has no element", "begins with"}},
    {"<sdf><model/></sdf>",
     {1, 1, "the outermost element of a URDF file is <robot>, found <sdf>", "SDF"}},
    {"<robot/>", {1, 1, "the robot has no links", NULL}},
    {"<robot name='x'><link name='a'/></robot>", {1, 1, "the robot has no joints", NULL}},
    {"<robot name='x'>\n<link name='a'>\n",
     {3, 1, "no well-formed XML: Premature end of data", ""}},
    {"<robot name='x'>\n<link name='a'>\n</robot>",
     {3, 9, "Opening and ending tag mismatch", "</tag>"}},
    {"<robot name='x'><link name=a/></robot>", {1, 28, "AttValue", "quotes"}},
    {"<robot name='x'><link name='a' name='b'/></robot>", {1, 40, "Attribute name redefined", ""}},
    {"<robot name='&what;'/>", {1, 20, "Entity 'what' not defined", "&amp;"}},
    {"<?xml version='1.0'?>\n<!DOCTYPE r [<!ENTITY a 'b'><!ENTITY c '&a;&a;'>]>\n<robot "
     "name='&c;'/>",
     {2, 1, "a document type declaration with entities", "delete it"}},
    {"<!DOCTYPE r SYSTEM 'file:///etc/passwd'>\n<robot/>",
     {1, 1, "a document type declaration with an external file", "no other file is read"}},
    {"<!DOCTYPE r [<!ENTITY x SYSTEM 'http://localhost/x'>]>\n<robot>&x;</robot>",
     {1, 1, "a document type declaration", "delete it"}},
    {"<robot name='\xFC'/>", {1, 14, "the file is not UTF-8 text", "UTF-8"}},
    {"\xFF\xFE<\x01r\x01", {1, 1, "the file is not UTF-8 text", "UTF-16"}},
    // names
    {ROBOT("<link/>" LINK("base") LINK("arm") JOINT("j", "continuous", "base", "arm", "")),
     {2, 1, "<link> needs the attribute 'name'", NULL}},
    {ROBOT("<link name=''/>" LINK("base") LINK("arm") JOINT("j", "continuous", "base", "arm", "")),
     {2, 13, "'name' must be a text", NULL}},
    {ROBOT(LINK("base") LINK("arm") LINK("arm") JOINT("j", "continuous", "base", "arm", "")),
     {4, 13, "link 'arm': this name is already given in line 3", NULL}},
    {ROBOT(LINK("base") LINK("arm") LINK("tip") JOINT("j", "continuous", "base", "arm", "")
               JOINT("j", "continuous", "arm", "tip", "")),
     {6, 14, "joint 'j': this name is already given in line 5", NULL}},
    // structure
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "continuous", "bose", "arm", "")),
     {4, 49, "there is no link 'bose'", "did you mean 'base'?"}},
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "continuous", "base", "hand", "")),
     {4, 69, "there is no link 'hand'", NULL}},
    {ROBOT(LINK("base")
               LINK("arm") "<joint name='j' type='continuous'><parent link='base'/></joint>"),
     {4, 1, "<joint> needs a <child link", NULL}},
    {ROBOT(LINK("base") LINK(
         "arm") "<joint name='j' type='continuous'><parent/><child link='arm'/></joint>"),
     {4, 35, "<parent> needs the attribute 'link'", NULL}},
    {ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "continuous", "a", "b", "")),
     {4, 13, "2 links are the child of no joint: 'a', 'c'", "one root"}},
    {ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "continuous", "a", "c", "")
               JOINT("k", "continuous", "b", "c", "")),
     {6, 1, "joint 'k': its child 'c' is already that of joint 'j'", "loops"}},
    {ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "")
               JOINT("k", "continuous", "b", "a", "")),
     {5, 1, "a cycle of links: 'a' on 'b' on 'a'", "root"}},
    {ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "b", "b", "")),
     {4, 1, "a cycle of links: 'b' on 'b'", "root"}},
    // types
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "revolut", "base", "arm", "")),
     {4, 23,
      "'type' must be revolute, continuous, prismatic, fixed, floating or planar, found 'revolut'",
      "did you mean 'revolute'?"}},
    {ROBOT(LINK("base")
               LINK("arm") "<joint name='j'><parent link='base'/><child link='arm'/></joint>"),
     {4, 1, "<joint> needs the attribute 'type'", NULL}},
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "fixed", "base", "arm", "")),
     {0, 0, "the robot has no moving joint", NULL}},
    // numbers
    {ARM("\n<origin xyz='1 2'/>"),
     {5, 14, "'xyz' must be 3 numbers separated by spaces, in m, found 2", NULL}},
    {ARM("\n<origin xyz='1 2 3 4'/>"), {5, 14, "found 4", NULL}},
    {ARM("\n<origin xyz='1 two 3'/>"),
     {5, 16, "item 2 of 'xyz' must be a number, in m, found 'two'", NULL}},
    {ARM("\n<origin xyz='1, 2 3'/>"), {5, 14, "item 1 of 'xyz' must be a number", "decimal mark"}},
    {ARM("\n<origin rpy='0 nan 0'/>"), {5, 16, "item 2 of 'rpy' must be a finite number", NULL}},
    {ARM("\n<origin rpy='0 0 1e999'/>"), {5, 18, "must be a number below 1.8e308", NULL}},
    {ARM("\n<origin xyz='${a} 0 0'/>"), {5, 14, "there is no property 'a'", NULL}},
    {ARM("<!-- <a b='${c}'/> -->\n<xacro:a/>"), {5, 1, "there is no macro 'a'", NULL}},
    {ROBOT(LINK("base") LINK("${arm}") JOINT("j", "continuous", "base", "arm", "")),
     {3, 13, "there is no property 'arm'", NULL}},
    {ARM("\n<axis xyz='0 0 0'/>"), {5, 1, "joint 'j': axis has no direction (0, 0, 0)", NULL}},
    {ARM("\n<axis/>"), {5, 1, "<axis> needs the attribute 'xyz'", NULL}},
    {ARM("\n<limit effort='much'/>"),
     {5, 16, "'effort' must be a number, in N m or N, found 'much'", NULL}},
    {ARM("\n<dynamics damping='-1'/>"), {5, 1, "viscous friction must not be negative", NULL}},
    {ARM("\n<dynamics damping='inf'/>"), {5, 20, "'damping' must be a finite number", NULL}},
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='-1'/><inertia ixx='1' iyy='1' "
                        "izz='1' ixy='0' "
                        "ixz='0' iyz='0'/></inertial></link>" JOINT("j", "continuous", "base",
                                                                    "arm", "")),
     {3, 28, "link 'arm': mass must not be negative (-1 kg)", NULL}},
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='1'/></inertial></link>" JOINT(
         "j", "continuous", "base", "arm", "")),
     {3, 18, "<inertial> needs <inertia>", "without mass"}},
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                        "ixy='0' ixz='0' "
                        "iyz='0'/></inertial></link>" JOINT("j", "continuous", "base", "arm", "")),
     {3, 45, "<inertia> needs the attribute 'izz'", NULL}},
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='1'/><inertia ixx='.1' iyy='.1' "
                        "izz='.1' ixy='.3' "
                        "ixz='0' iyz='0'/></inertial></link>" JOINT("j", "continuous", "base",
                                                                    "arm", "")),
     {3, 45, "link 'arm': inertia is not positive semidefinite", "lwLint.allow_bad_inertia"}},
    // mimic
    {FINGERS(JOINT("k", "prismatic", "palm", "two", "<mimic joint='x'/>")
                 JOINT("l", "fixed", "palm", "three", "")),
     {7, 88, "joint 'k' mimics 'x': there is no such joint", "lwJointChoice.free_mimics"}},
    {FINGERS(JOINT("k", "prismatic", "palm", "two", "<mimic/>")
                 JOINT("l", "fixed", "palm", "three", "")),
     {7, 74, "<mimic> needs the attribute 'joint'", NULL}},
    {FINGERS(JOINT("k", "prismatic", "palm", "two", "<mimic joint='l'/>")
                 JOINT("l", "prismatic", "palm", "three", "<mimic joint='k'/>")),
     {7, 88, "a circle of joints that mimic each other: 'k' -> 'l' -> 'k'", "by itself"}},
};

static void what_is_wrong_is_said_once_and_in_its_place(void** state)
{
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; ++i)
  {
    Reading r   = read_with(bad_files[i].text, NULL);
    Finding one = bad_files[i].finding;
    // an empty hint matches any
    if (one.hint && !*one.hint && lw_diag_size(r.diag) == 1)
      one.hint = lw_diag_message(r.diag, 0)->hint;
    wrong += r.status != LW_ERROR_INPUT || !finding_is_only(r.diag, &one);
    forget(&r);
  }
  assert_int_equal(wrong, 0);
}

static void all_errors_are_reported_together(void** state)
{
  (void)state;
  Reading r = read_with(
      ROBOT("<link name='base'/>\n"
            "<link name='arm'><inertial><mass value='x'/><inertia/></inertial></link>\n"
            "<link name='tip'><inertial><mass value='-2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
            "ixz='0' iyz='0'/></inertial></link>\n"
            "<joint name='j' type='round'><parent link='bas'/><child link='arm'/></joint>\n"
            "<joint name='k' type='prismatic'><parent link='arm'/><child link='tip'/>"
            "<axis xyz='0 0 0'/></joint>\n"),
      NULL);
  const Finding expected[] = {
      {3, 41, "'value' must be a number", NULL},   {3, 45, "needs the attribute 'ixx'", NULL},
      {3, 45, "needs the attribute 'iyy'", NULL},  {3, 45, "needs the attribute 'izz'", NULL},
      {3, 45, "needs the attribute 'ixy'", NULL},  {3, 45, "needs the attribute 'ixz'", NULL},
      {3, 45, "needs the attribute 'iyz'", NULL},  {5, 23, "'type' must be", NULL},
      {5, 44, "there is no link 'bas'", "'base'"}, {4, 28, "mass must not be negative", NULL}};
  assert_int_equal(r.status, LW_ERROR_INPUT);
  assert_true(findings_are(r.diag, expected, sizeof expected / sizeof *expected));
  forget(&r);
}

// --- hostile files: one clear error, in bounded memory and time

// `times` copies of a piece between begin and end
static char* repeat(const char* begin, const char* piece, size_t times, const char* end,
                    size_t* length)
{
  size_t size = strlen(piece);
  char* text  = malloc(strlen(begin) + size * times + strlen(end) + 1);
  assert_non_null(text);
  char* at = text + strlen(strcpy(text, begin));
  for (size_t i = 0; i < times; ++i, at += size) memcpy(at, piece, size);
  strcpy(at, end);
  *length = (size_t)(at - text) + strlen(end);
  return text;
}

static void hostile(const char* begin, const char* piece, size_t times, const char* end,
                    const char* fragment)
{
  size_t length;
  char* text = repeat(begin, piece, times, end, &length);
  Reading r  = read_bytes(text, length, NULL);
  assert_int_not_equal(r.status, LW_OK);
  if (lw_diag_size(r.diag) != 1) findings_print(r.diag);
  assert_int_equal(lw_diag_size(r.diag), 1);
  if (!strstr(lw_diag_message(r.diag, 0)->text, fragment))
    fail_msg("expected '%s', found '%s'", fragment, lw_diag_message(r.diag, 0)->text);
  forget(&r);
  free(text);
}

static void hostile_files_end_in_one_error(void** state)
{
  (void)state;
  hostile("<robot name='x'>", "<a>", 100000, "", "nested deeper than 64 levels");
  hostile("<robot name='", "0123456789abcdef", (100 << 20) / 16, "'/>", "larger than 64 MB");
  hostile("<robot name='", "0123456789abcdef", (20 << 20) / 16, "'/>", "no well-formed XML");
  hostile("<robot ", "a='' ", 100000, "/>", "an element of 100000 attributes; at most 256");
  hostile("<robot ", "a=''\n", 200, "/>", "Attribute a redefined");
  hostile("<robot name='x'>", "<a/>", 100000, "</robot>", "the robot has no links");
  hostile("<robot name='x'><link name='a'/>", "<joint/>", 100001, "</robot>",
          "100001 joints; at most 100000");
  hostile("<!--", "-", 1000000, "", "no well-formed XML");
  hostile("<", "<", 1000000, "", "no well-formed XML");
  hostile("<robot", "='", 1000001, "", "an element of");
}

// Errors beyond a hundred are only counted, and searching for hints does not take n^2 time.
static void many_errors_are_counted(void** state)
{
  (void)state;
  size_t length;
  char* text = repeat("<robot name='x'><link name='a'/>",
                      "<joint name='j' type='fixed'><parent link='b'/><child link='c'/></joint>\n",
                      20000, "</robot>", &length);
  Reading r  = read_bytes(text, length, NULL);
  assert_int_equal(r.status, LW_ERROR_INPUT);
  assert_at_least(lw_diag_count(r.diag, LW_SEVERITY_ERROR), 40000);
  assert_at_most(lw_diag_size(r.diag), 200);
  forget(&r);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_wrong_is_said_once_and_in_its_place),
      cmocka_unit_test(all_errors_are_reported_together),
      cmocka_unit_test(hostile_files_end_in_one_error),
      cmocka_unit_test(many_errors_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
