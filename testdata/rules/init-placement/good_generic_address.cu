// Without .shared an instruction takes the pointer as it is.
#include <cstdint>

__global__ void reverse(const int *in, int *out)
{
    __shared__ int line[64];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(&bar), "r"(64) : "memory");
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    uint64_t token;
    uint32_t over = 0;
    asm volatile("mbarrier.arrive.b64 %0, [%1];"
                 : "=l"(token)
                 : "l"(reinterpret_cast<uint64_t>(&bar))
                 : "memory");
    while (!over)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "l"(&bar), "l"(token)
                     : "memory");
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void launch(const int *in, int *out)
{
    reverse<<<1, 64>>>(in, out);
}
