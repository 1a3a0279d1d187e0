// The block is as wide as the count where that is small, and as many blocks as fit are launched: no
// thread is at or behind the count.
#include <cuda_runtime.h>

__global__ void turn(float *state, unsigned long long dim)
{
    __shared__ float tile[32][33];
    const unsigned long long columns = dim >> 5;
    const unsigned long long at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < columns) {
        tile[threadIdx.x][threadIdx.y] = state[at * 32 + threadIdx.y];
        __syncthreads();
        state[at * 32 + threadIdx.y] = tile[threadIdx.x][threadIdx.y ^ 1];
    }
}

void run(float *state, unsigned long long dim)
{
    const unsigned long long columns = dim >> 5;
    dim3 block;
    block.y = 32;
    block.x = columns <= 32 ? columns : 32;
    const unsigned grid = columns / block.x;
    turn<<<grid, block>>>(state, dim);
}
