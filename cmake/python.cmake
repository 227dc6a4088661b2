# The target `linkwork_python`: the Python package in build/*/python, with the shared library of this build, or beside it for
# packages. With LINKWORK_PYTHON it is part of the build and is installed. `pip install ./python` does not need this file.
option(LINKWORK_PYTHON "Build and install the Python package (needs setuptools and the headers of Python)" OFF)
set(LINKWORK_PYTHON_FOLDER ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages CACHE STRING "Where the Python package is installed")
find_program(LINKWORK_PYTHON_PROGRAM python3 HINTS /usr/bin NO_CMAKE_PATH)
mark_as_advanced(LINKWORK_PYTHON_PROGRAM)
if(LINKWORK_PYTHON AND NOT LINKWORK_PYTHON_PROGRAM)
  message(FATAL_ERROR "LINKWORK_PYTHON: python3 not found")
endif()
if(LINKWORK_PYTHON_PROGRAM AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CROSSCOMPILING)
  set(all)
  if(LINKWORK_PYTHON)
    set(all ALL)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/python/linkwork DESTINATION ${LINKWORK_PYTHON_FOLDER} COMPONENT python
      PATTERN __pycache__ EXCLUDE PATTERN *.c EXCLUDE)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/linkwork.egg-info/ COMPONENT python
      DESTINATION ${LINKWORK_PYTHON_FOLDER}/linkwork-${PROJECT_VERSION}.egg-info PATTERN SOURCES.txt EXCLUDE)
  endif()
  set(library ${PROJECT_BINARY_DIR})
  if(LINKWORK_SHARED_PROGRAMS)
    set(library shared:${PROJECT_BINARY_DIR})
  endif()
  add_custom_target(linkwork_python ${all}
    COMMAND ${CMAKE_COMMAND} -E env LINKWORK_LIBRARY=${library} LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}/lib CC=${CMAKE_C_COMPILER}
      ${LINKWORK_PYTHON_PROGRAM} setup.py -q egg_info --egg-base ${PROJECT_BINARY_DIR}
      build --build-base ${PROJECT_BINARY_DIR}/python_build --build-lib ${PROJECT_BINARY_DIR}/python
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/python VERBATIM)
  if(LINKWORK_SHARED_PROGRAMS)
    add_dependencies(linkwork_python linkwork_testing)
  else()
    add_dependencies(linkwork_python linkwork)
  endif()
endif()
