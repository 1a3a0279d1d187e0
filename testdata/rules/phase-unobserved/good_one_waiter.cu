// It is enough that one thread waits for a phase before anybody arrives in the next: the block
// barrier makes the others come after it.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void totals(const int *__restrict__ in, int *__restrict__ out, int rounds)
{
    __shared__ uint64_t added;
    __shared__ int warp_sum[4];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&added, 4);
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        const int sum = __reduce_add_sync(0xffffffffu, in[r * 128 + threadIdx.x]);
        if (lane == 0) {
            warp_sum[warp] = sum;
            ptx::mbarrier_arrive(&added);
        }
        if (threadIdx.x == 0) {
            while (!ptx::mbarrier_try_wait_parity(&added, r & 1)) {
            }
            out[r] = warp_sum[0] + warp_sum[1] + warp_sum[2] + warp_sum[3];
        }
        __syncthreads();
    }
}

void run(const int *in, int *out, int rounds)
{
    totals<<<1, 128>>>(in, out, rounds);
}
