// SPDX-License-Identifier: MIT
// XML to elements with positions, in the arena of a document.
//
//   UTF-8 text --xml_scan.c--> places of tags --xml.c, libxml2--> elements
//
// There is no network, no external file and no entity beyond the five of XML: a
// document type that declares something is refused. Depth, number of attributes and
// elements, and text size are bounded.
#ifndef LW_READ_URDF_XML_H
#define LW_READ_URDF_XML_H

#include "read/document/document.h"

enum
{
  LW_XML_MAX_DEPTH      = 64,   // nested elements
  LW_XML_MAX_ATTRIBUTES = 256,  // of one element
  LW_XML_LONGEST_TEXT   = 255   // bytes between the tags of an element that are kept
};

typedef struct lwXmlAttribute
{
  const char* name;   // with its prefix, if it has one
  const char* value;  // line ends and tabs are spaces
  lwPlace place;      // of the value
} lwXmlAttribute;

typedef struct lwXml
{
  const char* name;  // with its prefix, if it has one
  lwPlace place;     // of its '<'
  int attribute_count;
  lwXmlAttribute* attributes;
  struct lwXml* children;  // the first, or NULL
  struct lwXml* last;
  struct lwXml* next;          // its next sibling
  const char* text;            // of an element without children, if it is short; else ""
  const lwDocument* document;  // that it is in
} lwXml;

// Parses the text in document->source. LW_ERROR_INPUT after reporting the first place that is not
// well-formed XML or exceeds a limit; LW_ERROR_MEMORY.
lwStatus lw_xml_parse(lwDocument* document, lwXml** root);

// Reads as above, and keeps texts of any length.
lwStatus lw_xml_parse_texts(lwDocument* document, lwXml** root);

// The attribute or the first child of a name, or NULL.
const lwXmlAttribute* lw_xml_attribute(const lwXml* element, const char* name);
const lwXml* lw_xml_child(const lwXml* element, const char* name);

// --- where tags are, found by their characters alone

typedef struct lwXmlScan
{
  const char* text;
  size_t length;
  size_t at;       // up to which tags were looked for
  size_t counted;  // up to which lines were counted,
  lwPlace place;   // which is here
} lwXmlScan;

// A start tag, from '<' to the byte after '>'.
typedef struct lwXmlTag
{
  size_t begin, end;
} lwXmlTag;

lwXmlScan lw_xml_scan(const lwSource* source);

// The next start tag; false at the end, or if the text is not XML.
bool lw_xml_scan_tag(lwXmlScan* scan, lwXmlTag* tag);

// The place of a byte; must not be before the byte of the last call.
lwPlace lw_xml_scan_place(lwXmlScan* scan, size_t at);

// The next attribute of a tag that declares no namespace: *at, at first tag->begin, moves behind
// it, *value is the first byte of its value. False: there is no more.
bool lw_xml_scan_attribute(const lwXmlScan* scan, const lwXmlTag* tag, size_t* at, size_t* value);

// True if the text is xacro, which has to be expanded first: an element of xacro, or an expression
// ${..} in an attribute. Comments do not count. *place: of its tag.
bool lw_xml_scan_xacro(const lwSource* source, lwPlace* place);

// Reports a document type that declares something,
// or a tag with so many attributes that a parser would be slow.
bool lw_xml_scan_refuses(lwDocument* document);

#endif
