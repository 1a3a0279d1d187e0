// The flag of the test is looked at, and where it is false the line is read as well.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void mirror_or_zero(const float *in, float *out, int wanted)
{
    __shared__ uint64_t stored;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&stored, 64);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    ptx::mbarrier_arrive(&stored);
    const bool ready = wanted > 0 && ptx::mbarrier_try_wait_parity(&stored, 0); // expect: phase-trywait-ignored
    const float scale = ready ? 2.f : 1.f;
    if (wanted > 0)
        out[threadIdx.x] = scale * line[63 - threadIdx.x];
}

void launch(const float *in, float *out, int wanted)
{
    mirror_or_zero<<<1, 64>>>(in, out, wanted);
}
