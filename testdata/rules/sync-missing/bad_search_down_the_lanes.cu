#include <cuda_runtime.h>

// The last 32 threads exchange candidates through shared memory, step by step.
__device__ int least(float *error, int *index)
{
    const int i = threadIdx.x;
    index[i] = i;
    __syncthreads();
    if (i < 32) {
        for (int step = 32; step > 0; step /= 2) {
            if (error[i + step] < error[i]) { // expect: sync-missing
                error[i] = error[i + step];
                index[i] = index[i + step];
            }
        }
    }
    __syncthreads();
    return index[0];
}

__global__ void nearest(const float *in, int *out, int count)
{
    __shared__ float error[64];
    __shared__ int index[64];
    float best = 1e30f;
    for (int k = threadIdx.x; k < count; k += 64)
        best = fminf(best, in[blockIdx.x * count + k]);
    error[threadIdx.x] = best;
    const int winner = least(error, index);
    if (threadIdx.x == winner)
        out[blockIdx.x] = winner;
}

void launch(const float *in, int *out, int count, int blocks)
{
    nearest<<<blocks, 64>>>(in, out, count);
}
