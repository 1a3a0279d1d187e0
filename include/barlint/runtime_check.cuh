// runtime_check for a source that calls its hooks by hand. Include it once in a CUDA source; call
// the hooks of runtime_check/hooks.h with BARLINT_RT_HERE as the place, as that header says: first
// barlint_rt_enter() by every thread of a kernel, the others before the operation they belong to,
// barlint_rt_waited() and barlint_rt_synced() after it. `barlint nvcc` does the same to every
// barrier instruction by itself.
//
//   BARLINT_RT_DISABLED     defined: the hooks do and cost nothing, and there is no host part
//
// The device that is current when the program starts is observed from the start; for others call
// barlint_rt_prepare() after cudaSetDevice().
#ifndef BARLINT_RUNTIME_CHECK_CUH
#define BARLINT_RUNTIME_CHECK_CUH

#ifdef BARLINT_RT_DISABLED
#define BARLINT_RT_HOOK static __device__ __forceinline__
#define BARLINT_RT_WHO 0 // who is there nobody asks
#include "runtime_check/hooks.h"
#include "semantics.h"

#define BARLINT_RT_HERE 0

static __device__ __forceinline__ uint32_t barlint_rt_self() { return 0; }
static __device__ __forceinline__ uint32_t barlint_rt_enter(uint64_t) { return 0; }
static __device__ __forceinline__ void barlint_rt_exit(uint64_t, uint64_t) {}
static __device__ __forceinline__ uint64_t barlint_rt_mbarrier(uint32_t, uint64_t, uint32_t,
                                                               uint64_t, uint32_t, uint64_t,
                                                               uint64_t)
{
    return 0; // the hardware's token stays
}
static __device__ __forceinline__ uint32_t barlint_rt_wait(uint32_t form, uint64_t, uint32_t,
                                                           uint64_t operand, uint64_t)
{
    bool token = form == BARLINT_RT_TEST_TOKEN || form == BARLINT_RT_TRY_TOKEN;
    return token ? (uint32_t)(operand >> 63) : (uint32_t)operand & 1u;
}
static __device__ __forceinline__ void barlint_rt_waited(uint32_t, uint64_t, uint32_t, uint64_t,
                                                         uint32_t, uint64_t, uint64_t)
{
}
static __device__ __forceinline__ uint32_t barlint_rt_pending_count(uint64_t token, uint64_t)
{
    uint32_t count;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
    return count;
}
static __device__ __forceinline__ void barlint_rt_named(uint32_t, uint32_t, uint32_t, uint32_t,
                                                        uint64_t, uint64_t)
{
}
static __device__ __forceinline__ void barlint_rt_synced(uint64_t) {}
static __device__ __forceinline__ void barlint_rt_warp(uint32_t, uint32_t, uint64_t, uint64_t) {}
static __device__ __forceinline__ void barlint_rt_cluster(uint32_t, uint32_t, uint64_t) {}
static __device__ __forceinline__ void barlint_rt_fence(uint32_t, uint64_t) {}
static __device__ __forceinline__ void barlint_rt_grid(uint64_t) {}
static __device__ __forceinline__ void barlint_rt_group(uint64_t) {}

#else

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

#endif
