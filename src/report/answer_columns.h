// SPDX-License-Identifier: MIT
// Names and units of the numbers in an answer, as tables have them.
#ifndef LW_REPORT_ANSWER_COLUMNS_H
#define LW_REPORT_ANSWER_COLUMNS_H

#include "linkwork/dynamics.h"

// Bytes that a name of lw_answer_column() takes at most.
size_t lw_answer_column_size(const lwModel* model);

// The name of entry k of the answer to a question: tau1, M12, or M1_12 when there are more than 9
// joints, dtau1_dq2; by joint tau.elbow, M.waist.elbow, J.vx.elbow, dtau.waist_dq.elbow. Reactions
// and the regressor always name joints and links.
void lw_answer_column(const lwModel* model, lwQuestion question, bool by_joint, size_t k,
                      char* name);

// The name of entry k of a regressor with terms, sums of LW_HAS_TERM(), besides the links:
// Y.elbow.forearm.xx, Y.elbow.elbow.viscous. And its unit.
void lw_regressor_column(const lwModel* model, unsigned terms, size_t k, char* name);
const char* lw_regressor_unit(const lwModel* model, unsigned terms, size_t k);

// The name of one of its parameters: forearm.xx, elbow.viscous.
void lw_regressor_parameter(const lwModel* model, unsigned terms, size_t column, char* name);

// Its unit.
const char* lw_answer_unit(const lwModel* model, lwQuestion question, size_t k);

// Rows of the Jacobian: vx vy vz wx wy wz.
extern const char* const LW_JACOBIAN_ROWS[6];

// Parameters of a link in the regressor: m mx my mz xx yy zz xy xz yz.
extern const char* const LW_LINK_PARAMETERS[10];

// The name of a link, or of the joint that carries it where it has none.
const char* lw_link_name(const lwJointDef* joint);

#endif
