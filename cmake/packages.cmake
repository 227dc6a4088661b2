# linkwork_find(NAME MODULE WHERE) finds a library with pkg-config as PkgConfig::NAME, or says what to install.
find_package(PkgConfig REQUIRED)
function(linkwork_find name module where)
  pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "pkg-config does not find ${module}: install ${where}")
  endif()
endfunction()

linkwork_find(LibYAML yaml-0.1 "libyaml (Debian: libyaml-dev)")
linkwork_find(LibXML libxml-2.0 "libxml2 (Debian: libxml2-dev)")

# Line editing, history and completion in `linkwork shell`; without it, the shell reads plain lines.
pkg_check_modules(LibEdit QUIET IMPORTED_TARGET GLOBAL libedit)

# Compresses the data of pages; without it, they are larger.
pkg_check_modules(ZLib QUIET IMPORTED_TARGET GLOBAL zlib)
set(LINKWORK_ZLIB)
if(ZLib_FOUND)
  set(LINKWORK_ZLIB ${ZLib_LIBRARIES}) # by name, as LAPACK
endif()

# Serves the page of `linkwork view`; without it, view writes a file and opens that. 0.9.73 has MHD_run_wait().
if(LINKWORK_LIVE)
  pkg_check_modules(MicroHTTPD QUIET IMPORTED_TARGET GLOBAL libmicrohttpd>=0.9.73)
endif()

# Eigenvalues and least squares for linearise, identify and excite; without it, they report that it is missing.
pkg_check_modules(Lapack QUIET lapack)
set(LINKWORK_LAPACK)
if(Lapack_FOUND)
  set(LINKWORK_LAPACK ${Lapack_LIBRARIES}) # by name: users of the static library need no target of ours
endif()

# Results of `linkwork study`; without it, the command reports that it is missing. 3.31 can distrust schemas.
pkg_check_modules(SQLite QUIET IMPORTED_TARGET GLOBAL sqlite3>=3.31)
set(LINKWORK_SQLITE)
if(SQLite_FOUND)
  set(LINKWORK_SQLITE ${SQLite_LIBRARIES}) # by name, as LAPACK
endif()

# Threads for batches and fleets
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

if(LINKWORK_TESTS)
  linkwork_find(CMocka cmocka "cmocka (Debian: libcmocka-dev), or configure with -DLINKWORK_TESTS=OFF")
endif()
