// The place in shared memory is widened to 64 bits, and the instruction takes it for an address.
#include <cstdint>

__device__ uint32_t place_of(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ void make(uint64_t *bar, uint32_t count)
{
    uint64_t address = place_of(bar);
    asm volatile(
        "mbarrier.init.b64 [%0], %1;" ::"l"(address), "r"(count)
        : "memory");
}

__device__ void meet(uint64_t *bar)
{
    uint64_t token;
    uint32_t over = 0;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"(place_of(bar))
                 : "memory");
    while (!over)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2;"
                     " selp.b32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(place_of(bar)), "l"(token)
                     : "memory");
}

__global__ void reverse(const int *in, int *out)
{
    __shared__ int line[64];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0)
        make(&bar, 64); // expect: init-placement
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    meet(&bar);
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void launch(const int *in, int *out)
{
    reverse<<<1, 64>>>(in, out);
}
