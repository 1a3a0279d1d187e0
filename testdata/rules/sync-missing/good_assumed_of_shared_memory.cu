// What the compiler is told to assume is not computed: neither the word that it is about is read there,
// nor is the sum over the warp made.
#include <cuda_runtime.h>

__global__ void scale(const float *from, float *to, int rounds)
{
    __shared__ int first;
    for (int i = 0; i < rounds; ++i) {
        if (threadIdx.x == 0)
            first = i * blockDim.x;
        __syncthreads();
        int at = first + threadIdx.x;
        __syncthreads();
        __builtin_assume(first >= 0);
        if (threadIdx.x < 5)
            __builtin_assume(__popc(__ballot_sync(0xffffffffu, rounds)) > 0);
        to[at] = 2 * from[at];
    }
}

void run(const float *from, float *to, int rounds)
{
    scale<<<1, 128>>>(from, to, rounds);
}
