// Every lane of a consumer reads which tile is next, and one that is elected gives the slot back: that
// it was elected together with the others says nothing of what they have read.
#include <cstdint>
#include <cuda_runtime.h>

__device__ __forceinline__ uint32_t address_of(const uint64_t *bar)
{
    return (uint32_t)__cvta_generic_to_shared(bar);
}

__device__ __forceinline__ void make(uint64_t *bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(bar)), "r"(count) : "memory");
}

__device__ __forceinline__ void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(bar)) : "memory");
}

__device__ __forceinline__ void wait(uint64_t *bar, uint32_t parity)
{
    uint32_t over = 0;
    while (!over)
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(over)
                     : "r"(address_of(bar)), "r"(parity)
                     : "memory");
}

__device__ __forceinline__ bool is_elected()
{
    uint32_t chosen;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(chosen));
    return chosen != 0;
}

__global__ void scale_tiles(const float *in, float *out, int *next, int tiles)
{
    __shared__ int tile;
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        make(&full, 1);
        make(&empty, 2);
    }
    __syncthreads();
    uint32_t parity = 0;
    if (threadIdx.x == 64) {
        int at;
        do {
            at = atomicAdd(next, 1);
            wait(&empty, parity ^ 1);
            tile = at;
            arrive(&full);
            parity ^= 1;
        } while (at < tiles);
    } else if (threadIdx.x < 64) {
        while (true) {
            wait(&full, parity);
            const int at = tile;
            if (is_elected())
                arrive(&empty); // expect: sync-missing
            parity ^= 1;
            if (at >= tiles)
                break;
            out[at * 64 + threadIdx.x] = in[at * 64 + threadIdx.x] * 0.5f;
        }
    }
}

void launch(const float *in, float *out, int *next, int tiles)
{
    scale_tiles<<<132, 96>>>(in, out, next, tiles);
}
