// What one lane stores for its warp twice, of different things: neither tells of the other.
#include <cuda_runtime.h>

__global__ void ranges(const int *first, const int *length, int *out)
{
    __shared__ int begin[4], size[4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = blockIdx.x * 4 + warp;
    if (lane == 0)
        begin[warp] = first[row];
    const int from = begin[warp]; // expect: sync-missing
    if (lane == 1)
        size[warp] = length[row];
    for (int i = lane; i < size[warp]; i += 32) // expect: sync-missing
        out[from + i] = row;
}

void launch(const int *first, const int *length, int *out, int rows)
{
    ranges<<<rows / 4, 128>>>(first, length, out);
}
