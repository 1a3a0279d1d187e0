#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

// The host makes the block of whole groups: none of them is without a warp.
__global__ void turned(const float *__restrict__ in, float *__restrict__ out, int groups, int steps)
{
    extern __shared__ float tile[];
    __shared__ uint64_t stored[16];
    const int warps = blockDim.x / 32, share = warps / groups, width = 32 * share;
    const int group = threadIdx.x / 32 / share, first = group * width;
    if (threadIdx.x < groups)
        ptx::mbarrier_init(&stored[threadIdx.x], share);
    __syncthreads();
    for (int s = 0; s < steps; ++s) {
        float *row = tile + (s & 1) * blockDim.x;
        row[threadIdx.x] = in[s * blockDim.x + threadIdx.x];
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            ptx::mbarrier_arrive(&stored[group]);
        while (!ptx::mbarrier_try_wait_parity(&stored[group], s & 1)) {
        }
        out[s * blockDim.x + threadIdx.x] = row[2 * first + width - 1 - threadIdx.x];
    }
}

void run(const float *in, float *out, int share, int groups)
{
    turned<<<1, share * groups * 32, share * groups * 256>>>(in, out, groups, 6);
}
