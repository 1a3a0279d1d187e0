// The count is a template argument of each role, and one of them was changed.
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

template <int Threads>
__device__ void produce(float *tile, const float *in)
{
    tile[threadIdx.x] = in[threadIdx.x];
    NamedBarrier::arrive(Threads, 3);
}

template <int Threads>
__device__ void consume(const float *tile, float *out)
{
    NamedBarrier::sync(Threads, 3); // expect: named-count-mismatch
    out[threadIdx.x - 32] = tile[(threadIdx.x - 32) % 32];
}

__global__ void hand_over(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[64];
    if (threadIdx.x < 32)
        produce<64>(tile, in);
    else
        consume<96>(tile, out);
}

void run(const float *in, float *out)
{
    hand_over<<<1, 96>>>(in, out);
}
