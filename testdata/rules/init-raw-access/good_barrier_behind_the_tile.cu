// The threads of a block read the tile once, 16 bytes each, and the barrier lies right behind it.
// How many threads that are is said where the kernel is launched, in another file.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr uint32_t tile_bytes = 1024;

__global__ void unpack(const uint4 *__restrict__ in, uint4 *__restrict__ out)
{
    extern __shared__ __align__(128) uint8_t memory[];
    uint64_t *full = reinterpret_cast<uint64_t *>(memory + tile_bytes);
    const uint4 *from = in + blockIdx.x * (tile_bytes / sizeof(uint4));
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(full, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                       tile_bytes);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, memory, from, tile_bytes, full);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(full, 0)) {
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = reinterpret_cast<uint4 *>(memory)[threadIdx.x];
}
