// The scores are first filled with the lowest value, which is worked out from constants; a warp
// that is through with that stores its first score where another one still fills.
#include <cfloat>
#include <cuda_runtime.h>

__global__ void best_scores(const float *query, const float *keys, float *best, int rounds)
{
    __shared__ float score[128];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    score[threadIdx.x] = -FLT_MAX / 2.0f;
    float most = -FLT_MAX / 2.0f;
    for (int round = 0; round < rounds; ++round) {
        for (int key = warp; key < 128; key += 4) {
            float sum = query[lane] * keys[(round * 128 + key) * 32 + lane];
            for (int offset = 16; offset > 0; offset /= 2)
                sum += __shfl_xor_sync(0xffffffff, sum, offset);
            if (lane == 0)
                score[key] = sum; // expect: sync-missing
        }
        __syncthreads();
        for (int key = 0; key < 128; ++key)
            most = fmaxf(most, score[key]);
        __syncthreads();
    }
    best[blockIdx.x * 128 + threadIdx.x] = most;
}

void launch(const float *query, const float *keys, float *best, int rounds)
{
    best_scores<<<16, 128>>>(query, keys, best, rounds);
}
