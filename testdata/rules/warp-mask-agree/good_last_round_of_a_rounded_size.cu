// The kernel rounds its number of rounds up, so that the last one may have a warp in part, which votes first.
#include <cuda_runtime.h>

__global__ void groups(const int *key, int *leaders, int count)
{
    const int rounds = (count + 64 * 128 - 1) / (64 * 128);
    for (int round = 0; round < rounds; ++round) {
        const int i = (round * 64 + blockIdx.x) * 128 + threadIdx.x;
        const unsigned there = __ballot_sync(0xffffffffu, i < count);
        if (i < count) {
            unsigned same = __match_any_sync(there, key[i]);
            leaders[i] = __ffs(same) - 1;
        }
        __syncwarp();
    }
}

void launch(const int *key, int *leaders, int count)
{
    groups<<<64, 128>>>(key, leaders, count);
}
