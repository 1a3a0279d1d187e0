// Loops over tiles and over the grid start at the block's number.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int Tile>
__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float line[Tile][Tile + 1];
    cg::thread_block block = cg::this_thread_block();
    for (int t = blockIdx.x; t < tiles * tiles; t += gridDim.x) {
        const int x = t % tiles * Tile, y = t / tiles * Tile;
        for (int r = threadIdx.y; r < Tile; r += blockDim.y)
            line[r][threadIdx.x] = in[(y + r) * tiles * Tile + x + threadIdx.x];
        block.sync();
        for (int r = threadIdx.y; r < Tile; r += blockDim.y)
            out[(x + r) * tiles * Tile + y + threadIdx.x] = line[threadIdx.x][r];
        block.sync();
    }
}

void run(const float *in, float *out, int tiles)
{
    transpose<32><<<132, dim3(32, 8)>>>(in, out, tiles);
}
