// One lane arrives for its warp and the count is the number of warps: what the other lanes do is
// covered by __syncwarp().
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

template <int Warps>
__global__ void __launch_bounds__(Warps * 32) maxima(const float *__restrict__ in,
                                                     float *__restrict__ out)
{
    __shared__ uint64_t stored;
    __shared__ float part[Warps];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&stored, Warps);
    __syncthreads();
    float best = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, step));
    if (threadIdx.x % 32 == 0) {
        part[warp] = best;
        ptx::mbarrier_arrive(&stored);
    }
    while (!ptx::mbarrier_try_wait_parity(&stored, 0)) {
    }
    for (int w = 0; w < Warps; ++w)
        best = fmaxf(best, part[w]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = best;
}

void run(const float *in, float *out, int blocks)
{
    maxima<4><<<blocks, 128>>>(in, out);
}
