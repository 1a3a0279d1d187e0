// One thread adds up what the block has stored, and counts the round where the host looks. Nobody
// in the block learns anything by that count: the others may store the next round already.
#include <cuda_runtime.h>

__global__ void totals(const float *__restrict__ in, float *out, unsigned *rounds, int n)
{
    __shared__ float part[128];
    for (int round = 0; round < n; ++round) {
        part[threadIdx.x] = in[round * 128 + threadIdx.x] * 0.5f; // expect: sync-missing
        __syncthreads();
        if (threadIdx.x == 0) {
            float sum = 0;
            for (int i = 0; i < 128; ++i)
                sum += part[i];
            out[blockIdx.x * n + round] = sum;
            __threadfence();
            atomicAdd(rounds, 1u);
        }
    }
}

void launch(const float *in, float *out, unsigned *rounds, int n)
{
    totals<<<16, 128>>>(in, out, rounds, n);
}
