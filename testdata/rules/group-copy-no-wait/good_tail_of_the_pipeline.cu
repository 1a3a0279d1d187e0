// The last rounds prefetch what nobody reads: the same operation is waited for in every other.
#include <cuda_pipeline_primitives.h>

__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[2][512];
    auto load = [&](int t) {
        __pipeline_memcpy_async(&tile[t % 2][threadIdx.x * 4],
                                in + min(t, tiles - 1) * 512 + threadIdx.x * 4, 16);
        __pipeline_commit();
    };
    load(0);
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        load(t + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += tile[t % 2][threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

void run(const float *in, float *out, int tiles)
{
    sums<<<1, 128>>>(in, out, tiles);
}
