// The producer returns after its last copy; consumers wait for all of them.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int stages = 4;

__global__ void stream(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[stages][256];
    __shared__ uint64_t full[stages], empty[stages];
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], 1);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 0; t < tiles; ++t) {
            const int slot = t % stages, round = t / stages;
            while (!ptx::mbarrier_try_wait_parity(&empty[slot], (round & 1) ^ 1)) {
            }
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[slot], sizeof(tile[0]));
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[slot], in + t * 256,
                               sizeof(tile[0]), &full[slot]);
        }
        return;
    }
    if (threadIdx.x < 32)
        return;
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        const int slot = t % stages, round = t / stages;
        while (!ptx::mbarrier_try_wait_parity(&full[slot], round & 1)) {
        }
        sum += tile[slot][threadIdx.x];
        __syncwarp();
        if (threadIdx.x == 32)
            ptx::mbarrier_arrive(&empty[slot]);
    }
    out[threadIdx.x] = sum;
}

void run(const float *in, float *out, int tiles)
{
    stream<<<16, 64>>>(in, out, tiles);
}
