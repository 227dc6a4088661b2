// SPDX-License-Identifier: MIT
#include "table2.h"

#include <math.h>

static const double DEGREE = 0.017453292519943295;  // rad

int table2_make(Page* page, int n, Table2* table)
{
  lwSnakeLink link = lw_snake_link();
  lwSnakeDef def   = lw_snake_def();
  link.length      = page_number(page, "link-length");
  link.mass        = page_number(page, "link-mass");
  link.inertia     = page_number(page, "link-inertia");
  def.name         = "Table II";
  def.count        = n;
  def.alike        = true;
  def.links        = &link;
  *table           = (Table2){.n      = n,
                              .angle  = page_number(page, "initial-angle") * DEGREE,
                              .torque = page_number(page, "torque"),
                              .rate   = page_number(page, "torque-rate")};
  if (page->status != DONE) return page->status;
  return page_check(page, lw_snake_create(&def, NULL, NULL, &table->snake));
}

void table2_free(Table2* table)
{
  lw_snake_destroy(table->snake);
  table->snake = NULL;
}

void table2_start(const Table2* table, double* theta)
{
  for (int k = 1; k <= table->n; ++k) theta[k - 1] = k % 2 ? -table->angle : table->angle;
}

void table2_torques(const Table2* table, double t, double* torque)
{
  double now = table->torque * sin(table->rate * t);
  for (int k = 1; k < table->n; ++k) torque[k - 1] = now / (table->n - k);
}

void table2_drive(void* context, double t, const double* theta, const double u[2],
                  const double place[2], double* torque)
{
  (void)theta;
  (void)u;
  (void)place;
  table2_torques(context, t, torque);
}
