// Groups of three warps look up how many rounds they have by the number of the warp: one warp of a
// group may have fewer than the others.
#include <cuda_runtime.h>

__device__ inline void meet(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void pass_round(const int *rounds, const float *in, float *out, int lists)
{
    __shared__ float held[384];
    const int group = threadIdx.x / 96, place = threadIdx.x % 96;
    const int count = rounds[threadIdx.x / 32 * lists + blockIdx.x];
    float own = in[blockIdx.x * 384 + threadIdx.x];
    for (int i = 0; i < count; ++i) {
        held[threadIdx.x] = own;
        meet(group + 1, 96); // expect: named-participants
        own += held[group * 96 + (place + 32) % 96];
        meet(group + 1, 96);
    }
    out[blockIdx.x * 384 + threadIdx.x] = own;
}

void run(const int *rounds, const float *in, float *out, int lists)
{
    pass_round<<<lists, 384>>>(rounds, in, out, lists);
}
