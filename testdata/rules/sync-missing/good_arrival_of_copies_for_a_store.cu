// The loaders copy a row and store its scale: each arrives once for its copies and once for its store.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int ROWS = 64;

__device__ uint32_t address_of(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ void make(uint64_t *bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(bar)), "r"(count) : "memory");
}

__device__ void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(bar)) : "memory");
}

__device__ void wait(uint64_t *bar, uint32_t parity)
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

__global__ void gather(const float4 *table, const float *weight, float *out, int tiles)
{
    __shared__ float4 row[2][ROWS];
    __shared__ float scale[2][ROWS];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0) {
        for (int s = 0; s < 2; ++s) {
            make(&full[s], 2 * ROWS);
            make(&empty[s], ROWS);
        }
    }
    __syncthreads();
    int i = threadIdx.x % ROWS;
    for (int t = 0; t < tiles; ++t) {
        int s = t & 1;
        if (threadIdx.x < ROWS) {
            wait(&empty[s], t / 2 & 1 ^ 1);
            scale[s][i] = weight[t * ROWS + i];
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address_of(&row[s][i])),
                         "l"(table + t * ROWS + i)
                         : "memory");
            asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address_of(&full[s])) : "memory");
            arrive(&full[s]);
        } else {
            wait(&full[s], t / 2 & 1);
            out[t * ROWS + i] = row[s][ROWS - 1 - i].x * scale[s][ROWS - 1 - i];
            arrive(&empty[s]);
        }
    }
}

void launch(const float4 *table, const float *weight, float *out, int tiles)
{
    gather<<<1, 2 * ROWS>>>(table, weight, out, tiles);
}
