# Debian packages: tools/debian makes and checks them with CPack.
#   liblinkwork1     the shared library        liblinkwork-dev   headers, CMake and pkg-config files
#   linkwork         programs, robots, manual  linkwork-doc      pages and examples
#   python3-linkwork the Python package, with LINKWORK_PYTHON
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL library dev program doc)
if(LINKWORK_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_PACKAGE_NAME linkwork)
# Who distributes the packages sets their own address; tools/debian does not ask lintian about this one.
set(LINKWORK_MAINTAINER "The linkwork authors <linkwork@localhost>" CACHE STRING "Maintainer of the Debian packages")
set(CPACK_PACKAGE_CONTACT ${LINKWORK_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "dynamics of robot arms and snake robots")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)

set(soversion ${PROJECT_VERSION_MAJOR})
macro(linkwork_debian component package section summary)
  set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${component}_PACKAGE_SECTION ${section})
  set(CPACK_COMPONENT_${component}_DESCRIPTION "${summary}\n${ARGN}")
endmacro()
linkwork_debian(LIBRARY liblinkwork${soversion} libs "dynamics of robot arms and snake robots, shared libraries"
  "Inverse and forward dynamics, inertia matrices, derivatives, simulation and\nidentification of robots, by every formulation of the literature.")
linkwork_debian(DEV liblinkwork-dev libdevel "dynamics of robot arms and snake robots, development files"
  "Headers, and files for CMake and pkg-config.")
linkwork_debian(PROGRAM linkwork science "dynamics of robot arms and snake robots, program"
  "Computes, checks, simulates and draws robots from YAML and URDF files,\nsizes motors, plans motions and writes code for controllers.")
linkwork_debian(DOC linkwork-doc doc "dynamics of robot arms and snake robots, documentation"
  "Pages about methods, conventions, formats and commands, and examples.")
linkwork_debian(PYTHON python3-linkwork python "dynamics of robot arms and snake robots, for Python"
  "Dynamics of robots from YAML and URDF files as NumPy arrays,\nfor one state and for batches.")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "liblinkwork${soversion} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "liblinkwork${soversion} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gnuplot-nox")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "linkwork-doc, chromium")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "liblinkwork${soversion} (= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy (>= 1:1.20)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas")
include(CPack)

# What every package has beside its files, and man pages as Debian wants them
if(LINKWORK_SHARED_PROGRAMS)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${PROJECT_BINARY_DIR}/debian/changelog
    "linkwork (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * /usr/share/doc/linkwork/CHANGELOG.md, in linkwork-doc, has the changes.\n\n -- ${LINKWORK_MAINTAINER}  ${date}\n")
  execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/debian/changelog)
  file(READ LICENSE licence)
  string(REGEX REPLACE "\n([^\n])" "\n \\1" licence "${licence}")
  string(REGEX REPLACE "\n\n" "\n .\n" licence "${licence}")
  file(WRITE ${PROJECT_BINARY_DIR}/debian/copyright
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: linkwork\n\nFiles: *\nCopyright: 2026 The linkwork authors\nLicense: Expat\n ${licence}")
  set(python)
  if(LINKWORK_PYTHON)
    set(python python:python3-linkwork)
  endif()
  foreach(part ${python} library:${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} dev:liblinkwork-dev program:linkwork doc:linkwork-doc)
    string(REPLACE ":" ";" part ${part})
    list(GET part 0 component)
    list(GET part 1 package)
    install(FILES ${PROJECT_BINARY_DIR}/debian/changelog.gz ${PROJECT_BINARY_DIR}/debian/copyright
      DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  endforeach()
  install(CODE "execute_process(COMMAND gzip -9nfr \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}\")"
    COMPONENT program)
endif()
