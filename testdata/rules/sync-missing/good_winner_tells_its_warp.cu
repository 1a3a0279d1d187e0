// The lane whose value is the largest writes it to memory of the grid, and lane 0 adds up what
// stands there once the warp has met; and a place that some find is read behind the barrier.
#include <cuda_runtime.h>

__global__ void largest(const float *in, float *largest_of, float *sum, int rounds)
{
    float mine = in[blockIdx.x * 32 + threadIdx.x], all = 0;
    for (int round = 0; round < rounds; ++round) {
        float most = mine;
        int winner = threadIdx.x;
        for (int step = 16; step > 0; step /= 2) {
            const float other = __shfl_xor_sync(0xffffffffu, most, step);
            const int who = __shfl_xor_sync(0xffffffffu, winner, step);
            if (other > most || (other == most && who < winner)) {
                most = other;
                winner = who;
            }
        }
        if (threadIdx.x == winner) {
            largest_of[blockIdx.x * rounds + round] = mine;
            mine = -1e30f;
        }
        __syncwarp();
        if (threadIdx.x == 0)
            all += largest_of[blockIdx.x * rounds + round];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sum[blockIdx.x] = all;
}

__global__ void any_above(const int *in, int *found, int *out, int least)
{
    const int at = blockIdx.x * 64 + threadIdx.x;
    if (in[at] > least)
        found[blockIdx.x] = at;
    __syncthreads();
    out[at] = in[at] + found[blockIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        out[at] = 0;
}

void launch(const float *in, float *most, float *sum, const int *from, int *found, int *out, int n)
{
    largest<<<16, 32>>>(in, most, sum, n);
    any_above<<<16, 64>>>(from, found, out, n);
}
