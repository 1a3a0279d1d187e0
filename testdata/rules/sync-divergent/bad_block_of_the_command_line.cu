// The block is 8 x 8 unless the command line says otherwise, and the last column of blocks is not
// full.
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void swap_pairs(const float *__restrict__ in, float *__restrict__ out, int width)
{
    __shared__ float tile[1024];
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int at = threadIdx.y * blockDim.x + threadIdx.x;
    if (x < width) {
        tile[at] = in[y * width + x];
        __syncthreads(); // expect: sync-divergent
        out[y * width + x] = tile[at ^ 1];
    }
}

int main(int argc, char **argv)
{
    int width = 4090, height = 4096, wide = 8, high = 8;
    if (argc > 2) {
        wide = atoi(argv[1]);
        high = atoi(argv[2]);
    }
    float *data;
    cudaMalloc(&data, 2 * width * height * sizeof *data);
    const dim3 block(wide, high);
    const dim3 grid((width - 1) / block.x + 1, (height - 1) / block.y + 1);
    swap_pairs<<<grid, block>>>(data, data + width * height, width);
    return cudaDeviceSynchronize() != cudaSuccess;
}
