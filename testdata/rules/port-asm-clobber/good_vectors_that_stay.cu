// Vectors behind a wait without a clobber: a table that has been complete since a barrier of the block,
// in memory of its own and in an array of dynamic shared memory, is read whenever; and a row is stored
// for the first time.
#include <cstdint>
#include <cuda_runtime.h>

__device__ uint32_t place(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ void make(uint64_t *bar)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(bar)) : "memory");
}

__device__ void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(bar)) : "memory");
}

__device__ void await(uint64_t *bar)
{
    asm volatile("{\n\t.reg .pred over;\n"
                 "again:\n\tmbarrier.try_wait.parity.shared::cta.b64 over, [%0], 0;\n\t"
                 "@!over bra again;\n\t}" ::"r"(place(bar)));
}

__global__ void look_up(const float4 *table, float4 *out)
{
    __shared__ float4 kept[64];
    __shared__ uint64_t turn;
    kept[threadIdx.x] = table[threadIdx.x];
    if (threadIdx.x == 0)
        make(&turn);
    __syncthreads();
    if (threadIdx.x == 0)
        arrive(&turn);
    await(&turn);
    out[blockIdx.x * 64 + threadIdx.x] = kept[63 - threadIdx.x];
}

__global__ void weigh(const float4 *table, float4 *out)
{
    extern __shared__ __align__(128) unsigned char memory[];
    float4 *kept = reinterpret_cast<float4 *>(memory);
    float4 *row = reinterpret_cast<float4 *>(memory + 1024);
    uint64_t *turn = reinterpret_cast<uint64_t *>(memory + 2048);
    kept[threadIdx.x] = table[threadIdx.x];
    if (threadIdx.x == 0)
        make(turn);
    __syncthreads();
    if (threadIdx.x == 0)
        arrive(turn);
    await(turn);
    row[threadIdx.x] = kept[threadIdx.x ^ 32];
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = row[63 - threadIdx.x];
}

void launch(const float4 *table, float4 *out, int rows)
{
    look_up<<<rows, 64>>>(table, out);
    weigh<<<rows, 64, 2056>>>(table, out);
}
