// Two stages taken in turn: numbers 1 to 8, however long the loop runs.
#include <cuda_runtime.h>

constexpr int kGroups = 4;
constexpr int kStages = 2;

__global__ void pipeline(const float *in, float *out, int rounds)
{
    __shared__ float buffer[kStages][kGroups * 64];
    int group = threadIdx.x / 64;
    for (int round = 0; round < rounds; ++round) {
        int stage = round % kStages;
        buffer[stage][threadIdx.x] = in[round * blockDim.x + threadIdx.x];
        __barrier_sync_count(1 + stage * kGroups + group, 64);
        out[round * blockDim.x + threadIdx.x] = buffer[stage][threadIdx.x ^ 32];
    }
}

void run(const float *in, float *out, int rounds)
{
    pipeline<<<2, kGroups * 64>>>(in, out, rounds);
}
