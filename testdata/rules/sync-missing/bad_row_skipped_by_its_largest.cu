// Warps that find nothing finite in the line go on to the next one and store it while others still
// look at this one.
#include <cuda_runtime.h>

__global__ void weigh(const float *lines, float *weights, int count)
{
    __shared__ float line[128];
    const int lane = threadIdx.x % 32;
    float weight = 0;
    for (int i = 0; i < count; ++i) {
        line[threadIdx.x] = lines[i * 128 + threadIdx.x]; // expect: sync-missing
        __syncthreads();
        bool is_lost = true;
        for (int part = 0; part < 128; part += 32)
            is_lost = is_lost && isinf(line[part + lane]);
        if (__all_sync(0xffffffffu, is_lost))
            continue;
        for (int k = 0; k < 128; ++k)
            weight += expf(line[k] - line[threadIdx.x]);
        __syncthreads();
    }
    weights[threadIdx.x] = weight;
}

void launch(const float *lines, float *weights, int count)
{
    weigh<<<1, 128>>>(lines, weights, count);
}
