// SPDX-License-Identifier: MIT
#include "generate/letters.h"

#include <math.h>
#include <stdio.h>

// Values this small beside 1 m, 1 kg and 1 kg m^2 are rounding of the frames
static const double nothing = 1e-12;

static const char* const AXES[3]    = {"x", "y", "z"};
static const char* const MOMENTS[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};

static int add_letter(lwLetters* letters, lwLetter letter)
{
  if (fabs(letter.value) <= nothing) return -1;
  letter.sign = 1;
  if (letter.name[0] != 'I' &&
      letter.value < 0)  // lengths and gravity are positive, products of inertia are not
  {
    letter.sign  = -1;
    letter.value = -letter.value;
  }
  letters->letter[letters->count] = letter;
  return letters->count++;
}

// c_2 if there is one component, c_{2x} if there are more
static void add_vector(lwLetters* letters, const char* name, int number, const double value[3],
                       lwLetter like, int out[3])
{
  int parts = 0;
  for (int k = 0; k < 3; ++k) parts += fabs(value[k]) > nothing;
  for (int k = 0; k < 3; ++k)
  {
    lwLetter letter = like;
    letter.value    = value[k];
    snprintf(letter.name, sizeof letter.name, "%s_{%d%s}", name, number, parts > 1 ? AXES[k] : "");
    out[k] = add_letter(letters, letter);
  }
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

static void add_masses(const lwModel* model, lwLetters* letters)
{
  for (int i = 0; i < model->n; ++i)
  {
    lwLetter letter = {.value = model->link64[i].mass, .unit = "kg", .meaning = "mass", .link = i};
    snprintf(letter.name, sizeof letter.name, "m_{%d}", i + 1);
    letters->of_link[i][LW_LETTER_MASS] = add_letter(letters, letter);
  }
}

static void add_gravity(const lwModel* model, lwLetters* letters)
{
  const double* g = model->ends64.gravity;
  int parts       = 0;
  for (int k = 0; k < 3; ++k) parts += fabs(g[k]) > nothing;
  for (int k = 0; k < 3; ++k)
  {
    lwLetter letter = {.value = g[k], .unit = "m/s^2", .meaning = "gravity", .link = LW_BASE};
    snprintf(letter.name, sizeof letter.name, parts > 1 ? "g_{%s}" : "g", AXES[k]);
    letters->of_ends[LW_LETTER_GRAVITY + k] = add_letter(letters, letter);
  }
}

static void add_inertias(const lwModel* model, lwLetters* letters)
{
  for (int i = 0; i < model->n; ++i)
    for (int k = 0; k < 6; ++k)
    {
      lwLetter letter = {.value   = inertia_about_centre(&model->link64[i], k),
                         .unit    = "kg m^2",
                         .meaning = "inertia about the centre of mass",
                         .link    = i};
      snprintf(letter.name, sizeof letter.name, "I_{%d%s}", i + 1, MOMENTS[k]);
      letters->of_link[i][LW_LETTER_INERTIA + k] = add_letter(letters, letter);
    }
}

static void add_rotor_letters(const lwModel* model, lwLetters* letters)
{
  for (int i = 0; i < model->n; ++i)
  {
    bool slides     = model->kind[i] & LW_KIND_PRISMATIC;
    lwLetter letter = {.value   = model->link64[i].rotor,
                       .unit    = slides ? "kg" : "kg m^2",
                       .meaning = "rotor, seen at the joint",
                       .link    = i};
    snprintf(letter.name, sizeof letter.name, "J_{%d}", i + 1);
    letters->of_link[i][LW_LETTER_ROTOR] = add_letter(letters, letter);
  }
}

static int children(const lwModel* model, int parent)
{
  int count = 0;
  for (int i = 0; i < model->n; ++i) count += model->parent[i] == parent;
  return count;
}

// The length of a link that carries one joint has the number of that link; at a fork, of the joint.
static void add_places(const lwModel* model, lwLetters* letters)
{
  for (int i = 0; i < model->n; ++i)
  {
    int p         = model->parent[i];
    bool one      = p != LW_BASE && children(model, p) == 1;
    lwLetter span = {.unit = "m", .meaning = "from the joint before to this one", .link = i};
    lwLetter d    = {
           .value = model->link64[i].d, .unit = "m", .meaning = "offset along the axis", .link = i};
    add_vector(letters, one ? "l" : "a", one ? p + 1 : i + 1, model->link64[i].span, span,
               &letters->of_link[i][LW_LETTER_SPAN]);
    snprintf(d.name, sizeof d.name, "d_{%d}", i + 1);
    letters->of_link[i][LW_LETTER_D] = add_letter(letters, d);
  }
}

static void add_centres(const lwModel* model, lwLetters* letters)
{
  for (int i = 0; i < model->n; ++i)
  {
    double c[3];
    lwLetter centre = {.unit = "m", .meaning = "centre of mass from the joint", .link = i};
    centre_of(&model->link64[i], c);
    add_vector(letters, "c", i + 1, c, centre, &letters->of_link[i][LW_LETTER_CENTRE]);
  }
}

static void add_tool(const lwModel* model, lwLetters* letters)
{
  int tool       = model->tool;
  lwLetter place = {.unit = "m", .meaning = "end of the last link from its joint", .link = tool};
  add_vector(letters, "l", tool == LW_BASE ? 0 : tool + 1, model->ends64.tool_position, place,
             &letters->of_ends[LW_LETTER_TOOL]);
}

void lw_letters_of(const lwModel* model, lwLetters* letters)
{
  *letters = (lwLetters){.count = 0};
  add_masses(model, letters);  // in the order in which factors are written: m_2 g l_1
  add_gravity(model, letters);
  add_inertias(model, letters);
  add_rotor_letters(model, letters);
  add_places(model, letters);
  add_centres(model, letters);
  add_tool(model, letters);
}
