#include <cuda_runtime.h>

template <int kThreads>
__global__ void sum_of_block(const int *in, int *out)
{
    __shared__ int part[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int value = in[blockIdx.x * kThreads + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(0xffffffff, value, step);
    if (lane == 0)
        part[warp] = value;
    __syncthreads();
    constexpr unsigned mask = (1u << kThreads / 32) - 1;
    if (threadIdx.x < kThreads / 32) {
        value = part[threadIdx.x];
        for (int step = kThreads / 64; step > 0; step /= 2)
            value += __shfl_down_sync(mask, value, step);
        if (threadIdx.x == 0)
            out[blockIdx.x] = value;
    }
}

void launch(const int *in, int *out, int blocks)
{
    sum_of_block<256><<<blocks, 256>>>(in, out);
}
