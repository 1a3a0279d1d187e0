// runtime_check for a source that calls its hooks by hand. Include it once in a CUDA source; call
// the hooks of runtime_check/hooks.h with BARLINT_RT_HERE as the place, each before the operation it
// belongs to. `barlint nvcc` does the same to every barrier instruction by itself.
//
//   BARLINT_RT_DISABLED     defined: every hook is an empty function
//
// The device that is current when the program starts is observed from the start; for others call
// barlint_rt_prepare() after cudaSetDevice().
#ifndef BARLINT_RUNTIME_CHECK_CUH
#define BARLINT_RUNTIME_CHECK_CUH

#include "runtime_check/hooks.h"
#include "runtime_check/host.h"

static __device__ unsigned long long barlint_rt_state;

#include "runtime_check/device.cuh"

// A place by its file and line: the upper bit, 16 bits of the line, 47 of the file name's address.
static __device__ inline uint64_t barlint_rt_here_site(const char *file, uint32_t line)
{
    return 1ull << 63 | (uint64_t)(line & 0xffffu) << 47 | ((uint64_t)file & 0x7fffffffffffull);
}

#define BARLINT_RT_HERE barlint_rt_here_site(__FILE__, __LINE__)

#ifndef __CUDA_ARCH__
static struct barlint_rt_unit {
    struct barlint_rt_module module;
    barlint_rt_unit()
    {
        module.state_symbol = &barlint_rt_state;
        module.number = 0;
        module.sites = 0;
        module.site_count = 0;
        barlint_rt_register(&module);
        barlint_rt_prepare();
    }
} barlint_rt_this_unit;
#endif

#endif
