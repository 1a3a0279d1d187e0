// The size of a tile is a constant of the device, which the library takes by reference. The copy
// brings elements where it should bring bytes.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

static __device__ const uint32_t tile_size = 256;
static __device__ const uint32_t tile_bytes = 1024;

__global__ void turn_tiles(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(128) float tile[256];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_arrive_expect_tx( // expect: tx-bytes
            ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, tile_bytes);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + blockIdx.x * tile_size,
                           tile_size, &full);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

void launch(const float *in, float *out, int tiles)
{
    turn_tiles<<<tiles, 256>>>(in, out);
}
