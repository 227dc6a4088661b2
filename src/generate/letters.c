// SPDX-License-Identifier: MIT
#include "generate/letters.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// Values this small compared with 1 m, 1 kg and 1 kg m^2 are rounding of the frames
static const double nothing = 1e-12;

static const char* const AXES[3]    = {"x", "y", "z"};
static const char* const MOMENTS[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};

// What letters of one kind have in common.
typedef struct LetterKind
{
  const char* unit;
  const char* meaning;
} LetterKind;

// The number of a new letter, or -1 if the value is zero.
__attribute__((format(printf, 5, 6))) static int
add_letter(lwLetters* letters, LetterKind kind, int link, double value, const char* format, ...)
{
  if (fabs(value) <= nothing) return -1;
  lwLetter* letter = &letters->letter[letters->count];
  *letter          = (lwLetter){
               .value = value, .sign = 1, .unit = kind.unit, .meaning = kind.meaning, .link = link};
  va_list values;
  va_start(values, format);
  vsnprintf(letter->name, sizeof letter->name, format, values);
  va_end(values);
  if (letter->name[0] != 'I' && value < 0)  // lengths are positive, products of inertia are not
    letter->sign = -1, letter->value = -value;
  return letters->count++;
}

static int parts_of(const double value[3])
{
  int parts = 0;
  for (int k = 0; k < 3; ++k) parts += fabs(value[k]) > nothing;
  return parts;
}

// c_2 if there is one component, c_{2x} if there are more
static void add_vector(lwLetters* letters, LetterKind kind, int link, const char* name, int number,
                       const double value[3], int out[3])
{
  for (int k = 0; k < 3; ++k)
    out[k] = add_letter(letters, kind, link, value[k], "%s_{%d%s}", name, number,
                        parts_of(value) > 1 ? AXES[k] : "");
}

static void centre_of(const lwLink64* link, double centre[3])
{
  for (int k = 0; k < 3; ++k) centre[k] = link->mass > 0 ? link->first_moment[k] / link->mass : 0;
}

static double inertia_about_centre(const lwLink64* link, int k)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double c[3];
  centre_of(link, c);
  double square  = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  double steiner = (k < 3 ? square : 0) - c[row[k]] * c[column[k]];
  double about   = link->inertia[k] - link->mass * steiner;
  return fabs(about) <= 1e-14 * link->mass * square ? 0 : about;
}

// The length of a link that carries one joint has the number of that link; at a fork, of the joint.
static void add_places(const lwModel* model, int i, lwLetters* letters)
{
  const LetterKind span = {"m", "from the joint before to this one"};
  const LetterKind d    = {"m", "offset along the axis"};
  int p = model->parent[i], children = 0;
  for (int k = 0; k < model->n; ++k) children += model->parent[k] == p;
  bool one = p != LW_BASE && children == 1;
  add_vector(letters, span, i, one ? "l" : "a", one ? p + 1 : i + 1, model->link64[i].span,
             &letters->of_link[i][LW_LETTER_SPAN]);
  letters->of_link[i][LW_LETTER_D] = add_letter(letters, d, i, model->link64[i].d, "d_{%d}", i + 1);
}

// Letters are numbered in the order in which factors are written: m_2 g l_1
void lw_letters_of(const lwModel* model, lwLetters* letters)
{
  const LetterKind mass = {"kg", "mass"}, gravity = {"m/s^2", "gravity"};
  const LetterKind inertia = {"kg m^2", "inertia about the centre of mass"};
  const LetterKind centre  = {"m", "centre of mass from the joint"};
  const LetterKind end     = {"m", "end of the last link from its joint"};
  const double* g          = model->ends64.gravity;
  int n = model->n, tool = model->tool;
  *letters = (lwLetters){.count = 0};
  for (int i = 0; i < n; ++i)
    letters->of_link[i][LW_LETTER_MASS] =
        add_letter(letters, mass, i, model->link64[i].mass, "m_{%d}", i + 1);
  for (int k = 0; k < 3; ++k)
    letters->of_ends[LW_LETTER_GRAVITY + k] =
        parts_of(g) > 1 ? add_letter(letters, gravity, LW_BASE, g[k], "g_{%s}", AXES[k])
                        : add_letter(letters, gravity, LW_BASE, g[k], "g");
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 6; ++k)
      letters->of_link[i][LW_LETTER_INERTIA + k] =
          add_letter(letters, inertia, i, inertia_about_centre(&model->link64[i], k), "I_{%d%s}",
                     i + 1, MOMENTS[k]);
  for (int i = 0; i < n; ++i)
  {
    bool slides            = model->kind[i] & LW_KIND_PRISMATIC;
    const LetterKind rotor = {slides ? "kg" : "kg m^2", "rotor, seen at the joint"};
    letters->of_link[i][LW_LETTER_ROTOR] =
        add_letter(letters, rotor, i, model->link64[i].rotor, "J_{%d}", i + 1);
  }
  for (int i = 0; i < n; ++i) add_places(model, i, letters);
  for (int i = 0; i < n; ++i)
  {
    double c[3];
    centre_of(&model->link64[i], c);
    add_vector(letters, centre, i, "c", i + 1, c, &letters->of_link[i][LW_LETTER_CENTRE]);
  }
  add_vector(letters, end, tool, "l", tool == LW_BASE ? 0 : tool + 1, model->ends64.tool_position,
             &letters->of_ends[LW_LETTER_TOOL]);
}
