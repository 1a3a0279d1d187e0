// Blocks of as many threads as a half has vectors, which another file launches. Both halves are in one
// group, which the first wait leaves open: each thread reads what it has itself asked for.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int kHalf = 32;

__global__ void add_halves(const int4 *in, int4 *out)
{
    __shared__ int4 vector[2 * kHalf];
    const int t = threadIdx.x;
    if (t < kHalf) {
        __pipeline_memcpy_async(&vector[t], in + blockIdx.x * 2 * kHalf + t, sizeof(int4));
        __pipeline_memcpy_async(&vector[kHalf + t], in + blockIdx.x * 2 * kHalf + kHalf + t, sizeof(int4));
        __pipeline_commit();
    }
    __pipeline_wait_prior(1); // expect: pipe-unbalanced
    __syncthreads();
    const int4 lower = vector[t % (2 * kHalf)];
    __pipeline_wait_prior(0);
    __syncthreads();
    const int4 upper = vector[2 * kHalf - 1 - t % kHalf];
    if (t < kHalf)
        out[blockIdx.x * kHalf + t] = make_int4(lower.x + upper.x, lower.y + upper.y, lower.z + upper.z, lower.w + upper.w);
}
