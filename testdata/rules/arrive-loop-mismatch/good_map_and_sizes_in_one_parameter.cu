// The loops' bounds stand behind the tensor map in one parameter: a store to the tensor does not
// write to its map, nor to what is behind it.
#include <cstdint>
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

struct problem {
    CUtensorMap out;
    const float *in;
    int elements, step;
};

__device__ inline void wait_for(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__global__ void __launch_bounds__(64) scale(const __grid_constant__ problem p)
{
    __shared__ alignas(128) float tile[1024];
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 32);
        ptx::mbarrier_init(&empty, 1);
    }
    __syncthreads();
    const int tiles = p.elements / 1024;
    if (threadIdx.x < 32) {
        uint32_t parity = 1;
        for (int t = blockIdx.x; t < tiles; t += p.step) {
            wait_for(&empty, parity);
            parity ^= 1;
            for (int i = threadIdx.x; i < 1024; i += 32)
                tile[i] = 2.0f * p.in[t * 1024 + i];
            ptx::fence_proxy_async(ptx::space_shared);
            ptx::mbarrier_arrive(&full);
        }
    } else if (threadIdx.x == 32) {
        uint32_t parity = 0;
        for (int t = blockIdx.x; t < tiles; t += p.step) {
            wait_for(&full, parity);
            parity ^= 1;
            const int32_t at[1] = {t * 1024};
            ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &p.out, at, tile);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
            ptx::mbarrier_arrive(&empty);
        }
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
    }
}

void run(const problem &p)
{
    scale<<<132, 64>>>(p);
}
