// The hooks as a unit of its own: `barlint nvcc` compiles it to PTX and joins that with the PTX it
// instruments.
#include <stdint.h>

#define BARLINT_RT_HOOK extern "C" __device__ __noinline__
#include "barlint/runtime_check/hooks.h"

extern __device__ unsigned long long barlint_rt_state; // the instrumented module's own

// Made for the module, of the barriers that it uses.
#define BARLINT_RT_HAS_ARRIVE_AT
extern "C" __device__ void barlint_rt_arrive_at(uint32_t number, uint32_t count);

// How many mbarriers the shadow has room for: none in a module that has none.
extern "C" __constant__ uint32_t barlint_rt_room;
#define BARLINT_RT_ROOM barlint_rt_room

#include "barlint/runtime_check/device.cuh"
