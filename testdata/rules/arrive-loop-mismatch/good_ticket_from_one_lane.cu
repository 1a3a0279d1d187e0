// One lane of the loader draws a ticket, a shuffle tells its warp, a word in shared memory the
// readers: all of them end with the same one.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void wait(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__global__ void by_ticket(int *__restrict__ next, const float *__restrict__ in,
                          float *__restrict__ out, int tiles)
{
    __shared__ float tile[32];
    __shared__ int ticket;
    __shared__ uint64_t full, empty;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 32);
        ptx::mbarrier_init(&empty, 32);
    }
    __syncthreads();
    for (uint32_t phase = 0;; phase ^= 1) {
        if (threadIdx.x < 32) {
            int drawn = 0;
            if (lane == 0)
                drawn = atomicAdd(next, 1);
            drawn = __shfl_sync(0xffffffff, drawn, 0);
            wait(&empty, phase ^ 1);
            if (drawn < tiles)
                tile[lane] = in[drawn * 32 + lane];
            if (lane == 0)
                ticket = drawn;
            ptx::mbarrier_arrive(&full);
            if (drawn >= tiles)
                break;
        } else {
            wait(&full, phase);
            const int drawn = ticket;
            if (drawn >= tiles)
                break;
            out[drawn * 32 + lane] = tile[31 - lane];
            ptx::mbarrier_arrive(&empty);
        }
    }
}

void run(int *next, const float *in, float *out, int tiles)
{
    by_ticket<<<132, 64>>>(next, in, out, tiles);
}
