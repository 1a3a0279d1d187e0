// The loop asks again while the phase is over and is left when it is not: the wrong way round, by
// hand and in the helper's own loop.
#include <cstdint>
#include <cuda_awbarrier_primitives.h>

__device__ void wait_for(uint64_t *barrier, uint32_t parity)
{
    uint32_t over = 1;
    while (over)
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.b32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(over)
                     : "r"((uint32_t)__cvta_generic_to_shared(barrier)), "r"(parity)
                     : "memory");
}

__global__ void mirror(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ __mbarrier_t all_here;
    __shared__ int line[96];
    if (threadIdx.x == 0)
        __mbarrier_init(&all_here, 96);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 96 + threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&all_here);
    while (__mbarrier_test_wait(&all_here, token)) { // expect: phase-trywait-ignored
    }
    out[blockIdx.x * 96 + threadIdx.x] = line[95 - threadIdx.x];
}

__global__ void swap_pairs(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ uint64_t all_here;
    __shared__ int line[96];
    if (threadIdx.x == 0)
        __mbarrier_init(&all_here, 96);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 96 + threadIdx.x];
    __mbarrier_arrive(&all_here);
    wait_for(&all_here, 0); // expect: phase-trywait-ignored
    out[blockIdx.x * 96 + threadIdx.x] = line[threadIdx.x ^ 1];
}

void run(const int *in, int *out, int blocks)
{
    mirror<<<blocks, 96>>>(in, out);
    swap_pairs<<<blocks, 96>>>(in, out);
}
