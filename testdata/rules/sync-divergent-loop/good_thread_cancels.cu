// The thread's number stands on both sides of the comparison.
#include <cuda_runtime.h>

__global__ void insert(const int *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ int line[128];
    const int tid = threadIdx.x;
    int at = blockIdx.x * blockDim.x + tid;
    while (at - tid < n) {
        line[tid] = at < n ? in[at] : 0;
        __syncthreads();
        if (at < n)
            out[at] = line[127 - tid];
        __syncthreads();
        at += gridDim.x * blockDim.x;
    }
    for (int t = tid; t < n + tid; t += 64) {
        line[tid] += t;
        __syncthreads();
    }
}

void run(const int *in, int *out, int n)
{
    insert<<<16, 128>>>(in, out, n);
}
