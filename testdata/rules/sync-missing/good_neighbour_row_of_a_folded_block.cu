#include <cuda_runtime.h>

// A row of the block for each row of the matrix, and as many of them as the width leaves room for.
__global__ void steps(const float *__restrict__ in, float *__restrict__ out, int width)
{
    __shared__ float peak[64];
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const float own = in[row * width + threadIdx.x];
    if (threadIdx.x == 0)
        peak[threadIdx.y] = own;
    __syncthreads();
    const int next = threadIdx.y + 1 < blockDim.y ? threadIdx.y + 1 : threadIdx.y;
    out[row * width + threadIdx.x] = own - peak[next];
}

// Rows of up to a warp, which its lanes share a place for.
__global__ void centred(const float *__restrict__ in, float *__restrict__ out, int width)
{
    __shared__ float sum[64];
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const float own = in[row * width + threadIdx.x];
    float all = own;
    for (int d = width / 2; d > 0; d /= 2)
        all += __shfl_down_sync(0xffffffff, all, d, width);
    if (threadIdx.x == 0)
        sum[threadIdx.y] = all / width;
    __syncwarp();
    out[row * width + threadIdx.x] = own - sum[threadIdx.y];
}

void launch(const float *in, float *out, int width, int rows)
{
    const dim3 block(width, 512 / width);
    steps<<<rows / block.y, block>>>(in, out, width);
    if (width <= 32)
        centred<<<rows / block.y, block>>>(in, out, width);
}
