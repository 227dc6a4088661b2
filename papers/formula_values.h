// SPDX-License-Identifier: MIT
// Evaluates equations over the scalar REAL; the including source chooses it.
#ifndef PAPERS_FORMULA_VALUES_H
#define PAPERS_FORMULA_VALUES_H

#include <stdbool.h>
#include <string.h>

#include "formulas.h"
#include "math/vec.h"

// Indices run from 0 to this less 1: n + 1 joints, and one.
#ifndef FORMULA_EXTENT
#define FORMULA_EXTENT 8
#endif

enum
{
  VALUE_SCALAR,
  VALUE_VECTOR,
  VALUE_MATRIX,
  VALUE_EXTENT = FORMULA_EXTENT,
  VALUE_NAMES  = 64
};

// A scalar, or the entries of a 3-vector or of a 3 x 3 matrix, row by row.
typedef struct FormulaValue
{
  int kind;
  bool known, row;  // a row vector
  REAL at[9];
} FormulaValue;

typedef struct FormulaArray
{
  const char* name;
  FormulaValue at[VALUE_EXTENT][VALUE_EXTENT];
} FormulaArray;

// All names with their values, and the integers that indices stand for.
typedef struct FormulaValues
{
  int arrays, integers;
  FormulaArray*
      array;       // ((1 + directions) * VALUE_NAMES): values, then derivatives by each direction
  int directions;  // 0: no derivatives; otherwise 1 + 3n, see direction_of()
  FormulaTrial* trial;              // of equations whose sides must be equal
  double (*apart)(REAL a, REAL b);  // how far they are not
  struct
  {
    const char* name;
    int value;
  } integer[16];
  const char* wrong;  // first name that has no value; NULL: none
} FormulaValues;

static inline FormulaValue scalar_value(REAL x)
{
  return (FormulaValue){.kind = VALUE_SCALAR, .known = true, .at = {x}};
}

static inline FormulaValue vector_value(V3 v)
{
  return (FormulaValue){.kind = VALUE_VECTOR, .known = true, .at = {v.x, v.y, v.z}};
}

static inline FormulaValue matrix_value(M3 A)
{
  return (FormulaValue){.kind  = VALUE_MATRIX,
                        .known = true,
                        .at    = {A.x.x, A.x.y, A.x.z, A.y.x, A.y.y, A.y.z, A.z.x, A.z.y, A.z.z}};
}

// Before a state: for a chain of n joints, or 0 without derivatives.
static inline void formula_begin(FormulaValues* values, const Formulas* formulas, int joints)
{
  values->arrays = values->integers = 0;
  values->directions                = formulas->derivatives ? 1 + 3 * joints : 0;
}

// Layer 0 has the values, layer d + 1 the derivatives by direction d.
static inline FormulaValue* value_place(FormulaValues* values, const char* name, int i, int j,
                                        int layer)
{
  int k = 0;
  if (i < 0 || i >= VALUE_EXTENT || j < 0 || j >= VALUE_EXTENT) return NULL;
  while (k < values->arrays && strcmp(values->array[k].name, name) != 0) ++k;
  if (k == VALUE_NAMES) return NULL;
  if (k == values->arrays)
  {
    for (int d = 0; d <= values->directions; ++d)
      memset(&values->array[d * VALUE_NAMES + k], 0, sizeof *values->array);
    values->array[values->arrays++].name = name;
  }
  return &values->array[layer * VALUE_NAMES + k].at[i][j];
}

static inline void formula_set(FormulaValues* values, const char* name, int i, int j,
                               FormulaValue v)
{
  FormulaValue* place = value_place(values, name, i, j, 0);
  if (place) *place = v;
}

// The derivative by direction d of what formula_set() has set.
static inline void formula_slope(FormulaValues* values, const char* name, int i, int j, int d,
                                 FormulaValue v)
{
  FormulaValue* place = d < values->directions ? value_place(values, name, i, j, d + 1) : NULL;
  if (place) *place = v;
}

static inline void formula_integer(FormulaValues* values, const char* name, int value)
{
  int k = 0;
  while (k < values->integers && strcmp(values->integer[k].name, name) != 0) ++k;
  values->integer[k].name  = name;
  values->integer[k].value = value;
  if (k == values->integers) ++values->integers;
}

// --- integers

static inline int integer_of(FormulaValues* values, const FormulaTerm* term)
{
  if (term->kind == TERM_NUMBER) return (int)term->number;
  if (term->kind == TERM_ADD)
    return integer_of(values, term->left) + integer_of(values, term->right);
  if (term->kind == TERM_SUBTRACT)
    return integer_of(values, term->left) - integer_of(values, term->right);
  for (int k = 0; term->kind == TERM_NAME && k < values->integers; ++k)
    if (!strcmp(values->integer[k].name, term->name)) return values->integer[k].value;
  if (!values->wrong) values->wrong = term->name ? term->name : "an index";
  return 0;
}

// --- values

static inline FormulaValue formula_value(FormulaValues* values, const FormulaTerm* term);
static inline FormulaValue formula_slope_of(FormulaValues* values, const FormulaTerm* term, int d);

static inline V3 value_vector(FormulaValue v)
{
  return v3(v.at[0], v.at[1], v.at[2]);
}

static inline FormulaValue add_values(FormulaValue a, FormulaValue b, bool less)
{
  for (int k = 0; k < 9; ++k) a.at[k] = less ? r_sub(a.at[k], b.at[k]) : r_add(a.at[k], b.at[k]);
  return a;
}

static inline FormulaValue scale_value(REAL k, FormulaValue a)
{
  for (int i = 0; i < 9; ++i) a.at[i] = r_mul(k, a.at[i]);
  return a;
}

// Scalar times anything; matrix times matrix or vector; vector times matrix is that of the row.
static inline FormulaValue multiply_values(FormulaValue a, FormulaValue b)
{
  if (a.kind == VALUE_SCALAR) return scale_value(a.at[0], b);
  if (b.kind == VALUE_SCALAR) return scale_value(b.at[0], a);
  if (a.kind == VALUE_VECTOR && b.kind == VALUE_VECTOR && b.row && !a.row)
    return matrix_value((M3){scale(a.at[0], value_vector(b)), scale(a.at[1], value_vector(b)),
                             scale(a.at[2], value_vector(b))});
  if (a.kind == VALUE_VECTOR && b.kind == VALUE_VECTOR)
    return scalar_value(dot(value_vector(a), value_vector(b)));
  FormulaValue c = {.kind = VALUE_VECTOR, .known = true, .row = a.kind == VALUE_VECTOR};
  for (int k = 0; k < 9; ++k) c.at[k] = zero();
  bool row = a.kind == VALUE_VECTOR;
  int wide = b.kind == VALUE_MATRIX && !row ? 3 : 1;
  if (wide == 3) c.kind = VALUE_MATRIX;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < wide; ++j)
      for (int k = 0; k < 3; ++k)
      {
        REAL x = row ? b.at[3 * k + i] : a.at[3 * i + k], y = row ? a.at[k] : b.at[wide * k + j];
        c.at[wide * i + j] = mul_add(x, y, c.at[wide * i + j]);
      }
  return c;
}

static inline FormulaValue transpose_value(FormulaValue a)
{
  FormulaValue b = a;
  for (int k = 0; k < 9 && a.kind == VALUE_MATRIX; ++k) b.at[k] = a.at[k % 3 * 3 + k / 3];
  b.row = a.kind == VALUE_VECTOR && !a.row;
  return b;
}

static inline FormulaValue tilde_value(FormulaValue a)
{
  REAL o = zero(), x = a.at[0], y = a.at[1], z = a.at[2];
  return matrix_value((M3){v3(o, r_neg(z), y), v3(z, o, r_neg(x)), v3(r_neg(y), x, o)});
}

static inline FormulaValue axial_value(FormulaValue a)
{
  return vector_value(v3(a.at[7], a.at[2], a.at[3]));
}

static inline FormulaValue trace_value(FormulaValue a)
{
  return scalar_value(r_add(a.at[0], r_add(a.at[4], a.at[8])));
}

// The sum of a series, or the derivative of it by direction d; d < 0: none.
static inline FormulaValue series_value(FormulaValues* values, const FormulaTerm* term, int d)
{
  int first = integer_of(values, term->index[0]), last = integer_of(values, term->index[1]);
  FormulaValue sum = scalar_value(zero());
  for (int k = first; k <= last; ++k)
  {
    formula_integer(values, term->name, k);
    FormulaValue next =
        d < 0 ? formula_value(values, term->left) : formula_slope_of(values, term->left, d);
    sum = k == first ? next : add_values(sum, next, false);
  }
  return sum;
}

static inline FormulaValue named_value(FormulaValues* values, const FormulaTerm* term)
{
  int i                     = term->indices > 0 ? integer_of(values, term->index[0]) : 0;
  int j                     = term->indices > 1 ? integer_of(values, term->index[1]) : 0;
  const FormulaValue* place = value_place(values, term->name, i, j, 0);
  if (place && place->known) return *place;
  if (!values->wrong) values->wrong = term->name;
  return scalar_value(zero());
}

static inline FormulaValue pair_value(TermKind kind, FormulaValue a, FormulaValue b)
{
  switch (kind)
  {
    case TERM_ADD:
      return add_values(a, b, false);
    case TERM_SUBTRACT:
      return add_values(a, b, true);
    case TERM_DIVIDE:
      return scale_value(r_div(constant(1), b.at[0]), a);
    case TERM_CROSS:
      return vector_value(cross(value_vector(a), value_vector(b)));
    case TERM_DOT:
      return scalar_value(dot(value_vector(a), value_vector(b)));
    default:
      return multiply_values(a, b);
  }
}

// A term of one other term, whose value is a; all are linear in it.
static inline FormulaValue single_value(TermKind kind, FormulaValue a)
{
  switch (kind)
  {
    case TERM_NEGATE:
      return scale_value(constant(-1), a);
    case TERM_TRANSPOSE:
      return transpose_value(a);
    case TERM_AXIAL:
      return axial_value(a);
    case TERM_TILDE:
      return tilde_value(a);
    case TERM_TRACE:
      return trace_value(a);
    default:
      return a;
  }
}

static inline FormulaValue refuse_derivative(FormulaValues* values, const char* what)
{
  if (!values->wrong) values->wrong = what;
  return scalar_value(zero());
}

// 0: time; then the joints' q, qd and qdd; -1: none of them.
static inline int direction_of(FormulaValues* values, const FormulaTerm* by)
{
  static const char* const names[] = {"q", "qd", "qdd"};
  int n                            = (values->directions - 1) / 3;
  if (!by) return values->directions > 0 ? 0 : -1;
  for (int k = 0; k < 3; ++k)
    if (!strcmp(by->name, names[k])) return k * n + integer_of(values, by->index[0]);
  return -1;
}

static inline FormulaValue derivative_value(FormulaValues* values, const FormulaTerm* term)
{
  int d = direction_of(values, term->right);
  if (d < 0 || d >= values->directions) return refuse_derivative(values, "a derivative");
  return formula_slope_of(values, term->left, d);
}

static inline FormulaValue formula_value(FormulaValues* values, const FormulaTerm* term)
{
  switch (term->kind)
  {
    case TERM_NUMBER:
      return scalar_value(constant(term->number));
    case TERM_NAME:
      return named_value(values, term);
    case TERM_SUM:
      return series_value(values, term, -1);
    case TERM_RATE:
    case TERM_PARTIAL:
      return derivative_value(values, term);
    default:
      break;
  }
  FormulaValue a = formula_value(values, term->left);
  return term->right ? pair_value(term->kind, a, formula_value(values, term->right))
                     : single_value(term->kind, a);
}

// The derivative of a name: what its equation left, or zero.
static inline FormulaValue named_slope(FormulaValues* values, const FormulaTerm* term, int d)
{
  FormulaValue v            = named_value(values, term);
  int i                     = term->indices > 0 ? integer_of(values, term->index[0]) : 0;
  int j                     = term->indices > 1 ? integer_of(values, term->index[1]) : 0;
  const FormulaValue* place = value_place(values, term->name, i, j, d + 1);
  return place && place->known ? *place : scale_value(zero(), v);
}

// The derivative of a term by direction d, by the rules of sums, products and quotients.
static inline FormulaValue formula_slope_of(FormulaValues* values, const FormulaTerm* term, int d)
{
  TermKind kind = term->kind;
  if (kind == TERM_NUMBER) return scalar_value(zero());
  if (kind == TERM_NAME) return named_slope(values, term, d);
  if (kind == TERM_SUM) return series_value(values, term, d);
  if (kind == TERM_RATE || kind == TERM_PARTIAL)
    return refuse_derivative(values, "a derivative of a derivative");
  FormulaValue da = formula_slope_of(values, term->left, d);
  if (!term->right) return single_value(kind, da);
  FormulaValue db = formula_slope_of(values, term->right, d);
  if (kind == TERM_ADD || kind == TERM_SUBTRACT) return pair_value(kind, da, db);
  FormulaValue a = formula_value(values, term->left), b = formula_value(values, term->right);
  if (kind == TERM_DIVIDE)  // (a' - (a/b) b') / b
    return pair_value(kind, add_values(da, multiply_values(db, pair_value(kind, a, b)), true), b);
  return add_values(pair_value(kind, da, b), pair_value(kind, a, db), false);
}

// --- lines

// Both sides of an equation that must hold.
static inline void compare_sides(FormulaValues* values, const Formula* equation)
{
  FormulaValue a = formula_value(values, equation->left);
  FormulaValue b = formula_value(values, equation->right);
  int entries    = a.kind == VALUE_MATRIX ? 9 : a.kind == VALUE_VECTOR ? 3 : 1;
  if (a.kind != b.kind && !values->wrong) values->wrong = equation->number;
  for (int k = 0; k < entries; ++k)
  {
    double apart = values->apart(a.at[k], b.at[k]);
    ++values->trial->entries;
    values->trial->different += apart > 0;
    if (!(apart <= values->trial->error)) values->trial->error = apart;
  }
}

static inline void assign_value(FormulaValues* values, const Formula* equation)
{
  const FormulaTerm* left = equation->left;
  if (equation->holds)
  {
    compare_sides(values, equation);
    return;
  }
  int i = left->indices > 0 ? integer_of(values, left->index[0]) : 0;
  int j = left->indices > 1 ? integer_of(values, left->index[1]) : 0;
  formula_set(values, left->name, i, j, formula_value(values, equation->right));
  for (int d = 0; d < values->directions && !values->wrong; ++d)
    formula_slope(values, left->name, i, j, d, formula_slope_of(values, equation->right, d));
}

static inline void run_range(FormulaValues* values, const Formula* equation, int depth)
{
  if (depth == equation->ranges || depth >= FORMULA_RANGES)
  {
    assign_value(values, equation);
    return;
  }
  const FormulaRange* range = &equation->range[depth];
  int first = integer_of(values, range->first), last = integer_of(values, range->last);
  for (int k = 0; k <= last - first; ++k)
  {
    formula_integer(values, range->name, equation->down ? last - k : first + k);
    run_range(values, equation, depth + 1);
  }
}

// Formulas that follow each other and run over the same first index are one loop, as in the
// documents.
static inline bool same_loop(const Formula* a, const Formula* b)
{
  return a->number && b->number && a->ranges > 0 && b->ranges > 0 && a->down == b->down &&
         !strcmp(a->range[0].name, b->range[0].name);
}

static inline void run_loop(FormulaValues* values, const Formula* first, int count)
{
  int low = VALUE_EXTENT, high = -1;
  for (int k = 0; k < count; ++k)
  {
    int a = integer_of(values, first[k].range[0].first);
    int b = integer_of(values, first[k].range[0].last);
    low   = a < low ? a : low;
    high  = b > high ? b : high;
  }
  for (int k = 0; k <= high - low; ++k)
    for (int e = 0; e < count; ++e)
    {
      const FormulaRange* range = &first[e].range[0];
      int at                    = first[e].down ? high - k : low + k;
      if (at < integer_of(values, range->first) || at > integer_of(values, range->last)) continue;
      formula_integer(values, range->name, at);
      run_range(values, &first[e], 1);
    }
}

static inline void run_formulas(FormulaValues* values, const Formulas* formulas)
{
  for (int i = 0, end = 0; i < formulas->count && !values->wrong; i = end)
  {
    const Formula* first = &formulas->equation[i];
    end                  = i + 1;
    if (!first->number) continue;
    while (end < formulas->count && same_loop(first, &formulas->equation[end])) ++end;
    if (first->ranges == 0)
      assign_value(values, first);
    else
      run_loop(values, first, end - i);
  }
}

// A scalar that the formulas found.
static inline REAL found_scalar(FormulaValues* values, const char* name, int i, int j)
{
  FormulaValue* place = value_place(values, name, i, j, 0);
  bool found          = place && place->known && place->kind == VALUE_SCALAR;
  if (!found && !values->wrong) values->wrong = name;
  return place ? place->at[0] : zero();
}

#endif
