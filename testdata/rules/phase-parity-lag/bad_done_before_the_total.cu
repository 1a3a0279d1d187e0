// The writers hand the slot back before they wait for its total: the warp that adds up may come
// round to the slot again, and once more, while a writer has yet to look.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int SLOTS = 2, WRITERS = 2;

__device__ void wait(uint64_t &gate, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(&gate, parity)) {
    }
}

__global__ void running_sums(const float *in, float *out, int tiles)
{
    __shared__ float tile[SLOTS][32], total[SLOTS][2];
    __shared__ uint64_t loaded[SLOTS], summed[SLOTS], free_again[SLOTS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        for (int s = 0; s < SLOTS; ++s) {
            ptx::mbarrier_init(&loaded[s], 32);
            ptx::mbarrier_init(&summed[s], 1);
            ptx::mbarrier_init(&free_again[s], WRITERS * 32 + 1);
        }
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < tiles; ++i) {
        const int slot = i % SLOTS, round = i / SLOTS;
        if (warp == 0) {
            wait(free_again[slot], (round & 1) ^ 1);
            tile[slot][lane] = in[i * 32 + lane];
            ptx::mbarrier_arrive(&loaded[slot]);
        } else if (warp == 1) {
            wait(loaded[slot], round & 1);
            sum += __reduce_add_sync(~0u, static_cast<int>(tile[slot][lane]));
            __syncwarp();
            if (lane == 0) {
                total[slot][round & 1] = sum;
                ptx::mbarrier_arrive(&summed[slot]);
                ptx::mbarrier_arrive(&free_again[slot]); // expect: arrive-divergent
            }
        } else {
            wait(loaded[slot], round & 1);
            const float mine = tile[slot][lane];
            ptx::mbarrier_arrive(&free_again[slot]);
            wait(summed[slot], round & 1); // expect: phase-parity-lag
            out[(i * WRITERS + warp - 2) * 32 + lane] = mine + total[slot][round & 1];
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    running_sums<<<1, 128>>>(in, out, tiles);
}
