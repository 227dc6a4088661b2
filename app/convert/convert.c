// SPDX-License-Identifier: MIT
// linkwork convert: a robot file in another form.
//
//   IN --read--> description --lw_robot_express--> description --write--> text
//     --read--> proof --> OUT
#include <stdio.h>
#include <string.h>

#include "compare/same_robot.h"
#include "drives/drives.h"
#include "io/progress.h"
#include "linkwork/scenario.h"
#include "read/kind.h"
#include "read/mjcf/mjcf_run.h"
#include "report/page/link_shapes.h"
#include "report/robot/robot_text.h"

enum
{
  MAX_STATES  = 1000000,
  MAX_SEED    = 2147483647,
  LOSSES_TEXT = 100
};

typedef struct Conversion
{
  const Options* options;
  lwFormat format;
  lwRobotFormat file;
  lwPlacement form;
  lwModel* in;
  lwExpressed* expressed;
  unsigned dropped;  // of lwLoss, by --drop; then those that there were
  lwOut* lost;       // a line for each
  lwOut* text;       // of the new file
  lwModel* out;      // read back from it
  lwSameRobot proof;
} Conversion;

static const char* const FORMAT_NAMES[] = {"YAML", "URDF", "MJCF"};

// --- options

static void choose_form(Conversion* conversion)
{
  static const char* const forms[] = {"modified", "standard", NULL};
  const Options* options           = conversion->options;
  const char* out                  = options->second;
  bool yaml = text_ends_with(out, ".yaml") || text_ends_with(out, ".yml") || !strcmp(out, "-");
  bool urdf = text_ends_with(out, ".urdf"), mjcf = text_ends_with(out, ".xml");
  conversion->file = urdf   ? LW_ROBOT_FORMAT_URDF
                     : mjcf ? LW_ROBOT_FORMAT_MJCF
                            : LW_ROBOT_FORMAT_YAML;
  if (!yaml && !urdf && !mjcf)
    stop(USAGE,
         "convert: unknown format of '%s'; expected a name that ends with .yaml, .yml, .urdf or "
         ".xml (MJCF), or -",
         out);
  if (options->value[OPTION_DH] && !yaml)
    stop(USAGE, "--dh: %s has no Denavit-Hartenberg tables", FORMAT_NAMES[conversion->file]);
  int dh           = choice_of(options, OPTION_DH, forms, -1);
  conversion->form = dh < 0    ? LW_PLACEMENT_ORIGIN_AXIS
                     : dh == 0 ? LW_PLACEMENT_DH_MODIFIED
                               : LW_PLACEMENT_DH_STANDARD;
}

static void take_convert_options(Conversion* conversion)
{
  const Options* options               = conversion->options;
  const char* out                      = options->value[OPTION_OUT];
  const char* names[LW_LOSS_COUNT + 1] = {0};
  memcpy(names, LW_LOSS_NAMES, LW_LOSS_COUNT * sizeof *names);
  choose_form(conversion);
  conversion->dropped = set_of(options, OPTION_DROP, names, false);
  conversion->format  = format_of(options);
  conversion->proof =
      (lwSameRobot){.states = integer_of(options, OPTION_STATES, 1, MAX_STATES, 100),
                    .seed   = integer_of(options, OPTION_SEED, 0, MAX_SEED, 1)};
  if (!strcmp(options->second, "-") && (!out || !strcmp(out, "-")) && options->value[OPTION_FORMAT])
    stop(USAGE, "convert: OUT and the summary cannot both be on standard output");
}

// "loops,motors"
static void list_losses(unsigned lost, char text[LOSSES_TEXT])
{
  text[0] = 0;
  for (int k = 0; k < LW_LOSS_COUNT; ++k)
    if (lost >> k & 1) lw_text_append(text, LOSSES_TEXT, text[0] ? "," : "", LW_LOSS_NAMES[k]);
}

// --- the text

// The command line, as a comment.
static char* proof_heading(const Conversion* conversion)
{
  static const char format[] = "linkwork %s: linkwork convert %s %s%s%s";
  const Options* options     = conversion->options;
  const char *in = options->operand, *out = options->second, *dh = options->value[OPTION_DH];
  size_t size = sizeof format + strlen(lw_version()) + strlen(in) + strlen(out) + 32;
  char* text  = allocate(size, 1);
  snprintf(text, size, format, lw_version(), in, out, dh ? " --dh " : "", dh ? dh : "");
  lw_text_one_line(text);
  return text;
}

// Writes the new file into memory.
static void write_text(Conversion* conversion)
{
  const lwRobotDef* robot = lw_expressed_robot(conversion->expressed);
  const char** reasons    = allocate((size_t)robot->count, sizeof *reasons);
  for (int i = 0; i < robot->count; ++i) reasons[i] = lw_expressed_reason(conversion->expressed, i);
  lwRemarks remarks = {proof_heading(conversion), reasons};
  conversion->text  = hold_file();
  if (conversion->file == LW_ROBOT_FORMAT_URDF)
    lw_robot_write_urdf(conversion->text, robot, &remarks);
  else if (conversion->file == LW_ROBOT_FORMAT_MJCF)
    lw_robot_write_mjcf(conversion->text, robot, &remarks);
  else
    lw_robot_write_yaml(conversion->text, robot, &remarks);
  file_flush(conversion->text);
}

// --- reading back

// URDF has no gravity; the robot's own is used for both.
static lwStatus set_gravity(lwModel** model, const lwModelOptions* tolerate, const double g[3])
{
  lwRobotDef robot  = *lw_model_robot(*model);
  const double* own = robot.gravity;
  if (own[0] == g[0] && own[1] == g[1] && own[2] == g[2]) return LW_OK;
  memcpy(robot.gravity, g, sizeof robot.gravity);
  return lw_model_create(&robot, tolerate, NULL, model);
}

static void read_back(Conversion* conversion)
{
  lwDiag* diag            = hold_messages();
  lwModelOptions tolerate = robot_options_again(conversion->options);
  lwStatus status         = lw_robot_read_text(conversion->options->second, conversion->text->text,
                                               conversion->text->length, &tolerate, diag, &conversion->out);
  const lwModel* read     = hold_model(conversion->out);
  if (status == LW_OK && conversion->file == LW_ROBOT_FORMAT_URDF)
    status = set_gravity(&conversion->out, &tolerate, lw_model_robot(conversion->in)->gravity);
  if (conversion->out != read) hold_model(conversion->out);
  if (status == LW_OK) return;
  errors_print(diag);
  if (status == LW_ERROR_MEMORY) leave(no_memory());
  stop(NO, "convert: the new file could not be read back, so it is not written");
}

static void prove_conversion(Conversion* conversion)
{
  const lwRobotDef* robot = lw_expressed_robot(conversion->expressed);
  lwSameRobot* proof      = &conversion->proof;
  bool* keeps_frame       = allocate((size_t)robot->count, sizeof(bool));
  for (int i = 0; i < robot->count; ++i)
    keeps_frame[i] = lw_expressed_keeps_frame(conversion->expressed, i);
  proof->in          = conversion->in;
  proof->out         = conversion->out;
  proof->keeps_frame = keeps_frame;
  proof->written     = robot;
  proof->loops       = !(conversion->dropped >> LW_LOSS_LOOPS & 1);
  proof->motors      = !(conversion->dropped >> LW_LOSS_MOTORS & 1);
  proof->limits      = !(conversion->dropped >> LW_LOSS_LIMITS & 1);
  progress_wait("comparing %ld states", proof->states);
  lwStatus compared = lw_same_robot_run(proof);
  progress_clear();
  if (compared == LW_ERROR_INPUT) stop(NO, "convert: what would be written has %s", proof->message);
  need_ok(compared);
}

// --- messages

static void write_convert_notes(void* context, lwOut* out)
{
  const Conversion* conversion = context;
  const lwRobotDef* robot      = lw_expressed_robot(conversion->expressed);
  const char* line             = conversion->lost->text;
  if (!lw_model_is_serial(conversion->in) && conversion->form != LW_PLACEMENT_ORIGIN_AXIS)
    lw_out_text(out, "a tree has no single DH table: one for each branch, joined by parent\n");
  for (int i = 0; i < robot->count; ++i)
  {
    const char* reason = lw_expressed_reason(conversion->expressed, i);
    if (reason) lw_out_format(out, "added: fixed joint %s, %s\n", robot->joints[i].name, reason);
  }
  for (size_t length; line && *line; line += length + (line[length] != 0))
  {
    length = strcspn(line, "\n");
    lw_out_format(out, "not written as it is: %.*s\n", (int)length, line);
  }
  if (!conversion->proof.reordered) return;
  lw_out_text(out, "warning: a program that reads it numbers the joints in another order:");
  for (int i = 0; i < lw_model_dof(conversion->out); ++i)
    lw_out_format(out, "%s %s", i > 0 ? "," : "", joint_name(conversion->out, i));
  lw_out_text(out, "\n");
}

static const char COLUMNS[] = "quantity,worst,bound,absolute,state,ok";

static void proof_row(const void* context, int i, lwCell* cells)
{
  const Conversion* conversion = context;
  const lwSameRow* row         = &conversion->proof.rows[i];
  bool ok                      = row->worst <= conversion->proof.bound;
  bool table                   = conversion->format == LW_FORMAT_TABLE;
  cells[0]                     = lw_cell_text(LW_SAME_NAMES[i]);
  for (int k = 1; k < 6; ++k) cells[k] = lw_cell_text(NULL);
  if (row->left_out) return;
  cells[1] = lw_cell_number(row->worst);
  cells[2] = lw_cell_number(conversion->proof.bound);
  cells[3] = lw_cell_number(row->absolute);
  if (row->state > 0) cells[4] = lw_cell_number((double)row->state);
  cells[5] = table ? lw_cell_text(ok ? "ok" : "NO") : lw_cell_flag(ok);
}

static void write_convert_heading(const Conversion* conversion, lwOut* out)
{
  static const char* const forms[] = {"modified DH", "standard DH", "origin and axis"};
  const lwRobotDef* robot          = lw_expressed_robot(conversion->expressed);
  lw_out_format(out, "%s: %s%s%s, %d joints, %d of them moving, %d links in their old frames\n",
                lw_model_name(conversion->in),
                conversion->file == LW_ROBOT_FORMAT_YAML ? "" : FORMAT_NAMES[conversion->file],
                conversion->file == LW_ROBOT_FORMAT_YAML ? "" : ", ", forms[conversion->form],
                robot->count, lw_model_dof(conversion->in), conversion->proof.frames);
}

static void write_convert_verdict(const Conversion* conversion, lwOut* out, bool holds)
{
  char names[LOSSES_TEXT];
  const lwSameRobot* proof = &conversion->proof;
  list_losses(conversion->dropped, names);
  if (holds && conversion->dropped)
    lw_out_format(out, "dropped: %s; the rest agrees in %ld states of seed %ld; wrote %s\n", names,
                  proof->states, proof->seed, conversion->options->second);
  else if (holds)
    lw_out_format(out, "ok: the same robot in %ld states of seed %ld; wrote %s\n", proof->states,
                  proof->seed, conversion->options->second);
  else
    lw_out_format(out, "NO: not the same robot; did not write %s\n", conversion->options->second);
}

static bool has_solids(const lwPartsLink* link)
{
  for (int i = 0; i < link->count; ++i)
    if (lw_piece_is_solid(&link->pieces[i])) return true;
  return false;
}

// Links that take their mass from a parts file, which pages and drawings show by its solids.
static int links_of_parts(const lwRobotDef* robot)
{
  int count = 0;
  lwLinkShapes shapes;
  lw_link_shapes_open(&shapes, robot, NULL);
  for (int i = 0; i < robot->count; ++i)
  {
    const lwPartsLink* link = NULL;
    lwParts* parts          = lw_link_shapes_parts(&shapes, i, &link);
    count += parts && has_solids(link);
    lw_parts_destroy(parts);
  }
  lw_link_shapes_close(&shapes);
  return count;
}

static unsigned find_lost_parts(const Conversion* conversion)
{
  int links = links_of_parts(lw_model_robot(conversion->in));
  if (links == 0) return 0;
  lw_out_format(conversion->lost,
                "the shapes of %d link%s, from a parts file: convert writes masses only\n", links,
                links == 1 ? "" : "s");
  return 1u << LW_LOSS_SHAPES;
}

// Lines into conversion->lost. Refuses what --drop does not name.
static void find_losses(Conversion* conversion)
{
  char names[LOSSES_TEXT];
  const lwRobotDef* robot  = lw_expressed_robot(conversion->expressed);
  CylinderMotion cylinders = cylinders_open(conversion->options, conversion->in);
  conversion->lost         = hold_file();
  unsigned lost            = lw_robot_write_losses(conversion->lost, robot, conversion->file);
  if (cylinders.count > 0) lost |= 1u << LW_LOSS_CYLINDERS;
  if (cylinders.count > 0)
    lw_out_format(conversion->lost, "%d cylinder%s: convert writes none\n", cylinders.count,
                  cylinders.count == 1 ? "" : "s");
  lost |= find_lost_parts(conversion);
  file_flush(conversion->lost);
  unsigned refused    = lost & ~conversion->dropped;
  conversion->dropped = lost;
  if (!refused) return;
  notes_aside(write_convert_notes, conversion);
  list_losses(refused, names);
  stop(USAGE, "convert: %s would lose %s; '--drop %s' writes it all the same",
       conversion->options->second, names, names);
}

static int print_proof(Conversion* conversion)
{
  const Options* options = conversion->options;
  bool holds             = lw_same_robot_holds(&conversion->proof),
       table             = conversion->format == LW_FORMAT_TABLE;
  bool silent            = !strcmp(options->second, "-") && !options->value[OPTION_OUT];
  if (silent) notes_aside(write_convert_notes, conversion);
  if (silent && holds) return DONE;
  if (silent) stop(NO, "convert: not the same robot; nothing is written (--out FILE says more)");
  lwOut* out    = output_of(options);
  lwSheet sheet = {.columns = COLUMNS,
                   .rows    = LW_SAME_COUNT - conversion->proof.rows[LW_SAME_LOOPS].left_out,
                   .row     = proof_row,
                   .context = conversion};
  if (table) write_convert_heading(conversion, out);
  lw_sheet_write(out, conversion->format, &sheet);
  if (table) write_convert_notes(conversion, out);
  if (table) write_convert_verdict(conversion, out, holds);
  int status = output_end(out, holds ? DONE : NO);
  if (!table) notes_aside(write_convert_notes, conversion);
  return status;
}

// --- scenarios of MJCF files

// The robot as the scenario names it: without folders if both files are in one.
static const char* robot_of_scenario(const char* in, const char* out)
{
  const char *slash = strrchr(in, '/'), *other = strrchr(out, '/');
  size_t folder = slash ? (size_t)(slash - in) : 0, own = other ? (size_t)(other - out) : 0;
  if (folder == own && !strncmp(in, out, folder)) return slash ? slash + 1 : in;
  if (in[0] == '/' || !other) return in;
  stop(USAGE, "convert --scenario: give IN as an absolute path, or OUT in the same folder");
}

// Writes what drives the robot in the MJCF file, after reading it back.
static int convert_scenario(const Options* options)
{
  const char *in = options->operand, *out = options->second;
  lwModelOptions read  = robot_options(options);
  lwOut* text          = hold_file();
  lwDiag* diag         = hold_messages();
  lwScenario* scenario = NULL;
  if (lw_file_kind(in, LW_FILE_KIND_ROBOT).kind != LW_FILE_KIND_MJCF)
    stop(USAGE, "--scenario: '%s' is no MJCF file; what drives other robots is not in their files",
         in);
  if (!text_ends_with(out, ".yaml") && !text_ends_with(out, ".yml"))
    stop(USAGE, "--scenario: '%s' must end with .yaml or .yml", out);
  lwStatus status = lw_mjcf_scenario(in, robot_of_scenario(in, out), &read, diag, text);
  errors_print(diag);
  if (status != LW_OK) leave(exit_of(status));
  file_flush(text);
  status = lw_scenario_read_text(out, text->text, text->length, &read, diag, &scenario);
  hold_scenario(scenario);
  if (status != LW_OK) stop(exit_of(status), "%s: %s", out, first_error(diag, status));
  output_bytes(out, text->text, text->length);
  return DONE;
}

// --- the command

// Joints with several freedoms, and screws, are placed by an origin; URDF has two types of them.
static void check_types(const Conversion* conversion)
{
  const lwRobotDef* robot = lw_model_robot(conversion->in);
  for (int i = 0; i < robot->count; ++i)
  {
    lwJointType type = robot->joints[i].type;
    bool in_urdf     = type == LW_JOINT_FLOATING || type == LW_JOINT_PLANAR;
    bool dh          = conversion->form != LW_PLACEMENT_ORIGIN_AXIS;
    bool holds       = conversion->file == LW_ROBOT_FORMAT_YAML ||
                 (conversion->file == LW_ROBOT_FORMAT_URDF ? in_urdf : type <= LW_JOINT_FLOATING);
    if (type <= LW_JOINT_FIXED || (!dh && holds)) continue;
    stop(USAGE, "%s: joint '%s' is %s, which %s", conversion->options->operand,
         robot->joints[i].name, lw_joint_word(type),
         dh                                         ? "a Denavit-Hartenberg table cannot hold"
         : conversion->file == LW_ROBOT_FORMAT_URDF ? "URDF does not have"
                                                    : "MJCF does not have");
  }
}

static void check_mjcf(const Conversion* conversion)
{
  int joint;
  const lwRobotDef* robot = lw_expressed_robot(conversion->expressed);
  const char* why = conversion->file == LW_ROBOT_FORMAT_MJCF ? lw_mjcf_cannot(robot, &joint) : NULL;
  if (why)
    stop(USAGE, "%s: joint '%s' %s", conversion->options->operand, robot->joints[joint].name, why);
}

int cmd_convert(const Options* options)
{
  if (options->value[OPTION_SCENARIO]) return convert_scenario(options);
  Conversion conversion = {.options = options};
  take_convert_options(&conversion);
  conversion.in = robot_of(options);
  check_types(&conversion);
  need_ok(lw_robot_express(lw_model_robot(conversion.in), conversion.form, NULL,
                           &conversion.expressed));
  hold_expressed(conversion.expressed);
  check_mjcf(&conversion);
  find_losses(&conversion);
  write_text(&conversion);
  read_back(&conversion);
  prove_conversion(&conversion);
  if (lw_same_robot_holds(&conversion.proof))
    output_bytes(options->second, conversion.text->text, conversion.text->length);
  return print_proof(&conversion);
}
