// Two warps fill a ring of three in turns: the first use of a slot by one of them may be the second
// use of the slot, for which it waits, though its first waits passed.
#include <cstdint>
#include <cuda/ptx>

constexpr int slots = 3;

__device__ void until(uint64_t *bar, uint32_t parity)
{
    while (!cuda::ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__global__ void relay(const float *in, float *out, int tiles)
{
    __shared__ uint64_t full[slots], empty[slots];
    __shared__ float tile[slots][32];
    if (threadIdx.x == 0) {
        for (int i = 0; i < slots; ++i) {
            cuda::ptx::mbarrier_init(&full[i], 32);
            cuda::ptx::mbarrier_init(&empty[i], 32);
        }
    }
    __syncthreads();
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp < 2) {
        for (int t = warp; t < tiles; t += 2) {
            until(&empty[t % slots], (t / slots & 1) ^ 1);
            tile[t % slots][lane] = in[t * 32 + lane];
            cuda::ptx::mbarrier_arrive(&full[t % slots]);
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            until(&full[t % slots], t / slots & 1);
            out[t * 32 + lane] = tile[t % slots][31 - lane];
            cuda::ptx::mbarrier_arrive(&empty[t % slots]);
        }
    }
}

void launch(const float *in, float *out, int tiles)
{
    relay<<<1, 96>>>(in, out, tiles);
}
