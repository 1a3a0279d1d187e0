// 128 threads take part, 96 are counted: the phase is over while a warp is still writing.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kCounted = 96;

__global__ void rotate(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ uint64_t written;
    __shared__ int line[128];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&written, kCounted);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    ptx::mbarrier_arrive(&written); // expect: init-count-mismatch
    while (!ptx::mbarrier_try_wait_parity(&written, 0)) {
    }
    out[blockIdx.x * 128 + threadIdx.x] = line[(threadIdx.x + 32) % 128];
}

void run(const int *in, int *out, int blocks)
{
    rotate<<<blocks, 128>>>(in, out);
}
