// Each block has a share of the steps and comes to the end of a tile on its way, or not; warps fill
// the next step while others still add up this one.
#include <cuda_runtime.h>

__global__ void tile_sums(const float *__restrict__ in, float *__restrict__ out, int tiles,
                          int steps_of_tile, int share)
{
    __shared__ float step[512];
    int first = blockIdx.x * share;
    const int end = min(first + share, tiles * steps_of_tile);
    while (first < end) {
        const int tile = first / steps_of_tile;
        const int last = min(end, (tile + 1) * steps_of_tile);
        const bool whole = first % steps_of_tile == 0 && last % steps_of_tile == 0;
        float sum = 0;
        for (int s = first; s < last; ++s) {
            for (int i = threadIdx.x; i < 512; i += 128)
                step[i] = in[s * 512 + i]; // expect: sync-missing
            __syncthreads();
            for (int i = 0; i < 512; i += 4)
                sum += step[(i + threadIdx.x) % 512];
        }
        if (whole)
            out[tile * 128 + threadIdx.x] = sum;
        else
            atomicAdd(&out[tile * 128 + threadIdx.x], sum);
        first = last;
    }
}

void run(const float *in, float *out, int tiles, int steps_of_tile, int blocks)
{
    const int share = (tiles * steps_of_tile + blocks - 1) / blocks;
    tile_sums<<<blocks, 128>>>(in, out, tiles, steps_of_tile, share);
}
