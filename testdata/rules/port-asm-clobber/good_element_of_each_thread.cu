// Each thread uses its own element of the array, and the compiler keeps the order of what one thread
// does: the barrier, which the block needs for what is in global memory, lets nothing pass that
// somebody else would see.
#include <cuda_runtime.h>

__global__ void smooth(const float *in, float *out, int rounds)
{
    __shared__ float kept[128];
    __shared__ float4 wide[128];
    const int t = threadIdx.x;
    kept[t] = in[t];
    wide[t] = make_float4(in[t], 0, 0, 0);
    asm volatile("bar.sync 0;");
    kept[t] += 0.5f * kept[t] + wide[t].x;
    asm volatile("bar.sync 0;");
    out[t] = kept[threadIdx.x] * rounds;
}

void launch(const float *in, float *out, int rounds)
{
    smooth<<<1, 128>>>(in, out, rounds);
}
