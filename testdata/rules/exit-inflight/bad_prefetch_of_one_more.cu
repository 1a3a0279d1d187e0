// The producer of a ring fills one stage more than the consumers empty.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int stages = 4;

struct Ring {
    alignas(16) float tile[stages][256];
    uint64_t full[stages], empty[stages];

    __device__ void fill(int slot, const float *from)
    {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &full[slot], sizeof(tile[0]));
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[slot], from, // expect: exit-inflight
                           sizeof(tile[0]), &full[slot]);
    }
};

__global__ void stream(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ Ring ring;
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            ptx::mbarrier_init(&ring.full[s], 1);
            ptx::mbarrier_init(&ring.empty[s], 1);
        }
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) {
            for (int t = 0; t <= tiles; ++t) {
                const int slot = t % stages, round = t / stages;
                while (!ptx::mbarrier_try_wait_parity(&ring.empty[slot], (round & 1) ^ 1)) {
                }
                ring.fill(slot, in + t * 256);
            }
        }
    } else {
        float sum = 0.0f;
        for (int t = 0; t < tiles; ++t) {
            const int slot = t % stages, round = t / stages;
            while (!ptx::mbarrier_try_wait_parity(&ring.full[slot], round & 1)) {
            }
            sum += ring.tile[slot][threadIdx.x];
            __syncwarp();
            if (threadIdx.x == 32)
                ptx::mbarrier_arrive(&ring.empty[slot]);
        }
        out[threadIdx.x] = sum;
    }
}

void run(const float *in, float *out, int tiles)
{
    stream<<<16, 64>>>(in, out, tiles);
}
