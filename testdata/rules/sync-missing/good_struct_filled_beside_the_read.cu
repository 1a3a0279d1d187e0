#include <cuda_runtime.h>

enum { WARPS = 4 };

// The sums of the warps and the items that they sort have memory each.
struct Scratch {
    struct {
        int sum[WARPS];
    } scan;
    struct {
        int item[WARPS][128];
    } sorted;
};

__global__ void place(const int *in, const int *rank, int *out)
{
    __shared__ Scratch scratch;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, i = blockIdx.x * 128 + threadIdx.x;
    const int own = in[i];
    if (lane == 0)
        scratch.scan.sum[warp] = own;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; ++w)
        before += scratch.scan.sum[w];
    scratch.sorted.item[warp][rank[i]] = own + before;
    __syncwarp();
    out[i] = scratch.sorted.item[warp][lane];
}

void launch(const int *in, const int *rank, int *out, int blocks)
{
    place<<<blocks, WARPS * 32>>>(in, rank, out);
}
