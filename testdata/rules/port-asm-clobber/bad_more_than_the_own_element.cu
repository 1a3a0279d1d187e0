// Elements by the thread's number are nobody's own where a thread reads more than one at once, where
// the block has rows, and where one is passed on by another number.
#include <cuda_runtime.h>

__global__ void wide(const float *in, float4 *out)
{
    __shared__ alignas(16) float kept[132];
    kept[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync 0;"); // expect: port-asm-clobber
    if (threadIdx.x % 4 == 0)
        out[threadIdx.x / 4] = *reinterpret_cast<float4 *>(&kept[threadIdx.x]);
}

__global__ void rows(const float *in, float *out)
{
    __shared__ float kept[32];
    if (threadIdx.y == 0)
        kept[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync 0;"); // expect: port-asm-clobber
    out[threadIdx.y * 32 + threadIdx.x] = kept[threadIdx.x];
}

__global__ void turned(const float *in, float *out)
{
    __shared__ float kept[128];
    const int t = threadIdx.x, other = 127 - t;
    kept[t] = in[t];
    asm volatile("bar.sync 0;"); // expect: port-asm-clobber
    out[t] = kept[other];
}

void launch(const float *in, float *out)
{
    wide<<<1, 128>>>(in, (float4 *)out);
    rows<<<1, dim3(32, 4)>>>(in, out);
    turned<<<1, 128>>>(in, out);
}
