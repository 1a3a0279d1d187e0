#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void trace(const float *__restrict__ in, float *__restrict__ out,
                      unsigned long long *__restrict__ log)
{
    __shared__ uint64_t stored;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&stored, 64);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    ptx::mbarrier_arrive(&stored);
    if (threadIdx.x == 0)
        log[0] = stored; // expect: init-raw-access
    while (!ptx::mbarrier_try_wait_parity(&stored, 0)) {
    }
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void run(const float *in, float *out, unsigned long long *log)
{
    trace<<<1, 64>>>(in, out, log);
}
