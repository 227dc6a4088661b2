# Counts how often each line and branch runs (gcov), for tools/coverage. Needs gcc.
if(LINKWORK_COVERAGE)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
    message(FATAL_ERROR "LINKWORK_COVERAGE needs gcc, whose gcov tools/coverage reads")
  endif()
  # -Og keeps the lines apart and compiles quickly. Threads share the counters; a lost count does not matter, but a
  # counter that goes backwards would, so those of one arc are updated in one step where the processor can.
  add_compile_options(--coverage -fprofile-update=prefer-atomic -Og -g0)
  add_link_options(--coverage)
endif()
