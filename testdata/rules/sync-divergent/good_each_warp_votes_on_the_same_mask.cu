// Each warp votes by itself, but all of them on the same words of shared memory: either all warps
// skip the tile or none does.
#include <cuda_runtime.h>

__global__ void masked_sum(const float *mask, const float *in, float *out, int tiles)
{
    __shared__ float shown[128];
    int thread = threadIdx.y * 32 + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        shown[thread] = mask[tile * 128 + thread];
        __syncthreads();
        bool skip = true;
        for (int i = 0; i < 128; i += 32)
            skip = skip && isinf(shown[i + threadIdx.x]);
        if (__all_sync(0xffffffffu, skip)) {
            __syncthreads();
            continue;
        }
        for (int i = threadIdx.y; i < 128; i += 4)
            sum += shown[i] * in[tile * 128 + i];
        __syncthreads();
    }
    out[blockIdx.x * 128 + thread] = sum;
}

void launch(const float *mask, const float *in, float *out, int tiles)
{
    masked_sum<<<8, dim3(32, 4)>>>(mask, in, out, tiles);
}
