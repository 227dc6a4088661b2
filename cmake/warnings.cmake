# Compiler flags for every target of the project.
add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -Wno-psabi # lanes are passed by value between inlined functions only, so their ABI does not matter
  -ffp-contract=off) # fused operations are written as such (mul_add in real.h), never guessed
if(LINKWORK_WERROR)
  add_compile_options(-Werror)
endif()
