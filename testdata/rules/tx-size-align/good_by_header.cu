// 400 bytes are a multiple of 16.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t loaded;
    const uint32_t bytes = 100 * sizeof(float);
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&loaded, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &loaded,
                                       bytes);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, bytes, &loaded);
    }
    while (!ptx::mbarrier_try_wait_parity(&loaded, 0)) {
    }
    out[threadIdx.x] = threadIdx.x < 100 ? tile[threadIdx.x] : 0;
}

void run(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
