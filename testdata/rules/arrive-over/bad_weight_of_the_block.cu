// Lane 0 of each warp arrives with the weight of the whole block instead of its warp's.
#include <cstdint>

__device__ uint32_t address_of(const uint64_t *word)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(word));
}

__device__ void arrive(uint64_t *word, uint32_t count)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(word)), "r"(count)
                 : "memory");
}

__global__ void reverse(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ uint64_t stored;
    __shared__ int line[96];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(&stored)),
                     "r"(blockDim.x));
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 96 + threadIdx.x];
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        arrive(&stored, threadIdx.x == 64 ? blockDim.x : 32); // expect: arrive-over
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "poll:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
                 "@!done bra poll;\n"
                 "}" ::"r"(address_of(&stored))
                 : "memory");
    out[blockIdx.x * 96 + threadIdx.x] = line[95 - threadIdx.x];
}

void run(const int *in, int *out, int blocks)
{
    reverse<<<blocks, 96>>>(in, out);
}
