// Every thread arrives with .noComplete: the last of them completes the phase all the same.
#include <cstdint>

__device__ uint32_t address_of(const uint64_t *word)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(word));
}

__global__ void reverse(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ uint64_t stored;
    __shared__ int line[64];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(address_of(&stored)));
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    uint64_t token;
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;" // expect: arrive-nocomplete
                 : "=l"(token)
                 : "r"(address_of(&stored))
                 : "memory");
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "poll:\n"
                 "mbarrier.test_wait.shared.b64 done, [%0], %1;\n"
                 "@!done bra poll;\n"
                 "}" ::"r"(address_of(&stored)),
                 "l"(token)
                 : "memory");
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void run(const int *in, int *out)
{
    reverse<<<1, 64>>>(in, out);
}
