// SPDX-License-Identifier: MIT
#include "drive_terms.h"

#include <string.h>

unsigned terms_of(const Options* options)
{
  const char* text = options->value[OPTION_FRICTION];
  unsigned terms   = options->value[OPTION_ROTORS] ? LW_HAS_TERM(LW_TERM_ROTOR) : 0;
  NameList list    = {0};
  if (text) list = names_of("--friction", text, false);
  for (int i = 0; i < list.count; ++i)
  {
    int term = LW_TERM_VISCOUS;
    while (term < LW_TERM_COUNT && strcmp(list.names[i], lw_term_name((lwTerm)term)) != 0) ++term;
    if (term == LW_TERM_COUNT)
      stop(USAGE, "--friction: unknown '%s'; expected viscous, coulomb or offset", list.names[i]);
    terms |= LW_HAS_TERM(term);
  }
  return terms;
}
