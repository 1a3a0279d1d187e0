// Every lane announces a row and the four floats behind it, and copies the row alone. How long a row
// is nobody knows here; that four floats of each lane are missing does not depend on it.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void rows_backwards(const float *__restrict__ in, float *__restrict__ out, uint32_t bytes)
{
    extern __shared__ __align__(128) float row[];
    __shared__ uint64_t landed;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&landed, 16);
    __syncthreads();
    const uint32_t length = bytes / sizeof(float);
    if (threadIdx.x < 16) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &landed, // expect: tx-bytes
                                       bytes + 16);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row + threadIdx.x * length,
                           in + threadIdx.x * length, bytes, &landed);
    }
    while (!ptx::mbarrier_try_wait_parity(&landed, 0)) {
    }
    for (uint32_t i = threadIdx.x; i < 16 * length; i += 64)
        out[i] = row[16 * length - 1 - i];
}

void launch(const float *in, float *out, uint32_t bytes)
{
    rows_backwards<<<1, 64, 16 * bytes>>>(in, out, bytes);
}
