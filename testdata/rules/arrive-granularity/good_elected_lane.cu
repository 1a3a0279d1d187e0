// elect.sync picks the lane that arrives for its warp; the count is the number of consumer warps.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ bool elect_one()
{
    uint32_t leader = 0;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "elect.sync _|p, 0xffffffff;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}"
                 : "=r"(leader));
    return leader != 0;
}

template <int ConsumerWarps>
__global__ void stream(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ uint64_t full, empty;
    __shared__ float tile[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 32);
        ptx::mbarrier_init(&empty, ConsumerWarps);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; ++t) {
            while (!ptx::mbarrier_try_wait_parity(&empty, t & 1 ^ 1)) {
            }
            tile[lane] = in[t * 32 + lane];
            ptx::mbarrier_arrive(&full);
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            while (!ptx::mbarrier_try_wait_parity(&full, t & 1)) {
            }
            out[(t * ConsumerWarps + threadIdx.x / 32 - 1) * 32 + lane] = tile[lane];
            __syncwarp();
            if (elect_one())
                ptx::mbarrier_arrive(&empty);
        }
    }
}

void run(const float *in, float *out)
{
    stream<3><<<1, 128>>>(in, out, 16);
}
