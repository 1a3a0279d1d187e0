// Specialised warps: each arm has as many barriers as the other, in a loop too.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(160) align(const int *__restrict__ in, int *__restrict__ out,
                                             int tiles)
{
    __shared__ int count[2][128];
    const int warp = threadIdx.x / 32;
    if (warp < 4) {
        for (int t = 0; t < tiles; ++t) {
            count[t & 1][threadIdx.x] = in[t * 128 + threadIdx.x];
            __syncthreads();
        }
        __syncthreads();
    } else {
        int sum = 0;
        for (int t = 0; t < tiles; ++t) {
            __syncthreads();
            for (int i = threadIdx.x % 32; i < 128; i += 32)
                sum += count[t & 1][i];
        }
        __syncthreads();
        out[threadIdx.x - 128] = sum;
    }
}

void run(const int *in, int *out, int tiles)
{
    align<<<1, 160>>>(in, out, tiles);
}
