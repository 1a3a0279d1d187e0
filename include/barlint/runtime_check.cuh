// runtime_check for a source that is compiled with plain nvcc: include it first, and change nothing
// else. Barriers of cuda::barrier, cuda::pipeline, cuda::ptx, the __mbarrier_ functions, cooperative
// groups, __syncthreads() and their like are checked; what inline assembly does is not seen.
//
//   BARLINT_RT_DISABLED     defined: all names are CUDA's own, and nothing is checked
//   BARLINT_RT_PARTIAL      1: barriers that this unit does not initialise are left alone, because
//                           others do, or inline assembly; the default with -rdc=true
//
// Kernels may also call the hooks of runtime_check/hooks.h by hand, with BARLINT_RT_HERE as the
// place: barlint_rt_enter() first by every thread, each other hook before the operation it belongs
// to, barlint_rt_waited() and barlint_rt_synced() after it, and barlint_rt_exit() before a thread
// ends. The last is worth calling by itself: where no hook tells of ends, a hang that comes of one is
// told only after four seconds of standstill.
//
// The device that is current when the program starts is observed from the start; for others call
// barlint_rt_prepare() after cudaSetDevice().
#ifndef BARLINT_RUNTIME_CHECK_CUH
#define BARLINT_RUNTIME_CHECK_CUH

// What the source's own flags would have its compiler warn of is not said of this.
#pragma GCC system_header

#ifdef BARLINT_RT_DISABLED
#define BARLINT_RT_HOOK static __device__ __forceinline__
#define BARLINT_RT_WHO 0 // who is there nobody asks
#include "runtime_check/hooks.h"
#include "semantics.h"

#define BARLINT_RT_HERE 0

static __device__ __forceinline__ uint32_t barlint_rt_self(void)
{
    return 0;
}
static __device__ __forceinline__ uint32_t barlint_rt_enter(uint64_t)
{
    return 0;
}
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
static __device__ __forceinline__ void barlint_rt_named_mixed(uint32_t, uint32_t, uint32_t, uint32_t,
                                                              uint64_t, uint64_t)
{
}
static __device__ __forceinline__ void barlint_rt_named_arrive(uint32_t, uint32_t, uint32_t, uint64_t,
                                                               uint64_t)
{
}
static __device__ __forceinline__ void barlint_rt_synced(uint64_t) {}
static __device__ __forceinline__ void barlint_rt_warp(uint32_t, uint32_t, uint64_t, uint64_t) {}
static __device__ __forceinline__ void barlint_rt_cluster(uint32_t, uint32_t, uint64_t, uint64_t) {}
static __device__ __forceinline__ void barlint_rt_peer(uint32_t, uint32_t, uint64_t) {}
static __device__ __forceinline__ void barlint_rt_fence(uint32_t, uint64_t) {}
static __device__ __forceinline__ void barlint_rt_grid(uint64_t) {}
static __device__ __forceinline__ void barlint_rt_grid_arrives(uint64_t) {}
static __device__ __forceinline__ void barlint_rt_grid_waits(uint64_t) {}
static __device__ __forceinline__ void barlint_rt_group(uint64_t) {}
static __device__ __forceinline__ void barlint_rt_open_copies(uint64_t) {}
static __device__ __forceinline__ void barlint_rt_open_stores(uint64_t) {}
static __device__ __forceinline__ void barlint_rt_far(uint64_t, uint32_t, uint64_t) {}
static __device__ __forceinline__ void barlint_rt_transfer(uint64_t, uint64_t, uint32_t, uint64_t,
                                                           uint32_t, uint64_t)
{
}

#else

#include "runtime_check/hooks.h"
#include "runtime_check/host.h"

static __device__ unsigned long long barlint_rt_state;

#define BARLINT_RT_ENDS_UNSEEN 1
#include "runtime_check/device.cuh"

// A place by its file and line: the upper bit, 16 bits of the line, 47 of the file name's address.
static __device__ inline uint64_t barlint_rt_here_site(const char *file, uint32_t line)
{
    return 1ull << 63 | (uint64_t)(line & 0xffffu) << 47 | ((uint64_t)file & 0x7fffffffffffull);
}

#define BARLINT_RT_HERE barlint_rt_here_site(__FILE__, __LINE__)

#include "runtime_check/source.cuh"
#include "runtime_check/source_library.cuh"
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800 // mbarriers are software before
#include "runtime_check/source_primitives.cuh"
#endif
#include "runtime_check/source_intrinsics.cuh"
#if __cplusplus >= 201703L || CUDART_VERSION < 13000 // what cooperative groups need
#include "runtime_check/source_groups.cuh"
#endif
#ifdef BARLINT_RT_HAS_LIBRARY
#include "runtime_check/source_pipeline.cuh"
#endif

#ifndef __CUDA_ARCH__
static struct barlint_rt_unit {
    struct barlint_rt_module own;
    barlint_rt_unit()
    {
        own.state_symbol = &barlint_rt_state;
        own.number = 0;
        own.sites = 0;
        own.site_count = 0;
        barlint_rt_register(&own);
        barlint_rt_prepare();
    }
} barlint_rt_this_unit;
#endif

#endif

#endif
