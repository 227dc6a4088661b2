# One kernel text, many scalars: the list of variants, and how each is compiled.
#
# linkwork_variant(ISA SCALAR BYTES FLAGS...) compiles LINKWORK_KERNEL_SOURCES once with REAL of that scalar. BYTES is
# the width of a lane vector; 0 means a plain scalar. See src/math/real.h.
function(linkwork_variant isa scalar bytes)
  set(name kernels_${scalar}_${isa})
  if(bytes)
    set(name kernels_${scalar}_lanes_${isa})
  endif()
  linkwork_kernels(${name} ${isa} ${scalar} ${bytes} ${ARGN})
endfunction()

# Those kernels that fleets need, with another robot in every lane; see LW_MIXED in src/kernels/joints.h.
function(linkwork_mixed isa bytes)
  set(LINKWORK_KERNEL_SOURCES ${LINKWORK_MIXED_SOURCES})
  linkwork_kernels(kernels_f64_mixed_${isa} ${isa} f64 ${bytes} -DLW_MIXED ${ARGN})
endfunction()

function(linkwork_kernels name isa scalar bytes)
  add_library(${name} OBJECT ${LINKWORK_KERNEL_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(${name} PRIVATE LW_ISA=${isa} LW_SCALAR_${scalar} LW_LANE_BYTES=${bytes})
  target_compile_options(${name} PRIVATE ${LINKWORK_KERNEL_OPTIMISATION} ${ARGN})
  if(NOT bytes)
    # Pairs packed out of 3-vectors cost more shuffles than they save: 4 to 8 % for gcc 12 and clang 14.
    target_compile_options(${name} PRIVATE -fno-tree-slp-vectorize)
  endif()
  # 16 registers of 32 bytes: ordering instructions before registers are given out spills fewer of them, 11 % of Newton-Euler.
  # With 32 registers it gains nothing. See LINKWORK_AS_WRITTEN in src/CMakeLists.txt for kernels that lose by it.
  if(bytes EQUAL 32 AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE -fschedule-insns -fsched-pressure)
  endif()
  # Vectors in lanes only: elsewhere clang 14 packs scalars for WebAssembly, and then loads an entry of a vector that is
  # turned in place, matrix_apply_back() in model/ball.h, after it was overwritten.
  if(bytes AND CMAKE_SYSTEM_NAME STREQUAL "WASI")
    target_compile_options(${name} PRIVATE -msimd128)
  endif()
  # Sanitizers look at the text in doubles, and at memory in the scalars that need more of it; to compile the others with
  # them would take longer than all the rest.
  if(LINKWORK_SANITIZE MATCHES "thread" AND NOT scalar STREQUAL "f64")
    target_compile_options(${name} PRIVATE -fno-sanitize=all -O0)
  elseif(LINKWORK_SANITIZE AND scalar MATCHES "^(dual|quad)$")
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  elseif(LINKWORK_SANITIZE AND NOT scalar STREQUAL "f64")
    target_compile_options(${name} PRIVATE -fno-sanitize=all)
  endif()
  set_property(GLOBAL APPEND PROPERTY LINKWORK_VARIANT_OBJECTS $<TARGET_OBJECTS:${name}>)
endfunction()

# All scalars of one instruction set.
function(linkwork_isa isa bytes)
  linkwork_variant(${isa} f64 0 ${ARGN})
  linkwork_variant(${isa} f32 0 ${ARGN})
  linkwork_variant(${isa} f64 ${bytes} ${ARGN})
  linkwork_variant(${isa} f32 ${bytes} ${ARGN})
  linkwork_mixed(${isa} ${bytes} ${ARGN})
endfunction()

# Kernels are worth -O3 in every build that is not for debugging, whatever the rest is compiled with.
set(LINKWORK_KERNEL_OPTIMISATION $<$<NOT:$<CONFIG:Debug>>:-O3>)
if(LINKWORK_SANITIZE)
  set(LINKWORK_KERNEL_OPTIMISATION) # that of sanitize.cmake
endif()
