// SPDX-License-Identifier: MIT
// Elements by libxml2, event by event: it keeps no tree of its own.
#include "read/urdf/xml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  LONGEST_MESSAGE = 200
};

typedef struct XmlBuilder
{
  lwDocument* document;
  xmlParserCtxtPtr parser;
  lwXmlScan scan;
  lwXml* open[LW_XML_MAX_DEPTH];  // elements whose end has not come
  int depth;
  int count;  // of elements and attributes
  lwXml* root;
  char* text;          // since the last tag
  size_t text_length;  // more than longest: too long
  size_t longest, capacity;
  lwStatus status;
} XmlBuilder;

static void stop(XmlBuilder* builder, lwStatus status)
{
  if (builder->status == LW_OK) builder->status = status;
  xmlStopParser(builder->parser);
}

static void* xml_take(XmlBuilder* builder, size_t size)
{
  void* piece = lw_document_take(builder->document, size);
  if (!piece) stop(builder, LW_ERROR_MEMORY);
  return piece;
}

static char* xml_keep(XmlBuilder* builder, const char* bytes, size_t length)
{
  char* copy = xml_take(builder, length + 1);
  if (!copy) return NULL;
  if (length > 0) memcpy(copy, bytes, length);
  copy[length] = 0;
  return copy;
}

// The value of an attribute. A parser that expands no entities gives every letter & as "&#38;".
static char* keep_value(XmlBuilder* builder, const char* bytes, size_t length)
{
  static const char ampersand[] = "&#38;";
  char* value                   = xml_keep(builder, bytes, length);
  char* end                     = value;
  for (const char* from = value; from && *from; ++from)
  {
    *end++ = *from;
    if (strncmp(from, ampersand, sizeof ampersand - 1) == 0) from += sizeof ampersand - 2;
  }
  if (end) *end = 0;
  return value;
}

// "prefix:name", or the name alone
static const char* full_name(XmlBuilder* builder, const xmlChar* prefix, const xmlChar* name)
{
  size_t before = prefix ? strlen((const char*)prefix) + 1 : 0;
  size_t length = strlen((const char*)name);
  char* full    = xml_take(builder, before + length + 1);
  if (!full) return NULL;
  if (prefix) memcpy(full, prefix, before - 1);
  if (prefix) full[before - 1] = ':';
  memcpy(full + before, name, length + 1);
  return full;
}

// --- events

static void add_attributes(XmlBuilder* builder, lwXml* element, const lwXmlTag* tag, int count,
                           const xmlChar** five)
{
  size_t at           = tag->begin, value;
  element->attributes = xml_take(builder, (size_t)count * sizeof *element->attributes);
  if (!element->attributes) return;
  for (int i = 0; i < count; ++i, five += 5)  // name, prefix, namespace, value, its end
  {
    lwXmlAttribute* attribute = &element->attributes[i];
    attribute->name           = full_name(builder, five[1], five[0]);
    attribute->value = keep_value(builder, (const char*)five[3], (size_t)(five[4] - five[3]));
    attribute->place = element->place;
    if (lw_xml_scan_attribute(&builder->scan, tag, &at, &value))
      attribute->place = lw_xml_scan_place(&builder->scan, value);
    if (!attribute->name || !attribute->value) return;
  }
  element->attribute_count = count;
}

// Too deep, or too many; place is that of the element.
static bool xml_refuse(XmlBuilder* builder, lwPlace place, int attributes)
{
  builder->count += 1 + attributes;
  if (builder->depth == LW_XML_MAX_DEPTH)
    lw_document_error(builder->document, place, NULL,
                      "elements are nested deeper than %d levels, the most that is read",
                      LW_XML_MAX_DEPTH);
  else if (builder->count > LW_DOCUMENT_MAX_NODES)
    lw_document_error(builder->document, place, NULL,
                      "the file has more than %d elements and attributes, the most that is read",
                      LW_DOCUMENT_MAX_NODES);
  else
    return false;
  stop(builder, LW_ERROR_INPUT);
  return true;
}

static void start_element(void* context, const xmlChar* name, const xmlChar* prefix,
                          const xmlChar* uri, int namespace_count, const xmlChar** namespaces,
                          int attribute_count, int defaulted, const xmlChar** attributes)
{
  XmlBuilder* builder = context;
  lwXmlTag tag        = {0, 0};
  (void)uri, (void)namespace_count, (void)namespaces, (void)defaulted;
  bool found    = lw_xml_scan_tag(&builder->scan, &tag);
  lwPlace place = lw_xml_scan_place(&builder->scan, found ? tag.begin : builder->scan.counted);
  if (builder->status != LW_OK || xml_refuse(builder, place, attribute_count)) return;
  lwXml* element = xml_take(builder, sizeof *element);
  if (!element) return;
  *element = (lwXml){.name     = full_name(builder, prefix, name),
                     .place    = place,
                     .text     = "",
                     .document = builder->document};
  if (!element->name) return;
  if (attribute_count > 0) add_attributes(builder, element, &tag, attribute_count, attributes);
  lwXml* parent = builder->depth > 0 ? builder->open[builder->depth - 1] : NULL;
  lwXml** next  = !parent ? &builder->root : parent->last ? &parent->last->next : &parent->children;
  *next         = element;
  if (parent) parent->last = element;
  builder->open[builder->depth++] = element;
  builder->text_length            = 0;
}

static void end_element(void* context, const xmlChar* name, const xmlChar* prefix,
                        const xmlChar* uri)
{
  XmlBuilder* builder = context;
  (void)name, (void)prefix, (void)uri;
  if (builder->status != LW_OK || builder->depth == 0) return;
  lwXml* element = builder->open[--builder->depth];
  bool keeps     = !element->children && builder->text_length <= builder->longest;
  if (keeps && builder->text_length > 0)
    element->text = xml_keep(builder, builder->text, builder->text_length);
  builder->text_length = builder->longest + 1;  // what follows is between elements
}

static bool fit_text(XmlBuilder* builder, size_t length)
{
  if (length <= builder->capacity) return true;
  size_t capacity = 2 * length + LW_XML_LONGEST_TEXT;
  char* text      = realloc(builder->text, capacity);
  if (!text) stop(builder, LW_ERROR_MEMORY);
  if (!text) return false;
  builder->text     = text;
  builder->capacity = capacity;
  return true;
}

static void add_text(void* context, const xmlChar* bytes, int length)
{
  XmlBuilder* builder = context;
  size_t more         = (size_t)length;
  if (builder->text_length > builder->longest) return;
  bool fits = builder->text_length + more <= builder->longest;
  if (fits && !fit_text(builder, builder->text_length + more)) return;
  if (fits) memcpy(builder->text + builder->text_length, bytes, more);
  builder->text_length = fits ? builder->text_length + more : builder->longest + 1;
}

// Only the entities that XML itself has.
static xmlEntityPtr find_entity(void* context, const xmlChar* name)
{
  (void)context;
  return xmlGetPredefinedEntity(name);
}

// --- errors

// What helps against the errors that people make.
static const char* hint_for(int code)
{
  switch (code)
  {
    case XML_ERR_DOCUMENT_EMPTY:
      return "URDF begins with '<robot name=..>', MJCF with '<mujoco>'";
    case XML_ERR_TAG_NAME_MISMATCH:
    case XML_ERR_TAG_NOT_FINISHED:
    case XML_ERR_GT_REQUIRED:
    case XML_ERR_LTSLASH_REQUIRED:
      return "every <tag> needs its </tag>, or is written <tag/>";
    case XML_ERR_ATTRIBUTE_NOT_STARTED:
    case XML_ERR_ATTRIBUTE_NOT_FINISHED:
      return "values of attributes are written in quotes";
    case XML_ERR_UNDECLARED_ENTITY:
      return "a letter & is written &amp;";
    default:
      return NULL;
  }
}

// What libxml2 says, on one line. Only the first fatal error counts:
// those after it follow from it.
static void report_xml(void* context, xmlErrorPtr error)
{
  XmlBuilder* builder = context;
  char text[LONGEST_MESSAGE];
  if (builder->status != LW_OK || error->level != XML_ERR_FATAL) return;
  if (error->code == XML_ERR_NO_MEMORY)
  {
    builder->status = LW_ERROR_MEMORY;
    return;
  }
  bool empty      = error->code == XML_ERR_DOCUMENT_EMPTY;
  builder->status = LW_ERROR_INPUT;
  snprintf(text, sizeof text, "%s", error->message ? error->message : "unknown error");
  text[strcspn(text, "\n")] = 0;
  lwPlace place = {error->line > 0 ? error->line : 1, error->int2 > 0 ? error->int2 : 1};
  lw_document_error(
      builder->document, place, hint_for(error->code), "%s%s",
      empty ? "" : "this is no well-formed XML: ", empty ? "the file has no element" : text);
}

static const xmlSAXHandler handler = {.initialized    = XML_SAX2_MAGIC,
                                      .startElementNs = start_element,
                                      .endElementNs   = end_element,
                                      .characters     = add_text,
                                      .cdataBlock     = add_text,
                                      .getEntity      = find_entity,
                                      .serror         = (xmlStructuredErrorFunc)report_xml};

static void print_nothing(void* context, const char* format, ...)
{
  (void)context, (void)format;
}

static void prepare_silently(void)
{
  xmlGenericErrorFunc printer = xmlGenericError;
  void* context               = xmlGenericErrorContext;
  xmlSetGenericErrorFunc(NULL, print_nothing);
  xmlInitParser();
  xmlSetGenericErrorFunc(context, printer);
}

static lwStatus parse_events(XmlBuilder* builder)
{
  const lwSource* source = &builder->document->source;
  builder->parser        = xmlCreateMemoryParserCtxt(source->text, (int)source->length);
  if (!builder->parser) return LW_ERROR_MEMORY;
  int huge = builder->longest > LW_XML_LONGEST_TEXT ? XML_PARSE_HUGE : 0;
  xmlCtxtUseOptions(builder->parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | huge);
  *builder->parser->sax     = handler;
  builder->parser->userData = builder;
  xmlParseDocument(builder->parser);
  bool well_formed = builder->parser->wellFormed;
  xmlFreeParserCtxt(builder->parser);
  if (builder->status == LW_OK && (!well_formed || !builder->root))
  {
    lw_document_error(builder->document, (lwPlace){1, 1}, NULL, "this is no well-formed XML");
    builder->status = LW_ERROR_INPUT;
  }
  return builder->status;
}

// libxml2 builds its tables at the first use; threads that read their first files at the
// same time would see them half built. When out of memory, it prints to standard error before it
// has a parser to report to. The library never prints, so this thread's printer is replaced
// meanwhile.
static lwStatus parse(XmlBuilder* builder)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare_silently);
  xmlGenericErrorFunc printer = xmlGenericError;
  void* context               = xmlGenericErrorContext;
  xmlSetGenericErrorFunc(NULL, print_nothing);
  lwStatus status = parse_events(builder);
  xmlSetGenericErrorFunc(context, printer);
  return status;
}

static lwStatus parse_keeping(lwDocument* document, size_t longest, lwXml** root)
{
  *root              = NULL;
  XmlBuilder builder = {
      .document = document, .scan = lw_xml_scan(&document->source), .longest = longest};
  if (document->source.length == 0 ||
      strspn(document->source.text, " \t\r\n") == document->source.length)
    return lw_document_refuse(document, (lwPlace){1, 1},
                              "URDF begins with '<robot name=..>', MJCF with '<mujoco>'",
                              "the file is empty");
  if (lw_xml_scan_refuses(document)) return LW_ERROR_INPUT;
  lwStatus status = parse(&builder);
  if (status == LW_OK) *root = builder.root;
  free(builder.text);
  return status;
}

lwStatus lw_xml_parse(lwDocument* document, lwXml** root)
{
  return parse_keeping(document, LW_XML_LONGEST_TEXT, root);
}

lwStatus lw_xml_parse_texts(lwDocument* document, lwXml** root)
{
  return parse_keeping(document, LW_DOCUMENT_MAX_BYTES, root);
}

const lwXmlAttribute* lw_xml_attribute(const lwXml* element, const char* name)
{
  for (int i = 0; i < element->attribute_count; ++i)
    if (strcmp(element->attributes[i].name, name) == 0) return &element->attributes[i];
  return NULL;
}

const lwXml* lw_xml_child(const lwXml* element, const char* name)
{
  for (const lwXml* child = element->children; child; child = child->next)
    if (strcmp(child->name, name) == 0) return child;
  return NULL;
}
