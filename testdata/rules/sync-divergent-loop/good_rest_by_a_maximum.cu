// Where a maximum of a size and the thread's number ends the loop, which threads leave it first
// cannot be said; the size is whole blocks, as the caller sees to.
#include <algorithm>

__device__ float sum_of_block(float value)
{
    __shared__ float part[8];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, step);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0.0f;
    for (int warp = 0; warp < 8; ++warp)
        sum += part[warp];
    __syncthreads();
    return sum;
}

__global__ void scale(float *__restrict__ lines, int count)
{
    const int first = threadIdx.x + 256 * blockIdx.x;
    const int end = max(first, count);
    for (int line = first; line < end; line += 256 * gridDim.x)
        lines[line] /= sum_of_block(lines[line]);
}

void run(float *lines, int blocks, int count)
{
    scale<<<blocks, 256>>>(lines, count);
}
