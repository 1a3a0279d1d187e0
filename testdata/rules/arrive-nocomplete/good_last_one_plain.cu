// As an arrive with a count was written before sm_90: all but one without completion, then one.
#include <cstdint>

__device__ uint32_t address_of(const uint64_t *word)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(word));
}

__device__ uint64_t arrive(uint64_t *word, uint32_t count)
{
    uint64_t token;
    if (count > 1)
        asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                     : "=l"(token)
                     : "r"(address_of(word)), "r"(count - 1)
                     : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"(address_of(word))
                 : "memory");
    return token;
}

__global__ void reverse(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ uint64_t stored;
    __shared__ int line[64];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(address_of(&stored)));
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    const uint64_t token = arrive(&stored, 2);
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
