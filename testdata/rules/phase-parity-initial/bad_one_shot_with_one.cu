// Everybody waits for the first phase with parity 1: true before the copy, false for ever after it.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void load(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ uint64_t stored;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&stored, 32);
    __syncthreads();
    if (threadIdx.x < 32) {
        line[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
        line[32 + threadIdx.x] = in[blockIdx.x * 64 + 32 + threadIdx.x];
        ptx::mbarrier_arrive(&stored);
    }
    while (!ptx::mbarrier_try_wait_parity(&stored, 1)) { // expect: phase-parity-initial
    }
    out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
}

void run(const float *in, float *out, int blocks)
{
    load<<<blocks, 64>>>(in, out);
}
