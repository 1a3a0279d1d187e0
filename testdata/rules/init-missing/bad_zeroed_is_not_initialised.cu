// Zeroes are not a valid object.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void block_maximum(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ uint64_t done;
    __shared__ int warp_best[4];
    if (threadIdx.x == 0)
        done = 0;
    __syncthreads();
    int best = __reduce_max_sync(0xffffffffu, in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x % 32 == 0) {
        warp_best[threadIdx.x / 32] = best;
        ptx::mbarrier_arrive(&done); // expect: init-missing
    }
    if (threadIdx.x == 0) {
        while (!ptx::mbarrier_try_wait_parity(&done, 0)) {
        }
        out[blockIdx.x] = max(max(warp_best[0], warp_best[1]), max(warp_best[2], warp_best[3]));
    }
}

void run(const int *in, int *out, int blocks)
{
    block_maximum<<<blocks, 128>>>(in, out);
}
