# Rules of `cmake --install`, and the files by which other projects find it: find_package(linkwork) and pkg-config.
include(CMakePackageConfigHelpers)

# linkwork-static has its own export set, because only its users need the development files of libyaml and libxml2.
# The folders' parts in packages: library, dev, program, doc (cmake/debian.cmake).
if(LINKWORK_SHARED_PROGRAMS) # -llinkwork-core is the same library
  install(TARGETS linkwork_testing EXPORT linkworkTargets LIBRARY COMPONENT library NAMELINK_COMPONENT dev)
  file(CREATE_LINK liblinkwork.so ${PROJECT_BINARY_DIR}/liblinkwork-core.so SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/liblinkwork-core.so DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  set_target_properties(linkwork core core-static PROPERTIES EXCLUDE_FROM_ALL ON)
  set_target_properties(linkwork PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples) # they may link with it
else()
  install(TARGETS linkwork core core-static EXPORT linkworkTargets
    LIBRARY COMPONENT library NAMELINK_COMPONENT dev ARCHIVE COMPONENT dev)
  install(TARGETS linkwork-static EXPORT linkworkStaticTargets ARCHIVE COMPONENT dev)
  install(EXPORT linkworkStaticTargets NAMESPACE linkwork:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/linkwork COMPONENT dev)
endif()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS linkwork_program linkwork_paper linkwork_bench RUNTIME COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/linkwork TYPE INCLUDE COMPONENT dev FILES_MATCHING PATTERN *.h)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/robots ${PROJECT_SOURCE_DIR}/parts DESTINATION ${CMAKE_INSTALL_DATADIR}/linkwork
  FILES_MATCHING PATTERN *.yaml PATTERN *.urdf PATTERN *.stl)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenarios ${PROJECT_SOURCE_DIR}/studies DESTINATION ${CMAKE_INSTALL_DATADIR}/linkwork
  FILES_MATCHING PATTERN *.yaml PATTERN *.csv)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/templates DESTINATION ${CMAKE_INSTALL_DATADIR}/linkwork)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/cycles DESTINATION ${CMAKE_INSTALL_DATADIR}/linkwork/examples
  FILES_MATCHING PATTERN *.yaml)

# Pages and examples, in the folders that their links expect
install(FILES README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.pdf)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc FILES_MATCHING PATTERN *.[ch] PATTERN *.py PATTERN *.md)

# Man pages and shell completion, written by the program itself
if(NOT CMAKE_CROSSCOMPILING)
  install(CODE "
    set(manual \"${PROJECT_BINARY_DIR}/manual\")
    execute_process(COMMAND sh \"${PROJECT_SOURCE_DIR}/tools/manual\" \"$<TARGET_FILE:linkwork_program>\" \"\${manual}\"
      RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR \"tools/manual cannot make the man pages\")
    endif()")
  install(DIRECTORY ${PROJECT_BINARY_DIR}/manual/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${PROJECT_BINARY_DIR}/manual/linkwork.bash RENAME linkwork
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${PROJECT_BINARY_DIR}/manual/linkwork.zsh RENAME _linkwork
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${PROJECT_BINARY_DIR}/manual/linkwork.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

set(LINKWORK_CONFIG_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/linkwork)
install(EXPORT linkworkTargets NAMESPACE linkwork:: DESTINATION ${LINKWORK_CONFIG_FOLDER} COMPONENT dev)
configure_package_config_file(cmake/linkworkConfig.cmake.in ${PROJECT_BINARY_DIR}/linkworkConfig.cmake
  INSTALL_DESTINATION ${LINKWORK_CONFIG_FOLDER})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/linkworkConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/linkworkConfig.cmake ${PROJECT_BINARY_DIR}/linkworkConfigVersion.cmake
  DESTINATION ${LINKWORK_CONFIG_FOLDER} COMPONENT dev)

# pkg-config files give their prefix relative to themselves, so that an installation can be moved.
set(LINKWORK_PC_FOLDER ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(LINKWORK_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /prefix/${LINKWORK_PC_FOLDER} /prefix)
  string(REGEX REPLACE "/$" "" up ${up})
  set(LINKWORK_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(dir LIBDIR INCLUDEDIR)
  set(LINKWORK_PC_${dir} ${CMAKE_INSTALL_${dir}})
  if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_${dir}})
    set(LINKWORK_PC_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
# Not Requires.private: that would ask users of the shared library for development files of libyaml and libxml2.
string(JOIN " " LINKWORK_PC_YAML ${LibYAML_LDFLAGS})
string(JOIN " " LINKWORK_PC_XML ${LibXML_LDFLAGS})
set(LINKWORK_PC_LAPACK)
if(Lapack_FOUND)
  string(JOIN " " LINKWORK_PC_LAPACK ${Lapack_LDFLAGS})
endif()
set(LINKWORK_PC_ZLIB)
if(ZLib_FOUND)
  string(JOIN " " LINKWORK_PC_ZLIB ${ZLib_LDFLAGS})
endif()
set(LINKWORK_PC_SQLITE)
if(SQLite_FOUND)
  string(JOIN " " LINKWORK_PC_SQLITE ${SQLite_LDFLAGS})
endif()
foreach(name linkwork linkwork-core)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${LINKWORK_PC_FOLDER} COMPONENT dev)
endforeach()
