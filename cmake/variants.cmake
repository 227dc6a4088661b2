# The kernels are written once and compiled for many scalar types: the list of variants, and their flags.
#
# linkwork_variant(ISA SCALAR BYTES FLAGS...) compiles LINKWORK_KERNEL_SOURCES with that scalar as REAL. BYTES is
# the width of a lane vector; 0 means a plain scalar. See src/math/real.h.
function(linkwork_variant isa scalar bytes)
  set(name kernels_${scalar}_${isa})
  if(bytes)
    set(name kernels_${scalar}_lanes_${isa})
  endif()
  linkwork_kernels(${name} ${isa} ${scalar} ${bytes} ${ARGN})
endfunction()

# The kernels that fleets need, with a different robot in each lane; see LW_MIXED in src/kernels/joints.h.
function(linkwork_mixed isa bytes)
  set(LINKWORK_KERNEL_SOURCES ${LINKWORK_MIXED_SOURCES})
  linkwork_kernels(kernels_f64_mixed_${isa} ${isa} f64 ${bytes} -DLW_MIXED ${ARGN})
endfunction()

# Forward dynamics with closed loops, in vectors of four doubles.
function(linkwork_loops isa bytes)
  set(LINKWORK_KERNEL_SOURCES ${LINKWORK_LOOP_KERNEL_SOURCES})
  linkwork_kernels(kernels_loops_${isa} ${isa} f64 0 ${ARGN})
  if(bytes EQUAL 64) # a Stewart platform takes 1.05 times as long with vectors of 32 bytes
    target_compile_options(kernels_loops_${isa} PRIVATE -mprefer-vector-width=512)
  endif()
endfunction()

function(linkwork_kernels name isa scalar bytes)
  set(sources ${LINKWORK_KERNEL_SOURCES})
  if("-Os" IN_LIST ARGN)
    linkwork_together(sources ${name} ${scalar})
  endif()
  add_library(${name} OBJECT ${sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(${name} PRIVATE LW_ISA=${isa} LW_SCALAR_${scalar} LW_LANE_BYTES=${bytes})
  target_compile_options(${name} PRIVATE ${LINKWORK_KERNEL_OPTIMISATION} ${ARGN})
  set_target_properties(${name} PROPERTIES LINKWORK_LANE_BYTES ${bytes} LINKWORK_SCALAR ${scalar})
  if("-mfma" IN_LIST ARGN)
    set_target_properties(${name} PROPERTIES LINKWORK_FUSES 1)
  endif()
  if(NOT bytes)
    # Packing pairs out of 3-vectors costs more shuffles than it saves: 4 to 8 % with gcc 12 and clang 14.
    target_compile_options(${name} PRIVATE -fno-tree-slp-vectorize)
  endif()
  if(bytes EQUAL 64) # otherwise vectors of 32 bytes; see LW_WIDE_BYTES in src/math/fused.h
    target_compile_options(${name} PRIVATE -mprefer-vector-width=512)
  endif()
  # 16 registers of 32 bytes: ordering instructions before registers are given out spills fewer of them, 11 % of Newton-Euler.
  # With the 32 registers of AVX-512 it gains 1 %. See LINKWORK_AS_WRITTEN in src/CMakeLists.txt for kernels that lose by it.
  if(bytes GREATER 16 AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE -fschedule-insns -fsched-pressure)
  endif()
  # SIMD instructions for lanes only: in other variants, clang 14 packs scalars for WebAssembly and then loads an entry of
  # a vector that is rotated in place (matrix_apply_back() in model/ball.h) after overwriting it.
  if(bytes AND CMAKE_SYSTEM_NAME STREQUAL "WASI")
    target_compile_options(${name} PRIVATE -msimd128)
  endif()
  # Sanitizers check the double variant fully, and memory access in the scalars that need more memory. Instrumenting the
  # others as well would take longer to compile than everything else.
  if(LINKWORK_SANITIZE MATCHES "thread" AND NOT scalar STREQUAL "f64")
    target_compile_options(${name} PRIVATE -fno-sanitize=all -O0)
  elseif(LINKWORK_SANITIZE AND scalar MATCHES "^(dual|quad)$")
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  elseif(LINKWORK_SANITIZE AND NOT scalar STREQUAL "f64")
    target_compile_options(${name} PRIVATE -fno-sanitize=all)
  endif()
  set_property(GLOBAL APPEND PROPERTY LINKWORK_VARIANT_OBJECTS $<TARGET_OBJECTS:${name}>)
endfunction()

# Sources where small code counts, those of a folder in one file that includes them: functions of headers, which are inlined elsewhere,
# are there once and not in every source; half of the code was such copies. Sources with slopes that are to be fast stay alone, and
# those that have their own functions of a name.
function(linkwork_together variable name scalar)
  set(alone ${${variable}})
  list(FILTER alone INCLUDE REGEX "/(derivatives|snake)/|/(snake|articulated_body|newton_euler_grouped|common_frame|inertia/gibbs_appell|lanes|table)\\.c$")
  if(scalar STREQUAL "dual")
    list(APPEND alone ${LINKWORK_FAST_SLOPES})
    list(REMOVE_DUPLICATES alone)
  endif()
  set(rest ${${variable}})
  list(REMOVE_ITEM rest ${alone})
  foreach(source IN LISTS rest)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR}/src ${source})
    string(APPEND text_${folder} "#include \"${path}\"\n")
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    set(together ${CMAKE_CURRENT_BINARY_DIR}/${name}/${folder}.c)
    file(CONFIGURE OUTPUT ${together} CONTENT "${text_${folder}}" @ONLY)
    list(APPEND alone ${together})
  endforeach()
  set(${variable} ${alone} PARENT_SCOPE)
endfunction()

# All scalars of one instruction set.
function(linkwork_isa isa bytes)
  linkwork_variant(${isa} f64 0 ${ARGN})
  linkwork_variant(${isa} f32 0 ${ARGN})
  linkwork_variant(${isa} f64 ${bytes} ${ARGN})
  linkwork_variant(${isa} f32 ${bytes} ${ARGN})
  linkwork_mixed(${isa} ${bytes} ${ARGN})
  linkwork_loops(${isa} ${bytes} ${ARGN})
endfunction()

# Compile kernels with -O3 in every build except debug builds, whatever the rest uses, and without tables for unwinding, which -g
# brings back.
set(LINKWORK_KERNEL_OPTIMISATION "$<$<NOT:$<CONFIG:Debug>>:-O3;-fno-asynchronous-unwind-tables>")
if(LINKWORK_SANITIZE)
  set(LINKWORK_KERNEL_OPTIMISATION) # that of sanitize.cmake
endif()
