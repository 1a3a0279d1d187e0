// One thread of a group looks up how long the next row is: the others read that behind the group's
// barrier, which the compiler does not know.
#include <cuda_runtime.h>

__device__ inline void group_sync(int id)
{
    asm volatile("bar.sync %0, 128;" ::"r"(id)); // expect: port-asm-clobber
}

__global__ void __launch_bounds__(256)
    cut_rows(const float *__restrict__ in, float *__restrict__ out, const int *__restrict__ length,
             int rows)
{
    __shared__ int next[2];
    if (threadIdx.x < 2)
        next[threadIdx.x] = 0;
    __syncthreads();
    const int group = threadIdx.x / 128, lane = threadIdx.x % 128;
    for (int row = group; row < rows; row += 2) {
        if (lane == 0)
            next[group] = length[row];
        group_sync(1 + group);
        out[row * 128 + lane] = lane < next[group] ? in[row * 128 + lane] : 0.0f;
        group_sync(1 + group);
    }
}

void run(const float *in, float *out, const int *length, int rows)
{
    cut_rows<<<1, 256>>>(in, out, length, rows);
}
