// One thread opens two phases of a barrier of one arrival, and between them waits at another one
// that says that the first has been seen.
#include <cstdint>
#include <cuda_runtime.h>

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

__global__ void two_turns(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float half[64];
    __shared__ uint64_t go, seen;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_of(&go)));
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(shared_of(&seen)));
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
        for (int i = threadIdx.x - 64; i < 64; i += 32)
            half[i] = in[i];
        __syncwarp();
        if (threadIdx.x == 64) {
            arrive(&go);
            wait(&seen, 0);
            half[0] = in[64];
            arrive(&go);
        }
    } else {
        wait(&go, 0);
        const float first = half[63 - threadIdx.x];
        arrive(&seen);
        wait(&go, 1);
        out[threadIdx.x] = first + half[0];
    }
}

void launch(const float *in, float *out)
{
    two_turns<<<1, 96>>>(in, out);
}
