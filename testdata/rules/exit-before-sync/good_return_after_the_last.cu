// pedantic: nothing but plain work comes after the return
#include <cuda_runtime.h>

__global__ void totals(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int part[128];
    part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    for (int s = 64; s > 16; s /= 2) {
        if (threadIdx.x < s)
            part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x >= 32)
        return;
    const int sum = __reduce_add_sync(0xffffffffu, part[threadIdx.x]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

void run(const int *in, int *out, int blocks)
{
    totals<<<blocks, 128>>>(in, out);
}
