// The host chooses the instance by whether there is a bias. Without one the warp that would load it
// does not give its registers back.
#include <cuda_runtime.h>

template <bool HasBias> __global__ void __launch_bounds__(256, 1) affine(const float *bias, float *out)
{
    __shared__ float kept[32];
    const int warp = threadIdx.x / 32;
    if (warp != 5 || HasBias)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); // expect: warp-warpgroup
    if (HasBias && warp == 5)
        kept[threadIdx.x % 32] = bias[threadIdx.x % 32];
    __syncthreads();
    out[threadIdx.x] = HasBias ? kept[threadIdx.x % 32] : 0.f;
}

void run(const float *bias, float *out, cudaStream_t stream)
{
    if (bias)
        affine<true><<<1, 256, 0, stream>>>(bias, out);
    else
        affine<false><<<1, 256, 0, stream>>>(nullptr, out);
}
