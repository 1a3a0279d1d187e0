// The first warp brings two arrivals for each lane more than it may; what does not add up after
// that is told here.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void vouch(const float *in, float *out, int rounds)
{
    __shared__ uint64_t met;
    __shared__ float line[96];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&met, 96 + 32);
    __syncthreads();
    float sum = 0.0f;
    for (int r = 0; r < rounds; ++r) {
        line[threadIdx.x] = in[r * 96 + threadIdx.x];
        if (threadIdx.x < 32)
            ptx::mbarrier_arrive_no_complete(&met, 2);
        uint64_t token = ptx::mbarrier_arrive(&met); // expect: arrive-over
        while (!ptx::mbarrier_try_wait(&met, token)) {
        }
        sum += line[95 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

void launch(const float *in, float *out, int rounds)
{
    vouch<<<1, 96>>>(in, out, rounds);
}
