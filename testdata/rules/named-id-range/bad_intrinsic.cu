// The compiler's intrinsic with a number computed from two indices.
#include <cuda_runtime.h>

constexpr int kGroups = 4;
constexpr int kStages = 4;

__global__ void pipeline(const float *in, float *out)
{
    __shared__ float buffer[kStages][kGroups * 64];
    int group = threadIdx.x / 64;
    for (int stage = 0; stage < kStages; ++stage) {
        buffer[stage][threadIdx.x] = in[stage * blockDim.x + threadIdx.x];
        __barrier_sync_count(1 + stage * kGroups + group, 64); // expect: named-id-range
        out[stage * blockDim.x + threadIdx.x] = buffer[stage][threadIdx.x ^ 32];
    }
}

void run(const float *in, float *out)
{
    pipeline<<<2, kGroups * 64>>>(in, out);
}
