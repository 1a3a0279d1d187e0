// Hooks that do next to nothing, for the tests of the build.
#include <stdint.h>

#define BARLINT_RT_HOOK extern "C" __device__ __noinline__
#include "barlint/runtime_check/hooks.h"

extern __device__ unsigned long long barlint_rt_state;
__device__ unsigned barlint_rt_calls;

static __device__ __noinline__ void count(uint64_t site)
{
    if (barlint_rt_state)
        atomicAdd(&barlint_rt_calls, (unsigned)site | 1u);
}

uint32_t barlint_rt_enter(uint64_t site) { count(site); return 0; }
uint32_t barlint_rt_self() { return 0; }
void barlint_rt_exit(uint64_t, uint64_t site) { count(site); }
uint64_t barlint_rt_mbarrier(uint32_t, uint64_t, uint32_t, uint64_t, uint32_t, uint64_t,
                             uint64_t site)
{
    count(site);
    return 0;
}
uint32_t barlint_rt_wait(uint32_t, uint64_t, uint32_t, uint64_t operand, uint64_t site)
{
    count(site);
    return (uint32_t)operand;
}
void barlint_rt_waited(uint32_t, uint64_t, uint32_t, uint64_t, uint32_t, uint64_t, uint64_t site)
{
    count(site);
}
uint32_t barlint_rt_pending_count(uint64_t, uint64_t site)
{
    count(site);
    return 1;
}
void barlint_rt_named(uint32_t, uint32_t, uint32_t, uint32_t, uint64_t, uint64_t site) { count(site); }
void barlint_rt_named_mixed(uint32_t, uint32_t, uint32_t, uint32_t, uint64_t, uint64_t site)
{
    count(site);
}
void barlint_rt_named_arrive(uint32_t, uint32_t, uint32_t, uint64_t, uint64_t site) { count(site); }
void barlint_rt_warp(uint32_t, uint32_t, uint64_t, uint64_t site) { count(site); }
void barlint_rt_cluster(uint32_t, uint32_t, uint64_t, uint64_t site) { count(site); }
void barlint_rt_peer(uint32_t, uint32_t, uint64_t site) { count(site); }
void barlint_rt_fence(uint32_t, uint64_t site) { count(site); }
void barlint_rt_group(uint64_t site) { count(site); }
void barlint_rt_open_copies(uint64_t site) { count(site); }
void barlint_rt_open_stores(uint64_t site) { count(site); }
void barlint_rt_far(uint64_t, uint32_t, uint64_t site) { count(site); }
void barlint_rt_transfer(uint64_t, uint64_t, uint32_t, uint64_t, uint32_t, uint64_t site)
{
    count(site);
}
void barlint_rt_synced(uint64_t) {}
void barlint_rt_grid(uint64_t site) { count(site); }
void barlint_rt_grid_arrives(uint64_t site) { count(site); }
void barlint_rt_grid_waits(uint64_t site) { count(site); }
