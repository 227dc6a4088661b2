# Sanitizers for every target. A finding ends the program, so that no test can ignore it.
if(LINKWORK_SANITIZE)
  add_compile_options(-fsanitize=${LINKWORK_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -O1 -g1) # line numbers are enough, and quicker to compile
  add_link_options(-fsanitize=${LINKWORK_SANITIZE}
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>) # otherwise every start relocates 10 MB of code descriptions
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang") # -O1 does not vectorise loops marked for it, and clang would warn
    add_compile_options(-Wno-pass-failed)
  endif()
  # Use the shared runtime, as gcc does: tests/faults and Python preload allocators in front of it
  set(LINKWORK_SANITIZER_LIBRARY OFF)
  if(LINKWORK_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID STREQUAL "Clang")
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
      OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(EXISTS ${runtime})
      get_filename_component(folder ${runtime} DIRECTORY)
      add_link_options(-shared-libasan -Wl,-rpath,${folder})
      set(LINKWORK_SANITIZER_LIBRARY ON)
    endif()
  elseif(LINKWORK_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(LINKWORK_SANITIZER_LIBRARY ON)
  endif()
else()
  add_link_options($<$<PLATFORM_ID:Linux>:-Wl,--no-undefined>)
endif()

# libFuzzer is guided by the branches taken in the readers. Tracing all other code would only slow it down.
set(LINKWORK_FOLLOWED)
if(LINKWORK_FUZZ)
  set(LINKWORK_FOLLOWED -fsanitize=fuzzer-no-link)
endif()
