// SPDX-License-Identifier: MIT
#include "motion/motion.h"
void lw_line_at(const lwLine* line, double t, double* q, double* qd, double* qdd)
{
  (void)line;
  (void)t;
  (void)q;
  (void)qd;
  (void)qdd;
}
void lw_line_destroy(lwLine* line)
{
  (void)line;
}
