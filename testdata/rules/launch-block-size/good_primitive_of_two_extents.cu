// The primitives are given both extents of the block, or work on blocks of one row.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cuda_runtime.h>

template <typename Sum>
__device__ float sum_of_tile(const float *image, int width, int height_of_block)
{
    __shared__ typename Sum::TempStorage scratch;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * height_of_block + threadIdx.y;
    return Sum(scratch).Sum(image[y * width + x]);
}

__global__ void sums_of_tiles(const float *image, int width, float *sum)
{
    using Sum = cub::BlockReduce<float, 16, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 16>;
    const float all = sum_of_tile<Sum>(image, width, 16);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        sum[blockIdx.y * gridDim.x + blockIdx.x] = all;
}

__global__ void sums_of_rows(const float *image, int width, float *sum)
{
    const float all = sum_of_tile<cub::BlockReduce<float, 256>>(image, width, 1);
    if (threadIdx.x == 0)
        sum[blockIdx.y * gridDim.x + blockIdx.x] = all;
}

__global__ void offsets(const int *count, int *offset)
{
    using Scan = cub::BlockScan<int, 64, cub::BLOCK_SCAN_RAKING, 4>;
    __shared__ typename Scan::TempStorage scratch;
    const int at = threadIdx.y * 64 + threadIdx.x;
    int before;
    Scan(scratch).ExclusiveSum(count[at], before);
    offset[at] = before;
}

void launch(const float *image, int width, int height, float *sum, const int *count, int *offset)
{
    sums_of_tiles<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(image, width, sum);
    sums_of_rows<<<dim3(width / 256, height), 256>>>(image, width, sum);
    offsets<<<1, dim3(64, 4)>>>(count, offset);
}
