// Who has nothing to say votes for what changes nothing.
#include <cuda_runtime.h>

__global__ void any_negative(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[128];
    line[threadIdx.x] = in[threadIdx.x];
    const int found = __syncthreads_or(threadIdx.x < 96 && line[threadIdx.x] < 0);
    out[threadIdx.x] = threadIdx.x < 96 ? found : line[threadIdx.x - 96];
}

void run(const int *in, int *out)
{
    any_negative<<<1, 128>>>(in, out);
}
