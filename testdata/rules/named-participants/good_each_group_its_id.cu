// The id is computed from the warp group, one for each.
#include <cuda_runtime.h>

template <int Warps>
struct group {
    static constexpr int threads = Warps * 32;
    static __device__ int index()
    {
        return threadIdx.x / threads;
    }
    static __device__ void sync(int id)
    {
        asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(threads) : "memory");
    }
};

using warpgroup = group<4>;

__global__ void __launch_bounds__(512) swap_within_groups(float *data)
{
    __shared__ float line[512];
    line[threadIdx.x] = data[threadIdx.x];
    warpgroup::sync(1 + warpgroup::index());
    data[threadIdx.x] = line[threadIdx.x ^ 127];
}

void run(float *data)
{
    swap_within_groups<<<1, 512>>>(data);
    swap_within_groups<<<1, 256>>>(data);
}
