// The block is 8 x 8 or 16 x 4, as the command line says, and the numbers fill such blocks.
#include <cuda_runtime.h>

__global__ void swap_pairs(const float *__restrict__ in, float *__restrict__ out, int width,
                           int height)
{
    __shared__ float tile[1024];
    const unsigned x = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned at = threadIdx.y * blockDim.x + threadIdx.x;
    if (x + blockDim.x < width && y < height) {
        tile[at] = in[y * width + x];
        __syncthreads();
        out[y * width + x] = tile[at ^ 1];
    }
}

int main(int argc, char **)
{
    int width = 4096, height = 4096, wide = 8, high = 8;
    if (argc > 2) {
        wide = 16;
        high = 4;
    }
    float *data;
    cudaMalloc(&data, 2 * width * height * sizeof *data);
    const dim3 block(wide, high);
    const dim3 grid((width - 1) / (block.x * 2) + 1, (height - 1) / block.y + 1);
    swap_pairs<<<grid, block>>>(data, data + width * height, width, height);
    return cudaDeviceSynchronize() != cudaSuccess;
}
