// SPDX-License-Identifier: MIT
#include "identify/drive_terms.h"

#include <string.h>

#include "command/list.h"
#include "linkwork/identify.h"

static unsigned friction_named(const char* name)
{
  for (int term = LW_TERM_VISCOUS; term < LW_TERM_COUNT; ++term)
    if (!strcmp(name, lw_term_name((lwTerm)term))) return LW_HAS_TERM(term);
  return 0;
}

int terms_choose(const Options* options, unsigned* terms)
{
  const char* text = options->value[OPTION_FRICTION];
  NameList list;
  *terms = options->value[OPTION_ROTORS] ? LW_HAS_TERM(LW_TERM_ROTOR) : 0;
  if (!text) return DONE;
  int status = names_read(&list, "--friction", text, false);
  for (int i = 0; i < list.count && status == DONE; ++i)
  {
    unsigned term = friction_named(list.names[i]);
    if (term == 0)
      status = fail(USAGE, "--friction: unknown '%s'; expected viscous, coulomb or offset",
                    list.names[i]);
    *terms |= term;
  }
  names_free(&list);
  return status;
}
