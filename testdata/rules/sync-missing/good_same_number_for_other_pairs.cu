// One number serves two pairs of warps, one after the other. The warp that belongs to both carries
// what it has heard at the first meeting on to those that it meets later.
#include <cuda_runtime.h>

template <int number> __device__ void meet_in_pairs()
{
    asm volatile("bar.sync %0, 64;" ::"n"(number) : "memory");
}

__global__ void __launch_bounds__(96) chain(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float first[32], second[32], third[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        first[lane] = in[blockIdx.x * 32 + lane];
        meet_in_pairs<5>();
    } else if (warp == 1) {
        meet_in_pairs<5>();
        second[lane] = 0.5f * first[31 - lane];
        meet_in_pairs<6>();
        meet_in_pairs<5>();
        out[blockIdx.x * 32 + lane] = third[31 - lane];
    } else {
        meet_in_pairs<6>();
        third[lane] = second[31 - lane] + first[31 - lane];
        meet_in_pairs<5>();
    }
}

void run(const float *in, float *out, int rows)
{
    chain<<<rows, 96>>>(in, out);
}
