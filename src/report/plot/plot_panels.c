// SPDX-License-Identifier: MIT
#include "report/plot/plot_panels.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/plot/plot_table.h"

enum
{
  MOST_IN_PANEL = 8,   // joints of one panel: there are as many colours
  FEW_IN_PANEL  = 4,   // branches of fewer joints share one
  MOST_JOINTS   = 48,  // in a picture
  MAX_JOINT     = 9999
};

// What columns are, by the name of their group, and their units. A quantity of joints has a unit
// for those that turn and one for those that slide.
typedef struct PlotQuantity
{
  const char *group, *text, *unit, *sliding;
} PlotQuantity;

static const PlotQuantity QUANTITIES[] = {{"t", "t", "s", NULL},
                                          {"q", "position q", "rad", "m"},
                                          {"qd", "velocity qd", "rad/s", "m/s"},
                                          {"qdd", "acceleration qdd", "rad/s^2", "m/s^2"},
                                          {"q_ref", "reference q_ref", "rad", "m"},
                                          {"qd_ref", "reference qd_ref", "rad/s", "m/s"},
                                          {"q_err", "tracking error q_ref - q", "rad", "m"},
                                          {"tau", "torque tau", "N m", "N"},
                                          {"v", "voltage v", "V", "V"},
                                          {"i", "current i", "A", "A"},
                                          {"kinetic", "kinetic energy", "J", NULL},
                                          {"potential", "potential energy", "J", NULL},
                                          {"work", "work", "J", NULL},
                                          {"S", "energy error S - S(0)", "J", NULL},
                                          {"theta", "direction theta", "rad", "rad"},
                                          {"T", "torque T", "N m", "N m"},
                                          {"u", "speed u", "m/s", "m/s"},
                                          {"power", "power", "W", "W"},
                                          {"rfx", "force rfx", "N", "N"},
                                          {"rfy", "force rfy", "N", "N"},
                                          {"rfz", "force rfz", "N", "N"},
                                          {"rnx", "moment rnx", "N m", "N m"},
                                          {"rny", "moment rny", "N m", "N m"},
                                          {"rnz", "moment rnz", "N m", "N m"},
                                          {"x", "x", "m", NULL},
                                          {"y", "y", "m", NULL},
                                          {"z", "z", "m", NULL},
                                          {"roll", "roll", "rad", NULL},
                                          {"pitch", "pitch", "rad", NULL},
                                          {"yaw", "yaw", "rad", NULL}};

lwPlotFault lw_plot_refuse(char message[LW_PLOT_MESSAGE], lwPlotFault fault, const char* format,
                           ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, LW_PLOT_MESSAGE, format, arguments);
  va_end(arguments);
  return fault;
}

// --- columns

// The length of "q" in "q12" and in "q.waist".
static size_t group_length(const char* name)
{
  size_t length = strcspn(name, ".");
  if (name[length]) return length;
  while (length > 1 && strchr("0123456789", name[length - 1])) --length;
  return length;
}

static const PlotQuantity* quantity_of(const char* name)
{
  size_t length = group_length(name);
  for (size_t i = 0; i < sizeof QUANTITIES / sizeof *QUANTITIES; ++i)
    if (strlen(QUANTITIES[i].group) == length && !strncmp(QUANTITIES[i].group, name, length))
      return &QUANTITIES[i];
  return NULL;
}

bool lw_plot_column_is_difference(const char* name)
{
  return !strcmp(name, "S");
}

static size_t find_column(const lwPlotTable* table, const char* name)
{
  for (size_t c = 0; c < table->columns; ++c)
    if (!strcmp(table->names[c], name)) return c;
  return LW_PLOT_NO_COLUMN;
}

// The column of the same joint in another group: "q_ref.waist" of "q.waist".
static size_t companion(const lwPlotTable* table, size_t c, const char* group)
{
  char name[512];
  const char* column = table->names[c];
  snprintf(name, sizeof name, "%s%s", group, column + group_length(column));
  return find_column(table, name);
}

static const char* name_of_joint(const lwModel* model, int k)
{
  return lw_model_velocity(model, k).name;
}

// How many columns of its group stand before it.
static int place_in_group(const lwPlotTable* table, size_t c)
{
  int place     = 0;
  size_t length = group_length(table->names[c]);
  for (size_t i = 0; i < c; ++i)
    place += group_length(table->names[i]) == length &&
             !strncmp(table->names[i], table->names[c], length);
  return place;
}

// Joints of columns q1, q2, .. have numbers, those of q.waist, .. are found by their names, in the
// robot or among the positions.
static int joint_of_plotted(const lwPlotTable* table, size_t c)
{
  const char* name             = table->names[c];
  const PlotQuantity* quantity = quantity_of(name);
  const char* rest             = name + group_length(name);
  if (!*rest || (quantity && !quantity->sliding)) return -1;
  if (*rest != '.') return strlen(rest) < 5 ? atoi(rest) - 1 : MAX_JOINT;
  for (int k = 0; table->model && k < lw_model_dof(table->model); ++k)
    if (!strcmp(rest + 1, name_of_joint(table->model, k))) return k;
  size_t position = companion(table, c, "q");
  return place_in_group(table, position == LW_PLOT_NO_COLUMN ? c : position);
}

static bool is_known_joint(const lwPlotTable* table, int joint)
{
  return table->model && joint >= 0 && joint < lw_model_dof(table->model);
}

static const char* unit_of_plotted(const lwPlotTable* table, size_t c)
{
  static const char* const either[][2] = {{"rad", "rad or m"},
                                          {"rad/s", "rad/s or m/s"},
                                          {"rad/s^2", "rad/s^2 or m/s^2"},
                                          {"N m", "N m or N"}};
  const PlotQuantity* quantity         = quantity_of(table->names[c]);
  int joint                            = joint_of_plotted(table, c);
  if (!quantity) return "";
  if (!strcmp(table->names[c], "u2")) return "rad/s";  // u1 of a snake is along its first link
  if (!quantity->sliding || !strcmp(quantity->unit, quantity->sliding)) return quantity->unit;
  if (is_known_joint(table, joint))
    return lw_model_velocity(table->model, joint).slides ? quantity->sliding : quantity->unit;
  for (size_t i = 0; i < sizeof either / sizeof *either; ++i)
    if (!strcmp(quantity->unit, either[i][0])) return either[i][1];
  return quantity->unit;
}

// Limits of what is drawn of a joint.
static void take_curve_limits(const lwPlotTable* table, lwPlotCurve* curve)
{
  curve->low = -INFINITY, curve->high = INFINITY;
  const PlotQuantity* quantity = quantity_of(table->names[curve->column]);
  if (!quantity || !is_known_joint(table, curve->joint)) return;
  const lwJointDef* joint = lw_model_joint_def(table->model, curve->joint);
  const lwLimits* limits  = &joint->limits;
  if (!strcmp(quantity->group, "q")) curve->low = limits->lower, curve->high = limits->upper;
  if (!strcmp(quantity->group, "qd")) curve->high = limits->velocity;
  if (!strcmp(quantity->group, "tau")) curve->high = limits->effort;
  if (strcmp(quantity->group, "q") != 0) curve->low = -curve->high;
}

static lwPlotCurve make_curve(const lwPlotTable* table, size_t c)
{
  char reference[64];
  const PlotQuantity* quantity = quantity_of(table->names[c]);
  lwPlotCurve curve            = {.column    = c,
                                  .reference = LW_PLOT_NO_COLUMN,
                                  .joint     = joint_of_plotted(table, c),
                                  .unit      = unit_of_plotted(table, c),
                                  .name      = table->labels[c]};
  if (!curve.name)
    curve.name = is_known_joint(table, curve.joint) ? name_of_joint(table->model, curve.joint)
                                                    : table->names[c];
  if (quantity && curve.joint >= 0)
  {
    snprintf(reference, sizeof reference, "%s_ref", quantity->group);
    curve.reference = companion(table, c, reference);
  }
  take_curve_limits(table, &curve);
  return curve;
}

// tau of a joint that slides is a force.
static const char* text_of(const PlotQuantity* quantity, const char* unit)
{
  bool slides = !strcmp(quantity->group, "tau") && !strcmp(unit, "N");
  return slides ? "force tau" : quantity->text;
}

static void put_label(char label[LW_PLOT_PANEL_LABEL], const char* text, const char* unit)
{
  snprintf(label, LW_PLOT_PANEL_LABEL, *unit ? "%s (%s)" : "%s", text, unit);
}

void lw_plot_column_label(const lwPlotTable* table, size_t c, char label[LW_PLOT_PANEL_LABEL])
{
  const char* name             = table->names[c];
  const PlotQuantity* quantity = quantity_of(name);
  int joint                    = joint_of_plotted(table, c);
  const char* unit             = unit_of_plotted(table, c);
  char text[LW_PLOT_PANEL_LABEL];
  if (!quantity)
    snprintf(text, sizeof text, "%s", name);
  else if (is_known_joint(table, joint))
    snprintf(text, sizeof text, "%s of %s", text_of(quantity, unit),
             name_of_joint(table->model, joint));
  else
    snprintf(text, sizeof text, "%s%s", quantity->text, name + group_length(name));
  put_label(label, text, unit);
}

// --- rows of joints

// The moving joint that carries moving joint k, or -1.
static int carrier(const lwModel* model, int k)
{
  const lwRobotDef* robot = lw_model_robot(model);
  int parent              = robot->joints[lw_model_joint(model, k)].parent;
  while (parent != LW_BASE)
  {
    for (int i = 0; i < k; ++i)
      if (lw_model_joint(model, i) == parent) return i;
    parent = robot->joints[parent].parent;
  }
  return -1;
}

// Whether joint k is the only one mounted on the joint before. Without a robot this is assumed.
static bool goes_on(const lwPlotTable* table, int k)
{
  if (!is_known_joint(table, k)) return true;
  bool only = carrier(table->model, k) == k - 1;
  for (int i = k + 1; i < lw_model_dof(table->model) && only; ++i)
    only = carrier(table->model, i) != k - 1;
  return only;
}

// row[k] of each joint: a branch has a row, a long one several,
// and short ones that follow each other share one.
static int find_rows(const lwPlotTable* table, int n, int row[MOST_JOINTS])
{
  int rows = 0, used = 0;  // joints of the last row
  for (int first = 0, end = 0; first < n; first = end)
  {
    // The end of the branch that begins with joint k, up to where it forks.
    end = first + 1;
    while (end < n && goes_on(table, end)) ++end;
    int count = end - first, parts = (count + MOST_IN_PANEL - 1) / MOST_IN_PANEL;
    bool joins = rows > 0 && count + used <= FEW_IN_PANEL;
    int begin  = joins ? rows - 1 : rows;
    for (int i = 0; i < count; ++i) row[first + i] = begin + i * parts / count;
    rows = begin + parts;
    used = joins ? used + count : count;
  }
  return rows;
}

// --- panels

static bool is_in_groups(const char* name, const char* text, const char* end)
{
  while (text <= end)
  {
    size_t part = strcspn(text, "+,");
    if (lw_plot_column_is_in(name, text, part)) return true;
    text += part + 1;
  }
  return false;
}

// What the curves of a panel have in common: the quantity, or the names of the columns.
static void name_panel(const lwPlotTable* table, const lwPlotPanels* panels, lwPlotPanel* panel)
{
  const lwPlotCurve* curves      = panels->curve + panel->first;
  const PlotQuantity* quantity   = quantity_of(table->names[curves->column]);
  char text[LW_PLOT_PANEL_LABEL] = "";
  bool same                      = quantity != NULL;
  for (int i = 1; i < panel->count; ++i)
    same = same && quantity_of(table->names[curves[i].column]) == quantity;
  if (panel->count == 1)
    lw_plot_column_label(table, curves->column, panel->label);
  else if (same)
    put_label(panel->label, text_of(quantity, curves->unit), curves->unit);
  else
  {
    for (int i = 0; i < panel->count; ++i)
    {
      const char* name = table->names[curves[i].column];
      size_t length = group_length(name), used = strlen(text);
      if (i > 0 && lw_plot_column_is_in(table->names[curves[i - 1].column], name, length)) continue;
      snprintf(text + used, sizeof text - used, "%s%.*s", used ? ", " : "", (int)length, name);
    }
    put_label(panel->label, text, curves->unit);
  }
}

// The curves of a group that have this unit and, in a grid, stand in this row.
// False: too many panels.
static bool add_panel(const lwPlotTable* table, lwPlotPanels* panels, const lwPlotCurve* of_group,
                      int count, const lwPlotPanel* like)
{
  lwPlotPanel* panel = &panels->panel[panels->count];
  if (panels->count == LW_PLOT_MAX_PANELS) return false;
  *panel       = *like;
  panel->first = panels->curve_count;
  for (int i = 0; i < count && panels->curve_count < LW_PLOT_MAX_CURVES; ++i)
    panels->curve[panels->curve_count++] = of_group[i];
  panel->count = panels->curve_count - panel->first;
  if (panel->count == 0) return true;
  name_panel(table, panels, panel);
  ++panels->count;
  return true;
}

// A panel for each row of joints that has curves; like->row: where curves of no joint go.
static bool add_panel_rows(const lwPlotTable* table, lwPlotPanels* panels,
                           const lwPlotCurve* curves, int count, lwPlotPanel like,
                           const int row[MOST_JOINTS])
{
  lwPlotCurve some[LW_PLOT_MAX_CURVES];
  int rest  = like.row;
  bool fits = true;
  for (int r = 0; r <= rest && fits; ++r)
  {
    int found = 0;
    for (int i = 0; i < count; ++i)
    {
      int joint = curves[i].joint;
      if (joint >= MOST_JOINTS) continue;
      if ((joint < 0 ? rest : row[joint]) != r) continue;
      some[found]        = curves[i];
      some[found].colour = found;
      ++found;
    }
    like.row = r;
    fits     = add_panel(table, panels, some, found, &like);
  }
  return fits;
}

// --- the picture

typedef struct Layout
{
  int row[MOST_JOINTS];  // of each joint
  int rows;              // of joints; further panels stand below
  int places;            // used by joints, and by others in the last row
  int others;
} Layout;

// The curves of one unit among those of a group.
static bool add_unit(const lwPlotTable* table, lwPlotPanels* panels, Layout* layout,
                     const lwPlotCurve* curves, int count)
{
  lwPlotPanel like = {.row = layout->rows};
  bool joints      = curves->joint >= 0;
  if (!panels->dense)
  {
    like.row = panels->count;
    return add_panel(table, panels, curves, count, &like);
  }
  like.place = joints ? layout->places++ : layout->others++;
  return add_panel_rows(table, panels, curves, count, like, layout->row);
}

// "kinetic+potential": one panel for each unit.
static bool add_group(const lwPlotTable* table, lwPlotPanels* panels, Layout* layout,
                      const char* text, size_t length)
{
  lwPlotCurve all[LW_PLOT_MAX_CURVES], some[LW_PLOT_MAX_CURVES];
  int count = 0;
  bool fits = true;
  for (size_t c = 0; c < table->columns && count < LW_PLOT_MAX_CURVES; ++c)
    if (is_in_groups(table->names[c], text, text + length)) all[count++] = make_curve(table, c);
  for (int i = 0; i < count && fits; ++i)
  {
    int same = 0;
    if (!all[i].unit) continue;  // drawn
    for (int j = i; j < count; ++j)
      if (all[j].unit && (j == i || !strcmp(all[j].unit, all[i].unit)))
      {
        some[same]        = all[j];
        some[same].colour = all[j].joint >= 0 ? all[j].joint : same;
        ++same;
        if (j > i) all[j].unit = NULL;
      }
    fits = add_unit(table, panels, layout, some, same);
  }
  return fits;
}

// How many joints the requested columns have; *end: one more than the largest of their numbers.
static int count_joints(const lwPlotTable* table, const char* groups, int* end)
{
  bool seen[MAX_JOINT + 1] = {false};
  int count                = 0;
  *end                     = 0;
  for (size_t c = 0; c < table->columns; ++c)
  {
    if (!is_in_groups(table->names[c], groups, groups + strlen(groups))) continue;
    int joint = joint_of_plotted(table, c);
    if (joint < 0 || joint > MAX_JOINT || seen[joint]) continue;
    seen[joint] = true;
    ++count;
    if (joint >= *end) *end = joint + 1;
  }
  return count;
}

static void begin_layout(const lwPlotTable* table, const char* groups, lwPlotPanels* panels,
                         Layout* layout)
{
  int end;
  panels->dense = count_joints(table, groups, &end) > MOST_IN_PANEL;
  if (!panels->dense) return;
  if (end > MOST_JOINTS) panels->left_out = end - MOST_JOINTS;
  layout->rows = find_rows(table, end - panels->left_out, layout->row);
}

// Rows and places without panels go.
static void close_gaps(lwPlotPanels* panels)
{
  int row[LW_PLOT_MAX_ROWS] = {0}, place[LW_PLOT_MAX_ROWS] = {0};
  for (int p = 0; p < panels->count; ++p)
    row[panels->panel[p].row] = place[panels->panel[p].place] = 1;
  for (int i = 0; i < LW_PLOT_MAX_ROWS; ++i)
  {
    row[i]   = row[i] ? panels->rows++ : -1;
    place[i] = place[i] ? panels->places++ : -1;
  }
  for (int p = 0; p < panels->count; ++p)
  {
    panels->panel[p].row   = row[panels->panel[p].row];
    panels->panel[p].place = place[panels->panel[p].place];
  }
}

// Up to a millionth of the kinetic energy, S only says that the integration is right,
// as does the audit.
static bool error_counts(const lwPlotTable* table)
{
  size_t S = find_column(table, "S"), kinetic = find_column(table, "kinetic");
  double most = 0, scale = 0;
  if (S == LW_PLOT_NO_COLUMN || kinetic == LW_PLOT_NO_COLUMN) return true;
  for (size_t i = 0; i < table->rows; ++i)
  {
    const double* row = table->values + i * table->columns;
    most              = fmax(most, fabs(row[S] - table->values[S]));
    scale             = fmax(scale, fabs(row[kinetic]));
  }
  return most > 1e-6 * scale;
}

lwPlotFault lw_plot_panels_find(const lwPlotTable* table, const char* groups, bool optional,
                                lwPlotPanels* panels, char message[LW_PLOT_MESSAGE])
{
  Layout layout = {0};
  bool fits     = true;
  *panels       = (lwPlotPanels){0};
  if (!optional && lw_plot_groups_check(table->names, table->columns, groups, message))
    return LW_PLOT_FAULT_GROUPS;
  begin_layout(table, groups, panels, &layout);
  for (const char* text = groups; fits;)
  {
    size_t length = strcspn(text, ",");
    bool says     = !optional || length != 1 || *text != 'S' || error_counts(table);
    if (says) fits = add_group(table, panels, &layout, text, length);
    if (!text[length]) break;
    text += length + 1;
  }
  close_gaps(panels);
  if (!fits)
    return lw_plot_refuse(message, LW_PLOT_FAULT_GROUPS, "more panels than a picture has room for");
  return panels->count == 0 ? lw_plot_refuse(message, LW_PLOT_FAULT_GROUPS, "nothing to draw")
                            : LW_PLOT_FAULT_NONE;
}

// --- the table

lwStatus lw_plot_table_create(lwPlotTable* table, size_t columns)
{
  *table        = (lwPlotTable){.columns = columns, .stride = 1};
  table->names  = calloc(columns + 1, sizeof *table->names);
  table->labels = calloc(columns + 1, sizeof *table->labels);
  table->values = calloc(LW_PLOT_ROWS * (columns + 1), sizeof *table->values);
  return table->names && table->labels && table->values ? LW_OK : LW_ERROR_MEMORY;
}

void lw_plot_table_destroy(lwPlotTable* table)
{
  for (size_t c = 0; c < table->columns; ++c)
  {
    if (table->names) free(table->names[c]);
    if (table->labels) free(table->labels[c]);
  }
  free(table->names);
  free(table->labels);
  free(table->values);
}

bool lw_plot_table_name(lwPlotTable* table, size_t c, const char* name, const char* label)
{
  table->names[c]  = strdup(name);
  table->labels[c] = label ? strdup(label) : NULL;
  return table->names[c] && (!label || table->labels[c]);
}

void lw_plot_table_add(lwPlotTable* table, const double* values)
{
  if (!table->values) return;
  if (table->rows > 0 && ++table->skipped < table->stride) return;
  table->skipped = 0;
  // Every second row goes.
  if (table->rows == LW_PLOT_ROWS)
  {
    size_t bytes = table->columns * sizeof *table->values;
    for (size_t i = 1; 2 * i < table->rows; ++i)
      memcpy(table->values + i * table->columns, table->values + 2 * i * table->columns, bytes);
    table->rows = (table->rows + 1) / 2;
    table->stride *= 2;
  }
  memcpy(table->values + table->rows++ * table->columns, values,
         table->columns * sizeof *table->values);
}

// --- groups

bool lw_plot_column_is_in(const char* column, const char* group, size_t length)
{
  if (strncmp(column, group, length) != 0) return false;
  const char* rest = column + length;
  if (*rest == 0) return true;
  if (*rest == '.') return rest[1] != 0;
  if (length > 0 && isdigit((unsigned char)group[length - 1])) return false;  // q1 is not q10
  return rest[strspn(rest, "0123456789")] == 0;
}

static lwPlotFault unknown_group(char* const* names, size_t count, const char* group, size_t length,
                                 char message[LW_PLOT_MESSAGE])
{
  lwNearest nearest = lw_nearest_part(group, length);
  int shown         = length < 80 ? (int)length : 80;
  for (size_t c = 0; c < count; ++c) lw_nearest_try(&nearest, names[c]);
  if (nearest.best)
    return lw_plot_refuse(message, LW_PLOT_FAULT_GROUPS, "no column '%.*s', did you mean '%.80s'?",
                          shown, group, nearest.best);
  return lw_plot_refuse(message, LW_PLOT_FAULT_GROUPS,
                        "no column '%.*s', nor one with a number or a name after it", shown, group);
}

lwPlotFault lw_plot_groups_check(char* const* names, size_t count, const char* groups,
                                 char message[LW_PLOT_MESSAGE])
{
  while (true)
  {
    size_t length = strcspn(groups, "+,");
    bool found    = false;
    if (length == 0)
      return lw_plot_refuse(message, LW_PLOT_FAULT_GROUPS,
                            "an empty name, expected groups like q,tau,S");
    for (size_t c = 0; c < count && !found; ++c)
      found = lw_plot_column_is_in(names[c], groups, length);
    if (!found) return unknown_group(names, count, groups, length, message);
    if (!groups[length]) return LW_PLOT_FAULT_NONE;
    groups += length + 1;
  }
}
