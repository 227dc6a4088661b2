// SPDX-License-Identifier: MIT
// What libyaml says about a syntax error, in our words.
#include "read/document/document_syntax.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

lwPlace lw_document_place(yaml_mark_t mark)
{
  size_t line   = mark.line < INT_MAX ? mark.line + 1 : INT_MAX;
  size_t column = mark.column < INT_MAX ? mark.column + 1 : INT_MAX;
  return (lwPlace){(int)line, (int)column};
}

// What libyaml says, and what we say and advise instead.
static const struct
{
  const char* problem;
  const char* text;
  const char* hint;
  bool at_start;  // point at where it begins instead of where it was noticed
} rewordings[] = {
    {.problem = "did not find expected key",
     .text    = "expected a key here",
     .hint    = "check the indentation of this line"},
    {.problem = "did not find expected '-' indicator",
     .text    = "expected '- ' and the next item of the list here",
     .hint    = "check the indentation of this line"},
    {.problem = "did not find expected ',' or ']'",
     .text    = "the list is not closed: expected ',' or ']' here"},
    {.problem = "did not find expected ',' or '}'",
     .text    = "the mapping is not closed: expected ',' or '}' here"},
    {.problem = "did not find expected node content", .text = "expected a value here"},
    {.problem = "did not find expected <document start>",
     .text    = "expected nothing more here",
     .hint    = "is a line indented less than it should be, or a bracket closed twice?"},
    {.problem = "mapping values are not allowed in this context",
     .text    = "':' is not allowed here",
     .hint    = "check the indentation; a text that contains ': ' must be in quotes"},
    {.problem = "block sequence entries are not allowed in this context",
     .text    = "'- ' is not allowed here",
     .hint    = "the items of a list begin on lines of their own, under their key"},
    {.problem  = "could not find expected ':'",
     .text     = "expected ':' after this key",
     .at_start = true},
    {.problem = "found character that cannot start any token",
     .text    = "no value can begin with this character",
     .hint    = "indent with spaces, not tabs; put a text that begins so in quotes"},
    {.problem = "found a tab character that violates indentation",
     .text    = "a tab in the indentation",
     .hint    = "indent with spaces"},
    {.problem  = "found unexpected end of stream",
     .text     = "these quotes are not closed",
     .at_start = true},
    {.problem  = "found unexpected document indicator",
     .text     = "these quotes are not closed",
     .at_start = true},
    {.problem = "found unknown escape character",
     .text    = "an unknown escape after '\\'",
     .hint    = "in single quotes a backslash stands for itself"},
};

// "while parsing a block mapping that begins at line 3, column 5",
// where this says more than the place does.
static void describe_context(const yaml_parser_t* yaml, char* text, size_t size)
{
  lwPlace place = lw_document_place(yaml->context_mark);
  bool useful   = yaml->context && strcmp(yaml->context, "while scanning for the next token") != 0;
  text[0]       = 0;
  if (useful)
    snprintf(text, size, ", %s that begins at line %d, column %d", yaml->context, place.line,
             place.column);
}

lwStatus lw_document_syntax_error(lwDocument* document, const yaml_parser_t* yaml)
{
  if (yaml->error == YAML_MEMORY_ERROR) return LW_ERROR_MEMORY;
  const char* problem = yaml->problem ? yaml->problem : "not valid YAML";
  char context[128];
  describe_context(yaml, context, sizeof context);
  for (size_t i = 0; i < sizeof rewordings / sizeof *rewordings; ++i)
  {
    if (strcmp(problem, rewordings[i].problem) != 0) continue;
    bool at_start = rewordings[i].at_start;
    return lw_document_refuse(
        document, lw_document_place(at_start ? yaml->context_mark : yaml->problem_mark),
        rewordings[i].hint, "%s%s", rewordings[i].text, at_start ? "" : context);
  }
  return lw_document_refuse(document, lw_document_place(yaml->problem_mark), NULL, "%s%s", problem,
                            context);
}
