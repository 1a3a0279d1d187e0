// Two warps trade their words; the first says that its own are there before it waits.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

struct side {
    uint64_t sent;
    float word[32];
};

__device__ void await(uint64_t *bar)
{
    while (!ptx::mbarrier_try_wait_parity(bar, 0)) {
    }
}

__global__ void trade(const float *in, float *out)
{
    __shared__ side north, south;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&north.sent, 32);
        ptx::mbarrier_init(&south.sent, 32);
    }
    __syncthreads();
    const unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        north.word[lane] = in[lane];
        ptx::mbarrier_arrive(&north.sent);
        await(&south.sent);
        out[lane] = south.word[31 - lane];
    } else {
        south.word[lane] = in[32 + lane];
        await(&north.sent);
        ptx::mbarrier_arrive(&south.sent);
        out[32 + lane] = north.word[31 - lane];
    }
}

void run(const float *in, float *out)
{
    trade<<<1, 64>>>(in, out);
}
