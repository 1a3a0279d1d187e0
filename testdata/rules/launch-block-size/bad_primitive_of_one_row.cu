// The sum of a tile of 16 by 16 pixels, by a primitive that is made for 256 threads in a row: in
// this block it sees threads 0 to 15 sixteen times each.
#include <cub/block/block_reduce.cuh>
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) sums_of_tiles(const float *image, int width, float *sum)
{
    using Sum = cub::BlockReduce<float, 256>;
    __shared__ typename Sum::TempStorage scratch;
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const float all = Sum(scratch).Sum(image[y * width + x]);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        sum[blockIdx.y * gridDim.x + blockIdx.x] = all;
}

void launch(const float *image, int width, int height, float *sum)
{
    dim3 tiles(width / 16, height / 16), tile(16, 16);
    sums_of_tiles<<<tiles, tile>>>(image, width, sum); // expect: launch-block-size
}
