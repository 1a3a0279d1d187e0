// Each warp goes along its rows until one of its lanes has seen a peak, and says so by a flag of the
// warp, when all of them have asked.
#include <cuda_runtime.h>

constexpr int WARPS = 8;

__global__ void until_peak(const float *rows, int *lengths, int length, float limit)
{
    __shared__ volatile bool seen[WARPS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float *row = rows + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * length;
    if (lane == 0)
        seen[warp] = false;
    __syncwarp();
    int at = 0;
    for (; at < length && !seen[warp]; ++at) {
        __syncwarp();
        if (row[at] > limit)
            seen[warp] = true;
        __syncwarp();
    }
    if (lane == 0)
        lengths[blockIdx.x * WARPS + warp] = at;
}

void run(const float *rows, int *lengths, int blocks, int length, float limit)
{
    until_peak<<<blocks, WARPS * 32>>>(rows, lengths, length, limit);
}
