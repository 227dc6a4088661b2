// SPDX-License-Identifier: MIT
// The files of a robot as one tree of elements, and their classes of defaults.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/mjcf/mjcf.h"

// --- included files

// True for a path that stays in the folder of the file: relative, without "..".
static bool stays_inside(const char* path)
{
  if (path[0] == '/' || path[0] == 0) return false;
  for (const char* part = path; part; part = strchr(part, '/'))
  {
    part += *part == '/';
    if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0)) return false;
  }
  return true;
}

// The folder of a file and a name in it; false: too long.
static bool join(const char* file, const char* name, char path[LW_MJCF_PATH])
{
  const char* slash = file ? strrchr(file, '/') : NULL;
  int length        = slash ? (int)(slash - file) + 1 : 0;
  return snprintf(path, LW_MJCF_PATH, "%.*s%s", length, file ? file : "", name) < LW_MJCF_PATH;
}

static bool file_exists(const char* path)
{
  FILE* file = fopen(path, "rb");
  if (file) fclose(file);
  return file != NULL;
}

static bool is_open(const lwMjcf* mjcf, const char* path)
{
  bool open = mjcf->document->source.file && strcmp(mjcf->document->source.file, path) == 0;
  for (int i = 0; i < mjcf->file_count; ++i)
    open = open || (mjcf->files[i].source.file && !strcmp(mjcf->files[i].source.file, path));
  return open;
}

// From the folder of the first file, or of the file that includes it.
static const char* find_file(lwMjcf* mjcf, const lwXml* include, const lwXmlAttribute* file)
{
  char path[LW_MJCF_PATH];
  const lwDocument* from = include->document;
  if (!stays_inside(file->value))
    lw_mjcf_error(mjcf, include, file->place, "files are read from the folder of the robot only",
                  "'%.200s' leads out of the folder of this file", file->value);
  else if (mjcf->file_count == LW_MJCF_MAX_FILES)
    lw_mjcf_error(mjcf, include, file->place, NULL, "more than %d files are included",
                  LW_MJCF_MAX_FILES);
  else if (!join(mjcf->document->source.file, file->value, path) ||
           (!file_exists(path) &&
            !(join(from->source.file, file->value, path) && file_exists(path))))
    lw_mjcf_error(mjcf, include, file->place, NULL, "there is no file '%.200s'", file->value);
  else if (is_open(mjcf, path))
    lw_mjcf_error(mjcf, include, file->place, NULL, "'%.200s' is included twice", file->value);
  else if (lw_document_may_open(mjcf->document, include->place, path))
    return lw_arena_text(&mjcf->document->arena, path, strlen(path));
  return NULL;
}

static lwStatus include_all(lwMjcf* mjcf, lwXml* parent, int depth);

// The children of an included file, or NULL.
static lwStatus open_included(lwMjcf* mjcf, const lwXml* include, int depth, lwXml** children)
{
  const lwXmlAttribute* file = lw_xml_attribute(include, "file");
  *children                  = NULL;
  if (!file)
    return lw_mjcf_error(mjcf, include, include->place, NULL,
                         "<include> needs the attribute 'file'"),
           LW_ERROR_INPUT;
  const char* path = find_file(mjcf, include, file);
  if (!path) return LW_ERROR_INPUT;
  lwDocument* document = &mjcf->files[mjcf->file_count++];
  lwXml* root;
  lwStatus status = lw_document_open_file(document, path, mjcf->document->diag);
  if (status == LW_OK) status = lw_xml_parse(document, &root);
  mjcf->document->errors += document->errors;
  if (status != LW_OK) return status;
  if (!lw_mjcf_is(root, "mujoco") && !lw_mjcf_is(root, "mujocoinclude"))
    return lw_mjcf_error(mjcf, root, root->place, NULL,
                         "the outermost element is <%.40s>, expected <mujoco> or <mujocoinclude>",
                         root->name),
           LW_ERROR_INPUT;
  status    = include_all(mjcf, root, depth + 1);
  *children = root->children;
  return status;
}

// Replaces every <include> below an element by the children of the file.
static lwStatus include_all(lwMjcf* mjcf, lwXml* parent, int depth)
{
  lwStatus status = LW_OK;
  for (lwXml** next = &parent->children; *next && status == LW_OK;)
  {
    lwXml *element = *next, *children;
    if (!lw_mjcf_is(element, "include"))
    {
      status = include_all(mjcf, element, depth + 1);
      next   = &element->next;
      continue;
    }
    if (depth > LW_MJCF_MAX_DEPTH)
      return lw_mjcf_error(mjcf, element, element->place, NULL,
                           "too many elements inside each other"),
             LW_ERROR_INPUT;
    status       = open_included(mjcf, element, depth, &children);
    lwXml** last = &children;
    while (*last) last = &(*last)->next;
    *last = element->next;
    *next = children;
    while (*next && *next != element->next) next = &(*next)->next;
  }
  return status;
}

// --- defaults

static bool add_class(lwMjcf* mjcf, const lwXml* element, const char* name, int parent)
{
  if (element && mjcf->class_count == LW_MJCF_MAX_CLASSES)  // the first has no element
    return lw_mjcf_error(mjcf, element, element->place, NULL, "more than %d classes of defaults",
                         LW_MJCF_MAX_CLASSES),
           false;
  lwMjcfClass* class = &mjcf->classes[mjcf->class_count];
  *class             = (lwMjcfClass){name, parent, element, parent < 0 ? 0 : mjcf->class_count};
  int* number        = name && class->number > 0 ? lw_name_map_put(&mjcf->class_names, name) : NULL;
  if (number && *number < 0) *number = class->number;
  ++mjcf->class_count;
  return true;
}

static bool collect_classes(lwMjcf* mjcf, const lwXml* parent, int above, int depth)
{
  bool sound = depth < LW_XML_MAX_DEPTH;
  for (const lwXml* element = parent->children; element && sound; element = element->next)
  {
    if (!lw_mjcf_is(element, "default")) continue;
    const lwXmlAttribute* name = lw_xml_attribute(element, "class");
    int number                 = above < 0 ? 0 : mjcf->class_count;
    if (above >= 0 && !name)
      return lw_mjcf_error(mjcf, element, element->place, NULL, "a nested <default> needs a class"),
             false;
    sound = add_class(mjcf, element, name ? name->value : NULL, above) &&
            collect_classes(mjcf, element, number, depth + 1);
  }
  return sound;
}

int lw_mjcf_class(lwMjcf* mjcf, const lwXml* element, const char* attribute, int inherited)
{
  const lwXmlAttribute* name = lw_xml_attribute(element, attribute);
  if (!name) return inherited;
  int number = lw_name_map_find(&mjcf->class_names, name->value);
  if (number >= 0 || strcmp(name->value, "main") == 0) return number > 0 ? number : 0;
  lwNearest nearest = lw_nearest(name->value);
  for (int i = 0; i < mjcf->class_count; ++i)
    if (mjcf->classes[i].name) lw_nearest_try(&nearest, mjcf->classes[i].name);
  lw_mjcf_error(mjcf, element, name->place, LW_DID_YOU_MEAN(nearest),
                "there is no class of defaults '%.60s'", name->value);
  int* known = lw_name_map_put(&mjcf->class_names, name->value);
  if (known) *known = 0;  // reported once
  return inherited;
}

// --- all

lwStatus lw_mjcf_open(lwMjcf* mjcf, lwXml** root)
{
  mjcf->files             = calloc(LW_MJCF_MAX_FILES, sizeof *mjcf->files);
  mjcf->class_names.arena = &mjcf->document->arena;
  if (!mjcf->files) return LW_ERROR_MEMORY;
  lwStatus status = lw_xml_parse(mjcf->document, root);
  if (status == LW_OK) status = include_all(mjcf, *root, 0);
  if (status != LW_OK) return status;
  add_class(mjcf, NULL, "main", -1);  // there may be no <default>
  return collect_classes(mjcf, *root, -1, 0) ? LW_OK : LW_ERROR_INPUT;
}

void lw_mjcf_close(lwMjcf* mjcf)
{
  for (int i = 0; i < mjcf->file_count; ++i) lw_document_free(&mjcf->files[i]);
  free(mjcf->files);
}
