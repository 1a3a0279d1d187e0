// Each half of a warp scales a tile of four rows, in a grid that is as large however many tiles
// there are. The shuffles name the own half only, or the host has whole warps of tiles.
#include <cuda_runtime.h>

constexpr int kRows = 4;

template <bool Paired>
__global__ void scale_tiles(const float *__restrict__ in, float *__restrict__ scale, int rows)
{
    const unsigned mates = Paired ? 0xffffffff : 0xffffu << threadIdx.x % 32 / 16 * 16;
    const int lane = threadIdx.x % 16, tiles = rows / kRows;
    for (int tile = (blockIdx.x * blockDim.x + threadIdx.x) / 16; tile < tiles;
         tile += gridDim.x * blockDim.x / 16) {
        float most = 0;
        for (int row = 0; row < kRows; ++row)
            most = fmaxf(most, fabsf(in[(tile * kRows + row) * 16 + lane]));
        for (int step = 8; step > 0; step /= 2)
            most = fmaxf(most, __shfl_xor_sync(mates, most, step));
        if (lane == 0)
            scale[tile] = most;
    }
}

void launch(const float *in, float *scale, int rows, int processors)
{
    if (rows % 8 == 0)
        scale_tiles<true><<<processors, 128>>>(in, scale, rows);
    else
        scale_tiles<false><<<processors, 128>>>(in, scale, rows);
}
