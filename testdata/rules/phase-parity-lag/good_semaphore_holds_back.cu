// Two workers report each part and go on when the collector has released both of them.
#include <cstdint>
#include <cuda/ptx>
#include <cuda/semaphore>
#include <new>

namespace ptx = cuda::ptx;
using semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;

__global__ void __launch_bounds__(96) collect(float *part, int rounds)
{
    __shared__ uint64_t done;
    __shared__ semaphore next[2];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&done, 2);
        new (&next[0]) semaphore(0);
        new (&next[1]) semaphore(0);
    }
    __syncthreads();
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 != 0)
        return;
    for (int round = 0; round < rounds; ++round) {
        float *mine = part + 3 * round;
        if (warp < 2) {
            mine[warp] += 1;
            ptx::mbarrier_arrive(&done);
            next[warp].acquire();
        } else {
            while (!ptx::mbarrier_try_wait_parity(&done, round & 1)) {
            }
            mine[2] = mine[0] + mine[1];
            next[0].release();
            next[1].release();
        }
    }
}

void launch(float *part, int rounds)
{
    collect<<<1, 96>>>(part, rounds);
}
