// The group's number is taken within the group and is always 0, so both groups use one barrier.
#include <cuda_runtime.h>

template <int Warps>
struct group {
    static constexpr int threads = Warps * 32;
    static __device__ int lane()
    {
        return threadIdx.x % threads;
    }
    static __device__ int index()
    {
        return lane() / threads;
    }
    static __device__ void sync(int id)
    {
        asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(threads) : "memory");
    }
};

using warpgroup = group<4>;

__global__ void swap_within_groups(float *data)
{
    __shared__ float line[256];
    line[threadIdx.x] = data[threadIdx.x];
    warpgroup::sync(1 + warpgroup::index()); // expect: named-participants
    data[threadIdx.x] = line[threadIdx.x ^ 127];
}

void run(float *data)
{
    swap_within_groups<<<1, 256>>>(data);
}
