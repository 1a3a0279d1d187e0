// The wait by token has its clobber in every release.
#include <cuda/barrier>

__global__ void fold(const float *in, float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    stored.wait(stored.arrive());
    out[threadIdx.x] = line[threadIdx.x] + line[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    fold<<<1, 128>>>(in, out);
}
