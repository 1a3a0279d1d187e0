// What is near is used, when all have stored their share of the tile.
#include <cuda_runtime.h>

constexpr int kBlock = 128;

__global__ void attract(const float2 *__restrict__ points, const float *__restrict__ weights,
                        float *__restrict__ out, int tiles, float radius)
{
    __shared__ float2 tile[kBlock];
    __shared__ float weight[kBlock];
    const float2 own = points[blockIdx.x * kBlock + threadIdx.x];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = points[t * kBlock + threadIdx.x];
        weight[threadIdx.x] = weights[t * kBlock + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < kBlock; ++k) {
            const float x = tile[k].x - own.x, y = tile[k].y - own.y;
            if (x * x + y * y < radius * radius)
                sum += weight[k];
        }
        __syncthreads();
    }
    out[blockIdx.x * kBlock + threadIdx.x] = sum;
}

void run(const float2 *points, const float *weights, float *out, int tiles, float radius)
{
    attract<<<tiles, kBlock>>>(points, weights, out, tiles, radius);
}
