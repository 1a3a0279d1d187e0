// __syncwarp() makes the object known to the initialising warp, not to the seven others.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

struct Shared {
    uint64_t counted;
    int partial[8];
};

__global__ void histogram_offsets(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ Shared shared;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&shared.counted, 8); // expect: init-no-sync
    __syncwarp();
    const unsigned hit = __ballot_sync(0xffffffffu, in[blockIdx.x * 256 + threadIdx.x] > 0);
    if (lane == 0) {
        shared.partial[warp] = __popc(hit);
        ptx::mbarrier_arrive(&shared.counted);
    }
    while (!ptx::mbarrier_try_wait_parity(&shared.counted, 0)) {
    }
    int before = 0;
    for (int w = 0; w < warp; ++w)
        before += shared.partial[w];
    out[blockIdx.x * 256 + threadIdx.x] = before + __popc(hit & ((1u << lane) - 1));
}

void run(const int *in, int *out, int blocks)
{
    histogram_offsets<<<blocks, 256>>>(in, out);
}
