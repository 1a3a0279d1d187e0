// Each warp looks through its shelf until a lane has found something. The flag says so to all of
// its lanes, and they meet once more before it is cleared for the next shelf.
#include <cuda_runtime.h>

constexpr int WARPS = 4;

__global__ void first_hits(const float *shelf, int *hits, int shelves, int rounds, float limit)
{
    __shared__ volatile int found[WARPS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int s = blockIdx.x * WARPS + warp; s < shelves; s += gridDim.x * WARPS) {
        __syncwarp();
        if (lane == 0)
            found[warp] = 0;
        __syncwarp();
        int round = 0;
        for (; round < rounds && !found[warp]; ++round) {
            __syncwarp();
            if (shelf[(s * rounds + round) * 32 + lane] < limit)
                found[warp] = 1;
            __syncwarp();
        }
        if (lane == 31)
            hits[s] = round;
    }
}

void run(const float *shelf, int *hits, int shelves, int rounds, float limit)
{
    first_hits<<<64, WARPS * 32>>>(shelf, hits, shelves, rounds, limit);
}
