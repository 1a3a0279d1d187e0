// The producer waits for the last buffers after its loop: one more wait than rounds on each stage.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kStages = 2;

struct Position {
    int stage = 0;
    uint32_t parity;

    __device__ explicit Position(uint32_t first) : parity(first) {}
    __device__ void operator++()
    {
        if (++stage == kStages) {
            stage = 0;
            parity ^= 1;
        }
    }
};

__device__ void wait(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__global__ void stream(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ uint64_t full[kStages], empty[kStages];
    __shared__ float tile[kStages][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < kStages) {
        ptx::mbarrier_init(&full[threadIdx.x], 32);
        ptx::mbarrier_init(&empty[threadIdx.x], 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        Position at(1);
        for (int t = 0; t < tiles; ++t, ++at) {
            wait(&empty[at.stage], at.parity);
            tile[at.stage][lane] = in[t * 32 + lane];
            ptx::mbarrier_arrive(&full[at.stage]);
        }
        for (int s = 0; s < kStages; ++s, ++at)
            wait(&empty[at.stage], at.parity);
    } else {
        Position at(0);
        for (int t = 0; t < tiles; ++t, ++at) {
            wait(&full[at.stage], at.parity);
            out[t * 32 + lane] = tile[at.stage][lane];
            ptx::mbarrier_arrive(&empty[at.stage]);
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    stream<<<1, 64>>>(in, out, tiles);
}
