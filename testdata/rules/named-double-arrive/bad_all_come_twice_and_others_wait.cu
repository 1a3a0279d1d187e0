// Two warps arrive and wait at a barrier for four: they open it alone, and the other two, which
// wait there as well, are left behind.
#include <cuda_runtime.h>

__device__ inline void say(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ inline void meet(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[128];
    line[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 64) {
        say(1, 128);
        const float ahead = in[128 + threadIdx.x];
        meet(1, 128); // expect: named-double-arrive
        out[threadIdx.x] = line[127 - threadIdx.x] + ahead;
    } else {
        meet(1, 128);
        out[threadIdx.x] = line[127 - threadIdx.x];
    }
}

void run(const float *in, float *out)
{
    mirror<<<1, 128>>>(in, out);
}
