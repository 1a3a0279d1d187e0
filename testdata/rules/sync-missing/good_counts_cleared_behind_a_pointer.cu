// Two rows of counts, a pointer stands for the first, which each round clears. What was chosen is
// read in the second one, which the next round fills behind barriers only.
#include <cuda_runtime.h>

constexpr int BINS = 256;

__global__ void __launch_bounds__(512) narrow_down(const unsigned *keys, int length, int wanted, int *left)
{
    __shared__ int counts[2][BINS + 1];
    __shared__ int chosen;
    int *count = counts[0];
    const int t = threadIdx.x;
    for (int shift = 24; shift >= 0; shift -= 8) {
        if (t <= BINS)
            count[t] = 0;
        __syncthreads();
        for (int i = t; i < length; i += 512)
            atomicAdd(&count[keys[i] >> shift & 255], 1);
        __syncthreads();
        if (t < BINS && count[t] > wanted && count[t + 1] <= wanted)
            chosen = t;
        if (t <= BINS)
            counts[1][t] = count[t];
        __syncthreads();
        wanted -= count[BINS + 2 + chosen]; // of the other row
        if (wanted == 0)
            break;
    }
    if (t == 0)
        left[blockIdx.x] = wanted;
}

void launch(const unsigned *keys, int length, int wanted, int *left)
{
    narrow_down<<<8, 512>>>(keys, length, wanted, left);
}
