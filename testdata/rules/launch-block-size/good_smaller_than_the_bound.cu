#include <cuda_runtime.h>

template <int Threads>
__global__ void __launch_bounds__(Threads) reverse(const float *__restrict__ in,
                                                   float *__restrict__ out)
{
    __shared__ float line[Threads];
    line[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}

void run(const float *in, float *out)
{
    reverse<256><<<4, 256>>>(in, out);
    reverse<256><<<4, 100>>>(in, out);
    reverse<1024><<<4, dim3(32, 32)>>>(in, out);
}
