# linkwork_embed(VARIABLE NAME FILE) makes a C source from a data file: NAME_text, its bytes and a final 0, and NAME_length.
# VARIABLE is set to the path of the source, which is rebuilt when the file changes.
function(linkwork_embed variable name file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){16})" "\\1\n" bytes "${bytes}")
  set(source ${PROJECT_BINARY_DIR}/${name}.c)
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
// Made from @path@ by cmake/embed.cmake.
#include <stddef.h>

extern const char @name@_text[];
extern const size_t @name@_length;
const char @name@_text[] = {
@bytes@0};
const size_t @name@_length = sizeof @name@_text - 1;
]])
  set(${variable} ${source} PARENT_SCOPE)
endfunction()

# linkwork_embed_large(VARIABLE NAME FILE) does the same for files of megabytes with the assembler's .incbin: NAME and
# NAME_length.
function(linkwork_embed_large variable name file)
  set(source ${PROJECT_BINARY_DIR}/${name}.c)
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
// Made for @path@ by cmake/embed.cmake.
#include <stddef.h>

#ifdef __APPLE__
#define SECTION ".const_data\n"
#define HIDDEN ".private_extern "
#define NAME "_@name@"
#define END ".text\n"
#else
#define SECTION ".section .rodata\n"
#define HIDDEN ".hidden "
#define NAME "@name@"
#define END ".previous\n"
#endif
__asm__(SECTION ".global " NAME ", " NAME "_end\n" HIDDEN NAME ", " NAME "_end\n" NAME ": .incbin \"@file@\"\n"
        NAME "_end: .byte 0\n"
        ".balign 8\n" END);
extern const char @name@[], @name@_end[];
size_t @name@_length(void);
size_t @name@_length(void)
{
  return (size_t)(@name@_end - @name@);
}
]])
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${file})
  set(${variable} ${source} PARENT_SCOPE)
endfunction()
