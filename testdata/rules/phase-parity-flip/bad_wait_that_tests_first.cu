// A wait that tests once and only then goes round: the parity that its callers give starts anew
// with every tile, while the barriers go on. What is wrong stands there, not in the wait.
#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t address(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline bool passed(uint64_t &barrier, uint32_t parity)
{
    uint32_t yes;
    asm volatile("{\n\t.reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.b32 %0, 1, 0, p;\n\t}"
                 : "=r"(yes)
                 : "r"(address(&barrier)), "r"(parity)
                 : "memory");
    return yes != 0;
}

__device__ inline void wait(uint64_t &barrier, uint32_t parity)
{
    if (!passed(barrier, parity))
        while (!passed(barrier, parity))
            ;
}

__device__ inline void arrive(uint64_t &barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&barrier)) : "memory");
}

__global__ void sums(const float *in, float *out, int tiles)
{
    __shared__ float stage[2][32];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; ++i) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(address(&full[i])));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(address(&empty[i])));
        }
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x >= 32) {
        uint32_t round = 0;
        for (int tile = 0; tile < tiles; ++tile)
            for (int k = 0; k < 3; ++k, ++round) {
                wait(empty[round % 2], (round / 2 & 1) ^ 1);
                stage[round % 2][lane] = in[(tile * 3 + k) * 32 + lane];
                arrive(full[round % 2]);
            }
    } else {
        float sum = 0;
        for (int tile = 0; tile < tiles; ++tile)
            for (int k = 0; k < 3; ++k) {
                wait(full[k % 2], k / 2 & 1); // expect: phase-parity-flip
                sum += stage[k % 2][31 - lane];
                arrive(empty[k % 2]);
            }
        out[lane] = sum;
    }
}

void launch(const float *in, float *out, int tiles)
{
    sums<<<1, 64>>>(in, out, tiles);
}
