// SPDX-License-Identifier: MIT
// Attributes of URDF elements: numbers, names, references to links.
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "read/urdf/urdf.h"

enum
{
  LONGEST_NUMBER = 128,  // bytes of one that are looked at
  NEAREST_UP_TO  = 100   // errors; later ones are not kept, so look for no hint
};

// --- numbers

// One number of an attribute.
static bool read_one(lwUrdf* urdf, const lwUrdfNumbers* key, int item, lwNode* node, double* number)
{
  lwKey about      = {.name = key->name, .unit = key->unit};
  const char* word = node->text + (*node->text == '+' || *node->text == '-');
  bool infinite    = strcasecmp(word, "inf") == 0 || strcasecmp(word, "infinity") == 0;
  if (!key->infinite || !infinite)
    return lw_node_number(urdf->document, node, &about, key->size > 1 ? item : 0, number);
  *number = *node->text == '-' ? -INFINITY : INFINITY;
  return true;
}

static const char* skip_spaces(const char* text)
{
  return text + strspn(text, " \t\r\n");
}

bool lw_urdf_number_text(lwUrdf* urdf, const char* text, lwPlace place, const lwUrdfNumbers* key,
                         double* numbers)
{
  bool sound      = true;
  const char* end = skip_spaces(text);
  int found       = 0;
  for (const char* word = end; *word; ++found) word = skip_spaces(word + strcspn(word, " \t\r\n"));
  if (found != key->size)
    return lw_document_reject(urdf->document, place, NULL, "'%s' must be %d number%s%s%s, found %d",
                              key->name, key->size, key->size > 1 ? "s separated by spaces" : "",
                              key->unit ? ", in " : "", key->unit ? key->unit : "", found);
  for (int i = 0; i < key->size; ++i)
  {
    char word[LONGEST_NUMBER];
    const char* begin = skip_spaces(end);
    end               = begin + strcspn(begin, " \t\r\n");
    size_t length = (size_t)(end - begin) < sizeof word ? (size_t)(end - begin) : sizeof word - 1;
    memcpy(word, begin, length);
    word[length] = 0;
    lwNode node  = {
         .place = {place.line, place.column + lw_text_characters(text, (size_t)(begin - text))},
         .kind  = LW_NODE_SCALAR,
         .plain = true,
         .count = (int)strlen(word),
         .text  = word};
    sound &= read_one(urdf, key, i + 1, &node, &numbers[i]);
  }
  return sound;
}

static bool is_known(const char* name, const lwUrdfNumbers* table, int count, const char* also)
{
  for (int i = 0; i < count; ++i)
    if (strcmp(name, table[i].name) == 0) return true;
  return also && strcmp(name, also) == 0;
}

bool lw_urdf_numbers(lwUrdf* urdf, const lwXml* element, const lwUrdfNumbers* table, int count,
                     const char* also, void* target)
{
  bool sound = true;
  if (!element) return true;
  for (int i = 0; i < count; ++i)
  {
    const lwXmlAttribute* attribute = lw_xml_attribute(element, table[i].name);
    double* numbers                 = (double*)(void*)((char*)target + table[i].offset);
    if (attribute)
      sound &= lw_urdf_number_text(urdf, attribute->value, attribute->place, &table[i], numbers);
    else if (table[i].required)
    {
      lw_document_error(urdf->document, element->place, NULL, "<%s> needs the attribute '%s'",
                        element->name, table[i].name);
      sound = false;
    }
  }
  for (int i = 0; i < element->attribute_count; ++i)
    if (!is_known(element->attributes[i].name, table, count, also))
      lw_urdf_unused(urdf, element->attributes[i].name, element->name);
  return sound;
}

bool lw_urdf_origin(lwUrdf* urdf, const lwXml* owner, double xyz[3], double rpy[3], lwPlace* place)
{
  struct
  {
    double xyz[3], rpy[3];
  } origin                             = {{0}, {0}};
  static const lwUrdfNumbers numbers[] = {
      {"xyz", 0, 3, "m", false, false},
      {"rpy", 3 * sizeof(double), 3, "rad", false, false},
  };
  const lwXml* element = lw_urdf_only(urdf, owner, "origin");
  bool sound           = lw_urdf_numbers(urdf, element, numbers, 2, NULL, &origin);
  if (element) *place = element->place;
  memcpy(xyz, origin.xyz, sizeof origin.xyz);
  memcpy(rpy, origin.rpy, sizeof origin.rpy);
  return sound;
}

// --- names and elements

const char* lw_urdf_name(lwUrdf* urdf, const lwXml* element, const char* attribute, lwPlace* place)
{
  lwKey key                   = {.name = attribute, .kind = LW_VALUE_NAME};
  const lwXmlAttribute* found = lw_xml_attribute(element, attribute);
  if (!found)
  {
    lw_document_error(urdf->document, element->place, NULL, "<%s> needs the attribute '%s'",
                      element->name, attribute);
    return NULL;
  }
  lwNode node = {.place = found->place,
                 .kind  = LW_NODE_SCALAR,
                 .count = (int)strlen(found->value),
                 .text  = found->value};
  if (place) *place = found->place;
  return lw_node_text(urdf->document, &node, &key);
}

const lwXml* lw_urdf_only(lwUrdf* urdf, const lwXml* element, const char* name)
{
  const lwXml* first = lw_xml_child(element, name);
  for (const lwXml* other = first ? first->next : NULL; other; other = other->next)
    if (strcmp(other->name, name) == 0)
      lw_urdf_warn(urdf, "repeated", NULL, other->place, "the first one counts",
                   "<%s> has more than one <%s>", element->name, name);
  return first;
}

int lw_urdf_link_of(lwUrdf* urdf, const lwXml* owner, const char* role, lwPlace* place)
{
  const lwXml* element = lw_urdf_only(urdf, owner, role);
  if (!element)
  {
    lw_document_error(urdf->document, owner->place, NULL, "<%s> needs a <%s link=\"..\"/>",
                      owner->name, role);
    return -1;
  }
  lwPlace at       = element->place;
  const char* name = lw_urdf_name(urdf, element, "link", &at);
  if (place) *place = at;
  if (!name) return -1;
  int link = lw_name_map_find(&urdf->link_names, name);
  if (link >= 0) return link;
  lwNearest nearest = lw_nearest(name);
  for (int i = 0; i < urdf->link_count && urdf->document->errors < NEAREST_UP_TO; ++i)
    if (urdf->links[i].def.name) lw_nearest_try(&nearest, urdf->links[i].def.name);
  lw_document_error(urdf->document, at, LW_DID_YOU_MEAN(nearest), "there is no link '%.60s'", name);
  return -1;
}
