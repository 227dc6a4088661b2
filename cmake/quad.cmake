# 113-bit floating point: long double if it has 113 bits, else __float128 with functions in libm (glibc 2.26 and later)
# or in libquadmath. Sets LINKWORK_QUAD to 1 or 0, LINKWORK_QUADMATH to 1 for libquadmath, and LINKWORK_QUAD_LIBRARY.
# LINKWORK_WITHOUT_QUAD builds as on machines that have none.
option(LINKWORK_WITHOUT_QUAD "build without 113-bit floating point" OFF)
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES m)
check_c_source_compiles("
#include <float.h>
#include <math.h>
#if LDBL_MANT_DIG != 113
#include <stddef.h>
__float128 sinf128(__float128 x);
__float128 cosf128(__float128 x);
__float128 sqrtf128(__float128 x);
__float128 atan2f128(__float128 y, __float128 x);
int strfromf128(char* text, size_t size, const char* format, __float128 x);
#endif
int main(int count, char** arguments)
{
#if LDBL_MANT_DIG != 113
  __float128 x = count;
  return strfromf128(arguments[0], 1, \"%.33g\", sinf128(x) + cosf128(x) + sqrtf128(x) + atan2f128(x, x));
#else
  return (int)sinl(count) + !arguments;
#endif
}" LINKWORK_HAS_QUAD)
set(CMAKE_REQUIRED_LIBRARIES quadmath)
if(NOT LINKWORK_HAS_QUAD)
  check_c_source_compiles("
#include <stddef.h>
__float128 sinq(__float128 x);
__float128 cosq(__float128 x);
__float128 sqrtq(__float128 x);
__float128 atan2q(__float128 y, __float128 x);
int quadmath_snprintf(char* text, size_t size, const char* format, ...);
int main(int count, char** arguments)
{
  __float128 x = count;
  return quadmath_snprintf(arguments[0], 1, \"%.33Qg\", sinq(x) + cosq(x) + sqrtq(x) + atan2q(x, x));
}" LINKWORK_HAS_QUADMATH)
endif()
unset(CMAKE_REQUIRED_LIBRARIES)
set(LINKWORK_QUAD 0)
set(LINKWORK_QUADMATH 0)
set(LINKWORK_QUAD_LIBRARY)
if(LINKWORK_WITHOUT_QUAD)
  message(STATUS "without 113-bit floating point, as asked: lw_quad_available() is false")
elseif(LINKWORK_HAS_QUAD)
  set(LINKWORK_QUAD 1)
elseif(LINKWORK_HAS_QUADMATH)
  set(LINKWORK_QUAD 1)
  set(LINKWORK_QUADMATH 1)
  set(LINKWORK_QUAD_LIBRARY quadmath)
else()
  message(STATUS "no 113-bit floating point: lw_quad_available() is false")
endif()
