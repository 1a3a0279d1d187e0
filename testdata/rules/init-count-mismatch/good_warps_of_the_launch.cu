#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

// One lane of each warp arrives, for as many warps as the host passes beside the loading one.
__global__ void turned(const float *__restrict__ in, float *__restrict__ out, int warps, int rows)
{
    __shared__ float row[2][1024];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x < 2) {
        ptx::mbarrier_init(&full[threadIdx.x], 32);
        ptx::mbarrier_init(&empty[threadIdx.x], warps);
    }
    __syncthreads();
    const int workers = warps * 32, lane = threadIdx.x % 32;
    if (threadIdx.x >= workers) {
        for (int r = 0; r < rows; ++r) {
            while (!ptx::mbarrier_try_wait_parity(&empty[r % 2], (r / 2 & 1) ^ 1)) {
            }
            for (int i = lane; i < workers; i += 32)
                row[r % 2][i] = in[(size_t)r * workers + i];
            ptx::mbarrier_arrive(&full[r % 2]);
        }
        return;
    }
    for (int r = 0; r < rows; ++r) {
        while (!ptx::mbarrier_try_wait_parity(&full[r % 2], r / 2 & 1)) {
        }
        out[(size_t)r * workers + threadIdx.x] = row[r % 2][workers - 1 - threadIdx.x];
        __syncwarp();
        if (lane == 0)
            ptx::mbarrier_arrive(&empty[r % 2]);
    }
}

void run(const float *in, float *out, int rows, int warps)
{
    turned<<<1, warps * 32 + 32>>>(in, out, warps, rows);
}
