// The sum goes over as many slots as the block has elements.
#include <cuda_runtime.h>

__global__ void total(const int *in, int *out, int n)
{
    __shared__ int part[128];
    const int first = blockIdx.x * 128, i = first + threadIdx.x;
    if (i >= n)
        return;
    part[threadIdx.x] = in[i];
    __syncthreads();
    const int count = min(128, n - first);
    for (int step = 1; step < 128; step *= 2) {
        int other = 0;
        if (threadIdx.x + step < count)
            other = part[threadIdx.x + step];
        __syncthreads();
        part[threadIdx.x] += other;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

void run(const int *in, int *out, int n)
{
    total<<<(n + 127) / 128, 128>>>(in, out, n);
}
