// Rows are padded to whole warps, and the kernel checks it before lanes exchange.
#include <cassert>
#include <cuda_runtime.h>

constexpr int warps = 4;

__global__ void reverse_rows(const int *first, const float *in, float *out)
{
    __shared__ float tile[warps][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = blockIdx.x * warps + warp;
    int begin = first[row], end = first[row + 1];
    assert((end - begin) % 32 == 0);
    for (int i = begin + lane; i < end; i += 32) {
        tile[warp][lane] = in[i];
        __syncwarp();
        out[i] = tile[warp][31 - lane];
        __syncwarp();
    }
}

// All warps of a block share a segment; what is no whole number of warps is left to the host.
__global__ void reverse_segments(const int *first, const float *in, float *out)
{
    __shared__ float tile[warps][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int begin = first[blockIdx.x], end = first[blockIdx.x + 1];
    if ((end - begin) % 32 != 0)
        __trap();
    for (int i = begin + warp * 32 + lane; i < end; i += 32 * warps) {
        tile[warp][lane] = in[i];
        __syncwarp();
        out[i] = tile[warp][31 - lane];
        __syncwarp();
    }
}

void launch(const int *first, const float *in, float *out, int rows)
{
    reverse_rows<<<rows / warps, 32 * warps>>>(first, in, out);
    reverse_segments<<<rows, 32 * warps>>>(first, in, out);
}
