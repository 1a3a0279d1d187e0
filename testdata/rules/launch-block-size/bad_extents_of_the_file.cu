// The extents are constants of the file: a dim3, and an element of a table.
#include <cuda_runtime.h>

const dim3 whole(256), grid{16, 1, 1};
constexpr int sizes[] = {64, 128, 512};

__global__ void __launch_bounds__(128) scale(float *cell, float *out)
{
    cell[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = cell[0];
}

__global__ void __launch_bounds__(128) shift(float *cell, float *out)
{
    cell[blockIdx.x * blockDim.x + threadIdx.x] += 2;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = -cell[0];
}

void run(float *cell, float *out)
{
    scale<<<grid, whole>>>(cell, out); // expect: launch-block-size
    shift<<<grid, sizes[2]>>>(cell, out); // expect: launch-block-size
}
