// The loops one meets: while, do, for with a break, and one with a pause between the turns.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void four_ways(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ uint64_t step;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&step, 64);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];

    ptx::mbarrier_arrive(&step);
    while (!ptx::mbarrier_try_wait_parity(&step, 0)) {
    }
    const float a = line[63 - threadIdx.x];

    ptx::mbarrier_arrive(&step);
    bool done;
    do {
        done = ptx::mbarrier_try_wait_parity(&step, 1);
    } while (!done);
    line[threadIdx.x] = a;

    ptx::mbarrier_arrive(&step);
    for (;;) {
        if (ptx::mbarrier_test_wait_parity(&step, 0))
            break;
        __nanosleep(20);
    }
    const float b = line[threadIdx.x ^ 1];

    ptx::mbarrier_arrive(&step);
    int turns = 0;
    while (true) {
        ++turns;
        const bool over = ptx::mbarrier_test_wait_parity(&step, 1);
        if (over)
            break;
    }
    out[threadIdx.x] = a + b;
}

void run(const float *in, float *out)
{
    four_ways<<<1, 64>>>(in, out);
}
