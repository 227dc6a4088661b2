// SPDX-License-Identifier: MIT
// Straight-line code for one robot, in C and in Rust, with its operation counts.
#include <stdio.h>

#include "linkwork/linkwork.h"

int main(int argc, char** argv)
{
  static const lwLanguage languages[] = {LW_LANGUAGE_C, LW_LANGUAGE_RUST};
  lwModel* arm                        = NULL;
  lwGenerateDef def                   = lw_generate_def();
  def.questions                       = "gravity,inverse";
  if (lw_robot_read_file(argc > 1 ? argv[1] : "robots/planar2r.yaml", NULL, NULL, &arm) != LW_OK)
    return 3;
  for (int k = 0; k < 2; ++k)
  {
    lwGenerated* code = NULL;
    def.language      = languages[k];
    if (lw_generate(arm, &def, NULL, &code) != LW_OK) return 1;
    for (int i = 0; i < lw_generated_functions(code); ++i)
      printf("function %d: %ld multiplications, %ld additions, %d sines\n", i + 1,
             lw_generated_count(code, i).mul, lw_generated_count(code, i).add,
             lw_generated_sines(code, i));
    printf("%s\n", lw_generated_text(code, 0));
    lw_generated_destroy(code);
  }
  lw_model_destroy(arm);
  return 0;
}
