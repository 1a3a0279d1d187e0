// Each half of a warp scales a tile of four rows, in a grid that is as large however many tiles
// there are: one half leaves the loop a round before the other, whose shuffles still name it.
#include <cuda_runtime.h>

constexpr int kRows = 4;

__global__ void scale_tiles(const float *__restrict__ in, float *__restrict__ scale, int rows)
{
    const int lane = threadIdx.x % 16, tiles = rows / kRows;
    for (int tile = (blockIdx.x * blockDim.x + threadIdx.x) / 16; tile < tiles;
         tile += gridDim.x * blockDim.x / 16) {
        float most = 0;
        for (int row = 0; row < kRows; ++row)
            most = fmaxf(most, fabsf(in[(tile * kRows + row) * 16 + lane]));
        for (int step = 8; step > 0; step /= 2)
            most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, step)); // expect: warp-mask-agree
        if (lane == 0)
            scale[tile] = most;
    }
}

void launch(const float *in, float *scale, int rows, int processors)
{
    scale_tiles<<<processors, 128>>>(in, scale, rows);
}
