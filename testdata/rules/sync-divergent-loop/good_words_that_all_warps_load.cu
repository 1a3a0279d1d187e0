// Each warp loads the same words, a lane each, and counts by a vote how many rounds there are: all
// warps of the block come to the same number.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256)
    combine(const float *__restrict__ rows, const int *__restrict__ expert,
            float *__restrict__ out, int tokens, int experts, int width)
{
    __shared__ float part[256];
    const int lane = threadIdx.x % 32;
    for (int token = blockIdx.x; token < tokens; token += gridDim.x) {
        bool valid = false;
        if (lane < 8)
            valid = expert[token * 8 + lane] < experts;
        const unsigned mask = __ballot_sync(0xffffffffu, valid);
        const int count = __popc(mask);
        float sum = 0.0f;
        for (int k = 0; k < count; ++k) {
            part[threadIdx.x] = rows[(token * 8 + k) * width + threadIdx.x];
            __syncthreads();
            sum += part[255 - threadIdx.x];
            __syncthreads();
        }
        if (mask != 0)
            __syncthreads();
        out[token * width + threadIdx.x] = sum;
    }
}

void run(const float *rows, const int *expert, float *out, int tokens, int experts, int blocks)
{
    combine<<<blocks, 256>>>(rows, expert, out, tokens, experts, 256);
}
