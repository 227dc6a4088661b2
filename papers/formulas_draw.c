// SPDX-License-Identifier: MIT
// Sets equations as SVG: every piece of text has its length with it, so that the picture is the same
// with every font. A term is measured by drawing it without ink.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulas.h"

typedef struct FormulaPen
{
  const Formulas* formulas;
  char* text;
  size_t length, capacity;
  bool ink, failed;
  const char* colour;
} FormulaPen;

// What a term takes around its base line, px.
typedef struct TermBox
{
  double width, above, below;
} TermBox;

__attribute__((format(printf, 2, 3))) static void pen_write(FormulaPen* pen, const char* format,
                                                            ...)
{
  char piece[512];
  va_list arguments;
  va_start(arguments, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start() is just above
  int length = vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof piece || pen->failed) return;
  if (pen->length + (size_t)length + 1 > pen->capacity)
  {
    size_t capacity = 2 * pen->capacity + 4096;
    char* grown     = realloc(pen->text, capacity);
    if (!grown)
    {
      pen->failed = true;
      return;
    }
    pen->text     = grown;
    pen->capacity = capacity;
  }
  memcpy(pen->text + pen->length, piece, (size_t)length + 1);
  pen->length += (size_t)length;
}

// --- pieces of text

// Bytes of a character of UTF-8.
static int char_bytes(const char* at)
{
  unsigned char c = (unsigned char)*at;
  return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

// Widths of the letters of most serif fonts, in units of their size.
static double letter_width(const char* at)
{
  static const char* const wide[] = {"ω", "Ω", "ψ", "φ", "χ", "∑"};
  for (size_t k = 0; k < sizeof wide / sizeof *wide; ++k)
    if (!strncmp(at, wide[k], strlen(wide[k]))) return 0.76;
  if (!strncmp(at, "·", strlen("·"))) return 0.3;
  if (strchr("ijl.,;:'|()[] ", *at)) return 0.36;
  if (strchr("IJ", *at)) return 0.42;
  if (strchr("frst", *at)) return 0.48;
  if (strchr("mwMW", *at)) return 0.92;
  return *at >= 'A' && *at <= 'Z' ? 0.74 : 0.64;
}

static double formula_width(const char* text, double size)
{
  double width = 0;
  for (; *text; text += char_bytes(text)) width += letter_width(text);
  return width * size;
}

// Blanks at both ends are room only: viewers drop them and would stretch the rest.
static double formula_text(FormulaPen* pen, const char* text, double x, double y, double size,
                           bool italic)
{
  double width = formula_width(text, size), blank = letter_width(" ") * size;
  size_t before = strspn(text, " "), end = strlen(text);
  while (end > before && text[end - 1] == ' ') --end;
  double outside = (double)(before + strlen(text) - end) * blank;
  if (pen->ink && end > before)
    pen_write(pen,
              "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" textLength=\"%.1f\" "
              "lengthAdjust=\"spacingAndGlyphs\" fill=\"%s\"%s>%.*s</text>\n",
              x + (double)before * blank, y, size, width - outside,
              pen->colour ? pen->colour : "#000", italic ? " font-style=\"italic\"" : "",
              (int)(end - before), text + before);
  return width;
}

static const char* const RED = "#b00020";

static const struct
{
  const char *name, *sign;
} LETTERS[] = {{"omega", "ω"},  {"theta", "θ"},   {"alpha", "α"}, {"tau", "τ"},    {"chi", "χ"},
               {"phi", "φ"},    {"psi", "ψ"},     {"gamma", "γ"}, {"Omega", "Ω"},  {"varphi", "ϕ"},
               {"lambda", "λ"}, {"epsilon", "ε"}, {"delta", "δ"}, {"partial", "∂"}};

// A letter of a look at *at, which moves past it.
static const char* next_letter(const char** at, char buffer[8])
{
  if (**at == '\\')
    for (size_t k = 0; k < sizeof LETTERS / sizeof *LETTERS; ++k)
      if (!strncmp(*at + 1, LETTERS[k].name, strlen(LETTERS[k].name)))
      {
        *at += 1 + strlen(LETTERS[k].name);
        return LETTERS[k].sign;
      }
  int bytes = char_bytes(*at);
  memcpy(buffer, *at, (size_t)bytes);
  buffer[bytes] = 0;
  *at += bytes;
  return buffer;
}

// Letters with accents, \dot\omega, up to one of `ends`; the accents are drawn above.
static double set_look(FormulaPen* pen, const char** look, const char* ends, double x, double y,
                       double size)
{
  static const struct
  {
    const char *name, *sign;
  } accents[]        = {{"\\ddot", "¨"}, {"\\dot", "˙"}, {"\\hat", "^"}, {"\\bar", "¯"}};
  double from        = x;
  const char* accent = NULL;
  while (**look && !strchr(ends, **look))
  {
    bool found = false;
    for (size_t k = 0; k < sizeof accents / sizeof *accents && !found; ++k)
      if (!strncmp(*look, accents[k].name, strlen(accents[k].name)))
      {
        accent = accents[k].sign;
        *look += strlen(accents[k].name);
        found = true;
      }
    if (found || **look == ' ')
    {
      *look += !found;
      continue;
    }
    if (**look == '_')  // the letter is an index
    {
      ++*look;
      char small[8];
      x += formula_text(pen, next_letter(look, small), x, y + 0.22 * size, 0.7 * size, true);
      continue;
    }
    char buffer[8];
    const char* letter = next_letter(look, buffer);
    double width       = formula_width(letter, size);
    if (accent)
      formula_text(pen, accent, x + width / 2 - formula_width(accent, size) / 2 + 0.06 * size,
                   y - 0.1 * size, size, false);
    accent = NULL;
    x += formula_text(pen, letter, x, y, size, true);
  }
  return x - from;
}

// --- terms

static TermBox formula_term(FormulaPen* pen, const FormulaTerm* term, double x, double y,
                            double size);

static TermBox measure_term(FormulaPen* pen, const FormulaTerm* term, double size)
{
  bool ink    = pen->ink;
  pen->ink    = false;
  TermBox box = formula_term(pen, term, 0, 0, size);
  pen->ink    = ink;
  return box;
}

// Indices first .. last - 1 of a name, with commas.
static double set_indices(FormulaPen* pen, const FormulaTerm* term, int first, int last, double x,
                          double y, double size)
{
  double from = x;
  for (int k = first; k < last; ++k)
  {
    if (k > first) x += formula_text(pen, ",", x, y, size, false);
    x += formula_term(pen, term->index[k], x, y, size).width;
  }
  return x - from;
}

static const char* look_of(const FormulaPen* pen, const char* name)
{
  for (int k = 0; k < pen->formulas->symbols; ++k)
    if (!strcmp(pen->formulas->symbol[k].name, name)) return pen->formulas->symbol[k].look;
  return name;
}

static void formula_bar(FormulaPen* pen, double x, double y, double width)
{
  if (pen->ink)
    pen_write(pen, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x, y,
              x + width, y, pen->colour ? pen->colour : "#000");
}

// d(V/u): a derivative, its last index with the denominator, those before with the numerator.
static TermBox set_derivative(FormulaPen* pen, const FormulaTerm* term, const char* look, double x,
                              double y, double size)
{
  double small = 0.8 * size, up = y - 0.55 * size, down = y + 0.55 * size, at = x + 2;
  int middle = term->indices - 1;
  look += 2;
  at += formula_text(pen, "∂", at, up, small, false);
  at += set_look(pen, &look, "/", at, up, small);
  at += set_indices(pen, term, 0, middle, at, up + 0.2 * small, 0.7 * small);
  double width = at - x;
  if (*look == '/') ++look;
  at = x + 2;
  at += formula_text(pen, "∂", at, down, small, false);
  at += set_look(pen, &look, ")", at, down, small);
  at += set_indices(pen, term, middle, term->indices, at, down + 0.2 * small, 0.7 * small);
  width = fmax(width, at - x) + 2;
  formula_bar(pen, x, y - 0.3 * size, width);
  return (TermBox){width + 1, 1.4 * size, 0.9 * size};
}

// The index before: i of i + 1, i - 1 of i.
static double set_index_before(FormulaPen* pen, const FormulaTerm* index, double x, double y,
                               double size)
{
  bool next =
      index->kind == TERM_ADD && index->right->kind == TERM_NUMBER && index->right->number == 1;
  if (next) return formula_term(pen, index->left, x, y, size).width;
  double width = formula_term(pen, index, x, y, size).width;
  return width + formula_text(pen, "−1", x + width, y, size, false);
}

// u<R, d<R: a rotation to the frame before and back, the frame that it leads to above on the left;
// u>A, d>A: that frame below, the other above.
static TermBox set_rotation(FormulaPen* pen, const FormulaTerm* term, const char* look, double x,
                            double y, double size)
{
  double small = 0.7 * size, from = x, wide[2], at[2] = {x, x}, level = y - 0.4 * size;
  bool up = look[0] == 'u', left = look[1] == '<';
  if (left)
    x += up ? set_index_before(pen, term->index[0], x, level, small)
            : formula_term(pen, term->index[0], x, level, small).width;
  x += formula_text(pen, look + 2, x, y, size, true);
  at[0] = at[1]        = x;
  bool below_is_before = left ? !up : up;
  wide[0]              = below_is_before
                             ? set_index_before(pen, term->index[0], at[0], y + 0.22 * size, small)
                             : formula_term(pen, term->index[0], at[0], y + 0.22 * size, small).width;
  wide[1]              = 0;
  if (!left)
    wide[1] = up ? formula_term(pen, term->index[0], at[1], level, small).width
                 : set_index_before(pen, term->index[0], at[1], level, small);
  return (TermBox){x - from + fmax(wide[0], wide[1]) + 1, size, 0.4 * size};
}

// LOOK with indices below; ^LOOK: the first is above on the left; LOOK^: the last is above; LOOK*.
static TermBox formula_name(FormulaPen* pen, const FormulaTerm* term, double x, double y,
                            double size)
{
  const char* look = look_of(pen, term->name);
  double small = 0.7 * size, from = x;
  int first = 0, last = term->indices;
  if (*look && (look[1] == '<' || look[1] == '>') && last == 1)
    return set_rotation(pen, term, look, x, y, size);
  if (!strncmp(look, "d(", 2)) return set_derivative(pen, term, look, x, y, size);
  if (*look == '^' && last > 0)
  {
    ++look;
    x += set_indices(pen, term, first++, 1, x, y - 0.4 * size, small);
  }
  x += set_look(pen, &look, "^*", x, y, size);
  double above = 0;
  if (*look == '*') above = formula_text(pen, "*", x, y - 0.35 * size, small, false);
  if (*look == '^' && last > first)
  {
    --last;
    above = set_indices(pen, term, last, last + 1, x, y - 0.4 * size, small);
  }
  double below = set_indices(pen, term, first, last, x, y + 0.22 * size, small);
  return (TermBox){x - from + fmax(above, below) + 1, size, 0.4 * size};
}

static TermBox join_boxes(TermBox a, TermBox b)
{
  return (TermBox){a.width + b.width, fmax(a.above, b.above), fmax(a.below, b.below)};
}

static TermBox set_sign(FormulaPen* pen, const char* sign, TermBox box, double x, double y,
                        double size)
{
  double gap = 0.22 * size;
  box.width += gap + formula_text(pen, sign, x + box.width + gap, y, size, false) + gap;
  return box;
}

static TermBox formula_pair(FormulaPen* pen, const FormulaTerm* term, const char* sign, double x,
                            double y, double size)
{
  TermBox box = formula_term(pen, term->left, x, y, size);
  box         = *sign ? set_sign(pen, sign, box, x, y, size) : box;
  if (!*sign) box.width += 0.12 * size;
  return join_boxes(box, formula_term(pen, term->right, x + box.width, y, size));
}

static TermBox set_fraction(FormulaPen* pen, const FormulaTerm* term, double x, double y,
                            double size)
{
  const FormulaTerm* top   = term->left->kind == TERM_BRACKET ? term->left->left : term->left;
  const FormulaTerm* under = term->right->kind == TERM_BRACKET ? term->right->left : term->right;
  TermBox a = measure_term(pen, top, 0.85 * size), b = measure_term(pen, under, 0.85 * size);
  double width = fmax(a.width, b.width) + 4, bar = y - 0.3 * size;
  formula_term(pen, top, x + (width - a.width) / 2, bar - a.below - 2, 0.85 * size);
  formula_term(pen, under, x + (width - b.width) / 2, bar + b.above + 1, 0.85 * size);
  formula_bar(pen, x, bar, width);
  return (TermBox){width + 2, 0.3 * size + a.above + a.below + 2,
                   b.above + b.below + 1 - 0.3 * size};
}

// A term behind a sign that stands for all of it: sums get brackets.
static TermBox formula_operand(FormulaPen* pen, const FormulaTerm* term, double x, double y,
                               double size)
{
  FormulaTerm bracket = {.kind = TERM_BRACKET, .left = (FormulaTerm*)term};
  bool sum            = term->kind == TERM_ADD || term->kind == TERM_SUBTRACT;
  return formula_term(pen, sum ? &bracket : term, x, y, size);
}

// dX/dt, or the partial derivative by the quantity of a joint; what is not a name stands behind.
static TermBox set_derivative_of(FormulaPen* pen, const FormulaTerm* term, double x, double y,
                                 double size)
{
  const char* sign = term->kind == TERM_RATE ? "d" : "∂";
  double small = 0.8 * size, up = y - 0.55 * size, down = y + 0.75 * size, top = x + 2, low = x + 2;
  bool behind = term->left->kind != TERM_NAME || !strncmp(look_of(pen, term->left->name), "d(", 2);
  top += formula_text(pen, sign, top, up, small, false);
  if (!behind) top += formula_term(pen, term->left, top, up, small).width;
  low += formula_text(pen, sign, low, down, small, false);
  if (term->right)
    low += formula_term(pen, term->right, low, down, small).width;
  else
    low += formula_text(pen, "t", low, down, small, true);
  double width = fmax(top, low) - x + 2;
  formula_bar(pen, x, y - 0.3 * size, width);
  TermBox box = {width + 2, 1.5 * size, 1.1 * size};
  return behind ? join_boxes(box, formula_operand(pen, term->left, x + box.width, y, size)) : box;
}

static TermBox set_series(FormulaPen* pen, const FormulaTerm* term, double x, double y, double size)
{
  double small = 0.62 * size, wide = 1.3 * size, low = y + 0.95 * size, at = x;
  formula_text(pen, "∑", x + 0.25 * size, y + 0.12 * size, 1.6 * size, false);
  at += formula_text(pen, term->name, at, low, small, true);
  at += formula_text(pen, "=", at, low, small, false);
  at += formula_term(pen, term->index[0], at, low, small).width;
  formula_term(pen, term->index[1], x + 0.4 * size, y - 1.28 * size, small);
  wide        = fmax(wide, at - x) + 2;
  TermBox box = {wide, 1.9 * size, 1.1 * size};
  return join_boxes(box, formula_operand(pen, term->left, x + wide, y, size));
}

static TermBox set_bracket(FormulaPen* pen, const FormulaTerm* term, double x, double y,
                           double size)
{
  TermBox inside = measure_term(pen, term->left, size);
  double tall    = fmax(size, 0.75 * (inside.above + inside.below));
  double drop    = y + (tall > size ? 0.15 * tall : 0);
  TermBox box    = {formula_text(pen, "(", x, drop, tall, false), inside.above, inside.below};
  box            = join_boxes(box, formula_term(pen, term->left, x + box.width, y, size));
  box.width += formula_text(pen, ")", x + box.width, drop, tall, false);
  return box;
}

// Where a tilde begins: over the letter of a name, over the middle of a sum.
static double accent_at(const FormulaTerm* term, double width, double size)
{
  double middle = fmax(0.1 * size, width / 2 - 0.4 * size);
  return term->kind == TERM_NAME ? fmin(middle, 0.35 * size) : middle;
}

static TermBox formula_term(FormulaPen* pen, const FormulaTerm* term, double x, double y,
                            double size)
{
  char digits[32];
  TermBox box = {0, size, 0.3 * size};
  switch (term->kind)
  {
    case TERM_NUMBER:
      snprintf(digits, sizeof digits, "%g", term->number);
      box.width = formula_text(pen, digits, x, y, size, false);
      return box;
    case TERM_NAME:
      return formula_name(pen, term, x, y, size);
    case TERM_ADD:
      return formula_pair(pen, term, "+", x, y, size);
    case TERM_SUBTRACT:
      return formula_pair(pen, term, "−", x, y, size);
    case TERM_MULTIPLY:
      return formula_pair(pen, term, "", x, y, size);
    case TERM_CROSS:
      return formula_pair(pen, term, "×", x, y, size);
    case TERM_DOT:
      return formula_pair(pen, term, "·", x, y, size);
    case TERM_DIVIDE:
      return set_fraction(pen, term, x, y, size);
    case TERM_NEGATE:
      box.width = formula_text(pen, "−", x, y, size, false);
      return join_boxes(box, formula_term(pen, term->left, x + box.width, y, size));
    case TERM_TRANSPOSE:
      box = formula_term(pen, term->left, x, y, size);
      box.width += formula_text(pen, "T", x + box.width, y - 0.4 * size, 0.7 * size, false);
      return box;
    case TERM_TILDE:
      box = formula_operand(pen, term->left, x, y, size);
      formula_text(pen, "~", x + accent_at(term->left, box.width, size), y - 0.55 * size, size,
                   false);
      return box;
    case TERM_RATE:
    case TERM_PARTIAL:
      return set_derivative_of(pen, term, x, y, size);
    case TERM_AXIAL:
    case TERM_TRACE:
      box.width =
          formula_text(pen, term->kind == TERM_AXIAL ? "axial" : "tr", x, y, 0.9 * size, false);
      return join_boxes(box, set_bracket(pen, term, x + box.width, y, size));
    case TERM_BRACKET:
      return set_bracket(pen, term, x, y, size);
    case TERM_SUM:
      return set_series(pen, term, x, y, size);
  }
  return box;
}

// --- lines

static TermBox set_equation(FormulaPen* pen, const Formula* equation, double x, double y,
                            double size)
{
  TermBox box = formula_term(pen, equation->left, x, y, size);
  box         = set_sign(pen, "=", box, x, y, size);
  box         = join_boxes(box, formula_term(pen, equation->right, x + box.width, y, size));
  box.width += size;
  for (int k = 0; k < equation->ranges; ++k)
  {
    const FormulaRange* range = &equation->range[k];
    double small              = 0.85 * size;
    box.width += formula_text(pen, range->name, x + box.width, y, small, true);
    box.width += formula_text(pen, " = ", x + box.width, y, small, false);
    const FormulaTerm* ends[] = {equation->down ? range->last : range->first,
                                 equation->down ? range->first : range->last};
    box.width += formula_term(pen, ends[0], x + box.width, y, small).width;
    box.width += formula_text(pen, " .. ", x + box.width, y, small, false);
    box.width += formula_term(pen, ends[1], x + box.width, y, small).width;
    if (k + 1 < equation->ranges)
      box.width += formula_text(pen, ",  ", x + box.width, y, small, false);
  }
  return box;
}

static TermBox formula_row(FormulaPen* pen, const Formula* equation, double y, double width)
{
  static const double size = 17, left = 12;
  TermBox box = {0, size, 0.4 * size};
  if (!equation->number)
  {
    if (pen->ink)
      pen_write(pen, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">%s</text>\n", left, y,
                0.8 * size, equation->text);
    box.width = left + formula_width(equation->text, 0.8 * size);
    return box;
  }
  pen->colour = equation->erratum ? RED : NULL;
  box         = set_equation(pen, equation, left + 14, y, size);
  char number[64];
  snprintf(number, sizeof number, "%s%s%s", equation->number,
           equation->erratum ? " corrected, " : "", equation->erratum ? equation->erratum : "");
  double wide = formula_width(number, 0.85 * size);
  if (pen->ink)
    pen_write(pen,
              "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"end\" "
              "fill=\"%s\">%s</text>\n",
              width - 8, y, 0.85 * size, pen->colour ? pen->colour : "#000", number);
  pen->colour = NULL;
  box.width += left + 14 + 30 + wide;
  return box;
}

char* formulas_svg(const Formulas* formulas)
{
  FormulaPen pen = {.formulas = formulas};
  double width = 0, height = 10;
  for (int pass = 0; pass < 2; ++pass)
  {
    double y = 10;
    pen.ink  = pass == 1;
    if (pen.ink)
      pen_write(
          &pen,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
          "height=\"%.0f\" font-family=\"serif\">\n<rect width=\"100%%\" height=\"100%%\" "
          "fill=\"#fff\"/>\n",
          width, height, width, height);
    for (int i = 0; i < formulas->count; ++i)
    {
      const char* number = formulas->equation[i].number;
      if (number && !strcmp(number, "check")) continue;
      pen.ink     = false;
      TermBox box = formula_row(&pen, &formulas->equation[i], 0, width);
      pen.ink     = pass == 1;
      formula_row(&pen, &formulas->equation[i], y + box.above, width);
      y += box.above + box.below + 9;
      if (pass == 0) width = fmax(width, box.width);
    }
    height = y;
  }
  pen_write(&pen, "</svg>\n");
  if (pen.failed) free(pen.text);
  return pen.failed ? NULL : pen.text;
}
