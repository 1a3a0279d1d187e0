// The warps of the last warpgroup have three roles, and each asks for the warpgroup's number of
// registers where its role begins.
#include <cstdint>
#include <cuda_runtime.h>

template <int Count>
__device__ inline void give_up()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
}
template <int Count>
__device__ inline void ask_for()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count));
}

__global__ void __launch_bounds__(256) roles(const float *__restrict__ in, float *__restrict__ out)
{
    const int warp = threadIdx.x / 32;
    if (warp < 4) {
        ask_for<160>();
        out[threadIdx.x] = 2.0f * in[threadIdx.x];
    } else if (warp == 4) {
        give_up<64>();
        out[threadIdx.x] = in[threadIdx.x];
    } else if (warp == 5) {
        give_up<64>();
        out[threadIdx.x] = -in[threadIdx.x];
    } else {
        give_up<64>();
    }
}

void run(const float *in, float *out)
{
    roles<<<64, 256>>>(in, out);
}
