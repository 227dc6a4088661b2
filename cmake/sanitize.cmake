# Sanitizers for every target. A finding ends the program, so that no test passes over it.
if(LINKWORK_SANITIZE)
  add_compile_options(-fsanitize=${LINKWORK_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -O1 -g1) # line numbers are enough, and quicker to compile
  add_link_options(-fsanitize=${LINKWORK_SANITIZE}
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>) # else a start moves 10 MB of descriptions of code
else()
  add_link_options($<$<PLATFORM_ID:Linux>:-Wl,--no-undefined>)
endif()
