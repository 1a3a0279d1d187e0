// A stage consists of three parts, and the helper that copies a part says each time that the stage is
// full: its barrier expects one arrival, and the reader goes on behind the first part.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int kPart = 64;

__device__ inline uint32_t shared_of(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ inline void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_of(bar)) : "memory");
}

__device__ inline void wait(uint64_t *bar, int parity)
{
    asm volatile("{\n.reg .pred done;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n}" ::"r"(shared_of(bar)),
                 "r"(parity)
                 : "memory");
}

__device__ void copy_part(float *to, const float *from, uint64_t *full)
{
    for (int i = threadIdx.x % 32; i < kPart; i += 32)
        to[i] = from[i];
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        arrive(full); // expect: phase-unobserved
}

__global__ void stages(const float *__restrict__ in, float *__restrict__ out, int rounds)
{
    __shared__ float stage[3][kPart];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_of(&full)));
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(shared_of(&empty)));
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
        for (int r = 0; r < rounds; ++r) {
            wait(&empty, (r & 1) ^ 1); // expect: phase-parity-lag
            const float *from = in + 3 * r * kPart;
            copy_part(stage[0], from, &full);
            copy_part(stage[1], from + kPart, &full);
            copy_part(stage[2], from + 2 * kPart, &full);
        }
    } else {
        for (int r = 0; r < rounds; ++r) {
            wait(&full, r & 1);
            out[r * 64 + threadIdx.x] = stage[0][63 - threadIdx.x] * stage[1][threadIdx.x] +
                                        stage[2][63 - threadIdx.x];
            arrive(&empty);
        }
    }
}

void launch(const float *in, float *out, int rounds)
{
    stages<<<1, 96>>>(in, out, rounds);
}
