// The lowest value, worked out from constants, is stored twice to the places of other threads: both
// times the same.
#include <cfloat>
#include <cuda_runtime.h>

__global__ void best_of_rows(const float *in, float *best, int rounds)
{
    __shared__ float score[128];
    float most = -FLT_MAX / 2.0f;
    score[threadIdx.x] = -FLT_MAX / 2.0f;
    score[127 - threadIdx.x] = -FLT_MAX / 2.0f;
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        score[127 - threadIdx.x] = in[round * 128 + threadIdx.x];
        __syncthreads();
        for (int key = 0; key < 128; ++key)
            most = fmaxf(most, score[key]);
        __syncthreads();
    }
    best[blockIdx.x * 128 + threadIdx.x] = most;
}

void launch(const float *in, float *best, int rounds)
{
    best_of_rows<<<16, 128>>>(in, best, rounds);
}
