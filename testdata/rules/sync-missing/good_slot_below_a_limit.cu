// All threads read one word of the grid's memory before the last of them replaces it.
#include <cuda_runtime.h>

__device__ __forceinline__ int slot_of(int step)
{
    return min(step, 15);
}

__global__ void decay(const float *__restrict__ in, float *__restrict__ out, float *last, int steps)
{
    for (int step = 0; step < steps; ++step) {
        const float before = last[slot_of(step)];
        const float x = 0.5f * before + in[step * 128 + threadIdx.x];
        out[step * 128 + threadIdx.x] = x;
        __syncthreads();
        if (threadIdx.x == 127)
            last[slot_of(step)] = x;
        __syncthreads();
    }
}

void run(const float *in, float *out, float *last, int steps)
{
    decay<<<1, 128>>>(in, out, last, steps);
}
