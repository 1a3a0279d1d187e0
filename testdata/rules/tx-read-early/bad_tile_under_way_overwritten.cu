// The bias goes to the first of the two tiles while the last copy there may be under way: the loop
// copies one tile more than it waits for.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__global__ void dot_tiles(const float4 *left, const float *bias, float *out, int depth)
{
    __shared__ float4 tile[2][256];
    const int lane = threadIdx.x, tiles = (depth + 31) / 32;
    const float4 *from = left + blockIdx.x * (tiles + 1) * 256;
    __pipeline_memcpy_async(&tile[0][lane], &from[lane], sizeof(float4));
    __pipeline_commit();
    float sum = 0;
    for (int i = 0; i < tiles; ++i) {
        __pipeline_memcpy_async(&tile[(i + 1) & 1][lane], &from[(i + 1) * 256 + lane],
                                sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 part = tile[i & 1][255 - lane];
        sum += part.x * part.y + part.z * part.w;
        __syncthreads();
    }
    float4 *row = tile[tiles & 1];
    row[lane].x = bias[blockIdx.x * 256 + lane]; // expect: tx-read-early
    __syncthreads();
    out[blockIdx.x * 256 + lane] = sum + row[255 - lane].x;
}

void multiply(const float4 *left, const float *bias, float *out, int rows, int depth)
{
    dot_tiles<<<rows, 256>>>(left, bias, out, depth);
}
