// The consumer gives the buffer back once too often: after the loop and in it.
#include <cuda_runtime.h>

constexpr int kFull = 1, kEmpty = 2, kAll = 64;

__device__ void sync(int id)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(kAll) : "memory");
}
__device__ void arrive(int id)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(kAll) : "memory");
}

__global__ void stream(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float tile[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; ++t) {
            tile[lane] = in[t * 32 + lane];
            arrive(kFull);
            sync(kEmpty);
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            sync(kFull);
            out[t * 32 + lane] = tile[lane];
            arrive(kEmpty);
        }
        arrive(kEmpty); // expect: named-double-arrive
    }
}

void run(const float *in, float *out)
{
    stream<<<1, 64>>>(in, out, 5);
}
