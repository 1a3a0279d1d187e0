// A pipeline of stages, one a thread: each takes what the one before it has left in the last round
// and moves its own two numbers on, which lie behind the row of results. How many stages there are
// is an argument, and always 64; with two of them the numbers of the first stage would lie where
// the fourth thread looks for its input.
#include <cuda_runtime.h>

constexpr int STAGES = 64, DEPTH = 2;

__global__ void pipeline(int stages, int depth, int samples, const float *gain, float *data)
{
    extern __shared__ float memory[];
    float *results = memory;
    float *kept = results + stages;
    const int stage = threadIdx.x;
    results[stage] = 0;
    for (int i = 0; i < depth; ++i)
        kept[stage * depth + i] = gain[stage];
    __syncthreads();
    for (int n = 0; n < stages - 1; ++n) {
        float in = stage == 0 ? data[n] : results[stage - 1];
        float out = in * gain[stage] + kept[stage * depth];
        kept[stage * depth] = in + kept[stage * depth + 1];
        kept[stage * depth + 1] = out;
        __syncthreads();
        results[stage] = out;
        __syncthreads();
    }
    for (int n = stages - 1; n < samples; ++n) {
        float in = stage == 0 ? data[n] : results[stage - 1];
        float out = in * gain[stage] + kept[stage * depth];
        kept[stage * depth] = in + kept[stage * depth + 1];
        kept[stage * depth + 1] = out;
        __syncthreads();
        results[stage] = out;
        if (stage == stages - 1)
            data[n - stages + 1] = out;
        __syncthreads();
    }
}

void run(int channels, int samples, const float *gain, float *data)
{
    const size_t bytes = STAGES * (1 + DEPTH) * sizeof(float);
    pipeline<<<channels, STAGES, bytes>>>(STAGES, DEPTH, samples, gain, data);
}
