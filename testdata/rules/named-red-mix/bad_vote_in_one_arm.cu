// One arm counts votes at the barrier, the other one only waits there.
#include <cuda_runtime.h>

__global__ void any_negative(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[128];
    line[threadIdx.x] = in[threadIdx.x];
    int found = 0;
    if (threadIdx.x >= 96) {
        __syncthreads();
        found = line[threadIdx.x - 96] < 0;
    } else {
        found = __syncthreads_or(line[threadIdx.x] < 0); // expect: named-red-mix
    }
    out[threadIdx.x] = found;
}

void run(const int *in, int *out)
{
    any_negative<<<1, 128>>>(in, out);
}
