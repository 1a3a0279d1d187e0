#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

// How much comes is known at run time only.
__global__ void gather(const float *__restrict__ in, float *__restrict__ out, int rows, int width)
{
    __shared__ alignas(16) float line[1024];
    __shared__ uint64_t ready;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&ready, 1);
    __syncthreads();
    for (int r = 0; r < rows; ++r) {
        if (threadIdx.x == 0) {
            const uint32_t bytes = width * sizeof(float);
            uint32_t half = bytes / 2 & ~15u;
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, line, in + r * width, half,
                               &ready);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, line + half / 4,
                               in + r * width + half / 4, bytes - half, &ready);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &ready, bytes);
        }
        while (!ptx::mbarrier_try_wait_parity(&ready, r & 1)) {
        }
        if (threadIdx.x < width)
            out[r * width + threadIdx.x] = line[width - 1 - threadIdx.x];
        __syncthreads();
    }
}

void run(const float *in, float *out, int rows, int width)
{
    gather<<<1, 256>>>(in, out, rows, width);
}
