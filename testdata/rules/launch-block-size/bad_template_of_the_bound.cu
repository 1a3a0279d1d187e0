// The bound is a template argument, the block another constant.
#include <cuda_runtime.h>

constexpr int kernel_threads = 128, launch_threads = 192;

template <int Threads>
__global__ void __launch_bounds__(Threads, 2) reverse(const float *__restrict__ in,
                                                      float *__restrict__ out)
{
    __shared__ float line[Threads];
    line[threadIdx.x % Threads] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = line[Threads - 1 - threadIdx.x % Threads];
}

void run(const float *in, float *out)
{
    dim3 block(launch_threads), grid(4);
    reverse<kernel_threads><<<grid, block>>>(in, out); // expect: launch-block-size
}
