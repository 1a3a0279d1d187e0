// Kernels of which nobody sees the launch: in the first the others come to a barrier of their own, in
// the second lanes of all warps vote before.
#include <cuda_runtime.h>

__global__ void row_sum(const float *in, float *out, int n)
{
    __shared__ float line[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        line[lane] = in[blockIdx.x * n + lane];
        __syncthreads(); // expect: sync-divergent
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = line[lane];
}

__global__ void count(const int *in, int *out)
{
    __shared__ int line[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned set = __ballot_sync(0xffffffff, in[blockIdx.x * blockDim.x + threadIdx.x] > 0);
    if (lane == 0)
        line[warp] = __popc(set);
    if (warp == 0) {
        __syncthreads(); // expect: sync-divergent
        atomicAdd(out, line[lane]);
    }
}
