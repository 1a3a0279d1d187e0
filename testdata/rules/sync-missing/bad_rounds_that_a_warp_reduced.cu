// The longest row of the first warp says how many rounds all go; nothing keeps a thread's next store
// behind the reads of the round before.
#include <cuda_runtime.h>

__global__ void gather(const int *length, const int *column, const float *in, float *out)
{
    __shared__ float turn[128];
    __shared__ int rounds;
    const int longest = __reduce_max_sync(0xffffffffu, length[threadIdx.x]);
    if (threadIdx.x == 0)
        rounds = longest;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < rounds; ++i) {
        turn[threadIdx.x] = in[column[i * 128 + threadIdx.x]]; // expect: sync-missing
        __syncthreads();
        sum += turn[127 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

void launch(const int *length, const int *column, const float *in, float *out)
{
    gather<<<1, 128>>>(length, column, in, out);
}
