// SPDX-License-Identifier: MIT
#include "report/answer_columns.h"

#include <string.h>

#include "linkwork/drive.h"
#include "linkwork/identify.h"
#include "linkwork/methods.h"
#include "model/model_internal.h"

const char* const LW_JACOBIAN_ROWS[6]    = {"vx", "vy", "vz", "wx", "wy", "wz"};
const char* const LW_LINK_PARAMETERS[10] = {"m",  "mx", "my", "mz", "xx",
                                            "yy", "zz", "xy", "xz", "yz"};

// Columns of the questions whose answer does not depend on the number of joints.
static const char* const ENERGY_COLUMNS[]     = {"kinetic", "potential"};
static const char* const POSE_COLUMNS[]       = {"x",   "y",   "z",   "r11", "r12", "r13",  "r21",
                                                 "r22", "r23", "r31", "r32", "r33", "roll", "pitch",
                                                 "yaw", "qx",  "qy",  "qz",  "qw"};
static const char* const CENTROIDAL_COLUMNS[] = {
    "cx", "cy", "cz", "px", "py", "pz", "kx", "ky", "kz", "pdx", "pdy", "pdz", "kdx", "kdy", "kdz"};
static const char* const RATE_COLUMNS[] = {"vx", "vy", "vz", "wx",  "wy",  "wz",
                                           "ax", "ay", "az", "wdx", "wdy", "wdz"};

static const char* const* const FIXED_COLUMNS[LW_QUESTION_COUNT] = {
    [LW_QUESTION_ENERGY]        = ENERGY_COLUMNS,
    [LW_QUESTION_POSE]          = POSE_COLUMNS,
    [LW_QUESTION_CENTROIDAL]    = CENTROIDAL_COLUMNS,
    [LW_QUESTION_JACOBIAN_RATE] = RATE_COLUMNS};

static const bool IS_MATRIX[LW_QUESTION_COUNT] = {[LW_QUESTION_INERTIA]         = true,
                                                  [LW_QUESTION_JACOBIAN]        = true,
                                                  [LW_QUESTION_GIBBS]           = true,
                                                  [LW_QUESTION_INERTIA_INVERSE] = true,
                                                  [LW_QUESTION_CORIOLIS_MATRIX] = true};

const char* lw_link_name(const lwJointDef* joint)
{
  return joint->link.name ? joint->link.name : joint->name;
}

size_t lw_answer_column_size(const lwModel* model)
{
  size_t longest = 0;
  for (int i = 0; i < model->robot.count; ++i)
  {
    size_t joint = strlen(model->robot.joints[i].name);
    size_t link  = strlen(lw_link_name(&model->robot.joints[i]));
    longest      = joint > longest ? joint : longest;
    longest      = link > longest ? link : longest;
  }
  for (int i = 0; i < model->robot.loop_count; ++i)
  {
    size_t loop = strlen(model->robot.loops[i].name);
    longest     = loop > longest ? loop : longest;
  }
  return 40 + 2 * longest;
}

static char* put_text(char* to, const char* text)
{
  size_t length = strlen(text);
  memcpy(to, text, length + 1);
  return to + length;
}

// Writes v > 0 in decimal and returns the end.
static char* put_number(char* to, size_t v)
{
  char digits[20];
  int count = 0;
  for (; v > 0; v /= 10) digits[count++] = (char)('0' + v % 10);
  while (count > 0) *to++ = digits[--count];
  *to = 0;
  return to;
}

static bool is_motion(lwQuestion question)
{
  return question == LW_QUESTION_FORWARD || question == LW_QUESTION_JACOBIAN ||
         question == LW_QUESTION_FORWARD_DERIVATIVES;
}

static char* put_joint(char* to, const lwModel* model, bool moves, size_t i)
{
  *to++ = '.';
  return put_text(to, (moves ? lw_model_velocity : lw_model_effort)(model, (int)i).name);
}

// dtau1_dq2, dqdd.waist_dtau.elbow: by q, by qd, by tau
static void slope_column(const lwModel* model, lwQuestion question, bool by_joint, size_t k,
                         char* name)
{
  static const char* const by[] = {"_dq", "_dqd", "_dtau"};
  size_t n = (size_t)model->dof, block = k / (n * n), i = k % (n * n) / n, j = k % n;
  char* end = put_text(name, lw_question_info(question)->symbol);
  end       = by_joint ? put_joint(end, model, is_motion(question), i) : put_number(end, i + 1);
  end       = put_text(end, by[block]);
  if (by_joint)
    put_joint(end, model, block < 2, j);
  else
    put_number(end, j + 1);
}

static void matrix_column(const lwModel* model, lwQuestion question, bool by_joint, size_t k,
                          char* name)
{
  size_t n = (size_t)model->dof, rows = question == LW_QUESTION_JACOBIAN ? 6 : n;
  char* end = put_text(name, lw_question_info(question)->symbol);
  if (by_joint && question == LW_QUESTION_JACOBIAN)
  {
    *end++ = '.';
    end    = put_text(end, LW_JACOBIAN_ROWS[k / n]);
  }
  else if (by_joint)
    end = put_joint(end, model, is_motion(question), k / n);
  if (by_joint)
  {
    put_joint(end, model, is_motion(question), k % n);
    return;
  }
  end = put_number(end, k / n + 1);
  if (rows > 9) *end++ = '_';  // M111: row 1 or row 11?
  put_number(end, k % n + 1);
}

static void reaction_column(const lwModel* model, size_t k, char* name)
{
  char* end = put_text(name, lw_reaction_name((lwReaction)(k % 6)));
  *end++    = '.';
  put_text(end, model->robot.joints[k / 6].name);
}

// Which term a column behind those of the links belongs to.
static lwTerm term_of(const lwModel* model, unsigned terms, size_t column)
{
  int term = 0;
  for (size_t at = lw_regressor_columns(model, 0); term < LW_TERM_COUNT; ++term)
  {
    if (!(terms & LW_HAS_TERM(term))) continue;
    at += (size_t)model->dof;
    if (column < at) break;
  }
  return (lwTerm)term;
}

void lw_regressor_parameter(const lwModel* model, unsigned terms, size_t column, char* name)
{
  size_t links = lw_regressor_columns(model, 0);
  char* end    = name;
  if (column < links)
    end = put_text(end, lw_link_name(&model->robot.joints[column / 10]));
  else
    end = put_text(end, lw_model_effort(model, (int)((column - links) % (size_t)model->dof)).name);
  *end++ = '.';
  put_text(end, column < links ? LW_LINK_PARAMETERS[column % 10]
                               : lw_term_name(term_of(model, terms, column)));
}

void lw_regressor_column(const lwModel* model, unsigned terms, size_t k, char* name)
{
  size_t width = lw_regressor_columns(model, terms);
  char* end    = put_joint(put_text(name, "Y"), model, false, k / width);
  *end++       = '.';
  lw_regressor_parameter(model, terms, k % width, end);
}

void lw_answer_column(const lwModel* model, lwQuestion question, bool by_joint, size_t k,
                      char* name)
{
  const char* const* fixed = FIXED_COLUMNS[question];
  if (fixed)
    put_text(name, fixed[k]);
  else if (question == LW_QUESTION_REACTIONS)
    reaction_column(model, k, name);
  else if (question == LW_QUESTION_REGRESSOR)
    lw_regressor_column(model, 0, k, name);
  else if (question == LW_QUESTION_GIBBS && k == 0)
    put_text(name, "gibbs");
  else if (question == LW_QUESTION_GIBBS)  // behind the function its Hessian
    matrix_column(model, question, by_joint, k - 1, name);
  else if (question == LW_QUESTION_INVERSE_DERIVATIVES ||
           question == LW_QUESTION_FORWARD_DERIVATIVES)
    slope_column(model, question, by_joint, k, name);
  else if (IS_MATRIX[question])
    matrix_column(model, question, by_joint, k, name);
  else
  {
    char* end = put_text(name, lw_question_info(question)->symbol);
    if (by_joint)
      put_joint(end, model, is_motion(question), k);
    else
      put_number(end, k + 1);
  }
}

// --- units

static bool column_slides(const lwModel* model, size_t i)
{
  return lw_model_velocity(model, (int)i).slides;
}

// Units of matrices between joints: both turn, row turns and
// column slides, the reverse, both slide.
static const char* const INERTIA[]      = {"kg m^2", "kg m", "kg m", "kg"};
static const char* const INVERSE[]      = {"1/(kg m^2)", "1/(kg m)", "1/(kg m)", "1/kg"};
static const char* const CORIOLIS[]     = {"kg m^2/s", "kg m/s", "kg m/s", "kg/s"};
static const char* const TAU_BY[2][4]   = {{"N m/rad", "N", "N/rad", "N/m"},
                                           {"N m s/rad", "N s", "N s/rad", "N s/m"}};
static const char* const QDD_BY[2][4]   = {{"1/s^2", "rad/(m s^2)", "m/(rad s^2)", "1/s^2"},
                                           {"1/s", "rad/(m s)", "m/(rad s)", "1/s"}};
static const char* const REGRESSOR[][2] = {
    {"m^2/s^2", "m/s^2"}, {"m/s^2", "1/s^2"}, {"1/s^2", "1"}};

static const char* between_joints(const lwModel* model, const char* const units[4], size_t k)
{
  size_t n = (size_t)model->dof, i = k % (n * n) / n, j = k % n;
  return units[2 * column_slides(model, i) + column_slides(model, j)];
}

static const char* fixed_unit(lwQuestion question, size_t k)
{
  static const char* const centroidal[] = {"m", "kg m/s", "kg m^2/s", "N", "N m"};
  static const char* const rate[]       = {"m/s", "rad/s", "m/s^2", "rad/s^2"};
  if (question == LW_QUESTION_ENERGY) return "J";
  if (question == LW_QUESTION_CENTROIDAL) return centroidal[k / 3];
  if (question == LW_QUESTION_JACOBIAN_RATE) return rate[k / 3];
  return k < 3 ? "m" : k >= 12 && k < 15 ? "rad" : "1";  // pose
}

const char* lw_regressor_unit(const lwModel* model, unsigned terms, size_t k)
{
  static const char* const of_terms[LW_TERM_COUNT][2] = {
      {"rad/s^2", "m/s^2"}, {"rad/s", "m/s"}, {"1", "1"}, {"1", "1"}};
  size_t width = lw_regressor_columns(model, terms), column = k % width;
  bool slides = column_slides(model, k / width);
  if (column >= lw_regressor_columns(model, 0))
    return of_terms[term_of(model, terms, column)][slides];
  return REGRESSOR[column % 10 == 0 ? 0 : column % 10 < 4 ? 1 : 2][slides];
}

const char* lw_answer_unit(const lwModel* model, lwQuestion question, size_t k)
{
  size_t n = (size_t)model->dof;
  if (FIXED_COLUMNS[question]) return fixed_unit(question, k);
  switch (question)
  {
    case LW_QUESTION_INERTIA:
      return between_joints(model, INERTIA, k);
    case LW_QUESTION_GIBBS:
      return k == 0 ? "J/s^2" : between_joints(model, INERTIA, k - 1);
    case LW_QUESTION_INERTIA_INVERSE:
      return between_joints(model, INVERSE, k);
    case LW_QUESTION_CORIOLIS_MATRIX:
      return between_joints(model, CORIOLIS, k);
    case LW_QUESTION_INVERSE_DERIVATIVES:
      return between_joints(model, TAU_BY[k / (n * n)], k);
    case LW_QUESTION_FORWARD_DERIVATIVES:
      return between_joints(model, k < 2 * n * n ? QDD_BY[k / (n * n)] : INVERSE, k);
    case LW_QUESTION_JACOBIAN:
      return (k / n < 3) != column_slides(model, k % n) ? "m" : "1";
    case LW_QUESTION_REACTIONS:
      return lw_reaction_unit((lwReaction)(k % 6));
    case LW_QUESTION_REGRESSOR:
      return lw_regressor_unit(model, 0, k);
    case LW_QUESTION_FORWARD:
      return column_slides(model, k) ? "m/s^2" : "rad/s^2";
    default:
      return column_slides(model, k) ? "N" : "N m";
  }
}
