// Tiles of a warp go along their rows until one of them has seen a peak, and says so by a flag of
// the tile. A lane that asks late finds what a fast one sets in the round that it should begin.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int TILES = 8;

__global__ void until_peak(const float *rows, int *lengths, int length, float limit)
{
    __shared__ volatile bool seen[TILES];
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int number = threadIdx.x / 32, lane = tile.thread_rank();
    const float *row = rows + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * length;
    if (lane == 0)
        seen[number] = false;
    tile.sync();
    int at = 0;
    for (; at < length && !seen[number]; ++at) {
        if (row[at] > limit)
            seen[number] = true; // expect: sync-missing
        tile.sync();
    }
    if (lane == 0)
        lengths[blockIdx.x * TILES + number] = at;
}

void run(const float *rows, int *lengths, int blocks, int length, float limit)
{
    until_peak<<<blocks, TILES * 32>>>(rows, lengths, length, limit);
}
