// The producer asks once whether the stage is free and has the next tile copied into it either way:
// the store that does the harm is made by the copy.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int tile_size = 64, stages = 2;

__global__ void feed(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ uint64_t full[stages], empty[stages];
    __shared__ alignas(16) float tile[stages][tile_size];
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], tile_size);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == tile_size) {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % stages;
            const uint32_t bytes = sizeof tile[0];
            ptx::mbarrier_try_wait_parity(&empty[s], (t / stages & 1) ^ 1); // expect: phase-trywait-ignored
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[s], bytes);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[s],
                               in + t * tile_size, bytes, &full[s]);
        }
    } else if (threadIdx.x < tile_size) {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % stages;
            while (!ptx::mbarrier_try_wait_parity(&full[s], t / stages & 1)) {
            }
            out[t * tile_size + threadIdx.x] = tile[s][threadIdx.x];
            ptx::mbarrier_arrive(&empty[s]);
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    feed<<<1, 96>>>(in, out, tiles);
}
