// A consumer whose column has ended returns from its role; the buffers it owes stay taken.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kStages = 2;

struct Ring {
    uint64_t full[kStages], empty[kStages];
    int slot[kStages][32];
};

__device__ void wait(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__device__ void produce(Ring &ring, const int *in, int tiles)
{
    for (int t = 0; t < tiles; ++t) {
        const int s = t % kStages;
        wait(&ring.empty[s], (t / kStages & 1) ^ 1);
        ring.slot[s][threadIdx.x % 32] = in[t * 32 + threadIdx.x % 32];
        ptx::mbarrier_arrive(&ring.full[s]);
    }
}

__device__ void consume(Ring &ring, int *out, const int *height, int tiles)
{
    const int column = threadIdx.x % 32;
    for (int t = 0; t < tiles; ++t) {
        const int s = t % kStages;
        wait(&ring.full[s], t / kStages & 1);
        if (t >= height[column])
            return; // expect: exit-missing-drop
        out[t * 32 + column] = ring.slot[s][column];
        ptx::mbarrier_arrive(&ring.empty[s]);
    }
}

__global__ void stream(const int *in, int *out, const int *height, int tiles)
{
    __shared__ Ring ring;
    if (threadIdx.x < kStages) {
        ptx::mbarrier_init(&ring.full[threadIdx.x], 32);
        ptx::mbarrier_init(&ring.empty[threadIdx.x], 32);
    }
    __syncthreads();
    if (threadIdx.x < 32)
        produce(ring, in, tiles);
    else
        consume(ring, out, height, tiles);
}

void run(const int *in, int *out, const int *height)
{
    stream<<<1, 64>>>(in, out, height, 40);
}
