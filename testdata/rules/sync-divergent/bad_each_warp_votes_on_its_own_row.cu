// Each warp votes on a row of its own: some skip the tile, others wait for them.
#include <cuda_runtime.h>

__global__ void masked_sum(const float *mask, const float *in, float *out, int tiles)
{
    __shared__ float shown[4][32];
    __shared__ float row[4][32];
    float sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        shown[threadIdx.y][threadIdx.x] = mask[tile * 128 + threadIdx.y * 32 + threadIdx.x];
        __syncthreads();
        if (__all_sync(0xffffffffu, isinf(shown[threadIdx.y][threadIdx.x])))
            continue;
        row[threadIdx.y][threadIdx.x] = in[tile * 128 + threadIdx.y * 32 + threadIdx.x];
        __syncthreads(); // expect: sync-divergent
        sum += row[3 - threadIdx.y][threadIdx.x] * shown[0][threadIdx.x];
        __syncthreads();
    }
    out[(blockIdx.x * 4 + threadIdx.y) * 32 + threadIdx.x] = sum;
}

void launch(const float *mask, const float *in, float *out, int tiles)
{
    masked_sum<<<8, dim3(32, 4)>>>(mask, in, out, tiles);
}
