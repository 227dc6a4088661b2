// SPDX-License-Identifier: MIT
// linkwork convert: a robot file in another form.
//
//   IN --read--> description --lw_robot_express--> description --write--> text
//     --read--> proof --> OUT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "check/check_command.h"
#include "compare/same_robot.h"
#include "drives/cylinders.h"
#include "io/program_text.h"
#include "io/progress.h"
#include "io/sheet.h"
#include "report/memory_file.h"
#include "report/robot/robot_text.h"

enum
{
  MAX_STATES = 1000000,
  MAX_SEED   = 2147483647
};

typedef struct Conversion
{
  const Options* options;
  Format format;
  bool urdf;
  lwPlacement form;
  lwModel* in;
  lwExpressed* expressed;
  lwMemoryFile text;  // of the new file
  lwModel* out;       // read back from it
  bool* keeps_frame;
  lwSameRobot proof;
} Conversion;

// --- options

static int choose_form(Conversion* conversion)
{
  const Options* options = conversion->options;
  const char* out        = options->second;
  const char* dh         = options->value[OPTION_DH];
  bool yaml = text_ends_with(out, ".yaml") || text_ends_with(out, ".yml") || !strcmp(out, "-");
  conversion->urdf = text_ends_with(out, ".urdf");
  conversion->form = LW_PLACEMENT_ORIGIN_AXIS;
  if (!yaml && !conversion->urdf)
    return fail(USAGE,
                "convert: unknown format of '%s'; expected a name that ends with .yaml, .yml "
                "or .urdf, or -",
                out);
  if (!dh) return DONE;
  if (conversion->urdf) return fail(USAGE, "--dh: URDF has no Denavit-Hartenberg tables");
  if (!strcmp(dh, "modified"))
    conversion->form = LW_PLACEMENT_DH_MODIFIED;
  else if (!strcmp(dh, "standard"))
    conversion->form = LW_PLACEMENT_DH_STANDARD;
  else
    return fail(USAGE, "--dh: '%s' is wrong, expected modified or standard", dh);
  return DONE;
}

static int take_convert_options(Conversion* conversion)
{
  const Options* options = conversion->options;
  lwSameRobot* proof     = &conversion->proof;
  *proof                 = (lwSameRobot){.states = 100, .seed = 1};
  int status             = choose_form(conversion);
  if (status == DONE) status = format_choose(options, &conversion->format);
  if (status == DONE) status = check_integer(options, OPTION_STATES, 1, MAX_STATES, &proof->states);
  if (status == DONE) status = check_integer(options, OPTION_SEED, 0, MAX_SEED, &proof->seed);
  const char* out = options->value[OPTION_OUT];
  if (status == DONE && !strcmp(options->second, "-") && (!out || !strcmp(out, "-")))
    return options->value[OPTION_FORMAT]
               ? fail(USAGE, "convert: OUT and the summary cannot both be on standard output")
               : DONE;
  return status;
}

// --- the text

// The command line, as a comment.
static char* proof_heading(const Conversion* conversion)
{
  static const char format[] = "linkwork %s: linkwork convert %s %s%s%s";
  const Options* options     = conversion->options;
  const char *in = options->operand, *out = options->second, *dh = options->value[OPTION_DH];
  size_t size = sizeof format + strlen(lw_version()) + strlen(in) + strlen(out) + 32;
  char* text  = malloc(size);
  if (!text) return NULL;
  snprintf(text, size, format, lw_version(), in, out, dh ? " --dh " : "", dh ? dh : "");
  text_one_line(text);
  return text;
}

// Writes the new file into memory.
static int write_text(Conversion* conversion)
{
  const lwRobotDef* robot = lw_expressed_robot(conversion->expressed);
  const char** reasons    = calloc((size_t)robot->count + 1, sizeof *reasons);
  char* top               = proof_heading(conversion);
  bool done               = lw_memory_file_open(&conversion->text) && reasons && top;
  for (int i = 0; i < robot->count && reasons; ++i)
    reasons[i] = lw_expressed_reason(conversion->expressed, i);
  lwRemarks remarks = {top, reasons};
  if (done && conversion->urdf)
    lw_robot_write_urdf(conversion->text.file, robot, &remarks);
  else if (done)
    lw_robot_write_yaml(conversion->text.file, robot, &remarks);
  done = done && lw_memory_file_flush(&conversion->text);
  free((void*)reasons);
  free(top);
  return done ? DONE : no_memory();
}

// --- reading back

// URDF has no gravity; the robot's own is used for both.
static lwStatus set_gravity(lwModel** model, const lwModelOptions* tolerate, const double g[3])
{
  lwRobotDef robot  = *lw_model_robot(*model);
  const double* own = robot.gravity;
  if (own[0] == g[0] && own[1] == g[1] && own[2] == g[2]) return LW_OK;
  memcpy(robot.gravity, g, sizeof robot.gravity);
  lwModel* other  = NULL;
  lwStatus status = lw_model_create(&robot, tolerate, NULL, &other);
  lw_model_destroy(*model);
  *model = other;
  return status;
}

static int read_back(Conversion* conversion)
{
  lwDiag* diag = lw_diag_create();
  if (!diag) return no_memory();
  lwModelOptions tolerate = robot_options_again(conversion->options);
  const char* name        = conversion->options->second;
  lwStatus status         = lw_robot_read_text(name, conversion->text.text, conversion->text.length,
                                               &tolerate, diag, &conversion->out);
  if (status == LW_OK && conversion->urdf)
    status = set_gravity(&conversion->out, &tolerate, lw_model_robot(conversion->in)->gravity);
  if (status != LW_OK) errors_print(diag);
  lw_diag_destroy(diag);
  if (status == LW_OK) return DONE;
  if (status == LW_ERROR_MEMORY) return no_memory();
  return fail(NO, "convert: the new file could not be read back, so it is not written");
}

static int prove_conversion(Conversion* conversion)
{
  const lwRobotDef* robot = lw_expressed_robot(conversion->expressed);
  lwSameRobot* proof      = &conversion->proof;
  conversion->keeps_frame = calloc((size_t)robot->count + 1, sizeof(bool));
  if (!conversion->keeps_frame) return no_memory();
  for (int i = 0; i < robot->count; ++i)
    conversion->keeps_frame[i] = lw_expressed_keeps_frame(conversion->expressed, i);
  proof->in          = conversion->in;
  proof->out         = conversion->out;
  proof->keeps_frame = conversion->keeps_frame;
  proof->written     = robot;
  progress_wait("comparing %ld states", proof->states);
  lwStatus compared = lw_same_robot_run(proof);
  progress_clear();
  if (compared == LW_OK) return DONE;
  if (compared == LW_ERROR_INPUT)
    return fail(NO, "convert: what would be written has %s", proof->message);
  return fail(INPUT, "%s", lw_status_text(compared));
}

// --- messages

static void write_added(const Conversion* conversion, Out* out)
{
  const lwRobotDef* robot = lw_expressed_robot(conversion->expressed);
  for (int i = 0; i < robot->count; ++i)
  {
    const char* reason = lw_expressed_reason(conversion->expressed, i);
    if (reason) out_format(out, "added: fixed joint %s, %s\n", robot->joints[i].name, reason);
  }
}

// One line for everything that the form of OUT does not hold.
static void write_losses(const Conversion* conversion, Out* out)
{
  lwMemoryFile lines;
  bool opened = lw_memory_file_open(&lines);
  if (opened)
    lw_robot_write_losses(lines.file, lw_expressed_robot(conversion->expressed), conversion->urdf);
  if (!opened || !lw_memory_file_flush(&lines)) out->error = ENOMEM;
  for (char* line = out->error ? NULL : strtok(lines.text, "\n"); line; line = strtok(NULL, "\n"))
    out_format(out, "warning: not written as it is: %s\n", line);
  lw_memory_file_free(&lines);
  CylinderMotion cylinders;
  if (cylinders_open(&cylinders, conversion->options, conversion->in) == DONE &&
      cylinders.count > 0)
    out_format(out, "warning: not written: cylinders, %d of them\n", cylinders.count);
  cylinders_close(&cylinders);
}

static void write_convert_notes(const Conversion* conversion, Out* out)
{
  bool tree = !lw_model_is_serial(conversion->in);
  if (tree && conversion->form != LW_PLACEMENT_ORIGIN_AXIS)
    out_text(out, "a tree has no single DH table: one for each branch, joined by parent\n");
  write_added(conversion, out);
  write_losses(conversion, out);
  if (conversion->proof.reordered)
  {
    out_text(out, "warning: a program that reads it numbers the joints in another order:");
    for (int i = 0; i < lw_model_dof(conversion->out); ++i)
      out_format(out, "%s %s", i > 0 ? "," : "", joint_name(conversion->out, i));
    out_text(out, "\n");
  }
}

static const SheetColumn COLUMNS[] = {{"quantity", NULL, NULL}, {"worst", NULL, NULL},
                                      {"bound", NULL, NULL},    {"absolute", NULL, NULL},
                                      {"state", NULL, NULL},    {"ok", NULL, NULL}};

static void proof_row(const void* context, int i, Cell* cells)
{
  const Conversion* conversion = context;
  const lwSameRow* row         = &conversion->proof.rows[i];
  bool ok                      = row->worst <= conversion->proof.bound;
  bool table                   = conversion->format == FORMAT_TABLE;
  cells[0]                     = cell_text(LW_SAME_NAMES[i]);
  for (int k = 1; k < 6; ++k) cells[k] = cell_text(NULL);
  if (row->left_out) return;
  cells[1] = cell_number(row->worst);
  cells[2] = cell_number(conversion->proof.bound);
  cells[3] = cell_number(row->absolute);
  if (row->state > 0) cells[4] = cell_number((double)row->state);
  cells[5] = table ? cell_text(ok ? "ok" : "NO") : cell_flag(ok);
}

static void write_convert_heading(const Conversion* conversion, Out* out)
{
  static const char* const forms[] = {"modified DH", "standard DH", "origin and axis"};
  const lwRobotDef* robot          = lw_expressed_robot(conversion->expressed);
  out_format(out, "%s: %s%s, %d joints, %d of them moving, %d links in their old frames\n",
             lw_model_name(conversion->in), conversion->urdf ? "URDF, " : "",
             forms[conversion->form], robot->count, lw_model_dof(conversion->in),
             conversion->proof.frames);
}

static void write_convert_verdict(const Conversion* conversion, Out* out, bool holds)
{
  if (holds)
    out_format(out, "ok: the same robot in %ld states of seed %ld; wrote %s\n",
               conversion->proof.states, conversion->proof.seed, conversion->options->second);
  else
    out_format(out, "NO: not the same robot; did not write %s\n", conversion->options->second);
}

// Where programs read the table, people read the notes on standard error.
static void write_aside(const Conversion* conversion)
{
  Out aside = {.file = dup(STDERR_FILENO), .name = "standard error"};
  write_convert_notes(conversion, &aside);
  out_close(&aside, DONE, true);
}

static int print_proof(Conversion* conversion)
{
  const Options* options = conversion->options;
  bool holds = lw_same_robot_holds(&conversion->proof), table = conversion->format == FORMAT_TABLE;
  bool silent = !strcmp(options->second, "-") && !options->value[OPTION_OUT];
  if (silent) write_aside(conversion);
  if (silent && holds) return DONE;
  if (silent)
    return fail(NO, "convert: not the same robot; nothing is written (--out FILE says more)");
  Out out;
  int status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  Sheet sheet = {.columns = sizeof COLUMNS / sizeof COLUMNS[0],
                 .column  = COLUMNS,
                 .rows    = LW_SAME_COUNT,
                 .row     = proof_row,
                 .context = conversion};
  if (table) write_convert_heading(conversion, &out);
  sheet_write(&out, conversion->format, &sheet);
  if (table) write_convert_notes(conversion, &out);
  if (table) write_convert_verdict(conversion, &out, holds);
  status = out_close(&out, holds ? DONE : NO, true);
  if (!table) write_aside(conversion);
  return status;
}

// --- the command

static int write_robot_file(const Conversion* conversion)
{
  Out out;
  int status = out_open(&out, conversion->options->second);
  if (status != DONE) return status;
  out_bytes(&out, conversion->text.text, conversion->text.length);
  return out_close(&out, DONE, false);
}

// Joints with several freedoms, and screws, are placed by an origin; URDF has two types of them.
static int check_types(const Conversion* conversion)
{
  const lwRobotDef* robot = lw_model_robot(conversion->in);
  for (int i = 0; i < robot->count; ++i)
  {
    lwJointType type = robot->joints[i].type;
    bool in_urdf     = type == LW_JOINT_FLOATING || type == LW_JOINT_PLANAR;
    bool dh          = conversion->form != LW_PLACEMENT_ORIGIN_AXIS;
    if (type <= LW_JOINT_FIXED || (!dh && (in_urdf || !conversion->urdf))) continue;
    return fail(INPUT, "%s: joint '%s' is %s, which %s", conversion->options->operand,
                robot->joints[i].name, lw_joint_word(type),
                dh ? "a Denavit-Hartenberg table cannot hold" : "URDF does not have");
  }
  return DONE;
}

static int convert_robot(Conversion* conversion)
{
  int status = take_convert_options(conversion);
  if (status == DONE)
    status = robot_load(conversion->options, conversion->options->operand, &conversion->in);
  if (status == DONE) status = check_types(conversion);
  if (status != DONE) return status;
  lwStatus made = lw_robot_express(lw_model_robot(conversion->in), conversion->form, NULL,
                                   &conversion->expressed);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  status = write_text(conversion);
  if (status == DONE) status = read_back(conversion);
  if (status == DONE) status = prove_conversion(conversion);
  if (status == DONE && lw_same_robot_holds(&conversion->proof))
    status = write_robot_file(conversion);
  return status == DONE ? print_proof(conversion) : status;
}

int cmd_convert(const Command* command, const Options* options)
{
  (void)command;
  Conversion conversion = {.options = options};
  int status            = convert_robot(&conversion);
  lw_model_destroy(conversion.in);
  lw_model_destroy(conversion.out);
  lw_expressed_destroy(conversion.expressed);
  lw_memory_file_free(&conversion.text);
  free(conversion.keeps_frame);
  return status;
}
