// No more blocks than jobs: each of them has one, and the warp that copies gives the start.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int jobs)
{
    __shared__ uint64_t started;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&started, 1);
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        bool told = false;
        for (int job = blockIdx.x; job < jobs; job += gridDim.x) {
            out[job * 64 + lane] = in[job * 64 + lane];
            if (!told && lane == 0)
                ptx::mbarrier_arrive(&started);
            told = true;
        }
    } else {
        while (!ptx::mbarrier_try_wait_parity(&started, 0)) {
        }
        for (int job = blockIdx.x; job < jobs; job += gridDim.x)
            out[job * 64 + 32 + lane] = in[job * 64 + lane] + in[job * 64 + 32 + lane];
    }
}

void launch(const float *in, float *out, int jobs)
{
    int units = 0;
    cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0);
    sums<<<jobs < units ? jobs : units, 64>>>(in, out, jobs);
}
