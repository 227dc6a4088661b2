// SPDX-License-Identifier: MIT
// linkwork new KIND: a commented file to begin with, or a project of a controller. templates/ has
// them.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "first/first.h"
#include "linkwork/generate.h"

// What each kind is: files of templates/, and those that the first one names.
static const struct
{
  const char *kind, *files;
} KINDS[] = {{"robot", "robot.yaml"},
             {"scenario", "scenario.yaml robot.yaml"},
             {"study", "study.yaml scenario.yaml robot.yaml"},
             {"cycle", "cycle.yaml robot.yaml"},
             {"controller", "controller/CMakeLists.txt controller/allocations.c "
                            "controller/allocations.h controller/control.c controller/control.h "
                            "controller/main.c controller/plant.c controller/plant.h "
                            "controller/test_control.c"}};

enum
{
  KIND_COUNT = sizeof KINDS / sizeof *KINDS,
  MOST_FILES = 16
};

typedef struct NewFiles
{
  const char *paths[MOST_FILES], *texts[MOST_FILES];
  size_t lengths[MOST_FILES];
  int count;
} NewFiles;

static void add_file(NewFiles* files, const char* path, const char* text, size_t length)
{
  files->paths[files->count]     = path;
  files->texts[files->count]     = text;
  files->lengths[files->count++] = length;
}

// Those of a list of templates. A file that only another one names stays as it is.
static void add_templates(NewFiles* files, const char* list)
{
  char root[PATH_MAX], path[PATH_MAX + 100];
  find_root(root);
  for (const char* name = list; *name; name += strcspn(name, " "), name += *name == ' ')
  {
    char* own = allocate(strcspn(name, " ") + 1, 1);
    memcpy(own, name, strcspn(name, " "));
    if (name > list && strchr(own, '/') == NULL && access(own, F_OK) == 0) continue;
    snprintf(path, sizeof path, "%stemplates/%s", root, own);
    size_t length;
    const char* text = (char*)file_bytes(path, &length);
    add_file(files, own, text, length);
  }
}

// --- controllers

// arm.h: what the sources of a controller know about the robot beside its equations.
static const char* arm_header(const lwModel* model)
{
  lwOut* out = hold_file();
  int n      = lw_model_dof(model);
  lw_out_format(out, "/* %s: made by linkwork new controller. SI units and radians. */\n",
                lw_model_name(model));
  lw_out_format(out, "#ifndef ARM_H_\n#define ARM_H_\n\nenum\n{\n  ARM_JOINTS = %d\n};\n", n);
  static const char* const names[] = {"ARM_EFFORT", "ARM_START", "ARM_SHARE"};
  static const char* const about[] = {"limits of the drives, N m or N", "where a motion begins",
                                      "how far a joint moves: its range, at most 1"};
  for (int i = 0; i < 3; ++i)
  {
    lw_out_format(out, "\n/* (ARM_JOINTS) %s */\nstatic const double %s[] = {", about[i], names[i]);
    for (int k = 0; k < n; ++k)
    {
      const lwLimits* limits = &lw_model_joint_def(model, k)->limits;
      double middle = (limits->lower + limits->upper) / 2, range = limits->upper - limits->lower;
      double start          = middle > -1e9 && middle < 1e9 ? middle : 0;
      const double values[] = {limits->effort < 1e9 ? limits->effort : 1e9, start,
                               range < 1 ? range : 1};
      lw_out_format(out, k > 0 ? ", %.17g" : "%.17g", values[i]);
    }
    lw_out_text(out, "};\n");
  }
  lw_out_text(out, "\n#endif\n");
  file_flush(out);
  return out->text;
}

static void add_dynamics(const Options* options, NewFiles* files)
{
  char root[PATH_MAX], path[PATH_MAX + 40];
  const char* robot = options->value[OPTION_ROBOT];
  find_root(root);
  snprintf(path, sizeof path, "%stemplates/robot.yaml", root);
  if (!robot) robot = path;
  const lwModel* model   = robot_read(options, robot);
  lwGenerated* generated = NULL;
  lwGenerateDef def      = lw_generate_def();
  lwDiag* diag           = hold_messages();
  needs_plain_joints(model, robot, "a controller");
  if (lw_model_loop_count(model) > 0)
    stop(USAGE, "%s has closed loops, a controller is made for open arms", robot);
  def.questions   = "inverse,forward";
  def.file        = "dynamics";
  lwStatus status = lw_generate(model, &def, diag, &generated);
  hold_generated(generated);
  if (status != LW_OK)
    stop(status == LW_ERROR_INPUT ? USAGE : exit_of(status), "new: %s", first_error(diag, status));
  for (int i = 0; i < lw_generated_files(generated); ++i)
  {
    char name[40];
    snprintf(name, sizeof name, "controller/dynamics%s", lw_generated_suffix(generated, i));
    const char* text = lw_generated_text(generated, i);
    add_file(files, text_copy(name), text, strlen(text));
  }
  const char* header = arm_header(model);
  add_file(files, "controller/arm.h", header, strlen(header));
}

int cmd_new(const Options* options)
{
  NewFiles files  = {0};
  int kind        = 0;
  Nearest nearest = nearest_to(options->operand, strlen(options->operand));
  while (kind < KIND_COUNT && strcmp(KINDS[kind].kind, options->operand) != 0)
    nearest_offer(&nearest, KINDS[kind++].kind);
  if (kind == KIND_COUNT)
    stop(USAGE, "new: unknown kind '%s'; %s", options->operand,
         nearest_or(&nearest, "expected robot, scenario, study, cycle or controller"));
  bool controller = kind == KIND_COUNT - 1;
  if (options->value[OPTION_ROBOT] && !controller)
    stop(USAGE, "new: --robot is for 'new controller'; files name their robot by the key 'robot'");
  add_templates(&files, KINDS[kind].files);
  if (controller) add_dynamics(options, &files);
  for (int i = 0; i < files.count; ++i) is_there(files.paths[i], files.texts[i], files.lengths[i]);
  for (int i = 0; i < files.count; ++i)
    place_file(files.paths[i], files.texts[i], files.lengths[i]);
  lwOut* out = output(NULL);
  for (int i = 0; i < files.count; ++i) lw_out_format(out, "%s\n", files.paths[i]);
  return output_end(out, DONE);
}
