// SPDX-License-Identifier: MIT
// Finds the tags of an XML text. libxml2 decides whether the text is XML, but does not say where an
// element or an attribute begins; so this scanner tells tags, comments and the like apart.
#include <string.h>

#include "read/urdf/xml.h"

lwXmlScan lw_xml_scan(const lwSource* source)
{
  return (lwXmlScan){.text = source->text, .length = source->length, .place = {1, 1}};
}

lwPlace lw_xml_scan_place(lwXmlScan* scan, size_t at)
{
  for (; scan->counted < at && scan->counted < scan->length; ++scan->counted)
  {
    unsigned char byte = (unsigned char)scan->text[scan->counted];
    if (byte == '\n')
      scan->place = (lwPlace){scan->place.line + 1, 1};
    else if ((byte & 0xC0) != 0x80)  // not inside a character of UTF-8
      ++scan->place.column;
  }
  return scan->place;
}

static bool begins(const lwXmlScan* scan, size_t at, const char* word)
{
  size_t length = strlen(word);
  return scan->length - at >= length && memcmp(scan->text + at, word, length) == 0;
}

// The byte after the next occurrence of a word from `at` on;
// the length of the text if there is none.
static size_t behind_word(const lwXmlScan* scan, size_t at, const char* word)
{
  for (; at < scan->length; ++at)
  {
    const char* next = memchr(scan->text + at, word[0], scan->length - at);
    if (!next) break;
    at = (size_t)(next - scan->text);
    if (begins(scan, at, word)) return at + strlen(word);
  }
  return scan->length;
}

// The byte after the '>' of a tag, and how many '=' are before it; inside quotes neither counts.
static size_t tag_end(const lwXmlScan* scan, size_t at, int* equals)
{
  char quote = 0;
  for (*equals = 0; at < scan->length; ++at)
  {
    char c = scan->text[at];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '>')
      return at + 1;
    else
      *equals += c == '=';
  }
  return scan->length;
}

// Things that begin with '<' and are not start tags.
static const struct
{
  const char* begin;
  const char* end;
} others[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}, {"</", ">"}};

// Skips one of the others at scan->at; false: there is none.
static bool skip_other(lwXmlScan* scan)
{
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
  {
    if (!begins(scan, scan->at, others[i].begin)) continue;
    scan->at = behind_word(scan, scan->at + strlen(others[i].begin), others[i].end);
    return true;
  }
  return false;
}

bool lw_xml_scan_tag(lwXmlScan* scan, lwXmlTag* tag)
{
  for (;;)
  {
    const char* next = memchr(scan->text + scan->at, '<', scan->length - scan->at);
    if (!next) return false;
    scan->at = (size_t)(next - scan->text);
    if (skip_other(scan)) continue;
    int equals;
    tag->begin = scan->at;
    tag->end = scan->at = tag_end(scan, scan->at, &equals);
    return true;
  }
}

static bool is_space(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool lw_xml_scan_attribute(const lwXmlScan* scan, const lwXmlTag* tag, size_t* at, size_t* value)
{
  const char* text = scan->text;
  for (;;)
  {
    size_t i = *at;
    while (i < tag->end && !is_space(text[i])) ++i;  // the name of the element, or nothing
    while (i < tag->end && is_space(text[i])) ++i;
    size_t name = i;
    while (i < tag->end && text[i] != '"' && text[i] != '\'') ++i;
    if (i >= tag->end) return false;
    char quote = text[i];
    *value     = ++i;
    while (i < tag->end && text[i] != quote) ++i;
    *at = i + 1;
    if (!begins(scan, name, "xmlns:") && !begins(scan, name, "xmlns=") &&
        !begins(scan, name, "xmlns "))
      return true;
  }
}

static bool has_expression(const lwXmlScan* scan, const lwXmlTag* tag)
{
  size_t at = tag->begin, value;
  while (lw_xml_scan_attribute(scan, tag, &at, &value))
    if (behind_word(&(lwXmlScan){.text = scan->text, .length = at}, value, "${") < at) return true;
  return false;
}

bool lw_xml_scan_xacro(const lwSource* source, lwPlace* place)
{
  lwXmlScan scan = lw_xml_scan(source);
  lwXmlTag tag;
  while (lw_xml_scan_tag(&scan, &tag))
  {
    if (!begins(&scan, tag.begin, "<xacro:") && !has_expression(&scan, &tag)) continue;
    *place = lw_xml_scan_place(&scan, tag.begin);
    return true;
  }
  return false;
}

// --- refused before parsing

static const char type_hint[] =
    "delete it: URDF needs none, entities are not expanded and no other file is read";

// A document type that names a file or declares something between brackets.
static bool refuse_type(lwDocument* document, lwXmlScan* scan)
{
  lwXmlScan from = *scan;
  size_t begin   = from.at;
  size_t end     = behind_word(&from, begin, ">");
  for (size_t i = begin; i < end; ++i)
  {
    char c = scan->text[i];
    if (c != '[' && c != '"' && c != '\'') continue;
    lw_document_error(document, lw_xml_scan_place(scan, begin), type_hint,
                      "a document type declaration with %s",
                      c == '[' ? "entities or other declarations" : "an external file");
    return true;
  }
  return false;
}

bool lw_xml_scan_refuses(lwDocument* document)
{
  lwXmlScan scan = lw_xml_scan(&document->source);
  for (;;)
  {
    const char* next = memchr(scan.text + scan.at, '<', scan.length - scan.at);
    if (!next) return false;
    scan.at = (size_t)(next - scan.text);
    if (begins(&scan, scan.at, "<!DOCTYPE") && refuse_type(document, &scan)) return true;
    if (skip_other(&scan)) continue;
    int attributes;
    size_t begin = scan.at;
    scan.at      = tag_end(&scan, begin, &attributes);
    if (attributes <= LW_XML_MAX_ATTRIBUTES) continue;
    lw_document_error(document, lw_xml_scan_place(&scan, begin), NULL,
                      "an element of %d attributes; at most %d are possible", attributes,
                      LW_XML_MAX_ATTRIBUTES);
    return true;
  }
}
