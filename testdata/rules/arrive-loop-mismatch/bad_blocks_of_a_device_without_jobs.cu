// The grid has a block for each multiprocessor, however few jobs there are: in one that gets none
// the warp that sums waits for a start that the warp that copies never gives.
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
        while (!ptx::mbarrier_try_wait_parity(&started, 0)) { // expect: arrive-loop-mismatch
        }
        for (int job = blockIdx.x; job < jobs; job += gridDim.x)
            out[job * 64 + 32 + lane] = in[job * 64 + lane] + in[job * 64 + 32 + lane];
    }
}

void launch(const float *in, float *out, int jobs)
{
    int units = 0;
    cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0);
    sums<<<units, 64>>>(in, out, jobs);
}
