// SPDX-License-Identifier: MIT
// Xacro elements to URDF text. A macro sees the properties of where it is called; blocks are
// expanded where they are written.
#include "read/xacro/xacro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "text/out.h"

typedef struct Macro
{
  const char* name;
  const char* parameters;
  const lwXml* element;
  struct Macro* next;
} Macro;

enum
{
  MOST_FOLDERS = 64,
  MOST_TEXT    = 4 * LW_DOCUMENT_MAX_BYTES
};

struct lwXacro
{
  lwDocument* document;  // the first file; memory and errors
  const char* packages;
  lwXacroScope arguments;  // of $(arg NAME)
  Macro* macros;           // the latest first
  lwDocument files[LW_XACRO_MAX_FILES];
  const char* folders[MOST_FOLDERS];  // of packages that were found
  int file_count, folder_count, depth, elements;
  lwOut text;  // what is made
  bool lost;   // out of memory
};

void* lw_xacro_take(lwXacro* xacro, size_t size)
{
  void* memory = lw_document_take(xacro->document, size);
  if (!memory) xacro->lost = true;
  return memory;
}

#define xacro_error(xacro, element, place, hint, ...)                                              \
  ((xacro)->document->errors++,                                                                    \
   lw_diag_report((xacro)->document->diag, LW_SEVERITY_ERROR, &(element)->document->source, place, \
                  hint, __VA_ARGS__))

static bool is_ok(const lwXacro* xacro)
{
  return xacro->document->errors == 0 && !xacro->lost;
}

// --- properties

static lwXacroProperty* define(lwXacro* xacro, lwXacroScope* scope, const char* name)
{
  lwXacroProperty* property = lw_xacro_take(xacro, sizeof *property);
  if (!property) return NULL;
  *property         = (lwXacroProperty){.name = name, .text = "", .next = scope->properties};
  scope->properties = property;
  return property;
}

static lwXacroProperty* find(lwXacroScope* scope, const char* name)
{
  for (; scope; scope = scope->parent)
    for (lwXacroProperty* property = scope->properties; property; property = property->next)
      if (strcmp(property->name, name) == 0) return property;
  return NULL;
}

// The text of an attribute with its expressions; NULL after reporting what is wrong.
static const char* text_of(lwXacro* xacro, const lwXml* element, const lwXmlAttribute* attribute,
                           lwXacroScope* scope)
{
  lwXacroValue v   = lw_xacro_text(xacro, attribute->value, scope);
  const char* text = strchr(attribute->value, '$') || v.kind == LW_XACRO_FAULT
                         ? lw_xacro_print(xacro, &v)
                         : attribute->value;
  if (!text)
    xacro_error(xacro, element, attribute->place, NULL, "%s", v.text ? v.text : "out of memory");
  return text;
}

static const char* needed(lwXacro* xacro, const lwXml* element, const char* name,
                          lwXacroScope* scope)
{
  const lwXmlAttribute* attribute = lw_xml_attribute(element, name);
  if (attribute) return text_of(xacro, element, attribute, scope);
  xacro_error(xacro, element, element->place, NULL, "<%.40s> needs the attribute '%s'",
              element->name, name);
  return NULL;
}

static void read_property(lwXacro* xacro, const lwXml* element, lwXacroScope* scope)
{
  const lwXmlAttribute* value     = lw_xml_attribute(element, "value");
  const lwXmlAttribute* otherwise = lw_xml_attribute(element, "default");
  const lwXmlAttribute* where     = lw_xml_attribute(element, "scope");
  const char* name                = needed(xacro, element, "name", scope);
  lwXacroScope* target            = scope;
  if (!name || (!value && otherwise && find(scope, name))) return;
  if (where && strcmp(where->value, "parent") == 0 && scope->parent) target = scope->parent;
  while (where && strcmp(where->value, "global") == 0 && target->parent) target = target->parent;
  lwXacroValue v = {0};
  if (target != scope && value) v = lw_xacro_text(xacro, value->value, scope);
  lwXacroProperty* property = define(xacro, target, name);
  if (!property) return;
  if (value || otherwise)
    property->text = value ? value->value : otherwise->value;
  else
  {
    property->block      = element;
    property->block_from = scope;
  }
  property->known = target != scope && value;
  property->value = v;
  if (v.kind == LW_XACRO_FAULT) xacro_error(xacro, element, value->place, NULL, "%s", v.text);
}

// --- $(..)

static bool is_folder(const char* path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// The folder of a package: below or at one of the package folders, or one above the file.
static lwXacroValue find_package(lwXacro* xacro, const char* name)
{
  char path[LW_XACRO_PATH];
  size_t size = strlen(name);
  for (const char* at = xacro->packages; at && *at;)
  {
    size_t length = strcspn(at, ":");
    snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
    if (length > 0 && is_folder(path)) goto found;
    snprintf(path, sizeof path, "%.*s", (int)length, at);
    bool itself = length > size && at[length - size - 1] == '/' &&
                  strncmp(at + length - size, name, size) == 0;
    if (itself && is_folder(path)) goto found;
    at += length + (at[length] == ':');
  }
  const char* file  = xacro->document->source.file ? xacro->document->source.file : "";
  const char* slash = strrchr(file, '/');
  char above[LW_XACRO_PATH / 2];
  snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - file) : 1, slash ? file : ".");
  for (int k = 0; k < 16 && strlen(above) + 4 < sizeof above; ++k)
  {
    snprintf(path, sizeof path, "%s/%s", above, name);
    if (is_folder(path)) goto found;
    strcat(above, "/..");
  }
  return lw_xacro_fault(xacro, "package '%.60s' is not found in the folders of packages", name);
found:;
  char* whole = realpath(path, NULL);
  char* kept  = whole ? lw_arena_text(&xacro->document->arena, whole, strlen(whole)) : NULL;
  free(whole);
  if (!kept) return lw_xacro_fault(xacro, "package '%.60s' cannot be read", name);
  if (xacro->folder_count < MOST_FOLDERS) xacro->folders[xacro->folder_count++] = kept;
  return (lwXacroValue){.kind = LW_XACRO_TEXT, .text = kept};
}

lwXacroValue lw_xacro_substitute(lwXacro* xacro, const char* text, size_t length,
                                 lwXacroScope* scope)
{
  char words[LW_XACRO_PATH / 4], *rest = words;
  if (length >= sizeof words) return lw_xacro_fault(xacro, "$(..) is too long");
  memcpy(words, text, length);
  words[length]    = 0;
  const char* what = strtok_r(words, " \t\r\n", &rest);
  const char* name = what ? strtok_r(NULL, " \t\r\n", &rest) : NULL;
  if (what && name && !strcmp(what, "find") && name[0] != '.' && !strchr(name, '/'))
    return find_package(xacro, name);
  if (what && name && !strcmp(what, "arg"))
  {
    const lwXacroProperty* argument = find(&xacro->arguments, name);
    if (argument) return (lwXacroValue){.kind = LW_XACRO_TEXT, .text = argument->text};
    return lw_xacro_fault(xacro, "argument '%.60s' has no default", name);
  }
  if (what && name && !strcmp(what, "optenv"))  // the environment is not read: its default
    return (lwXacroValue){.kind = LW_XACRO_TEXT,
                          .text = lw_arena_text(&xacro->document->arena, rest, strlen(rest))};
  if (what && name && !strcmp(what, "eval"))
  {
    lwXacroScope inner = {&xacro->arguments, NULL};
    (void)scope;
    return lw_xacro_expression(xacro, text + (name - words), length - (size_t)(name - words),
                               &inner);
  }
  return lw_xacro_fault(xacro, "$(%.60s) is not supported; expected find, arg, optenv or eval",
                        what ? what : "");
}

// --- files

static const char* path_from(lwXacro* xacro, const lwDocument* from, const char* name)
{
  char path[LW_XACRO_PATH];
  const char* file  = from->source.file ? from->source.file : "";
  const char* slash = strrchr(file, '/');
  int length        = slash && name[0] != '/' ? (int)(slash - file) + 1 : 0;
  if (snprintf(path, sizeof path, "%.*s%s", length, file, name) >= (int)sizeof path) return NULL;
  return lw_arena_text(&xacro->document->arena, path, strlen(path));
}

static lwDocument* next_file(lwXacro* xacro)
{
  if (xacro->file_count == LW_XACRO_MAX_FILES) return NULL;
  return &xacro->files[xacro->file_count++];
}

// True for a path below the folder of the file that names it, or in a package that was found.
static bool may_read(const lwXacro* xacro, const char* path)
{
  bool inside = path[0] != '/' && !strstr(path, "://");
  for (int i = 0; i < xacro->folder_count && !inside; ++i)
  {
    size_t length = strlen(xacro->folders[i]);
    inside        = strncmp(path, xacro->folders[i], length) == 0 && path[length] == '/';
  }
  return inside && !strstr(path, "..");
}

lwXacroValue lw_xacro_load(lwXacro* xacro, const char* name)
{
  if (!may_read(xacro, name))
    return lw_xacro_fault(xacro, "'%.200s' is not in the folder of this file or in a package",
                          name);
  const char* path     = path_from(xacro, xacro->document, name);
  lwDocument* document = path ? next_file(xacro) : NULL;
  if (!document) return lw_xacro_fault(xacro, "more than %d files", LW_XACRO_MAX_FILES);
  bool opened = lw_document_may_open(xacro->document, (lwPlace){0, 0}, path) &&
                lw_document_open_file(document, path, xacro->document->diag) == LW_OK;
  document->units = true;
  if (!opened || lw_document_parse(document) != LW_OK || !document->root || document->errors > 0)
    return lw_xacro_fault(xacro, "'%.200s' cannot be read", name);
  return (lwXacroValue){.kind = LW_XACRO_NODE, .node = document->root};
}

static void expand_children(lwXacro* xacro, const lwXml* parent, lwXacroScope* scope);

static void include(lwXacro* xacro, const lwXml* element, lwXacroScope* scope)
{
  const lwXmlAttribute* attribute = lw_xml_attribute(element, "filename");
  const char* name                = needed(xacro, element, "filename", scope);
  const char* path                = name ? path_from(xacro, element->document, name) : NULL;
  lwXml* root;
  if (!path) return;
  lwDocument* document = may_read(xacro, name) ? next_file(xacro) : NULL;
  if (!document || lw_xml_attribute(element, "ns"))
  {
    xacro_error(xacro, element, attribute->place, NULL,
                lw_xml_attribute(element, "ns")
                    ? "name spaces of included files are not supported: '%.200s'"
                : document ? "more files than can be read: '%.200s'"
                           : "'%.200s' is not in the folder of this file or in a package",
                name);
    return;
  }
  if (!lw_document_may_open(xacro->document, element->place, path)) return;
  lwStatus status = lw_document_open_file(document, path, xacro->document->diag);
  if (status == LW_OK) status = lw_xml_parse(document, &root);
  xacro->document->errors += status != LW_OK;
  if (status == LW_ERROR_MEMORY) xacro->lost = true;
  if (status == LW_OK) expand_children(xacro, root, scope);
}

// --- macros

static void read_macro(lwXacro* xacro, const lwXml* element, lwXacroScope* scope)
{
  const char* name                 = needed(xacro, element, "name", scope);
  const lwXmlAttribute* parameters = lw_xml_attribute(element, "params");
  Macro* macro                     = name ? lw_xacro_take(xacro, sizeof *macro) : NULL;
  if (!macro) return;
  if (strncmp(name, "xacro:", 6) == 0) name += 6;
  *macro        = (Macro){name, parameters ? parameters->value : "", element, xacro->macros};
  xacro->macros = macro;
}

// The end of a default value: a space outside of quotes and expressions.
static const char* default_end(const char* at)
{
  char quote = 0;
  int deep   = 0;
  for (; *at; ++at)
  {
    if (quote)
      quote = *at == quote ? 0 : quote;
    else if (*at == '\'' || *at == '"')
      quote = *at;
    else if (*at == '{' || *at == '(')
      ++deep;
    else if (*at == '}' || *at == ')')
      --deep;
    else if (strchr(" \t\r\n", *at) && deep <= 0)
      break;
  }
  return at;
}

static const char* keep(lwXacro* xacro, const char* from, size_t length)
{
  char* text = lw_xacro_take(xacro, length + 1);
  if (!text) return "";
  memcpy(text, from, length);
  text[length] = 0;
  return text;
}

// The default of a parameter without its quotes; "^" and "^|x" take the caller's property.
static const char* take_default(lwXacro* xacro, const char** at, const char* name,
                                lwXacroScope* caller)
{
  const char *from = *at, *end = default_end(from);
  *at = end;
  if (*from == '^')
  {
    lwXacroProperty* outer = find(caller, name);
    if (outer) return NULL;  // it is seen through the scope
    from += from[1] == '|' ? 2 : 1;
  }
  bool quoted = end - from >= 2 && (*from == '\'' || *from == '"') && end[-1] == *from;
  return keep(xacro, from + quoted, (size_t)(end - from) - 2 * (size_t)quoted);
}

// The next block that a call has.
static const lwXml* take_block(const lwXml** next)
{
  const lwXml* block = *next;
  if (block) *next = block->next;
  return block;
}

static void set_parameter(lwXacro* xacro, const lwXml* call, const char* name,
                          const char* otherwise, bool outer, lwXacroScope* caller,
                          lwXacroScope* inner)
{
  const lwXmlAttribute* given = lw_xml_attribute(call, name);
  if (!given && outer) return;
  if (!given && !otherwise)
  {
    xacro_error(xacro, call, call->place, NULL, "<%.60s> needs the attribute '%.60s'", call->name,
                name);
    return;
  }
  lwXacroProperty* property = define(xacro, inner, name);
  if (!property) return;
  property->known = true;
  property->value = lw_xacro_text(xacro, given ? given->value : otherwise, given ? caller : inner);
  if (property->value.kind == LW_XACRO_FAULT)
    xacro_error(xacro, call, given ? given->place : call->place, NULL, "%s", property->value.text);
}

// Parameters: NAME, NAME:=DEFAULT, *BLOCK, **CHILDREN OF A BLOCK.
static void set_parameters(lwXacro* xacro, const lwXml* call, const Macro* macro,
                           lwXacroScope* caller, lwXacroScope* inner)
{
  const lwXml* blocks = call->children;
  const char* at      = macro->parameters;
  while (*(at += strspn(at, " \t\r\n")) && is_ok(xacro))
  {
    int stars        = (int)strspn(at, "*");
    size_t length    = strcspn(at + stars, " \t\r\n:=");
    const char *name = keep(xacro, at + stars, length), *otherwise = NULL;
    at += (size_t)stars + length;
    bool has_default = at[0] == ':' && at[1] == '=';
    if (length == 0 || (*at && !has_default && !strchr(" \t\r\n", *at)))
    {
      xacro_error(xacro, macro->element, macro->element->place, NULL,
                  "the parameters of macro '%.60s' are not understood at '%.40s'", macro->name, at);
      return;
    }
    if (has_default) at += 2;
    if (has_default) otherwise = take_default(xacro, &at, name, caller);
    if (stars == 0)
      set_parameter(xacro, call, name, otherwise, has_default && !otherwise, caller, inner);
    if (stars == 0) continue;
    lwXacroProperty* property = define(xacro, inner, name);
    const lwXml* block        = take_block(&blocks);
    if (!block)
      xacro_error(xacro, call, call->place, NULL, "<%.60s> needs a block '%.60s'", call->name,
                  name);
    if (property)
      *property = (lwXacroProperty){.name       = name,
                                    .text       = "",
                                    .block      = block,
                                    .whole      = stars == 1,
                                    .block_from = caller,
                                    .next       = property->next};
  }
}

static void call_macro(lwXacro* xacro, const lwXml* call, const char* name, lwXacroScope* scope)
{
  const Macro* macro = xacro->macros;
  lwNearest nearest  = lw_nearest(name);
  for (; macro && strcmp(macro->name, name) != 0; macro = macro->next)
    lw_nearest_try(&nearest, macro->name);
  lwXacroScope inner = {scope, NULL};
  if (!macro)
    xacro_error(xacro, call, call->place, LW_DID_YOU_MEAN(nearest), "there is no macro '%.60s'",
                name);
  else
  {
    set_parameters(xacro, call, macro, scope, &inner);
    expand_children(xacro, macro->element, &inner);
  }
}

// --- elements

static void expand_element(lwXacro* xacro, const lwXml* element, lwXacroScope* scope);

static void insert_block(lwXacro* xacro, const lwXml* element, lwXacroScope* scope)
{
  const char* name          = needed(xacro, element, "name", scope);
  lwXacroProperty* property = name ? find(scope, name) : NULL;
  if (name && (!property || !property->block))
    xacro_error(xacro, element, element->place, NULL, "there is no block '%.60s'", name);
  else if (name && property->whole)
    expand_element(xacro, property->block, property->block_from);
  else if (name)
    expand_children(xacro, property->block, property->block_from);
}

static void choose(lwXacro* xacro, const lwXml* element, lwXacroScope* scope, bool wanted)
{
  const lwXmlAttribute* value = lw_xml_attribute(element, "value");
  if (!value)
  {
    needed(xacro, element, "value", scope);
    return;
  }
  lwXacroValue v = lw_xacro_text(xacro, value->value, scope);
  bool known     = v.kind == LW_XACRO_BOOL || v.kind == LW_XACRO_INT || v.kind == LW_XACRO_FLOAT ||
               v.kind == LW_XACRO_NONE || strchr(value->value, '$');
  if (v.kind == LW_XACRO_FAULT || !known)
    xacro_error(xacro, element, value->place, NULL, "%s",
                known ? v.text : "'value' is neither true nor false");
  else if ((lw_xacro_truth(&v) == 1) == wanted)
    expand_children(xacro, element, scope);
}

static void read_argument(lwXacro* xacro, const lwXml* element, lwXacroScope* scope)
{
  const lwXmlAttribute* otherwise = lw_xml_attribute(element, "default");
  const char* name                = needed(xacro, element, "name", scope);
  const char* text                = otherwise ? text_of(xacro, element, otherwise, scope) : NULL;
  if (!name || !text || find(&xacro->arguments, name)) return;
  lwXacroProperty* property = define(xacro, &xacro->arguments, name);
  if (property) property->text = text;
}

static void copy_element(lwXacro* xacro, const lwXml* element, lwXacroScope* scope)
{
  lwOut* out = &xacro->text;
  lw_out_format(out, "<%s", element->name);
  for (int i = 0; i < element->attribute_count && is_ok(xacro); ++i)
  {
    const char* text = text_of(xacro, element, &element->attributes[i], scope);
    lw_out_format(out, " %s=\"", element->attributes[i].name);
    if (text) lw_out_xml(out, true, text);
    lw_out_text(out, "\"");
  }
  lw_out_text(out, element->children ? ">\n" : ">");
  lwXmlAttribute text = {"text", element->text, element->place};
  const char* inside  = element->text[0] ? text_of(xacro, element, &text, scope) : NULL;
  if (inside) lw_out_xml(out, true, inside);
  if (out->error || lw_out_length(out) > MOST_TEXT) xacro->lost = true;
  expand_children(xacro, element, scope);
  lw_out_format(out, "</%s>\n", element->name);
}

static void expand_element(lwXacro* xacro, const lwXml* element, lwXacroScope* scope)
{
  const char* name = element->name;
  if (strncmp(name, "xacro:", 6) != 0) return copy_element(xacro, element, scope);
  name += 6;
  if (!strcmp(name, "property")) return read_property(xacro, element, scope);
  if (!strcmp(name, "arg")) return read_argument(xacro, element, scope);
  if (!strcmp(name, "macro")) return read_macro(xacro, element, scope);
  if (!strcmp(name, "include")) return include(xacro, element, scope);
  if (!strcmp(name, "if")) return choose(xacro, element, scope, true);
  if (!strcmp(name, "unless")) return choose(xacro, element, scope, false);
  if (!strcmp(name, "insert_block")) return insert_block(xacro, element, scope);
  if (!strcmp(name, "call"))
  {
    name = needed(xacro, element, "macro", scope);
    if (!name) return;
  }
  if (!strcmp(name, "element") || !strcmp(name, "attribute"))
    xacro_error(xacro, element, element->place, NULL, "<%.40s> is not supported", element->name);
  else
    call_macro(xacro, element, name, scope);
}

static void expand_children(lwXacro* xacro, const lwXml* parent, lwXacroScope* scope)
{
  if (++xacro->depth > LW_XACRO_MAX_DEPTH)
    xacro_error(xacro, parent, parent->place, NULL,
                "macros, files and elements are nested deeper than %d levels", LW_XACRO_MAX_DEPTH);
  for (const lwXml* child = parent->children; child && is_ok(xacro); child = child->next)
  {
    if (++xacro->elements > LW_XACRO_MAX_ELEMENTS)
      xacro_error(xacro, child, child->place, NULL, "it expands to more than %d elements",
                  LW_XACRO_MAX_ELEMENTS);
    else
      expand_element(xacro, child, scope);
  }
  --xacro->depth;
}

lwStatus lw_xacro_expand(lwDocument* document, const lwXml* root, const char* packages, char** text,
                         size_t* length)
{
  lwXacro* xacro = calloc(1, sizeof *xacro);
  if (!xacro) return LW_ERROR_MEMORY;
  xacro->document    = document;
  xacro->packages    = packages;
  xacro->text        = (lwOut){.in_memory = true};
  lwXacroScope scope = {0};
  copy_element(xacro, root, &scope);
  if (!lw_out_finish(&xacro->text)) xacro->lost = true;
  lwStatus status = document->errors > 0 ? LW_ERROR_INPUT : xacro->lost ? LW_ERROR_MEMORY : LW_OK;
  for (int i = 0; i < xacro->file_count; ++i) lw_document_free(&xacro->files[i]);
  if (status != LW_OK) lw_out_free(&xacro->text);
  *text   = xacro->text.text;
  *length = xacro->text.length;
  free(xacro);
  return status;
}
