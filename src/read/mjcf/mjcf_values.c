// SPDX-License-Identifier: MIT
// Attributes with their defaults; orientations; what is left out.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "math/elementary.h"
#include "model/ball.h"
#include "read/mjcf/mjcf.h"

bool lw_mjcf_is(const lwXml* element, const char* name)
{
  return strcmp(element->name, name) == 0;
}

// --- attributes

// Actuators of all kinds share their defaults; those of tendons are called <tendon>.
static bool shares_defaults(const char* a, const char* b)
{
  static const char actuators[] = " general motor position velocity ";
  char x[64], y[64];
  if (strcmp(a, b) == 0 || (strcmp(a, "tendon") == 0 && strcmp(b, "fixed") == 0)) return true;
  snprintf(x, sizeof x, " %.60s ", a);
  snprintf(y, sizeof y, " %.60s ", b);
  return strstr(actuators, x) && strstr(actuators, y);
}

const lwXmlAttribute* lw_mjcf_find(const lwMjcf* mjcf, lwMjcfItem item, const char* name,
                                   const lwXml** owner)
{
  const lwXmlAttribute* found = lw_xml_attribute(item.element, name);
  *owner                      = item.element;
  for (int class = item.class; class >= 0 && !found; class = mjcf->classes[class].parent)
    for (int i = mjcf->class_count - 1; i >= 0 && !found; --i)
    {
      if (mjcf->classes[i].number != class || !mjcf->classes[i].element) continue;
      const lwXml* child = mjcf->classes[i].element->children;
      for (; child; child = child->next)
      {
        const lwXmlAttribute* other =
            shares_defaults(child->name, item.element->name) ? lw_xml_attribute(child, name) : NULL;
        if (other) *owner = child;
        if (other) found = other;
      }
    }
  return found;
}

const char* lw_mjcf_text(const lwMjcf* mjcf, lwMjcfItem item, const char* name)
{
  const lwXml* owner;
  const lwXmlAttribute* found = lw_mjcf_find(mjcf, item, name, &owner);
  return found ? found->value : NULL;
}

int lw_mjcf_numbers(lwMjcf* mjcf, lwMjcfItem item, const char* name, int least, int most,
                    double* numbers)
{
  const lwXml* owner;
  const lwXmlAttribute* found = lw_mjcf_find(mjcf, item, name, &owner);
  int count                   = 0;
  if (!found) return 0;
  const char* text = found->value + strspn(found->value, " \t\r\n");
  for (; *text; text += strspn(text, " \t\r\n"))
  {
    double x;
    text += *text == '+';
    if (!lw_number_read(&text, &x) || !isfinite(x) || !strchr(" \t\r\n", *text)) break;
    if (count < most) numbers[count] = x;
    ++count;
  }
  if (!*text && count >= least && count <= most) return count;
  if (*text)
    lw_mjcf_error(mjcf, owner, found->place, NULL, "'%s': expected finite numbers, found '%.40s'",
                  name, text);
  else
    lw_mjcf_error(mjcf, owner, found->place, NULL, "'%s' must be %d%s%.0d number%s, found %d", name,
                  least, most > least ? " to " : "", most > least ? most : 0, most > 1 ? "s" : "",
                  count);
  return 0;
}

double lw_mjcf_number(lwMjcf* mjcf, lwMjcfItem item, const char* name, double otherwise)
{
  double number;
  return lw_mjcf_numbers(mjcf, item, name, 1, 1, &number) ? number : otherwise;
}

int lw_mjcf_word(lwMjcf* mjcf, lwMjcfItem item, const char* name, const char* const* words,
                 int otherwise)
{
  const lwXml* owner;
  const lwXmlAttribute* found = lw_mjcf_find(mjcf, item, name, &owner);
  if (!found) return otherwise;
  lwNearest nearest = lw_nearest(found->value);
  for (int i = 0; words[i]; ++i)
  {
    if (strcmp(words[i], found->value) == 0) return i;
    lw_nearest_try(&nearest, words[i]);
  }
  lw_mjcf_error(mjcf, owner, found->place, LW_DID_YOU_MEAN(nearest), "'%s': unknown word '%.40s'",
                name, found->value);
  return otherwise;
}

// --- orientations

lwTransform lw_mjcf_rotation(const double quaternion[4])
{
  const double* q     = quaternion;
  const double xyzw[] = {q[1], q[2], q[3], q[0]};
  lwTransform turn    = lw_identity;
  double R[9];
  quaternion_matrix(xyzw, R);
  memcpy(turn.R, R, sizeof R);
  return turn;
}

lwTransform lw_mjcf_turn(const double axis[3], double angle)
{
  double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  double s      = lw_sin(angle / 2) / length;
  return lw_mjcf_rotation((double[4]){lw_cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]});
}

// Small letters: axes that turn with the body; capital letters: axes that stay.
static lwTransform from_euler(const lwMjcf* mjcf, const double angles[3])
{
  lwTransform turn = lw_identity;
  for (int i = 0; i < 3; ++i)
  {
    char letter      = mjcf->order[i];
    bool stays       = letter >= 'X' && letter <= 'Z';
    int k            = letter - (stays ? 'X' : 'x');
    double axis[3]   = {k == 0, k == 1, k == 2};
    lwTransform next = lw_mjcf_turn(axis, angles[i]);
    turn             = stays ? lw_compose(&next, &turn) : lw_compose(&turn, &next);
  }
  return turn;
}

static bool normalize(double v[3])
{
  double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3 && length > 1e-14; ++i) v[i] /= length;
  return length > 1e-14;
}

// x as given, y made perpendicular to it.
static bool from_axes(const double v[6], lwTransform* turn)
{
  double x[3] = {v[0], v[1], v[2]}, y[3] = {v[3], v[4], v[5]};
  if (!normalize(x)) return false;
  double along = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  for (int i = 0; i < 3; ++i) y[i] -= along * x[i];
  if (!normalize(y)) return false;
  for (int i = 0; i < 3; ++i)
  {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    turn->R[i][0] = x[i];
    turn->R[i][1] = y[i];
    turn->R[i][2] = x[j] * y[k] - x[k] * y[j];
  }
  return true;
}

// The shortest turn of z to a direction; about x, where it is -z.
static bool from_z(const double v[3], lwTransform* turn)
{
  double z[3] = {v[0], v[1], v[2]};
  if (!normalize(z)) return false;
  double axis[3] = {-z[1], z[0], 0}, s = sqrt(z[0] * z[0] + z[1] * z[1]);
  if (s < 1e-10)
  {
    axis[0] = 1;
    axis[1] = 0;
  }
  *turn = lw_mjcf_turn(axis, lw_atan2(s, z[2]));
  return true;
}

static const char* const orientations[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};

// The last of the attributes that the element has, or else its defaults: all but a quaternion
// take precedence over one.
static int choose_orientation(lwMjcf* mjcf, lwMjcfItem item)
{
  int chosen = 0, own = 0;
  const lwXml* owner;
  for (int k = 0; k < 5; ++k)
  {
    own += lw_xml_attribute(item.element, orientations[k]) != NULL;
    if (k > 0 && lw_mjcf_find(mjcf, item, orientations[k], &owner) &&
        (chosen == 0 || owner == item.element))
      chosen = k;
  }
  if (own > 1)
    lw_mjcf_error(mjcf, item.element, item.element->place, "give one of them",
                  "<%s> has more than one orientation", item.element->name);
  return chosen;
}

lwTransform lw_mjcf_place(lwMjcf* mjcf, lwMjcfItem item)
{
  double v[6] = {1, 0, 0, 0, 0, 0}, p[3] = {0, 0, 0}, unit = mjcf->degrees ? LW_PI / 180 : 1;
  static const int sizes[] = {4, 4, 3, 6, 3};
  lwTransform place        = lw_identity;
  int kind                 = choose_orientation(mjcf, item);
  bool sound               = true;
  if (lw_mjcf_numbers(mjcf, item, orientations[kind], sizes[kind], sizes[kind], v))
  {
    if (kind == 0) sound = v[0] != 0 || v[1] != 0 || v[2] != 0 || v[3] != 0;
    if (kind == 1) sound = v[0] != 0 || v[1] != 0 || v[2] != 0;
    if (kind == 0 && sound) place = lw_mjcf_rotation(v);
    if (kind == 1 && sound) place = lw_mjcf_turn(v, v[3] * unit);
    if (kind == 2) place = from_euler(mjcf, (double[3]){v[0] * unit, v[1] * unit, v[2] * unit});
    if (kind == 3) sound = from_axes(v, &place);
    if (kind == 4) sound = from_z(v, &place);
  }
  if (!sound)
    lw_mjcf_error(mjcf, item.element, item.element->place, NULL,
                  "'%s' of <%s> has no direction: a length is 0", orientations[kind],
                  item.element->name);
  lw_mjcf_numbers(mjcf, item, "pos", 3, 3, p);
  for (int i = 0; i < 3; ++i) place.p[i] = p[i];
  return place;
}

// --- what is left out

void lw_mjcf_leave(lwMjcf* mjcf, const lwXml* element, const char* what, bool matters)
{
  int k = 0;
  while (k < mjcf->left_count && strcmp(mjcf->left[k].what, what) != 0) ++k;
  if (k == LW_MJCF_MAX_LEFT) return;
  if (k == mjcf->left_count)
    mjcf->left[mjcf->left_count++] = (lwMjcfLeft){what, matters, 0, element};
  ++mjcf->left[k].count;
}

void lw_mjcf_check(lwMjcf* mjcf, const lwXml* element, const char* known)
{
  for (int i = 0; i < element->attribute_count; ++i)
  {
    const lwXmlAttribute* attribute = &element->attributes[i];
    size_t length                   = strlen(attribute->name);
    const char* at                  = known;
    bool found                      = false;
    for (; (at = strstr(at, attribute->name)) && !found; at += length)
      found = (at == known || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0);
    if (found || strchr(attribute->name, ':')) continue;
    bool strict = mjcf->options.lint.strict;
    mjcf->document->errors += strict;
    lw_diag_report(mjcf->document->diag, strict ? LW_SEVERITY_ERROR : LW_SEVERITY_WARNING,
                   &element->document->source, attribute->place, "it may matter; it is left out",
                   "unknown attribute '%.40s' of <%.40s>", attribute->name, element->name);
  }
}

static const char* file_name(const lwXml* element)
{
  const char* file  = element->document->source.file ? element->document->source.file : "text";
  const char* slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

const char* lw_mjcf_notes(lwMjcf* mjcf)
{
  char* text  = lw_arena_take(&mjcf->document->arena, (size_t)mjcf->left_count + 1, 200);
  size_t used = 0;
  if (!text || mjcf->left_count == 0) return NULL;
  for (int matters = 1; matters >= 0; --matters)
    for (int k = 0; k < mjcf->left_count; ++k)
    {
      const lwMjcfLeft* left = &mjcf->left[k];
      if (left->matters != matters) continue;
      int length = snprintf(
          text + used, 200, "%s%s: %.60s: %d, first at %.60s:%d:%d", used ? "\n" : "",
          matters ? "left out, acts on the motion" : "without effect on the dynamics", left->what,
          left->count, file_name(left->first), left->first->place.line, left->first->place.column);
      used += length < 200 ? (size_t)length : 199;
    }
  return text;
}
