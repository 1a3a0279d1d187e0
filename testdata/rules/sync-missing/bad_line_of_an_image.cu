// The largest of what lies on the left, one line a block: the launch says that a block is one row
// of threads, though not how long it is. A step reads what others write in it.
#include <cuda_runtime.h>

__global__ void largest_on_the_left(const unsigned char *in, unsigned char *out, int width,
                                    int height, int reach)
{
    extern __shared__ unsigned char line[];
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int t = threadIdx.x;
    if (y >= height)
        return;
    line[t] = in[y * width + x];
    __syncthreads();
    for (int step = 1; step < reach; step *= 2) {
        if (t >= step)
            line[t] = max(line[t], line[t - step]); // expect: sync-missing
        __syncthreads();
    }
    out[y * width + x] = line[t];
}

void launch(const unsigned char *in, unsigned char *out, int width, int height, int reach)
{
    dim3 block, grid;
    block.x = reach;
    block.y = 1;
    grid.x = width / reach;
    grid.y = height;
    largest_on_the_left<<<grid, block, reach>>>(in, out, width, height, reach);
}
