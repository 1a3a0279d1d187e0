// One thread takes all pending arrivals at once, through a wrapper of cuda::ptx.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ uint64_t arrive_quietly(uint64_t *barrier, uint32_t count)
{
    return ptx::mbarrier_arrive_no_complete(barrier, count);
}

__global__ void publish(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ uint64_t ready;
    __shared__ float value;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&ready, 4);
    __syncthreads();
    if (threadIdx.x == 0) {
        value = in[blockIdx.x];
        arrive_quietly(&ready, 3);
        arrive_quietly(&ready, 1); // expect: arrive-nocomplete
    }
    while (!ptx::mbarrier_try_wait_parity(&ready, 0)) {
    }
    out[blockIdx.x * 64 + threadIdx.x] = value;
}

void run(const float *in, float *out, int blocks)
{
    publish<<<blocks, 64>>>(in, out);
}
