// One bit a stage: the empty half of the word starts with ones. The wait takes the bit and turns
// it over by reference.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kStages = 4;

__device__ void wait_and_flip(uint64_t *bar, uint32_t &bits, int bit)
{
    while (!ptx::mbarrier_try_wait_parity(bar, (bits >> bit) & 1u)) {
    }
    bits ^= 1u << bit;
}

__global__ void negate(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ uint64_t full[kStages], empty[kStages];
    __shared__ float tile[kStages][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < kStages) {
        ptx::mbarrier_init(&full[threadIdx.x], 32);
        ptx::mbarrier_init(&empty[threadIdx.x], 32);
    }
    __syncthreads();
    uint32_t bits = 0xffff0000u;
    for (int t = 0; t < tiles; ++t) {
        const int s = t % kStages;
        if (threadIdx.x < 32) {
            wait_and_flip(&empty[s], bits, 16 + s);
            tile[s][lane] = in[t * 32 + lane];
            ptx::mbarrier_arrive(&full[s]);
        } else {
            wait_and_flip(&full[s], bits, s);
            out[t * 32 + lane] = -tile[s][31 - lane];
            ptx::mbarrier_arrive(&empty[s]);
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    negate<<<1, 64>>>(in, out, tiles);
}
