# linkwork_find(NAME MODULE WHERE) finds a library by pkg-config as PkgConfig::NAME, or says what to install.
find_package(PkgConfig REQUIRED)
function(linkwork_find name module where)
  pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "pkg-config does not find ${module}: install ${where}")
  endif()
endfunction()

linkwork_find(LibYAML yaml-0.1 "libyaml (Debian: libyaml-dev)")
linkwork_find(LibXML libxml-2.0 "libxml2 (Debian: libxml2-dev)")

# Editing of lines, history and completion in `linkwork shell`; without, it reads plain lines.
pkg_check_modules(LibEdit QUIET IMPORTED_TARGET GLOBAL libedit)

# Threads for batches, where the compiler has them; without, batches run on one. The module may find half of OpenMP, for
# example clang's flag without its header or library, so a program has to link as well. LINKWORK_OPENMP is the target to
# link with, LINKWORK_OPENMP_FLAGS its flags for pkg-config; both are empty without.
include(CheckCSourceCompiles)
function(linkwork_find_openmp)
  set(LINKWORK_OPENMP "" PARENT_SCOPE)
  set(LINKWORK_OPENMP_FLAGS "" PARENT_SCOPE)
  find_package(OpenMP QUIET COMPONENTS C)
  if(NOT TARGET OpenMP::OpenMP_C OR "${OpenMP_C_FLAGS};${OpenMP_C_LIBRARIES}" MATCHES "NOTFOUND")
    return()
  endif()
  set(CMAKE_REQUIRED_LIBRARIES OpenMP::OpenMP_C)
  set(CMAKE_REQUIRED_QUIET ON)
  unset(LINKWORK_OPENMP_LINKS CACHE) # the library may have come or gone since the last time
  check_c_source_compiles("#include <omp.h>\nint main(void) { return omp_get_max_threads() == 0; }" LINKWORK_OPENMP_LINKS)
  if(LINKWORK_OPENMP_LINKS)
    set(LINKWORK_OPENMP OpenMP::OpenMP_C PARENT_SCOPE)
    set(LINKWORK_OPENMP_FLAGS ${OpenMP_C_FLAGS} PARENT_SCOPE)
  endif()
endfunction()
linkwork_find_openmp()

if(LINKWORK_TESTS)
  linkwork_find(CMocka cmocka "cmocka (Debian: libcmocka-dev), or configure with -DLINKWORK_TESTS=OFF")
endif()
