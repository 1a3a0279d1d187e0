// One barrier is missing behind two rings that one helper initialises.
#include <cstdint>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
struct Roles {
    static constexpr int kLoaders = 1;
    static constexpr int kMath = 4;
    static constexpr int threads() { return 32 * (kLoaders + kMath); }
};
struct alignas(16) Tile {
    float v[256];
};
__device__ void prepare(uint64_t (&full)[2], uint64_t (&empty)[2]) {
    for (auto &b : full)
        ptx::mbarrier_init(&b, 1); // expect: init-no-sync
    for (auto &b : empty)
        ptx::mbarrier_init(&b, Roles::kMath * 32);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
}
__device__ void until(uint64_t &b, uint32_t p) {
    while (!ptx::mbarrier_try_wait_parity(&b, p)) {
    }
}
__global__ void __launch_bounds__(Roles::threads()) saxpy_tiles(const Tile *in, float *out, float a, int tiles) {
    __shared__ Tile buf[2];
    __shared__ uint64_t full[2], empty[2];
    const int warp = threadIdx.x >> 5;
    if (threadIdx.x == 0)
        prepare(full, empty);
    __syncwarp();
    if (warp == Roles::kMath) {
        if ((threadIdx.x & 31) == 0) {
            for (int t = 0; t < tiles; ++t) {
                until(empty[t & 1], ((t >> 1) & 1) ^ 1);
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[t & 1], sizeof(Tile));
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, &buf[t & 1], in + t, sizeof(Tile), &full[t & 1]);
            }
        }
        return;
    }
    for (int t = 0; t < tiles; ++t) {
        until(full[t & 1], (t >> 1) & 1);
        for (int i = threadIdx.x; i < 256; i += Roles::kMath * 32)
            out[t * 256 + i] += a * buf[t & 1].v[i];
        ptx::mbarrier_arrive(&empty[t & 1]);
    }
}
void launch(const Tile *in, float *out, int n) { saxpy_tiles<<<1, Roles::threads()>>>(in, out, 2.f, n); }
