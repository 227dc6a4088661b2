// SPDX-License-Identifier: MIT
// Answers to a question, written as a table, as csv or as json.
#ifndef LW_REPORT_ANSWER_WRITER_H
#define LW_REPORT_ANSWER_WRITER_H

#include "linkwork/linkwork.h"
#include "text/table_writer.h"

typedef struct lwAnswers
{
  lwOut* out;
  lwFormat format;
  const lwModel* model;
  const char* method;  // that answers it; NULL: the question has none
  lwQuestion question;
  bool single;              // precision
  bool quad;                // precision of 113 bits
  bool rotors;              // forward dynamics with their inertia
  unsigned terms;           // of drives in the regressor, sums of LW_HAS_TERM()
  bool many;                // states, from a file
  bool names;               // columns are named by joint
  const lwCsvHeader* kept;  // whose columns are passed on; or NULL
  bool kept_time;           // of these only t
  size_t columns;           // values of one answer
  const char* frame;        // that pose and Jacobian are about
  bool base_axes;           // of reactions
  int cuts;                 // rows of loops, whose forces follow
  int contacts;             // points that stand, the last rows; the sum of their forces follows
  bool judged;              // and whether each is within its cone of friction
  const int* speeds;        // (joints) entries of qd that columns are about; NULL: all
  int joints;               // of them, with `speeds`
  const int* links;         // (link_count) joints whose links columns are about; NULL: all
  int link_count;
  char* label;  // room for any lw_answers_column()
  lwRows rows;
} lwAnswers;

// Numbers behind the forces in cuts: of contacts.
static inline size_t lw_answer_verdicts(const lwAnswers* answers)
{
  return answers->contacts > 0 ? 3 + (size_t)(answers->judged ? answers->contacts : 0) : 0;
}

// Bytes that a label takes at most.
size_t lw_answer_label_size(const lwModel* model);

// How many entries of qd columns are about, and which the i-th of them is.
static inline size_t lw_answer_joints(const lwAnswers* answers)
{
  return (size_t)(answers->speeds ? answers->joints : lw_model_dof(answers->model));
}
static inline int lw_answer_joint(const lwAnswers* answers, size_t i)
{
  return answers->speeds ? answers->speeds[i] : (int)i;
}

// How many links answers about links have, and which the i-th is, by joint of the description.
static inline size_t lw_answer_links(const lwAnswers* answers)
{
  return (size_t)(answers->links ? answers->link_count : lw_model_joint_count(answers->model));
}
static inline int lw_answer_link(const lwAnswers* answers, size_t i)
{
  return answers->links ? answers->links[i] : (int)i;
}

// The name of the i-th of them, as a velocity or as a torque.
const char* lw_answer_entry(const lwAnswers* answers, bool is_motion, size_t i);

// Columns of a matrix, as lw_quantity_columns(), and the name of the i-th.
size_t lw_answer_across(const lwAnswers* answers, const lwQuantity* part);
const char* lw_answer_column_entry(const lwAnswers* answers, const lwQuantity* part, size_t i);

// The name of a parameter of the regressor: forearm.xx, elbow.viscous.
void lw_answer_parameter(const lwAnswers* answers, size_t column, char* name);

// The name of output column k, which lives until the next call: tau1, M12, or M1_12 when there are
// more than 9 joints, dtau1_dq2; with `names` tau.elbow, M.waist.elbow, J.vx.elbow,
// dtau.waist_dq.elbow. Reactions and the regressor always name joints and links. And its unit.
const char* lw_answers_column(const lwAnswers* answers, size_t k);
const char* lw_answers_unit(const void* context, size_t k);

// False: out of memory.
bool lw_answers_begin(lwAnswers* answers);

// line: of the state, if columns are passed on. exact: the values in 113 bits, or NULL.
void lw_answers_row(lwAnswers* answers, const char* line, const double* values,
                    const lwQuad* exact);
void lw_answers_end(lwAnswers* answers);

#endif
