// One thread arrives for its whole warp, and an asynchronous copy is awaited beside them: the count
// is the number of arrivals, not of threads.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void weighted(const float *__restrict__ in, const float *__restrict__ weight,
                         float *__restrict__ out)
{
    __shared__ uint64_t ready;
    __shared__ alignas(16) float weights[128];
    __shared__ float line[128];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&ready, 128 + 1);
        ptx::fence_proxy_async();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &ready,
                                       sizeof weights);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, weights, weight, sizeof weights,
                           &ready);
    }
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        ptx::mbarrier_arrive(&ready, 32);
    while (!ptx::mbarrier_try_wait_parity(&ready, 0)) {
    }
    out[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x] * weights[threadIdx.x];
}

void run(const float *in, const float *weight, float *out, int blocks)
{
    weighted<<<blocks, 128>>>(in, weight, out);
}
