// Each warp writes its rows of the tile through a swizzle, the bits of the row over those of the
// column, once the bulk store of the round before has read them.
#include <cstdint>

constexpr int ROWS = 64, ROW_BYTES = 128;

__device__ uint32_t swizzle(uint32_t address) { return address ^ ((address & 0x380) >> 3); }

__device__ void store_rows(uint32_t address, uint4 v)
{
    asm volatile("stmatrix.sync.aligned.x4.m8n8.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
                 "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                 : "memory");
}

__global__ void __launch_bounds__(128) write_tiles(uint8_t *out, const uint4 *in, int tiles)
{
    extern __shared__ __align__(1024) uint8_t stages[];
    uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(stages));
    uint32_t row = threadIdx.x % ROWS, half = threadIdx.x / ROWS;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        if (threadIdx.x == 0)
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        __syncthreads();
        for (uint32_t column = 0; column < 4; ++column)
            store_rows(swizzle(base + row * ROW_BYTES + half * 64 + column * 16),
                       in[(tile * 4 + column) * 128 + threadIdx.x]);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                             out + static_cast<size_t>(tile) * ROWS * ROW_BYTES),
                         "r"(base), "r"(ROWS * ROW_BYTES)
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
    }
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

void launch(uint8_t *out, const uint4 *in, int tiles)
{
    write_tiles<<<132, 128, ROWS * ROW_BYTES>>>(out, in, tiles);
}
