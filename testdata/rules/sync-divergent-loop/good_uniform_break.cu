// The loop is left by a decision that all threads share: a vote, a word of shared memory, a
// counter that the block takes from.
#include <cuda_runtime.h>

__global__ void work(const float *__restrict__ in, float *__restrict__ out, int *__restrict__ next,
                     int count)
{
    __shared__ int tile;
    __shared__ float line[128];
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0)
            tile = atomicAdd(next, 1);
        __syncthreads();
        if (tile >= count)
            break;
        line[threadIdx.x] = in[tile * 128 + threadIdx.x];
        float value = 1.0f;
        do {
            value *= 0.5f;
        } while (__syncthreads_or(line[threadIdx.x] < value));
        out[tile * 128 + threadIdx.x] = value;
    }
}

void run(const float *in, float *out, int *next, int count)
{
    work<<<132, 128>>>(in, out, next, count);
}
