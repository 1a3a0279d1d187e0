// The token of an arrive with .noComplete knows how many were pending.
#include <cuda_awbarrier_primitives.h>
#include <cstdint>

__global__ void progress(const int *__restrict__ in, int *__restrict__ out, unsigned *left)
{
    __shared__ __mbarrier_t stored;
    __shared__ int line[64];
    if (threadIdx.x == 0)
        __mbarrier_init(&stored, 64 + 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        uint64_t token;
        asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;"
                     : "=l"(token)
                     : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(&stored)))
                     : "memory");
        *left = __mbarrier_token_pending_count(token);
    }
    line[threadIdx.x] = in[threadIdx.x];
    const __mbarrier_token_t token = __mbarrier_arrive(&stored);
    while (!__mbarrier_test_wait(&stored, token)) {
    }
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void run(const int *in, int *out, unsigned *left)
{
    progress<<<1, 64>>>(in, out, left);
}
