// SPDX-License-Identifier: MIT
// The table of this variant's kernels.
#include "kernels/table.h"

#include "math/real.h"

#define QUOTE_(x)                #x
#define QUOTE(x)                 QUOTE_(x)
#define DECLARE(id, ...)         extern const lwKernel FN(id);
#define DECLARE_FORWARD(id, ...) extern const lwKernel FN(forward_##id);
#define DECLARE_SNAKE(id, ...)   extern const lwSnakeKernel FN(id);
#define ADDRESS(id, ...)         &FN(id),
#define ADDRESS_FORWARD(id, ...) &FN(forward_##id),

LW_INVERSE_METHODS(DECLARE)
LW_INERTIA_METHODS(DECLARE)
LW_FORWARD_METHODS(DECLARE)
LW_INERTIA_METHODS(DECLARE_FORWARD)
LW_DERIVATIVE_METHODS(DECLARE)
LW_DERIVATIVE_METHODS(DECLARE_FORWARD)
LW_FURTHER_METHODS(DECLARE)
LW_SINGLE_KERNELS(DECLARE)
LW_SNAKE_METHODS(DECLARE_SNAKE)

#if !defined(LW_FLOATING)
#define MOVERS NULL, NULL
#else
lwPack FN(pack);
lwUnpack FN(unpack);
#define MOVERS FN(pack), FN(unpack)
#endif

extern const lwVariant FN(variant);
const lwVariant FN(variant) = {
    QUOTE(LW_ISA),
    QUOTE(LW_SCALAR_NAME),
    LANES,
    sizeof(REAL),
    MOVERS,
    {LW_INVERSE_METHODS(ADDRESS) LW_INERTIA_METHODS(ADDRESS) LW_FORWARD_METHODS(ADDRESS)
         LW_INERTIA_METHODS(ADDRESS_FORWARD) LW_DERIVATIVE_METHODS(ADDRESS)
             LW_DERIVATIVE_METHODS(ADDRESS_FORWARD) LW_FURTHER_METHODS(ADDRESS)
                 LW_SINGLE_KERNELS(ADDRESS)},
    {LW_SNAKE_METHODS(ADDRESS)},
};
