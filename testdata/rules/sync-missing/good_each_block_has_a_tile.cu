// The pipelines of the tiles put the two roles in order, and no block is launched without a tile.
#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t shared_of(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ inline void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_of(bar)) : "memory");
}

__device__ inline void wait(uint64_t *bar, int parity)
{
    asm volatile("{\n.reg .pred done;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n}" ::"r"(shared_of(bar)),
                 "r"(parity)
                 : "memory");
}

__global__ void tiles_of_a_pool(const float *__restrict__ in, float *__restrict__ out, int *pool,
                                int tiles)
{
    __shared__ float tile[32];
    __shared__ uint64_t full, empty;
    __shared__ int ticket;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(shared_of(&full)));
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(shared_of(&empty)));
    }
    __syncthreads();
    int parity = 0;
    if (threadIdx.x < 32) {
        if (lane == 0)
            ticket = atomicAdd(pool, 1);
        __syncwarp();
        for (int t = blockIdx.x; t < tiles; t += gridDim.x, parity ^= 1) {
            wait(&empty, parity ^ 1);
            tile[lane] = in[t * 32 + lane];
            arrive(&full);
        }
    } else {
        for (int t = blockIdx.x; t < tiles; t += gridDim.x, parity ^= 1) {
            wait(&full, parity);
            out[t * 32 + lane] = tile[31 - lane];
            arrive(&empty);
        }
        if (lane == 0)
            atomicSub(pool, ticket);
    }
}

void launch(const float *in, float *out, int *pool, int tiles)
{
    tiles_of_a_pool<<<tiles < 108 ? tiles : 108, 64>>>(in, out, pool, tiles);
}
