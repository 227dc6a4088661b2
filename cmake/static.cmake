set(CMAKE_FIND_LIBRARY_SUFFIXES .a) # for tools/static; project() has just set it
