// The word of the tile is there to choose between overloads by its type; nothing is loaded from it.
#include <cuda_runtime.h>

__device__ unsigned int made_of(unsigned int first, unsigned int, unsigned int)
{
    return first;
}

__device__ uint2 made_of(unsigned int first, uint2, unsigned int second)
{
    return make_uint2(first, second);
}

template <typename Edge> __global__ void sorted(const unsigned int *in, Edge *out, int rounds)
{
    __shared__ Edge row[64][8];
    __shared__ int counts[64];
    if (threadIdx.x < 64)
        counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < rounds; ++i) {
        const unsigned int number = in[(blockIdx.x * rounds + i) * 32 + threadIdx.x / 4];
        const int at = threadIdx.x & 63;
        const int count = atomicAdd(&counts[at], 1);
        row[at][count & 7] = made_of(number, row[0][0], number ^ 1);
        __syncthreads();
        if (count == 7) {
            for (int k = 0; k < 8; ++k)
                out[blockIdx.x * 512 + at * 8 + k] = row[at][k];
            counts[at] = 0;
        }
        __syncthreads();
    }
}

void run(const unsigned int *in, unsigned int *out, uint2 *pairs, int rounds)
{
    sorted<<<4, 128>>>(in, out, rounds);
    sorted<<<4, 128>>>(in, pairs, rounds);
}
