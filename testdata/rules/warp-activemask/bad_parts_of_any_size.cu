// The parts have any number of threads: one may begin in the middle of a warp.
#include <cuda_runtime.h>

__device__ int total(int value)
{
    const unsigned lanes = __activemask();
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(lanes, value, step); // expect: warp-activemask
    return value;
}

__global__ void totals(const int *__restrict__ in, int *__restrict__ out, unsigned size)
{
    __shared__ int row[32];
    const unsigned part = threadIdx.x / size, place = threadIdx.x % size;
    int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (size > 32) {
        sum = total(sum);
        if (place % 32 == 0)
            row[threadIdx.x / 32] = sum;
        __syncthreads();
        if (place / 32 == 0)
            sum = total(place < size / 32 ? row[part * (size / 32) + place] : 0);
    } else {
        for (unsigned step = size / 2; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, step);
    }
    if (place == 0)
        out[blockIdx.x * (blockDim.x / size) + part] = sum;
}

void run(const int *in, int *out, int blocks, unsigned size)
{
    totals<<<blocks, 512>>>(in, out, size);
}
