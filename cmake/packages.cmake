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

# Threads for batches, where the compiler has them; without, batches run on one.
find_package(OpenMP QUIET COMPONENTS C)
set(LINKWORK_OPENMP)
if(OpenMP_C_FOUND)
  set(LINKWORK_OPENMP OpenMP::OpenMP_C)
endif()

if(LINKWORK_TESTS)
  linkwork_find(CMocka cmocka "cmocka (Debian: libcmocka-dev), or configure with -DLINKWORK_TESTS=OFF")
endif()
