// SPDX-License-Identifier: MIT
// Places and errors of libyaml as ours; for document_yaml.c only.
#ifndef LW_READ_DOCUMENT_DOCUMENT_SYNTAX_H
#define LW_READ_DOCUMENT_DOCUMENT_SYNTAX_H

#include <yaml.h>

#include "read/document/document.h"

lwPlace lw_document_place(yaml_mark_t mark);

// Reports why the parser stopped. LW_ERROR_INPUT, or LW_ERROR_MEMORY without a report.
lwStatus lw_document_syntax_error(lwDocument* document, const yaml_parser_t* yaml);

#endif
