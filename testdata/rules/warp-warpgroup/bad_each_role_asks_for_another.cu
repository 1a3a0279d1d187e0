// Each role of a warpgroup's warps asks for a number of registers of its own.
#include <cstdint>
#include <cuda_runtime.h>

template <int Count>
__device__ inline void give_up()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
}

__global__ void __launch_bounds__(128) roles(const float *__restrict__ in, float *__restrict__ out)
{
    if (threadIdx.x < 64) {
        give_up<96>(); // expect: warp-warpgroup
        out[threadIdx.x] = 2.0f * in[threadIdx.x];
    } else {
        give_up<40>(); // expect: warp-warpgroup
        out[threadIdx.x] = in[threadIdx.x];
    }
}

void run(const float *in, float *out)
{
    roles<<<64, 128>>>(in, out);
}
