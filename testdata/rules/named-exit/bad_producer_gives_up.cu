// The producer warp returns when there is nothing to copy; the consumers wait for its arrival.
#include <cuda_runtime.h>

struct NamedBarrier {
    static __device__ void sync(int threads, int id)
    {
        asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
    }
    static __device__ void arrive(int threads, int id)
    {
        asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
    }
};

__device__ void produce(const float *in, float *tile, int count)
{
    if (count == 0)
        return; // expect: named-exit
    tile[threadIdx.x] = in[threadIdx.x];
    NamedBarrier::arrive(96, 2);
}

__global__ void feed(const float *in, float *out, int count)
{
    __shared__ float tile[64];
    if (threadIdx.x < 32) {
        produce(in, tile, count);
    } else {
        NamedBarrier::sync(96, 2);
        out[threadIdx.x - 32] = tile[(threadIdx.x - 32) % 32];
    }
}

void run(const float *in, float *out, int count)
{
    feed<<<1, 96>>>(in, out, count);
}
