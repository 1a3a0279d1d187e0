// The row's maximum is broadcast through the first word of the partial results, which the warps
// overwrite with partial sums while others may yet read it. The block size is the caller's.
#include <cuda_runtime.h>

__device__ float over_warp(float value, bool largest)
{
    for (int step = 16; step > 0; step /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, value, step);
        value = largest ? fmaxf(value, other) : value + other;
    }
    return value;
}

__global__ void softmax(const float *__restrict__ in, float *__restrict__ out, int columns)
{
    __shared__ float part[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    in += blockIdx.x * columns;
    out += blockIdx.x * columns;
    float most = -INFINITY;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        most = fmaxf(most, in[c]);
    most = over_warp(most, true);
    if (lane == 0)
        part[warp] = most;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < warps; ++w)
            most = fmaxf(most, part[w]);
        part[0] = most;
    }
    __syncthreads();
    most = part[0];
    float sum = 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        sum += expf(in[c] - most);
    sum = over_warp(sum, false);
    if (lane == 0)
        part[warp] = sum; // expect: sync-missing
    __syncthreads();
    for (int w = 0; w < warps; ++w)
        sum += w != warp ? part[w] : 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        out[c] = expf(in[c] - most) / sum;
}

void run(const float *in, float *out, int rows, int columns, int threads)
{
    softmax<<<rows, threads>>>(in, out, columns);
}
