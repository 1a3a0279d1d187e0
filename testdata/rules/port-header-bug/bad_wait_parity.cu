// pedantic: whether the compiler moves the reads is its own affair
#include <cuda/barrier>

__global__ void fold(const float *in, float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    (void)stored.arrive();
    stored.wait_parity(false); // expect[cccl < 3.2.0]: port-header-bug
    out[threadIdx.x] = line[threadIdx.x] + line[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    fold<<<1, 128>>>(in, out);
}
