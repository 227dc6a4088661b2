// SPDX-License-Identifier: MIT
// casadi FILE.so NAME [NAME ..]: calls functions as CasADi's external() does, from what they say
// about themselves, and compares their Jacobians with differences. Exit 0: all agree.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long long Int;
typedef int Evaluate(const double** arg, double** res, Int* iw, double* w, int mem);

enum
{
  MOST = 40
};

typedef struct Function
{
  Evaluate* evaluate;
  Int in, out;
  const Int* sparsity_in[MOST];
  const Int* sparsity_out[MOST];
  double *arg[MOST], *res[MOST], *w;
} Function;

static int wrong;

static void check(int holds, const char* name, const char* what)
{
  if (!holds) printf("%s: %s\n", name, what);
  wrong += !holds;
}

static void* symbol(void* library, const char* name, const char* after)
{
  char text[300];
  snprintf(text, sizeof text, "%s%s", name, after);
  void* found = dlsym(library, text);
  if (!found) printf("there is no %s\n", text), exit(1);
  return found;
}

static Int entries(const Int* sparsity)
{
  return sparsity[2 + sparsity[1]];
}

// Columns in order, rows in order within each.
static void check_sparsity(const Int* s, const char* name)
{
  const Int *begin = s + 2, *row = begin + s[1] + 1;
  check(begin[0] == 0, name, "the first column does not begin at 0");
  for (Int c = 0; c < s[1]; ++c)
    for (Int k = begin[c]; k < begin[c + 1]; ++k)
      check(row[k] >= 0 && row[k] < s[0] && (k == begin[c] || row[k] > row[k - 1]), name,
            "rows are out of order");
}

static Function load(void* library, const char* name)
{
  Function f = {0};
  Int sizes[4];
  union
  {
    void* found;
    Int (*count)(void);
    const Int* (*sparsity)(Int);
    const char* (*name)(Int);
    int (*work)(Int*, Int*, Int*, Int*);
    Evaluate* evaluate;
  } as;
  as.found   = symbol(library, name, "");
  f.evaluate = as.evaluate;
  as.found   = symbol(library, name, "_n_in");
  f.in       = as.count();
  as.found   = symbol(library, name, "_n_out");
  f.out      = as.count();
  check(f.in <= MOST && f.out <= MOST, name, "too many arguments");
  for (int side = 0; side < 2; ++side)
  {
    as.found = symbol(library, name, side ? "_name_out" : "_name_in");
    check(as.name(0) && !as.name(side ? f.out : f.in), name, "names do not end");
    as.found = symbol(library, name, side ? "_sparsity_out" : "_sparsity_in");
    for (Int i = 0; i < (side ? f.out : f.in); ++i)
    {
      const Int* s = as.sparsity(i);
      check_sparsity(s, name);
      double* values                             = calloc((size_t)entries(s) + 1, sizeof *values);
      (side ? f.sparsity_out : f.sparsity_in)[i] = s;
      (side ? f.res : f.arg)[i]                  = values;
    }
  }
  as.found = symbol(library, name, "_work");
  check(as.work(&sizes[0], &sizes[1], &sizes[2], &sizes[3]) == 0, name, "work fails");
  check(sizes[0] >= f.in && sizes[1] >= f.out, name, "work is too small");
  f.w = calloc((size_t)sizes[3] + 1, sizeof *f.w);
  return f;
}

static void evaluate(Function* f, const char* name)
{
  check(f->evaluate((const double**)f->arg, f->res, NULL, f->w, 0) == 0, name, "fails");
}

// Output o as a whole matrix, column by column.
static void spread(const Function* f, Int o, double* to)
{
  const Int *s = f->sparsity_out[o], *begin = s + 2, *row = begin + s[1] + 1;
  for (Int k = 0; k < s[0] * s[1]; ++k) to[k] = 0;
  for (Int c = 0; c < s[1]; ++c)
    for (Int k = begin[c]; k < begin[c + 1]; ++k) to[c * s[0] + row[k]] = f->res[o][k];
}

// Differences of fourth order of output o by entry j of argument i, against the Jacobian.
static void compare_column(Function* f, const Function* jacobian, Int o, Int i, Int j,
                           const char* name)
{
  static const double steps[] = {-2, -1, 1, 2}, weights[] = {1, -8, 8, -1};
  Int rows      = f->sparsity_out[o][0] * f->sparsity_out[o][1];
  Int columns   = f->sparsity_in[i][0];
  double *slope = calloc((size_t)rows, sizeof *slope), *value = calloc((size_t)rows, sizeof *value);
  double *all = calloc((size_t)(rows * columns), sizeof *all), at = f->arg[i][j], h = 1e-3;
  double largest = 1, worst = 0;
  for (int k = 0; k < 4; ++k)
  {
    f->arg[i][j] = at + steps[k] * h;
    evaluate(f, name);
    spread(f, o, value);
    for (Int r = 0; r < rows; ++r) slope[r] += weights[k] * value[r] / (12 * h);
  }
  f->arg[i][j] = at;
  spread(jacobian, o * f->in + i, all);
  for (Int r = 0; r < rows; ++r)
  {
    largest = fmax(largest, fabs(slope[r]));
    worst   = fmax(worst, fabs(slope[r] - all[j * rows + r]));
  }
  check(worst < 1e-7 * largest, name, "the Jacobian is not that of differences");
  free(slope);
  free(value);
  free(all);
}

static void compare(void* library, const char* name)
{
  char with_jac[300];
  snprintf(with_jac, sizeof with_jac, "jac_%s", name);
  Function f = load(library, name), jacobian = load(library, with_jac);
  check(jacobian.in == f.in + f.out && jacobian.out == f.in * f.out, name, "other arguments");
  for (Int i = 0; i < f.in; ++i)
    for (Int k = 0; k < entries(f.sparsity_in[i]); ++k)
      f.arg[i][k] = jacobian.arg[i][k] = sin(1.3 * (double)k + 2.1 * (double)i + 0.4);
  evaluate(&jacobian, with_jac);
  for (Int o = 0; o < f.out; ++o)
    for (Int i = 0; i < f.in; ++i)
      for (Int j = 0; j < f.sparsity_in[i][0]; ++j) compare_column(&f, &jacobian, o, i, j, name);
  double* first = f.res[0];  // not given are zeros, not wanted is not written
  for (Int k = 0; k < entries(f.sparsity_in[0]); ++k) f.arg[0][k] = 0;
  evaluate(&f, name);
  double with_zeros = first[0];
  f.arg[0]          = NULL;
  evaluate(&f, name);
  check(memcmp(first, &with_zeros, sizeof with_zeros) == 0, name,
        "an argument that is not given is not zero");
  f.res[0] = NULL;
  evaluate(&f, name);
  printf("%s: %lld arguments, %lld results\n", name, f.in, f.out);
}

int main(int count, char** names)
{
  void* library = count > 2 ? dlopen(names[1], RTLD_NOW) : NULL;
  if (!library) return printf("cannot load the library\n"), 2;
  for (int i = 2; i < count; ++i) compare(library, names[i]);
  return wrong > 0;
}
