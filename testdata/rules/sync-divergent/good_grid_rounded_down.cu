// As many blocks as have all their threads within the count: what is left over is done elsewhere.
#include <cuda_runtime.h>

__global__ void swap_warps(float *data, unsigned count)
{
    __shared__ float line[128];
    const unsigned at = blockIdx.x * 128 + threadIdx.x;
    if (at < count) {
        line[threadIdx.x] = data[at];
        __syncthreads();
        data[at] = line[threadIdx.x ^ 32];
    }
}

void run(float *data, unsigned count)
{
    swap_warps<<<count / 128, 128>>>(data, count);
}
