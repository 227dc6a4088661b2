// SPDX-License-Identifier: MIT
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate/latex.h"

// --- numbers, letters, sines

// A fraction of a small power of two, as products of sines leave them; else seven digits. 1 is left
// out where letters follow.
static void put_number(lwOut* text, double value, bool alone)
{
  for (int below = 1; below <= 64; below *= 2)
  {
    double above = nearbyint(value * below);
    if (above < 1 || above > 999 || fabs(value * below - above) > 1e-9 * above) continue;
    if (below > 1)
      lw_out_format(text, "\\tfrac{%.0f}{%d}", above, below);
    else if (above > 1 || alone)
      lw_out_format(text, "%.0f", above);
    return;
  }
  char digits[32];
  snprintf(digits, sizeof digits, "%.7g", value);
  char* e = strchr(digits, 'e');
  if (e) *e = 0;
  lw_out_text(text, digits);
  if (e) lw_out_format(text, " \\cdot 10^{%ld}", strtol(e + 1, NULL, 10));
}

static int letters_of(const lwEquation* equation)
{
  return equation->letters ? equation->letters->count : 0;
}

static void put_variable(const lwEquation* equation, int variable, lwOut* text)
{
  static const char* const dots[] = {"", "\\dot ", "\\ddot "};
  int state                       = variable - letters_of(equation);
  if (state < 0)
  {
    lw_out_text(text, equation->letters->letter[variable].name);
    equation->letters->letter[variable].used = true;
  }
  else
    lw_out_format(text, "%sq_{%d}", dots[state / equation->dof], state % equation->dof + 1);
}

static bool has_letters(const lwSeriesTerm* term)
{
  for (int k = 0; k < LW_SERIES_VARIABLES; ++k)
    if (term->power[k]) return true;
  return false;
}

static bool has_angle(const lwSeriesTerm* term)
{
  for (int k = 0; k < LW_SERIES_ANGLES; ++k)
    if (term->angle[k]) return true;
  return false;
}

static void put_letters(const lwEquation* equation, const lwSeriesTerm* term, bool* space,
                        lwOut* text)
{
  for (int k = 0; k < LW_SERIES_VARIABLES; ++k)
  {
    if (!term->power[k]) continue;
    if (*space) lw_out_text(text, " ");
    put_variable(equation, k, text);
    if (term->power[k] > 1) lw_out_format(text, "^{%d}", term->power[k]);
    *space = true;
  }
}

// \cos q_{2}, \sin(q_{1} + 2 q_{2})
static void put_turn(const lwSeriesTerm* term, bool space, lwOut* text)
{
  int parts = 0, first = -1;
  for (int k = 0; k < LW_SERIES_ANGLES; ++k)
    if (term->angle[k])
    {
      ++parts;
      if (first < 0) first = k;
    }
  if (!parts) return;
  bool brackets = parts > 1 || term->angle[first] > 1;
  lw_out_format(text, "%s%s%s", space ? " " : "", term->sine ? "\\sin" : "\\cos",
                brackets ? "(" : " ");
  for (int k = 0; k < LW_SERIES_ANGLES; ++k)
  {
    int times = abs(term->angle[k]);
    if (!times) continue;
    if (k != first) lw_out_text(text, term->angle[k] > 0 ? " + " : " - ");
    if (times > 1) lw_out_format(text, "%d ", times);
    lw_out_format(text, "q_{%d}", k + 1);
  }
  if (brackets) lw_out_text(text, ")");
}

static void put_sign(bool first, bool negative, lwOut* text)
{
  lw_out_text(text, first ? (negative ? "-" : "") : negative ? " - " : " + ");
}

static void put_term(const lwEquation* equation, const lwSeriesTerm* term, bool first, lwOut* text)
{
  bool alone = !has_letters(term) && !has_angle(term);
  put_sign(first, term->coefficient < 0, text);
  size_t before = lw_out_length(text);
  put_number(text, fabs(term->coefficient), alone);
  bool space = lw_out_length(text) > before;
  put_letters(equation, term, &space, text);
  put_turn(term, space, text);
}

// --- gathering

// What a group of terms has in common outside its brackets
typedef enum Outside
{
  MASS_AND_RATES,  // mass, gravity, velocities: m_2 (l_1^2 + ..)
  ALL_BUT_RATES    // letters and sine: l_1 c_2 sin q_2 (qd_1 + qd_2)
} Outside;

static bool is_outside(const lwEquation* equation, Outside outside, int variable)
{
  int letters = letters_of(equation);
  bool rate   = variable >= letters + equation->dof;
  if (outside == ALL_BUT_RATES) return !rate;
  bool heavy =
      variable < letters && strchr("mg", equation->letters->letter[variable].name[0]) != NULL;
  return rate || heavy;
}

static bool in_one_group(const lwEquation* equation, Outside outside, const lwSeriesTerm* a,
                         const lwSeriesTerm* b)
{
  bool any = outside == ALL_BUT_RATES;
  if (any && (memcmp(a->angle, b->angle, sizeof a->angle) != 0 || a->sine != b->sine)) return false;
  for (int k = 0; k < LW_SERIES_VARIABLES; ++k)
  {
    if (!is_outside(equation, outside, k)) continue;
    if (a->power[k] != b->power[k]) return false;
    any = any || a->power[k];
  }
  return any;
}

// Group of every term: the number of its first one. Gives the number of groups.
static int find_groups(const lwEquation* equation, Outside outside, const lwSeries* series,
                       int* group)
{
  int groups = 0;
  for (int i = 0; i < series->count; ++i)
  {
    group[i] = i;
    for (int j = 0; j < i && group[i] == i; ++j)
      if (group[j] == j && in_one_group(equation, outside, &series->term[j], &series->term[i]))
        group[i] = j;
    groups += group[i] == i;
  }
  return groups;
}

// What all terms of a group can be divided by; the coefficient is 1 unless all have the same size.
static lwSeriesTerm common_factor(const lwSeries* series, const int* group, int first, int* members)
{
  lwSeriesTerm common = series->term[first];
  bool same_turn = true, same_size = true;
  *members = 0;
  for (int i = first; i < series->count; ++i)
  {
    const lwSeriesTerm* term = &series->term[i];
    if (group[i] != first) continue;
    ++*members;
    same_turn = same_turn && !memcmp(term->angle, common.angle, sizeof common.angle) &&
                term->sine == common.sine;
    same_size = same_size && fabs(fabs(term->coefficient) - fabs(common.coefficient)) <=
                                 1e-12 * fabs(common.coefficient);
    for (int k = 0; k < LW_SERIES_VARIABLES; ++k)
      if (term->power[k] < common.power[k]) common.power[k] = term->power[k];
  }
  if (!same_turn) memset(common.angle, 0, sizeof common.angle);
  if (!same_turn) common.sine = 0;
  if (!same_size) common.coefficient = common.coefficient < 0 ? -1 : 1;
  return common;
}

static void put_members(const lwEquation* equation, const lwSeries* series, const int* group,
                        int first, const lwSeriesTerm* common, lwOut* text)
{
  bool turn_taken = has_angle(common);
  for (int i = first; i < series->count; ++i)
  {
    lwSeriesTerm term = series->term[i];
    if (group[i] != first) continue;
    term.coefficient /= common->coefficient;
    for (int k = 0; k < LW_SERIES_VARIABLES; ++k)
      term.power[k] = (uint8_t)(term.power[k] - common->power[k]);
    if (turn_taken) memset(term.angle, 0, sizeof term.angle);
    put_term(equation, &term, i == first, text);
  }
}

// The mass in a term, or -1
static int mass_of(const lwEquation* equation, const lwSeriesTerm* term)
{
  for (int k = 0; k < letters_of(equation); ++k)
    if (term->power[k] && equation->letters->letter[k].name[0] == 'm') return k;
  return -1;
}

// Whether two terms differ in nothing but which mass is in them
static bool alike_but_for_mass(const lwEquation* equation, lwSeriesTerm a, lwSeriesTerm b)
{
  int in_a = mass_of(equation, &a), in_b = mass_of(equation, &b);
  if (in_a < 0 || in_b < 0) return false;
  --a.power[in_a], --b.power[in_b];
  if (!has_letters(&a) && !has_angle(&a)) return false;  // m_1 + m_2 needs no brackets
  return !memcmp(a.power, b.power, sizeof a.power) && !memcmp(a.angle, b.angle, sizeof a.angle) &&
         a.sine == b.sine && fabs(a.coefficient - b.coefficient) <= 1e-12 * fabs(a.coefficient);
}

static int next_member(const lwSeries* series, const int* group, int first, int after)
{
  for (int i = after + 1; i < series->count; ++i)
    if (group[i] == first) return i;
  return -1;
}

// Whether the groups that begin with terms a and b are m_3 (..) and m_4 (..) with equal brackets
static bool groups_alike(const lwEquation* equation, const lwSeries* series, const int* group,
                         int a, int b)
{
  int i = a, j = b;
  while (i >= 0 && j >= 0)
  {
    if (!alike_but_for_mass(equation, series->term[i], series->term[j])) return false;
    i = next_member(series, group, a, i), j = next_member(series, group, b, j);
  }
  return i < 0 && j < 0;
}

// "(m_{3} + m_{4})" in the place of the mass of a factor, which is taken out of it; nothing where
// there is one mass.
static bool put_masses(const lwEquation* equation, const lwSeries* series, const int* group,
                       int first, lwSeriesTerm* factor, bool space, lwOut* text)
{
  int mass = mass_of(equation, factor), count = 0;
  for (int b = first + 1; b < series->count; ++b)
  {
    if (group[b] != b || !groups_alike(equation, series, group, first, b)) continue;
    if (count++ == 0)
    {
      lw_out_format(text, "%s(", space ? " " : "");
      put_variable(equation, mass, text);
    }
    lw_out_text(text, " + ");
    put_variable(equation, mass_of(equation, &series->term[b]), text);
  }
  if (count == 0) return false;
  lw_out_text(text, ")");
  --factor->power[mass];
  return true;
}

static void put_group(const lwEquation* equation, const lwSeries* series, const int* group,
                      int first, lwOut* text)
{
  int members         = 0;
  lwSeriesTerm common = common_factor(series, group, first, &members), outside = common;
  put_sign(first == 0, common.coefficient < 0, text);
  size_t before = lw_out_length(text);
  put_number(text, fabs(common.coefficient), !has_letters(&common) && !has_angle(&common));
  bool space = lw_out_length(text) > before;
  space      = put_masses(equation, series, group, first, &outside, space, text) || space;
  put_letters(equation, &outside, &space, text);
  if (members > 1)
  {
    lw_out_format(text, "%s(", space ? " " : "");
    put_members(equation, series, group, first, &common, text);
    lw_out_text(text, ")");
  }
  put_turn(&common, space || members > 1, text);
}

// Of the two ways to gather, the one with fewer groups.
void lw_equation_put(const lwEquation* equation, const lwSeries* series, lwOut* text)
{
  const size_t widest = 120;  // characters of the source, after which a line of the text is full
  int* group          = calloc(2 * (size_t)series->count + 1, sizeof *group);
  if (!group) text->error = ENOMEM;
  if (!group) return;
  int* other = group + series->count;
  bool rates = find_groups(equation, ALL_BUT_RATES, series, other) <
               find_groups(equation, MASS_AND_RATES, series, group);
  size_t began = lw_out_length(text);
  if (series->count == 0) lw_out_text(text, "0");
  for (int i = 0; i < series->count; ++i)
  {
    const int* chosen = rates ? other : group;
    bool merged       = false;  // m_3 l_1^2 + m_4 l_1^2: written with an earlier group
    for (int a = 0; a < i && chosen[i] == i; ++a)
      merged = merged || (chosen[a] == a && groups_alike(equation, series, chosen, a, i));
    if (chosen[i] != i || merged) continue;
    if (lw_out_length(text) - began > widest)
    {
      lw_out_text(text, " \\\\\n  &\\quad ");
      began = lw_out_length(text);
    }
    put_group(equation, series, chosen, i, text);
  }
  free(group);
}
