// Each row of the block meets at a number of its own; the count has the warp that only loads as well,
// which never comes.
#include <cuda_runtime.h>

constexpr int row_threads = 96, rows = 3;

__device__ void row_meets(int row)
{
    asm volatile("bar.sync %0, %1;" ::"r"(row + 1), "n"(row_threads + 32) : "memory");
}

__global__ void __launch_bounds__(rows *row_threads) rotate_rows(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[rows][row_threads];
    const int row = threadIdx.x / row_threads, at = threadIdx.x % row_threads;
    line[row][at] = in[blockIdx.x * rows * row_threads + threadIdx.x];
    row_meets(row); // expect: named-participants
    out[blockIdx.x * rows * row_threads + threadIdx.x] = line[row][(at + 1) % row_threads];
}

void run(const float *in, float *out, int blocks)
{
    rotate_rows<<<blocks, rows * row_threads>>>(in, out);
}
