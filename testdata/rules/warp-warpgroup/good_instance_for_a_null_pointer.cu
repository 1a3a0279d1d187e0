// The host chooses the instance by whether there is a bias; all warps give registers back in both.
#include <cuda_runtime.h>

template <bool HasBias> __global__ void __launch_bounds__(256, 1) affine(const float *bias, float *out)
{
    __shared__ float kept[32];
    const int warp = threadIdx.x / 32;
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (HasBias && warp == 5)
        kept[threadIdx.x % 32] = bias[threadIdx.x % 32];
    __syncthreads();
    out[threadIdx.x] = HasBias ? kept[threadIdx.x % 32] : 0.f;
}

void run(const float *bias, float *out, cudaStream_t stream)
{
    if (bias == nullptr)
        affine<false><<<1, 256, 0, stream>>>(nullptr, out);
    else
        affine<true><<<1, 256, 0, stream>>>(bias, out);
}
