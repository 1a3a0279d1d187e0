// As many tiles as fit into the row, and half of each is fetched.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void fold_rows(const float *__restrict__ in, float *__restrict__ out, int columns)
{
    __shared__ alignas(128) float tile[512];
    __shared__ uint64_t landed;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&landed, 1);
    __syncthreads();
    const int tiles = columns / 512;
    float sum = 0.0f;
    for (int i = 0; i < tiles; ++i) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx( // expect: tx-bytes
                ptx::sem_release, ptx::scope_cta, ptx::space_shared, &landed, sizeof tile);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile,
                               in + blockIdx.x * columns + i * 512, sizeof tile / 2, &landed);
        }
        while (!ptx::mbarrier_try_wait_parity(&landed, i & 1)) {
        }
        sum += tile[threadIdx.x] + tile[511 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

void launch(const float *in, float *out, int rows, int columns)
{
    fold_rows<<<rows, 256>>>(in, out, columns);
}
