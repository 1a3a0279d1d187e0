// A helper that is called a wait asks once and returns, whatever the answer. Every wait of the kernel
// is a call of it, the last one behind the loop as well: no call holds back what the one before has let
// through.
#include <cstdint>
#include <cuda_runtime.h>

__device__ uint32_t place(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ void make(uint64_t *bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(bar)), "r"(count) : "memory");
}

__device__ void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(bar)) : "memory");
}

__device__ void await(uint64_t *bar, uint32_t parity)
{
    asm volatile("{\n\t.reg .pred over;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n\t}" ::"r"(place(bar)),
                 "r"(parity)
                 : "memory");
}

__global__ void relay(const float *in, float *out, int rounds)
{
    __shared__ uint64_t full, empty, last;
    __shared__ float word;
    if (threadIdx.x == 0) {
        make(&full, 1);
        make(&empty, 1);
        make(&last, 2);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < rounds; ++i) {
            await(&empty, (i & 1) ^ 1); // expect: phase-trywait-ignored
            word = in[i];
            arrive(&full);
        }
        arrive(&last);
        await(&last, 0);
    } else if (threadIdx.x == 32) {
        for (int i = 0; i < rounds; ++i) {
            await(&full, i & 1); // expect: phase-trywait-ignored
            out[i] = 2.0f * word;
            arrive(&empty);
        }
        arrive(&last);
        await(&last, 0);
    }
}

void launch(const float *in, float *out, int rounds)
{
    relay<<<1, 64>>>(in, out, rounds);
}
