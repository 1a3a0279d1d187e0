// Six stages: what a tile holds decides what is stored of it, and each stage is given back.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int stages = 6, width = 128;

struct cursor {
    int stage = 0;
    uint32_t phase = 0;
    __device__ void advance()
    {
        if (++stage == stages) {
            stage = 0;
            phase ^= 1;
        }
    }
};

__device__ inline void wait(uint64_t *barrier, uint32_t phase)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, phase)) {
    }
}

__global__ void copy_all(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float tile[stages][width];
    __shared__ uint64_t full[stages], empty[stages];
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], width / 32);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    cursor at;
    if (threadIdx.x >= width) {
        for (int t = 0; threadIdx.x == width && t < tiles; ++t, at.advance()) {
            wait(&empty[at.stage], at.phase ^ 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[at.stage], sizeof(tile[0]));
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[at.stage],
                               in + t * width, sizeof(tile[0]), &full[at.stage]);
        }
        return;
    }
    for (int t = 0; t < tiles; ++t, at.advance()) {
        wait(&full[at.stage], at.phase);
        const float value = tile[at.stage][threadIdx.x];
        if (value != 0.0f)
            out[t * width + threadIdx.x] = value;
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            ptx::mbarrier_arrive(&empty[at.stage]);
    }
}

void launch(const float *in, float *out, int tiles)
{
    copy_all<<<1, width + 32>>>(in, out, tiles);
}
