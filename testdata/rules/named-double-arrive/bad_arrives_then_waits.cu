// A warp arrives early, to gain time, and then waits at the same barrier.
#include <cuda_runtime.h>

struct NamedBarrier {
    int id, threads;

    __device__ void arrive() const
    {
        asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
    }
    __device__ void sync() const
    {
        asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
    }
};

__global__ void overlap(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[96];
    const NamedBarrier stored{2, 96};
    line[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 32) {
        stored.arrive();
        const float ahead = in[96 + threadIdx.x];
        stored.sync(); // expect: named-double-arrive
        out[threadIdx.x] = line[95 - threadIdx.x] + ahead;
    } else {
        stored.sync();
        out[threadIdx.x] = line[95 - threadIdx.x];
    }
}

void run(const float *in, float *out)
{
    overlap<<<1, 96>>>(in, out);
}
