#include <cuda/barrier>

__global__ void average(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    __shared__ float line[256];
    init(&filled, blockDim.x); // expect: init-by-many
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    filled.arrive_and_wait();
    out[blockIdx.x * 256 + threadIdx.x] =
        0.5f * (line[threadIdx.x] + line[(threadIdx.x + 1) % 256]);
}

void run(const float *in, float *out, int blocks)
{
    average<<<blocks, 256>>>(in, out);
}
