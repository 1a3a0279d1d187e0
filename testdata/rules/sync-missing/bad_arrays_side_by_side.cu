// Arrays that lie side by side in dynamic shared memory, one of which is read while others store to
// it.
#include <cuda_runtime.h>

extern __shared__ unsigned char memory_of_block[];

__global__ void advance(const float *__restrict__ delta, const long long *__restrict__ slots,
                        int steps, float *__restrict__ out)
{
    float *scale = reinterpret_cast<float *>(memory_of_block + 1024);
    long long *slot = reinterpret_cast<long long *>(memory_of_block + 1056);
    float *state = reinterpret_cast<float *>(memory_of_block + 1088);
    const int thread = threadIdx.x;
    for (int i = 0; i < 4; ++i)
        state[thread + i * 128] = 0;
    if (thread < steps)
        scale[thread] = delta[blockIdx.x * steps + thread];
    if (thread == 0)
        slot[0] = slots[blockIdx.x];
    float sum = state[127 - thread]; // expect: sync-missing
    for (int s = 0; s < steps; ++s)
        sum += scale[s]; // expect: sync-missing
    out[slot[0] * 128 + thread] = sum; // expect: sync-missing
}

void run(const float *delta, const long long *slots, int steps, float *out)
{
    advance<<<32, 128, 4096>>>(delta, slots, steps, out);
}
