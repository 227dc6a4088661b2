// SPDX-License-Identifier: MIT
// linkwork examples [NAME]: lists the robots, scenarios, studies and cycles that come with the
// program, or copies one, with the files that it names, into the current folder.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "first/first.h"

static const char* const FOLDERS[] = {"robots",  "robots/snakes",   "scenarios",
                                      "studies", "examples/cycles", "parts"};

enum
{
  FOLDER_COUNT = sizeof FOLDERS / sizeof *FOLDERS,
  MOST         = 200  // files in all
};

typedef struct Example
{
  char* path;  // from the folder of the data, "robots/puma560.yaml"
  char* text;
  size_t length;
  char about[80];  // what its first line says
  bool taken;      // it is to be copied
} Example;

typedef struct Examples
{
  char root[PATH_MAX];  // the folder of the data, ended by /
  Example of[MOST];
  int count;
} Examples;

void find_root(char root[PATH_MAX])
{
  static const char* const places[] = {"../share/linkwork/", "../../../"};
  char program[PATH_MAX], probe[PATH_MAX + 40];
  char* slash = own_program(program) ? strrchr(program, '/') : NULL;
  for (size_t i = 0; slash && i < sizeof places / sizeof *places; ++i)
  {
    int size = snprintf(root, PATH_MAX, "%.*s%s", (int)(slash + 1 - program), program, places[i]);
    snprintf(probe, sizeof probe, "%srobots/puma560.yaml", root);
    if (size < PATH_MAX && access(probe, R_OK) == 0) return;
  }
  stop(INPUT, "the robots and scenarios that come with linkwork are not installed beside it, "
              "in ../share/linkwork");
}

// "# PUMA 560, the six-axis arm" -> "PUMA 560, the six-axis arm"; URDF: the name of the robot.
static void first_line(const Example* example, char about[80])
{
  const char* text = example->text;
  const char* name = strstr(text, "<robot name=\"");
  if (name) text = name + strlen("<robot name=\"");
  text += strspn(text, "# ");
  int length = (int)strcspn(text, name ? "\"" : "\n");
  while (!name && length > 0 && strchr(".:;", text[length - 1])) --length;
  if (length > 79)
    snprintf(about, 80, "%.76s...", text);
  else
    snprintf(about, 80, "%.*s", length, text);
}

static void add_example(Examples* all, const char* folder, const char* name)
{
  char path[PATH_MAX + 300];
  if (!text_ends_with(name, ".yaml") && !text_ends_with(name, ".urdf") &&
      !text_ends_with(name, ".csv") && !text_ends_with(name, ".stl"))
    return;
  if (all->count == MOST) stop(INPUT, "more than %d example files", MOST);
  Example* next = &all->of[all->count++];
  snprintf(path, sizeof path, "%s%s/%s", all->root, folder, name);
  next->path = text_copy(path + strlen(all->root));
  next->text = (char*)file_bytes(path, &next->length);
  if (text_ends_with(name, ".yaml") || text_ends_with(name, ".urdf")) first_line(next, next->about);
}

static int by_path(const void* a, const void* b)
{
  return strcmp(((const Example*)a)->path, ((const Example*)b)->path);
}

static void close_folder(void* folder)
{
  closedir(folder);
}

static Examples* read_examples(void)
{
  Examples* all = allocate(1, sizeof *all);
  find_root(all->root);
  for (int i = 0; i < FOLDER_COUNT; ++i)
  {
    char path[PATH_MAX + 40];
    snprintf(path, sizeof path, "%s%s", all->root, FOLDERS[i]);
    DIR* folder = opendir(path);
    if (!folder && errno == ENOMEM) leave(no_memory());
    hold(folder, close_folder);
    for (struct dirent* e; folder && (e = readdir(folder));)
      add_example(all, FOLDERS[i], e->d_name);
  }
  qsort(all->of, (size_t)all->count, sizeof *all->of, by_path);
  return all;
}

// --- the list

static const Example* listed(const Examples* all, int row)
{
  for (int i = 0; i < all->count; ++i)
    if (all->of[i].about[0] && row-- == 0) return &all->of[i];
  return NULL;
}

static void example_row(const void* context, int i, lwCell* cells)
{
  const Example* example = listed(context, i);
  cells[0]               = lw_cell_text(example->path);
  cells[1]               = lw_cell_text(example->about);
}

static void list_examples(const Options* options, const Examples* all)
{
  lwSheet sheet = {.columns = "file,about", .row = example_row, .context = all};
  while (listed(all, sheet.rows)) ++sheet.rows;
  lwOut* out = output(options->value[OPTION_OUT]);
  lw_sheet_write(out, format_of(options), &sheet);
  need(output_end(out, DONE));
}

// --- copies

// True if the path is the name, or is in some folder under that name, with or without its ending.
static bool is_called(const char* path, const char* name)
{
  const char* last = strrchr(path, '/') + 1;
  size_t stem      = strcspn(last, ".");
  return !strcmp(path, name) || !strcmp(last, name) || text_is(name, last, stem);
}

// Takes the example and, again and again, every example whose file name stands in its text.
static void take_with_named(Examples* all, Example* example)
{
  example->taken = true;
  for (int i = 0; i < all->count; ++i)
  {
    Example* other = &all->of[i];
    if (!other->taken && strstr(example->text, strrchr(other->path, '/') + 1))
      take_with_named(all, other);
  }
}

// Makes the folders of a relative path.
static void make_folders(const char* path)
{
  char folder[PATH_MAX];
  for (const char* slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/'))
  {
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
      stop(INPUT, "cannot make the folder %s: %s", folder, strerror(errno));
  }
}

bool is_there(const char* path, const char* text, size_t length)
{
  size_t own;
  if (access(path, F_OK) != 0) return false;
  const char* there = (char*)file_bytes(path, &own);
  if (length == own && !memcmp(text, there, length)) return true;
  stop(USAGE, "%s is there with other content; nothing was copied", path);
}

void place_file(const char* path, const char* text, size_t length)
{
  if (is_there(path, text, length)) return;
  make_folders(path);
  lwOut* out = output(path);
  lw_out_bytes(out, text, length);
  need(output_end(out, DONE));
}

static void copy_examples(const Examples* all)
{
  for (int i = 0; i < all->count; ++i)
    if (all->of[i].taken) is_there(all->of[i].path, all->of[i].text, all->of[i].length);
  for (int i = 0; i < all->count; ++i)
    if (all->of[i].taken) place_file(all->of[i].path, all->of[i].text, all->of[i].length);
  lwOut* out = output(NULL);
  for (int i = 0; i < all->count; ++i)
    if (all->of[i].taken) lw_out_format(out, "%s\n", all->of[i].path);
  need(output_end(out, DONE));
}

int cmd_examples(const Options* options)
{
  const char* name = options->operand;
  Examples* all    = read_examples();
  if (!name) list_examples(options, all);
  if (!name) return DONE;
  bool found = false;
  for (int i = 0; i < all->count; ++i)
    if (is_called(all->of[i].path, name))
    {
      take_with_named(all, &all->of[i]);
      found = true;
    }
  if (!found)
  {
    Nearest nearest = nearest_to(name, strlen(name));
    for (int i = 0; i < all->count; ++i) nearest_offer(&nearest, strrchr(all->of[i].path, '/') + 1);
    stop(USAGE, "no example '%s'; %s", name,
         nearest_or(&nearest, "'linkwork examples' lists them"));
  }
  copy_examples(all);
  return DONE;
}
