#include <cuda_runtime.h>

// Each step reads and writes in one piece of code, which the lanes go through together; and where
// lanes have voted since, all have read.
struct Larger {
    __device__ int operator()(const int &a, const int &b) const { return a > b ? a : b; }
};

template <typename Op>
__global__ void reduce(const int *in, int *out, Op op)
{
    __shared__ int part[64];
    part[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    part[threadIdx.x + 32] = 0;
    __syncwarp();
    for (int step = 16; step > 0; step /= 2) {
        part[threadIdx.x] = op(part[threadIdx.x], part[threadIdx.x + step]);
        __syncwarp();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

__global__ void sums(const int *in, int *out)
{
    __shared__ int part[4][64];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int *own = part[warp];
    own[lane] = in[blockIdx.x * 128 + threadIdx.x];
    own[lane + 32] = 0;
    __syncwarp();
    for (int step = 16; step > 0; step /= 2) {
        own[lane] += own[lane + step];
        __syncwarp();
    }
    const int sum = own[0];
    if (__any_sync(0xffffffff, sum < 0) && lane == 0)
        own[0] = 0;
    __syncwarp();
    out[blockIdx.x * 128 + threadIdx.x] = own[0];
}

void launch(const int *in, int *out, int blocks)
{
    sums<<<blocks, 128>>>(in, out);
    reduce<<<blocks, 32>>>(in, out, Larger());
}
