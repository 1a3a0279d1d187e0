// The semantics core as C++ code.
#include "every_function.h"

extern "C" uint32_t every_function_cxx(uint32_t seed);

extern "C" uint32_t every_function_cxx(uint32_t seed)
{
    static struct barlint_cta cta;
    return every_function(seed, &cta);
}
