// Three roles share the barrier; the third one has nothing to say and does not arrive.
#include <cuda_runtime.h>

enum { kReady = 2, kThreads = 96 };

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

__global__ void roles(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[64];
    const int warp = threadIdx.x / 32;
    if (warp == 0) {
        tile[threadIdx.x] = in[threadIdx.x];
        NamedBarrier::arrive(kThreads, kReady);
    } else if (warp == 1) {
        tile[threadIdx.x] = 1.0f;
    } else {
        NamedBarrier::sync(kThreads, kReady); // expect: named-participants
        out[threadIdx.x - 64] = tile[threadIdx.x - 64] * tile[threadIdx.x - 32];
    }
}

void run(const float *in, float *out)
{
    roles<<<1, kThreads>>>(in, out);
}
