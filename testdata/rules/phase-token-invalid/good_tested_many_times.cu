// A token of the instructions may be tested as often as one likes; a second test of a phase that
// is over is true again.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ uint64_t stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&stored, 128);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    const uint64_t token = ptx::mbarrier_arrive(&stored);
    int spins = 0;
    while (!ptx::mbarrier_test_wait(&stored, token))
        ++spins;
    if (spins > 0) {
        while (!ptx::mbarrier_try_wait(&stored, token)) {
        }
    }
    out[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];
}

void run(const float *in, float *out, int blocks)
{
    mirror<<<blocks, 128>>>(in, out);
}
