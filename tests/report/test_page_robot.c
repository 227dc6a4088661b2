// SPDX-License-Identifier: MIT
// What the page is told about a robot: the description, its coordinates, links with mass properties
// and shapes, triangles of meshes; and about a snake.
#include "report/page/page_data.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "linkwork/linkwork.h"
#include "snakes.h"
#include "testing.h"

// The JSON so far, as an object.
static Json* page_json(lwPageData* page)
{
  char path[] = "/tmp/linkwork-page-XXXXXX";
  lw_out_text(&page->json, "}");
  assert_true(lw_out_finish(&page->json));
  int file     = mkstemp(path);
  FILE* stream = file >= 0 ? fdopen(file, "w") : NULL;
  assert_non_null(stream);
  fputs(page->json.text, stream);
  assert_int_equal(fclose(stream), 0);
  Json* json = json_read(path);
  remove(path);
  return json;
}

static void page_begin(lwPageData* page)
{
  *page = (lwPageData){.json.in_memory = true, .bytes.in_memory = true};
  lw_out_text(&page->json, "{\"version\":1");
}

static Json* arm_json(lwPageData* page, const lwModel* model, lwMissingMeshes* missing)
{
  page_begin(page);
  *missing = (lwMissingMeshes){0};
  assert_int_equal(lw_page_arm(page, model, NULL, missing, NULL), LW_OK);
  return page_json(page);
}

// Entries have the limits of the description; no limit is null, which is read as NaN.
static void check_entries(const lwModel* model, const Json* list, int count,
                          lwCoordinate (*get)(const lwModel*, int))
{
  assert_int_equal(list->count, count);
  for (int i = 0; i < count; ++i)
  {
    lwCoordinate entry       = get(model, i);
    const lwJointDef* joint  = &lw_model_robot(model)->joints[entry.joint];
    const Json* item         = &list->items[i];
    const double limits[][2] = {{json_number(item, "lower"), joint->limits.lower},
                                {json_number(item, "upper"), joint->limits.upper},
                                {json_number(item, "velocity"), joint->limits.velocity},
                                {json_number(item, "effort"), joint->limits.effort}};
    assert_string_equal(json_text(item, "name"), entry.name);
    assert_same(json_number(item, "index"), entry.joint);
    assert_same(json_number(item, "slides"), entry.slides);
    for (int k = 0; k < 4; ++k)
    {
      if (isfinite(limits[k][1])) assert_same(limits[k][0], limits[k][1]);
      if (!isfinite(limits[k][1])) assert_nan(limits[k][0]);
    }
  }
}

static void check_links(const lwRobotDef* robot, const Json* links)
{
  assert_int_equal(links->count, robot->count + 1);
  for (int i = 0; i < robot->count; ++i)
  {
    const lwLinkDef* link = &robot->joints[i].link;
    const Json* item      = &links->items[i + 1];
    double com[3], inertia[6];
    json_numbers(item, "com", 3, com);
    json_numbers(item, "inertia", 6, inertia);
    assert_same(json_number(item, "mass"), link->mass);
    assert_memory_equal(com, link->com, sizeof com);
    assert_memory_equal(inertia, link->inertia, sizeof inertia);
    if (link->shape_count > 0) assert_int_equal(json_get(item, "shapes")->count, link->shape_count);
  }
}

static void check_shipped(const char* name)
{
  char path[300];
  lwModel* model = NULL;
  lwPageData page;
  lwMissingMeshes missing;
  snprintf(path, sizeof path, "%s/%s", LW_ROBOTS, name);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &model), LW_OK);
  const lwRobotDef* robot = lw_model_robot(model);
  Json* json              = arm_json(&page, model, &missing);
  check_entries(model, json_get(json, "positions"), lw_model_nq(model), lw_model_position);
  check_entries(model, json_get(json, "joints"), lw_model_dof(model), lw_model_velocity);
  check_links(robot, json_get(json, "links"));
  int based =
      robot->joints[0].type == LW_JOINT_FLOATING;  // a floating base is no joint of the file
  assert_int_equal(json_get(json_get(json, "robot"), "joints")->count, robot->count - based);
  const Json* parents = json_get(json, "parents");
  for (int i = 0; i < robot->count; ++i)
    assert_same(parents->items[i].number, robot->joints[i].parent);
  assert_int_equal(missing.count, 0);
  json_free(json);
  lw_page_free(&page);
  lw_model_destroy(model);
}

static void shipped_robots(void** state)
{
  (void)state;
  check_shipped("puma560.yaml");
  check_shipped("ddarm.yaml");        // mass properties from parts
  check_shipped("gripper_arm.urdf");  // shapes, mimic joints
  check_shipped("two_arms.urdf");
  check_shipped("free_flyer.yaml");
  check_shipped("hydraulic5.yaml");  // cylinders
}

static void write_text(const char* path, const char* text)
{
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

// Triangles go into the bytes, corners as numbers of 16 bits of the box around them, from a multiple
// of four on; a mesh that is not there is left out, counted and named.
static void meshes_are_put_into_the_bytes(void** state)
{
  (void)state;
  char folder[] = "/tmp/linkwork-mesh-XXXXXX", robot_path[60], mesh_path[60];
  assert_non_null(mkdtemp(folder));
  snprintf(robot_path, sizeof robot_path, "%s/r.urdf", folder);
  snprintf(mesh_path, sizeof mesh_path, "%s/one.stl", folder);
  write_text(mesh_path, "solid one\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                        "vertex 0 2.5 0\nendloop\nendfacet\nendsolid one\n");
  write_text(robot_path,
             "<robot name=\"r\"><link name=\"b\"/><link name=\"l\"><inertial><mass value=\"1\"/>"
             "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"
             "<visual><geometry><mesh filename=\"one.stl\"/></geometry></visual>"
             "<visual><geometry><mesh filename=\"none.stl\"/></geometry></visual></link>"
             "<joint name=\"j\" type=\"continuous\"><parent link=\"b\"/><child link=\"l\"/></joint>"
             "</robot>");
  lwModel* model = NULL;
  lwPageData page;
  lwMissingMeshes missing;
  assert_int_equal(lw_robot_read_file(robot_path, NULL, NULL, &model), LW_OK);
  Json* json         = arm_json(&page, model, &missing);
  const Json* shapes = json_get(&json_get(json, "links")->items[1], "shapes");
  assert_int_equal(shapes->count, 1);
  const Json* mesh = json_get(&shapes->items[0], "mesh");
  assert_same(json_number(mesh, "vertices"), 3);
  assert_same(json_number(mesh, "triangles"), 1);
  assert_same(json_number(mesh, "step"), 2.5 / 65535);
  size_t offset = (size_t)json_number(mesh, "offset");
  assert_int_equal(offset % 4, 0);
  assert_true(lw_out_finish(&page.bytes));
  const uint16_t points[10] = {0, 0, 0, 26214, 0, 0, 0, 65535, 0, 0};  // two bytes fill up
  const uint32_t corners[3] = {0, 1, 2};
  assert_int_equal(page.bytes.length, offset + sizeof points + sizeof corners);
  assert_memory_equal(page.bytes.text + offset, points, sizeof points);
  assert_memory_equal(page.bytes.text + offset + sizeof points, corners, sizeof corners);
  assert_int_equal(missing.count, 1);
  assert_string_equal(missing.first, "none.stl");
  json_free(json);
  lw_page_free(&page);
  lw_model_destroy(model);
  assert_int_equal(remove(robot_path), 0);
  assert_int_equal(remove(mesh_path), 0);
  assert_int_equal(remove(folder), 0);
}

static void snakes_are_lists_of_links(void** state)
{
  (void)state;
  lwSnake* snake = random_snake(3, 4, 0.2);
  lwPageData page;
  page_begin(&page);
  lw_page_snake(&page.json, snake);
  Json* json        = page_json(&page);
  const Json* links = json_get(json, "snake");
  assert_int_equal(links->count, 4);
  for (int k = 0; k < 4; ++k)
  {
    const lwSnakeLink link = lw_snake_get(snake, k);
    assert_same(links->items[k].items[0].number, link.length);
    assert_same(links->items[k].items[1].number, link.wheel_offset);
    assert_same(links->items[k].items[2].number, link.mass);
    assert_same(links->items[k].items[3].number, link.inertia);
    assert_nan(links->items[k].items[6].number);  // no limit
  }
  json_free(json);
  lw_page_free(&page);
  lw_snake_destroy(snake);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shipped_robots),
      cmocka_unit_test(meshes_are_put_into_the_bytes),
      cmocka_unit_test(snakes_are_lists_of_links),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
