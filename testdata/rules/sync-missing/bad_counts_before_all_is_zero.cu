// The histogram is set to zero by all threads, and counted in at once: what one warp counts another
// may still set to zero.
#include <cuda_runtime.h>

template <int Bins>
__global__ void histogram(const unsigned char *__restrict__ in, unsigned int *__restrict__ out,
                          int n)
{
    __shared__ unsigned int count[Bins];
    for (int bin = threadIdx.x; bin < Bins; bin += blockDim.x)
        count[bin] = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&count[in[i] % Bins], 1u); // expect: sync-missing
    __syncthreads();
    for (int bin = threadIdx.x; bin < Bins; bin += blockDim.x)
        atomicAdd(&out[bin], count[bin]);
}

void run(const unsigned char *in, unsigned int *out, int n)
{
    histogram<256><<<64, 128>>>(in, out, n);
}
